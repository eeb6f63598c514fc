/* test_footprint.c: bytes are kept one by one, and two footprints collide where one of them
 * changes a byte of both. */
#include "base/footprint.h"
#include "base/test.h"

enum { PAGE = 4096, BASE = 3 * PAGE };

/* A footprint of one range, in pieces that come in no order. */
static struct footprint of(enum footprint_kind kind, uint64_t at, uint64_t bytes) {
    struct footprint footprint = {0};
    for (uint64_t i = 0; i < bytes; i++)
        footprint_add(&footprint, kind, BASE + at + i * 2 % bytes, bytes % 2 == 1 ? 1 : 2);
    footprint_finish(&footprint);
    return footprint;
}

static void kinds_collide(void **state) {
    static const bool collide[FOOTPRINT_KINDS][FOOTPRINT_KINDS] = {[FOOTPRINT_READ] = {false, true, true},
                                                                   [FOOTPRINT_WRITTEN] = {true, true, true},
                                                                   [FOOTPRINT_ATOMIC] = {true, true, false}};
    for (int a = 0; a < FOOTPRINT_KINDS; a++)
        for (int b = 0; b < FOOTPRINT_KINDS; b++) {
            struct footprint x = of((enum footprint_kind)a, 0, 100), y = of((enum footprint_kind)b, 99, 3);
            uint64_t address = 0;
            enum footprint_kind kind;
            assert_int_equal(footprint_collides(&x, &y, &address, &kind), collide[a][b]);
            if (collide[a][b]) {
                assert_int_equal(address, BASE + 99);
                assert_int_equal(kind, a);
            }
            footprint_free(&x);
            footprint_free(&y);
        }
}

static void neighbours_do_not(void **state) {
    static const struct {
        uint64_t at, bytes, other, others;
        bool collide;
    } pairs[] = {{0, 64, 64, 64, false},
                 {0, 65, 64, 64, true},
                 {PAGE - 1, 2, PAGE + 1, 8, false},
                 {PAGE - 1, 2, PAGE, 8, true},
                 {0, 40 * PAGE, 39 * PAGE + 7, 1, true},
                 {0, 40 * PAGE, 40 * PAGE, 1, false}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct footprint x = of(FOOTPRINT_WRITTEN, pairs[i].at, pairs[i].bytes),
                         y = of(FOOTPRINT_READ, pairs[i].other, pairs[i].others);
        uint64_t address;
        enum footprint_kind kind;
        assert_int_equal(footprint_collides(&x, &y, &address, &kind), pairs[i].collide);
        if (pairs[i].collide)
            assert_int_equal(address, BASE + pairs[i].other);
        footprint_free(&x);
        footprint_free(&y);
    }
}

TESTS(UNIT(kinds_collide), UNIT(neighbours_do_not))
