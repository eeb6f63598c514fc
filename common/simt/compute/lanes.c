/* lanes.c: instructions in which the threads of a warp see each other: shfl, vote, match, redux, activemask. PTX ISA
 * 9.7.9, 9.7.13. Taking part: the lanes of `mask` (which run the instruction together) that the member mask names. */
#include "simt/compute/compute.h"

/* Each thread passes the same member mask; one running lane's copy is read. */
static uint32_t participants(const struct simt_operation *operation, uint8_t *registers, int source,
                             uint32_t mask) {
    return mask ? SOURCE(u32, source)[__builtin_ctz(mask)] & mask : 0;
}
static void broadcast(const struct simt_operation *operation, uint8_t *registers, uint32_t value) {
    slot_u32 *d = DESTINATION(u32);
    FOR_LANES d[lane] = value;
}

HANDLER(activemask) {
    (void)predicates;
    broadcast(operation, registers, mask);
}

/* ---- vote: sources predicate, member mask */
HANDLER(vote) {
    uint32_t members = participants(operation, registers, 1, mask);
    uint32_t yes = predicate_source(operation, predicates, 0) & members;
    bool result = false;
    switch (operation->instruction->form) {
    case PTX_VOTE_BALLOT: broadcast(operation, registers, yes); return;
    case PTX_VOTE_ALL: result = yes == members; break;
    case PTX_VOTE_ANY: result = yes != 0; break;
    case PTX_VOTE_UNI: result = yes == 0 || yes == members; break;
    }
    predicates[operation->destination[0]] = result ? UINT32_MAX : 0;
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

/*
 * ---- shfl: sources a, b (lane or distance), c (clamp in bits 4..0, segment mask in bits 12..8), member mask. A lane
 * whose partner lies outside its segment keeps its own value, and its predicate is false. The value of a lane that
 * does not take part is undefined in PTX; here it is what its register holds.
 */
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
SHUFFLE(shfl_up, lane - amount,
        at >= limit) /* limit: the lowest lane that may be read; c is 0 as compilers write it */
SHUFFLE(shfl_down, lane + amount, at <= limit)
SHUFFLE(shfl_bfly, lane ^ amount, at <= limit)
SHUFFLE(shfl_idx, first | (amount & ~segment), at <= limit)

/* ---- match: sources value, member mask. any: the members with the same value; all: the members, if all agree, else
 * 0 */
#define MATCH(name, T)                                                                                       \
    HANDLER(name) {                                                                                          \
        const slot_##T *a = SOURCE(T, 0);                                                                    \
        uint32_t members = participants(operation, registers, 1, mask), result[SIMT_LANES];                  \
        bool agree = true;                                                                                   \
        FOR_LANES {                                                                                          \
            uint32_t same = 0;                                                                               \
            for (int other = 0; other < SIMT_LANES; other++)                                                 \
                same |= (uint32_t)(a[other] == a[lane]) << other;                                            \
            result[lane] = same & members;                                                                   \
            if (members >> lane & 1)                                                                         \
                agree &= result[lane] == members;                                                            \
        }                                                                                                    \
        bool all = operation->instruction->form == PTX_MATCH_ALL;                                            \
        if (operation->destination[0] != SIMT_NO_OPERAND) {                                                  \
            slot_u32 *d = DESTINATION(u32);                                                                  \
            FOR_LANES d[lane] = all ? (agree ? members : 0) : result[lane];                                  \
        }                                                                                                    \
        if (all && operation->instruction->destinations > 1 && operation->destination[1] != SIMT_NO_OPERAND) \
            predicates[operation->destination[1]] = agree ? UINT32_MAX : 0;                                  \
    }
MATCH(match_b32, u32)
MATCH(match_b64, u64)

/* ---- redux: sources value, member mask */
#define REDUX(name, T, combine)                                                                              \
    HANDLER(name) {                                                                                          \
        (void)predicates;                                                                                    \
        uint32_t members = participants(operation, registers, 1, mask);                                      \
        if (members == 0)                                                                                    \
            return;                                                                                          \
        const slot_u32 *a = SOURCE(u32, 0);                                                                  \
        lane_##T x = (lane_##T)a[__builtin_ctz(members)];                                                    \
        for (uint32_t rest = members & (members - 1); rest; rest &= rest - 1) {                              \
            lane_##T y = (lane_##T)a[__builtin_ctz(rest)];                                                   \
            x = (combine);                                                                                   \
        }                                                                                                    \
        broadcast(operation, registers, (uint32_t)x);                                                        \
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
    ROW(PTX_VOTE, PTX_B32, PTX_VOTE_BALLOT, WRITES_32, vote),
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
