/* test_refuse.c: malformed text is refused whole. Kernels that are not simulated are refused one by
 * one, with instruction, line and what to do. */
#include "base/test.h"
#include "support_parse.h"
#include <time.h>

/* What is not simulated, in an entry, and words that the reason must have. */
static const struct {
    const char *instruction, *feature, *word;
} features[] = {
    {"tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1,%f2}];", "textures", "tex.2d.v4.f32.f32"},
    {"@%p1 tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1,%f2}];", "textures", "ordinary loads"},
    {"suld.b.1d.b32.trap %r1, [%rd1, {%r1}];", "surfaces", "suld.b.1d"},
    {"wmma.load.a.sync.aligned.row.m8n8k32.s4 {%r1}, [%rd1];", "rarer shapes", "wmma.load.a"},
    {"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r1}, {%f1};", "rarer shapes",
     "mma.sync"},
    {"mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r1}, {%f1}, %r1, 0;", "sparse",
     "mma.sp"},
    {"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r1, %r2}, [%r2];", "rarer moves", "ldmatrix"},
    {"wgmma.fence.sync.aligned;", "warps use together", "wgmma.fence"},
    {"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 32;", "warps use together", "tcgen05"},
    {"clusterlaunchcontrol.try_cancel.async.shared::cta.b128 [%r1], [%r2];", "clusters", "try_cancel"},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r1], [%rd1], 16, "
     "[%r2], %r3;",
     "clusters", "cp.async.bulk.shared"},
    {"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r1], %r2, [%r3];", "clusters",
     "st.async"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [%r1], 16;", "TMA", "cp.reduce"},
    {"cp.async.bulk.tensor.2d.shared::cluster.global.tile [%r1], [%rd1, {%r1, %r2}], [%r3];", "TMA",
     "tensor"},
    {"fence.proxy.tensormap::generic.release.gpu;", "proxies", "fence.proxy"},
    {"griddepcontrol.soon;", "dependent launch", "griddepcontrol"},
    {"alloca.u64 %rd1, %rd2;", "alloca", "fixed size"},
    {"setmaxnreg.inc.sync.aligned.u32 240;", "register reallocation", "setmaxnreg"},
    {"createpolicy.fractional.L2::evict_last.b64 %rd1;", "cache policies", "createpolicy"},
    {"ld.global.L2::cache_hint.u32 %r1, [%rd1], %rd2;", "cache policies", "ld.global"},
    {"vadd4.s32.s32.s32 %r1, %r2, %r3, %r4;", "video instructions", "vadd4"},
    {"vadd.s32.s32.s32.sat %r1, %r2, %r3;", "video instructions", "vadd.s32"},
    {".reg .b128 %q; atom.cas.b128 %q, [%rd1], %q, %q;", "128-bit", "atom.cas.b128"},
    {".reg .b128 %q; ld.global.u32 %q, [%rd1];", "128-bit", "b128"},
    {".reg .b128 %q; ld.shared.u32 %r1, [%q];", "128-bit", "b128"},
    {".reg .b128 %q; { .reg .b32 %t; mov.b128 {%rd1, %rd2}, %q; }", "128-bit", "mov.b128"},
    {".reg .b2 %q;", "registers of this type", ".b2"},
    {"mov.u32 %r1, %pm0;", "performance monitor", "%pm0"},
    {"mov.u32 %r1, %future;", "special register", "%future"},
    {"ld.global.v4.f64 {%fd1,%fd2,%fd3,%fd4}, [%rd1];", "16 bytes", "halves"},
    {"frobnicate.u32 %r1, %r2;", "the instruction 'frobnicate'", "frobnicate.u32"},
    {"add.frob.u32 %r1, %r2, %r3;", "'.frob' with 'add'", "add.frob.u32"},
    {"add.ftz.u32 %r1, %r2, %r3;", "'add'", "add.ftz.u32"},
    {"add.u32.u32 %r1, %r2, %r3;", "'.u32' with 'add'", "add.u32.u32"},
    {"mul.u32 %r1, %r2, %r3;", "combination", "mul.u32"},
};

#define REGISTERS ".reg .pred %p<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>; .reg .f64 %fd<9>;\n"

/* The kernel with the feature is refused, with its line; other kernels, and what follows in it, are
 * not looked at. */
static void refused_features(void **state) {
    for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
        char text[2048];
        snprintf(
            text, sizeof text, "%s%s%s",
            HEAD ".entry before() {bra L; L: ret;}\n.entry k(.param .u64 p) {\n" REGISTERS
                 ".shared .b8 own[64]; { .reg .b32 %inner; mov.u32 %inner, own; .loc 1 42 0\n",
            features[i].instruction,
            "\n} bra NOWHERE; { { } } }\n.file 1 \"lab.cu\"\n"
            ".entry after(.param .u64 p) {.reg .b32 %r; .shared .b8 own[8]; mov.u32 %r, own; bra L; L: ret;}");
        refuse_kernel(text, "kernel k uses ", features[i].feature, features[i].word, "lab.cu:42",
                      "not simulated", (char *)NULL);
    }
}

/* Refused by the head of the function, by a name in it, without a line of the source. */
static void refused_kernels(void **state) {
    static const struct {
        const char *text, *word;
    } kernels[] = {
        {HEAD ".entry k() .reqnctapercluster 2, 1, 1 .blocksareclusters { ret; } .entry other() {}",
         ".blocksareclusters"},
        {HEAD ".global .texref t; .entry k() {.reg .b64 %rd; mov.u64 %rd, t;} .entry other() {}", "textures"},
        {HEAD ".extern .func f(); .entry k() {call f;} .entry other() {}", "-rdc=true"},
        {HEAD ".extern .func cudaLaunchDeviceV2(); .entry k() {call cudaLaunchDeviceV2;}",
         "dynamic parallelism"},
        {HEAD ".extern .func cudaGetParameterBufferV2(); .entry k() {call cudaGetParameterBufferV2;}",
         "the inner kernel"},
        {HEAD ".extern .func cudaDeviceSynchronize(); .entry k() {call cudaDeviceSynchronize;}",
         "from the host"},
        {HEAD ".extern .global .b32 x; .entry k() {.reg .b32 %r; ld.global.u32 %r, [x];} .entry other() {}",
         "a variable that no file of the program defines (x, PTX line 4)"},
        {HEAD ".entry k() {tex.1d.v4.f32.f32 {%f1};}", "PTX line 4"},
    };
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        refuse_kernel(kernels[i].text, kernels[i].word, (char *)NULL);
}

/* Callers by name of a refused function are refused for its reason, through any number of calls,
 * also in a cycle. Who takes its address is not. */
static void refusals_spread(void **state) {
    struct ptx_module *module = parse(
        HEAD
        ".func a(); .func b(); .func c();\n"
        ".entry k1() {call a;} .entry k2() {call c;} .entry k3() {.reg .b64 %r; mov.u64 %r, b;}\n"
        ".func a() {call b; call a;} .func b() {.reg .b32 %r; call a; mov.u32 %r, %pm0;} .func c() {call c;}");
    static const char *const refused[] = {"a", "b", "k1"}, *const run[] = {"c", "k2", "k3"};
    for (int i = 0; i < 3; i++) {
        int bad = ptx_find_function(module, refused[i]), good = ptx_find_function(module, run[i]);
        assert_true(bad >= 0 && good >= 0);
        assert_non_null(module->functions[bad].refusal);
        assert_string_equal(module->functions[bad].refusal->feature, "the performance monitor");
        assert_null(module->functions[good].refusal);
    }
    ptx_module_free(module);
}

/* A long chain of calls, each function before its callee. */
static void refusals_spread_far(void **state) {
    enum { FUNCTIONS = 20000, EACH = 40 };
    FREED char *text = malloc(FUNCTIONS * EACH * 2 + 1024);
    assert_non_null(text);
    char *at = stpcpy(text, HEAD);
    for (int i = 0; i <= FUNCTIONS; i++)
        at += sprintf(at, ".func f%d();\n", i);
    for (int i = 0; i < FUNCTIONS; i++)
        at += sprintf(at, ".func f%d() {call f%d;}\n", i, i + 1);
    sprintf(at, ".func f%d() {wgmma.fence.sync.aligned;}\n.entry k() {call f0;}", FUNCTIONS);
    struct ptx_module *module = parse(text);
    for (uint32_t i = 0; i < module->function_count; i++)
        assert_non_null(module->functions[i].refusal);
    ptx_module_free(module);
}

/* Malformed instructions in an entry, and a word the message must have. */
static const struct {
    const char *instruction, *word;
} instructions[] = {
    {"lop3.b32 %r1, %r2, %r3, %r4, 256;", "0 to 255"},
    {"cvt.s32.f32 %r1, %f1;", "rounding"},
    {"cvt.rn.s32.f32 %r1, %f1;", "rounding"},
    {"cvt.f32.s32 %f1, %r1;", "rounding"},
    {"cvt.rn.f64.f32 %fd1, %f1;", "rounding"},
    {"add.u32 %r1, %rd2, %r3;", "'%rd2' is .b64 where .u32"},
    {"add.f32 %f1, %f2, %fd1;", "'%fd1' is .f64"},
    {"add.s32 %f1, %r1, %r2;", "'%f1' is .f32"},
    {"add.u32 %p1, %r1, %r2;", "'%p1' is .pred"},
    {"setp.eq.u32 %r1, %r1, %r2;", "predicate"},
    {"add.u32 %r1, %r2;", "','"},
    {"add.u32 %r1, %r2, %r3, %r4;", "';'"},
    {"add.u32 %r1, %r2, nothing;", "'nothing'"},
    {"add.u32 %r1, %r2, %r100;", "'%r100'"},
    {"add.f32 %f1, %f2, 1;", "0f"},
    {"mov.u32 %r1, %clock64;", "64 bits"},
    {"@%r1 bra L;", "predicate"},
    {"bra NOWHERE;", "'NOWHERE'"},
    {"ld.global.u32 %r1, [%r2];", "address"},
    {"ld.global.u32 %r1, [%fd1];", "address"},
    {"ld.shared.u32 %r1, [p];", "'p' is in .param"},
    {"ld.param.u64 %rd1, [p+1];", "outside parameter"},
    {"ld.param.u64 %rd1, [p-8];", "outside parameter"},
    {"st.param.u64 [p], %rd1;", "cannot be written"},
    {"st.const.u32 [%rd1], %r1;", "cannot be written"},
    {"ld.shared.nc.u32 %r1, [%r2];", "global"},
    {"cp.async.cg.shared.global [%r1], [%rd1], 4;", "16"},
    {"mov.b64 {%r1,%r2,%r3}, %rd1;", "vector"},
    {"mov.b32 %r1, {%r2, %r3};", ".b16"},
    {"call nothing;", "'nothing'"},
    {"brx.idx %r1, p;", ".branchtargets"},
    {"add.u32 _, %r1, %r2;", "'_'"},
    {"mov.u32 _, %r1;", "'_'"},
    {".frob 3;", ".frob"},
    {"}", "module scope"},
    {"{", "inside a function"},
    {"add.u32 %r1, %r2, 1/0;", "zero"},
    {"add.u32 %r1, %r2, 99999999999999999999;", "64 bits"},
    {"add.u32 %r1, %r2, 12ab;", "number"},
    {"mov.f32 %f1, 0f123;", "hexadecimal"},
    {".local .b8 a[99999999];", "array size"},
};

static void refused_instructions(void **state) {
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++) {
        char text[1024];
        snprintf(text, sizeof text, "%s%s%s",
                 HEAD ".entry k(.param .u64 p) {\n"
                      ".reg .pred %p<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>; "
                      ".reg .f64 %fd<9>;\n"
                      ".loc 1 42 0\n",
                 instructions[i].instruction, "\n} .file 1 \"lab.cu\"\n");
        refuse(text, instructions[i].word, "PTX line", (char *)NULL);
    }
}

static const struct {
    const char *text, *word;
} modules[] = {
    {"", ".version"},
    {"hello", ".version"},
    {"\x7f"
     "ELF",
     "0x7f"},
    {".version 2.0\n.target sm_80\n", "2.0"},
    {".version 8.0\n.target sm_10\n", "sm_10"},
    {".version 8.0\n.target sm_80\n.address_size 32\n", "-m64"},
    {".version 8.0\n.address_size 64\n.entry k() {}", ".target"},
    {HEAD ".entry k() {} .entry k() {}", "twice"},
    {HEAD ".entry k() {} .func k() {}", "before"},
    {HEAD ".func f(.param .b32 a); .func f(.param .b64 a) {}", "other parameters"},
    {HEAD ".func f(.param .b32 a); .entry k() {.param .b64 x; call f, (x);}", "8 bytes"},
    {HEAD ".func f(.param .b32 a); .entry k() {call f;}", "0 arguments"},
    {HEAD ".func f(.reg .b32 a) {}", ".reg"},
    {HEAD ".tex .u64 t;", "textures"},
    {HEAD ".global .b8 a[2] = {1, 2, 3};", "more initial values"},
    {HEAD ".global .u32 a = b;", "'b'"},
    {HEAD ".global .u32 b; .global .u32 a = b;", "64-bit"},
    {HEAD ".global .align 3 .b8 a;", "power of two"},
    {HEAD ".global .b8 a; .global .b8 a;", "twice"},
    {HEAD ".shared .b8 a[99999999];", "array size"},
    {HEAD ".global .b8 a[4611686018427387904];", "array size"},
    {HEAD ".const .b8 a[65537];", "65536 bytes of constant memory, with 'a'"},
    {HEAD ".const .b8 a[40000]; .const .b8 b[25537];", "65536 bytes of constant memory, with 'b'"},
    {HEAD ".const .b8 a[1099511627776]; .const .b8 b[1099511627776];", "constant memory"},
    {HEAD ".entry k(.param .b8 a[32765]) {}", "32764 bytes of kernel parameters"},
    {HEAD ".global .b8 a[1000000000] = {1};", "initial values"},
    {HEAD ".extern .shared .b8 a[8]; .entry k() {.reg .b32 %r; mov.u32 %r, a;}", "no file of the program"},
    {HEAD ".entry k() {.reg .b32 %r<99999999>;}", "range"},
    {HEAD ".entry k() {L: ret; L: ret;}", "twice"},
    {HEAD ".section .debug_info { .b8 1", "section"},
    {HEAD "/* open", "*/"},
    {HEAD ".file 1 \"open", "quote"},
    {HEAD ".alias a, b;", ".alias"},
    {HEAD ".global .texref t", "declaration"},
    {HEAD ".entry k() {wgmma.fence.sync.aligned; { ", "inside a function"},
    {HEAD ".entry k() {wgmma.fence.sync.aligned; # }", "line marker"},
    /* ptxas takes what stands between the quotes for the name of a file. */
    {HEAD ".entry k() {\n# 40 \"x\nadd.s32 %r1, %r1, 1;\n# 5 \"\nret; }", "line marker"},
    {"# 1 \"x\"\n" HEAD ".entry k() { ret; }", "line marker"},
    {HEAD ".entry k() {wgmma.fence.sync.aligned;} .entry k() {}", "twice"},
};

static void refused_modules(void **state) {
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        refuse(modules[i].text, modules[i].word, (char *)NULL);
}

static void message_says_where(void **state) {
    struct ptx_error error;
    const char *text = HEAD ".entry k() {\n"
                            ".reg .f32 %f<9>;\n"
                            ".loc 1 17 3\n"
                            "  add.f32\n"
                            " %f1, %r1 ;\n"
                            "}\n"
                            ".file 1 \"dir/lab.cu\"\n";
    assert_null(ptx_parse(text, strlen(text), &error));
    assert_int_equal(error.ptx_line, 7);
    assert_int_equal(error.source_line, 17);
    assert_string_equal(error.source_file, "dir/lab.cu");
    assert_string_equal(error.message,
                        "PTX line 7 (dir/lab.cu:17): add.f32 %f1, %r1: '%r1' is not a register of this "
                        "function, nor a special register that is simulated");
    char why[1024];
    struct ptx_module *module = parse(HEAD ".entry k() {\n"
                                           ".reg .f32 %f<9>;\n"
                                           ".loc 1 17 3\n"
                                           "  tex.1d.v4.f32.f32\n"
                                           " {%f1} ;\n"
                                           "}\n"
                                           ".file 1 \"dir/lab.cu\"\n");
    ptx_refusal_text(module, kernel(module), why, sizeof why);
    assert_string_equal(why,
                        "kernel k uses textures (tex.1d.v4.f32.f32, dir/lab.cu:17), which are not simulated; "
                        "read the data with ordinary loads");
    ptx_module_free(module);
    /* A function that is only declared may take or return anything, until it is called. */
    ptx_module_free(parse(HEAD ".extern .func (.param .b64 r) cudaGetParameterBufferV2(.param .b64 a);\n"
                               ".entry k() {}"));
}

/* Processor time grows linearly with the text; unbounded growth meets a limit. */
static double seconds_for(const char *start, const char *repeated, size_t times, const char *end,
                          bool *accepted) {
    size_t length = strlen(start) + strlen(repeated) * times + strlen(end);
    FREED char *text = malloc(length + 1);
    assert_non_null(text);
    char *at = stpcpy(text, start);
    for (size_t i = 0; i < times; i++)
        at = stpcpy(at, repeated);
    stpcpy(at, end);
    struct timespec from, to;
    struct ptx_error error;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    struct ptx_module *module = ptx_parse(text, length, &error);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    *accepted = module != NULL;
    ptx_module_free(module);
    return (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

static void deep_and_long_texts(void **state) {
    static const struct {
        const char *start, *repeated, *end;
        bool accepted;
    } cases[] = {
        {HEAD ".entry k() {", "{", "}", false},
        {HEAD ".entry k() {.reg .b32 %r; mov.u32 %r, ", "(", "1;}", false},
        {HEAD ".entry k() {.reg .b32 %r; mov.u32 %r, ", "-", "1;}", false},
        {HEAD ".entry k() {.reg .b32 %r; mov.u32 %r, 1", "+1", ";}", true},
        {HEAD ".entry k() {", "{}", "}", true},
        {HEAD ".entry k() {.reg .pred %p; L:", "@%p bra L;", "}", true},
        {HEAD ".entry k() {.reg .pred %p; ", "@%p bra L;", "L: ret; }", true},
        {HEAD ".entry k() {.reg .pred %p; ", "{ @%p bra L; L: }", "}", true},
        {HEAD ".entry k() {.reg .pred %p; ", "@%p ret;", "}", true},
        {HEAD ".entry k() {.reg .b32 %r<9>; ", "add.u32 %r1, %r2, %r3;", "}", true},
        {HEAD ".global .b8 a[9] = {", "1,", "1};", false},
        {HEAD ".global .b8 a[] = {", "1,", "1};", true},
        {HEAD, ".shared .b8 a;", "", false},
        {HEAD ".entry k() {.reg .pred %p; bra M; L: ", "@%p bra L; @%p bra M;", "M: ret;}", true},
        {HEAD ".entry k() {T: .branchtargets L", ", L", "; L: ret;}", true},
        {"", "/* */", "", false},
        {"", "x", "", false},
        {HEAD ".section .debug_info {", ".b8 1,2,3\n", "}", true},
    };
    enum { TIMES = 20000 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool accepted;
        double seconds = seconds_for(cases[i].start, cases[i].repeated, TIMES, cases[i].end, &accepted);
        if (accepted != cases[i].accepted || seconds > 20.0)
            fail_msg("\"%s\" repeated: %s after %.1f s", cases[i].repeated, accepted ? "accepted" : "refused",
                     seconds);
    }
}

TESTS(UNIT(refused_features), UNIT(refused_kernels), UNIT(refusals_spread), UNIT(refusals_spread_far),
      UNIT(refused_instructions), UNIT(refused_modules), UNIT(message_says_where), UNIT(deep_and_long_texts))
