/* test_parse.c: the program that each construct of the language becomes. */
#include "base/test.h"
#include "support_parse.h"

static void versions(void **state) {
    struct ptx_module *module = parse(".version 7.8\n.target sm_52, debug\n.address_size 64\n");
    assert_int_equal(module->version_major, 7);
    assert_int_equal(module->version_minor, 8);
    assert_int_equal(module->target, 52);
    assert_int_equal(module->function_count, 0);
    ptx_module_free(module);
    module = parse(".version 8.10\n.target sm_90a\n");
    assert_int_equal(module->version_minor, 10);
    assert_int_equal(module->target, 90);
    ptx_module_free(module);
}

static void modifiers(void **state) {
    struct ptx_module *module =
        parse(ENTRY("mad.wide.s32 %rd1, %r1, -3, %rd2;\n"
                    "add.rz.ftz.sat.f32 %f1, %f2, 0f3F800000;\n"
                    "cvt.rni.sat.s32.f32 %r1, %f1;\n"
                    "setp.ltu.and.f32 %p1|%p2, %f1, %f2, !%p3;\n"
                    "shf.r.clamp.b32 %r1, %r2, %r3, 5;\n"
                    "ld.global.nc.L1::no_allocate.L2::128B.v2.f32 {%f1, %f2}, [%rd1+-8];\n"
                    "setp.hs.u32 %p1, %r1, 0xffffffff;\n"
                    "bfind.shiftamt.s64 %r1, %rd1;\n"
                    "lop3.b32 %r1, %r2, %r3, %r4, 0xe8;\n"
                    "max.NaN.xorsign.abs.f32 %f1, %f1, %f2;"));
    const struct ptx_instruction *i = find(module, PTX_MAD, 0);
    assert_int_equal(i->type, PTX_S32);
    assert_int_equal(i->form, PTX_WIDE);
    assert_int_equal(operand(module, i, 0)->width, 8);
    assert_int_equal(operand(module, i, 2)->value, -3);
    assert_int_equal(operand(module, i, 2)->width, 4);
    assert_int_equal(operand(module, i, 3)->width, 8);
    i = find(module, PTX_ADD, 0);
    assert_int_equal(i->rounding, PTX_RZ);
    assert_int_equal(i->flags, PTX_FTZ | PTX_SAT);
    assert_int_equal(operand(module, i, 2)->value, 0x3f800000);
    i = find(module, PTX_CVT, 0);
    assert_int_equal(i->type, PTX_S32);
    assert_int_equal(i->source_type, PTX_F32);
    assert_int_equal(i->rounding, PTX_RNI);
    assert_int_equal(i->flags, PTX_SAT);
    i = find(module, PTX_SETP, 0);
    assert_int_equal(i->compare, PTX_LTU);
    assert_int_equal(i->form, PTX_BOOL_AND);
    assert_int_equal(i->destinations, 2);
    assert_int_equal(i->sources, 3);
    assert_true(operand(module, i, 4)->negated);
    assert_int_equal(find(module, PTX_SHF, 0)->form, PTX_RIGHT_CLAMP);
    i = find(module, PTX_LD, 0);
    assert_int_equal(i->space, PTX_GLOBAL);
    assert_int_equal(i->flags, PTX_READ_ONLY | PTX_CACHE_L2_ONLY);
    assert_int_equal(i->destinations, 2);
    assert_int_equal(operand(module, i, 2)->value, -8);
    i = find(module, PTX_SETP, 1);
    assert_int_equal(i->compare, PTX_GE);
    assert_int_equal(operand(module, i, 2)->value, -1); /* one value for each bit pattern */
    i = find(module, PTX_BFIND, 0);
    assert_int_equal(i->flags, PTX_SHIFT_AMOUNT);
    i = find(module, PTX_LOP3, 0);
    assert_int_equal(i->lut, 0xe8);
    assert_int_equal(i->sources, 3);
    assert_int_equal(find(module, PTX_MAX, 0)->flags, PTX_NAN_PROPAGATE | PTX_XORSIGN | PTX_ABS_RESULT);
    ptx_module_free(module);
}

static void constants(void **state) {
    static const struct {
        const char *text;
        int64_t value;
    } cases[] = {{"017", 15},
                 {"0x1F", 31},
                 {"0b101", 5},
                 {"42U", 42},
                 {"-5", -5},
                 {"1+2*3", 7},
                 {"(1+2)*3", 9},
                 {"7/2", 3},
                 {"-7/2", -3},
                 {"7 % 4", 3},
                 {"1<<4", 16},
                 {"-16>>2", -4},
                 {"~0", -1},
                 {"!3", 0},
                 {"3>2", 1},
                 {"2>=3", 0},
                 {"1==1 && 0!=0", 0},
                 {"0||5", 1},
                 {"6&3|8", 10},
                 {"6^3", 5},
                 {"1?10:20", 10},
                 {"0?10:20", 20},
                 {"(.u64)-1>>63", 1},
                 {"(.s64)(-1)>>63", -1},
                 {"WARP_SZ*2", 64},
                 {"10-3-2", 5},
                 {"0xFFFFFFFFFFFFFFFF", -1},
                 {"(-9223372036854775807-1)/-1", INT64_MIN},
                 {"1<2==1", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        snprintf(text, sizeof text, "%s %s;}", HEAD ".entry k(){.reg .b64 %rd1; mov.b64 %rd1,",
                 cases[i].text);
        struct ptx_module *module = parse(text);
        assert_int_equal(operand(module, find(module, PTX_MOV, 0), 1)->value, cases[i].value);
        ptx_module_free(module);
    }
}

static void float_constants(void **state) {
    static const struct {
        const char *type, *reg, *text;
        int64_t value;
    } cases[] = {{"f32", "%f1", "0f40490FDB", 0x40490fdb},
                 {"f32", "%f1", "1.5", 0x3fc00000},
                 {"f32", "%f1", "-0f3F800000", 0xbf800000},
                 {"f32", "%f1", "0d3FF0000000000000", 0x3f800000},
                 {"f64", "%fd1", "0d3FF0000000000000", 0x3ff0000000000000},
                 {"f64", "%fd1", "0f3F800000", 0x3ff0000000000000},
                 {"f64", "%fd1", "1e1", 0x4024000000000000},
                 {"b32", "%r1", "0fBF800000", (int32_t)0xbf800000},
                 {"b64", "%rd1", "0dBFF0000000000000", (int64_t)0xbff0000000000000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        snprintf(text, sizeof text, "%s mov.%s %s, %s;}",
                 HEAD ".entry k(){.reg .b32 %r1; .reg .b64 %rd1; .reg .f32 %f1; .reg .f64 %fd1;",
                 cases[i].type, cases[i].reg, cases[i].text);
        struct ptx_module *module = parse(text);
        assert_int_equal(operand(module, find(module, PTX_MOV, 0), 1)->value, cases[i].value);
        ptx_module_free(module);
    }
}

static void vectors(void **state) {
    struct ptx_module *module = parse(ENTRY("mov.b64 {%r1, _}, %rd1;\n"
                                            "mov.b64 %rd2, {%r1, 7};\n"
                                            "mov.b32 %r2, {%rs1, %rs2};\n"
                                            "mov.b64 {%rs1,%rs2,%rs3,%rs4}, %rd2;\n"
                                            "st.global.v4.u32 [%rd1], {%r1, %r2, 3, %r1};"));
    const struct ptx_instruction *i = find(module, PTX_UNPACK, 0);
    assert_int_equal(i->destinations, 2);
    assert_int_equal(i->type, PTX_B64);
    assert_int_equal(operand(module, i, 1)->kind, PTX_OPERAND_NONE);
    i = find(module, PTX_PACK, 0);
    assert_int_equal(i->sources, 2);
    assert_int_equal(operand(module, i, 2)->value, 7);
    assert_int_equal(operand(module, i, 2)->width, 4);
    assert_int_equal(operand(module, find(module, PTX_PACK, 1), 1)->width, 2);
    assert_int_equal(find(module, PTX_UNPACK, 1)->destinations, 4);
    i = find(module, PTX_ST, 0);
    assert_int_equal(i->sources, 5);
    assert_int_equal(operand(module, i, 0)->kind, PTX_OPERAND_ADDRESS);
    assert_int_equal(operand(module, i, 3)->value, 3);
    ptx_module_free(module);
}

static void scopes(void **state) {
    /* %r1 of the inner scope is another register, wider; so is its label. */
    struct ptx_module *module = parse(ENTRY("L: mov.u32 %r1, 1;\n"
                                            "{ .reg .b64 %r1; L: mov.u64 %r1, 2; @%p1 bra L; }\n"
                                            "@%p1 bra L; st.global.u32 [%rd1], %r1;"));
    assert_int_equal(operand(module, find(module, PTX_MOV, 0), 0)->width, 4);
    assert_int_equal(operand(module, find(module, PTX_MOV, 1), 0)->width, 8);
    assert_int_equal(find(module, PTX_BRA, 0)->target, 1);
    assert_int_equal(find(module, PTX_BRA, 1)->target, 0);
    assert_int_equal(operand(module, find(module, PTX_ST, 0), 1)->width, 4);
    ptx_module_free(module);
    /* A jump out of a scope to a label that comes later; a range whose name ends in a digit. */
    module = parse(
        HEAD
        ".entry k(.param .u64 p){.reg .b32 %r1<20>; .reg .pred q; { @q bra OUT; mov.u32 %r112, 5; } OUT: }");
    assert_int_equal(find(module, PTX_BRA, 0)->target, 2);
    assert_int_equal(find(module, PTX_RET, 0) - kernel(module)->instructions, 2);
    ptx_module_free(module);
}

static void shared_layout(void **state) {
    struct ptx_module *module =
        parse(HEAD ".shared .align 4 .b8 first[6];\n"
                   ".shared .align 8 .b8 second[8];\n"
                   ".extern .shared .align 16 .b8 more[];\n"
                   ".func f() {.reg .b32 %r1; mov.u32 %r1, second; st.shared.u32 [%r1], 1;}\n"
                   ".entry a() {.reg .b32 %r1; .shared .align 16 .b8 own[20]; mov.u32 %r1, own; "
                   "st.shared.b32 [own+4], %r1; st.shared.b32 [first], 1;}\n"
                   ".entry k(.param .u64 p) {.reg .b32 %r<9>; .shared .b8 own[3]; call f; "
                   "mov.u32 %r2, own; mov.u32 %r3, more; st.shared.b32 [more+8], %r2; "
                   "st.shared.b32 [%r3], %r2;}\n"
                   ".entry none() {}\n");
    const struct ptx_function *a = &module->functions[ptx_find_function(module, "a")];
    assert_int_equal(a->shared_bytes, 16 + 20); /* first ends at 6, own starts at 16 */
    assert_int_equal(a->operands[a->instructions[0].operand + 1].value, 16);
    assert_int_equal(a->operands[a->instructions[1].operand].value, 20);
    assert_int_equal(a->operands[a->instructions[2].operand].value, 0);
    assert_false(a->uses_dynamic_shared);
    const struct ptx_function *k = kernel(module);
    assert_int_equal(k->shared_bytes,
                     11); /* second, named by f, is 0..8, as no entry has it and first; own is 8..11 */
    assert_int_equal(k->dynamic_alignment, 16);
    assert_true(k->uses_dynamic_shared);
    assert_int_equal(operand(module, find(module, PTX_MOV, 0), 1)->value, 8);
    assert_int_equal(operand(module, find(module, PTX_MOV, 1), 1)->value, 16);
    assert_int_equal(operand(module, find(module, PTX_ST, 0), 0)->value, 24);
    assert_int_equal(module->functions[ptx_find_function(module, "none")].shared_bytes, 0);
    ptx_module_free(module);
}

static void dynamic_shared_in_a_function(void **state) {
    /* f must find dynamic memory at one place for both of its callers. */
    struct ptx_module *module =
        parse(HEAD ".extern .shared .align 8 .b8 more[];\n"
                   ".func f() {.reg .b32 %r1; mov.u32 %r1, more; st.shared.u32 [%r1], 1;}\n"
                   ".entry a() {.shared .b8 own[20]; st.shared.u8 [own], 1; call f;}\n"
                   ".entry b() {.shared .b8 own[33]; st.shared.u8 [own], 1; call f;}\n");
    const struct ptx_function *f = &module->functions[ptx_find_function(module, "f")];
    assert_int_equal(f->operands[f->instructions[0].operand + 1].value, 40);
    for (const char *name = "a"; name != NULL; name = *name == 'a' ? "b" : NULL) {
        const struct ptx_function *entry = &module->functions[ptx_find_function(module, name)];
        assert_int_equal(entry->shared_bytes, 40);
        assert_true(entry->uses_dynamic_shared);
    }
    ptx_module_free(module);
}

static void parameters(void **state) {
    struct ptx_module *module =
        parse(HEAD ".entry k(.param .u8 a, .param .align 8 .b8 s[12], "
                   ".param .u64 .ptr .global .align 16 q, .param .f32 f)\n"
                   "{.reg .b32 %r<9>; .reg .b64 %rd<9>; ld.param.u32 %r1, [s+8]; mov.b64 %rd1, s; "
                   "ld.param.u32 %r2, [%rd1+4]; ld.param.u8 %r3, [a]; cvta.param.u64 %rd2, s; "
                   "st.global.u32 [%rd2], %r1;}");
    const struct ptx_function *k = kernel(module);
    assert_int_equal(k->parameter_count, 4);
    assert_int_equal(k->parameter_bytes, 36);
    static const uint32_t offsets[] = {0, 8, 24, 32}, sizes[] = {1, 12, 8, 4};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(k->parameters[i].offset, offsets[i]);
        assert_int_equal(k->parameters[i].size, sizes[i]);
    }
    assert_int_equal(find(module, PTX_LD, 0)->space, PTX_PARAM_ENTRY);
    assert_int_equal(operand(module, find(module, PTX_LD, 0), 1)->value, 16);
    assert_int_equal(operand(module, find(module, PTX_MOV, 0), 1)->value, 8);
    assert_int_equal(find(module, PTX_LD, 1)->space, PTX_PARAM_ENTRY);
    assert_int_equal(find(module, PTX_CVTA, 0)->space, PTX_PARAM_ENTRY);
    assert_int_equal(find(module, PTX_CVTA, 0)->form, PTX_TO_GENERIC);
    ptx_module_free(module);
}

static void calls(void **state) {
    struct ptx_module *module =
        parse(HEAD ".func (.param .b32 r) f (.param .b64 a, .param .align 4 .b8 b[12]);\n"
                   ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
                   ".entry k(.param .u64 p) {.reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
                   "{ .param .b64 x; .param .align 4 .b8 y[12]; .param .b32 z; st.param.b64 [x+0], %rd1; "
                   "st.param.b32 [y+8], 3;\n"
                   "  call.uni (z), f, (x, y); ld.param.b32 %r1, [z]; }\n"
                   "{ .param .b64 x; .param .align 4 .b8 y[12]; .param .b32 z;\n"
                   "  t : .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 4 .b8 _[12]);\n"
                   "  mov.u64 %rd2, f; call (z), %rd2, (x, y), t; }\n"
                   "{ .param .b64 x; .param .b64 y; .param .b32 z; call (z), vprintf, (x, y); } }\n"
                   ".func (.param .b32 r) f (.param .b64 a, .param .align 4 .b8 b[12]) {.reg .b32 %r<9>; "
                   "ld.param.u32 %r1, [b+4]; st.param.b32 [r], %r1; ret;}\n");
    const struct ptx_function *k = kernel(module);
    const struct ptx_function *f = &module->functions[ptx_find_function(module, "f")];
    assert_int_equal(f->result_count, 1);
    assert_int_equal(f->parameter_count, 3);
    assert_int_equal(f->parameters[1].offset, 8);
    assert_int_equal(f->parameters[2].offset, 16);
    assert_int_equal(f->frame_bytes, 28);
    assert_int_equal(k->frame_bytes, 24); /* both scopes use the same room */
    const struct ptx_call *direct = &k->calls[find(module, PTX_CALL, 0)->target];
    assert_int_equal(direct->argument_count, 2);
    assert_int_equal(direct->arguments[1].caller_offset, 8);
    assert_int_equal(direct->arguments[1].callee_offset, 16);
    assert_int_equal(direct->arguments[1].size, 12);
    assert_int_equal(direct->results[0].caller_offset, 20);
    assert_int_equal(direct->results[0].callee_offset, 0);
    const struct ptx_call *indirect = &k->calls[find(module, PTX_CALL, 1)->target];
    assert_int_equal(indirect->function, -1);
    assert_memory_equal(indirect->arguments, direct->arguments, 2 * sizeof *direct->arguments);
    assert_int_equal(find(module, PTX_CALL, 1)->sources, 1);
    assert_int_equal(operand(module, find(module, PTX_MOV, 0), 1)->kind, PTX_OPERAND_FUNCTION);
    const struct ptx_call *print = &k->calls[find(module, PTX_CALL, 2)->target];
    assert_int_equal(module->functions[print->function].builtin, PTX_VPRINTF);
    assert_true(k->uses_calls);
    assert_false(k->uses_recursion);
    ptx_module_free(module);
}

static void recursion(void **state) {
    struct ptx_module *module = parse(HEAD ".func g();\n"
                                           ".func f() {.shared .b8 s[4]; bar.sync 0; call g;}\n"
                                           ".func g() {.local .b8 l[8]; call f;}\n"
                                           ".func h() {ret;}\n"
                                           ".entry k(.param .u64 p) {call f;}\n"
                                           ".entry other() {call h;}");
    assert_true(kernel(module)->uses_recursion);
    assert_true(kernel(module)->uses_barrier);
    assert_true(kernel(module)->uses_local);
    const struct ptx_function *other = &module->functions[ptx_find_function(module, "other")];
    assert_false(other->uses_recursion);
    assert_false(other->uses_barrier);
    ptx_module_free(module);
}

static void tables(void **state) {
    struct ptx_module *module = parse(ENTRY("T: .branchtargets A, B, A;\n"
                                            "brx.idx %r1, T;\n"
                                            "A: mov.u32 %r1, 1;\n"
                                            "bra C;\n"
                                            "B: mov.u32 %r1, 2;\n"
                                            "C: st.global.u32 [%rd1], %r1;"));
    const struct ptx_instruction *i = find(module, PTX_BRX, 0);
    const struct ptx_table *table = &kernel(module)->tables[i->target];
    assert_int_equal(table->count, 3);
    assert_int_equal(table->targets[0], 1);
    assert_int_equal(table->targets[1], 3);
    assert_int_equal(table->targets[2], 1);
    assert_int_equal(i->reconverge, 4);
    ptx_module_free(module);
}

static void initial_values(void **state) {
    struct ptx_module *module =
        parse(HEAD ".global .align 4 .u32 a[2][3] = {{1, 2}, {0x10}};\n"
                   ".const .f32 c[2] = {1.0, 0fBF800000};\n"
                   ".global .b8 text[] = {72, 105, 0};\n"
                   ".func f() {ret;}\n"
                   ".global .u64 pointers[4] = {a+8, generic(text)+1, f, 5};\n"
                   ".global .b8 bytes[3] = {0xFF(a), 0xFF00(generic(text)+4), mask(0xFF0000)(f)};\n"
                   ".global .s16 negative = -2;\n"
                   ".global .f64 d = -2;\n"
                   ".global .v2 .u16 pair[1] = {{7, 8}};\n");
    const struct ptx_symbol *a = &module->symbols[ptx_find_symbol(module, "a")];
    assert_int_equal(a->size, 24);
    static const uint32_t values[6] = {1, 2, 0, 16, 0, 0};
    assert_memory_equal(a->initial, values, sizeof values);
    static const float floats[2] = {1.0f, -1.0f};
    assert_memory_equal(module->symbols[ptx_find_symbol(module, "c")].initial, floats, sizeof floats);
    assert_int_equal(module->symbols[ptx_find_symbol(module, "c")].space, PTX_CONST);
    assert_int_equal(module->symbols[ptx_find_symbol(module, "text")].size, 3);
    assert_memory_equal(module->symbols[ptx_find_symbol(module, "text")].initial, "Hi", 3);
    const struct ptx_symbol *pointers = &module->symbols[ptx_find_symbol(module, "pointers")];
    assert_int_equal(pointers->relocation_count, 3);
    assert_int_equal(pointers->relocations[0].symbol, ptx_find_symbol(module, "a"));
    assert_int_equal(pointers->relocations[0].addend, 8);
    assert_int_equal(pointers->relocations[1].offset, 8);
    assert_int_equal(pointers->relocations[1].addend, 1);
    assert_true(pointers->relocations[1].generic);
    assert_int_equal(pointers->relocations[2].symbol, -1);
    assert_int_equal(pointers->relocations[2].function, ptx_find_function(module, "f"));
    assert_int_equal(pointers->initial[24], 5);
    const struct ptx_symbol *bytes = &module->symbols[ptx_find_symbol(module, "bytes")];
    assert_int_equal(bytes->relocation_count, 3);
    assert_int_equal(bytes->relocations[1].shift, 8);
    assert_int_equal(bytes->relocations[1].width, 1);
    assert_int_equal(bytes->relocations[1].addend, 4);
    assert_int_equal(bytes->relocations[2].shift, 16);
    assert_memory_equal(module->symbols[ptx_find_symbol(module, "negative")].initial, "\xfe\xff", 2);
    static const double two = -2.0;
    assert_memory_equal(module->symbols[ptx_find_symbol(module, "d")].initial, &two, sizeof two);
    assert_memory_equal(module->symbols[ptx_find_symbol(module, "pair")].initial, "\x07\0\x08", 4);
    ptx_module_free(module);
}

/* b.h:78 is in a function that c.h:9 calls; sixteen other calls. */
#define IN_B ".loc 2 78 3, function_name $L__info_string0+12, inlined_at 3 9 3\n"
#define FOUR(text) text text text text
#define OTHERS FOUR(FOUR(".loc 1 20 3, function_name $L__info_string0, inlined_at 1 13 5\n"))

static void source_lines(void **state) {
    /* a.cu:12 calls what stands at c.h:9. A copy of the loop behind other calls does not say so again. */
    struct ptx_module *module = parse(ENTRY(".loc 1 10 3\n"
                                            "add.u32 %r1, %r1, 1;\n"
                                            ".loc 1 0 3\n"
                                            "sub.u32 %r1, %r1, 1;\n"
                                            ".loc 1 12 5\n"
                                            ".loc 3 9 3, function_name $L__info_string0, inlined_at 1 12 5\n"
                                            "mul.lo.u32 %r1, %r1, 3;\n" IN_B
                                            "st.global.u32 [%rd1], %r1;\n" OTHERS IN_B "or.b32 %r1, %r1, 1;\n"
                                            ".loc 1 13 5\n"
                                            "membar.gl;") ".file 1 \"a.cu\"\n"
                                                          ".file 2 \"b.h\", 123, 456\n"
                                                          ".file 3 \"c.h\"\n"
                                                          ".section .debug_str\n"
                                                          "{\n"
                                                          "$L__info_string0:\n"
                                                          ".b8 95,90\n"
                                                          ".b32 a-b\n"
                                                          "}\n");
    static const struct {
        enum ptx_opcode opcode;
        const char *file;
        uint32_t line, outer_line;
    } cases[] = {{PTX_ADD, "a.cu", 10, 10}, {PTX_SUB, "a.cu", 10, 10}, {PTX_MUL, "c.h", 9, 12},
                 {PTX_ST, "b.h", 78, 12},   {PTX_OR, "b.h", 78, 12},   {PTX_MEMBAR, "a.cu", 13, 13}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct ptx_instruction *instruction = find(module, cases[i].opcode, 0);
        assert_string_equal(module->files[instruction->file], cases[i].file);
        assert_int_equal(instruction->line, cases[i].line);
        assert_string_equal(module->files[instruction->outer_file], "a.cu");
        assert_int_equal(instruction->outer_line, cases[i].outer_line);
    }
    ptx_module_free(module);
}

static void attribute_values(void **state) {
    struct ptx_module *module =
        parse(HEAD ".pragma \"hello\";\n"
                   ".weak .entry k(.param .u64 p) .maxntid 256, 2 .minnctapersm 3 .pragma \"x\"; "
                   ".maxnreg 40\n"
                   "{.pragma \"nounroll\"; ret;}\n"
                   ".entry fixed() .reqntid 32,4,2 {exit;}\n"
                   ".extern .func stop(.param .b32 a) .noreturn;\n");
    const struct ptx_function *k = kernel(module);
    assert_int_equal(k->max_threads[0], 256);
    assert_int_equal(k->max_threads[1], 2);
    assert_int_equal(k->max_threads[2], 1);
    assert_int_equal(k->min_blocks, 3);
    assert_int_equal(k->required_threads[0], 0);
    const struct ptx_function *fixed = &module->functions[ptx_find_function(module, "fixed")];
    assert_int_equal(fixed->required_threads[2], 2);
    assert_false(module->functions[ptx_find_function(module, "stop")].defined);
    ptx_module_free(module);
}

static void atomics(void **state) {
    struct ptx_module *module = parse(ENTRY("atom.global.add.u32 %r1, [%rd1], 1;\n" /* result unread */
                                            "atom.global.exch.b32 %r2, [%rd1], 2;\n"
                                            "atom.global.add.u32 %r3, [%rd1], 3;\n"
                                            "st.global.u32 [%rd1], %r3;"));
    assert_int_equal(find(module, PTX_RED, 0)->destinations, 0);
    assert_int_equal(operand(module, find(module, PTX_RED, 0), 1)->value, 1);
    assert_int_equal(operand(module, find(module, PTX_ATOM, 0), 0)->kind, PTX_OPERAND_NONE);
    assert_int_equal(operand(module, find(module, PTX_ATOM, 1), 0)->kind, PTX_OPERAND_REGISTER);
    assert_true(kernel(module)->uses_ordered_atomics);
    ptx_module_free(module);
    module = parse(ENTRY("atom.global.add.u32 %r1, [%rd1], 1;\n"
                         "atom.shared.cas.b32 %r1, [%r2], 1, 2;\n"
                         "red.shared.add.f32 [%r2], %f1; st.global.u32 [%rd1], %r1;"));
    assert_false(kernel(module)->uses_ordered_atomics);
    ptx_module_free(module);
    module = parse(ENTRY("red.global.add.f32 [%rd1], %f1;"));
    assert_true(kernel(module)->uses_ordered_atomics);
    ptx_module_free(module);
}

static void local_variables(void **state) {
    struct ptx_module *module = parse(ENTRY(".local .align 16 .b8 a[20];\n"
                                            ".local .u64 b;\n"
                                            "mov.u64 %rd1, b;\n"
                                            "ld.local.u32 %r1, [a+4];\n"
                                            "cvta.local.u64 %rd2, a;\n"
                                            "st.u32 [%rd2], %r1;\n"
                                            "st.local.u64 [b], %rd1;"));
    assert_int_equal(kernel(module)->local_bytes, 32);
    assert_int_equal(kernel(module)->local_alignment, 16);
    assert_int_equal(operand(module, find(module, PTX_MOV, 0), 1)->kind, PTX_OPERAND_FRAME);
    assert_int_equal(operand(module, find(module, PTX_MOV, 0), 1)->value, 24);
    assert_int_equal(operand(module, find(module, PTX_MOV, 1), 1)->value,
                     4); /* the load's address, made before it */
    assert_true(operand(module, find(module, PTX_LD, 0), 1)->slot >= 0);
    assert_int_equal(operand(module, find(module, PTX_CVTA, 0), 1)->kind, PTX_OPERAND_REGISTER);
    ptx_module_free(module);
}

static void old_spellings(void **state) {
    /* Before .sync: the member mask is the active threads; both instructions have the guard. */
    struct ptx_module *module = parse(ENTRY("@%p1 shfl.up.b32 %r1|%p2, %r2, 1, 0;\n"
                                            "vote.ballot.b32 %r3, %p2;\n"
                                            "st.global.u32 [%rd1], %r1;\n"
                                            "st.global.u32 [%rd1], %r3;\n"
                                            "bar.red.popc.u32 %r4, 0, %p1;\n"
                                            "bar.red.or.pred %p3, 1, 64, !%p1;\n"
                                            "mad.rn.f32 %f1, %f1, %f2, %f3;\n"
                                            "membar.gl;\n"
                                            "cvta.to.global.u64 %rd1, %rd2;"));
    const struct ptx_instruction *shuffle = find(module, PTX_SHFL, 0),
                                 *mask = find(module, PTX_ACTIVEMASK, 0);
    assert_int_equal(mask->guard, shuffle->guard);
    assert_int_equal(shuffle->sources, 4);
    assert_int_equal(operand(module, shuffle, 5)->slot, operand(module, mask, 0)->slot);
    assert_int_equal(find(module, PTX_VOTE, 0)->sources, 2);
    assert_int_equal(find(module, PTX_BAR, 0)->sources, 2);
    assert_int_equal(find(module, PTX_BAR, 1)->sources, 3);
    assert_true(operand(module, find(module, PTX_BAR, 1), 3)->negated);
    assert_int_equal(find(module, PTX_FMA, 0)->rounding, PTX_RN);
    assert_int_equal(find(module, PTX_CVTA, 0)->form, PTX_FROM_GENERIC);
    ptx_module_free(module);
}

static void special_registers(void **state) {
    struct ptx_module *module = parse(ENTRY("mov.u32 %r1, %ctaid.z;\n"
                                            "mov.u64 %rd1, %clock64;\n"
                                            "mov.u32 %r2, %lanemask_lt;\n"
                                            "add.u32 %r3, %r1, %tid.x;\n"
                                            "mov.u64 %rd2, %globaltimer;"));
    assert_int_equal(operand(module, find(module, PTX_MOV, 0), 1)->value, PTX_CTAID_Z);
    assert_int_equal(operand(module, find(module, PTX_MOV, 1), 1)->value, PTX_CLOCK64);
    assert_int_equal(operand(module, find(module, PTX_MOV, 1), 1)->width, 8);
    assert_int_equal(operand(module, find(module, PTX_ADD, 0), 2)->kind, PTX_OPERAND_SPECIAL);
    ptx_module_free(module);
}

static void comments_and_blanks(void **state) {
    struct ptx_module *module =
        parse("// first\n/* second\n */ \n" ENTRY("/**/mov.u32/* a */%r1 , //\n 1 ;"));
    assert_int_equal(find(module, PTX_MOV, 0)->ptx_line, 15);
    ptx_module_free(module);
}

TESTS(UNIT(versions), UNIT(modifiers), UNIT(constants), UNIT(float_constants), UNIT(vectors), UNIT(scopes),
      UNIT(shared_layout), UNIT(dynamic_shared_in_a_function), UNIT(parameters), UNIT(calls), UNIT(recursion),
      UNIT(tables), UNIT(initial_values), UNIT(source_lines), UNIT(attribute_values), UNIT(atomics),
      UNIT(local_variables), UNIT(old_spellings), UNIT(special_registers), UNIT(comments_and_blanks))
