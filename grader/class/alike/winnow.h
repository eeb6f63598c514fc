/* winnow.h: a source as tokens, and the fingerprints of these. */
#ifndef CLASS_WINNOW_H
#define CLASS_WINNOW_H

#include <stddef.h>
#include <stdint.h>

/* ---- tokens.c: a source without what can be changed without thinking: comments, blanks, names, numbers, texts, braces,
 * const and its like. Words of C and CUDA, and operators, stay. */

struct token {
    uint32_t code;
    uint32_t begin, end; /* bytes of the text */
};

/* Any bytes are safe to pass. Returns how many there are, in *tokens for the caller to free; *tokens is NULL without memory. */
size_t tokens_read(const char *text, size_t length, struct token **tokens);

/* ---- winnow.c: fingerprints by winnowing (Schleimer, Wilkerson, Aiken: Winnowing: Local Algorithms for Document
 * Fingerprinting, SIGMOD 2003). Every WINNOW_RUN tokens in a row have a hash; of every WINNOW_WINDOW hashes in a row the
 * smallest is a fingerprint, the last of equal ones. Two texts that share WINNOW_RUN + WINNOW_WINDOW - 1 tokens in a row
 * share a fingerprint. */

enum { WINNOW_RUN = 20, WINNOW_WINDOW = 8 };

struct fingerprint {
    uint64_t hash;
    uint32_t token; /* where its run begins */
};

/* In the order of the text. Returns how many; *prints is for the caller to free, NULL without memory. */
size_t winnow(const struct token *tokens, size_t count, struct fingerprint **prints);

#endif
