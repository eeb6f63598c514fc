/* lanes.c: instructions in which threads of a warp see each other: shfl, vote, match, redux, elect,
 * activemask. Of the lanes in `mask`, which run the instruction together, those with the same
 * member mask are a group. Groups do not see each other. PTX ISA 9.7.9, 9.7.13. */
#include "gpu/simt/compute/compute.h"

/* The group of the first lane of `left`: the lanes that get its result, and those that make it. */
struct group {
    uint32_t lanes, members;
};
static inline struct group first_group(const struct simt_operation *operation, uint8_t *registers, int source,
                                       uint32_t left, uint32_t mask) {
    const slot_u32 *named = SOURCE(u32, source);
    uint32_t members = named[__builtin_ctz(left)];
    int32_t equal[SIMT_LANES];
    FOR_LANES equal[lane] = named[lane] == members ? -1 : 0;
    uint32_t lanes = lane_bits(equal) & mask;
    if (lanes & ~members || members & mask & ~lanes)
        simt_wrong_members(operation, registers, lanes, mask);
    return (struct group){lanes, members & lanes};
}
#define FOR_GROUPS(group, source)                                                                            \
    for (uint32_t left = mask;                                                                               \
         left != 0 && (group = first_group(operation, registers, source, left, mask), true);                 \
         left &= ~group.lanes)

static inline void store_32(const struct simt_operation *operation, uint8_t *registers,
                            const uint32_t *result) {
    slot_u32 *d = DESTINATION(u32);
    FOR_LANES d[lane] = result[lane];
}
static inline void give(uint32_t *result, uint32_t lanes, uint32_t value) {
    FOR_LANES result[lane] = (lanes & 1u << lane) ? value : result[lane];
}

HANDLER(activemask) {
    (void)predicates;
    slot_u32 *d = DESTINATION(u32);
    FOR_LANES d[lane] = mask;
}

/* elect: source member mask. The lowest member leads. */
HANDLER(elect) {
    uint32_t result[SIMT_LANES] = {0}, leaders = 0;
    struct group group;
    FOR_GROUPS(group, 0) {
        uint32_t leader = group.members & -group.members;
        leaders |= leader;
        give(result, group.lanes, leader ? (uint32_t)__builtin_ctz(leader) : 0);
    }
    if (operation->destination[0] != SIMT_NO_OPERAND)
        store_32(operation, registers, result);
    if (operation->instruction->destinations > 1 && operation->destination[1] != SIMT_NO_OPERAND)
        predicates[operation->destination[1]] = leaders;
}

/* ---- vote: sources predicate, member mask */
HANDLER(vote_ballot) {
    uint32_t votes = predicate_source(operation, predicates, 0), result[SIMT_LANES] = {0};
    struct group group;
    FOR_GROUPS(group, 1)
    give(result, group.lanes, votes & group.members);
    store_32(operation, registers, result);
}
HANDLER(vote) {
    uint32_t votes = predicate_source(operation, predicates, 0), result = 0;
    struct group group;
    FOR_GROUPS(group, 1) {
        uint32_t yes = votes & group.members;
        bool all = yes == group.members, any = yes != 0, holds = false;
        switch (operation->instruction->form) {
        case PTX_VOTE_ALL: holds = all; break;
        case PTX_VOTE_ANY: holds = any; break;
        case PTX_VOTE_UNI: holds = all || !any; break;
        }
        result |= holds ? group.lanes : 0;
    }
    predicates[operation->destination[0]] = result;
}

static inline void shuffle(const struct simt_operation *operation, uint8_t *registers, uint32_t *predicates,
                           const slot_u32 *a, const int32_t *from, uint32_t inside) {
    uint32_t result[SIMT_LANES];
#if defined(__AVX512F__) && defined(__AVX512DQ__)
    __m512i low = _mm512_load_si512(a), high = _mm512_load_si512(a + 16);
    for (int i = 0; i < SIMT_LANES; i += 16)
        _mm512_storeu_si512(result + i, _mm512_permutex2var_epi32(low, _mm512_loadu_si512(from + i), high));
#else
    FOR_LANES result[lane] = a[from[lane] & 31];
#endif
    if (operation->destination[0] != SIMT_NO_OPERAND) {
        slot_u32 *d = DESTINATION(u32);
        FOR_LANES d[lane] = result[lane];
    }
    if (operation->instruction->destinations > 1 && operation->destination[1] != SIMT_NO_OPERAND)
        predicates[operation->destination[1]] = inside;
}

/* ---- shfl: sources a, b (lane or distance), c (clamp in bits 4..0, segment mask in bits 12..8),
 * member mask. A lane whose partner lies outside its segment keeps its own value, and its predicate
 * is false. An absent lane's value, undefined in PTX, is its register here. */
#define SHUFFLE(name, partner, within)                                                                       \
    HANDLER(name) {                                                                                          \
        (void)mask;                                                                                          \
        const slot_u32 *a = SOURCE(u32, 0), *b = SOURCE(u32, 1), *c = SOURCE(u32, 2);                        \
        int32_t from[SIMT_LANES], inside[SIMT_LANES];                                                        \
        FOR_LANES {                                                                                          \
            int32_t amount = (int32_t)(b[lane] & 31), clamp = (int32_t)(c[lane] & 31);                       \
            int32_t segment = (int32_t)(c[lane] >> 8 & 31);                                                  \
            int32_t first = lane & segment, limit = first | (clamp & ~segment), at = (partner);              \
            (void)first;                                                                                     \
            inside[lane] = (within) ? -1 : 0;                                                                \
            from[lane] = (within) ? at : lane;                                                               \
        }                                                                                                    \
        shuffle(operation, registers, predicates, a, from, lane_bits(inside));                               \
    }
SHUFFLE(shfl_up, lane - amount, at >= limit) /* limit: the lowest lane; compilers write c as 0 */
SHUFFLE(shfl_down, lane + amount, at <= limit)
SHUFFLE(shfl_bfly, lane ^ amount, at <= limit)
SHUFFLE(shfl_idx, first | (amount & ~segment), at <= limit)

/* ---- match: sources value, member mask. any: the members with the same value. all: the members if
 * all agree, else 0. */
#define MATCH(name, T)                                                                                       \
    HANDLER(name) {                                                                                          \
        const slot_##T *a = SOURCE(T, 0);                                                                    \
        uint32_t same[SIMT_LANES], result[SIMT_LANES] = {0}, agreeing = 0;                                   \
        bool all = operation->instruction->form == PTX_MATCH_ALL;                                            \
        FOR_LANES {                                                                                          \
            same[lane] = 0;                                                                                  \
            for (int other = 0; other < SIMT_LANES; other++)                                                 \
                same[lane] |= (uint32_t)(a[other] == a[lane]) << other;                                      \
        }                                                                                                    \
        struct group group;                                                                                  \
        FOR_GROUPS(group, 1) {                                                                               \
            uint32_t members = group.members;                                                                \
            bool agree = members && !(members & ~same[__builtin_ctz(members)]);                              \
            agreeing |= agree ? group.lanes : 0;                                                             \
            FOR_LANES if (group.lanes & 1u << lane) result[lane] = !all    ? same[lane] & members            \
                                                                   : agree ? members                         \
                                                                           : 0;                              \
        }                                                                                                    \
        if (operation->destination[0] != SIMT_NO_OPERAND)                                                    \
            store_32(operation, registers, result);                                                          \
        if (all && operation->instruction->destinations > 1 && operation->destination[1] != SIMT_NO_OPERAND) \
            predicates[operation->destination[1]] = agreeing;                                                \
    }
MATCH(match_b32, u32)
MATCH(match_b64, u64)

/* ---- redux: sources value, member mask */
#define REDUX(name, T, combine)                                                                              \
    HANDLER(name) {                                                                                          \
        (void)predicates;                                                                                    \
        const slot_u32 *a = SOURCE(u32, 0);                                                                  \
        uint32_t result[SIMT_LANES] = {0};                                                                   \
        struct group group;                                                                                  \
        FOR_GROUPS(group, 1) {                                                                               \
            uint32_t rest = group.members;                                                                   \
            lane_##T x = rest ? (lane_##T)a[__builtin_ctz(rest)] : 0;                                        \
            for (rest &= rest - 1; rest; rest &= rest - 1) {                                                 \
                lane_##T y = (lane_##T)a[__builtin_ctz(rest)];                                               \
                x = (combine);                                                                               \
            }                                                                                                \
            give(result, group.lanes, (uint32_t)x);                                                          \
        }                                                                                                    \
        store_32(operation, registers, result);                                                              \
    }
REDUX(redux_add, u32, x + y)
REDUX(redux_min_u32, u32, x < y ? x : y)
REDUX(redux_max_u32, u32, x > y ? x : y)
REDUX(redux_min_s32, s32, x < y ? x : y)
REDUX(redux_max_s32, s32, x > y ? x : y)
REDUX(redux_and, u32, (x & y))
REDUX(redux_or, u32, x | y)
REDUX(redux_xor, u32, x ^ y)

#define ROW(opcode, T, form, writes, handler)                                                                \
    { opcode, T, 0, form, 0, 0, writes, 0, handler, NULL }
#define ROW_REDUX(T, form, handler) ROW(PTX_REDUX, T, form, WRITES_32, handler)
static const struct compute_row rows[] = {
    ROW(PTX_ACTIVEMASK, PTX_B32, COMPUTE_ANY, WRITES_32, activemask),
    ROW(PTX_ELECT, PTX_NOTYPE, COMPUTE_ANY, WRITES_32_PREDICATE, elect),
    ROW(PTX_VOTE, PTX_B32, PTX_VOTE_BALLOT, WRITES_32, vote_ballot),
    ROW(PTX_VOTE, PTX_PRED, PTX_VOTE_ALL, WRITES_PREDICATES, vote),
    ROW(PTX_VOTE, PTX_PRED, PTX_VOTE_ANY, WRITES_PREDICATES, vote),
    ROW(PTX_VOTE, PTX_PRED, PTX_VOTE_UNI, WRITES_PREDICATES, vote),
    ROW(PTX_SHFL, PTX_B32, PTX_SHFL_UP, WRITES_32_PREDICATE, shfl_up),
    ROW(PTX_SHFL, PTX_B32, PTX_SHFL_DOWN, WRITES_32_PREDICATE, shfl_down),
    ROW(PTX_SHFL, PTX_B32, PTX_SHFL_BFLY, WRITES_32_PREDICATE, shfl_bfly),
    ROW(PTX_SHFL, PTX_B32, PTX_SHFL_IDX, WRITES_32_PREDICATE, shfl_idx),
    ROW(PTX_MATCH, PTX_B32, COMPUTE_ANY, WRITES_32_PREDICATE, match_b32),
    ROW(PTX_MATCH, PTX_B64, COMPUTE_ANY, WRITES_32_PREDICATE, match_b64),
    ROW_REDUX(PTX_U32, PTX_ATOM_ADD, redux_add),
    ROW_REDUX(PTX_S32, PTX_ATOM_ADD, redux_add),
    ROW_REDUX(PTX_U32, PTX_ATOM_MIN, redux_min_u32),
    ROW_REDUX(PTX_U32, PTX_ATOM_MAX, redux_max_u32),
    ROW_REDUX(PTX_S32, PTX_ATOM_MIN, redux_min_s32),
    ROW_REDUX(PTX_S32, PTX_ATOM_MAX, redux_max_s32),
    ROW_REDUX(PTX_B32, PTX_ATOM_AND, redux_and),
    ROW_REDUX(PTX_B32, PTX_ATOM_OR, redux_or),
    ROW_REDUX(PTX_B32, PTX_ATOM_XOR, redux_xor),
};
COMPUTE_TABLE(lanes, rows);
