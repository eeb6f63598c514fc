/*
 * counters.h: what one launch did, counted exactly. No time in here: time is modelled elsewhere (gpus/).
 * The names are those of report.json. Rules of counting, with the ncu metric each one equals, in
 * simt/README.md.
 */
#ifndef SIMT_COUNTERS_H
#define SIMT_COUNTERS_H

#include <stdint.h>

/* X(name, what it counts). "Request": one warp-level memory instruction with at least one active thread. */
// clang-format off
#define SIMT_COUNTERS(X)                                                                                               \
    X(warp_instructions, "PTX instructions executed by warps (an ld by 32 threads is one)")                            \
    X(thread_instructions, "the same, each counted once per active thread")                                            \
    X(global_load_requests, "warp-level global loads")                                                                 \
    X(global_load_sectors, "32-byte sectors those loads touch, counted per request")                                   \
    X(global_store_requests, "warp-level global stores")                                                               \
    X(global_store_sectors, "32-byte sectors those stores touch")                                                      \
    X(global_load_bytes, "bytes the active threads asked for")                                                         \
    X(global_store_bytes, "bytes the active threads wrote")                                                            \
    X(global_load_wavefronts, "passes of the L1 data stage for global loads")                                          \
    X(shared_load_requests, "warp-level shared loads")                                                                 \
    X(shared_load_wavefronts, "passes of the shared-memory banks for those loads")                                     \
    X(shared_store_requests, "warp-level shared stores")                                                               \
    X(shared_store_wavefronts, "passes of the shared-memory banks for those stores")                                   \
    X(shared_bank_conflicts, "wavefronts beyond what the same accesses need without conflicts")                        \
    X(shared_atomics, "warp-level atomics on shared memory")                                                           \
    X(local_load_requests, "warp-level loads of spilled or indexed local memory")                                      \
    X(local_load_sectors, "sectors of local loads")                                                                    \
    X(local_store_requests, "warp-level local stores")                                                                 \
    X(local_store_sectors, "sectors of local stores")                                                                  \
    X(constant_requests, "warp-level loads of constant memory through registers")                                      \
    X(l1_hit_sectors, "load sectors found in L1")                                                                      \
    X(l2_read_sectors, "sectors read from L2 by L1 misses")                                                            \
    X(l2_write_sectors, "sectors written to L2")                                                                       \
    X(l2_read_hit_sectors, "of the reads, found in L2")                                                                \
    X(dram_read_bytes, "bytes L2 fetched from DRAM")                                                                   \
    X(dram_write_bytes, "bytes L2 wrote back to DRAM, what remains dirty at the end not counted")                      \
    X(branches, "warp-level branch instructions that are conditional")                                                 \
    X(divergent_branches, "of these, with threads going both ways")                                                    \
    X(atomics, "warp-level atomics and reductions on global memory")                                                   \
    X(atomic_sectors, "sectors those touch")                                                                           \
    X(barriers, "block barriers, counted per warp that arrives")                                                       \
    X(inst_int, "integer arithmetic, logic, shifts, compares, address conversions")                                    \
    X(inst_int_multiply, "of these, 32-bit multiplies and multiply-adds (64-bit ones count as their 32-bit parts)")    \
    X(inst_fp16, "half-precision arithmetic")                                                                          \
    X(inst_fp32, "single-precision add, multiply, compare, min, max")                                                  \
    X(inst_fp32_fma, "single-precision fused multiply-add")                                                            \
    X(inst_fp64, "double-precision arithmetic")                                                                        \
    X(inst_special, "reciprocal, root, sine, exponent, logarithm (special function unit)")                             \
    X(inst_conversion, "conversions between integer and float, or between widths")                                     \
    X(inst_move, "mov, selp, pack, unpack: what a compiler may remove")                                                \
    X(inst_memory, "loads, stores, atomics in any space but parameters")                                               \
    X(inst_shuffle, "shuffles, votes, matches")                                                                        \
    X(inst_control, "branches, calls, returns, exits")                                                                 \
    X(inst_synchronisation, "barriers and fences")                                                                     \
    X(fp32_flops, "single-precision operations per thread, an FMA as two")                                             \
    X(dependent_issue_cycles, "longest chain of dependent instructions, per straight piece of code a warp runs, summed")
// clang-format on

struct simt_counters {
#define SIMT_COUNTER_FIELD(name, what) uint64_t name;
    SIMT_COUNTERS(SIMT_COUNTER_FIELD)
#undef SIMT_COUNTER_FIELD
};

enum { SIMT_COUNTER_COUNT = sizeof(struct simt_counters) / sizeof(uint64_t) };

enum simt_line_kind {
    SIMT_LINE_GLOBAL_LOAD,
    SIMT_LINE_GLOBAL_STORE,
    SIMT_LINE_SHARED_LOAD,
    SIMT_LINE_SHARED_STORE,
    SIMT_LINE_LOCAL_LOAD,
    SIMT_LINE_LOCAL_STORE,
    SIMT_LINE_ATOMIC,
    SIMT_LINE_BRANCH
};

/* One memory (or branch) instruction's share, by source line; lines with several instructions of a kind are
 * merged. */
struct simt_line {
    const char *file; /* as in the PTX .file directive; "" unknown */
    uint32_t line;
    uint8_t kind;          /* enum simt_line_kind */
    uint64_t requests;     /* branches: executed */
    uint64_t transactions; /* global, local: sectors; shared: wavefronts; branches: divergent */
    uint64_t ideal;        /* the fewest sectors or wavefronts that could carry the same bytes */
    uint64_t threads;      /* active threads, summed over requests */
};

#endif
