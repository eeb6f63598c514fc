/* memo.h: results of a function that were computed before, found by all bytes of its input. The
 * function's result must follow from these bytes alone; then a caller cannot tell a kept result
 * from a new one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MEMO_ENTRIES = 512 };

/* Inputs and results, bounded in number and bytes: the oldest is dropped. Zeroed: empty. */
struct memo {
    size_t most_bytes; /* of all entries together; 0: nothing is kept */
    size_t bytes;
    uint32_t first, count; /* a ring: the oldest entry, and how many there are */
    struct memo_entry {
        uint64_t hash;
        size_t key_bytes, value_bytes;
        unsigned char *key; /* the value follows it */
    } entries[MEMO_ENTRIES];
};

/* An input, part by part. A zeroed one is empty. */
struct memo_key {
    unsigned char *bytes; /* freed by memo_key_free */
    size_t count, room;
    bool no_memory; /* some part is missing: nothing is found by this key or kept under it */
};
void memo_key_add(struct memo_key *key, const void *bytes, size_t count);
void memo_key_free(struct memo_key *key);

/* The result kept under this key, of *value_bytes bytes, until the next memo_keep; NULL: none.
 * `memo` may be NULL. */
const void *memo_find(const struct memo *memo, const struct memo_key *key, size_t *value_bytes);
/* Keeps a result; without memory, or if it is larger than all that may be kept, nothing is. */
void memo_keep(struct memo *memo, const struct memo_key *key, const void *value, size_t value_bytes);
void memo_free(struct memo *memo);
