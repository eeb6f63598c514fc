/* What `make labN` prints stands in its report: report-text prints the same bytes of it, whatever became of the run. */
#include "support_lab.h"

#include "base/child.h"
#include "base/file.h"
#include "lab/commands/commands.h"
#include <fcntl.h>

enum { PRINTED_LIMIT = 1 << 20 };

/* A build folder of its own, whose "yours" is what a test wants it to be. */

static void link_to(const char *place, const char *name) {
    char from[PATH_SIZE], to[PATH_SIZE];
    assert_true(path_join(from, settings.build, name) && path_join(to, folder, place));
    assert_int_equal(symlink(from, to), 0);
}

static int set_up(void **state) {
    char kernels[PATH_SIZE];
    if (make_folder(state) != 0 || !path_join(kernels, folder, "kernels/lab1") ||
        !folder_make(kernels, error, sizeof error))
        return -1;
    settings.device = DEVICE_SIM;
    settings.strict = true;
    link_to("bin", "bin");
    link_to("lib", "lib");
    link_to("kernels/lab1/starter-90", "kernels/lab1/starter-90");
    link_to("kernels/lab1/reference-90", "kernels/lab1/reference-90");
    return 0;
}

/* `lab run lab1` with that program, NULL: none; its output, as a file. */
static void run_lab(const char *program, int status, const char *printed) {
    char yours[PATH_SIZE];
    assert_true(path_join(yours, folder, "kernels/lab1/yours-90"));
    unlink(yours);
    if (program != NULL)
        link_to("kernels/lab1/yours-90", program);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        static struct settings s;
        s = settings;
        snprintf(s.build, sizeof s.build, "%s", folder);
        snprintf(s.keep, sizeof s.keep, "%s", folder); /* the learner's own record stays as it is */
        int file = open(printed, O_CREAT | O_TRUNC | O_WRONLY, 0600);
        if (file < 0 || dup2(file, STDOUT_FILENO) < 0)
            _exit(99);
        int result = command_run(&s, "lab1", 0, NULL);
        fflush(stdout);
        _exit(result);
    }
    assert_int_equal(child_wait(child, 300), status);
}

/* Both texts; `says` must be in them. */
static void expect_same(const char *program, int status, const char *says) {
    char path[PATH_SIZE], report[PATH_SIZE], tool[PATH_SIZE];
    assert_true(path_join(path, folder, "printed") && path_join(report, folder, "lab1/report.json") &&
                path_join(tool, folder, "bin/report-text"));
    run_lab(program, status, path);
    FREED char *printed = file_read(path, PRINTED_LIMIT, NULL, error, sizeof error);
    assert_non_null(printed);
    FREED char *again = calloc(1, PRINTED_LIMIT);
    assert_non_null(again);
    assert_int_equal(child_run((const char *[]){tool, report, NULL}, again, PRINTED_LIMIT), 0);
    assert_string_equal(printed, again);
    if (strstr(printed, says) == NULL)
        fail_msg("'%s' is not in: %s", says, printed);
    assert_non_null(strstr(printed, "\nNext   "));
}

static void a_pass(void **state) {
    expect_same("kernels/lab1/reference-90", 0, "Score 100 of 100  (passed; the pass mark is 60)");
}

static void a_wrong_answer(void **state) {
    expect_same("kernels/wrong/gaussian_blur/border-90", 1, "Cause:  In all ");
}

static void a_fault(void **state) {
    expect_same("kernels/wrong/gaussian_blur/outside-90", 1, "Stopped  in case");
}

static void what_does_not_build(void **state) {
    char log[PATH_SIZE];
    assert_true(path_join(log, folder, "kernels/lab1/yours-90.log"));
    FILE *file = fopen(log, "w");
    assert_non_null(file);
    fputs("kernel.cu(3): error: expected a \";\"\n\n\xe2\x80\x98 \xff \x1b[1m\n", file);
    assert_int_equal(fclose(file), 0);
    expect_same(NULL, 1, "Does not compile\nkernel.cu(3): error: expected a \";\"\n\n");
}

TESTS_BETWEEN(set_up, remove_folder, UNIT(a_pass), UNIT(a_wrong_answer), UNIT(a_fault),
              UNIT(what_does_not_build))
