/*
 * flags.h: what the grader itself holds against a submission, beyond harness/flags.h, by stable names: result
 * documents, gradebooks and policies refer to them.
 */
#ifndef JOB_FLAGS_H
#define JOB_FLAGS_H

// clang-format off
/* X(identifier, name, what it says of the submission) */
#define GRADER_FLAGS(X)                                                                                    \
    X(CONSTRUCTOR, "constructor",  "has code that runs before the judge does")                             \
    X(OVERRIDE,    "override",     "defines a function of the harness, the CUDA runtime or the C library") \
    X(OBJECT,      "object",       "compiles to an object file with parts that no kernel.cu needs")        \
    X(PROCESS,     "process",      "starts processes")                                                     \
    X(THREAD,      "thread",       "starts threads")                                                       \
    X(NETWORK,     "network",      "uses the network")                                                     \
    X(TRACE,       "trace",        "reaches into processes or into the memory of its own code")            \
    X(SECRET_FILE, "secret-file",  "asks the compiler for a file that is none of its business")            \
    X(BUILD_SIZE,  "build-size",   "makes the compiler write more than is allowed")                        \
    X(MEMORY,      "memory",       "used more memory than is allowed")                                     \
    X(PROCESSES,   "processes",    "had more processes or threads than are allowed")
// clang-format on

enum grader_flag {
    GRADER_FLAG_NONE,
#define GRADER_FLAG_ENUMERATOR(identifier, name, what) GRADER_FLAG_##identifier,
    GRADER_FLAGS(GRADER_FLAG_ENUMERATOR)
#undef GRADER_FLAG_ENUMERATOR
        GRADER_FLAG_COUNT
};

/* "network", and "uses the network"; "" for GRADER_FLAG_NONE. */
const char *grader_flag_name(enum grader_flag flag);
const char *grader_flag_meaning(enum grader_flag flag);

#endif
