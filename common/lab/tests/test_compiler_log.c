/* What the tools say, as nvcc 13.0 and GNU ld 2.42 say it, and what a student reads. */
#include "base/file.h"
#include "base/path.h"
#include "base/test.h"
#include "lab/compiler_log.h"

static char folder[] = "/tmp/test_compiler_log.XXXXXX", source[PATH_SIZE], header[PATH_SIZE];
static struct compiler_subject subject = {source, header};

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int set_up(void **state) {
    if (mkdtemp(folder) == NULL || !path_join(source, folder, "kernel.cu") ||
        !path_join(header, folder, "lab1.h"))
        return 1;
    write_file(
        header,
        "/* gaussian_blur(): blurs; polynomial(a; b) */\n"
        "void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream);\n"
        "void polynomial(const float *x,\n                float *y);\n");
    write_file(source, "#include \"lab1.h\"\n");
    return 0;
}

static int tear_down(void **state) {
    folder_remove(folder);
    return 0;
}

static void expect(const char *log, const char *words) {
    char text[1536];
    compiler_log_failure(log, &subject, text, sizeof text);
    assert_string_equal(text, words);
}

#define MISSING(name)                                                                                        \
    "/usr/bin/ld: /w/runner/adapter_gaussian_blur.o: in function `adapter_call':\n"                          \
    "adapter_gaussian_blur.c:(.text+0x13): undefined reference to `" name "'\n"                              \
    "collect2: error: ld returned 1 exit status\n"
#define DECLARED                                                                                             \
    "kernel.cu defines no gaussian_blur as lab1.h declares it:\n\n"                                          \
    "    void gaussian_blur(const uint8_t *src, uint8_t *dst, int width,\n"                                  \
    "        int height, cudaStream_t stream);\n\n"

static void a_function_that_is_not_there(void **state) {
    expect(MISSING("gaussian_blur"),
           DECLARED "It defines no function that another file can call: a static one cannot be.");
    expect(MISSING("gaussian_blur") "defines: gaussian_blurr\ndefines: k(unsigned char*)\n"
                                    "defines: __device_stub__Z1kPh(unsigned char*)\n",
           DECLARED "It defines gaussian_blurr. Is the name misspelled?");
    expect(MISSING("gaussian_blur") "defines: gaussian_blur(unsigned char*, int)\n",
           DECLARED "It defines gaussian_blur(unsigned char*, int): with other parameters it is\n"
                    "another function. Write them as above, and extern \"C\" before it.");
    write_file(source, "#include <stdint.h>\n");
    expect(MISSING("gaussian_blur") "defines: gaussian_blur(unsigned char*, int)\n",
           DECLARED "It defines gaussian_blur(unsigned char*, int) as a C++ function: #include\n"
                    "\"lab1.h\", or write extern \"C\" before it.");
    write_file(source, "#include \"lab1.h\"\n");
    expect(MISSING("polynomial"),
           "kernel.cu defines no polynomial as lab1.h declares it:\n\n"
           "    void polynomial(const float *x, float *y);\n\n"
           "It defines no function that another file can call: a static one cannot be.");
    write_file(source, "");
    expect(MISSING("elsewhere"), "kernel.cu defines no elsewhere as lab1.h declares it:\n"
                                 "It is empty: make lab1-reset brings back what was handed out.");
    expect(MISSING("elsewhere") "defines: a\n",
           "kernel.cu defines no elsewhere as lab1.h declares it:\nIt defines a. Is the name misspelled?");
}

static void other_words_of_the_linker(void **state) {
    expect("/usr/bin/ld: kernel.o: in function `gaussian_blur':\n"
           "tmpxft_0_kernel.cudafe1.cpp:(.text+0x202): undefined reference to `helper(int)'\n"
           "collect2: error: ld returned 1 exit status\n",
           "kernel.cu calls helper(int) in gaussian_blur, and nothing defines it.");
    expect("/usr/bin/ld: kernel.o: in function `gaussian_blur':\n"
           "tmpxft_0_kernel.cudafe1.cpp:(.text+0x202): undefined reference to `cublasCreate_v2'\n",
           "kernel.cu calls cublasCreate_v2 in gaussian_blur, and nothing defines it.\n"
           "Of CUDA's libraries a lab's program has the runtime alone.");
    expect("/usr/bin/ld: main.o: in function `main':\n"
           "tmpxft_0_main.cudafe1.cpp:(.text.startup+0x0): multiple definition of `main'; "
           "/w/runner/runner.o:runner.c:(.text.startup+0x0): first defined here\n"
           "collect2: error: ld returned 1 exit status\ndefines: main\n",
           "kernel.cu defines main, and the lab's program has its own, which calls your\n"
           "function: take it out.");
    expect("twice.cpp:(.text+0x100): multiple definition of `adapter_call'; a.o: first defined here\n",
           "kernel.cu defines adapter_call, a name that the lab's program has already:\n"
           "make it static, or call it otherwise.");
}

static void words_of_the_assembler(void **state) {
    static const char advice[] =
        "\nMake the tile smaller, or the array dynamic:\n\n"
        "    extern __shared__ float tile[];   // its bytes: the launch's third parameter\n"
        "    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,\n"
        "                         bytes);      // before the launch";
    char words[1024];
    snprintf(words, sizeof words,
             "Kernel gaussian_kernel has 104,864 bytes of __shared__ arrays; arrays of a\n"
             "fixed size may take 49,152 at most.\n%s",
             advice);
    expect("ptxas error   : Entry function '_Z15gaussian_kernelPKhPhii' uses too much shared data (0x199a0 "
           "bytes, 0xc000 max)\n",
           words);
    snprintf(words, sizeof words,
             "Kernel k<256> has 262,144 bytes of __shared__ arrays; arrays of a fixed size\n"
             "may take 49,152 at most.\n%s\n\n"
             "Kernel k<128> has 65,536 bytes of __shared__ arrays; arrays of a fixed size\n"
             "may take 49,152 at most.",
             advice);
    expect(
        "ptxas error   : Entry function '_Z1kILi256EEvPh' uses too much shared data (0x40000 bytes, 0xc000 "
        "max)\n"
        "ptxas error   : Entry function '_Z1kILi128EEvPh' uses too much shared data (0x10000 bytes, 0xc000 "
        "max)\n",
        words);
    expect("ptxas error   : File uses too much global constant data (0x13880 bytes, 0x10000 max)\n",
           "ptxas error   : File uses too much global constant data (80,000 bytes, 65,536 max)");
    expect("ptxas fatal   : Unresolved extern function '_Z6helperi'\n",
           "A kernel calls helper, which is declared for the GPU and defined nowhere:\n"
           "define it, __device__, in kernel.cu.");
    expect("ptxas /tmp/tmpxft_00005da3_00000000-6_k.ptx, line 28; error   : Unknown modifier '.s33'\n"
           "ptxas fatal   : Ptx assembly aborted due to errors\n",
           "ptxas: line 28 of the PTX (of an asm statement?): Unknown modifier '.s33'\n"
           "ptxas fatal   : Ptx assembly aborted due to errors");
}

#define UNUSED(line)                                                                                         \
    "labs/lab1/kernel.cu(" line "): warning #177-D: variable \"y\" was declared but never referenced\n"      \
    "      int y = 3;\n          ^\n\nRemark: The warnings can be suppressed with \"-diag-suppress "         \
    "<warning-number>\"\n\n"
#define MISTAKE "labs/lab1/kernel.cu(2): error: identifier \"foo\" is undefined\n  d[0] = foo;\n         ^\n"

static void what_the_compiler_says_is_left(void **state) {
    /* once, without the toolkit's remark; warnings come last */
    expect(UNUSED("7") MISTAKE "\n" UNUSED("7") MISTAKE
           "\n2 errors detected in the compilation of \"kernel.cu\".\n",
           MISTAKE "\n2 errors detected in the compilation of \"kernel.cu\".\n\n"
                   "kernel.cu:7: warning: variable \"y\" was declared but never referenced");
    expect(
        "labs/lab1/kernel.cu(3): error: more than one instance of overloaded function \"gaussian_blur\" has "
        "\"C\" linkage\n  extern \"C\" void gaussian_blur(uint8_t *src\n                  ^\n\n1 error\n",
        "labs/lab1/kernel.cu(3): error: more than one instance of overloaded function \"gaussian_blur\" has "
        "\"C\" linkage\nIts parameters are not those that lab1.h declares:\n\n"
        "    void gaussian_blur(const uint8_t *src, uint8_t *dst, int width,\n"
        "        int height, cudaStream_t stream);\n\n1 error");
    expect("", "");
    expect("nvcc fatal   : Cannot find compiler 'cl.exe' in PATH\n",
           "nvcc fatal   : Cannot find compiler 'cl.exe' in PATH");
}

static void warnings_by_line(void **state) {
    static const char log[] = UNUSED("7") "labs/lab1/lab1.h(3): warning #20-D: something\n  x\n\n" UNUSED(
        "7") "labs/lab1/kernel.cu(7): warning #186-D: pointless comparison of unsigned integer with zero\n"
             "labs/lab1/kernel.cu:9:5: warning: unused variable 'z' [-Wunused-variable]\n"
             "ptxas warning : Stack size for entry function '_Z1rPh' cannot be statically determined\n"
             "nvcc warning : Support for offline compilation is deprecated\n"
             "/usr/bin/ld: warning: x.o: missing .note.GNU-stack section\n"
             "ptxas info    : 0 bytes gmem\n";
    struct compiler_warning warnings[4];
    assert_int_equal(compiler_log_warnings(log, "kernel.cu", warnings, 4), 3);
    assert_int_equal(warnings[0].line, 7);
    assert_string_equal(warnings[0].text,
                        "variable \"y\" was declared but never referenced; pointless comparison "
                        "of unsigned integer with zero");
    assert_int_equal(warnings[1].line, 9);
    assert_string_equal(warnings[1].text, "unused variable 'z' [-Wunused-variable]");
    assert_int_equal(warnings[2].line, 0);
    assert_string_equal(warnings[2].text,
                        "Stack size for entry function 'r' cannot be statically determined");
    assert_int_equal(compiler_log_warnings(log, "kernel.cu", warnings, 1), 1);
    assert_int_equal(compiler_log_warnings("", "kernel.cu", warnings, 4), 0);
}

TESTS_BETWEEN(set_up, tear_down, UNIT(a_function_that_is_not_there), UNIT(other_words_of_the_linker),
              UNIT(words_of_the_assembler), UNIT(what_the_compiler_says_is_left), UNIT(warnings_by_line))
