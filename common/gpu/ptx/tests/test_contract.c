/* test_contract.c: which products and sums become one operation, by the rules of README.md, with
 * the machine code of ptxas 13.0. test_contract_machine.c compares with today's ptxas. */
#include "base/test.h"

#include "support_parse.h"

/* The floats f1 to f8, the doubles fd1 to fd8 and the halves rs1 to rs8 are loaded; p1 is a
 * comparison. */
#define BODY(body)                                                                                           \
    ENTRY("ld.param.u64 %rd1, [p];\nld.global.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1];\n"                           \
          "ld.global.v4.f32 {%f5,%f6,%f7,%f8}, [%rd1+16];\n"                                                 \
          "ld.global.v2.f64 {%fd1,%fd2}, [%rd1+32];\nld.global.v2.f64 {%fd3,%fd4}, [%rd1+48];\n"             \
          "ld.global.v4.b16 {%rs1,%rs2,%rs3,%rs4}, [%rd1+64];\n"                                             \
          "ld.global.v4.b32 {%r1,%r2,%r3,%r4}, [%rd1+72];\nsetp.gt.f32 %p1, %f1, %f2;\n"                     \
          ".reg .f32 %a, %b, %c, %s, %t, %u;\n.reg .f64 %da, %ds, %dt;\n.reg .b16 %ha, %hs;\n"               \
          ".reg .b32 %xa, %xb, %xs, %xt;\n" body "\nret;")
#define STORE_S "st.global.f32 [%rd1], %s;\n"
#define STORE_T "st.global.f32 [%rd1+4], %t;\n"
#define STORE_A "st.global.f32 [%rd1+8], %a;\n"
#define PRODUCT "mul.f32 %a, %f1, %f2;\n"
#define PRODUCTS PRODUCT "mul.f32 %b, %f3, %f4;\n"

/* A case: its text, and the float operations that remain: "-*" negates its product, "-+" its
 * addend. */
struct contracted {
    const char *rule, *text, *left;
};

static const struct contracted cases[] = {
    {"a product and a sum", BODY(PRODUCT "add.f32 %s, %a, %f3;" STORE_S), "fma"},
    {"in either order", BODY(PRODUCT "add.f32 %s, %f3, %a;" STORE_S), "fma"},
    {"a difference", BODY(PRODUCT "sub.f32 %s, %a, %f3;" STORE_S), "fma-+"},
    {"the product taken away", BODY(PRODUCT "sub.f32 %s, %f3, %a;" STORE_S), "fma-*"},
    {"a negated product", BODY(PRODUCT "neg.f32 %b, %a; add.f32 %s, %b, %f3;" STORE_S), "fma-*"},
    {"a negated product less", BODY(PRODUCT "neg.f32 %b, %a; sub.f32 %s, %b, %f3;" STORE_S), "fma-*-+"},
    {"negated twice", BODY(PRODUCT "neg.f32 %b, %a; sub.f32 %s, %f3, %b;" STORE_S), "fma"},
    {"times minus one", BODY(PRODUCT "mul.f32 %b, %a, 0fBF800000; add.f32 %s, %b, %f3;" STORE_S), "fma-*"},
    {"times one", BODY(PRODUCT "mul.f32 %b, %a, 0f3F800000; add.f32 %s, %b, %f3;" STORE_S), "fma"},
    {"times two is a product", BODY(PRODUCT "mul.f32 %b, %a, 0f40000000; add.f32 %s, %b, %f3;" STORE_S),
     "mul fma"},
    {"a copy", BODY(PRODUCT "mov.f32 %b, %a; add.f32 %s, %b, %f3;" STORE_S), "fma"},
    {"a copy through an integer",
     BODY(PRODUCT "mov.b32 %xa, %a; mov.b32 %b, %xa; add.f32 %s, %b, %f3;" STORE_S), "fma"},
    {"a magnitude", BODY(PRODUCT "abs.f32 %b, %a; add.f32 %s, %b, %f3;" STORE_S), "mul abs add"},
    {"a square's magnitude", BODY("mul.f32 %a, %f1, %f1; abs.f32 %b, %a; add.f32 %s, %b, %f3;" STORE_S),
     "fma"},
    {"constants", BODY("mul.f32 %a, %f1, 0f40400000; add.f32 %s, %a, 0f40500000;" STORE_S), "fma"},

    {"a rounded product", BODY("mul.rn.f32 %a, %f1, %f2; add.f32 %s, %a, %f3;" STORE_S), "mul add"},
    {"a rounded sum", BODY(PRODUCT "add.rn.f32 %s, %a, %f3;" STORE_S), "mul add"},
    {"a rounded difference", BODY(PRODUCT "sub.rz.f32 %s, %a, %f3;" STORE_S), "mul sub"},
    {"flushed, both", BODY("mul.ftz.f32 %a, %f1, %f2; add.ftz.f32 %s, %a, %f3;" STORE_S), "fma"},
    {"flushed, the product", BODY("mul.ftz.f32 %a, %f1, %f2; add.f32 %s, %a, %f3;" STORE_S), "mul add"},
    {"flushed, the sum", BODY(PRODUCT "add.ftz.f32 %s, %a, %f3;" STORE_S), "mul add"},
    {"a flushing negation", BODY(PRODUCT "neg.ftz.f32 %b, %a; add.f32 %s, %b, %f3;" STORE_S), "mul neg add"},
    {"saturated, the sum", BODY(PRODUCT "add.sat.f32 %s, %a, %f3;" STORE_S), "fma"},
    {"saturated, the product", BODY("mul.sat.f32 %a, %f1, %f2; add.f32 %s, %a, %f3;" STORE_S), "mul add"},

    {"two products: the first", BODY(PRODUCTS "add.f32 %s, %a, %b;" STORE_S), "mul fma"},
    {"two products: less", BODY(PRODUCTS "sub.f32 %s, %a, %b;" STORE_S), "mul fma-+"},
    {"a product and itself", BODY(PRODUCT "add.f32 %s, %a, %a;" STORE_S), "mul add"},
    {"two sums", BODY(PRODUCT "add.f32 %s, %a, %f3; sub.f32 %t, %f4, %a;" STORE_S STORE_T), "fma fma-*"},
    {"a sum and a store", BODY(PRODUCT "add.f32 %s, %a, %f3;" STORE_S STORE_A), "mul add"},
    {"a sum and a product", BODY(PRODUCT "add.f32 %s, %a, %f3; mul.f32 %t, %a, %f4;" STORE_S STORE_T),
     "mul add mul"},
    {"a sum and a fused addend",
     BODY(PRODUCT "add.f32 %s, %a, %f3; fma.rn.f32 %t, %f3, %f4, %a;" STORE_S STORE_T), "mul add fma"},
    {"a sum and a sum of another kind",
     BODY(PRODUCT "add.f32 %s, %a, %f3; add.rn.f32 %t, %a, %f4;" STORE_S STORE_T), "mul add add"},
    {"a sum and what nobody reads", BODY(PRODUCT "add.f32 %s, %a, %f3; mul.f32 %t, %a, %f4;" STORE_S),
     "mul fma mul"},
    {"fewer readers first: the second product",
     BODY(PRODUCTS "add.f32 %s, %a, %b; add.f32 %t, %a, %f5;" STORE_S STORE_T), "mul fma add"},
    {"one reader before several, whatever the order",
     BODY(PRODUCTS "add.f32 %t, %b, %f5; add.f32 %s, %a, %b;" STORE_S STORE_T), "mul add fma"},
    {"two readers each: in order",
     BODY(PRODUCTS "mul.f32 %c, %f5, %f6; add.f32 %s, %a, %b; add.f32 %t, %b, %c;"
                   "add.f32 %u, %c, %a;" STORE_S STORE_T "st.global.f32 [%rd1], %u;"),
     "mul mul fma fma fma"},
    {"a chain", BODY(PRODUCT "add.f32 %b, %a, %f3; mul.f32 %c, %b, %f2; sub.f32 %s, %c, %f4;" STORE_S),
     "fma fma-+"},

    {"a guarded sum", BODY(PRODUCT "mov.f32 %s, %f3; @%p1 add.f32 %s, %a, %f4;" STORE_S), "fma"},
    {"a guarded product", BODY("mov.f32 %a, %f3; @%p1 mul.f32 %a, %f1, %f2; add.f32 %s, %a, %f4;" STORE_S),
     "mul add"},
    {"a guarded copy", BODY(PRODUCT "mov.f32 %b, %f3; @%p1 mov.f32 %b, %a; add.f32 %s, %b, %f4;" STORE_S),
     "mul add"},
    {"overwritten under a guard", BODY(PRODUCT "@%p1 mov.f32 %a, %f3; add.f32 %s, %a, %f4;" STORE_S),
     "mul add"},
    {"a selection", BODY(PRODUCT "selp.f32 %b, %a, %f3, %p1; add.f32 %s, %b, %f4;" STORE_S), "mul add"},
    {"overwritten afterwards", BODY(PRODUCT "add.f32 %s, %a, %f3; mov.f32 %a, %f4;" STORE_S STORE_A), "fma"},
    {"what it multiplies overwritten", BODY(PRODUCT "mov.f32 %f1, %f5; add.f32 %s, %a, %f1;" STORE_S),
     "mul add"},
    {"into itself", BODY("mul.f32 %f1, %f1, %f2; add.f32 %s, %f1, %f3;" STORE_S), "mul add"},

    {"another block", BODY(PRODUCT "mov.f32 %s, %f3; @%p1 bra L; add.f32 %s, %a, %f4; L:" STORE_S),
     "mul add"},
    {"one of two readers in another block",
     BODY(PRODUCT "add.f32 %s, %a, %f3; @%p1 bra L; add.f32 %s, %a, %f4; L:" STORE_S), "mul add add"},
    {"both in a block", BODY("mov.f32 %s, %f3; @%p1 bra L; " PRODUCT "add.f32 %s, %a, %f4; L:" STORE_S),
     "fma"},
    {"a label that nothing goes to", BODY(PRODUCT "L: add.f32 %s, %a, %f3;" STORE_S), "fma"},
    {"a jump to the only place", BODY(PRODUCT "bra L; M: add.f32 %s, %a, %f3;" STORE_S "ret; L: bra M;"),
     "fma"},
    {"a loop's body",
     BODY("mov.f32 %s, 0f00000000; L: " PRODUCT
          "sub.f32 %s, %s, %a; setp.gt.f32 %p2, %s, %f3; @%p2 bra L;" STORE_S),
     "fma-*"},
    {"the trip before",
     BODY("mov.f32 %s, 0f00000000; mov.f32 %a, %s; L: add.f32 %s, %s, %a; mul.f32 %a, %s, %f2;"
          "setp.gt.f32 %p2, %s, %f3; @%p2 bra L;" STORE_S),
     "add mul"},
    {"a barrier between", BODY(PRODUCT "bar.sync 0; add.f32 %s, %a, %f3;" STORE_S), "fma"},
    {"a store between", BODY(PRODUCT "st.global.f32 [%rd1+8], %f5; add.f32 %s, %a, %f3;" STORE_S), "fma"},
    {"a guarded store between",
     BODY(PRODUCT "@%p1 st.global.f32 [%rd1+8], %f5; add.f32 %s, %a, %f3;" STORE_S), "mul add"},
    {"a guarded return between", BODY(PRODUCT "@%p1 ret; add.f32 %s, %a, %f3;" STORE_S), "mul add"},
    {"a guarded sum between", BODY(PRODUCT "@%p1 add.s32 %r1, %r2, %r3; add.f32 %s, %a, %f3;" STORE_S),
     "fma"},
    {"a fence between", BODY(PRODUCT "membar.gl; add.f32 %s, %a, %f3;" STORE_S), "mul add"},
    {"an exact division between", BODY(PRODUCT "div.rn.f32 %b, %f4, %f5; add.f32 %s, %a, %b;" STORE_S),
     "mul div add"},
    {"a fast division between", BODY(PRODUCT "div.full.f32 %b, %f4, %f5; add.f32 %s, %a, %b;" STORE_S),
     "div fma"},
    {"an exact root between", BODY(PRODUCT "sqrt.rn.f32 %b, %f4; add.f32 %s, %a, %b;" STORE_S),
     "mul sqrt add"},

    {"doubles", BODY("mul.f64 %da, %fd1, %fd2; sub.f64 %ds, %fd3, %da; st.global.f64 [%rd1], %ds;"), "fma-*"},
    {"rounded doubles",
     BODY("mul.rn.f64 %da, %fd1, %fd2; sub.f64 %ds, %fd3, %da; st.global.f64 [%rd1], %ds;"), "mul sub"},
    {"doubles and floats",
     BODY(PRODUCT "cvt.f64.f32 %da, %a; add.f64 %ds, %da, %fd1; st.global.f64 [%rd1], %ds;"), "mul cvt add"},
    {"halves", BODY("mul.f16 %ha, %rs1, %rs2; sub.f16 %hs, %ha, %rs3; st.global.b16 [%rd1], %hs;"), "fma-+"},
    {"halves of the other kind",
     BODY("mul.bf16 %ha, %rs1, %rs2; neg.bf16 %ha, %ha; sub.bf16 %hs, %ha, %rs3; st.global.b16 [%rd1], %hs;"),
     "fma-*-+"},
    {"pairs of halves",
     BODY("mul.f16x2 %xa, %r1, %r2; neg.f16x2 %xa, %xa; add.f16x2 %xs, %xa, %r3; st.global.b32 [%rd1], %xs;"),
     "fma-*"},
    {"pairs of the other kind: no negation",
     BODY("mul.bf16x2 %xa, %r1, %r2; neg.bf16x2 %xa, %xa; add.bf16x2 %xs, %xa, %r3;"
          "st.global.b32 [%rd1], %xs;"),
     "mul neg add"},
    {"pairs of halves: in order",
     BODY("mul.f16x2 %xa, %r1, %r2; mul.f16x2 %xb, %r3, %r4; add.f16x2 %xt, %xb, %r1;"
          "add.f16x2 %xs, %xa, %xb; st.global.v2.b32 [%rd1], {%xs,%xt};"),
     "mul fma fma"},
    {"integers", BODY("mul.lo.u32 %xa, %r1, %r2; add.u32 %xs, %xa, %r3; st.global.b32 [%rd1], %xs;"),
     "mul add"},
};

/* Prints the arithmetic of "k" in order, without comparisons and copies. */
static void describe(const struct ptx_function *function, char *text, size_t size) {
    size_t used = 0;
    *text = '\0';
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        const struct ptx_nature *nature = ptx_nature(instruction);
        if (nature->class > PTX_CLASS_CONVERSION || instruction->opcode == PTX_SETP ||
            (instruction->guard >= 0 && instruction->type == PTX_S32))
            continue;
        used += (size_t)snprintf(text + used, size - used, "%s%s%s%s", used ? " " : "", nature->mnemonic,
                                 instruction->flags & PTX_NEGATED_PRODUCT ? "-*" : "",
                                 instruction->flags & PTX_NEGATED_ADDEND ? "-+" : "");
        assert_true(used < size);
    }
}

static void each_rule_holds(void **state) {
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char left[256];
        struct ptx_module *module = parse(cases[i].text);
        describe(kernel(module), left, sizeof left);
        if (strcmp(left, cases[i].left) != 0) {
            print_message("%s: %s, not %s\n", cases[i].rule, left, cases[i].left);
            wrong++;
        }
        ptx_module_free(module);
    }
    assert_int_equal(wrong, 0);
}

/* A fused operation has the sum's place and flags, and the product's factors. */
static void a_fused_operation_has_the_parts_of_both(void **state) {
    struct ptx_module *module =
        parse(BODY("mul.ftz.f32 %a, %f1, 0f40400000;\n@%p1 sub.ftz.sat.f32 %s, %f4, %a;\n" STORE_S));
    const struct ptx_instruction *fused = find(module, PTX_FMA, 0);
    assert_int_equal(fused->flags, PTX_FTZ | PTX_SAT | PTX_NEGATED_PRODUCT);
    assert_int_equal(fused->rounding, PTX_RN);
    assert_true(fused->guard >= 0);
    assert_int_equal(fused->destinations, 1);
    assert_int_equal(fused->sources, 3);
    const struct ptx_operand *loaded = operand(module, find(module, PTX_LD, 1), 0);
    assert_int_equal(operand(module, fused, 1)->slot, loaded[0].slot);
    assert_int_equal(operand(module, fused, 2)->value, 0x40400000);
    assert_int_equal(operand(module, fused, 3)->slot, loaded[3].slot);
    ptx_module_free(module);
}

/* Labels keep their place when instructions before them are removed. */
static void labels_move_with_the_code(void **state) {
    struct ptx_module *module = parse(
        BODY("mov.f32 %s, %f3; @%p1 bra L; " PRODUCT "add.f32 %s, %a, %f4; L: neg.f32 %s, %s;" STORE_S));
    const struct ptx_function *function = kernel(module);
    const struct ptx_instruction *branch = find(module, PTX_BRA, 0);
    assert_int_equal(function->instructions[branch->target].opcode, PTX_NEG);
    assert_int_equal(branch->reconverge, branch->target);
    ptx_module_free(module);
}

/* With nvcc -G ptxas changes nothing. */
static void what_is_built_for_a_debugger_stays(void **state) {
    struct ptx_module *module =
        parse(".version 8.0\n.target sm_80, debug\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
              ".reg .b64 %rd; .reg .f32 %f<4>;\nld.param.u64 %rd, [p]; ld.global.f32 %f1, [%rd];\n"
              "mul.f32 %f2, %f1, %f1; add.f32 %f3, %f2, %f1; st.global.f32 [%rd], %f3; ret;\n}\n");
    find(module, PTX_MUL, 0);
    find(module, PTX_ADD, 0);
    ptx_module_free(module);
}

TESTS(UNIT(each_rule_holds), UNIT(a_fused_operation_has_the_parts_of_both), UNIT(labels_move_with_the_code),
      UNIT(what_is_built_for_a_debugger_stays))
