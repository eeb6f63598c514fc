/* test_undefined.c: unknown values (undefined.ptx) are followed to the host, and ignored where they
 * are thrown away; the rules for bits. */
#include "device_fixture.h"
#include "gpu/simt/check/undefined.h"

static struct fixture open_checked(void) {
    struct fixture fixture;
    struct simt_config config = fixture_config();
    config.check = true;
    fixture_configure_file(&fixture, "undefined", &config);
    return fixture;
}

static uint32_t take(struct fixture *fixture, struct simt_remark remarks[SIMT_REMARKS]) {
    return simt_take_remarks(fixture->device, remarks);
}

/* Runs 32 threads with `written` words of the input written, and reads the result back. */
static uint32_t run(struct fixture *fixture, const char *kernel, uint32_t written,
                    struct simt_remark remarks[SIMT_REMARKS]) {
    uint32_t words[32] = {0};
    uint64_t buffers[] = {fixture_buffer(fixture, 128), fixture_buffer(fixture, 128)};
    assert_int_equal(simt_write(fixture->device, buffers[0], words, 4 * (uint64_t)written), SIMT_OK);
    fixture_ok(fixture, fixture_run(fixture, kernel, 1, 32, 0, buffers));
    assert_int_equal(take(fixture, remarks), 0); /* nothing counts before a read */
    assert_int_equal(simt_read(fixture->device, words, buffers[1], sizeof words), SIMT_OK);
    return take(fixture, remarks);
}

static void shared_memory(void **state) {
    static struct simt_remark remarks[SIMT_REMARKS];
    ENDED(fixture_close) struct fixture fixture = open_checked();
    assert_int_equal(run(&fixture, "upper_half", 16, remarks), 0);
    assert_int_equal(run(&fixture, "upper_half_used", 16, remarks), 1);
    assert_string_equal(remarks[0].kind, "unwritten");
    assert_string_equal(remarks[0].kernel, "upper_half_used");
    assert_string_equal(remarks[0].file, "check.cu");
    assert_int_equal(remarks[0].line, 29);
    assert_int_equal(remarks[0].thread[0], 16);
    assert_int_equal(remarks[0].count, 16);
    assert_non_null(
        strstr(remarks[0].message, "reads 4 bytes at byte 64 of tile (index 16, as 4-byte elements)"));
    assert_int_equal(run(&fixture, "upper_half_used", 16, remarks), 1); /* once for each read by the host */
    assert_int_equal(remarks[0].count, 16);
}

/* A mere copy counts if every byte is judged. */
static void copied(void **state) {
    static struct simt_remark remarks[SIMT_REMARKS];
    uint32_t words[32] = {0};
    ENDED(fixture_close) struct fixture fixture = open_checked();
    uint64_t buffers[] = {fixture_buffer(&fixture, 128), fixture_buffer(&fixture, 128)};
    assert_int_equal(simt_write(fixture.device, buffers[0], words, sizeof words), SIMT_OK);
    fixture_ok(&fixture, fixture_run(&fixture, "upper_half_copied", 1, 32, 0, buffers));
    assert_int_equal(simt_read(fixture.device, words, buffers[1], sizeof words), SIMT_OK);
    assert_int_equal(take(&fixture, remarks), 0);
    assert_int_equal(simt_read_judged(fixture.device, words, buffers[1], sizeof words), SIMT_OK);
    assert_int_equal(take(&fixture, remarks), 1);
    assert_int_equal(remarks[0].line, 35);
    assert_int_equal(remarks[0].count, 16);
}

static void device_memory_through_a_call(void **state) {
    static struct simt_remark remarks[SIMT_REMARKS];
    ENDED(fixture_close) struct fixture fixture = open_checked();
    assert_int_equal(run(&fixture, "called", 32, remarks), 0);
    assert_int_equal(run(&fixture, "called", 31, remarks), 1);
    assert_int_equal(remarks[0].line, 40);
    assert_int_equal(remarks[0].thread[0], 31);
    assert_int_equal(remarks[0].count, 1);
}

/* Stores before `check` was on count as written. */
static void switched_on_later(void **state) {
    static struct simt_remark remarks[SIMT_REMARKS];
    uint32_t words[32] = {0};
    ENDED(fixture_close) struct fixture fixture = open_checked();
    uint64_t buffers[] = {fixture_buffer(&fixture, 128), fixture_buffer(&fixture, 128)},
             again[] = {buffers[1], buffers[0]};
    simt_device_set_check(fixture.device, false);
    fixture_ok(&fixture, fixture_run(&fixture, "called", 1, 32, 0, buffers));
    simt_device_set_check(fixture.device, true);
    fixture_ok(&fixture, fixture_run(&fixture, "called", 1, 32, 0, again));
    assert_int_equal(simt_read(fixture.device, words, buffers[0], sizeof words), SIMT_OK);
    assert_int_equal(take(&fixture, remarks), 0);
}

/* A forgotten buffer counts as never written; a copy copies what is known. */
static void forgotten_and_copied(void **state) {
    static struct simt_remark remarks[SIMT_REMARKS];
    uint32_t words[32] = {0};
    ENDED(fixture_close) struct fixture fixture = open_checked();
    uint64_t buffers[] = {fixture_buffer(&fixture, 128), fixture_buffer(&fixture, 128)},
             source = fixture_buffer(&fixture, 128);
    assert_int_equal(simt_fill(fixture.device, source, 0, 1, 128), SIMT_OK);
    simt_forget(fixture.device, source + 120, 8);
    assert_int_equal(simt_copy(fixture.device, buffers[0], source, 128), SIMT_OK);
    fixture_ok(&fixture, fixture_run(&fixture, "called", 1, 32, 0, buffers));
    assert_int_equal(simt_read(fixture.device, words, buffers[1], 120), SIMT_OK);
    assert_int_equal(take(&fixture, remarks), 0);
    assert_int_equal(simt_read(fixture.device, words, buffers[1], 124), SIMT_OK);
    assert_int_equal(take(&fixture, remarks), 1);
    assert_int_equal(remarks[0].thread[0], 30);
}

/* A register is used before it is written: garbage, the same each time, and a remark at the use. */
static void unset_registers(void **state) {
    static const struct row {
        const char *kernel;
        uint32_t line;
    } rows[] = {{"unset_predicate", 50}, {"unset_called", 70}};
    static struct simt_remark remarks[SIMT_REMARKS];
    ENDED(fixture_close) struct fixture fixture = open_checked();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(run(&fixture, rows[i].kernel, 32, remarks), 1);
        assert_string_equal(remarks[0].kind, "unwritten");
        assert_int_equal(remarks[0].line, rows[i].line);
        assert_non_null(strstr(remarks[0].message, "uses a variable that it has not set"));
    }
    assert_int_equal(run(&fixture, "unset_ignored", 32, remarks), 0);
    uint32_t words[32]; /* without `check`, too, the result is visibly wrong */
    uint64_t buffers[] = {fixture_buffer(&fixture, 128), fixture_buffer(&fixture, 128)};
    simt_device_set_check(fixture.device, false);
    fixture_ok(&fixture, fixture_run(&fixture, "unset_called", 1, 32, 0, buffers));
    assert_int_equal(simt_read(fixture.device, words, buffers[1], sizeof words), SIMT_OK);
    for (uint32_t lane = 0; lane < 32; lane++)
        assert_int_equal(words[lane], (lane % 2 ? 0xcfcfcfcf : 0x4f4f4f4f) + lane);
}

/* ---- bits */

static uint64_t unknown_of(uint16_t opcode, uint8_t type, uint16_t form, struct bits a, struct bits b,
                           struct bits c) {
    const struct bits source[5] = {a, b, c};
    const struct ptx_instruction instruction = {.opcode = opcode,
                                                .type = type,
                                                .source_type = type,
                                                .form = (uint8_t)form,
                                                .destinations = 1,
                                                .sources = 3};
    bool copied;
    return simt_undefined_result(&instruction, source, 32, &copied);
}

static void rules(void **state) {
    const struct bits none = {0, 0}, low = {0, 0xff}, mask = {0xff00ff00, 0}, eight = {8, 0},
                      high = {0, 0xff000000}, ones = {UINT32_MAX, 0}, all = {0, UINT32_MAX},
                      selector = {0x4440, 0}, yes = {1, 0};
    assert_int_equal(unknown_of(PTX_AND, PTX_B32, 0, all, mask, none), 0xff00ff00);
    assert_int_equal(unknown_of(PTX_OR, PTX_B32, 0, all, mask, none), 0x00ff00ff);
    assert_int_equal(unknown_of(PTX_OR, PTX_B32, 0, all, ones, none), 0);
    assert_int_equal(unknown_of(PTX_XOR, PTX_B32, 0, low, mask, none), 0xff);
    assert_int_equal(unknown_of(PTX_SHL, PTX_B32, 0, low, eight, none), 0xff00);
    assert_int_equal(unknown_of(PTX_SHR, PTX_U32, 0, high, eight, none), 0x00ff0000);
    assert_int_equal(unknown_of(PTX_SHR, PTX_S32, 0, high, eight, none),
                     0xffff0000); /* the sign is unknown */
    assert_int_equal(unknown_of(PTX_ADD, PTX_U32, 0, (struct bits){0, 0x100}, ones, none), 0xffffff00);
    assert_int_equal(unknown_of(PTX_MUL, PTX_U32, PTX_LO, all, none, none), 0); /* by zero */
    assert_int_equal(unknown_of(PTX_ADD, PTX_F32, 0, low, none, none), UINT32_MAX);
    assert_int_equal(unknown_of(PTX_BFE, PTX_U32, 0, low, eight, eight), 0);
    assert_int_equal(unknown_of(PTX_BFE, PTX_U32, 0, low, none, eight), 0xff);
    assert_int_equal(unknown_of(PTX_PRMT, PTX_B32, PTX_PRMT_INDEX, all, none, selector), 0xff);
    assert_int_equal(unknown_of(PTX_SELP, PTX_B32, 0, low, high, yes), 0xff);
    assert_int_equal(unknown_of(PTX_SELP, PTX_B32, 0, low, high, none), 0xff000000);
}

static bool comparison(uint8_t compare, struct bits a, struct bits b, uint16_t form, struct bits c) {
    const struct bits source[3] = {a, b, c};
    const struct ptx_instruction instruction = {.opcode = PTX_SETP,
                                                .type = PTX_S32,
                                                .source_type = PTX_S32,
                                                .compare = compare,
                                                .form = (uint8_t)form,
                                                .sources = form ? 3 : 2};
    return simt_undefined_comparison(&instruction, source, false);
}

static void comparisons(void **state) {
    const struct bits low = {0, 0xff}, ten = {10, 0}, many = {4096, 0}, sign = {0, 0x80000000}, none = {0, 0},
                      yes = {1, 0}, unknown = {0, 1};
    assert_true(comparison(PTX_LT, low, ten, 0, none));
    assert_false(comparison(PTX_LT, low, many, 0, none)); /* whatever the low byte is */
    assert_false(comparison(PTX_EQ, low, many, 0, none));
    assert_true(comparison(PTX_EQ, low, ten, 0, none));
    assert_true(comparison(PTX_GE, sign, none, 0, none));
    /* Combined: a deciding operand leaves nothing unknown. */
    assert_false(comparison(PTX_EQ, low, ten, PTX_BOOL_AND, none));
    assert_true(comparison(PTX_EQ, low, ten, PTX_BOOL_AND, yes));
    assert_false(comparison(PTX_EQ, low, ten, PTX_BOOL_OR, yes));
    assert_false(comparison(PTX_EQ, many, ten, PTX_BOOL_AND, unknown));
    assert_true(comparison(PTX_NE, many, ten, PTX_BOOL_AND, unknown));
}

TESTS(UNIT(shared_memory), UNIT(copied), UNIT(device_memory_through_a_call), UNIT(switched_on_later),
      UNIT(forgotten_and_copied), UNIT(unset_registers), UNIT(rules), UNIT(comparisons))
