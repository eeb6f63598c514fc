/*
 * draw.h: what a judge draws: inputs, levels, orders, addresses. All of it follows from a key, and none of it from
 * anything else that was drawn.
 *
 * A key has 256 bits. A key for a purpose ("lab4", "case 7") is HMAC-SHA-256 of the purpose's name under the key above
 * it. The bytes drawn for the purpose are those of ChaCha20 (RFC 8439) under that key. Both come from libsodium. All
 * bytes of one purpose say nothing of another purpose's bytes, nor of any key. The same key gives the same bytes on
 * every machine.
 */
#ifndef DRAW_DRAW_H
#define DRAW_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DRAW_KEY_BYTES = 32, DRAW_KEY_TEXT = 2 * DRAW_KEY_BYTES + 1, DRAW_NAME = 18, DRAW_BLOCK = 4096 };

struct draw_key {
    uint8_t bytes[DRAW_KEY_BYTES];
};

/* A new key that nobody knows. False when the system has no random numbers to give. */
bool draw_key_new(struct draw_key *key);
/* The key of a seed, for runs that hide nothing: the key is found by trying seeds. */
void draw_key_of_seed(struct draw_key *key, uint64_t seed);
/* A key as 64 hexadecimal digits, and back. False: the text is anything else. */
void draw_key_print(const struct draw_key *key, char text[DRAW_KEY_TEXT]);
bool draw_key_parse(struct draw_key *key, const char *text);
/* "k" and 16 hexadecimal digits: a name that tells keys apart and does not give the key away. */
void draw_key_name(const struct draw_key *key, char name[DRAW_NAME]);

/* The key below `key` for one purpose. The purpose's name is printed from format, and cut at 255 bytes. */
__attribute__((format(printf, 2, 3))) struct draw_key draw_for(const struct draw_key *key, const char *format,
                                                               ...);

/* Bytes [from, from + count) of a key's stream. from: a multiple of 64; the end lies below 2^38. */
void draw_bytes(const struct draw_key *key, uint64_t from, void *bytes, size_t count);

/* A key's stream, read byte by byte. */
struct draw {
    struct draw_key key;
    uint64_t next; /* place in the stream of the next block */
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
/* Multiples of 2^-23 in [-1, 1), uniformly distributed, of four bytes each: element `from` + i into floats[i]. from: a
 * multiple of 16. */
void draw_floats(const struct draw_key *key, uint64_t from, float *floats, size_t count);
/* A permutation of [0, count) that the key draws. */
void draw_order(const struct draw_key *key, unsigned *order, unsigned count);

#endif
