/* Keys and streams against published vectors. A stream is the same from every place; no stream
 * reveals another. */
#include "base/draw/draw.h"
#include "base/test.h"

#include <math.h>

static struct draw_key key_of(const char *text) {
    struct draw_key key;
    assert_true(draw_key_parse(&key, text));
    return key;
}

/* RFC 8439, appendix A.1: the vectors without a nonce. */
static void test_stream_is_chacha20(void **state) {
    static const struct {
        const char *key;
        unsigned block;
        const char *stream;
    } vectors[] = {
        {"0000000000000000000000000000000000000000000000000000000000000000", 0,
         "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"},
        {"0000000000000000000000000000000000000000000000000000000000000000", 1,
         "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"},
        {"0000000000000000000000000000000000000000000000000000000000000001", 1,
         "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a"},
        {"00ff000000000000000000000000000000000000000000000000000000000000", 2,
         "72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca"},
    };
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        struct draw_key key = key_of(vectors[i].key), right = key_of(vectors[i].stream), got;
        draw_bytes(&key, 64 * (uint64_t)vectors[i].block, got.bytes, sizeof got.bytes);
        assert_memory_equal(got.bytes, right.bytes, sizeof got.bytes);
    }
}

/* RFC 4231, test cases 2 and 4. A shorter key is one that ends in zeros. */
static void test_keys_are_hmac_sha256(void **state) {
    struct draw_key key = {{'J', 'e', 'f', 'e'}};
    struct draw_key right = key_of("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    struct draw_key below = draw_for(&key, "what do ya want for %s", "nothing?");
    assert_memory_equal(below.bytes, right.bytes, sizeof below.bytes);
    char text[51] = "";
    memset(text, 0xcd, 50);
    for (unsigned i = 0; i < sizeof key.bytes; i++)
        key.bytes[i] = i < 25 ? (uint8_t)(i + 1) : 0;
    right = key_of("82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b");
    below = draw_for(&key, "%s", text);
    assert_memory_equal(below.bytes, right.bytes, sizeof below.bytes);
}

static void test_keys_as_text(void **state) {
    struct draw_key key, again, other;
    char text[DRAW_KEY_TEXT], name[DRAW_NAME], other_name[DRAW_NAME];
    assert_true(draw_key_new(&key) && draw_key_new(&other));
    assert_memory_not_equal(key.bytes, other.bytes, sizeof key.bytes);
    draw_key_print(&key, text);
    assert_int_equal(strlen(text), 64);
    assert_true(draw_key_parse(&again, text));
    assert_memory_equal(key.bytes, again.bytes, sizeof key.bytes);
    draw_key_name(&key, name);
    draw_key_name(&other, other_name);
    assert_int_equal(strlen(name), 17);
    assert_string_not_equal(name, other_name);
    assert_null(strstr(text, name + 1)); /* no part of the key */
    static const char *const bad[] = {"",
                                      "00",
                                      "000000000000000000000000000000000000000000000000000000000000000",
                                      "00000000000000000000000000000000000000000000000000000000000000000",
                                      "000000000000000000000000000000000000000000000000000000000000000g",
                                      " 00000000000000000000000000000000000000000000000000000000000000 "};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(draw_key_parse(&again, bad[i]));
}

/* Every learner's figures depend on seed 1. */
static void test_seeds(void **state) {
    struct draw_key key, other;
    float floats[4];
    draw_key_of_seed(&key, 1);
    draw_key_of_seed(&other, 1);
    assert_memory_equal(key.bytes, other.bytes, sizeof key.bytes);
    draw_key_of_seed(&other, (uint64_t)1 << 40);
    assert_memory_not_equal(key.bytes, other.bytes, sizeof key.bytes);
    draw_floats(&key, 0, floats, 4);
    uint32_t words[4];
    draw_bytes(&key, 0, words, sizeof words);
    for (int i = 0; i < 4; i++) {
        int32_t upper = (int32_t)(words[i] & 0xffffff00) / 256;
        assert_true(floats[i] == (float)upper / 8388608 && floats[i] >= -1 && floats[i] < 1);
    }
}

/* The bytes do not depend on how they are fetched. */
static void test_any_way_the_same(void **state) {
    enum { COUNT = 3 * DRAW_BLOCK + 128 };
    static uint8_t whole[COUNT], part[COUNT];
    static float floats[COUNT / 4], some[COUNT / 4];
    struct draw_key key = key_of("0f0e0d0c0b0a09080706050403020100000102030405060708090a0b0c0d0e0f");
    struct draw draw;
    draw_bytes(&key, 0, whole, COUNT);
    for (size_t from = 0; from < COUNT; from += 640)
        draw_bytes(&key, from, part + from, COUNT - from < 640 ? COUNT - from : 640);
    assert_memory_equal(whole, part, COUNT);
    draw_begin(&draw, &key);
    for (size_t i = 0; i < COUNT - 8; i++)
        assert_int_equal(draw_byte(&draw), whole[i]);
    uint64_t last = draw_number(&draw);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal((last >> (8 * i)) & 255, whole[COUNT - 8 + i]);
    draw_floats(&key, 0, floats, COUNT / 4);
    draw_floats(&key, 1600, some, 77);
    assert_memory_equal(some, floats + 1600, 77 * sizeof *some);
}

static void test_below_and_order(void **state) {
    enum { COUNT = 40, TRIES = 40000 };
    struct draw_key key = key_of("1111111111111111111111111111111111111111111111111111111111111111");
    struct draw draw;
    unsigned count[7] = {0}, first[COUNT] = {0}, order[COUNT];
    draw_begin(&draw, &key);
    for (int i = 0; i < 7000; i++)
        count[draw_below(&draw, 7)]++;
    for (int i = 0; i < 7; i++)
        assert_true(count[i] > 850 && count[i] < 1150); /* 5 standard deviations */
    assert_int_equal(draw_below(&draw, 1), 0);
    for (int i = 0; i < 100; i++)
        assert_true(draw_below(&draw, ((uint64_t)1 << 63) + 1) <= (uint64_t)1 << 63);
    for (unsigned i = 0; i < TRIES; i++) {
        struct draw_key each = draw_for(&key, "order %u", i);
        bool seen[COUNT] = {false};
        draw_order(&each, order, COUNT);
        for (unsigned k = 0; k < COUNT; k++) {
            assert_true(order[k] < COUNT && !seen[order[k]]);
            seen[order[k]] = true;
        }
        first[order[0]]++;
    }
    for (unsigned k = 0; k < COUNT; k++)
        assert_true(first[k] > 840 && first[k] < 1160);
}

/* ---- independence */

/* The share of equal bits of two streams is a half within 6 standard deviations, at every shift of
 * up to 32 words. */
static void test_streams_are_not_correlated(void **state) {
    enum { WORDS = 1 << 13, SHIFTS = 32 };
    static uint32_t streams[4][WORDS];
    struct draw_key key = key_of("2222222222222222222222222222222222222222222222222222222222222222");
    for (unsigned k = 0; k < 4; k++) {
        struct draw_key each = draw_for(&key, "call %u", k);
        draw_bytes(&each, 0, streams[k], sizeof streams[k]);
    }
    for (unsigned a = 0; a < 4; a++)
        for (unsigned b = a; b < 4; b++)
            for (unsigned shift = a == b; shift < SHIFTS; shift++) {
                unsigned count = WORDS - SHIFTS, equal = 0;
                for (unsigned i = 0; i < count; i++)
                    equal += (unsigned)__builtin_popcount(~(streams[a][i + shift] ^ streams[b][i]));
                double mean = 16.0 * count, deviation = sqrt(8.0 * count);
                assert_true(fabs(equal - mean) < 6 * deviation);
            }
}

/* Inputs by a hash of index + f(seed) can be undone: one word gives away all. */
static uint32_t old_hash(uint32_t value) {
    value ^= value >> 16;
    value *= 0x7feb352du;
    value ^= value >> 15;
    value *= 0x846ca68bu;
    value ^= value >> 16;
    return value;
}

static uint32_t undo(uint32_t value) {
    value ^= value >> 16;
    value *= 0x43021123u; /* 0x846ca68b times this is 1 */
    value ^= value >> 15 ^ value >> 30;
    value *= 0x1d69e2a5u; /* and 0x7feb352d times this */
    value ^= value >> 16;
    return value;
}

/* An attacker who has 8 words of a call and looks for f(seed): the candidate of the first word must
 * explain the others. Floats show 24 bits, so 256 candidates. */
static bool finds_the_counter(const uint32_t *words, uint32_t *counter) {
    for (uint32_t low = 0; low < 256; low++) {
        uint32_t start = undo((words[0] & 0xffffff00u) | low);
        unsigned explained = 0;
        for (uint32_t i = 0; i < 8; i++)
            explained += (old_hash(start + i) ^ words[i]) >> 8 == 0;
        if (explained == 8) {
            *counter = start;
            return true;
        }
    }
    return false;
}

static void test_no_counter_is_found(void **state) {
    uint32_t words[16], counter, secret = 0x12345678u;
    struct draw_key key = key_of("3333333333333333333333333333333333333333333333333333333333333333");
    for (uint32_t i = 0; i < 16; i++)
        words[i] = old_hash(i + secret);
    assert_true(finds_the_counter(words, &counter)); /* the attack works: it breaks such inputs */
    assert_int_equal(counter, secret);
    for (unsigned call = 0; call < 200; call++) {
        struct draw_key each = draw_for(&key, "call %u", call);
        draw_bytes(&each, 0, words, sizeof words);
        assert_false(finds_the_counter(words, &counter));
    }
}

TESTS(UNIT(test_stream_is_chacha20), UNIT(test_keys_are_hmac_sha256), UNIT(test_keys_as_text),
      UNIT(test_seeds), UNIT(test_any_way_the_same), UNIT(test_below_and_order),
      UNIT(test_streams_are_not_correlated), UNIT(test_no_counter_is_found))
