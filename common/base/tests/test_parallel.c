/* test_parallel.c: every element exactly once, for any count and step. */
#include "base/parallel.h"
#include "base/test.h"

struct touched {
    uint8_t *times;
    size_t step;
};

static void touch(void *context, size_t from, size_t to) {
    const struct touched *touched = context;
    assert_true(from < to && from % touched->step == 0);
    for (size_t i = from; i < to; i++)
        touched->times[i]++;
}

static void test_each_once(void **state) {
    static const size_t counts[] = {0, 1, 2, 7, 8, 9, 63, 64, 65, 1000, 4099};
    static const size_t steps[] = {1, 2, 7, 16, 1000, 5000};
    uint8_t times[4100];
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (size_t j = 0; j < sizeof steps / sizeof *steps; j++) {
            memset(times, 0, sizeof times);
            parallel_run(counts[i], steps[j], touch, &(struct touched){times, steps[j]});
            for (size_t k = 0; k < sizeof times; k++)
                assert_int_equal(times[k], k < counts[i]);
        }
}

static void test_memory(void **state) {
    const size_t bytes = ((size_t)40 << 20) + 5;
    FREED uint8_t *a = malloc(bytes), *b = calloc(1, bytes);
    assert_non_null(a);
    assert_non_null(b);
    for (size_t i = 0; i < bytes; i++)
        a[i] = (uint8_t)(i * 7 + i / 4096);
    assert_false(parallel_same(a, b, bytes));
    parallel_copy(b, a, bytes);
    assert_true(parallel_same(a, b, bytes) && memcmp(a, b, bytes) == 0);
    const size_t at[] = {0, 1, bytes / 2, bytes - 1};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        b[at[i]] ^= 1;
        assert_false(parallel_same(a, b, bytes));
        b[at[i]] ^= 1;
    }
    assert_true(parallel_same(a, b, 0));
    parallel_fill(a, 0x5a, bytes - 1);
    memset(b, 0x5a, bytes - 1);
    assert_int_equal(memcmp(a, b, bytes - 1), 0);
    assert_int_equal(a[bytes - 1], (uint8_t)((bytes - 1) * 7 + (bytes - 1) / 4096));
}

TESTS(UNIT(test_each_once), UNIT(test_memory))
