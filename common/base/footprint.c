/* footprint.c: ranges of bytes. They are sorted and joined whenever there is no room for one more. */
#include "base/footprint.h"

#include <stdlib.h>

static int in_order(const void *a, const void *b) {
    const struct footprint_range *x = a, *y = b;
    return x->kind != y->kind ? (x->kind > y->kind) - (x->kind < y->kind)
                              : (x->start > y->start) - (x->start < y->start);
}

/* Adds a range to the last one, if both are one. */
static bool joins(struct footprint_range *last, const struct footprint_range *range) {
    if (last->kind != range->kind || range->start < last->start || range->start > last->end)
        return false;
    last->end = range->end > last->end ? range->end : last->end;
    return true;
}

void footprint_finish(struct footprint *footprint) {
    struct footprint_range *ranges = footprint->ranges;
    size_t count = 0;
    if (footprint->count > 0)
        qsort(ranges, footprint->count, sizeof *ranges, in_order);
    for (size_t i = 0; i < footprint->count; i++)
        if (count == 0 || !joins(&ranges[count - 1], &ranges[i]))
            ranges[count++] = ranges[i];
    footprint->count = count;
}

void footprint_add(struct footprint *footprint, enum footprint_kind kind, uint64_t address, uint64_t bytes) {
    const struct footprint_range range = {address, address + bytes, kind};
    if (bytes == 0 || footprint->cut ||
        (footprint->count > 0 && joins(&footprint->ranges[footprint->count - 1], &range)))
        return;
    if (footprint->count == footprint->capacity)
        footprint_finish(footprint);
    if (2 * footprint->count >= footprint->capacity) {
        size_t capacity = footprint->capacity > 0 ? 2 * footprint->capacity : 16;
        struct footprint_range *larger = realloc(footprint->ranges, capacity * sizeof *larger);
        footprint->cut = larger == NULL;
        if (footprint->cut)
            return;
        footprint->ranges = larger;
        footprint->capacity = capacity;
    }
    footprint->ranges[footprint->count++] = range;
}

void footprint_free(struct footprint *footprint) {
    free(footprint->ranges);
    *footprint = (struct footprint){0};
}

/* The first range of that kind, or of a later one. */
static size_t first_of(const struct footprint *footprint, int kind) {
    size_t low = 0, high = footprint->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((int)footprint->ranges[middle].kind < kind)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A byte that `a` touches in one way and `b` in another. */
static bool meet(const struct footprint *a, int of_a, const struct footprint *b, int of_b,
                 uint64_t *address) {
    size_t i = first_of(a, of_a), k = first_of(b, of_b), a_end = first_of(a, of_a + 1),
           b_end = first_of(b, of_b + 1);
    while (i < a_end && k < b_end) {
        const struct footprint_range *x = &a->ranges[i], *y = &b->ranges[k];
        *address = x->start > y->start ? x->start : y->start;
        if (*address < x->end && *address < y->end)
            return true;
        *(x->end <= y->start ? &i : &k) += 1;
    }
    return false;
}

bool footprint_collides(const struct footprint *a, const struct footprint *b, uint64_t *address,
                        enum footprint_kind *kind) {
    for (int of_a = 0; of_a < FOOTPRINT_KINDS; of_a++)
        for (int of_b = 0; of_b < FOOTPRINT_KINDS; of_b++) {
            *kind = (enum footprint_kind)of_a;
            if ((of_a != of_b || of_a == FOOTPRINT_WRITTEN) && meet(a, of_a, b, of_b, address))
                return true;
        }
    return false;
}
