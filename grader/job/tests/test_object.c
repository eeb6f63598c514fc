/* What an object file of a submission may hold. gcc makes the objects: what nvcc makes is tested with whole
 * jobs. */
#include "base/test.h"

#include "job/object.h"

static char folder[] = "/tmp/test_object.XXXXXX";
/* What the program's other parts define and call. */
static struct object_names taken;
/* C has no initialisers. */
static const struct object_rules rules = {.function = "blur", .taken = &taken};

static int set_up(void **state) {
    bool right = mkdtemp(folder) != NULL && object_names_add(&taken, "write") &&
                 object_names_add(&taken, "cudaMalloc") && object_names_add(&taken, "adapter_call");
    object_names_sort(&taken);
    return right ? 0 : -1;
}

static int tear_down(void **state) {
    char path[128];
    object_names_free(&taken);
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, i == 0 ? "a.c" : "a.o");
        unlink(path);
    }
    return rmdir(folder);
}

/* The object file of some C text; the caller frees it. */
static unsigned char *compile(const char *text, size_t *size) {
    char path[128], command[512];
    snprintf(path, sizeof path, "%s/a.c", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    snprintf(command, sizeof command, "gcc -O1 -w -c -o '%s/a.o' '%s'", folder, path);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c): a command of this test's */
    snprintf(path, sizeof path, "%s/a.o", folder);
    file = fopen(path, "rb");
    assert_non_null(file);
    unsigned char *bytes = malloc(1 << 20);
    assert_non_null(bytes);
    *size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

static void check(const char *text, const struct object_rules *by, struct object_verdict *verdict) {
    size_t size;
    FREED unsigned char *bytes = compile(text, &size);
    object_check(bytes, size, by, verdict);
}

static void expect(const char *text, enum flag flag, bool defines) {
    struct object_verdict verdict;
    check(text, &rules, &verdict);
    if (verdict.flag != flag || (flag == FLAG_NONE && verdict.defines_function != defines))
        fail_msg("%s\nexpected '%s', got '%s': %s", text, flag_name(flag), flag_name(verdict.flag),
                 verdict.message);
}

/* A name with a line end in it makes no second line of what is said of it. */
static void test_one_line(void **state) {
    static const char name[] = "odd_section";
    struct object_verdict verdict;
    size_t size;
    unsigned char *bytes =
        compile("int odd __attribute__((section(\"odd_section\"))) = 1; void blur(void) {}", &size);
    unsigned char *found = memmem(bytes, size, name, sizeof name);
    assert_non_null(found);
    found[3] = '\n';
    found[4] = 0x1b;
    object_check(bytes, size, &rules, &verdict);
    assert_int_equal(verdict.flag, FLAG_OBJECT);
    assert_non_null(strstr(verdict.message, "odd??ection"));
    assert_null(strpbrk(verdict.message, "\n\x1b"));
    free(bytes);
}

static void test_honest(void **state) {
    expect("void blur(void) {}", FLAG_NONE, true);
    expect(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <math.h>\n"
        "int calls; static double table[9]; double helper(double x) { return sqrt(x); }\n"
        "void blur(void) {\n"
        "    table[1] = helper(++calls); printf(\"%f\", table[1]); free(malloc(9)); if (calls > 9) exit(1);\n"
        "}",
        FLAG_NONE, true);
    expect("__thread int own; void blur(void) { own++; }", FLAG_NONE, true);
    expect("int error, daemon = 1; void blur(void) { error += daemon; }", FLAG_NONE, true);
}

/* What is nowhere in the file takes room in the program. */
static void test_variables(void **state) {
    struct object_verdict verdict;
    check("static char big[3 << 20], bigger[5 << 20]; int small = 1;"
          "char *blur(int i) { return i ? big + i : bigger; }",
          &rules, &verdict);
    assert_true(verdict.variable_bytes >= 8 << 20 && verdict.variable_bytes < 9 << 20);
    assert_int_equal(verdict.largest_bytes, 5 << 20);
    assert_string_equal(verdict.largest, "bigger");
    check("void blur(void) {}", &rules, &verdict);
    assert_int_equal(verdict.variable_bytes, 0);
    assert_string_equal(verdict.largest, "");
}

static void test_function_is_missing(void **state) {
    expect("void blurr(void) {}", FLAG_NONE, false);
    expect("static void blur(void) {} void other(void) { blur(); }", FLAG_NONE, false);
    expect("int blur;", FLAG_NONE, false); /* a variable is no function */
    expect("extern void blur(void); void other(void) { blur(); }", FLAG_NONE, false);
}

static void test_names_of_others(void **state) {
    static const char *const names[] = {"cudaMalloc", "write", "adapter_call"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[160];
        snprintf(text, sizeof text, "void %s(void) {} void blur(void) {}", names[i]);
        expect(text, FLAG_OVERRIDE, false);
        snprintf(text, sizeof text, "__attribute__((weak)) void %s(void) {} void blur(void) {}", names[i]);
        expect(text, FLAG_OVERRIDE, false);
        snprintf(text, sizeof text, "asm(\".globl %s\\n.set %s, 17\"); void blur(void) {}", names[i],
                 names[i]);
        expect(text, FLAG_OVERRIDE, false);
        /* what cannot be called, or is its own, replaces nothing: it is made local */
        snprintf(text, sizeof text, "static void %s(void) {} void blur(void) { %s(); }", names[i], names[i]);
        expect(text, FLAG_NONE, true);
        snprintf(text, sizeof text, "int %s; const char %s_[] = {1}; void blur(void) { %s++; }", names[i],
                 names[i], names[i]);
        expect(text, FLAG_NONE, true);
        snprintf(text, sizeof text, "void %s_mine(void) {} void blur(void) { %s_mine(); }", names[i],
                 names[i]);
        expect(text, FLAG_NONE, true);
    }
    expect("int cudaError, cudaStart; void cudaCheck(void) {} void sin_(void) {} void blur(void) {}",
           FLAG_NONE, true);
    /* never made local, whatever its name */
    expect(
        "asm(\".data\\n.globl own\\n.type own, @gnu_unique_object\\nown: .long 1\\n.text\"); void blur(void) {}",
        FLAG_OBJECT, false);
}

/* An object's names, a library's, and what is neither. */
static void test_names_of_a_file(void **state) {
    struct object_names names = {.count = 0};
    char path[128];
    size_t size;
    free(compile(
        "void defined(void); void wanted(void); __attribute__((weak)) void liked(void); static void own(void) {}\n"
        "int data; void defined(void) { wanted(); own(); if (liked) liked(); }",
        &size));
    snprintf(path, sizeof path, "%s/a.o", folder);
    assert_true(object_names_read(&names, path));
    object_names_sort(&names);
    assert_false(object_names_have(&names, "own") || object_names_have(&names, "liked"));
    assert_true(object_names_have(&names, "defined") && object_names_have(&names, "wanted") &&
                object_names_have(&names, "data"));
    object_names_free(&names);
    assert_false(object_names_have(&names, "defined"));
    snprintf(path, sizeof path, "%s/a.c", folder);
    assert_false(object_names_read(&names, path));
    assert_false(object_names_read(&names, "/nowhere/a.o"));
    object_names_free(&names);
}

static void test_before_main(void **state) {
    expect("int n; __attribute__((constructor)) static void f(void) { n++; } void blur(void) {}",
           FLAG_CONSTRUCTOR, false);
    expect("int n; __attribute__((constructor(101))) void f(void) { n++; } void blur(void) {}", FLAG_OBJECT,
           false);
    expect("int n; __attribute__((destructor)) void f(void) { n++; } void blur(void) {}", FLAG_OBJECT, false);
    /* an entry that no symbol explains: an absolute address */
    expect("asm(\".pushsection .init_array,\\\"aw\\\",@init_array\\n.quad 0x1234\\n.popsection\");\n"
           "void blur(void) {}",
           FLAG_CONSTRUCTOR, false);
    /* as many as are expected, and what nvcc registers with, are another matter than one more, whatever its name */
    struct object_rules one = rules;
    struct object_verdict verdict;
    one.initialisers = 1;
    static const char early[] =
        "int n; static void f(void) asm(\"_GLOBAL__sub_I_x\");\n"
        "__attribute__((constructor)) static void f(void) { n++; } void blur(void) {}";
    check(early, &one, &verdict);
    assert_int_equal(verdict.flag, FLAG_NONE);
    expect(early, FLAG_CONSTRUCTOR, false);
    check("void blur(void) {}", &one, &verdict);
    assert_int_equal(verdict.flag, FLAG_CONSTRUCTOR);
    expect("asm(\".pushsection .nvFatBinSegment,\\\"aw\\\"\\n.quad 0\\n.popsection\"); void blur(void) {}",
           FLAG_OBJECT, false);
    expect("asm(\".pushsection .init,\\\"ax\\\"\\nnop\\n.popsection\"); void blur(void) {}", FLAG_OBJECT,
           false);
}

static void test_odd_sections(void **state) {
    static const char *const sections[] = {".interp,\\\"a\\\"",    ".preinit_array,\\\"aw\\\"",
                                           ".gnu.lto_x,\\\"e\\\"", ".gnu.warning.main,\\\"\\\"",
                                           ".mine,\\\"awx\\\"",    ".data.x,\\\"awx\\\"",
                                           ".rodata.x,\\\"ax\\\"", ".note.GNU-stack,\\\"x\\\""};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        char text[256];
        snprintf(text, sizeof text, "asm(\".pushsection %s\\n.quad 0\\n.popsection\"); void blur(void) {}",
                 sections[i]);
        expect(text, FLAG_OBJECT, false);
    }
}

static void test_calls(void **state) {
    static const struct {
        const char *name;
        enum flag flag;
    } calls[] = {{"fork", FLAG_PROCESS}, {"socket", FLAG_NETWORK}, {"ptrace", FLAG_TRACE},
                 {"dlsym", FLAG_NONE},   {"system", FLAG_PROCESS}, {"pthread_create", FLAG_THREAD},
                 {"forkful", FLAG_NONE}, {"strstr", FLAG_NONE},    {"connec", FLAG_NONE}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        char text[128];
        struct object_verdict verdict;
        size_t size;
        snprintf(text, sizeof text, "int %s(); void blur(void) { %s(); }", calls[i].name, calls[i].name);
        FREED unsigned char *bytes = compile(text, &size);
        object_check(bytes, size, &rules, &verdict);
        assert_int_equal(verdict.flag, calls[i].flag);
    }
}

/* A name with a version of the C library's, or another of its own for the same, is the same. */
static void test_other_names_of_calls(void **state) {
    static const char *const versions[] = {"fork@GLIBC_2.2.5", "system@GLIBC_2.2.5", "popen@V_1"};
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        char text[160];
        snprintf(text, sizeof text, "asm(\".symver go, %s\"); int go(void); void blur(void) { go(); }",
                 versions[i]);
        expect(text, FLAG_PROCESS, false);
    }
    expect("int __fork(void); void blur(void) { __fork(); }", FLAG_PROCESS, false);
    expect("int __libc_fork(void); void blur(void) { __libc_fork(); }", FLAG_PROCESS, false);
    expect("int __clone(); void blur(void) { __clone(); }", FLAG_PROCESS, false);
    expect("asm(\".symver go, memcpy@GLIBC_2.2.5\"); int go(void); void blur(void) { go(); }", FLAG_NONE,
           true);
    expect("asm(\".symver mine, cudaMalloc@@V_1\"); void mine(void) {} void blur(void) {}", FLAG_OVERRIDE,
           false);
}

/* A lab that asks for several functions has all of them or says how many are missing. */
static void test_several_functions(void **state) {
    struct object_names asked = {.count = 0};
    struct object_rules several = rules;
    struct object_verdict verdict;
    char path[128];
    size_t size;
    free(compile("void blur_open(void); void blur_run(void); void other(void); void blur_told(void) {}\n"
                 "void call(void) { blur_open(); blur_run(); other(); }",
                 &size));
    snprintf(path, sizeof path, "%s/a.o", folder);
    assert_true(object_names_asked(&asked, path, "blur"));
    assert_int_equal(asked.count, 2);
    several.asked = &asked;
    check("void blur_open(void) {} void blur_run(void) {}", &several, &verdict);
    assert_true(verdict.flag == FLAG_NONE && verdict.defines_function);
    check("void blur_open(void) {} void blur(void) {}", &several, &verdict);
    assert_true(verdict.flag == FLAG_NONE && !verdict.defines_function);
    assert_non_null(strstr(verdict.message, "defines 1 of the 2 functions blur_..."));
    object_names_free(&asked);
    /* one that calls the function itself asks for that one */
    free(compile("void blur(void); void blur_told(void) {} void call(void) { blur(); }", &size));
    assert_true(object_names_asked(&asked, path, "blur"));
    assert_true(asked.count == 1 && object_names_have(&asked, "blur"));
    object_names_free(&asked);
    free(compile("__attribute__((weak)) void blur(void); void call(void) { if (blur) blur(); }", &size));
    assert_true(object_names_asked(&asked, path, "blur"));
    assert_true(asked.count == 1 && object_names_have(&asked, "blur"));
    object_names_free(&asked);
}

/* Cut anywhere, and with any byte another: a verdict, whichever, and nothing read outside. */
static void test_damaged(void **state) {
    struct object_verdict verdict;
    size_t size;
    unsigned char *bytes =
        compile("int n; __attribute__((constructor)) static void f(void) { n++; } void blur(void) {}", &size);
    for (size_t cut = 0; cut < size; cut++) {
        /* exactly its size: a sanitiser sees one byte too far */
        FREED unsigned char *part = malloc(cut > 0 ? cut : 1);
        assert_non_null(part);
        memcpy(part, bytes, cut);
        object_check(part, cut, &rules, &verdict);
        assert_int_not_equal(verdict.flag, FLAG_NONE);
    }
    for (size_t at = 0; at < size; at++)
        for (unsigned bit = 0; bit < 8; bit += 7) {
            bytes[at] ^= 1u << bit;
            object_check(bytes, size, &rules, &verdict);
            bytes[at] ^= 1u << bit;
        }
    free(bytes);
}

TESTS_BETWEEN(set_up, tear_down, UNIT(test_one_line), UNIT(test_honest), UNIT(test_variables),
              UNIT(test_function_is_missing), UNIT(test_names_of_a_file), UNIT(test_names_of_others),
              UNIT(test_before_main), UNIT(test_odd_sections), UNIT(test_calls),
              UNIT(test_other_names_of_calls), UNIT(test_several_functions), UNIT(test_damaged))
