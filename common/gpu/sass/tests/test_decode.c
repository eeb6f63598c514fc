/*
 * test_decode.c: encodings of each generation, written down from what ptxas makes, and what they mean.
 */
#include "base/test.h"

#include "gpu/sass/instruction.h"

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

/* By the form: register, immediate, constant memory, uniform register. */
static void operands_stand_where_the_form_says(void **state) {
    /* IADD3 R2, P0, R0.reuse, UR4, RZ */
    struct sass_instruction uniform = decode(90, 0x0000000400027c10, 0x040fe4000ff1e0ff, 0);
    assert_int_equal(uniform.write.first, 2);
    assert_int_equal(uniform.read_count, 1);
    assert_int_equal(uniform.read[0].first, 0);
    assert_int_equal(uniform.uniform_read_count, 1);
    assert_int_equal(uniform.uniform_read[0].first, 4);
    assert_int_equal(uniform.predicates_written, 1);
    assert_int_equal(uniform.predicates_read, 0);
    /* IADD3 R5, R0, 0x1, RZ */
    struct sass_instruction immediate = decode(90, 0x0000000100057810, 0x000fe40007ffe0ff, 0);
    assert_true(immediate.has_immediate);
    assert_int_equal(immediate.immediate, 1);
    /* LDC.64 R2, c[0x0][0x220] */
    struct sass_instruction constant = decode(90, 0x00008800ff027b82, 0x000e620000000a00, 0);
    assert_int_equal(constant.class, SASS_CONSTANT);
    assert_int_equal(constant.write.count, 2);
    assert_int_equal(constant.read_count, 0);
    assert_int_equal(constant.constant_bank, 0);
    assert_int_equal(constant.constant_offset, 0x220);
    /* 10.0: LDCU.64 UR8, c[0x0][0x380] */
    struct sass_instruction later = decode(100, 0x00007000ff0877ac, 0x08000a00, 0);
    assert_int_equal(later.uniform_write.first, 8);
    assert_int_equal(later.uniform_write.count, 2);
    assert_int_equal(later.constant_offset, 0x380);
    /* 12.0: UMOV.64 UR8, 0x3fe6666666666666 */
    assert_true(decode(120, 0x6666666666087482, 0x083fe666, 0).immediate == 0x3fe6666666666666);
}

static void memory_has_its_space_width_and_offset(void **state) {
    /* LDG.E R9, desc[UR8][R2.64+0x4] */
    struct sass_instruction load = decode(90, 0x0000040802097981, 0x0c1e1900, 0);
    assert_int_equal(load.space, SASS_GLOBAL);
    assert_int_equal(load.memory_bytes, 4);
    assert_int_equal(load.memory_offset, 4);
    assert_int_equal(load.read[0].count, 2);
    assert_int_equal(load.uniform_read[0].count, 2);
    /* @P0 LDG.E R0, desc[UR4][R2.64+-0x4] */
    assert_int_equal(decode(90, 0xfffffc0402000981, 0x0c1e1900, 0).memory_offset, -4);
    /* 7.5: LDG.E.SYS R0, [R4.U32+UR4]: half of the address is the uniform register's */
    assert_int_equal(decode(75, 0x0000000404007981, 0x081ee900, 0).read[0].count, 1);
    /* STS.64 [R0], RZ */
    struct sass_instruction store = decode(90, 0x000000ff00008388, 0x00000a00, 0);
    assert_int_equal(store.space, SASS_SHARED);
    assert_int_equal(store.class, SASS_STORE);
    assert_int_equal(store.memory_bytes, 8);
    assert_int_equal(store.read_count, 1);
    assert_int_equal(store.write.count, 0);
    /* ATOMG.E.CAS.64.STRONG.GPU PT, R14, [R8], R12, R14 */
    struct sass_instruction swap = decode(90, 0x0000000c080e73a9, 0x001ee50e, 0);
    assert_int_equal(swap.class, SASS_ATOMIC);
    assert_int_equal(swap.memory_bytes, 8);
    assert_int_equal(swap.read_count, 3);
    /* 8.0: LDGSTS.E.BYPASS.128 [R11+0x10], [R2.64]; 9.0: LDGSTS.E.64 [R11+0x1008], desc[UR10][R4.64+0x8] */
    struct sass_instruction copy = decode(80, 0x00010000020b7fae, 0x0003e8000b901c44, 0);
    assert_true(copy.bypasses_l1);
    assert_int_equal(copy.memory_bytes, 16);
    copy = decode(90, 0x01008008040b7fae, 0x0003e8000b921a4a, 0);
    assert_false(copy.bypasses_l1);
    assert_int_equal(copy.memory_bytes, 8);
    assert_int_equal(copy.memory_offset, 8);
}

/* Registers of a, b, c and d of matrix products, of each shape that ptxas makes. */
static void products_have_registers_by_their_shape(void **state) {
    static const struct {
        uint32_t architecture;
        uint64_t low, high;
        uint8_t a, b, c;
    } products[] = {
        {90, 0x0000000e0408723c, 0x004fee0000001808, 4, 2, 4},  /* HMMA.16816.F32 */
        {80, 0x000000060808723c, 0x004fde000000000a, 2, 1, 2},  /* HMMA.1688.F16 */
        {90, 0x0000000e0408723c, 0x004fee0000081008, 4, 2, 4},  /* HMMA.1688.F32.TF32 */
        {90, 0x000000080a0c723c, 0x004fe20000085004, 2, 1, 4},  /* HMMA.1684.F32.TF32 */
        {80, 0x0000000a0808723f, 0x0040640000000004, 2, 2, 4},  /* DMMA.884 */
        {90, 0x000000140408723f, 0x004e280000001008, 4, 2, 8},  /* DMMA.16x8x4 */
        {90, 0x000000040808723f, 0x004e280000002010, 8, 4, 8},  /* DMMA.16x8x8 */
        {90, 0x000000201008723f, 0x004e240000003008, 16, 8, 8}, /* DMMA.16x8x16 */
        {90, 0x0000000704087237, 0x004fe20000040408, 1, 1, 2},  /* IMMA.8816.U8.U8.SAT */
        {90, 0x000000080a0c7237, 0x004fe20000400404, 2, 1, 4},  /* IMMA.16816.U8.U8 */
        {90, 0x0000000e04087237, 0x004fee0000445c08, 4, 2, 4},  /* IMMA.16832.S8.S8.SAT */
        {80, 0x00000009060a7237, 0x004fd8000038040a, 1, 1, 2},  /* IMMA.8832.U4.U4 */
        {80, 0x0000000a0c0c7237, 0x004fe20000580c04, 2, 1, 4},  /* IMMA.16832.U4.U4 */
        {80, 0x0000001004087237, 0x004fee0000780408, 4, 2, 4},  /* IMMA.16864.U4.U4 */
        {80, 0x00000009060a723d, 0x004fd8000001040a, 1, 1, 2},  /* BMMA.88128.XOR.POPC */
        {80, 0x0000000a0c0c723d, 0x004fe20000010c04, 2, 1, 4},  /* BMMA.168128.XOR.POPC */
        {80, 0x000000100408723d, 0x004fee0000011408, 4, 2, 4},  /* BMMA.168256.XOR.POPC */
    };
    for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
        struct sass_instruction in = decode(products[i].architecture, products[i].low, products[i].high, 0);
        assert_int_equal(in.class, SASS_TENSOR);
        assert_int_equal(in.read_count, 3);
        assert_int_equal(in.read[0].count, products[i].a);
        assert_int_equal(in.read[1].count, products[i].b);
        assert_int_equal(in.read[2].count, products[i].c);
        assert_int_equal(in.write.count, products[i].c);
    }
}

static void what_is_not_in_the_table_is_unknown(void **state) {
    uint8_t bytes[SASS_INSTRUCTION_BYTES] = {0xff, 0xff, 0xff, 0xff};
    struct sass_instruction instruction;
    assert_false(sass_decode(90, bytes, 0, &instruction));
    assert_int_equal(instruction.class, SASS_UNKNOWN);
    assert_string_equal(instruction.mnemonic, "?");
    /* VIADD came with 9.0, HFMA2.MMA went with it, REDG is RED before. */
    assert_string_equal(decode(90, 0xffffffff0b057836, 0, 0).mnemonic, "VIADD");
    assert_int_equal(decode(80, 0xffffffff0b057836, 0, 0).class, SASS_UNKNOWN);
    assert_string_equal(decode(80, 0x0000000908197235, 8, 0).mnemonic, "HFMA2");
    assert_string_equal(decode(120, 0xffffffff06ff7835, 0x07800200, 0).mnemonic, "IADD");
    assert_string_equal(decode(80, 0x000000070200098e, 0x0c10e186, 0).mnemonic, "RED");
    assert_false(sass_knows(52));
    assert_true(sass_knows(90));
}

TESTS(UNIT(scheduling_fields_are_those_of_the_encoding), UNIT(a_branch_has_its_target),
      UNIT(operands_stand_where_the_form_says), UNIT(memory_has_its_space_width_and_offset),
      UNIT(products_have_registers_by_their_shape), UNIT(what_is_not_in_the_table_is_unknown))
