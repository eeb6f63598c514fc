/* test_constant.c: constant memory is a space of its own, in which different words queue. */
#include "gpu/simt/tests/device_fixture.h"

/* o[t] = a load at p + step * (t & mask): from constant memory; from the same place's generic
 * address. */
static const char text[] = PTX_HEADER
    ".const .align 4 .u32 table[16] = {100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111};\n"
    ".const .align 8 .u64 inside = generic(table) + 8;\n"
    ".global .align 8 .u64 outside[2] = {generic(table), table};\n"
    ".file 1 \"k.cu\"\n"
    ".visible .entry read(.param .u64 o, .param .u64 shift, .param .u64 step, .param .u64 mask) {\n"
    ".reg .b32 %r<9>; .reg .b64 %d<19>;\n"
    "ld.param.u64 %d1, [o]; ld.param.u64 %d2, [shift]; ld.param.u64 %d3, [step];\n"
    "ld.param.u64 %d4, [mask];\n"
    "mov.u32 %r1, %tid.x; cvt.u64.u32 %d5, %r1; shl.b64 %d6, %d5, 2; add.s64 %d1, %d1, %d6;\n"
    "and.b64 %d5, %d5, %d4; mul.lo.u64 %d5, %d5, %d3;\n"
    "mov.u64 %d7, table; add.s64 %d7, %d7, %d2; add.s64 %d7, %d7, %d5;\n"
    ".loc 1 7 1\n"
    "ld.const.u32 %r2, [%d7];\n"
    "st.global.u32 [%d1], %r2; ret; }\n"
    ".visible .entry generic_read(.param .u64 o) {\n"
    ".reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %d<19>;\n"
    "ld.param.u64 %d1, [o]; mov.u64 %d2, table; cvta.const.u64 %d3, %d2;\n"
    "ld.u32 %r1, [%d3+4]; st.global.u32 [%d1], %r1;\n" /* a generic address is one of memory */
    "ld.const.u64 %d4, [inside]; ld.u32 %r1, [%d4]; st.global.u32 [%d1+4], %r1;\n"
    "ld.global.u64 %d5, [outside]; ld.global.u32 %r1, [%d5+12]; st.global.u32 [%d1+8], %r1;\n"
    "ld.global.u64 %d6, [outside+8]; ld.const.u32 %r1, [%d6+16]; st.global.u32 [%d1+12], %r1;\n"
    "cvta.to.const.u64 %d7, %d3; ld.const.u32 %r1, [%d7+20]; st.global.u32 [%d1+16], %r1;\n"
    "isspacep.const %p1, %d3; selp.u32 %r1, 1, 0, %p1; st.global.u32 [%d1+20], %r1;\n"
    "isspacep.const %p1, %d1; selp.u32 %r1, 1, 0, %p1; st.global.u32 [%d1+24], %r1; ret; }\n"
    ".visible .entry straight(.param .u64 p) {\n"
    ".reg .b32 %r<9>; .reg .b64 %d<9>; ld.param.u64 %d1, [p];\n"
    ".loc 1 9 1\n"
    "ld.const.u32 %r1, [%d1]; st.global.u32 [%d1], %r1; ret; }\n";

static void run(struct fixture *fixture, uint64_t out, int64_t shift, uint64_t step, uint64_t mask,
                uint32_t threads, enum simt_status wanted) {
    uint64_t parameters[] = {out, (uint64_t)shift, step, mask};
    enum simt_status status = fixture_run(fixture, "read", 1, threads, 0, parameters);
    if (status != wanted)
        fail_msg("%s: %s", simt_status_name(status), fixture->result.fault.message);
}

static void lanes_that_differ_queue(void **state) {
    ENDED(fixture_close) struct fixture fixture;
    fixture_open(&fixture, text);
    uint64_t out = fixture_buffer(&fixture, 128);
    uint32_t values[32];
    for (uint64_t mask = 0; mask < 16; mask = 2 * mask + 1) {
        run(&fixture, out, 0, 4, mask, 32, SIMT_OK);
        assert_int_equal(fixture.result.counters.constant_requests, 1);
        assert_int_equal(fixture.result.counters.constant_wavefronts, mask + 1);
        simt_read(fixture.device, values, out, sizeof values);
        for (uint32_t t = 0; t < 32; t++)
            assert_int_equal(values[t], (t & mask) < 12 ? 100 + (t & mask) : 0);
    }
    assert_int_equal(fixture.result.counters.global_load_requests, 0);
}

static void generic_addresses_lead_into_device_memory(void **state) {
    ENDED(fixture_close) struct fixture fixture;
    fixture_open(&fixture, text);
    uint64_t out = fixture_buffer(&fixture, 128), table, bytes;
    uint32_t values[7];
    fixture_ok(&fixture, fixture_run(&fixture, "generic_read", 1, 1, 0, &out));
    simt_read(fixture.device, values, out, sizeof values);
    static const uint32_t wanted[7] = {101, 102, 103, 104, 105, 1, 0};
    assert_memory_equal(values, wanted, sizeof values);
    assert_true(simt_module_variable(fixture.module, "table", &table, &bytes));
    assert_int_equal(bytes, 64);
    /* The host writes the variable, and the next launch sees it. */
    assert_int_equal(simt_write(fixture.device, table, &(uint32_t){7}, 4), SIMT_OK);
    run(&fixture, out, 0, 0, 0, 32, SIMT_OK);
    simt_read(fixture.device, values, out, 4);
    assert_int_equal(values[0], 7);
}

static void nothing_else_is_constant(void **state) {
    ENDED(fixture_close) struct fixture fixture;
    fixture_open(&fixture, text);
    uint64_t out = fixture_buffer(&fixture, 128), table, bytes, host = (uint64_t)(uintptr_t)&bytes;
    assert_true(simt_module_variable(fixture.module, "table", &table, &bytes));
    run(&fixture, out, 0, 4, 31, 17, SIMT_ILLEGAL_ADDRESS);
    fixture_message_has(&fixture,
                        "k.cu:7: kernel read, block (0,0,0), thread (16,0,0): invalid load of 4 bytes "
                        "from constant memory");
    fixture_message_has(&fixture, "just past the end of the 64-byte allocation");
    fixture_message_has(&fixture, "index 16, and the last is 15");
    run(&fixture, out, -4, 0, 0, 1, SIMT_ILLEGAL_ADDRESS);
    fixture_message_has(&fixture, "before the first __constant__ variable");
    run(&fixture, out, 2, 0, 0, 1, SIMT_MISALIGNED_ADDRESS);
    const uint64_t foreign[] = {out, table, host, UINT64_C(1) << 60, UINT64_MAX - 3, 0};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        assert_int_equal(fixture_run(&fixture, "straight", 1, 1, 0, &foreign[i]),
                         foreign[i] % 4 ? SIMT_MISALIGNED_ADDRESS : SIMT_ILLEGAL_ADDRESS);
        fixture_message_has(&fixture, "k.cu:9");
        fixture_message_has(&fixture, "from constant memory");
    }
    fixture_run(&fixture, "straight", 1, 1, 0, &out);
    fixture_message_has(&fixture, "an address of global memory");
    fixture_message_has(&fixture, "ld.const reads __constant__ variables alone");
}

/* Not strict, as on hardware: the whole bank is readable, and nothing beside it. */
static void without_strict_checks_the_bank_is_one(void **state) {
    struct simt_config config = fixture_config();
    config.strict = false;
    ENDED(fixture_close) struct fixture fixture;
    fixture_configure(&fixture, text, &config);
    uint64_t out = fixture_buffer(&fixture, 128);
    run(&fixture, out, 0, 4, 31, 17, SIMT_OK);
    run(&fixture, out, 1 << 20, 0, 0, 1, SIMT_ILLEGAL_ADDRESS);
    assert_int_equal(fixture_run(&fixture, "straight", 1, 1, 0, &out), SIMT_ILLEGAL_ADDRESS);
}

/* Each module has its own bank; one without variables has none. */
static void without_variables_there_is_nothing(void **state) {
    ENDED(fixture_close) struct fixture fixture;
    fixture_open(&fixture, PTX_HEADER ".visible .entry k(.param .u64 p) { .reg .b32 %r<2>; .reg .b64 %d<2>;\n"
                                      "ld.param.u64 %d1, [p]; ld.const.u32 %r1, [%d1];\n"
                                      "st.global.u32 [%d1], %r1; ret; }\n");
    const uint64_t buffer = fixture_buffer(&fixture, 64), places[] = {0, 4096, buffer};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        assert_int_equal(fixture_run(&fixture, "k", 1, 1, 0, &places[i]), SIMT_ILLEGAL_ADDRESS);
        fixture_message_has(&fixture, "the program has no __constant__ variables");
    }
}

TESTS(UNIT(lanes_that_differ_queue), UNIT(generic_addresses_lead_into_device_memory),
      UNIT(nothing_else_is_constant), UNIT(without_strict_checks_the_bank_is_one),
      UNIT(without_variables_there_is_nothing))
