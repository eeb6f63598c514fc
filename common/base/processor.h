/*
 * processor.h: what the processes below one have had of the machine's processors, as /proc tells it, and a clock that
 * a busy machine does not advance.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

enum { PROCESSES_MOST = 4096 };

struct processes {
    pid_t process[PROCESSES_MOST];
    unsigned count;
};

/* Add the children of a process, of all its threads. Whoever does so for each one in turn, the added ones included, has
 * all descendants. */
void processes_add_children(struct processes *processes, pid_t process);

struct processor_use {
    /* Seconds, of all threads together. Both are 0 where the kernel does not tell. */
    double ran;
    double waited; /* in the queue for a processor (run-queue delay); told when a thread has got one */
    bool runnable; /* somebody is on a processor, or in the queue, now */
};

/* Add the seconds that a process has had since it began. except: a thread that does not count; 0: all count. */
void processor_add(struct processor_use *use, pid_t process, pid_t except);

/* Elapsed time less the time waited for a processor. It goes on while the processes run, and while they wait for
 * anything else. */
struct fair_clock {
    double start;
    struct processor_use use; /* as it was read last */
    double changed;           /* when its seconds were others than before, or nobody was runnable */
    double lost;              /* seconds waited since the start, at most what has elapsed */
};

/* Elapsed time, in units of a limit of fair time, after which nobody goes on waiting: the machine is too busy. */
enum { FAIR_CLOCK_MOST = 10 };

/* now: clock_seconds. use: of the processes that are there, together. */
void fair_clock_start(struct fair_clock *clock, double now, const struct processor_use *use);
/* Fair seconds since the start. What a process waited is kept when it ends. */
double fair_clock_read(struct fair_clock *clock, double now, const struct processor_use *use);

/* ---- waiting for processes, by a fair clock */

enum patience_state {
    PATIENCE_LASTS,
    PATIENCE_OVER, /* they have had their time */
    PATIENCE_BUSY  /* the machine had none for them: FAIR_CLOCK_MOST */
};

struct patience {
    double seconds;          /* of fair time */
    double begin, next_look; /* clock_seconds */
    bool looked;
    double ran_before;       /* seconds that the processes had had at the first look */
    double elapsed, ran;     /* seconds at the last look: since the beginning, and since the first look */
    struct fair_clock clock; /* from the first look on: who looks may have waited for a processor, too */
};

void patience_begin(struct patience *patience, double seconds);
/* To be called whenever something has happened, and at least every patience_ms milliseconds. The processes are those that
 * are named, 0 and -1 left out, and their descendants. /proc is read once a second at most. */
enum patience_state patience_look(struct patience *patience, const pid_t *processes, unsigned count);
/* For poll: until the next look. */
int patience_ms(const struct patience *patience);
