/* memo.c: a ring of entries, compared by hash, then byte by byte. */
#include "base/memo.h"

#include <stdlib.h>
#include <string.h>

void memo_key_add(struct memo_key *key, const void *bytes, size_t count) {
    if (key->no_memory || count == 0)
        return;
    if (key->room - key->count < count) {
        size_t room = 2 * (key->count + count);
        unsigned char *larger = realloc(key->bytes, room);
        if (larger == NULL) {
            key->no_memory = true;
            return;
        }
        key->bytes = larger;
        key->room = room;
    }
    memcpy(key->bytes + key->count, bytes, count);
    key->count += count;
}

void memo_key_free(struct memo_key *key) {
    free(key->bytes);
    *key = (struct memo_key){0};
}

/* FNV-1a over words of eight bytes, as keys are long. */
static uint64_t hash_of(const struct memo_key *key) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ key->count;
    for (size_t at = 0; at < key->count; at += sizeof hash) {
        uint64_t word = 0;
        memcpy(&word, key->bytes + at, key->count - at < sizeof word ? key->count - at : sizeof word);
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
        hash ^= hash >> 32;
    }
    return hash;
}

const void *memo_find(const struct memo *memo, const struct memo_key *key, size_t *value_bytes) {
    if (memo == NULL || key->no_memory || memo->count == 0)
        return NULL;
    uint64_t hash = hash_of(key);
    for (uint32_t i = 0; i < memo->count; i++) {
        const struct memo_entry *entry = &memo->entries[(memo->first + i) % MEMO_ENTRIES];
        if (entry->hash != hash || entry->key_bytes != key->count ||
            memcmp(entry->key, key->bytes, key->count) != 0)
            continue;
        *value_bytes = entry->value_bytes;
        return entry->key + entry->key_bytes;
    }
    return NULL;
}

static void drop_oldest(struct memo *memo) {
    struct memo_entry *oldest = &memo->entries[memo->first];
    memo->bytes -= oldest->key_bytes + oldest->value_bytes;
    free(oldest->key);
    *oldest = (struct memo_entry){0};
    memo->first = (memo->first + 1) % MEMO_ENTRIES;
    memo->count--;
}

void memo_keep(struct memo *memo, const struct memo_key *key, const void *value, size_t value_bytes) {
    size_t bytes = key->count + value_bytes;
    if (memo == NULL || key->no_memory || bytes > memo->most_bytes)
        return;
    while (memo->count == MEMO_ENTRIES || memo->bytes > memo->most_bytes - bytes)
        drop_oldest(memo);
    unsigned char *copy = malloc(bytes + 1);
    if (copy == NULL)
        return;
    if (key->count > 0)
        memcpy(copy, key->bytes, key->count);
    if (value_bytes > 0)
        memcpy(copy + key->count, value, value_bytes);
    memo->entries[(memo->first + memo->count) % MEMO_ENTRIES] = (struct memo_entry){
        .hash = hash_of(key), .key_bytes = key->count, .value_bytes = value_bytes, .key = copy};
    memo->bytes += bytes;
    memo->count++;
}

void memo_free(struct memo *memo) {
    while (memo->count > 0)
        drop_oldest(memo);
}
