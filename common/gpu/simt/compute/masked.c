/* masked.c: the masked form of every handler. It saves the old destinations, runs the full form,
 * and restores the lanes outside the mask. One function for each kind of destination, so that full
 * and masked form cannot differ. */
#include "gpu/simt/compute/compute.h"

#define KEEP(T, index, old)                                                                                  \
    slot_##T old[SIMT_LANES];                                                                                \
    memcpy(old, SLOT(T, operation->destination[index]), sizeof old)
#define PUT_BACK(T, index, old)                                                                              \
    do {                                                                                                     \
        slot_##T *d = SLOT(T, operation->destination[index]);                                                \
        FOR_LANES {                                                                                          \
            slot_##T previous = old[lane], now = d[lane];                                                    \
            d[lane] = (mask & 1u << lane) ? now : previous;                                                  \
        }                                                                                                    \
    } while (0)

static inline void blend(uint32_t *predicate, uint32_t old, uint32_t mask) {
    *predicate = (*predicate & mask) | (old & ~mask);
}

HANDLER(masked_32) {
    KEEP(u32, 0, old);
    operation->full(operation, registers, predicates, mask);
    PUT_BACK(u32, 0, old);
}
HANDLER(masked_64) {
    KEEP(u64, 0, old);
    operation->full(operation, registers, predicates, mask);
    PUT_BACK(u64, 0, old);
}
HANDLER(masked_32_carry) {
    uint32_t carry = predicates[operation->carry];
    masked_32(operation, registers, predicates, mask);
    blend(&predicates[operation->carry], carry, mask);
}
HANDLER(masked_64_carry) {
    uint32_t carry = predicates[operation->carry];
    masked_64(operation, registers, predicates, mask);
    blend(&predicates[operation->carry], carry, mask);
}

/* The number of destinations, and which are not "_", is known only at run time. */
static bool present(const struct simt_operation *operation, int index) {
    return index < operation->instruction->destinations && operation->destination[index] != SIMT_NO_OPERAND;
}
HANDLER(masked_predicates) {
    uint32_t old[2] = {0, 0};
    for (int i = 0; i < 2; i++)
        if (present(operation, i))
            old[i] = predicates[operation->destination[i]];
    operation->full(operation, registers, predicates, mask);
    for (int i = 0; i < 2; i++)
        if (present(operation, i))
            blend(&predicates[operation->destination[i]], old[i], mask);
}
HANDLER(masked_32_predicate) {
    bool predicate = present(operation, 1);
    uint32_t old = predicate ? predicates[operation->destination[1]] : 0;
    if (present(operation, 0))
        masked_32(operation, registers, predicates, mask);
    else
        operation->full(operation, registers, predicates, mask);
    if (predicate)
        blend(&predicates[operation->destination[1]], old, mask);
}

#define MASKED_PARTS(name, T)                                                                                \
    HANDLER(name) {                                                                                          \
        slot_##T old[4][SIMT_LANES];                                                                         \
        for (int i = 0; i < 4; i++)                                                                          \
            if (present(operation, i))                                                                       \
                memcpy(old[i], SLOT(T, operation->destination[i]), sizeof old[i]);                           \
        operation->full(operation, registers, predicates, mask);                                             \
        for (int i = 0; i < 4; i++)                                                                          \
            if (present(operation, i))                                                                       \
                PUT_BACK(T, i, old[i]);                                                                      \
    }
MASKED_PARTS(masked_parts_32, u32)
MASKED_PARTS(masked_parts_64, u64)

extern const simt_handler VARIANT(simt_compute_masked)[];
const simt_handler VARIANT(simt_compute_masked)[] = {
    [WRITES_32] = masked_32,
    [WRITES_64] = masked_64,
    [WRITES_PREDICATES] = masked_predicates,
    [WRITES_32_PREDICATE] = masked_32_predicate,
    [WRITES_32_CARRY] = masked_32_carry,
    [WRITES_64_CARRY] = masked_64_carry,
    [WRITES_PARTS_32] = masked_parts_32,
    [WRITES_PARTS_64] = masked_parts_64,
};
