/*
 * support_judge.h: a server in this process, on a thread, with a judge at one end and a program at the other: what both
 * may say. A test fails when an answer is not as it must be.
 */
#ifndef RUNTIME_TESTS_SUPPORT_JUDGE_H
#define RUNTIME_TESTS_SUPPORT_JUDGE_H

#include "gpu/runtime/server/launch_report.h"
#include "gpu/time/gpus.h"

enum { JUDGED_COMMON_BYTES = 1 << 16 };

extern struct judged {
    struct gpu_model model;
    uint8_t *common;         /* what the judge has in common with the server */
    uint8_t *transfer;       /* what the program has */
    uint8_t *shared;         /* memory of both sides: what was allocated last */
    struct server_flow flow; /* what crossed in the last call */
    char unordered[512];     /* two pieces of its work that nothing orders, "" none */
    char missed[64];         /* what a call looked for in vain, "" nothing */
    char left[256];          /* what the last call left to the next, by name */
    double recorded_us;      /* of the last call that was recorded */
    const char *ptxas;       /* set before judged_start: simgpu is told of it, and times by machine code */
    bool alone;              /* and there is no judge */
    char failed[96];         /* why it cannot be repeated, "" it can */
} judged;

/* For CMocka: before all tests; around each. */
int judged_load_model(void **state);
int judged_start(void **state);
int judged_stop(void **state);

/* The program says HELLO; sends any request: its error. `reply` may be NULL. */
void judged_greet(void);
uint32_t judged_ask(uint32_t operation, const void *request, uint32_t bytes, void *reply, size_t reply_bytes);

/* The judge gives a command: its error, and its value, which may be NULL. */
uint64_t judged_command(const char *text, uint64_t *value);
uint64_t judged_commandf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The next line of the report must be of this kind: what it says under `key`, as a number; its time; its violation. */
uint64_t judged_expect(const char *kind, const char *key);
double judged_expect_time(const char *kind);
void judged_expect_violation(const char *kind);

#endif
