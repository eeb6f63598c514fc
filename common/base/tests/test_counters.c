/* test_counters.c: each row of the table is one counter, by index and by name. */
#include "base/counters.h"
#include "base/test.h"

static void each_has_its_own_place(void **state) {
    struct counters counters = {0};
    for (unsigned i = 0; i < COUNTER_COUNT; i++)
        counter_set(&counters, (enum counter)i, 1000 + i);
    for (unsigned i = 0; i < COUNTER_COUNT; i++) {
        assert_int_equal(counter_value(&counters, (enum counter)i), 1000 + i);
        assert_true(strlen(counter_meaning((enum counter)i)) > 0);
        for (unsigned j = 0; j < i; j++)
            assert_string_not_equal(counter_name((enum counter)i), counter_name((enum counter)j));
    }
    assert_string_equal(counter_name(COUNTER_warp_instructions), "warp_instructions");
    assert_int_equal(counters.barriers, 1000 + COUNTER_barriers);
    assert_int_equal(sizeof counters, COUNTER_COUNT * sizeof(uint64_t));
}

static void what_is_no_counter_is_nothing(void **state) {
    struct counters counters = {.warp_instructions = 7}, same = counters;
    counter_set(&counters, COUNTER_COUNT, 9);
    assert_memory_equal(&counters, &same, sizeof same);
    assert_int_equal(counter_value(&counters, COUNTER_COUNT), 0);
    assert_null(counter_name(COUNTER_COUNT));
    assert_null(counter_meaning(COUNTER_COUNT));
}

static void each_kind_has_a_name_of_its_own(void **state) {
    for (unsigned i = 0; i < LINE_KIND_COUNT; i++) {
        for (unsigned j = 0; j < i; j++)
            assert_string_not_equal(line_kind_name((enum line_kind)i), line_kind_name((enum line_kind)j));
        assert_null(strchr(line_kind_words((enum line_kind)i), '_'));
    }
    assert_string_equal(line_kind_name(LINE_SHARED_STORE), "shared_store");
    assert_null(line_kind_name(LINE_KIND_COUNT));
}

TESTS(UNIT(each_has_its_own_place), UNIT(what_is_no_counter_is_nothing),
      UNIT(each_kind_has_a_name_of_its_own))
