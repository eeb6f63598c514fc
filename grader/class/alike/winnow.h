/*
 * winnow.h: the fingerprints of a text, by winnowing (Schleimer, Wilkerson, Aiken: Winnowing: Local Algorithms for Document
 * Fingerprinting, SIGMOD 2003): of all runs of WINNOW_RUN tokens the hashes, of every WINNOW_WINDOW hashes in a row the
 * smallest, the last of equal ones. Two texts that share WINNOW_RUN + WINNOW_WINDOW - 1 tokens in a row share a fingerprint.
 */
#ifndef CLASS_WINNOW_H
#define CLASS_WINNOW_H

#include "class/alike/tokens.h"

enum { WINNOW_RUN = 20, WINNOW_WINDOW = 8 };

struct fingerprint {
    uint64_t hash;
    uint32_t token; /* where its run begins */
};

/* In the order of the text. Returns how many; *prints is for the caller to free, NULL without memory. */
size_t winnow(const struct token *tokens, size_t count, struct fingerprint **prints);

#endif
