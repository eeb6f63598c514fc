/* session_parts.h: a session from the inside. Private to this folder. */
#pragma once

#include "base/processor.h"
#include "lab/judge/session/session.h"
#include "report/document/launches.h"
#include <sys/types.h>

enum { OUTPUT_KEPT = 4096 };

struct session {
    struct session_options options;
    pid_t runner, simgpu, owner; /* 0: not running */
    int runner_exit;             /* pidfd */
    int socket;                  /* to the runner */
    int owner_socket;            /* -1 without */
    int report;                  /* from simgpu, -1 without */
    int output;                  /* what the processes print */
    int log;
    uint64_t log_bytes, output_bytes;
    char kept[OUTPUT_KEPT];
    size_t kept_length;
    uint8_t *memory, *repeated; /* repeated: NULL in a session that does not record */
    struct session_recorded recorded;
    bool exited;   /* the program ended itself in the middle of a call */
    char *pending; /* an incomplete report line */
    size_t pending_length, pending_capacity;
    struct launches launches;
    json_t *remarks; /* an array, NULL: none */
    json_t *spans;   /* an array, NULL: none */
    bool ready;      /* the program has answered once */
    uint32_t sequence, owner_sequence;
    uint32_t gate;      /* number of the last call between the owner's gates */
    bool shared_memory; /* the runner has mapped the owner's device memory */
    struct session_traffic traffic;
    char missed[64];             /* session_missed */
    char left[SESSION_LEFT][64]; /* session_left */
    unsigned left_count;
    char fault[1024]; /* simgpu's message; "": none */
    bool refused;     /* the fault is a launch of this shape, which no GPU runs */
    uint32_t refused_grid[3], refused_block[3];
    struct failure violation; /* a rule that the program broke; flag FLAG_NONE: none */
    bool answered;            /* an answer to a command has come, and is kept here */
    char answer_to[192];
    uint64_t answer_error, answer_value;
    char report_error[256]; /* a report line that made no sense */
};

/* Whether an answer may still be waited for. False and *failure: the processes have had their time, or
 * the machine had none for them, which is nobody's fault (STAGE_BUSY). */
enum session_late { NO_ANSWER, STILL_BUSY };
bool session_waits(struct session *session, struct patience *patience, enum session_late late,
                   struct failure *failure);
/* Reads everything that waits on the side channels, without blocking. */
void session_read_sides(struct session *session);
/* Closes the descriptor and sets it to -1; -1 is fine. */
void session_close_descriptor(int *descriptor);
