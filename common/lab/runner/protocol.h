/*
 * protocol.h: the messages between the judge and a runner. The runner is the process with the
 * student's code. It gets inputs and gives back outputs, and knows neither the right answer nor the
 * score.
 *
 * They use one SOCK_SEQPACKET socket (descriptor in RUNNER_SOCKET). The judge sends a request, the
 * runner answers with one reply. Both sides are built from one tree. The buffers belong
 *
 * - on the simulated GPU to the judge: CALL brings addresses and sizes, and the runner sees no byte
 *   of the case;
 * - on a real GPU, when grading, to the owner (../owner/), a process of the judge's without student
 *   code that uses the same messages: SHARE, then PREPARE, OPEN, CLOSE for each case. The runner
 *   gets SHARE, then CALL with places in the shared device memory;
 * - on a real GPU otherwise to the runner: PREPARE, CALL, FETCH.
 *
 * The host side of the buffers lies in one shared memory file (RUNNER_MEMORY), which the process
 * that has the buffers maps.
 */
#pragma once

#include <stdint.h>

#define RUNNER_SOCKET "LAB_RUNNER_SOCKET"
#define RUNNER_MEMORY "LAB_RUNNER_MEMORY"
/* Under a profiler there is no judge, but one case in a file: a struct runner_request (PREPARE),
 * and from RUNNER_REPLAY_OFFSET on the content of the shared memory. */
#define RUNNER_REPLAY "LAB_RUNNER_REPLAY"

enum {
    RUNNER_BUFFERS = 4,
    RUNNER_SIZES = 12,
    RUNNER_GUARD_BYTES = 1024,
    RUNNER_REPLAY_OFFSET = 4096,
    RUNNER_HANDLE = 64 /* bytes of a cudaIpcMemHandle_t */
};

/* The shared device memory begins with two words (gate.h). The owner sets the first to the
 * call's number when the inputs are there, the runner the second when the results are. */
enum { RUNNER_GATE_OPEN = 0, RUNNER_GATE_DONE = 128, RUNNER_GATE_BYTES = 4096 };

enum runner_command {
    RUNNER_DESCRIBE, /* which device is this? */
    RUNNER_PREPARE,  /* allocate the buffers of a case, copy the inputs in, poison the outputs */
    RUNNER_CALL,     /* call the student's function once and wait for it; timed by events when asked */
    /* A problem of the host's memory, in one: allocate as the student's code does, call it, and copy the
     * results to the shared memory. The request describes a whole case, as PREPARE does. */
    RUNNER_CALL_HOST,
    RUNNER_OPEN_HOST,  /* the same in three requests: allocate and open, and say where the buffers lie */
    RUNNER_RUN_HOST,   /* run, and nothing else */
    RUNNER_CLOSE_HOST, /* copy the results to the shared memory, close and free */
    /* Call the function for the host on the buffers in shared memory, timed by the clock. The request
     * describes a whole case, and there is no FETCH. */
    RUNNER_CALL_CPU,
    RUNNER_COPY,  /* copy the first buffer to other device memory, timed */
    RUNNER_FETCH, /* copy every buffer back, guard bands too, and free them */
    RUNNER_SHARE, /* owner: allocate device memory, answer with its handle; runner: map that memory */
    RUNNER_OPEN,  /* owner: queue what precedes a call and what follows: inputs, flush; results, times */
    RUNNER_CLOSE, /* owner: the runner has answered; copy the results again, and bring them to the host */
    RUNNER_QUIT
};

/* A buffer of a case. From `offset` in shared memory lie guard, content, guard (guards only if
 * `guard`), in the same order as in device memory. */
struct runner_buffer {
    uint64_t offset, bytes;
    uint64_t address; /* CALL: of the content, on the device or in the shared memory; 0: from PREPARE */
    uint8_t output;   /* poisoned before the call instead of copied in */
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
    uint32_t gate;     /* OPEN, CALL, CLOSE: number of a call between the gates; 0: a call without gates */
    uint32_t wait;     /* OPEN: answer when the inputs are there; else at once, before they are */
    uint64_t flush_bytes; /* CALL, COPY, OPEN: bytes of other memory to read first, for an empty L2 */
    uint8_t handle[RUNNER_HANDLE];
    int64_t size[RUNNER_SIZES];
    struct runner_buffer buffer[RUNNER_BUFFERS];
};

struct runner_reply {
    uint32_t command, sequence;
    int32_t error;   /* cudaError_t, 0 when all went well */
    double time_us;  /* CALL, CALL_HOST, timed; CALL_CPU; COPY */
    double after_us; /* CALL: microseconds that the device was busy after the stream had ended */
    /* CLOSE: microseconds of the GPU's clock from before the inputs appeared until the results
     * were copied: when the runner's work said it was done, and again after the runner's answer.
     * The second copy counts. */
    double window_us, again_us;
    uint32_t late;  /* CLOSE: the second copy differs from the first */
    uint64_t place; /* PREPARE, owner: offset in shared device memory that matches offset 0 of the host's */
    uint8_t handle[RUNNER_HANDLE];
    uint64_t address[RUNNER_BUFFERS]; /* OPEN_HOST: of each buffer's guard, in the runner's memory */
    char what[64];                    /* which call failed: "cudaMalloc", "gaussian_blur", "the kernel" */
    char error_name[64], error_text[160];
    /* DESCRIBE */
    char gpu[256];
    char bus[24]; /* place on the bus: "00000000:1b:00.0" */
    int32_t compute_major, compute_minor, runtime_version;
    uint64_t l2_bytes;
};
