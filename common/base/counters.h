/* counters.h: the table of counters of one launch. The simulator fills a struct of counters, ncu's
 * figures are read into one, reports and goals use the names, which are the keys of report.json.
 * gpu/simt/README.md has the rules of counting, report/ncu/ncu.c the metrics of ncu. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* X(name, what it counts). "Request": a warp's memory instruction with an active thread. */
// clang-format off
#define COUNTERS(X)                                                                                               \
    X(warp_instructions, "PTX instructions executed by warps (an ld by 32 threads is one)")                            \
    X(thread_instructions, "the same, each counted once per active thread")                                            \
    X(inst_executed, "machine instructions executed by warps: what the compiler made of the PTX")                      \
    X(pipe_fma, "of those, sent to the float and integer multiply-add pipe")                                           \
    X(pipe_alu, "to the integer, logic and comparison pipe")                                                           \
    X(pipe_fp64, "to the double-precision pipe")                                                                       \
    X(pipe_xu, "to the pipe of special functions and conversions")                                                     \
    X(pipe_lsu, "to the load/store unit, after the compiler merged accesses and spilled registers")                    \
    X(pipe_uniform, "to the pipe that computes once for a warp")                                                       \
    X(pipe_adu, "to the unit of barriers and constants by address")                                                    \
    X(pipe_cbu, "to the branch unit")                                                                                  \
    X(pipe_tensor, "to the tensor cores")                                                                              \
    X(machine_shared_loads, "machine instructions that load from shared memory: neighbours that became one are one")   \
    X(machine_shared_stores, "the same of stores")                                                                     \
    X(machine_matrix_loads, "machine instructions that load matrices from shared memory (ldmatrix)")                    \
    X(machine_matrix_stores, "the same of stores (stmatrix)")                                                          \
    X(machine_local_loads, "requests of machine code to load local memory: spilled registers, indexed arrays")         \
    X(machine_local_stores, "the same of stores")                                                                      \
    X(global_load_requests, "warp-level global loads")                                                                 \
    X(global_load_sectors, "32-byte sectors those loads touch, counted per request")                                   \
    X(global_store_requests, "warp-level global stores")                                                               \
    X(global_store_sectors, "32-byte sectors those stores touch")                                                      \
    X(global_load_bytes, "bytes the active threads asked for")                                                         \
    X(global_store_bytes, "bytes the active threads wrote")                                                            \
    X(global_load_wavefronts, "128-byte lines those loads touch, counted per request")                                 \
    X(shared_load_requests, "warp-level shared loads")                                                                 \
    X(shared_load_wavefronts, "passes of the shared-memory banks for those loads")                                     \
    X(shared_store_requests, "warp-level shared stores")                                                               \
    X(shared_store_wavefronts, "passes of the shared-memory banks for those stores")                                   \
    X(shared_bank_conflicts, "wavefronts beyond what the same accesses need without conflicts")                        \
    X(shared_atomics, "warp-level atomics on shared memory")                                                           \
    X(shared_atomic_wavefronts, "passes of the shared-memory banks for those, where lanes queue")                      \
    X(local_load_requests, "warp-level loads of spilled or indexed local memory")                                      \
    X(local_load_sectors, "sectors of local loads")                                                                    \
    X(local_store_requests, "warp-level local stores")                                                                 \
    X(local_store_sectors, "sectors of local stores")                                                                  \
    X(spill_loads, "words a warp brings back from local memory for want of registers (estimated)")                     \
    X(spill_stores, "words it puts there for want of registers (estimated)")                                           \
    X(constant_requests, "warp-level loads of constant memory through registers")                                      \
    X(constant_wavefronts, "different addresses those ask for: passes of the constant cache")                          \
    X(l1_hit_sectors, "load sectors found in L1")                                                                      \
    X(l2_read_sectors, "sectors read from L2 by L1 misses")                                                            \
    X(l2_write_sectors, "sectors written to L2")                                                                       \
    X(l2_read_hit_sectors, "of the reads, found in L2")                                                                \
    X(l2_read_waiting_sectors, "of those, on their way from DRAM for another SM (estimated)")                          \
    X(dram_read_bytes, "bytes L2 fetched from DRAM")                                                                   \
    X(dram_write_bytes, "bytes L2 wrote back to DRAM, what remains dirty at the end not counted")                      \
    X(dram_fill_bytes, "of the bytes fetched, what sectors lack that were written in part")                            \
    X(branches, "warp-level branch instructions that are conditional")                                                 \
    X(divergent_branches, "of these, with threads going both ways")                                                    \
    X(atomics, "warp-level atomics and reductions on global memory")                                                   \
    X(atomic_sectors, "sectors those touch")                                                                           \
    X(atomic_passes, "passes those take in L2: lanes that meet at a word queue")                                       \
    X(atomic_queue, "passes at the 128-byte line that has most of them")                                               \
    X(atomic_slice, "passes at the slices of L2 that have most of them, in turn")                                           \
    X(store_queue, "stores at the 128-byte line that has most of them")                                                \
    X(swap_queue, "compare-and-swaps that changed the word that has most of them")                                     \
    X(barriers, "block barriers, counted per warp that arrives")                                                       \
    X(inst_int, "integer arithmetic, logic, shifts, compares, address conversions")                                    \
    X(inst_int_multiply, "of these, 32-bit multiplies and multiply-adds (64-bit ones count as their 32-bit parts)")    \
    X(inst_division, "of the integer ones, divisions and remainders of up to 32 bits")                                 \
    X(inst_division_64, "of the integer ones, divisions and remainders of 64 bits")                                    \
    X(inst_fp16, "half-precision arithmetic")                                                                          \
    X(inst_fp32, "single-precision add, multiply, compare, min, max")                                                  \
    X(inst_fp32_fma, "single-precision fused multiply-add")                                                            \
    X(inst_fp64, "double-precision arithmetic")                                                                        \
    X(inst_division_fp64, "of these, divisions, reciprocals and roots")                                                \
    X(inst_matrix, "products of matrices, by tensor cores")                                                            \
    X(inst_special, "reciprocal, root, sine, exponent, logarithm (special function unit)")                             \
    X(inst_conversion, "conversions between integer and float, or between widths")                                     \
    X(inst_move, "mov, selp, pack, unpack: what a compiler may remove")                                                \
    X(inst_memory, "loads, stores, atomics in any space but parameters")                                               \
    X(inst_shuffle, "shuffles, votes, matches")                                                                        \
    X(inst_control, "branches, calls, returns, exits")                                                                 \
    X(inst_synchronisation, "barriers and fences")                                                                     \
    X(fp32_flops, "single-precision operations per thread, an FMA as two")                                             \
    X(load_waits, "times a warp must wait for global or local loads before it can start the next, by what its code allows")\
    X(dependent_issue_cycles, "longest chain of dependent instructions, per straight piece of code a warp runs, summed")
// clang-format on

/* COUNTER_warp_instructions, ...: the index of each counter in the table. */
enum counter {
#define COUNTER_INDEX(name, what) COUNTER_##name,
    COUNTERS(COUNTER_INDEX)
#undef COUNTER_INDEX
        COUNTER_COUNT
};

/* The counters of the machine code are adjacent; the first one counts all executions. */
enum {
    FIRST_MACHINE_COUNTER = COUNTER_inst_executed,
    MACHINE_COUNTERS = COUNTER_machine_local_stores - COUNTER_inst_executed + 1
};

struct counters {
#define COUNTER_FIELD(name, what) uint64_t name;
    COUNTERS(COUNTER_FIELD)
#undef COUNTER_FIELD
};

/* One SM's share of a launch: its counters, its longest warp, its largest block. Counters of the
 * whole chip (L2's hits, DRAM, queues of atomics, estimates) are 0. */
struct sm_work {
    struct counters counters;
    uint64_t longest_warp_instructions, largest_block_instructions;
};

/* Name, meaning and value of a counter by its index. NULL, NULL, 0: no such counter. */
const char *counter_name(enum counter counter);
const char *counter_meaning(enum counter counter);
uint64_t counter_value(const struct counters *counters, enum counter counter);
void counter_set(struct counters *counters, enum counter counter, uint64_t value);

/* What a source line of a kernel does: an access to memory, or other costly work. X(ENUMERATOR,
 * "name", "words") */
// clang-format off
#define LINE_KINDS(X)                                                                                                  \
    X(GLOBAL_LOAD, "global_load", "global load")                                                                       \
    X(GLOBAL_STORE, "global_store", "global store")                                                                    \
    X(SHARED_LOAD, "shared_load", "shared load")                                                                       \
    X(SHARED_STORE, "shared_store", "shared store")                                                                    \
    X(LOCAL_LOAD, "local_load", "local load")                                                                          \
    X(LOCAL_STORE, "local_store", "local store")                                                                       \
    X(ATOMIC, "atomic", "atomic")                                                                                      \
    X(BRANCH, "branch", "branch")                                                                                      \
    X(CONSTANT_LOAD, "constant_load", "constant load")                                                                 \
    X(BARRIER, "barrier", "barrier")                                                                                   \
    X(DOUBLE, "double", "double-precision arithmetic")                                                                 \
    X(SPECIAL, "special", "special function")                                                                          \
    X(CONVERSION, "conversion", "conversion")                                                                          \
    X(DIVISION, "division", "integer division")                                                                        \
    X(WIDE_INTEGER, "wide_integer", "half of 64-bit integers")
// clang-format on

enum line_kind {
#define LINE_KIND_INDEX(enumerator, name, words) LINE_##enumerator,
    LINE_KINDS(LINE_KIND_INDEX)
#undef LINE_KIND_INDEX
        LINE_KIND_COUNT
};

/* The name of a kind ("global_load") and its words ("global load"); NULL: no such kind. */
const char *line_kind_name(enum line_kind kind);
const char *line_kind_words(enum line_kind kind);
/* Whether the kind is an access: global, shared, local, atomic. */
bool line_kind_is_access(enum line_kind kind);
