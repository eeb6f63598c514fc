/* line_facts.h: how the threads of a warp lie in memory at one source line. The simulator finds
 * these facts lane by lane in a few warps of two neighbouring blocks. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* How the addresses of neighbouring threads lie. X(ENUMERATOR, "name") */
#define LINE_LANES(X)                                                                                        \
    X(UNKNOWN, "unknown") /* one thread a request, or no shape holds in three of four requests */            \
    X(SAME, "same")       /* all threads have one address */                                                 \
    X(STRIDE, "stride")   /* each thread's address is `stride` bytes after its neighbour's */                \
    X(GROUPS, "groups") /* as STRIDE within groups of `group` threads; the groups lie `jump` bytes apart */  \
    X(SCATTERED, "scattered") /* none of these */

enum line_lanes {
#define LINE_LANES_INDEX(enumerator, name) LANES_##enumerator,
    LINE_LANES(LINE_LANES_INDEX)
#undef LINE_LANES_INDEX
        LANES_COUNT
};

/* X(name, "meaning"): whole numbers; LINE_FACT_UNKNOWN: not known. */
// clang-format off
#define LINE_FACTS(X)                                                                                                  \
    X(bytes, "bytes a thread touches with one request")                                                                \
    X(stride, "bytes from a thread's address to the next thread's, in its group")                                      \
    X(group, "threads of a group")                                                                                     \
    X(jump, "bytes from a group's address to the next group's")                                                        \
    X(next_y, "bytes to the address of the thread next in threadIdx.y")                                                \
    X(step, "bytes from a thread's address to that of its next request by the same instruction")                       \
    X(unaligned, "of 100 requests by neighbouring threads, how many do not start at a multiple of 32 bytes")           \
    X(apart, "different addresses of 100 requests: 100 where all threads have one address")                            \
    X(looked_at, "accesses of threads that were looked at; the next four are parts of these, where they are loads")    \
    X(first_time, "of an element that its block had not loaded before")                                                \
    X(again_request, "of an element that another thread loads by the same request")                                    \
    X(again_thread, "of an element that the same thread had loaded before")                                            \
    X(again_block, "of an element that another thread of the block had loaded before")                                 \
    X(other_block, "of the first ones, how many are of an element that the next block loads, too")                          \
    X(instructions, "load or store instructions that the compiler made of this line")                                  \
    X(row, "bytes of a row of the shared array, as its conflicts show them")                                           \
    X(pad, "bytes more a row, a multiple of every access's width, that were tried on these addresses")                 \
    X(passes, "passes over the banks of the accesses to the array that were looked at")                                \
    X(padded_passes, "passes over the banks of the same accesses with such rows")                                      \
    X(own, "of 100 loads of the shared array, how many read what the same thread had stored")                          \
    X(fixed, "1: the compiler knows the address in local memory; 0: a thread computes it")                             \
    X(taken, "lanes that took the branch, a bit each, where each divergent branch that was looked at split so")        \
    X(divergent, "divergent branches that were looked at")
// clang-format on

enum line_fact {
#define LINE_FACT_INDEX(name, meaning) FACT_##name,
    LINE_FACTS(LINE_FACT_INDEX)
#undef LINE_FACT_INDEX
        LINE_FACT_COUNT
};

#define LINE_FACT_UNKNOWN INT64_MIN

struct line_facts {
    char array[64];        /* name in the program ("tile"), or what allocated it; "": not known */
    enum line_lanes lanes; /* of the line's worst instruction: the one with most avoidable transactions */
    bool known[LINE_FACT_COUNT]; /* false: value is undefined */
    int64_t value[LINE_FACT_COUNT];
};

/* The value of a fact, or LINE_FACT_UNKNOWN. */
int64_t line_fact_get(const struct line_facts *facts, enum line_fact fact);
void line_fact_set(struct line_facts *facts, enum line_fact fact, int64_t value);
const char *line_fact_name(enum line_fact fact);
const char *line_lanes_name(enum line_lanes lanes);
