/* draw.h: what a judge draws: inputs, levels, orders, addresses. Everything follows from a key; no
 * draw depends on another draw.
 *
 * A key has 256 bits. The key for a purpose ("lab4", "case 7") is HMAC-SHA-256 of the purpose's
 * name under the key above it. The bytes drawn for a purpose are the ChaCha20 stream (RFC 8439) of
 * its key. Both come from libsodium. The bytes of one purpose reveal neither another purpose's
 * bytes nor any key. The same key gives the same bytes on every machine. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DRAW_KEY_BYTES = 32, DRAW_KEY_TEXT = 2 * DRAW_KEY_BYTES + 1, DRAW_NAME = 18, DRAW_BLOCK = 4096 };

struct draw_key {
    uint8_t bytes[DRAW_KEY_BYTES];
};

/* Makes an unpredictable key. False: the system has no random numbers to give. */
bool draw_key_new(struct draw_key *key);
/* Makes the key of a seed, for runs that hide nothing: trying all seeds finds the key. */
void draw_key_of_seed(struct draw_key *key, uint64_t seed);
/* A key as 64 hexadecimal digits, and back. False: the text is anything else. */
void draw_key_print(const struct draw_key *key, char text[DRAW_KEY_TEXT]);
bool draw_key_parse(struct draw_key *key, const char *text);
/* "k" and 16 hexadecimal digits: a name that tells keys apart without revealing them. */
void draw_key_name(const struct draw_key *key, char name[DRAW_NAME]);

/* The key below `key` for one purpose. The purpose's name is printed from format, at most 255
 * bytes. */
__attribute__((format(printf, 2, 3))) struct draw_key draw_for(const struct draw_key *key, const char *format,
                                                               ...);

/* Bytes [from, from + count) of a key's stream. from is a multiple of 64; the end is below 2^38. */
void draw_bytes(const struct draw_key *key, uint64_t from, void *bytes, size_t count);

/* A key's stream, read byte by byte. */
struct draw {
    struct draw_key key;
    uint64_t next; /* the next block's place in the stream */
    unsigned used;
    _Alignas(64) uint8_t bytes[DRAW_BLOCK];
};
void draw_begin(struct draw *draw, const struct draw_key *key);
/* Fetch the next DRAW_BLOCK bytes into draw->bytes. */
void draw_refill(struct draw *draw);

static inline uint8_t draw_byte(struct draw *draw) {
    if (draw->used == DRAW_BLOCK)
        draw_refill(draw);
    return draw->bytes[draw->used++];
}

/* The next 64 bits, the first byte lowest. */
uint64_t draw_number(struct draw *draw);
/* A number of [0, below), uniformly distributed; below: at least 1. */
uint64_t draw_below(struct draw *draw, uint64_t below);
/* floats[i] becomes element `from` + i of a key's sequence: multiples of 2^-23, uniform in [-1, 1),
 * four bytes of the stream each. from is a multiple of 16. */
void draw_floats(const struct draw_key *key, uint64_t from, float *floats, size_t count);
/* Fills `order` with a permutation of [0, count). */
void draw_order(const struct draw_key *key, unsigned *order, unsigned count);
