/* test_binding_bytes.c: how much machine code there is, and how much of it is busy. */

#include "base/test.h"
#include "gpu/runtime/binding/binding.h"

enum { BLOCKS = 4 };

/* Blocks of 10, 20, 30 and 40 instructions that ran so often. */
static void check(const double runs[BLOCKS], uint32_t hot_instructions) {
    struct gpu_block blocks[BLOCKS];
    struct gpu_code code = {.instruction_count = 100, .block_count = BLOCKS, .blocks = blocks};
    uint32_t first = 0, all, hot;
    for (uint32_t b = 0; b < BLOCKS; b++) {
        blocks[b] = (struct gpu_block){.first = first, .end = first + 10 * (b + 1), .runs = runs[b]};
        first = blocks[b].end;
    }
    binding_bytes(&code, &all, &hot);
    assert_int_equal(all, 1600);
    assert_int_equal(hot, 16 * hot_instructions);
}

static void test_hot(void **state) {
    check((const double[]){1, 1000, 1, 1}, 20);    /* one loop */
    check((const double[]){1, 1000, 1000, 1}, 50); /* two */
    check((const double[]){1, 1, 1, 1}, 100);      /* no loop: all of it */
    check((const double[]){0, 0, 5, 0}, 30);       /* what never ran counts for nothing */
    check((const double[]){0, 0, 0, 0}, 0);        /* nothing ran */
    check((const double[]){100, 1, 0, 100}, 50);   /* 20 instructions of 5020 are left out */
}

TESTS(UNIT(test_hot))
