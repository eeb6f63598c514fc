/* flags.h: what may be wrong with a submission besides a wrong answer. Reports, gradebooks and
 * policies use the names, whose meaning never changes. */
#pragma once

// clang-format off
/* X(identifier, name, meaning) */
#define FLAGS(X)                                                                                                       \
    X(LAUNCH_OUTSIDE_CALL, "launch-outside-call", "worked on the GPU before or after the call that is judged")         \
    X(HOST_ANSWER,         "host-answer",         "moved the problem to the host, or an answer from there")            \
    X(NO_KERNEL,           "no-kernel",           "launched no kernel in a call")                                      \
    X(NONDETERMINISTIC,    "nondeterministic",    "gave two results for one input")                                    \
    X(WRONG_LATER,         "wrong-later",         "was right in the cases and wrong in later calls")                   \
    X(INPUT_CHANGED,       "input-changed",       "wrote to an input")                                                 \
    X(GUARD_BAND,          "guard-band",          "wrote outside a buffer")                                            \
    X(FREED_BUFFER,        "freed-buffer",        "freed a buffer that is not its own, or reset the device")           \
    X(EARLY_EXIT,          "early-exit",          "ended its process instead of returning")                            \
    X(CRASH,               "crash",               "was ended by a signal")                                             \
    X(TIMEOUT,             "timeout",             "did not end in time")                                               \
    X(SYSTEM_CALL,         "system-call",         "asked the operating system for what no kernel.cu needs")            \
    X(RESULT_CHANNEL,      "result-channel",      "wrote to, or closed, a descriptor that is not its own")             \
    X(TIME_MISMATCH,       "time-mismatch",       "reported a time that another clock contradicts")                    \
    X(FASTER_THAN_ROOFLINE, "faster-than-roofline", "was faster than the hardware can be")                             \
    X(MANY_KERNELS,        "many-kernels",        "launched more different kernels in a call than a report has room for") \
    /* Only the grader looks for these. */                                                                               \
    X(CONSTRUCTOR,         "constructor",         "has code that runs before the judge does")                          \
    X(OVERRIDE,            "override",            "defines a function of the harness, the CUDA runtime or the C library") \
    X(OBJECT,              "object",              "compiles to an object file with parts that no kernel.cu needs")     \
    X(PROCESS,             "process",             "starts processes")                                                  \
    X(THREAD,              "thread",              "starts threads")                                                    \
    X(NETWORK,             "network",             "uses the network")                                                  \
    X(TRACE,               "trace",               "reaches into processes or into the memory of its own code")         \
    X(SECRET_FILE,         "secret-file",         "asks the compiler for a file that is none of its business")         \
    X(BUILD_SIZE,          "build-size",          "makes the compiler write more than is allowed")                     \
    X(MEMORY,              "memory",              "used more memory than is allowed")                                  \
    X(PROCESSES,           "processes",           "had more processes or threads than are allowed")                    \
    X(JUDGE_LIMIT,         "judge-limit",         "made the judge itself too large or too slow")
// clang-format on

enum flag {
    FLAG_NONE,
#define FLAG_ENUMERATOR(identifier, name, what) FLAG_##identifier,
    FLAGS(FLAG_ENUMERATOR)
#undef FLAG_ENUMERATOR
        FLAG_COUNT
};

/* "host-answer"; "" for FLAG_NONE. */
const char *flag_name(enum flag flag);
/* "moved the problem to the host, or an answer from there" */
const char *flag_meaning(enum flag flag);
