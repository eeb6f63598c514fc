/* winnow.h: tokens, and the fingerprints of these by winnowing (Schleimer, Wilkerson, Aiken: Winnowing: Local Algorithms for
 * Document Fingerprinting, SIGMOD 2003). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct token {
    uint32_t code;
    uint32_t begin, end; /* bytes of the text */
};

/* Every `run` tokens in a row have a hash; of every WINNOW_WINDOW hashes in a row the smallest is a fingerprint, the last of equal
 * ones. Two texts that share run + WINNOW_WINDOW - 1 tokens in a row share a fingerprint. */

enum { WINNOW_RUN = 20, WINNOW_WINDOW = 8 }; /* run: of a source; a compiled kernel's is OPCODES_RUN */

struct fingerprint {
    uint64_t hash;
    uint32_t token; /* where its run begins */
};

/* In the order of the text. Returns how many; *prints is for the caller to free, NULL without memory. */
size_t winnow(const struct token *tokens, size_t count, unsigned run, struct fingerprint **prints);

/* By hash, each hash once: the first in the text. Returns how many are left. */
size_t prints_tidy(struct fingerprint *prints, size_t count);
/* Is the hash among tidied ones? */
bool prints_have(const struct fingerprint *prints, size_t count, uint64_t hash);
