/* test_packed.c: instructions on packed lanes and vectors become simple ones. Runs one thread and
 * compares the results with the instruction's meaning. */
#include "base/test.h"
#include "support_parse.h"

/* Runs the few instructions of the expansions for one thread. */
static uint32_t run(const struct ptx_module *module, uint32_t a, uint32_t b, uint32_t c) {
    const struct ptx_function *function = kernel(module);
    uint32_t registers[32] = {0}, inputs[3] = {a, b, c}, loads = 0;
    assert_true(function->slots <= 32);
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        const struct ptx_operand *operands = &function->operands[instruction->operand];
        uint32_t s[4] = {0};
        for (int o = 0; o < instruction->sources && o < 4; o++) {
            const struct ptx_operand *source = &operands[instruction->destinations + o];
            s[o] = source->kind == PTX_OPERAND_REGISTER ? registers[source->slot] : (uint32_t)source->value;
        }
        bool is_signed = instruction->type == PTX_S32;
        uint32_t mask = s[3] >= 32 ? UINT32_MAX : (1u << s[3]) - 1, result;
        switch (instruction->opcode) {
        case PTX_LD: result = inputs[loads++]; break;
        case PTX_MOV: result = s[0]; break;
        case PTX_SAD: result = s[2] + (s[0] > s[1] ? s[0] - s[1] : s[1] - s[0]); break;
        case PTX_BFE:
            assert_in_range(s[2], 1, 31);
            if (s[2] < 1 || s[2] > 31)
                return 0;
            result = s[0] >> s[1] & ((1u << s[2]) - 1);
            if (is_signed && result >> (s[2] - 1))
                result |= UINT32_MAX << s[2];
            break;
        case PTX_BFI: result = (s[1] & ~(mask << s[2])) | (s[0] & mask) << s[2]; break;
        case PTX_ST: return registers[operands[1].slot];
        default: fail_msg("%s is not run here", ptx_nature(instruction)->mnemonic); return 0;
        }
        registers[operands[0].slot] = result;
    }
    fail_msg("nothing was stored");
    return 0;
}

static uint32_t lane(uint32_t value, int i, int bits) {
    return value >> i * bits & ((1u << bits) - 1);
}

static uint32_t meaning(const char *name, uint32_t a, uint32_t b, uint32_t c) {
    bool sum = strstr(name, ".add");
    int bits = strstr(name, "diff4") != NULL ? 8 : 16;
    uint32_t result = sum ? c : 0;
    for (int i = 0; i < 32 / bits; i++) {
        int32_t x = (int32_t)lane(a, i, bits), y = (int32_t)lane(b, i, bits), value = x > y ? x - y : y - x;
        if (sum)
            result += (uint32_t)value;
        else
            result |= lane((uint32_t)value, 0, bits) << i * bits;
    }
    return result;
}

static void packed_lanes(void **state) {
    static const char *const names[] = {"vabsdiff2.u32.u32.u32", "vabsdiff4.u32.u32.u32",
                                        "vabsdiff2.u32.u32.u32.add", "vabsdiff4.u32.u32.u32.add"};
    static const uint32_t corners[] = {0,          0xffffffff, 0x7fff8000, 0x80007fff,
                                       0x00ff00ff, 0x01020304, 0xfffefffd};
    srand(7);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        char text[1024];
        snprintf(text, sizeof text, "%s%s %%r4, %%r1, %%r2%s;\nst.global.u32 [%%rd1], %%r4; }",
                 HEAD ".entry k() {.reg .b32 %r<9>; .reg .b64 %rd<9>; ld.global.u32 %r1, [%rd1]; "
                      "ld.global.u32 %r2, [%rd1]; ld.global.u32 %r3, [%rd1];\n",
                 names[n], ", %r3");
        struct ptx_module *module = parse(text);
        for (int turn = 0; turn < 500; turn++) {
            uint32_t a = turn < 49 ? corners[turn / 7] : (uint32_t)rand() * 2654435761u;
            uint32_t b = turn < 49 ? corners[turn % 7] : (uint32_t)rand() * 2654435761u;
            uint32_t c = (uint32_t)rand(), got = run(module, a, b, c);
            if (got != meaning(names[n], a, b, c))
                fail_msg("%s of %08x, %08x, %08x: %08x, not %08x", names[n], a, b, c, got,
                         meaning(names[n], a, b, c));
        }
        ptx_module_free(module);
    }
}

static void vector_atomics(void **state) {
    struct ptx_module *module = parse(ENTRY("atom.global.add.v2.f32 {%f1, %f2}, [%rd1+8], {%f3, %f1};\n"
                                            "st.global.v2.f32 [%rd1], {%f1, %f2};\n"
                                            "red.global.v4.f32.add [%rd1], {%f1,%f1,%f1,%f1};"));
    const struct ptx_instruction *first = find(module, PTX_ATOM, 0), *second = find(module, PTX_ATOM, 1);
    assert_int_equal(operand(module, first, 1)->value, 8);
    assert_int_equal(operand(module, second, 1)->value, 12);
    /* The first overwrites %f1: the second must add its earlier value. */
    assert_int_not_equal(operand(module, second, 2)->slot, operand(module, first, 0)->slot);
    assert_int_equal(find(module, PTX_MOV, 0)->opcode, PTX_MOV);
    assert_int_equal(operand(module, find(module, PTX_RED, 3), 0)->value, 12);
    ptx_module_free(module);
}

TESTS(UNIT(packed_lanes), UNIT(vector_atomics))
