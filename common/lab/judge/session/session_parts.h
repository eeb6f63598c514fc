/* session_parts.h: a session from the inside. Private to session*.c. */
#ifndef LAB_SESSION_PARTS_H
#define LAB_SESSION_PARTS_H

#include "report/document/launches.h"
#include "lab/judge/session/session.h"
#include <sys/types.h>

enum { OUTPUT_KEPT = 4096 };

struct session {
    struct session_options options;
    pid_t runner, simgpu, owner; /* 0: not running */
    int runner_exit;             /* pidfd */
    int socket;                  /* to the runner */
    int owner_socket;            /* -1 without */
    int report;                  /* from simgpu, -1 without */
    int output;                  /* what both print */
    int log;
    uint64_t log_bytes, output_bytes;
    char kept[OUTPUT_KEPT];
    size_t kept_length;
    uint8_t *memory, *repeated; /* repeated: NULL where calls are not */
    struct session_recorded recorded;
    char *pending; /* an incomplete report line */
    size_t pending_length, pending_capacity;
    struct launches launches;
    json_t *remarks; /* an array, NULL: none */
    json_t *spans;   /* the same */
    bool ready;      /* the program has answered once */
    uint32_t sequence, owner_sequence;
    uint32_t gate;      /* the last call between the owner's gates */
    bool shared_memory; /* the runner has the owner's */
    struct session_traffic traffic;
    char missed[64];             /* what an earlier call left and a later one looked for, "" nothing */
    char left[SESSION_LEFT][64]; /* what a call left to the next, by name */
    unsigned left_count;
    char fault[1024]; /* simgpu's message, "" none */
    bool refused;     /* the fault is a launch of a shape that no GPU runs: */
    uint32_t refused_grid[3], refused_block[3];
    struct failure violation; /* what the program did that it must not; flag FLAG_NONE: nothing */
    bool answered;            /* an answer has come: */
    char answer_to[192];
    uint64_t answer_error, answer_value;
    char report_error[256]; /* a report line that made no sense */
};

/* Read everything that is waiting on the side channels, without blocking. */
void session_read_sides(struct session *session);
/* Close it, and leave -1; -1 is fine. */
void session_close_descriptor(int *descriptor);

#endif
