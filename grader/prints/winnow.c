/* winnow.c: hashes of runs, and the smallest of each window. */
#include "prints/winnow.h"

#include <stdlib.h>

static uint64_t run_hash(const struct token *tokens, unsigned run) {
    uint64_t value = 0xcbf29ce484222325ULL;
    for (unsigned i = 0; i < run; i++)
        value = (value ^ tokens[i].code) * 0x100000001b3ULL;
    /* mixed, so that the smallest is any of them */
    value ^= value >> 31;
    value *= 0x9e3779b97f4a7c15ULL;
    return value ^ value >> 29;
}

size_t winnow(const struct token *tokens, size_t count, unsigned run, struct fingerprint **prints) {
    size_t runs = count >= run ? count - run + 1 : 0, found = 0, last = SIZE_MAX;
    uint64_t *hashes = malloc((runs + 1) * sizeof *hashes);
    *prints = malloc((runs + 1) * sizeof **prints);
    if (hashes == NULL || *prints == NULL) {
        free(hashes);
        free(*prints);
        *prints = NULL;
        return 0;
    }
    for (size_t i = 0; i < runs; i++)
        hashes[i] = run_hash(&tokens[i], run);
    size_t windows = runs >= WINNOW_WINDOW ? runs - WINNOW_WINDOW + 1 : (runs > 0);
    for (size_t w = 0; w < windows; w++) {
        size_t smallest = w;
        for (size_t i = w; i < runs && i < w + WINNOW_WINDOW; i++)
            if (hashes[i] <= hashes[smallest])
                smallest = i;
        if (smallest == last)
            continue;
        last = smallest;
        (*prints)[found++] = (struct fingerprint){hashes[smallest], (uint32_t)smallest};
    }
    free(hashes);
    return found;
}

static int by_hash(const void *a, const void *b) {
    const struct fingerprint *one = a, *other = b;
    if (one->hash != other->hash)
        return one->hash < other->hash ? -1 : 1;
    return one->token < other->token ? -1 : one->token > other->token;
}

size_t prints_tidy(struct fingerprint *prints, size_t count) {
    size_t kept = 0;
    if (count > 1)
        qsort(prints, count, sizeof *prints, by_hash);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || prints[kept - 1].hash != prints[i].hash)
            prints[kept++] = prints[i];
    return kept;
}

bool prints_have(const struct fingerprint *prints, size_t count, uint64_t hash) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (prints[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && prints[low].hash == hash;
}
