/* Whole jobs: what result.json says, that it says it every time, and what a grader in trouble does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/settings.h"
#include "job/sandbox.h"
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct settings settings;
static char folder[] = "/tmp/test_job.XXXXXX", program[SETTINGS_PATH + 32], why_not[256];
static bool isolated;

static int set_up(void **state) {
    char error[SETTINGS_ERROR], launcher[SETTINGS_PATH + 32];
    (void)state;
    if (!settings_init(&settings, error, sizeof error) || mkdtemp(folder) == NULL)
        return -1;
    snprintf(program, sizeof program, "%s/bin/grade-job", settings.build);
    snprintf(launcher, sizeof launcher, "%s/bin/sandbox", settings.build);
    isolated = sandbox_works(launcher, why_not, sizeof why_not);
    if (getenv("SANITIZED") != NULL) { /* a sanitiser reads /proc/self/maps */
        isolated = false;
        snprintf(why_not, sizeof why_not,
                 "a simgpu built with sanitisers needs /proc, which the sandbox has not");
    }
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command); /* NOLINT(cert-env33-c): a folder this test made */
}

static void need_isolation(void) {
    if (isolated)
        return;
    print_message("skipped: %s\n", why_not);
    skip();
}

/* Run grade-job on a file, with more arguments if wanted; its result goes to folder/NAME. Returns the exit
 * status. */
static int grade(const char *name, const char *kernel, const char *const *more) {
    char output[128], cache[128];
    snprintf(output, sizeof output, "%s/%s", folder, name);
    snprintf(cache, sizeof cache, "%s/cache", folder);
    const char *arguments[32] = {program, "--kernel", kernel, "--output", output, "--cache", cache, "--seed",
                                 "5",
                                 /* no verdict hangs on how fast this machine is */
                                 "--build-seconds", "3600", "--run-seconds", "3600"};
    unsigned n = 13;
    for (unsigned i = 0; more[i] != NULL; i++)
        arguments[n++] = more[i];
    arguments[n] = NULL;
    int status;
    pid_t child = fork();
    if (child == 0) {
        int nothing = open("/dev/null", O_WRONLY);
        dup2(nothing, STDERR_FILENO);
        execv(program, (char *const *)(uintptr_t)arguments);
        _exit(126);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
#define LAB1                                                                                                 \
    (const char *const[]) {                                                                                  \
        "--lab", "lab1", "--size", "96x64", NULL                                                             \
    }

static json_t *result_of(const char *name) {
    char path[160];
    json_error_t error;
    snprintf(path, sizeof path, "%s/%s/result.json", folder, name);
    json_t *result = json_load_file(path, 0, &error);
    if (result == NULL)
        fail_msg("%s: %s", path, error.text);
    return result;
}

static const char *text_of(const json_t *result, const char *key) {
    const char *text = json_string_value(json_object_get(result, key));
    assert_non_null(text);
    return text;
}

static void reference(char *path, size_t size) {
    snprintf(path, size, "%s/solutions/lab1-memory-layout/kernel.cu", settings.root);
}

static void write_kernel(const char *text, char *path, size_t size) {
    snprintf(path, size, "%s/kernel.cu", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* The first job measures starter and reference, the second reads them. */
static void test_same_every_time(void **state) {
    (void)state;
    need_isolation();
    char path[SETTINGS_PATH + 64], *texts[2];
    reference(path, sizeof path);
    for (int i = 0; i < 2; i++) {
        const char *name = i == 0 ? "first" : "second";
        assert_int_equal(grade(name, path, (const char *const[]){"--lab", "lab1", "--size", "640x420", NULL}),
                         0);
        json_t *result = result_of(name);
        assert_string_equal(text_of(result, "outcome"), "judged");
        assert_string_equal(text_of(result, "size"), "640x420");
        assert_int_equal(strlen(text_of(result, "kernel_sha256")), 64);
        assert_int_equal(strlen(text_of(result, "kit")), 16);
        assert_int_equal(json_integer_value(json_object_get(result, "schema")), 1);
        assert_int_equal(json_integer_value(json_object_get(result, "seed")), 5);
        assert_int_equal(json_array_size(json_object_get(result, "flags")), 0);
        json_t *report = json_object_get(result, "report"), *runs = json_object_get(report, "runs");
        static const char *const names[] = {"starter", "yours", "reference"};
        assert_int_equal(json_array_size(runs), 3);
        for (size_t r = 0; r < 3; r++)
            assert_string_equal(text_of(json_array_get(runs, r), "name"), names[r]);
        json_t *score = json_object_get(report, "score");
        assert_true(json_number_value(json_object_get(score, "points")) > 0);
        assert_int_equal(json_object_del(result, "seconds"), 0);
        texts[i] = json_dumps(result, 0);
        json_decref(result);
    }
    assert_string_equal(texts[0], texts[1]);
    free(texts[0]);
    free(texts[1]);
}

static void test_compiler_error(void **state) {
    (void)state;
    need_isolation();
    char path[64];
    write_kernel("#include \"lab1.h\"\n\nextern \"C\" void gaussian_blur(const uint8_t *src) { int x = ; }\n",
                 path, sizeof path);
    assert_int_equal(grade("error", path, LAB1), 0);
    json_t *result = result_of("error");
    assert_string_equal(text_of(result, "outcome"), "build-failed");
    assert_non_null(strstr(text_of(result, "message"), "kernel.cu(3): error"));
    assert_true(json_is_null(json_object_get(result, "report")));
    json_decref(result);
}

static void test_missing_function(void **state) {
    (void)state;
    need_isolation();
    char path[64];
    write_kernel("__global__ void k(void) {}\n", path, sizeof path);
    assert_int_equal(grade("missing", path, LAB1), 0);
    json_t *result = result_of("missing");
    assert_string_equal(text_of(result, "outcome"), "build-failed");
    assert_non_null(strstr(text_of(result, "message"), "gaussian_blur"));
    json_decref(result);
}

/* What a kernel.cu may well use besides kernels: C++ objects that are initialised before main, exceptions,
 * virtual functions, device variables, and the headers by which Thrust and CUB come to call dlopen. */
static void test_honest_needs(void **state) {
    (void)state;
    need_isolation();
    static const char text[] =
        "#include \"lab1.h\"\n#include <iostream>\n#include <map>\n#include <string>\n#include <vector>\n"
        "#if __has_include(<nvtx3/nvToolsExt.h>)\n#include <nvtx3/nvToolsExt.h>\n#else\n#define "
        "nvtxMark(text)\n#endif\n"
        "static std::map<int, std::string> names = {{1, \"one\"}};\n"
        "__device__ int calls;\n__device__ float table[2] = {1, 2};\nint dst;\n"
        "struct base { virtual ~base() {} virtual int of(int x) const { return x; } };\n"
        "struct twice : base { int of(int x) const override { return 2 * x; } };\n"
        "template <int N> __global__ void k(uint8_t *to) { if (table[1] > 1) atomicAdd(&calls, N); *to = 1; "
        "}\n"
        "extern \"C\" void gaussian_blur(const uint8_t *src, uint8_t *to, int w, int h, cudaStream_t s) {\n"
        "    std::vector<int> v(3);\n    nvtxMark(\"here\");\n    base *b = new twice;\n"
        "    try { v.at(b->of(2)) = 1; } catch (const std::exception &e) { std::cerr << names[1] << "
        "e.what(); }\n"
        "    delete b;\n    k<3><<<1, 1, 0, s>>>(to);\n"
        "    if (cudaGetLastError() != cudaSuccess) exit(1);\n}\n";
    char path[64];
    write_kernel(text, path, sizeof path);
    assert_int_equal(grade("needs", path, LAB1), 0);
    json_t *result = result_of("needs");
    if (strstr(text_of(result, "message"), "cases are wrong") == NULL)
        fail_msg("%s\n%s", text_of(result, "message"), text_of(result, "detail"));
    assert_int_equal(json_array_size(json_object_get(result, "flags")), 0);
    json_decref(result);
}

/* A wrong answer: its case is named, its seed is not. */
static void test_wrong(void **state) {
    (void)state;
    need_isolation();
    char path[64];
    write_kernel(
        "#include \"lab1.h\"\n__global__ void k(uint8_t *dst) { dst[0] = 1; }\n"
        "extern \"C\" void gaussian_blur(const uint8_t *src, uint8_t *dst, int w, int h, cudaStream_t s) {\n"
        "    k<<<1, 1, 0, s>>>(dst);\n}\n",
        path, sizeof path);
    assert_int_equal(grade("wrong", path, LAB1), 0);
    json_t *result = result_of("wrong");
    assert_string_equal(text_of(result, "outcome"), "failed");
    assert_non_null(strstr(text_of(result, "message"), "cases are wrong"));
    assert_null(strstr(text_of(result, "detail"), "seed"));
    assert_int_equal(json_array_size(json_object_get(result, "flags")), 0);
    json_decref(result);
}

static void test_usage(void **state) {
    (void)state;
    char path[SETTINGS_PATH + 64];
    reference(path, sizeof path);
    assert_int_equal(grade("usage", path, (const char *const[]){"--lab", "lab77", NULL}), 2);
    assert_int_equal(grade("usage", path, (const char *const[]){"--lab", "lab1", "--size", "0x0", NULL}), 2);
    assert_int_equal(grade("usage", path, (const char *const[]){"--lab", "lab1", "--run-seconds", "0", NULL}),
                     2);
    assert_int_equal(grade("usage", path, (const char *const[]){"--lab", "lab1", "--what", "1", NULL}), 2);
    assert_int_equal(grade("usage", path, (const char *const[]){"--lab", NULL}), 2);
    assert_int_equal(grade("usage", path, (const char *const[]){NULL}), 2);
}

static void test_trouble(void **state) {
    (void)state;
    char path[SETTINGS_PATH + 64];
    assert_int_equal(grade("trouble", "/nowhere/kernel.cu", LAB1), 1);
    json_t *result = result_of("trouble");
    assert_string_equal(text_of(result, "outcome"), "trouble");
    assert_non_null(strstr(text_of(result, "message"), "/nowhere/kernel.cu"));
    json_decref(result);

    reference(path, sizeof path);
    setenv("BWRAP", "/nowhere/bwrap", 1);
    int refused = grade("refused", path, LAB1), unsafe;
    unsafe =
        grade("unsafe", path, (const char *const[]){"--lab", "lab1", "--size", "96x64", "--unsafe", NULL});
    unsetenv("BWRAP");
    assert_int_equal(refused, 1);
    result = result_of("refused");
    assert_string_equal(text_of(result, "outcome"), "trouble");
    assert_non_null(strstr(text_of(result, "message"), "--unsafe"));
    assert_true(json_is_null(json_object_get(result, "report")));
    json_decref(result);
    assert_int_equal(unsafe, 0);
    result = result_of("unsafe");
    assert_string_equal(text_of(result, "outcome"), "judged");
    json_decref(result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_every_time),
        cmocka_unit_test(test_compiler_error),
        cmocka_unit_test(test_missing_function),
        cmocka_unit_test(test_honest_needs),
        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_usage),
        cmocka_unit_test(test_trouble),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
