/*
 * draw.h: what a judge draws: inputs, levels, orders, addresses. All of it follows from a key, and nothing of it
 * follows from anything else that was drawn.
 *
 * A key has 256 bits. A key for a purpose ("lab4", "case 7") is HMAC-SHA-256 of the purpose's name under the key
 * above it; what is drawn for the purpose are the bytes of ChaCha20 (RFC 8439) under that key. Both are libsodium's.
 * So whoever sees all bytes of one purpose learns nothing of another's, nor of any key; and the same key gives the
 * same bytes on every machine.
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
/* The key that a seed stands for. Whoever knows or tries the seed has it: for runs that hide nothing. */
void draw_key_of_seed(struct draw_key *key, uint64_t seed);
/* As 64 hexadecimal digits, and back: false when the text is anything else. */
void draw_key_print(const struct draw_key *key, char text[DRAW_KEY_TEXT]);
bool draw_key_parse(struct draw_key *key, const char *text);
/* "k" and 16 hexadecimal digits: tells keys apart, and says nothing of the key. */
void draw_key_name(const struct draw_key *key, char name[DRAW_NAME]);

/* The key below `key` for one purpose, whose name is printed from format; it is cut at 255 bytes. */
__attribute__((format(printf, 2, 3))) struct draw_key draw_for(const struct draw_key *key, const char *format,
                                                               ...);

/* Bytes `from`, from + 1, ... of what a key draws; from: a multiple of 64, below 2^38 as is the end. */
void draw_bytes(const struct draw_key *key, uint64_t from, void *bytes, size_t count);

/* The same bytes one after the other. */
struct draw {
    struct draw_key key;
    uint64_t next; /* where the bytes after these are */
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

/* 64 bits of them, the first byte lowest. */
uint64_t draw_number(struct draw *draw);
/* Each of 0 .. below - 1 alike; below: at least 1. */
uint64_t draw_below(struct draw *draw, uint64_t below);
/* Each multiple of 2^-23 from -1 to below 1 alike, of four bytes each: element `from` + i into floats[i].
 * from: a multiple of 16. */
void draw_floats(const struct draw_key *key, uint64_t from, float *floats, size_t count);
/* Each of 0 .. count - 1 once, in an order that the key draws. */
void draw_order(const struct draw_key *key, unsigned *order, unsigned count);

#endif
