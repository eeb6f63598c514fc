/* test_l2.c: which hits in L2 wait for DRAM: those of other SMs, soon after the fetch. */
#include "gpu/simt/memory/cache.h"
#include "gpu/simt/tests/device_fixture.h"

enum { LINE = 5, SECTOR = 1 };

/* Sectors that wait when the SM reads one of the line. */
static uint64_t waiting(struct l2_cache *l2, uint32_t sm) {
    struct l2_counts counts = {0};
    simt_l2_replay(l2, (uint64_t)LINE << 8 | (uint64_t)CACHE_READ << 4 | SECTOR, sm, &counts);
    return counts.read_waiting_sectors;
}

static void turns(struct l2_cache *l2, int count) {
    while (count-- > 0)
        simt_l2_turn(l2);
}

static void others_wait_for_a_fetch(void **state) {
    (void)state;
    struct l2_cache *l2 = simt_l2_create(1 << 20);
    simt_l2_launch(l2);
    assert_int_equal(waiting(l2, 0), 0); /* it fetches */
    assert_int_equal(waiting(l2, 1), 1);
    turns(l2, 1);
    assert_int_equal(waiting(l2, 1), 1);
    turns(l2, 1);
    assert_int_equal(waiting(l2, 1), 0);
    simt_l2_destroy(l2);
}

static void who_fetched_does_not_wait_again(void **state) {
    (void)state;
    struct l2_cache *l2 = simt_l2_create(1 << 20);
    simt_l2_launch(l2);
    waiting(l2, 3);
    assert_int_equal(waiting(l2, 3), 0);
    assert_int_equal(waiting(l2, 4), 1);
    simt_l2_destroy(l2);
}

/* The number of a turn comes back some day: what was there before is not fetched again. */
static void what_has_come_is_not_waited_for(void **state) {
    (void)state;
    struct l2_cache *l2 = simt_l2_create(1 << 20);
    simt_l2_launch(l2);
    waiting(l2, 0);
    turns(l2, 2);
    assert_int_equal(waiting(l2, 1), 0);
    for (int later = 0; later < 3000; later++) {
        turns(l2, 1);
        assert_int_equal(waiting(l2, 1), 0);
    }
    simt_l2_launch(l2);
    assert_int_equal(waiting(l2, 1), 0);
    simt_l2_destroy(l2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_wait_for_a_fetch),
        cmocka_unit_test(who_fetched_does_not_wait_again),
        cmocka_unit_test(what_has_come_is_not_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
