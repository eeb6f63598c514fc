/* finding_codes.h: the kinds of findings. README.md says what each means, and when a rule reports
 * it. Part of kernel_report.h. */
#ifndef REPORT_FINDING_CODES_H
#define REPORT_FINDING_CODES_H

/* X(ENUMERATOR, "text"): the text is stable, for programs. The first two lead. The others are in
 * alphabetical order, which is also the order of findings with equal gain at one line. */
// clang-format off
#define FINDING_CODES(X)                                                                                               \
    X(SPILLS, "spills")                                                                                                \
    X(LIMITER, "limiter")                                                                                              \
    X(ATOMICS, "atomics")                                                                                              \
    X(ATOMICS_ONE_ADDRESS, "atomics-one-address")                                                                      \
    X(BANK_CONFLICTS, "bank-conflicts")                                                                                \
    X(BARRIERS, "barriers")                                                                                            \
    X(BROADCAST, "broadcast")                                                                                          \
    X(CHUNKS, "chunks")                                                                                                \
    X(COALESCING, "coalescing")                                                                                        \
    X(CONSTANT_DIVERGENT, "constant-divergent")                                                                        \
    X(CONVERSIONS, "conversions")                                                                                      \
    X(DIVERGENCE, "divergence")                                                                                        \
    X(DIVERGENCE_DATA, "divergence-data")                                                                              \
    X(DOUBLE_BY_ACCIDENT, "double-by-accident")                                                                        \
    X(DOUBLE_PRECISION, "double-precision")                                                                            \
    X(FEW_THREADS, "few-threads")                                                                                      \
    X(GROUPED, "grouped")                                                                                              \
    X(INSTRUCTION_CACHE, "instruction-cache")                                                                          \
    X(INTEGER_DIVISION, "integer-division")                                                                            \
    X(LOCAL_ARRAY, "local-array")                                                                                      \
    X(LOCAL_MEMORY, "local-memory")                                                                                    \
    X(MISALIGNED, "misaligned")                                                                                        \
    X(NARROW_BLOCK, "narrow-block")                                                                                    \
    X(NARROW_LOADS, "narrow-loads")                                                                                    \
    X(OCCUPANCY, "occupancy")                                                                                          \
    X(OVERHEAD, "overhead")                                                                                            \
    X(PARTIAL_WARPS, "partial-warps")                                                                                  \
    X(PRIVATE_SHARED, "private-shared")                                                                                \
    X(RELOAD, "reload")                                                                                                \
    X(REUSE, "reuse")                                                                                                  \
    X(SCATTERED, "scattered")                                                                                          \
    X(SHARED_REUSE, "shared-reuse")                                                                                    \
    X(SHORT_THREADS, "short-threads")                                                                                  \
    X(SMALL_GRID, "small-grid")                                                                                        \
    X(SPECIAL, "special")                                                                                              \
    X(STENCIL, "stencil")                                                                                              \
    X(STRIDED, "strided")                                                                                              \
    X(STRUCTURES, "structures")                                                                                        \
    X(TAIL, "tail")                                                                                                    \
    X(TILE, "tile")                                                                                                    \
    X(TRANSPOSED, "transposed")                                                                                        \
    X(WIDE_INTEGERS, "wide-integers")
// clang-format on

enum finding_code {
    CODE_NONE,
#define FINDING_CODE_INDEX(enumerator, text) CODE_##enumerator,
    FINDING_CODES(FINDING_CODE_INDEX)
#undef FINDING_CODE_INDEX
        CODE_COUNT
};
const char *finding_code_name(int code); /* "narrow-block"; NULL: none */

#endif
