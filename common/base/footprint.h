/* footprint.h: which bytes a piece of work reads, writes and changes by atomics; where two collide. */
#ifndef BASE_FOOTPRINT_H
#define BASE_FOOTPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum footprint_kind { FOOTPRINT_READ, FOOTPRINT_WRITTEN, FOOTPRINT_ATOMIC, FOOTPRINT_KINDS };

struct footprint_range {
    uint64_t start, end;
    enum footprint_kind kind;
};

struct footprint {
    struct footprint_range *ranges; /* finished: by kind, then start, and apart */
    size_t count, capacity;
    bool cut; /* out of memory: bytes are missing */
};

/* Adds [address, address + bytes). */
void footprint_add(struct footprint *footprint, enum footprint_kind kind, uint64_t address, uint64_t bytes);
/* To be called once all is added. */
void footprint_finish(struct footprint *footprint);
void footprint_free(struct footprint *footprint);
/* Whether both have a byte that one of them changes, and not both by atomics. *address: one such
 * byte; *kind: how `a` touches it. Both are finished. */
bool footprint_collides(const struct footprint *a, const struct footprint *b, uint64_t *address,
                        enum footprint_kind *kind);

#endif
