/* The second rung of the sandbox: what keeps files, processes and the machine apart where there are no name spaces. */
#include "support_job.h"

#include "base/child.h"
#include "base/file.h"
#include "job/rung.h"
#include "job/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

static struct bench bench;
static char said[8192], scratch[PATH_SIZE], target[PATH_SIZE], program[PATH_SIZE];
static const char text[] = "a file of somebody else's\n";

static int set_up(void **state) {
    char error[512];
    return bench_open(&bench, "landlock", false) != 0 || chmod(bench.folder, 0755) != 0 ||
                   !path_join(scratch, bench.folder, "scratch") ||
                   !path_join(target, bench.folder, "target") ||
                   !path_join(program, bench.home.build, "tests/job/attempts") ||
                   !file_write(target, text, strlen(text), error, sizeof error) || chmod(target, 0666) != 0
               ? -1
               : 0;
}

static int tear_down(void **state) {
    return bench_close(&bench);
}

static struct sandbox sandbox_of(enum sandbox_role role, unsigned version) {
    struct sandbox sandbox;
    sandbox_init(&sandbox, role);
    sandbox.rung = SANDBOX_LANDLOCK;
    sandbox.landlock = version;
    assert_true(sandbox_show(&sandbox, program, NULL));
    return sandbox;
}

static int run(struct sandbox *sandbox, const char *const *command) {
    struct sandbox_wrapper wrapper = {.count = 0};
    char error[512];
    folder_remove(scratch);
    assert_true(folder_make(scratch, error, sizeof error));
    sandbox_wrapper(sandbox, bench.launcher, &wrapper);
    for (; *command != NULL; command++)
        wrapper.arguments[wrapper.count++] = *command;
    wrapper.arguments[wrapper.count] = NULL;
    return child_run(wrapper.arguments, said, sizeof said);
}

static int attempt(enum sandbox_role role, unsigned version, const char *name) {
    struct sandbox sandbox = sandbox_of(role, version);
    return run(&sandbox, (const char *const[]){program, name, target, NULL});
}

static int shell(struct sandbox *sandbox, const char *command) {
    strcpy(sandbox->scratch, scratch);
    return run(sandbox, (const char *const[]){"/bin/sh", "-c", command, NULL});
}

/* Nothing of an attempt's success is there. */
static void expect_target_unchanged(void) {
    char error[512], beside[PATH_SIZE];
    struct stat status;
    FREED char *now = file_read(target, 4096, NULL, error, sizeof error);
    assert_non_null(now);
    assert_string_equal(now, text);
    assert_int_equal(stat(target, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0666);
    assert_true(path_print(beside, "%s.new", target));
    assert_int_equal(access(beside, F_OK), -1);
}

static void need_plain_programs(void) {
    if (getenv("SANITIZED") == NULL)
        return;
    print_message("skipped: a program built with sanitisers makes system calls of its own\n");
    skip();
}

/* In its first version Landlock looks at less; the filter of system calls makes up for it. */
static void test_attempts(void **state) {
    enum { END = 128 + SIGSYS };
    static const struct {
        const char *name;
        int program, compiler;
    } expected[] = {{"signal_parent", END, EPERM},
                    {"signal_all", END, EPERM},
                    {"signal_thread", END, EPERM},
                    {"signal_queued", END, EPERM},
                    {"signal_by_descriptor", END, END},
                    {"signal_self", 0, EPERM},
                    {"limits_of_parent", EPERM, EPERM},
                    {"limits_of_self", 0, 0},
                    {"others_priority", EPERM, EPERM},
                    {"own_priority", EPERM, EPERM},
                    {"own_scheduler", EPERM, EPERM},
                    {"own_processors", EPERM, EPERM},
                    {"change_mode", EPERM, EPERM},
                    {"change_times", EPERM, EPERM},
                    {"change_attribute", EPERM, EPERM},
                    {"truncate_by_name", EPERM, EPERM},
                    {"truncate_by_reading", EPERM, EPERM},
                    {"truncate_by_neither", EPERM, EPERM},
                    {"open_by_structure", ENOSYS, ENOSYS},
                    {"read_file", EACCES, EACCES},
                    {"write_file", EACCES, EACCES},
                    {"remove_file", EACCES, EACCES},
                    {"make_file", EACCES, EACCES},
                    {"move_file", EACCES, EACCES},
                    {"run_file", EACCES, 0},
                    {"network", END, END},
                    {"socket_in_files", END, END},
                    {"trace", END, END},
                    {"watch_files", END, END},
                    {"shared_memory", END, END},
                    {"process", END, 0},
                    {"thread", END, 0},
                    {"name_space", END, END},
                    {"ring", END, END},
                    {"memory_of_no_process", END, 0},
                    {"read_process", END, END}};
    bench_need_isolation(&bench);
    need_plain_programs();
    for (unsigned version = 0; version < 4; version++)
        for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
            int as_program = attempt(SANDBOX_PROGRAM, version, expected[i].name),
                as_compiler = attempt(SANDBOX_COMPILE, version, expected[i].name);
            if (as_program != expected[i].program || as_compiler != expected[i].compiler)
                fail_msg("%s, version %u: expected %d and %d, got %d and %d", expected[i].name, version,
                         expected[i].program, expected[i].compiler, as_program, as_compiler);
            expect_target_unchanged();
        }
    /* and without a sandbox they can be done: a wall that is not there would be seen */
    struct sandbox none = sandbox_of(SANDBOX_PROGRAM, 0);
    none.rung = SANDBOX_NONE;
    static const char *const harmless[] = {"signal_parent", "limits_of_parent", "read_file",
                                           "network",       "process",          "own_priority",
                                           "own_scheduler", "own_processors"};
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        assert_int_equal(run(&none, (const char *const[]){program, harmless[i], target, NULL}), 0);
}

static void test_files(void **state) {
    // clang-format off
    static const char *const refused[] = {
        "ls /", "ls /etc", "ls /home", "ls /tmp", "cat /etc/passwd", "cat /proc/self/status",
        "cat /proc/1/environ", "cat /proc/self/environ", "cat /proc/version", "echo x > /tmp/hostile",
        "echo x > /dev/shm/hostile", "mkdir ../beside", "cat ../target", "ln -s /etc/passwd x && cat x"};
    // clang-format on
    struct sandbox sandbox = sandbox_of(SANDBOX_COMPILE, 0);
    static const char *const kits[] = {"Makefile", "solutions/lab1-memory-layout/kernel.cu",
                                       "build/bin/grade-job"};
    char command[PATH_SIZE + 64];
    bench_need_isolation(&bench);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        int status = shell(&sandbox, refused[i]);
        if (status == 0 || (strstr(said, "denied") == NULL && strstr(said, "cannot create") == NULL))
            fail_msg("%s: status %d, %s", refused[i], status, said);
    }
    for (size_t i = 0; i < sizeof kits / sizeof *kits; i++) {
        snprintf(command, sizeof command, "cat '%s/%s'", bench.home.root, kits[i]);
        assert_int_not_equal(shell(&sandbox, command), 0);
        assert_non_null(strstr(said, "denied"));
    }
    assert_int_equal(shell(&sandbox, "ls /usr/bin > list && test -s list && rm list && mkdir a && mv a b"),
                     0);
    /* under a name of its own it is a copy, that can be read; nothing else is beside it */
    assert_true(sandbox_show(&sandbox, target, SANDBOX_FILES "/kernel.cu"));
    assert_int_equal(shell(&sandbox, "cd \"$SUBMISSION\" && ls && cat kernel.cu"), 0);
    assert_string_equal(said, "kernel.cu\na file of somebody else's\n");
    expect_target_unchanged();
}

/* What a rule reaches it reaches all of: so the hidden folder's neighbours are named one by one. */
static void test_hidden(void **state) {
    struct sandbox sandbox = sandbox_of(SANDBOX_COMPILE, 0);
    bench_need_isolation(&bench);
    assert_int_equal(shell(&sandbox, "ls /usr/lib/locale /usr/lib/os-release"), 0);
    strcpy(sandbox.hidden, "/usr/lib/locale");
    assert_int_not_equal(shell(&sandbox, "ls /usr/lib/locale"), 0);
    assert_int_equal(shell(&sandbox, "cat /usr/lib/os-release > /dev/null && ls /usr/bin > /dev/null"), 0);
}

static void test_environment(void **state) {
    struct sandbox sandbox = sandbox_of(SANDBOX_COMPILE, 0);
    bench_need_isolation(&bench);
    setenv("GRADING_SECRET", "1", 1);
    assert_int_equal(shell(&sandbox, "env"), 0);
    unsetenv("GRADING_SECRET");
    assert_null(strstr(said, "GRADING_SECRET"));
    assert_int_equal(
        shell(&sandbox, "for n in 3 4 5 6 7 8 9; do eval \"echo forged >&$n\" && exit 1; done; exit 0"), 0);
}

static void test_user(void **state) {
    bench_need_isolation(&bench);
    need_plain_programs();
    if (getuid() != 0) {
        print_message("skipped: only root can have another user\n");
        skip();
    }
    assert_int_equal(attempt(SANDBOX_PROGRAM, 0, "is_root"), EACCES);
}

/* A fork bomb meets its end. */
static void test_processes(void **state) {
    bench_need_isolation(&bench);
    need_plain_programs();
    assert_int_equal(attempt(SANDBOX_COMPILE, 0, "processes"), EAGAIN);
}

/* A shell in the sandbox whose output, and its children's, is a pipe: read from *alive, it ends when all have. */
static pid_t start(struct sandbox *sandbox, const char *command, int *alive) {
    struct sandbox_wrapper wrapper = {.count = 0};
    int ends[2];
    const char *const line[] = {"/bin/sh", "-c", command, NULL};
    sandbox_wrapper(sandbox, bench.launcher, &wrapper);
    memcpy(wrapper.arguments + wrapper.count, line, sizeof line);
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execv(wrapper.arguments[0], (char *const *)(uintptr_t)wrapper.arguments);
        _exit(126);
    }
    close(ends[1]);
    *alive = ends[0];
    return child;
}

/* Has everybody ended who could write? Long before they would by themselves. */
static void expect_end(int alive) {
    struct pollfd end = {.fd = alive, .events = POLLIN};
    char more;
    assert_int_equal(poll(&end, 1, 300000), 1);
    assert_int_equal(read(alive, &more, 1), 0);
    close(alive);
}

static void test_all_end(void **state) {
    struct sandbox sandbox = sandbox_of(SANDBOX_COMPILE, 0);
    char up[3];
    int alive, status;
    bench_need_isolation(&bench);
    /* with the program: its daemons, too */
    pid_t child = start(&sandbox, "(setsid sleep 600 &); sleep 600 & exit 3", &alive);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), 3);
    expect_end(alive);
    /* with the launcher, however it ends */
    child = start(&sandbox, "(setsid sleep 600 &); echo up; sleep 600", &alive);
    assert_int_equal(read(alive, up, sizeof up), 3);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    expect_end(alive);
}

static void test_limits(void **state) {
    struct sandbox sandbox = sandbox_of(SANDBOX_COMPILE, 0);
    bench_need_isolation(&bench);
    sandbox.file_mib = 2;
    assert_int_equal(shell(&sandbox, "head -c 2000000 /dev/zero > a"), 0);
    assert_int_not_equal(shell(&sandbox, "head -c 2500000 /dev/zero > a"), 0);
    sandbox.memory_mib = 64;
    sandbox.cpu_seconds = 1;
    shell(&sandbox, "head -c 100000000 /dev/zero | tail -n 1 | wc -c");
    assert_null(strstr(said, "100000000"));
    assert_int_not_equal(shell(&sandbox, "while :; do :; done"), 0);
}

static void test_watch(void **state) {
    struct sandbox sandbox = sandbox_of(SANDBOX_COMPILE, 0);
    char error[256];
    const struct watch_limits limits = {.memory_bytes = 1 << 30,
                                        .threads = 64,
                                        .seconds = 3600,
                                        .wall_seconds = 3600,
                                        .scratch_bytes = 3 << 20,
                                        .scratch = scratch};
    bench_need_isolation(&bench);
    sandbox.file_mib = 16;
    static const char *const commands[] = {"head -c 2000000 /dev/zero > a; sleep 0.2",
                                           "mkdir d; head -c 4000000 /dev/zero > d/a; sleep 3600"};
    static const enum watch_verdict verdicts[] = {WATCH_WITHIN, WATCH_SCRATCH};
    for (int i = 0; i < 2; i++) {
        struct watch *watch = watch_start(&limits, error, sizeof error);
        assert_non_null(watch);
        shell(&sandbox, commands[i]);
        assert_int_equal(watch_stop(watch, NULL), verdicts[i]);
    }
}

/* What keeps a program from starting is the launcher's to tell; how it ends is the program's. */
static void test_report(void **state) {
    struct sandbox sandbox = sandbox_of(SANDBOX_COMPILE, 0);
    char line[256];
    bench_need_isolation(&bench);
    assert_true(path_join(sandbox.report, bench.folder, "report"));
    assert_int_equal(shell(&sandbox, "echo 'sandbox: it says' >&2; exit 127"), 127);
    assert_int_equal(shell(&sandbox, "exec unshare -U true"), 128 + SIGSYS);
    assert_false(sandbox_reported(sandbox.report, line, sizeof line));
    assert_int_equal(run(&sandbox, (const char *const[]){"/usr/nowhere", NULL}), SANDBOX_NOT_STARTED);
    assert_true(sandbox_reported(sandbox.report, line, sizeof line));
    assert_non_null(strstr(line, "/usr/nowhere"));
    unlink(sandbox.report);
}

static void test_ordinary_user(void **state) {
    bench_as_nobody(&bench, SANDBOX_LANDLOCK);
}

/* Where the kernel has Landlock, a rung that does not work is no reason to skip. */
static void test_works(void **state) {
    if (landlock_version() > 0 && bench.why_not[0] != '\0')
        fail_msg("%s", bench.why_not);
}

/* No driver starts there, and what it would say of that is not the submission's doing. */
static void test_real_gpu(void **state) {
    struct sandbox sandbox = sandbox_of(SANDBOX_CUDA, 0);
    char line[256];
    bench_need_isolation(&bench);
    assert_true(path_join(sandbox.report, bench.folder, "report"));
    assert_int_equal(run(&sandbox, (const char *const[]){program, "signal_self", target, NULL}),
                     SANDBOX_NOT_STARTED);
    assert_true(sandbox_reported(sandbox.report, line, sizeof line));
    assert_non_null(strstr(line, "real GPU"));
    unlink(sandbox.report);
}

static void test_choice(void **state) {
    enum sandbox_rung rung = SANDBOX_NONE;
    char line[SANDBOX_LINE];
    bench_need_isolation(&bench);
    setenv("BWRAP", "/nowhere/bwrap", 1);
    assert_true(sandbox_choose(bench.launcher, NULL, &rung, line, sizeof line));
    assert_int_equal(rung, SANDBOX_LANDLOCK);
    assert_non_null(strstr(line, "Not covered"));
    assert_non_null(strstr(line, "bubblewrap does not work here"));
    assert_false(sandbox_choose(bench.launcher, "bubblewrap", &rung, line, sizeof line));
    setenv("SANDBOX", "none", 1);
    assert_true(sandbox_choose(bench.launcher, NULL, &rung, line, sizeof line));
    assert_int_equal(rung, SANDBOX_NONE);
    setenv("SANDBOX", "castle", 1);
    assert_false(sandbox_choose(bench.launcher, NULL, &rung, line, sizeof line));
    assert_non_null(strstr(line, "castle"));
    unsetenv("SANDBOX");
    unsetenv("BWRAP");
}

TESTS_BETWEEN(set_up, tear_down, UNIT(test_works), UNIT(test_attempts), UNIT(test_files), UNIT(test_hidden),
              UNIT(test_environment), UNIT(test_user), UNIT(test_processes), UNIT(test_all_end),
              UNIT(test_limits), UNIT(test_watch), UNIT(test_report), UNIT(test_real_gpu), UNIT(test_choice),
              UNIT(test_ordinary_user))
