/* winnow.c: hashes of runs, and the smallest of each window. */
#include "class/alike/winnow.h"

#include <stdlib.h>

static uint64_t run_hash(const struct token *tokens) {
    uint64_t value = 0xcbf29ce484222325ULL;
    for (int i = 0; i < WINNOW_RUN; i++)
        value = (value ^ tokens[i].code) * 0x100000001b3ULL;
    /* mixed, so that the smallest is any of them */
    value ^= value >> 31;
    value *= 0x9e3779b97f4a7c15ULL;
    return value ^ value >> 29;
}

size_t winnow(const struct token *tokens, size_t count, struct fingerprint **prints) {
    size_t runs = count >= WINNOW_RUN ? count - WINNOW_RUN + 1 : 0, found = 0, last = SIZE_MAX;
    uint64_t *hashes = malloc((runs + 1) * sizeof *hashes);
    *prints = malloc((runs + 1) * sizeof **prints);
    if (hashes == NULL || *prints == NULL) {
        free(hashes);
        free(*prints);
        *prints = NULL;
        return 0;
    }
    for (size_t i = 0; i < runs; i++)
        hashes[i] = run_hash(&tokens[i]);
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
