/*
 * Whose fault it is that something does not end: told from looks that are written down here, with a clock of their own,
 * and from real processes.
 */
#include "base/clock.h"
#include "base/test.h"
#include "job/watch_parts.h"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

/* ---- looks that are written down */

static const struct watch_limits limits = {.memory_bytes = 1 << 30,
                                           .threads = 8,
                                           .seconds = 60,
                                           .wall_seconds = 600,
                                           .idle_seconds = 60,
                                           .sleep_seconds = 60};

/* Of each second from `from` to `to`: the shares in which the tree computes, and waits for a processor. */
struct phase {
    double to, ran, waited;
    bool runnable, stopped;
};

/* The verdict on a tree that repeats these phases, and when it came. */
static enum watch_verdict verdict_on(const struct phase *phases, unsigned count, double *when) {
    struct watch_history history = {0};
    struct watch_look look = {.threads = 1, .use.ran = 0.01};
    double from = 0, period = phases[count - 1].to;
    unsigned at = 0;
    fair_clock_start(&history.clock, 0, &look.use);
    for (double now = 0; now < 1e5; now += 0.025) {
        while (now >= from + phases[at].to)
            if (++at == count) {
                at = 0;
                from += period;
            }
        const struct phase *p = &phases[at];
        look.now = now;
        look.use.runnable = p->runnable;
        look.stopped = p->stopped;
        look.use.ran += 0.025 * p->ran;
        look.use.waited += 0.025 * p->waited;
        look.used = look.use.ran - 0.01;
        enum watch_verdict verdict = watch_decide(&limits, &history, &look);
        if (verdict != WATCH_WITHIN) {
            *when = now;
            return verdict;
        }
    }
    return WATCH_WITHIN;
}

static const struct row {
    const char *what;
    struct phase phases[2];
    unsigned count;
    enum watch_verdict verdict;
    double from, to; /* seconds after which it comes */
} rows[] = {
    /* on an idle machine */
    {"computes", {{1, 1, 0, true, false}}, 1, WATCH_TIME, 59, 62},
    {"sleeps", {{1, 0, 0, false, false}}, 1, WATCH_WAITS, 59, 62},
    {"sleeps, and computes 5 %",
     {{1, 0, 0, false, false}, {1.05, 1, 0, true, false}},
     2,
     WATCH_WAITS,
     59,
     65},
    {"computes 5 % of each hundredth", {{1, 0.05, 0, true, false}}, 1, WATCH_WAITS, 59, 65},
    {"computes a tenth and dozes",
     {{0.1, 1, 0, true, false}, {1, 0, 0, false, false}},
     2,
     WATCH_WAITS,
     59,
     70},
    {"computes more than it dozes",
     {{0.6, 1, 0, true, false}, {1, 0, 0, false, false}},
     2,
     WATCH_TIME,
     98,
     102},
    {"stops itself", {{5, 1, 0, true, false}, {1e9, 0, 0, false, true}}, 2, WATCH_STOPPED, 5, 7},
    {"is stopped for a moment", {{1, 1, 0, true, false}, {1.5, 0, 0, false, true}}, 2, WATCH_TIME, 80, 95},
    /* on a busy one the same ends the same way */
    {"computes at load 20", {{1, 0.05, 0.95, true, false}}, 1, WATCH_TIME, 1190, 1210},
    {"sleeps at load 20", {{1, 0, 0.001, false, false}}, 1, WATCH_WAITS, 59, 100},
    {"sleeps, and computes at load 20",
     {{1, 0, 0, false, false}, {2, 0.05, 0.95, true, false}},
     2,
     WATCH_WAITS,
     110,
     125},
    {"computes more than it dozes at load 20",
     {{12, 0.05, 0.95, true, false}, {12.4, 0, 0, false, false}},
     2,
     WATCH_TIME,
     1200,
     1250},
    {"stops itself at load 20",
     {{5, 0.05, 0.95, true, false}, {1e9, 0, 0, false, true}},
     2,
     WATCH_STOPPED,
     5,
     7},
    /* where the machine has no time at all */
    {"computes at load 200", {{1, 0.005, 0.995, true, false}}, 1, WATCH_BUSY, 5999, 6002},
    {"is in the queue, for how long the system does not say",
     {{1, 1, 0, true, false}, {1e9, 0, 0, true, false}},
     2,
     WATCH_BUSY,
     5999,
     6002},
    /* several wait at once, and then sleep */
    {"lays up waiting", {{10, 0.05, 8, true, false}, {1e9, 0, 0, false, false}}, 2, WATCH_WAITS, 69, 72},
};

static void test_verdicts(void **state) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double when = 0;
        enum watch_verdict verdict = verdict_on(rows[i].phases, rows[i].count, &when);
        if (verdict != rows[i].verdict || when < rows[i].from || when > rows[i].to)
            fail_msg("what %s: verdict %d after %.1f s, and not %d after %.0f to %.0f", rows[i].what, verdict,
                     when, rows[i].verdict, rows[i].from, rows[i].to);
    }
}

/* ---- real processes */

enum behaviour { COMPUTES, SLEEPS, STOPS, ALTERNATES, STARVES };

/* In a process of its own, on one processor. */
static _Noreturn void behave(enum behaviour behaviour) {
    const struct sched_param none = {.sched_priority = 0};
    if (behaviour == STARVES && sched_setscheduler(0, SCHED_IDLE, &none) != 0)
        _exit(1);
    for (double next = clock_seconds() + 0.05;;) {
        if (behaviour == SLEEPS)
            pause();
        if (behaviour == STOPS)
            raise(SIGSTOP);
        if (behaviour == ALTERNATES && clock_seconds() > next) {
            nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
            next = clock_seconds() + 0.002;
        }
    }
}

static void use_one_processor(void) {
    cpu_set_t all, first;
    CPU_ZERO(&first);
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    for (int i = 0; CPU_COUNT(&first) == 0; i++)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &first);
    assert_int_equal(sched_setaffinity(0, sizeof first, &first), 0);
}

static pid_t start(enum behaviour behaviour) {
    pid_t parent = getpid(), process = fork();
    if (process == 0) {
        if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
            _exit(1);
        use_one_processor();
        behave(behaviour);
    }
    assert_true(process > 0);
    return process;
}

static enum watch_verdict watched(enum behaviour behaviour, struct watch_limits own, struct watch_end *end) {
    char error[256];
    struct watch *watch = watch_start(&own, error, sizeof error);
    if (watch == NULL)
        fail_msg("%s", error);
    waitpid(start(behaviour), NULL, 0);
    return watch_stop(watch, end);
}

static void test_real_ones(void **state) {
    struct watch_limits own = limits;
    struct watch_end end;
    own.seconds = 0.5;
    assert_int_equal(watched(COMPUTES, own, &end), WATCH_TIME);
    own.seconds = 3600;
    own.wall_seconds = 3600;
    assert_int_equal(watched(STOPS, own, &end), WATCH_STOPPED);
    assert_true(end.elapsed < 600);
    own.idle_seconds = 0.5;
    assert_int_equal(watched(SLEEPS, own, &end), WATCH_WAITS);
    own.idle_seconds = 60;
    own.sleep_seconds = 1;
    assert_int_equal(watched(ALTERNATES, own, &end), WATCH_WAITS);
    own.sleep_seconds = 0;
    own.wall_seconds = 1;
    assert_int_equal(watched(ALTERNATES, own, &end), WATCH_WAITS);
}

/* Beside a process that is not watched. The whole of it in a process of its own, whose descendants are watched. */
static void test_one_that_starves(void **state) {
    int status = 0;
    pid_t other = start(COMPUTES), judge = fork();
    if (judge == 0) {
        struct watch_limits own = limits;
        struct watch_end end;
        char message[128];
        own.wall_seconds = 0.3;
        enum watch_verdict verdict = watched(STARVES, own, &end);
        watch_busy_message(&end, message, sizeof message);
        if (verdict != WATCH_BUSY || end.elapsed < 3 ||
            strncmp(message, "the machine was too busy: in ", 29) != 0)
            fprintf(stderr, "verdict %d after %.1f s: %s\n", verdict, end.elapsed, message);
        _exit(verdict == WATCH_BUSY && end.elapsed >= 3 ? 0 : 1);
    }
    waitpid(judge, &status, 0);
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TESTS(UNIT(test_verdicts), UNIT(test_real_ones), UNIT(test_one_that_starves))
