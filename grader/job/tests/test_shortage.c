/* A grader whose own disk is full: its trouble, at whatever step it happens, and never the submission's failure. Disks of
 * many sizes are mounted in a name space of this program's own. */
#include "support_job.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>

static struct bench bench;

static int set_up(void **state) {
    return bench_open(&bench, NULL, true);
}

static int tear_down(void **state) {
    return bench_close(&bench);
}

static bool put(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    bool right = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    if (file >= 0)
        close(file);
    return right;
}

/* Name spaces in which this user may mount; the ids stay what they are. */
static bool may_mount(void) {
    char uids[64], gids[64];
    snprintf(uids, sizeof uids, "%u %u 1", getuid(), getuid());
    snprintf(gids, sizeof gids, "%u %u 1", getgid(), getgid());
    return unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 && put("/proc/self/setgroups", "deny") &&
           put("/proc/self/uid_map", uids) && put("/proc/self/gid_map", gids) &&
           mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

static int grade_reference(const char *name) {
    char kernel[PATH_SIZE];
    assert_true(path_join(kernel, bench.home.root, "solutions/lab1-memory-layout/kernel.cu"));
    const char *const arguments[] = {"--lab", "lab1",     "--size", "96x64", "--seed",
                                     "5",     "--kernel", kernel,   NULL};
    return bench_grade(&bench, name, arguments);
}

/* The outcome of the reference there; "" where no result could be written. */
static void outcome_on(const char *name, char outcome[32]) {
    char path[PATH_SIZE];
    int status = grade_reference(name);
    outcome[0] = '\0';
    assert_true(path_print(path, "%s/%s/result.json", bench.folder, name));
    if (access(path, F_OK) == 0) {
        json_auto_t *result = bench_result(&bench, name);
        snprintf(outcome, 32, "%s", bench_text(result, "outcome"));
    }
    /* 0 is the status of a verdict */
    assert_int_equal(status == 0, strcmp(outcome, "judged") == 0);
}

static void test_a_full_disk_is_nobodys_failure(void **state) {
    bench_need_isolation(&bench);
    static const unsigned sizes[] = {4, 16, 40, 64, 100, 160, 256, 400, 640, 1000, 1600, 65536};
    char folder[PATH_SIZE], error[512], outcome[32] = "";
    unsigned troubles = 0;
    assert_true(path_join(folder, bench.folder, "disk") && folder_make(folder, error, sizeof error));
    assert_int_equal(grade_reference("warm"), 0); /* starter and reference are kept elsewhere */
    if (!may_mount()) {
        print_message("skipped: no file system can be mounted here: %s\n", strerror(errno));
        skip();
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char options[32];
        snprintf(options, sizeof options, "size=%uk", sizes[i]);
        if (mount("disk", folder, "tmpfs", 0, options) != 0)
            fail_msg("mount: %s", strerror(errno));
        outcome_on("disk/out", outcome);
        if (strcmp(outcome, "judged") != 0 && strcmp(outcome, "trouble") != 0 && outcome[0] != '\0')
            fail_msg("with %u KiB: %s", sizes[i], outcome);
        troubles += strcmp(outcome, "judged") != 0;
        assert_int_equal(umount2(folder, MNT_DETACH), 0);
    }
    assert_string_equal(outcome, "judged"); /* where there is room */
    assert_true(troubles >= 3);
}

TESTS_BETWEEN(set_up, tear_down, UNIT(test_a_full_disk_is_nobodys_failure))
