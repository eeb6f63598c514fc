/* Which words of a PTX text are opcodes, and their fingerprints as text and back. */
#include "base/test.h"

#include "prints/opcodes.h"

/* The opcodes with a blank behind each. */
static void expect_opcodes(const char *ptx, bool inline_too, const char *expected) {
    struct token *tokens;
    char words[1024] = "";
    size_t count = opcodes_read(ptx, strlen(ptx), inline_too, &tokens), at = 0;
    assert_non_null(tokens);
    for (size_t i = 0; i < count; i++)
        at += (size_t)snprintf(words + at, sizeof words - at, "%.*s ", (int)(tokens[i].end - tokens[i].begin),
                               ptx + tokens[i].begin);
    if (strcmp(words, expected) != 0)
        fail_msg("%s\n'%s' where '%s' should be", ptx, words, expected);
    free(tokens);
}

static void what_is_an_opcode(void **state) {
    static const struct {
        const char *ptx, *opcodes;
    } rows[] = {
        {"add.s32 \t%r1, %r2, 5;\n\tret;\n", "add.s32 ret "},
        {"\t@%p1 bra \t$L__BB0_2;\n$L__BB0_2:\n\t@!%p2 st.global.u8 [%rd1], %r1;", "bra st.global.u8 "},
        {".version 9.0\n.target sm_90\n.visible .entry f(\n\t.param .u64 f_0\n)\n{\n\t.reg .pred %p<3>;\n",
         ""},
        {"// add.s32 %r1;\n/* mul.lo.s32 %r1; */ sub.s32 %r1, %r1, 1; // xor.b32\n", "sub.s32 "},
        /* how a value gets somewhere is the compiler's */
        {"mov.u32 %r1, %tid.x;\nld.param.u64 %rd1, [f_0];\ncvta.to.global.u64 %rd2, %rd1;\nld.global.u8 %rs1, [%rd2];",
         "ld.global.u8 "},
        /* inline: several in a line, a label, a block */
        {"{ add.s32 a, a, 1; loop: bra loop; }\n\txor.b32 a, a, a;", "add.s32 bra xor.b32 "},
        /* a call's names stand on lines of their own */
        {"\t{ // callseq 0, 0\n\tcall.uni (retval0), \n\tvprintf, \n\t(\n\tparam0\n\t);\n\t} // callseq 0\n\tret;",
         "call.uni ret "},
        {"", ""},
        {"/", ""},
        {"add", "add "},
        {"/* open", ""},
        {"\xff\x01;:@", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_opcodes(rows[i].ptx, true, rows[i].opcodes);
}

/* nvcc says where inline PTX begins and ends. */
static void inline_ptx_can_be_left_out(void **state) {
    static const char ptx[] =
        "add.s32 %r1;\n\t// begin inline asm\n\txor.b32 %r1; sub.s32 %r1;\n\t// end inline asm\n\tret;\n"
        "// begin inline asm\nmul.lo.s32 %r1;";
    expect_opcodes(ptx, true, "add.s32 xor.b32 sub.s32 ret mul.lo.s32 ");
    expect_opcodes(ptx, false, "add.s32 ret ");
}

/* PTX strewn in, or all of it pasted: what the kernel has is still there. */
static void inline_ptx_hides_nothing(void **state) {
    enum { OPCODES = 200 };
    char plain[OPCODES * 24] = "", strewn[OPCODES * 96] = "", pasted[OPCODES * 32] = "", line[96];
    struct fingerprint *mine, *theirs;
    size_t mines, others;
    for (int i = 0; i < OPCODES; i++) {
        snprintf(line, sizeof line, "op%d.s32 %%r1;\n", i);
        strcat(plain, line);
        strcat(strcat(strewn, line), "\t// begin inline asm\n\tadd.s32 %r1, %r1, 0;\n\t// end inline asm\n");
    }
    snprintf(pasted, sizeof pasted, "// begin inline asm\n{%s}\n// end inline asm\nret;", plain);
    assert_true(opcodes_prints(plain, strlen(plain), &mine, &mines));
    const char *const others_texts[] = {strewn, pasted};
    for (int i = 0; i < 2; i++) {
        assert_true(opcodes_prints(others_texts[i], strlen(others_texts[i]), &theirs, &others));
        for (size_t k = 0; k < mines; k++)
            assert_true(prints_have(theirs, others, mine[k].hash));
        free(theirs);
    }
    free(mine);
}

/* Integers, compares and branches between steady opcodes change nothing of these. */
static void what_is_steady(void **state) {
    static const char ptx[] =
        "ld.global.u8 %r1;\nadd.s32 %r1;\n@%p1 bra L;\nsetp.lt.s32 %p;\nfma.rn.f32 %f;\n"
        "setp.lt.f32 %p;\ncvt.rn.f32.s32 %f;\nmad.lo.s32 %r;\nbar.sync 0;\nshl.b32 %r;\n"
        "dp4a.u32.u32 %r;\nret;\n";
    static const char *const left[] = {"ld.global.u8",   "fma.rn.f32", "setp.lt.f32",
                                       "cvt.rn.f32.s32", "bar.sync",   "dp4a.u32.u32"};
    struct token *tokens;
    size_t count = opcodes_read(ptx, strlen(ptx), true, &tokens);
    assert_int_equal(count, 12);
    count = opcodes_steady(ptx, tokens, count);
    assert_int_equal(count, sizeof left / sizeof *left);
    for (size_t i = 0; i < count; i++)
        assert_memory_equal(ptx + tokens[i].begin, left[i], strlen(left[i]));
    free(tokens);
}

/* Their fingerprints come last, and the shortest text has some of both kinds. */
static void steady_prints_are_told_apart(void **state) {
    enum { OPCODES = 100 };
    char ptx[OPCODES * 48] = "", line[48];
    struct fingerprint *prints;
    size_t count, steady = 0;
    for (int i = 0; i < OPCODES; i++) {
        snprintf(line, sizeof line, "ld.v%d.u8 %%r1;\nadd.s%d %%r1;\n", i, i);
        strcat(ptx, line);
    }
    assert_true(opcodes_prints(ptx, strlen(ptx), &prints, &count));
    for (size_t i = 0; i < count; i++) {
        bool is = (prints[i].hash & STEADY_BIT) != 0;
        assert_true(is || steady == 0);
        steady += is;
    }
    assert_true(steady > 8 && steady < count / 2);
    free(prints);
    FREED char *text = opcodes_prints_text(ptx, strlen(ptx), 3);
    assert_int_equal(strlen(text), 6 * 16);
}

/* A kernel of n different opcodes. */
static char *kernel(unsigned n, unsigned from) {
    char *ptx = malloc(n * 24 + 1), *at = ptx;
    for (unsigned i = 0; i < n; i++)
        at += sprintf(at, "op%u.s32 %%r1;\n", from + i);
    return ptx;
}

static void text_and_back(void **state) {
    struct fingerprint *prints, *again;
    size_t count, other;
    char *ptx = kernel(200, 0), *text = opcodes_prints_text(ptx, strlen(ptx), 1000);
    assert_true(opcodes_prints(ptx, strlen(ptx), &prints, &count));
    assert_true(count > 20);
    assert_true(opcodes_prints_parse(text, &again, &other));
    assert_int_equal(count, other);
    for (size_t i = 0; i < count; i++)
        assert_true(prints[i].hash == again[i].hash);
    free(again);
    free(text);
    text = opcodes_prints_text(ptx, strlen(ptx), 3);
    assert_int_equal(strlen(text), 48);
    free(text);
    static const char *const wrong[] = {"0", "00000000000000000", "000000000000000g", "000000000000000 "};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(opcodes_prints_parse(wrong[i], &again, &other));
    assert_true(opcodes_prints_parse("", &again, &other));
    assert_int_equal(other, 0);
    free(again);
    free(prints);
    free(ptx);
}

/* Two functions the other way round, and one more: all but the runs over the seams stay. */
static void the_order_of_functions_is_nobodys(void **state) {
    char *one = kernel(150, 0), *two = kernel(150, 1000), text[8192];
    struct fingerprint *mine, *theirs;
    size_t mines, others, shared = 0;
    snprintf(text, sizeof text, "%s%s", one, two);
    assert_true(opcodes_prints(text, strlen(text), &mine, &mines));
    snprintf(text, sizeof text, "%sop7777.u8 %%r1;\n%s", two, one);
    assert_true(opcodes_prints(text, strlen(text), &theirs, &others));
    for (size_t i = 0; i < mines; i++)
        shared += prints_have(theirs, others, mine[i].hash);
    assert_true(shared * 10 > mines * 8);
    assert_true(shared < mines);
    free(mine);
    free(theirs);
    free(one);
    free(two);
}

TESTS(UNIT(what_is_an_opcode), UNIT(inline_ptx_can_be_left_out), UNIT(inline_ptx_hides_nothing),
      UNIT(text_and_back), UNIT(the_order_of_functions_is_nobodys), UNIT(what_is_steady),
      UNIT(steady_prints_are_told_apart))
