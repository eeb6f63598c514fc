/*
 * test_decode.c: encodings of each generation, written down from what ptxas makes, and what they mean.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "sass/instruction.h"

static struct sass_instruction decode(uint32_t architecture, uint64_t low, uint64_t high, uint32_t address) {
    uint8_t bytes[SASS_INSTRUCTION_BYTES];
    memcpy(bytes, &low, 8);
    memcpy(bytes + 8, &high, 8);
    struct sass_instruction instruction;
    sass_decode(architecture, bytes, address, &instruction);
    return instruction;
}

/* IADD3 R2, P0, R0.reuse, UR4, RZ */
static void scheduling_fields_are_those_of_the_encoding(void **state) {
    (void)state;
    struct sass_instruction add = decode(90, 0x0000000400027c10, 0x040fe4000ff1e0ff, 0);
    assert_string_equal(add.mnemonic, "IADD3");
    assert_int_equal(add.schedule.stall, 2);
    assert_false(add.schedule.yield);
    assert_int_equal(add.schedule.write_barrier, SASS_NO_BARRIER);
    assert_int_equal(add.schedule.read_barrier, SASS_NO_BARRIER);
    assert_int_equal(add.schedule.wait_mask, 0);
    assert_int_equal(add.schedule.reuse, 1);
    /* S2R R3, SR_TID.X sets scoreboard 0; IMAD R0, R0, UR4, R3 waits for it. */
    assert_int_equal(decode(90, 0x0000000000037919, 0x000e2e0000002100, 0).schedule.write_barrier, 0);
    assert_int_equal(decode(90, 0x0000000400007c24, 0x001fe2000f8e0203, 0).schedule.wait_mask, 1);
}

static void a_branch_has_its_target(void **state) {
    (void)state;
    /* BRA 0x80 at 0x80; @!P0 BRA 0x160 at 0x70; on 9.0: BRA 0xc0 at 0xc0; @!P0 BRA 0x170 at 0x80. */
    struct sass_instruction own = decode(75, 0xfffffff000007947, 0x0383ffff, 0x80);
    assert_true(own.has_target);
    assert_int_equal(own.flow, SASS_BRANCH);
    assert_false(own.conditional);
    assert_int_equal(own.target, 0x80);
    struct sass_instruction forward = decode(75, 0x000000e000008947, 0x03800000, 0x70);
    assert_int_equal(forward.target, 0x160);
    assert_true(forward.conditional);
    assert_true(forward.guard_negated);
    assert_int_equal(forward.guard, 0);
    assert_int_equal(decode(90, 0xfffffffc00fc7947, 0x0383ffff, 0xc0).target, 0xc0);
    assert_int_equal(decode(90, 0x0000000000388947, 0x03800000, 0x80).target, 0x170);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scheduling_fields_are_those_of_the_encoding),
        cmocka_unit_test(a_branch_has_its_target),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
