/* draw.c: derives keys from keys, and reads their streams. */
#include "base/draw/draw.h"

#include <assert.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* draw_for uses a key as the HMAC's key, and the HMAC's result as a key. */
static_assert(sizeof(struct draw_key) == crypto_auth_hmacsha256_KEYBYTES, "HMAC-SHA-256 takes no such key");
static_assert(sizeof(struct draw_key) == crypto_auth_hmacsha256_BYTES, "HMAC-SHA-256 gives no such key");
static_assert(sizeof(struct draw_key) == crypto_stream_chacha20_ietf_KEYBYTES, "ChaCha20 takes no such key");

/* libsodium chooses its fastest code for this machine here. More than one call is harmless. */
static void ready(void) {
    if (sodium_init() < 0) {
        fprintf(stderr, "libsodium cannot be used on this machine\n");
        abort();
    }
}

bool draw_key_new(struct draw_key *key) {
    if (sodium_init() < 0)
        return false;
    randombytes_buf(key->bytes, sizeof key->bytes);
    return true;
}

void draw_key_of_seed(struct draw_key *key, uint64_t seed) {
    *key = (struct draw_key){{0}};
    for (unsigned i = 0; i < sizeof seed; i++)
        key->bytes[i] = (uint8_t)(seed >> (8 * i));
}

void draw_key_print(const struct draw_key *key, char text[DRAW_KEY_TEXT]) {
    sodium_bin2hex(text, DRAW_KEY_TEXT, key->bytes, sizeof key->bytes);
}

bool draw_key_parse(struct draw_key *key, const char *text) {
    size_t length;
    return strlen(text) == DRAW_KEY_TEXT - 1 &&
           sodium_hex2bin(key->bytes, sizeof key->bytes, text, DRAW_KEY_TEXT - 1, NULL, &length, NULL) == 0 &&
           length == sizeof key->bytes;
}

void draw_key_name(const struct draw_key *key, char name[DRAW_NAME]) {
    struct draw_key known = draw_for(key, "name");
    name[0] = 'k';
    sodium_bin2hex(name + 1, DRAW_NAME - 1, known.bytes, (DRAW_NAME - 2) / 2);
}

struct draw_key draw_for(const struct draw_key *key, const char *format, ...) {
    char text[256];
    struct draw_key below;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ready();
    crypto_auth_hmacsha256(below.bytes, (const uint8_t *)text, strlen(text), key->bytes);
    return below;
}

/* Each key has one stream, so a constant nonce is safe. */
static const uint8_t nonce[crypto_stream_chacha20_ietf_NONCEBYTES];

void draw_bytes(const struct draw_key *key, uint64_t from, void *bytes, size_t count) {
    memset(bytes, 0, count);
    crypto_stream_chacha20_ietf_xor_ic(bytes, bytes, count, nonce, (uint32_t)(from / 64), key->bytes);
}

void draw_begin(struct draw *draw, const struct draw_key *key) {
    ready();
    draw->key = *key;
    draw->next = 0;
    draw->used = DRAW_BLOCK;
}

void draw_refill(struct draw *draw) {
    draw_bytes(&draw->key, draw->next, draw->bytes, DRAW_BLOCK);
    draw->next += DRAW_BLOCK;
    draw->used = 0;
}

uint64_t draw_number(struct draw *draw) {
    uint64_t number = 0;
    for (unsigned i = 0; i < sizeof number; i++)
        number |= (uint64_t)draw_byte(draw) << (8 * i);
    return number;
}

uint64_t draw_below(struct draw *draw, uint64_t below) {
    uint64_t rest = -below % below; /* 2^64 mod below: so many of the lowest numbers are rejected */
    for (;;) {
        uint64_t number = draw_number(draw);
        if (number >= rest)
            return number % below;
    }
}

/* An arithmetic shift keeps the sign: the results are -2^23 to 2^23 - 1. Inline, so that calls with
 * a known count become vector code. */
static inline void floats_of(const uint32_t *words, float *floats, size_t count) {
    for (size_t i = 0; i < count; i++)
        floats[i] = (float)((int32_t)words[i] >> 8) * 0x1p-23F;
}

void draw_floats(const struct draw_key *key, uint64_t from, float *floats, size_t count) {
    enum { AT_ONCE = DRAW_BLOCK / sizeof(uint32_t) };
    _Alignas(64) uint32_t words[AT_ONCE];
    ready();
    for (size_t done = 0; done < count; done += AT_ONCE) {
        size_t some = count - done < AT_ONCE ? count - done : AT_ONCE;
        draw_bytes(key, (from + done) * sizeof *words, words, some * sizeof *words);
        if (some == AT_ONCE)
            floats_of(words, floats + done, AT_ONCE);
        else
            floats_of(words, floats + done, some);
    }
}

void draw_order(const struct draw_key *key, unsigned *order, unsigned count) {
    struct draw draw;
    draw_begin(&draw, key);
    for (unsigned i = 0; i < count; i++) {
        unsigned other = (unsigned)draw_below(&draw, i + 1);
        order[i] = order[other];
        order[other] = i;
    }
}
