/* footprint.c: sets of bytes, page by page. */
#include "base/footprint.h"

#include <stdlib.h>

static struct footprint_page *slot_of(struct footprint_page *pages, size_t capacity, uint64_t number) {
    size_t at = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (capacity - 1);
    while (pages[at].number != 0 && pages[at].number != number)
        at = (at + 1) & (capacity - 1);
    return &pages[at];
}

static bool grow(struct footprint *footprint) {
    size_t capacity = footprint->capacity > 0 ? 2 * footprint->capacity : 16;
    struct footprint_page *pages = calloc(capacity, sizeof *pages);
    if (pages == NULL)
        return false;
    for (size_t i = 0; i < footprint->capacity; i++)
        if (footprint->pages[i].number != 0)
            *slot_of(pages, capacity, footprint->pages[i].number) = footprint->pages[i];
    free(footprint->pages);
    footprint->pages = pages;
    footprint->capacity = capacity;
    footprint->last = NULL;
    return true;
}

/* The page of that number, a new one where there is none; NULL: out of memory. Page 0 holds nothing. */
static struct footprint_page *page_of(struct footprint *footprint, uint64_t number) {
    if (footprint->last != NULL && footprint->last->number == number)
        return footprint->last;
    if (2 * (footprint->count + 1) > footprint->capacity && !grow(footprint))
        return NULL;
    struct footprint_page *page = slot_of(footprint->pages, footprint->capacity, number);
    footprint->count += page->number == 0;
    page->number = number;
    return footprint->last = page;
}

static void set_bits(uint64_t *bits, uint32_t first, uint32_t end) {
    for (uint32_t word = first / 64; word * 64 < end; word++) {
        uint32_t low = first > word * 64 ? first - word * 64 : 0,
                 high = end < word * 64 + 64 ? end - word * 64 : 64;
        bits[word] |= (high - low == 64 ? UINT64_MAX : (UINT64_C(1) << (high - low)) - 1) << low;
    }
}

void footprint_add(struct footprint *footprint, enum footprint_kind kind, uint64_t address, uint64_t bytes) {
    for (uint64_t some; bytes > 0 && !footprint->cut; address += some, bytes -= some) {
        uint32_t at = (uint32_t)(address % FOOTPRINT_PAGE);
        some = bytes < FOOTPRINT_PAGE - at ? bytes : FOOTPRINT_PAGE - at;
        struct footprint_page *page = page_of(footprint, address / FOOTPRINT_PAGE);
        if (page != NULL && page->bits[kind] == NULL)
            page->bits[kind] = calloc(FOOTPRINT_WORDS, sizeof *page->bits[kind]);
        footprint->cut = page == NULL || page->bits[kind] == NULL;
        if (!footprint->cut)
            set_bits(page->bits[kind], at, at + (uint32_t)some);
    }
}

static int by_number(const void *a, const void *b) {
    uint64_t x = ((const struct footprint_page *)a)->number, y = ((const struct footprint_page *)b)->number;
    return (x > y) - (x < y);
}

void footprint_finish(struct footprint *footprint) {
    size_t count = 0;
    for (size_t i = 0; i < footprint->capacity; i++)
        if (footprint->pages[i].number != 0)
            footprint->pages[count++] = footprint->pages[i];
    footprint->capacity = footprint->count = count;
    footprint->last = NULL;
    if (count > 0)
        qsort(footprint->pages, count, sizeof *footprint->pages, by_number);
}

void footprint_free(struct footprint *footprint) {
    for (size_t i = 0; i < footprint->capacity; i++)
        for (int kind = 0; kind < FOOTPRINT_KINDS; kind++)
            free(footprint->pages[i].bits[kind]);
    free(footprint->pages);
    *footprint = (struct footprint){0};
}

static uint64_t word_of(const struct footprint_page *page, enum footprint_kind kind, uint32_t word) {
    return page->bits[kind] != NULL ? page->bits[kind][word] : 0;
}

/* The first byte of the page that both touch so that it matters in which order. */
static bool pages_collide(const struct footprint_page *a, const struct footprint_page *b, uint64_t *address,
                          enum footprint_kind *kind) {
    for (uint32_t word = 0; word < FOOTPRINT_WORDS; word++) {
        uint64_t read = word_of(a, FOOTPRINT_READ, word), written = word_of(a, FOOTPRINT_WRITTEN, word),
                 atomic = word_of(a, FOOTPRINT_ATOMIC, word), b_read = word_of(b, FOOTPRINT_READ, word),
                 b_written = word_of(b, FOOTPRINT_WRITTEN, word),
                 b_atomic = word_of(b, FOOTPRINT_ATOMIC, word);
        uint64_t both = (written & (b_read | b_written | b_atomic)) | (atomic & (b_read | b_written)) |
                        (read & (b_written | b_atomic));
        if (both == 0)
            continue;
        uint64_t first = both & -both;
        *address = a->number * FOOTPRINT_PAGE + word * 64 + (uint64_t)__builtin_ctzll(both);
        *kind = first & written ? FOOTPRINT_WRITTEN : first & atomic ? FOOTPRINT_ATOMIC : FOOTPRINT_READ;
        return true;
    }
    return false;
}

bool footprint_collides(const struct footprint *a, const struct footprint *b, uint64_t *address,
                        enum footprint_kind *kind) {
    for (size_t i = 0, k = 0; i < a->count && k < b->count;) {
        const struct footprint_page *x = &a->pages[i], *y = &b->pages[k];
        if (x->number == y->number && pages_collide(x, y, address, kind))
            return true;
        i += x->number <= y->number;
        k += y->number <= x->number;
    }
    return false;
}
