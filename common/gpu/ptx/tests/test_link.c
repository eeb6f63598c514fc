/* test_link.c: several texts become one program: names, the definition that counts, shared memory,
 * files and lines; compilers' code for separate compilation. */
#include "base/test.h"
#include "check_module.h"
#include "support_parse.h"

enum { MOST = 8 };

static struct ptx_error error;

/* Up to MOST texts, NULL at the end. */
static struct ptx_module *try_link(const char *const *parts) {
    struct ptx_text texts[MOST];
    uint32_t count = 0;
    for (; parts[count] != NULL; count++) {
        assert_true(count < MOST);
        texts[count] = (struct ptx_text){parts[count], strlen(parts[count])};
    }
    return ptx_link(texts, count, &error);
}

static struct ptx_module *link_texts(const char *const *parts) {
    struct ptx_module *module = try_link(parts);
    if (module == NULL)
        fail_msg("%s", error.message);
    const char *wrong = module != NULL ? check_module(module) : "no program";
    if (wrong != NULL)
        fail_msg("%s", wrong);
    return module;
}

static void refuse_link(const char *const *parts, const char *says) {
    struct ptx_module *module = try_link(parts);
    ptx_module_free(module);
    assert_null(module);
    if (strstr(error.message, says) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", says, error.message);
}

static const struct ptx_function *named(const struct ptx_module *module, const char *name) {
    int index = ptx_find_function(module, name);
    if (index < 0)
        fail_msg("no function %s", name);
    return &module->functions[index];
}

/* The immediate of the first instruction of the function that `caller` calls first. */
static int64_t answer_of(const struct ptx_module *module, const struct ptx_function *caller) {
    assert_true(caller->call_count > 0 && caller->calls[0].function >= 0);
    const struct ptx_function *callee = &module->functions[caller->calls[0].function];
    assert_true(callee->defined);
    const struct ptx_instruction *first = callee->instructions;
    return callee->operands[first->operand + 1].value;
}

#define ANSWER(n) " {.reg .b32 %r; mov.u32 %r, " #n "; ret;}\n"
#define NAMES_X " {.reg .b32 %r; ld.global.u32 %r, [x]; ret;}\n"

/* Declared before it is defined, in either order of the texts. */
static void functions_by_name(void **state) {
    static const char user[] = HEAD ".extern .func f();\n.visible .entry k() {call f;}\n",
                      definer[] = HEAD ".visible .func f()" ANSWER(7);
    static const char *const orders[2][3] = {{user, definer, NULL}, {definer, user, NULL}};
    for (int i = 0; i < 2; i++) {
        struct ptx_module *module = link_texts(orders[i]);
        assert_int_equal(module->function_count, 2);
        assert_int_equal(answer_of(module, named(module, "k")), 7);
        assert_null(named(module, "k")->refusal);
        assert_true(named(module, "k")->uses_calls);
        ptx_module_free(module);
    }
}

static void variables_by_name(void **state) {
    static const char user[] = HEAD ".extern .global .align 4 .b8 x[];\n.visible .entry k()" NAMES_X
                                    ".visible .global .u64 pointer = x+4;\n",
                      definer[] =
                          HEAD ".visible .global .align 4 .b8 x[8] = {1, 2};\n.visible .const .u32 c = 9;\n";
    static const char *const orders[2][3] = {{user, definer, NULL}, {definer, user, NULL}};
    for (int i = 0; i < 2; i++) {
        struct ptx_module *module = link_texts(orders[i]);
        assert_int_equal(module->symbol_count, 3);
        const struct ptx_symbol *x = &module->symbols[ptx_find_symbol(module, "x")];
        assert_false(x->external);
        assert_int_equal(x->size, 8);
        assert_int_equal(x->initial[1], 2);
        const struct ptx_function *k = named(module, "k");
        assert_ptr_equal(&module->symbols[k->operands[k->instructions[0].operand + 1].symbol], x);
        const struct ptx_symbol *pointer = &module->symbols[ptx_find_symbol(module, "pointer")];
        assert_int_equal(pointer->relocation_count, 1);
        assert_ptr_equal(&module->symbols[pointer->relocations[0].symbol], x);
        ptx_module_free(module);
    }
}

/* Names without linkage belong to their text, even if another text has a public one. */
static void local_names_stay_apart(void **state) {
    static const char *const texts[] = {
        HEAD ".func f()" ANSWER(
            1) ".global .u32 x = 1;\n.entry one() {call f; { .reg .b32 %r; ld.global.u32 %r, [x]; }}",
        HEAD ".visible .func f()" ANSWER(2) ".visible .global .u32 x = 2;\n.entry two() {call f;}",
        HEAD ".func f()" ANSWER(
            3) ".global .u32 x = 3;\n.entry three() {call f; { .reg .b32 %r; ld.global.u32 %r, [x]; }}",
        HEAD
        ".extern .func f();\n.extern .global .u32 x;\n.entry four() {call f; { .reg .b32 %r; ld.global.u32 %r, [x]; }}",
        NULL};
    static const char *const kernels[] = {"one", "two", "three", "four"};
    static const int answers[] = {1, 2, 3, 2};
    struct ptx_module *module = link_texts(texts);
    for (int i = 0; i < 4; i++) {
        const struct ptx_function *kernel = named(module, kernels[i]);
        assert_int_equal(answer_of(module, kernel), answers[i]);
        if (i != 1) {
            const struct ptx_operand *x = &kernel->operands[kernel->instructions[1].operand + 1];
            assert_int_equal(module->symbols[x->symbol].initial[0], answers[i]);
        }
    }
    ptx_module_free(module);
}

/* The first weak definition counts, a visible one before all; two strong ones are an error. */
static void which_definition_counts(void **state) {
    static const char user[] = HEAD
        ".extern .func f();\n.extern .global .u32 x;\n.entry k() {call f; {.reg .b32 %r; ld.global.u32 %r, [x];}}",
                      weak1[] = HEAD
                      ".weak .func f()" ANSWER(1) ".weak .global .u32 x = 1;\n.weak .entry t() {ret;}\n",
                      weak2[] = HEAD
                      ".weak .func f() {.shared .b8 s[8]; .reg .b32 %r; mov.u32 %r, 2; mov.u32 %r, s; ret;}\n"
                      ".weak .global .u32 x = 2;\n.weak .entry t() {call f;}\n",
                      strong[] = HEAD ".visible .func f()" ANSWER(3) ".visible .global .u32 x = 3;\n";
    static const struct {
        const char *texts[5];
        int answer;
    } cases[] = {{{user, weak1, weak2, NULL}, 1},
                 {{weak2, weak1, user, NULL}, 2},
                 {{weak1, user, strong, weak2, NULL}, 3},
                 {{strong, weak1, user, NULL}, 3},
                 {{weak2, strong, weak1, user, NULL}, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ptx_module *module = link_texts(cases[i].texts);
        const struct ptx_function *k = named(module, "k");
        assert_int_equal(answer_of(module, k), cases[i].answer);
        const struct ptx_operand *x = &k->operands[k->instructions[1].operand + 1];
        assert_int_equal(module->symbols[x->symbol].initial[0], cases[i].answer);
        assert_int_equal(module->symbol_count, 1);
        assert_int_equal(k->shared_bytes, cases[i].answer == 2 ? 8 : 0);
        ptx_module_free(module);
    }
    refuse_link((const char *const[]){strong, strong, NULL}, "'f' is defined twice");
    refuse_link((const char *const[]){HEAD ".visible .global .u32 x;", HEAD ".visible .global .u32 x;", NULL},
                "PTX line 4 of text 2");
    refuse_link((const char *const[]){HEAD ".visible .global .u32 x;", HEAD ".extern .const .u32 x;", NULL},
                "another state space");
    refuse_link((const char *const[]){HEAD ".visible .func f(.param .b32 a) {ret;}",
                                      HEAD ".extern .func f(.param .b64 a);", NULL},
                "other parameters");
    refuse_link((const char *const[]){HEAD ".visible .func f() {ret;}", "", NULL}, ".version");
}

/* Each text has its shared variables; two that no entry uses both overlap; weak ones merge. */
static void shared_memory(void **state) {
    static const char *const texts[] = {
        HEAD ".shared .align 4 .b8 s[100];\n.visible .func f() {.reg .b32 %r; mov.u32 %r, s;}\n"
             ".extern .shared .align 16 .b8 dynamic[];\n"
             ".entry one() {.reg .b32 %r; .shared .b8 own[4]; call f; mov.u32 %r, own; mov.u32 %r, dynamic;}",
        HEAD ".shared .align 8 .b8 s[40];\n.extern .func f();\n.extern .shared .align 4 .b8 fixed[12];\n"
             ".extern .shared .b8 dynamic[];\n"
             ".entry two() {.reg .b32 %r; mov.u32 %r, s;}\n"
             ".entry three() {.reg .b32 %r; call f; mov.u32 %r, s; mov.u32 %r, fixed;}",
        HEAD
        ".visible .shared .align 4 .b8 fixed[12];\n.weak .shared .b8 w[16];\n.entry four() {.reg .b32 %r; mov.u32 %r, w;}",
        HEAD ".weak .shared .b8 w[16];\n.entry five() {.reg .b32 %r; mov.u32 %r, w;}", NULL};
    struct ptx_module *module = link_texts(texts);
    assert_int_equal(named(module, "one")->shared_bytes, 104);
    assert_int_equal(named(module, "two")->shared_bytes, 144); /* behind f's 100 bytes: three uses both */
    assert_int_equal(named(module, "three")->shared_bytes, 156);
    assert_int_equal(named(module, "four")->shared_bytes, 16);
    assert_int_equal(named(module, "five")->shared_bytes, 16);
    const struct ptx_function *one = named(module, "one"), *three = named(module, "three");
    assert_int_equal(one->operands[one->instructions[1].operand + 1].value, 100);
    assert_int_equal(one->operands[one->instructions[2].operand + 1].value, 112);
    assert_int_equal(three->operands[three->instructions[1].operand + 1].value, 104);
    assert_int_equal(three->operands[three->instructions[2].operand + 1].value, 144);
    ptx_module_free(module);
}

/* .file numbers differ between texts. */
static void files_and_lines(void **state) {
    static const char *const texts[] = {
        HEAD ".entry one() {\n.loc 1 11 0\nret;}\n.file 1 \"a.cu\"\n",
        HEAD
        ".entry two() {\n.loc 1 22 0\nbar.sync 0;\n.loc 2 33 0\nret;}\n.file 1 \"b.cu\"\n.file 2 \"c.h\"\n",
        HEAD ".extern .func g();\n.entry three() {\n.loc 1 44 0\ncall g;}\n.file 1 \"d.cu\"\n", NULL};
    struct ptx_module *module = link_texts(texts);
    const struct ptx_function *one = named(module, "one"), *two = named(module, "two");
    assert_string_equal(module->files[one->instructions[0].file], "a.cu");
    assert_int_equal(one->instructions[0].line, 11);
    assert_string_equal(module->files[two->instructions[0].file], "b.cu");
    assert_string_equal(module->files[two->instructions[1].file], "c.h");
    char why[512];
    ptx_refusal_text(module, named(module, "three"), why, sizeof why);
    assert_non_null(strstr(why, "a function that no file of the program defines (g, d.cu:44)"));
    ptx_module_free(module);
    refuse_link((const char *const[]){HEAD ".entry k() {ret;}\n.file 1 \"a.cu\"\n",
                                      HEAD ".entry l() {\n.loc 1 5 0\nadd.u32 %r1;}\n.file 1 \"b.cu\"\n",
                                      NULL},
                "PTX line 6 of text 2 (b.cu:5)");
}

static void no_text(void **state) {
    struct ptx_module *module = ptx_link(NULL, 0, &error);
    assert_non_null(module);
    assert_int_equal(module->function_count, 0);
    ptx_module_free(module);
}

TESTS(UNIT(functions_by_name), UNIT(variables_by_name), UNIT(local_names_stay_apart),
      UNIT(which_definition_counts), UNIT(shared_memory), UNIT(files_and_lines), UNIT(no_text))
