/* footprint.h: which bytes a piece of work reads, writes and changes by atomics; and where two pieces collide. */
#ifndef BASE_FOOTPRINT_H
#define BASE_FOOTPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum footprint_kind { FOOTPRINT_READ, FOOTPRINT_WRITTEN, FOOTPRINT_ATOMIC, FOOTPRINT_KINDS };
enum { FOOTPRINT_PAGE = 4096, FOOTPRINT_WORDS = FOOTPRINT_PAGE / 64 };

struct footprint_page {
    uint64_t number;                 /* address / FOOTPRINT_PAGE */
    uint64_t *bits[FOOTPRINT_KINDS]; /* a bit for each byte; NULL: none */
};

struct footprint {
    struct footprint_page *pages; /* a hash table by number until footprint_finish; then sorted */
    size_t count, capacity;       /* pages in use; slots, a power of two, or 0 */
    struct footprint_page *last;  /* the page that was found last */
    bool cut;                     /* out of memory: bytes are missing */
};

/* Adds [address, address + bytes). */
void footprint_add(struct footprint *footprint, enum footprint_kind kind, uint64_t address, uint64_t bytes);
/* To be called once when all is added. */
void footprint_finish(struct footprint *footprint);
void footprint_free(struct footprint *footprint);
/* Whether both have a byte that one of them changes, and not both by atomics. The lowest one is *address; *kind is how `a`
 * touches it. Both are finished. */
bool footprint_collides(const struct footprint *a, const struct footprint *b, uint64_t *address,
                        enum footprint_kind *kind);

#endif
