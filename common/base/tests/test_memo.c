/* test_memo.c: what is kept is found by its whole input; its memory has a bound. */
#include "base/memo.h"
#include "base/test.h"

enum { MOST_BYTES = 1 << 20 };

static struct memo memo;

static int empty(void **state) {
    memo_free(&memo);
    memo.most_bytes = MOST_BYTES;
    return 0;
}

static void keep(uint32_t input, uint64_t result) {
    ENDED(memo_key_free) struct memo_key key = {0};
    memo_key_add(&key, &input, sizeof input);
    memo_keep(&memo, &key, &result, sizeof result);
}

/* The result; 0: none is kept. */
static uint64_t result_of(uint32_t input) {
    ENDED(memo_key_free) struct memo_key key = {0};
    size_t bytes = 0;
    uint64_t result = 0;
    memo_key_add(&key, &input, sizeof input);
    const void *found = memo_find(&memo, &key, &bytes);
    if (found != NULL) {
        assert_int_equal(bytes, sizeof result);
        memcpy(&result, found, sizeof result);
    }
    return result;
}

static void kept_results_are_found(void **state) {
    assert_int_equal(result_of(1), 0);
    keep(1, 11);
    keep(2, 22);
    assert_int_equal(result_of(1), 11);
    assert_int_equal(result_of(2), 22);
    assert_int_equal(result_of(3), 0);
}

/* A key is its bytes, not its parts. */
static void keys_of_other_bytes_find_nothing(void **state) {
    ENDED(memo_key_free) struct memo_key whole = {0}, parts = {0}, longer = {0};
    size_t bytes = 99;
    memo_key_add(&whole, "launches", 8);
    memo_key_add(&parts, "laun", 4);
    memo_key_add(&parts, "ches", 4);
    memo_key_add(&longer, "launches\0", 9);
    memo_keep(&memo, &whole, NULL, 0);
    assert_non_null(memo_find(&memo, &parts, &bytes));
    assert_int_equal(bytes, 0);
    assert_null(memo_find(&memo, &longer, &bytes));
    assert_null(memo_find(NULL, &whole, &bytes));
}

static void a_million_inputs_take_the_memory_of_a_thousand(void **state) {
    for (uint32_t i = 0; i < 1000; i++)
        keep(i, i + 1);
    size_t bytes = memo.bytes;
    for (uint32_t i = 1000; i < 1000000; i++)
        keep(i, i + 1);
    assert_int_equal(memo.bytes, bytes);
    assert_int_equal(memo.count, MEMO_ENTRIES);
    assert_int_equal(result_of(999999), 1000000);
    assert_int_equal(result_of(1000000 - MEMO_ENTRIES), 1000001 - MEMO_ENTRIES);
    assert_int_equal(result_of(999999 - MEMO_ENTRIES), 0);
}

static void large_results_push_older_ones_out(void **state) {
    static const unsigned char large[MOST_BYTES - 100];
    ENDED(memo_key_free) struct memo_key key = {0};
    size_t bytes = 0;
    for (uint32_t i = 0; i < 20; i++)
        keep(i, i + 1);
    memo_key_add(&key, "large", 5);
    memo_keep(&memo, &key, large, sizeof large);
    assert_non_null(memo_find(&memo, &key, &bytes));
    assert_int_equal(bytes, sizeof large);
    assert_true(memo.bytes <= MOST_BYTES);
    assert_int_equal(result_of(0), 0);
    assert_int_equal(result_of(19), 20);
    memo_key_add(&key, large, sizeof large);
    memo_keep(&memo, &key, large, sizeof large); /* more than all may take */
    assert_null(memo_find(&memo, &key, &bytes));
    assert_int_equal(result_of(19), 20);
}

TESTS_BETWEEN(NULL, empty, cmocka_unit_test_setup(kept_results_are_found, empty),
              cmocka_unit_test_setup(keys_of_other_bytes_find_nothing, empty),
              cmocka_unit_test_setup(a_million_inputs_take_the_memory_of_a_thousand, empty),
              cmocka_unit_test_setup(large_results_push_older_ones_out, empty))
