/* Whole jobs: what result.json says, that it says it every time, and what a grader in trouble does. */
#include "support_job.h"

#include "base/file.h"
#include "job/job_result.h"

#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

static struct bench bench;

static int set_up(void **state) {
    return bench_open(&bench, NULL, true);
}

static int tear_down(void **state) {
    return bench_close(&bench);
}

/* Run grade-job on a file, with more arguments if wanted; its result goes to folder/NAME. The exit status. */
static int grade(const char *name, const char *kernel, const char *const *more) {
    const char *arguments[24] = {"--kernel", kernel, "--seed", "5"};
    for (unsigned n = 4; *more != NULL && n < 23; n++)
        arguments[n] = *more++;
    return bench_grade(&bench, name, arguments);
}
#define LAB1                                                                                                 \
    (const char *const[]) {                                                                                  \
        "--lab", "lab1", "--size", "96x64", NULL                                                             \
    }

static void reference(char path[PATH_SIZE]) {
    assert_true(path_join(path, bench.home.root, "solutions/lab1-memory-layout/kernel.cu"));
}

static void write_kernel(const char *text, char path[PATH_SIZE]) {
    char error[512];
    assert_true(path_join(path, bench.folder, "kernel.cu") &&
                file_write(path, text, strlen(text), error, sizeof error));
}

/* A job leaves nothing to its parent: so its processor time is what the parent sees. */
static void test_leaves_no_process(void **state) {
    bench_need_isolation(&bench);
    char path[PATH_SIZE];
    reference(path);
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
    assert_int_equal(grade("alone", path, LAB1), 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0), 0);
}

/* The first job measures starter and reference, the second reads them. */
static void test_same_every_time(void **state) {
    bench_need_isolation(&bench);
    char path[PATH_SIZE], *texts[2];
    reference(path);
    for (int i = 0; i < 2; i++) {
        const char *name = i == 0 ? "first" : "second";
        assert_int_equal(grade(name, path, (const char *const[]){"--lab", "lab1", "--size", "640x420", NULL}),
                         0);
        json_auto_t *result = bench_result(&bench, name);
        assert_string_equal(bench_text(result, "outcome"), "judged");
        assert_string_equal(bench_text(result, "size"), "640x420");
        assert_int_equal(strlen(bench_text(result, "kernel_sha256")), 64);
        assert_int_equal(strlen(bench_text(result, "kit")), 16);
        assert_int_equal(json_integer_value(json_object_get(result, "schema")), 1);
        assert_int_equal(strcmp(bench_text(result, "drawn"), "5"), 0);
        assert_int_equal(json_array_size(json_object_get(result, "flags")), 0);
        size_t prints = strlen(bench_text(result, "prints")); /* of 16 digits each */
        assert_true(prints >= 32 * 16 && prints % 16 == 0);
        json_t *report = json_object_get(result, "report"), *runs = json_object_get(report, "runs");
        static const char *const names[] = {"starter", "yours", "reference"};
        assert_int_equal(json_array_size(runs), 3);
        for (size_t r = 0; r < 3; r++)
            assert_string_equal(bench_text(json_array_get(runs, r), "name"), names[r]);
        json_t *score = json_object_get(report, "score");
        assert_true(json_number_value(json_object_get(score, "points")) > 0);
        assert_int_equal(json_object_del(result, "seconds"), 0);
        texts[i] = json_dumps(result, 0);
    }
    assert_string_equal(texts[0], texts[1]);
    free(texts[0]);
    free(texts[1]);
}

static void test_compiler_error(void **state) {
    bench_need_isolation(&bench);
    char path[PATH_SIZE];
    write_kernel("#include \"lab1.h\"\n\nextern \"C\" void gaussian_blur(const uint8_t *src) { int x = ; }\n",
                 path);
    assert_int_equal(grade("error", path, LAB1), 0);
    json_auto_t *result = bench_result(&bench, "error");
    assert_string_equal(bench_text(result, "outcome"), "build-failed");
    assert_non_null(strstr(bench_text(result, "message"), "kernel.cu:3: error"));
    assert_true(json_is_null(json_object_get(result, "prints")));
    assert_true(json_is_null(json_object_get(result, "report")));
}

static void test_missing_function(void **state) {
    bench_need_isolation(&bench);
    char path[PATH_SIZE];
    write_kernel("__global__ void k(void) {}\n", path);
    assert_int_equal(grade("missing", path, LAB1), 0);
    json_auto_t *result = bench_result(&bench, "missing");
    assert_string_equal(bench_text(result, "outcome"), "build-failed");
    assert_non_null(strstr(bench_text(result, "message"), "gaussian_blur"));
}

/* What a kernel.cu may well use besides kernels: C++ objects that are initialised before main, exceptions,
 * virtual functions, device variables, and the headers by which Thrust and CUB come to call dlopen. */
static void test_honest_needs(void **state) {
    bench_need_isolation(&bench);
    static const char text[] =
        "#include \"lab1.h\"\n#include <iostream>\n#include <map>\n#include <string>\n#include <vector>\n"
        "#if __has_include(<nvtx3/nvToolsExt.h>)\n#include <nvtx3/nvToolsExt.h>\n#else\n"
        "#define nvtxMark(text)\n#endif\n"
        "static std::map<int, std::string> names = {{1, \"one\"}};\n"
        "__device__ int calls;\n__device__ float table[2] = {1, 2};\nint dst;\n"
        "struct base { virtual ~base() {} virtual int of(int x) const { return x; } };\n"
        "struct twice : base { int of(int x) const override { return 2 * x; } };\n"
        "template <int N> __global__ void k(uint8_t *to) {\n"
        "    if (table[1] > 1) atomicAdd(&calls, N);\n    *to = 1;\n}\n"
        "extern \"C\" void gaussian_blur(const uint8_t *src, uint8_t *to, int w, int h, cudaStream_t s) {\n"
        "    std::vector<int> v(3);\n    nvtxMark(\"here\");\n    base *b = new twice;\n"
        "    try { v.at(b->of(2)) = 1; }\n"
        "    catch (const std::exception &e) { std::cerr << names[1] << e.what(); }\n"
        "    delete b;\n    k<3><<<1, 1, 0, s>>>(to);\n"
        "    if (cudaGetLastError() != cudaSuccess) exit(1);\n}\n";
    char path[PATH_SIZE];
    write_kernel(text, path);
    assert_int_equal(grade("needs", path, LAB1), 0);
    json_auto_t *result = bench_result(&bench, "needs");
    if (strstr(bench_text(result, "message"), "cases are wrong") == NULL)
        fail_msg("%s\n%s", bench_text(result, "message"), bench_text(result, "detail"));
    assert_int_equal(json_array_size(json_object_get(result, "flags")), 0);
}

/* A wrong answer: its case is named, its seed is not. */
static void test_wrong(void **state) {
    bench_need_isolation(&bench);
    char path[PATH_SIZE];
    write_kernel(
        "#include \"lab1.h\"\n__global__ void k(uint8_t *dst) { dst[0] = 1; }\n"
        "extern \"C\" void gaussian_blur(const uint8_t *src, uint8_t *dst, int w, int h, cudaStream_t s) {\n"
        "    k<<<1, 1, 0, s>>>(dst);\n}\n",
        path);
    assert_int_equal(grade("wrong", path, LAB1), 0);
    json_auto_t *result = bench_result(&bench, "wrong");
    assert_string_equal(bench_text(result, "outcome"), "failed");
    assert_non_null(strstr(bench_text(result, "message"), "cases are wrong"));
    assert_null(strstr(bench_text(result, "detail"), "seed"));
    /* the smallest case, element by element, as `make lab1` has it */
    assert_non_null(
        strstr(bench_text(result, "detail"), ":\n       index  at (x, y)             got  expected\n"));
    /* the program printed nothing; what the simulated GPU says of the judge's own kernels is nobody's to read */
    assert_null(strstr(bench_text(result, "detail"), "It printed"));
    assert_null(strstr(bench_text(result, "detail"), "simulated GPU"));
    assert_int_equal(json_array_size(json_object_get(result, "flags")), 0);
}

/* A message is the first line of what is to be said, and a sentence. */
static void test_message(void **state) {
    ENDED(job_result_free) struct job_result result;
    job_result_init(&result, NULL);
    job_result_set(&result, JOB_FAILED, "%s does not end:\n%s", "gaussian_blur", "kernel.cu:7: a loop");
    assert_string_equal(result.message, "gaussian_blur does not end");
    job_result_set(&result, JOB_FAILED, ": ");
    assert_string_equal(result.message, "");
}

/* Right with every public input, wrong with some that only the grader has: which of them it is, and how wrong, is the staff's
 * to know. There are more of the grader's cases than a program meets elsewhere, so this one fails late. */
static void test_wrong_in_secret(void **state) {
    bench_need_isolation(&bench);
    char path[PATH_SIZE];
    assert_true(bench_expand(&bench, "hostile", "grader/job/tests/hostile/lab1.txt"));
    assert_true(path_join(path, bench.folder, "hostile/wrong_in_secret.cu"));
    assert_int_equal(grade("secret", path, LAB1), 0);
    json_t *result = bench_result(&bench, "secret"), *staff = json_object_get(result, "staff");
    assert_string_equal(bench_text(result, "outcome"), "failed");
    assert_string_equal(
        bench_text(result, "message"),
        "it is right with the inputs of `make lab1`, and with others that only the grader has "
        "it computes something else");
    assert_null(strstr(bench_text(result, "detail"), " x "));
    assert_non_null(strstr(bench_text(result, "detail"), "SEED=3"));
    assert_non_null(strstr(bench_text(staff, "message"), "cases are wrong"));
    assert_non_null(strstr(bench_text(staff, "detail"), " x "));
    assert_true(json_is_null(json_object_get(result, "shown")));
    json_decref(result);
}

/* A judge that has too little room with a submission ends itself, not the machine; it is the submission's failure, and the
 * next one has all of it again. */
static void test_judge_limit(void **state) {
    bench_need_isolation(&bench);
    char path[PATH_SIZE], left[PATH_SIZE];
    reference(path);
    assert_int_equal(
        grade("large", path,
              (const char *const[]){"--lab", "lab1", "--size", "96x64", "--judge-mib", "1", NULL}),
        0);
    json_t *result = bench_result(&bench, "large");
    assert_string_equal(bench_text(result, "outcome"), "failed");
    assert_non_null(strstr(bench_text(result, "message"), "made the judge itself too large or too slow"));
    json_t *flag = json_array_get(json_object_get(result, "flags"), 0);
    assert_string_equal(bench_text(flag, "name"), "judge-limit");
    json_decref(result);
    assert_int_equal(grade("not-large", path, LAB1), 0);
    result = bench_result(&bench, "not-large");
    assert_string_equal(bench_text(result, "outcome"), "judged");
    json_decref(result);
    /* what was written for the worst is not left lying */
    assert_true(path_print(left, "%s/not-large/too-much.json", bench.folder));
    assert_int_not_equal(access(left, F_OK), 0);
}

static void test_usage(void **state) {
    char path[PATH_SIZE];
    reference(path);
    assert_int_equal(grade("usage", path, (const char *const[]){"--lab", "lab77", NULL}), 2);
    assert_int_equal(grade("usage", path, (const char *const[]){"--lab", "lab1", "--size", "0x0", NULL}), 2);
    assert_int_equal(grade("usage", path, (const char *const[]){"--lab", "lab1", "--run-seconds", "0", NULL}),
                     2);
    assert_int_equal(grade("usage", path, (const char *const[]){"--lab", "lab1", "--what", "1", NULL}), 2);
    assert_int_equal(grade("usage", path, (const char *const[]){"--lab", NULL}), 2);
    assert_int_equal(grade("usage", path, (const char *const[]){NULL}), 2);
}

static void test_trouble(void **state) {
    char path[PATH_SIZE];
    assert_int_equal(grade("trouble", "/nowhere/kernel.cu", LAB1), 1);
    json_t *result = bench_result(&bench, "trouble");
    assert_string_equal(bench_text(result, "outcome"), "trouble");
    assert_non_null(strstr(bench_text(result, "message"), "/nowhere/kernel.cu"));
    json_decref(result);

    reference(path);
    setenv("BWRAP", "/nowhere/bwrap", 1);
    int refused =
            grade("refused", path,
                  (const char *const[]){"--lab", "lab1", "--size", "96x64", "--sandbox", "bubblewrap", NULL}),
        unsafe;
    unsafe =
        grade("unsafe", path, (const char *const[]){"--lab", "lab1", "--size", "96x64", "--unsafe", NULL});
    unsetenv("BWRAP");
    assert_int_equal(refused, 1);
    result = bench_result(&bench, "refused");
    assert_string_equal(bench_text(result, "outcome"), "trouble");
    assert_non_null(strstr(bench_text(result, "message"), "--unsafe"));
    assert_true(json_is_null(json_object_get(result, "report")));
    json_decref(result);
    if (getenv("SANITIZED") != NULL) { /* a sanitiser reserves more than a judge may */
        print_message("not looked at: how a judge built with sanitisers fares without a sandbox\n");
        return;
    }
    assert_int_equal(unsafe, 0);
    result = bench_result(&bench, "unsafe");
    assert_string_equal(bench_text(result, "outcome"), "judged");
    json_decref(result);
}

/* bubblewrap works, until the submission's program is to be started: the grader's trouble, and nobody else's. */
static void test_sandbox_fails_later(void **state) {
    bench_need_isolation(&bench);
    char script[PATH_SIZE], path[PATH_SIZE], error[512];
    static const char text[] = "#!/bin/sh\n"
                               "for last; do :; done\n"
                               "case $last in /kit/program) echo 'bwrap: no more' >&2; exit 1;; esac\n"
                               "PATH=/usr/local/bin:/usr/bin:/bin exec bwrap \"$@\"\n";
    assert_true(path_join(script, bench.folder, "bwrap") &&
                file_write(script, text, strlen(text), error, sizeof error) && chmod(script, 0700) == 0);
    reference(path);
    setenv("BWRAP", script, 1);
    int status = grade("later", path, LAB1);
    unsetenv("BWRAP");
    json_auto_t *result = bench_result(&bench, "later");
    assert_string_equal(bench_text(result, "outcome"), "trouble");
    assert_non_null(strstr(bench_text(result, "message"), "before the program began"));
    assert_int_equal(json_array_size(json_object_get(result, "flags")), 0);
    assert_int_equal(status, 1);
}

TESTS_BETWEEN(set_up, tear_down, UNIT(test_leaves_no_process), UNIT(test_same_every_time),
              UNIT(test_compiler_error), UNIT(test_missing_function), UNIT(test_honest_needs),
              UNIT(test_wrong), UNIT(test_message), UNIT(test_wrong_in_secret), UNIT(test_judge_limit),
              UNIT(test_usage), UNIT(test_trouble), UNIT(test_sandbox_fails_later))
