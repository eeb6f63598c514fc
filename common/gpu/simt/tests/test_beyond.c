/* test_beyond.c: L2's counts for each instruction: loaded sectors that come from DRAM, and partly
 * stored sectors of which L2 holds a part. */
#include "gpu/simt/tests/device_fixture.h"

/* Each warp loads a line of its own from `fresh`, then one line of `old`, which a block fetched
 * before. */
static const char text[] = PTX_HEADER
    ".visible .entry loads(.param .u64 fresh, .param .u64 old) {\n"
    ".reg .b32 %r<9>; .reg .b64 %d<9>;\n"
    "ld.param.u64 %d1, [fresh]; ld.param.u64 %d2, [old]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;\n"
    "mad.lo.u32 %r3, %r2, 32, %r1; mul.wide.u32 %d3, %r3, 4; add.u64 %d4, %d1, %d3;\n"
    "ld.global.cg.u32 %r4, [%d4];\n"
    "mul.wide.u32 %d5, %r1, 4; add.u64 %d6, %d2, %d5;\n"
    "ld.global.cg.u32 %r5, [%d6];\n"
    "ret; }\n"
    /* Each thread stores its twelve bytes, four at a time: three stores of one kind to each
     * sector. */
    ".visible .entry stores(.param .u64 to, .param .u64 unused) {\n"
    ".reg .b32 %r<9>; .reg .b64 %d<9>;\n"
    "ld.param.u64 %d1, [to]; mov.u32 %r1, %tid.x;\n"
    "mul.wide.u32 %d2, %r1, 12; add.u64 %d3, %d1, %d2;\n"
    "st.global.u32 [%d3], %r1; st.global.u32 [%d3+4], %r1; st.global.u32 [%d3+8], %r1;\n"
    "ret; }\n";

struct found {
    uint64_t requests, sectors, missed, beyond;
};

/* Counts of the accesses to global memory, in program order. */
static void launch(struct fixture *fixture, const char *kernel, uint32_t blocks, uint64_t a, uint64_t b,
                   struct found found[4]) {
    const uint64_t parameters[] = {a, b};
    uint32_t count = 0;
    fixture_ok(fixture, fixture_run(fixture, kernel, blocks, 32, 0, parameters));
    for (uint32_t i = 0; i < fixture->result.execution_count; i++) {
        const struct simt_execution *e = &fixture->result.executions[i];
        if (e->requests == 0 || e->instruction->space != PTX_GLOBAL)
            continue;
        assert_true(e->beyond_known && count < 4);
        found[count++] = (struct found){e->requests, e->transactions, e->missed, e->beyond};
    }
}

static void loads_come_from_where_they_lie(void **state) {
    enum { BLOCKS = 64 };
    struct fixture fixture;
    struct found found[4] = {{0}};
    fixture_open(&fixture, text);
    uint64_t fresh = fixture_buffer(&fixture, BLOCKS * 128), old = fixture_buffer(&fixture, 128);
    launch(&fixture, "loads", 1, old, old, found); /* L2 keeps one launch's data for the next */
    launch(&fixture, "loads", BLOCKS, fresh, old, found);
    assert_int_equal(found[0].requests, BLOCKS);
    assert_int_equal(found[0].missed, 4 * BLOCKS);
    assert_int_equal(found[0].beyond, 4 * BLOCKS);
    assert_int_equal(found[1].missed, 4 * BLOCKS);
    assert_int_equal(found[1].beyond, 0);
    fixture_close(&fixture);
}

static void parts_of_sectors_come_together(void **state) {
    struct fixture fixture;
    struct found found[4] = {{0}};
    fixture_open(&fixture, text);
    launch(&fixture, "stores", 1, fixture_buffer(&fixture, 1 << 12), 0, found);
    assert_int_equal(found[0].sectors, 12);
    assert_int_equal(found[0].beyond, 0);
    assert_int_equal(found[1].beyond, 12);
    assert_int_equal(found[2].beyond, 12);
    fixture_close(&fixture);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_come_from_where_they_lie),
        cmocka_unit_test(parts_of_sectors_come_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
