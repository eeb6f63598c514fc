/* test_long_loops.c: L1's contents for warps that traverse more than L1 holds. They run one after
 * the other, but share L1 as on hardware. */
#include "gpu/simt/tests/device_fixture.h"

/* Warp w reads 4,096 lines of 128 bytes, from line w * step on, cyclically. */
static const char program[] =
    PTX_HEADER ".visible .entry walk(.param .u64 p, .param .u32 step) {\n"
               ".reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %q;\n"
               "ld.param.u64 %d1, [p]; ld.param.u32 %r1, [step]; mov.u32 %r2, %tid.x; shr.u32 %r3, %r2, 5;\n"
               "and.b32 %r4, %r2, 31; mul.lo.u32 %r5, %r3, %r1; mov.u32 %r6, 0;\n"
               "$again: and.b32 %r7, %r5, 4095; shl.b32 %r7, %r7, 5; add.u32 %r7, %r7, %r4;\n"
               "mul.wide.u32 %d2, %r7, 4; add.u64 %d3, %d1, %d2; ld.global.u32 %r8, [%d3];\n"
               "add.u32 %r5, %r5, 1; add.u32 %r6, %r6, 1; setp.lt.u32 %q, %r6, 4096; @%q bra $again;\n"
               "ret; }\n";

static uint64_t sectors_read(uint32_t step) {
    struct simt_config config = fixture_config();
    config.sm_count = 1;
    ENDED(fixture_close) struct fixture fixture;
    fixture_configure(&fixture, program, &config);
    uint64_t parameters[] = {fixture_buffer(&fixture, 4096 * 128), step};
    fixture_ok(&fixture, fixture_run(&fixture, "walk", 1, 8 * 32, 0, parameters));
    return fixture.result.counters.l2_read_sectors;
}

/* The first warp fetches each line; the others come just behind it. */
static void side_by_side(void **state) {
    uint64_t sectors = sectors_read(0);
    assert_in_range(sectors, 4096 * 4, 4096 * 4 * 5 / 4);
}

/* Warps are 512 lines apart: what one fetches is evicted when the next comes there. */
static void apart(void **state) {
    assert_true(sectors_read(512) > 6 * 4096 * 4);
}

TESTS(UNIT(side_by_side), UNIT(apart))
