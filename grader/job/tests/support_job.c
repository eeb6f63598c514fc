/* support_job.c: the bench on which this room's tests run grade-job. */
#include "support_job.h"

#include "base/child.h"
#include "base/file.h"
#include <math.h>
#include <sys/wait.h>

int bench_open(struct bench *bench, const char *rung, bool simgpu) {
    char error[PATH_SIZE + 256];
    path_print(bench->folder, "/tmp/test_job.XXXXXX");
    if (!home_find(&bench->home, error, sizeof error) || mkdtemp(bench->folder) == NULL ||
        !path_join(bench->grade_job, bench->home.build, "bin/grade-job") ||
        !path_join(bench->launcher, bench->home.build, "bin/sandbox"))
        return -1;
    if (simgpu && getenv("SANITIZED") != NULL) /* a sanitiser reads /proc/self/maps */
        strcpy(bench->why_not, "a simgpu built with sanitisers needs /proc, which the sandbox has not");
    else if (sandbox_choose(bench->launcher, rung, &bench->rung, bench->why_not, sizeof bench->why_not))
        bench->why_not[0] = '\0';
    return 0;
}

int bench_close(struct bench *bench) {
    if (getenv("KEEP") == NULL)
        folder_remove(bench->folder);
    return 0;
}

bool bench_expand(const struct bench *bench, const char *name, const char *texts) {
    char command[2 * PATH_SIZE + 256], said[1024];
    int length = snprintf(command, sizeof command, "cd '%s' && exec common/tools/expand-fixtures '%s/%s' %s",
                          bench->home.root, bench->folder, name, texts);
    const char *const shell[] = {"/bin/sh", "-c", command, NULL};
    bool right = length < (int)sizeof command && child_run(shell, said, sizeof said) == 0;
    if (!right)
        fprintf(stderr, "%s: %s\n", command, said);
    return right;
}

unsigned bench_workers(void) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > BENCH_WORKERS_MOST ? BENCH_WORKERS_MOST : (unsigned)cores;
}

void bench_need_isolation(const struct bench *bench) {
    if (bench->why_not[0] == '\0')
        return;
    print_message("skipped: %s\n", bench->why_not);
    skip();
}

void bench_as_nobody(const struct bench *bench, enum sandbox_rung rung) {
    int status;
    bench_need_isolation(bench);
    if (getuid() != 0) {
        print_message("skipped: this test is an ordinary user's already\n");
        skip();
    }
    pid_t child = fork();
    if (child == 0) {
        char why[256];
        if (setgid(65534) != 0 || setuid(65534) != 0)
            _exit(2);
        _exit(access(bench->launcher, X_OK) != 0 ? 3
                                                 : !sandbox_works(bench->launcher, rung, why, sizeof why));
    }
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 3) {
        print_message("skipped: %s cannot be reached by user 65534\n", bench->launcher);
        skip();
    }
    assert_int_equal(status, 0);
}

int bench_grade(const struct bench *bench, const char *name, const char *const *arguments) {
    char output[PATH_SIZE], cache[PATH_SIZE];
    const char *all[40] = {bench->grade_job,  "--output", output,          "--cache", cache,
                           "--build-seconds", NO_HURRY,   "--run-seconds", NO_HURRY};
    unsigned n = 9;
    if (bench->why_not[0] == '\0') {
        all[n++] = "--sandbox";
        all[n++] = sandbox_name(bench->rung);
    }
    if (!path_join(output, bench->folder, name) || !path_join(cache, bench->folder, "cache"))
        return -1;
    while (*arguments != NULL && n < 39)
        all[n++] = *arguments++;
    struct child child = {
        .arguments = all, .input = CHILD_NOTHING, .output = CHILD_NOTHING, .errors = CHILD_NOTHING};
    return child_wait(child_start(&child), INFINITY);
}

json_t *bench_result(const struct bench *bench, const char *name) {
    char path[PATH_SIZE];
    json_error_t error;
    assert_true(path_print(path, "%s/%s/result.json", bench->folder, name));
    json_t *result = json_load_file(path, 0, &error);
    if (result == NULL)
        fail_msg("%s: %s", path, error.text);
    return result;
}

const char *bench_text(const json_t *result, const char *key) {
    const char *text = json_string_value(json_object_get(result, key));
    assert_non_null(text);
    return text;
}
