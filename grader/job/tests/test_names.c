/* Where the kit lies does not come out of a sandbox, nor out of what is told of a job. */
#include "support_job.h"

#include "base/file.h"

static struct bench bench;

static int open_bench(void **state, const char *rung) {
    return bench_open(&bench, rung, true);
}
static int set_up_bubblewrap(void **state) {
    return open_bench(state, "bubblewrap");
}
static int set_up_landlock(void **state) {
    return open_bench(state, "landlock");
}
static int tear_down(void **state) {
    return bench_close(&bench);
}

static void replace(char *text, size_t size, const char *from, const char *to) {
    char copy[16384];
    char *at = strstr(text, from);
    if (at == NULL)
        return;
    assert_true(strlen(text) < sizeof copy);
    strcpy(copy, at + strlen(from));
    snprintf(at, size - (size_t)(at - text), "%s%s", to, copy);
}

/* A submission of names/, judged; its result as text, for the caller to free. separator: what it prints for '/'. */
static char *judge(const char *name, char separator, const char *option, const char *value) {
    char path[PATH_SIZE], error[512], source[16384], shifted[PATH_SIZE];
    assert_true(path_print(path, "%s/grader/job/tests/names/%s.cu", bench.home.root, name));
    char *text = file_read(path, sizeof source / 2, NULL, error, sizeof error);
    assert_non_null(text);
    snprintf(source, sizeof source, "%s", text);
    free(text);
    path_print(shifted, "%s", bench.home.root);
    for (char *c = shifted; *c != '\0'; c++)
        (*c)++;
    replace(source, sizeof source, "SHIFTED_ROOT", shifted);
    replace(source, sizeof source, "SEPARATOR", (const char[]){separator, '\0'});
    assert_true(path_join(path, bench.folder, "kernel.cu") &&
                file_write(path, source, strlen(source), error, sizeof error));
    setenv("LD_LIBRARY_PATH", bench.folder, 1); /* whoever grades may have one */
    int status = bench_grade(&bench, name,
                             (const char *const[]){"--kernel", path, "--seed", "5", "--lab", "lab1", "--size",
                                                   "96x64", option, value, NULL});
    unsetenv("LD_LIBRARY_PATH");
    assert_int_equal(status, 0);
    assert_true(path_print(path, "%s/%s/result.json", bench.folder, name));
    text = file_read(path, 1 << 24, NULL, error, sizeof error);
    assert_non_null(text);
    return text;
}

static bool has(const char *text, const char *folder, char separator) {
    char written[PATH_SIZE];
    path_print(written, "%s", folder);
    for (char *c = written; *c != '\0'; c++)
        if (*c == '/')
            *c = separator;
    return strstr(text, written) != NULL;
}

static void expect_no_place(const char *text, char separator) {
    if (has(text, bench.home.root, separator) || has(text, bench.home.build, separator) ||
        has(text, bench.folder, separator) || strstr(text, "holds-the-folder") != NULL)
        fail_msg("%s", text);
}

static void expect(const char *text, const char *word) {
    if (strstr(text, word) == NULL)
        fail_msg("'%s' is missing:\n%s", word, text);
}

/* Nothing that it can ask has a name of this machine's. */
static void test_sandbox(void **state) {
    bench_need_isolation(&bench);
    char *text = judge("at_run", '|', NULL, NULL);
    expect_no_place(text, '|');
    expect_no_place(text, '/');
    expect(text, "program=|kit|program");
    expect(text, "searched=|kit|program");
    expect(text, "searched=|kit|build|lib|cuda|libcudart");
    expect(text, "folder=|");
    expect(text, "kernel.cu:");
    free(text);
    /* and without a sandbox it can: a name that is there would be seen */
    text = judge("at_run", '|', "--unsafe", NULL);
    assert_true(has(text, bench.folder, '|'));
    free(text);
}

/* Where files cannot have other names the words about the program do. */
static void test_words(void **state) {
    bench_need_isolation(&bench);
    FREED char *text = judge("at_run", '/', NULL, NULL);
    expect_no_place(text, '/');
    expect(text, "program=/kit/program");
    expect(text, "searched=/kit/build/lib/cuda/libcudart");
}

static void test_compiler(void **state) {
    static const struct {
        const char *name, *word;
    } steps[] = {{"at_compile", "nowhere_to_be_found.h"},
                 {"at_assemble", "ptxas /tmp/kept/kernel.ptx"},
                 {"at_link", "undefined reference to"}};
    bench_need_isolation(&bench);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        FREED char *text = judge(steps[i].name, '/', NULL, NULL);
        expect(text, "build-failed");
        expect(text, steps[i].word);
        expect_no_place(text, '/');
    }
}

int main(void) {
    const struct CMUnitTest in_bubblewrap[] = {cmocka_unit_test(test_sandbox),
                                               cmocka_unit_test(test_compiler)},
                            in_landlock[] = {cmocka_unit_test(test_words), cmocka_unit_test(test_compiler)};
    int failed = cmocka_run_group_tests_name("bubblewrap", in_bubblewrap, set_up_bubblewrap, tear_down);
    return failed + cmocka_run_group_tests_name("landlock", in_landlock, set_up_landlock, tear_down);
}
