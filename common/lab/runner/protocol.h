/*
 * protocol.h: what the judge and a runner say to each other. The runner is the process that holds
 * the student's code; it gets inputs and gives back outputs, and knows neither the right answer nor
 * the score.
 *
 * One SOCK_SEQPACKET socket (descriptor in RUNNER_SOCKET). The judge sends a request, the runner
 * answers each with one reply. Both sides are built from one tree. Who has the buffers:
 *
 * - On the simulated GPU the judge: CALL brings addresses and sizes, and the runner sees no byte of
 * the case.
 * - On a real GPU, when grading, the owner (../owner/), a process of the judge's that speaks this
 * language, too, and holds
 *   no student's code: SHARE, then PREPARE, OPEN, CLOSE for each case. The runner gets SHARE, then CALL with places in the
 *   shared device memory.
 * - On a real GPU else the runner: PREPARE, CALL, FETCH.
 *
 * Who owns the buffers has the host side of them in one shared memory file (RUNNER_MEMORY).
 */
#ifndef RUNNER_PROTOCOL_H
#define RUNNER_PROTOCOL_H

#include <stdint.h>

#define RUNNER_SOCKET "LAB_RUNNER_SOCKET"
#define RUNNER_MEMORY "LAB_RUNNER_MEMORY"
/* Or, under a profiler: no judge, one case from a file: a struct runner_request (PREPARE), and at
 * RUNNER_REPLAY_OFFSET what the shared memory would hold. */
#define RUNNER_REPLAY "LAB_RUNNER_REPLAY"

enum {
    RUNNER_BUFFERS = 4,
    RUNNER_SIZES = 12,
    RUNNER_GUARD_BYTES = 1024,
    RUNNER_REPLAY_OFFSET = 4096,
    RUNNER_HANDLE = 64 /* bytes of a cudaIpcMemHandle_t */
};

/* The shared device memory begins with two words (gate.h): the owner sets the first to the
 * call's number when the inputs are there, the runner the second when the results are. */
enum { RUNNER_GATE_OPEN = 0, RUNNER_GATE_DONE = 128, RUNNER_GATE_BYTES = 4096 };

enum runner_command {
    RUNNER_DESCRIBE, /* which device is this? */
    RUNNER_PREPARE,  /* allocate the buffers of a case, copy the inputs in, poison the outputs */
    RUNNER_CALL,     /* call the student's function once and wait for it; timed by events when asked */
    RUNNER_CALL_HOST, /* a problem of the host's memory: allocate it as the student's code does, call its functions, and bring
                         the results to the shared memory; a whole case: the request describes it as PREPARE does */
    RUNNER_OPEN_HOST,  /* the same in three: allocate and open, and say where the buffers lie; */
    RUNNER_RUN_HOST,   /* run, and nothing besides; */
    RUNNER_CLOSE_HOST, /* bring all of it to the shared memory, close and free */
    RUNNER_CALL_CPU, /* call its counterpart for the host on the buffers in shared memory, timed by the clock; a whole
                        case: the request describes it as PREPARE does, and nothing is to be fetched */
    RUNNER_COPY,  /* copy the first buffer to other device memory, timed: what a plain copy takes */
    RUNNER_FETCH, /* copy every buffer back, guard bands too, and free them */
    RUNNER_SHARE, /* owner: allocate device memory for cases and answer with its handle; runner: map the memory of `handle` */
    RUNNER_OPEN, /* owner: queue what goes before a call and what goes after it: inputs, flush; results, times */
    RUNNER_CLOSE, /* owner: the runner has answered; take the results once more, and bring them to the host */
    RUNNER_QUIT
};

/* A buffer of a case. In shared memory at `offset` lie guard, content, guard (guards only if
 * `guard`), which is also how it lies in device memory. */
struct runner_buffer {
    uint64_t offset, bytes;
    uint64_t
        address; /* CALL: where the content lies on the device, or in the shared memory; 0: where PREPARE has put it */
    uint8_t output; /* poisoned before the call instead of copied in */
    uint8_t reserved[7];
};

struct runner_request {
    uint32_t command;
    uint32_t buffer_count;
    uint32_t guard;    /* bytes of guard band on each side; 0: none, the simulated GPU checks every access */
    uint32_t poison;   /* the byte that fills outputs and guards */
    uint32_t timed;    /* CALL: put events around it; under a profiler: its marks, around the last call */
    uint32_t calls;    /* under a profiler: how often to call, 0 is once */
    uint32_t sequence; /* the reply repeats it */
    uint32_t gate; /* OPEN, CALL, CLOSE: a call between the gates of shared memory: its number; 0: another */
    uint32_t wait; /* OPEN: answer when the inputs are there; else at once, and they come somewhat later */
    uint64_t
        flush_bytes; /* CALL, COPY, OPEN: read so much other memory first that L2 holds nothing of the case */
    uint8_t handle[RUNNER_HANDLE];
    int64_t size[RUNNER_SIZES];
    struct runner_buffer buffer[RUNNER_BUFFERS];
};

struct runner_reply {
    uint32_t command, sequence;
    int32_t error;   /* cudaError_t, 0 when all went well */
    double time_us;  /* CALL, CALL_HOST, timed; CALL_CPU; COPY */
    double after_us; /* CALL: how long the device was busy once the stream had ended */
    /* CLOSE, by the GPU's clock: from before the inputs were there until the results had been
     * taken, first as soon as the runner's work said that it was done, and again when its answer
     * had come. The later results are what counts. */
    double window_us, again_us;
    uint32_t late;  /* they were others than the first */
    uint64_t place; /* PREPARE, owner: where the shared memory holds what the host's has at 0 */
    uint8_t handle[RUNNER_HANDLE];
    uint64_t
        address[RUNNER_BUFFERS]; /* OPEN_HOST: of each buffer, its guard before it, in the runner's memory */
    char what[64];               /* which call failed: "cudaMalloc", "gaussian_blur", "the kernel" */
    char error_name[64], error_text[160];
    /* DESCRIBE */
    char gpu[256];
    char bus[24]; /* where it sits: "00000000:1b:00.0" */
    int32_t compute_major, compute_minor, runtime_version;
    uint64_t l2_bytes;
};

#endif
