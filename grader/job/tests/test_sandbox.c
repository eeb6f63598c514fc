/* What a process in the sandbox sees, may write and may use up. */
#include "support_job.h"

#include "base/child.h"
#include "job/lure.h"
#include "job/sandbox.h"
#include "job/watch.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

static struct bench bench;
static char said[8192];

static int set_up(void **state) {
    return bench_open(&bench, "bubblewrap", false);
}

static int tear_down(void **state) {
    return bench_close(&bench);
}

/* The launcher's arguments and a shell command behind them. */
static void shell_in(const struct sandbox *sandbox, const char *command, struct sandbox_wrapper *wrapper) {
    const char *const shell[] = {"/bin/sh", "-c", command, NULL};
    sandbox_wrapper(sandbox, bench.launcher, wrapper);
    memcpy(wrapper->arguments + wrapper->count, shell, sizeof shell);
}

/* Run a shell command in a sandbox; what it prints is in `said`. Returns the exit status. */
static int in_sandbox(const struct sandbox *sandbox, const char *command) {
    struct sandbox_wrapper wrapper = {.count = 0};
    shell_in(sandbox, command, &wrapper);
    return child_run(wrapper.arguments, said, sizeof said);
}

static struct sandbox compiler(void) {
    struct sandbox sandbox;
    sandbox_init(&sandbox, SANDBOX_COMPILE);
    return sandbox;
}

static void test_what_is_seen(void **state) {
    bench_need_isolation(&bench);
    struct sandbox sandbox = compiler();
    /* each folder by itself, so that a failure names what is too much */
    assert_int_equal(in_sandbox(&sandbox, "ls -A /etc | grep -v -x -e alternatives -e ld.so.cache"), 1);
    assert_string_equal(said, "");
    assert_int_equal(in_sandbox(&sandbox, "ls -A /dev | grep -v -x -e null -e zero -e urandom"), 1);
    assert_string_equal(said, "");
    assert_int_equal(
        in_sandbox(&sandbox,
                   "ls -A / | grep -v -x -e bin -e sbin -e 'lib[0-9]*' -e usr -e dev -e etc -e tmp"),
        1);
    assert_string_equal(said, "");
    assert_int_equal(in_sandbox(&sandbox, "ls -A /tmp"), 0);
    assert_string_equal(said, "");
}

static void test_project_is_hidden(void **state) {
    bench_need_isolation(&bench);
    struct sandbox sandbox = compiler();
    char command[PATH_SIZE], shown[PATH_SIZE];
    path_print(command, "test ! -e '%s'", bench.home.root);
    assert_int_equal(in_sandbox(&sandbox, command), 0);
    /* and what is shown is there, and nothing beside it */
    path_join(shown, bench.home.root, "README.md");
    assert_true(sandbox_show(&sandbox, shown, NULL));
    path_print(command, "ls '%s'", bench.home.root);
    assert_int_equal(in_sandbox(&sandbox, command), 0);
    assert_string_equal(said, "README.md\n");
    assert_true(sandbox_show(&sandbox, shown, "/submission/text"));
    assert_int_equal(in_sandbox(&sandbox, "test -s /submission/text && ! echo x > /submission/text"), 0);
}

static void test_environment(void **state) {
    bench_need_isolation(&bench);
    struct sandbox sandbox = compiler();
    setenv("GRADING_SECRET", "1", 1);
    assert_int_equal(in_sandbox(&sandbox, "env"), 0);
    unsetenv("GRADING_SECRET");
    assert_null(strstr(said, "GRADING_SECRET"));
    assert_non_null(strstr(said, "HOME=/tmp"));
}

static void test_only_scratch_is_written(void **state) {
    bench_need_isolation(&bench);
    struct sandbox sandbox = compiler();
    assert_int_equal(in_sandbox(&sandbox, "echo x > /tmp/x && test -s /tmp/x"), 0);
    assert_int_equal(in_sandbox(&sandbox, "test ! -e /tmp/x"), 0); /* gone with its sandbox */
    assert_int_equal(in_sandbox(&sandbox,
                                "for d in / /etc /dev /usr /usr/lib /submission; do "
                                "if echo x > $d/x; then echo wrote $d; exit 1; fi; done 2>/dev/null; exit 0"),
                     0);
}

static void test_files_are_limited(void **state) {
    bench_need_isolation(&bench);
    struct sandbox sandbox = compiler();
    sandbox.file_mib = 2;
    sandbox.scratch_mib = 3;
    assert_int_equal(in_sandbox(&sandbox, "head -c 2000000 /dev/zero > /tmp/a"), 0);
    assert_int_not_equal(in_sandbox(&sandbox, "head -c 2500000 /dev/zero > /tmp/a"), 0);
    assert_int_not_equal(
        in_sandbox(&sandbox, "for f in a b; do head -c 2000000 /dev/zero > /tmp/$f || exit 1; done"), 0);
}

static void test_memory_and_time_are_limited(void **state) {
    bench_need_isolation(&bench);
    struct sandbox sandbox = compiler();
    assert_int_equal(in_sandbox(&sandbox, "head -c 100000000 /dev/zero | tail -n 1 | wc -c"), 0);
    sandbox.memory_mib = 64;
    sandbox.cpu_seconds = 1;
    in_sandbox(&sandbox,
               "head -c 100000000 /dev/zero | tail -n 1 | wc -c"); /* tail keeps its last line in memory */
    assert_null(strstr(said, "100000000"));
    assert_int_not_equal(in_sandbox(&sandbox, "while :; do :; done"), 0);
}

/* A system that is short of memory ends what is in a sandbox, and not the judge. */
static void test_goes_first_for_memory(void **state) {
    struct sandbox sandbox = compiler();
    sandbox.rung = SANDBOX_NONE; /* /proc can be seen in there */
    assert_int_equal(in_sandbox(&sandbox, "cat /proc/self/oom_score_adj"), 0);
    assert_string_equal(said, "1000\n");
}

static void test_forbidden_calls(void **state) {
    bench_need_isolation(&bench);
    struct sandbox sandbox = compiler();
    assert_int_equal(in_sandbox(&sandbox, "exec unshare -U true"), 128 + SIGSYS);
    /* nobody in there steps back in the queue for a processor */
    char as_before[16];
    snprintf(as_before, sizeof as_before, "%d\n", getpriority(PRIO_PROCESS, 0));
    assert_int_equal(in_sandbox(&sandbox, "nice -n 5 nice 2>/dev/null"), 0);
    assert_string_equal(said, as_before);
    sandbox_init(&sandbox, SANDBOX_PROGRAM);
    assert_true(sandbox_show(&sandbox, "/bin/sh", NULL));
    assert_int_equal(in_sandbox(&sandbox, "exit 3"), 3);
    assert_int_equal(in_sandbox(&sandbox, "(exit 0) & exit 3"), 128 + SIGSYS); /* a shell's & forks */
}

/* When the grader dies, so does the tree. */
static void test_ends_with_its_parent(void **state) {
    bench_need_isolation(&bench);
    struct sandbox sandbox = compiler();
    struct sandbox_wrapper wrapper = {.count = 0};
    int alive[2];
    shell_in(&sandbox, "echo up; sleep 3600 & sleep 3600 & wait", &wrapper);
    assert_int_equal(pipe2(alive, O_CLOEXEC), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(alive[1], STDOUT_FILENO);
        execv(wrapper.arguments[0], (char *const *)(uintptr_t)wrapper.arguments);
        _exit(126);
    }
    close(alive[1]);
    char up[3];
    assert_int_equal(read(alive[0], up, sizeof up), 3);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_int_equal(read(alive[0], up, sizeof up), 0); /* the end of the pipe: nobody holds it any more */
    close(alive[0]);
}

static void test_ordinary_user(void **state) {
    bench_as_nobody(&bench, SANDBOX_BUBBLEWRAP);
}

static void test_without_bwrap(void **state) {
    char error[256];
    setenv("BWRAP", "/nowhere/bwrap", 1);
    bool works = sandbox_works(bench.launcher, SANDBOX_BUBBLEWRAP, error, sizeof error);
    struct sandbox sandbox = compiler();
    unsetenv("BWRAP");
    assert_false(works);
    assert_non_null(strstr(error, "bubblewrap"));
    sandbox.rung = SANDBOX_NONE;
    assert_int_equal(in_sandbox(&sandbox, "test -e /etc/passwd && exit 5"), 5);
}

/* What keeps a program from starting is told by the launcher alone: in a file that the program cannot name. */
static void test_report(void **state) {
    bench_need_isolation(&bench);
    struct sandbox sandbox = compiler();
    char line[256];
    assert_true(path_join(sandbox.report, bench.folder, "report"));
    assert_int_equal(in_sandbox(&sandbox, "echo 'sandbox: it says' >&2; exit 127"), 127);
    assert_false(sandbox_reported(sandbox.report, line, sizeof line));
    assert_int_equal(in_sandbox(&sandbox, "kill -KILL $$"), 128 + SIGKILL);
    assert_false(sandbox_reported(sandbox.report, line, sizeof line));
    /* no descriptor of the launcher's or of bwrap's is left to it */
    assert_int_equal(
        in_sandbox(&sandbox, "for n in 3 4 5 6 7 8 9; do eval \"echo forged >&$n\" && exit 1; done; exit 0"),
        0);
    assert_int_equal(
        in_sandbox(&sandbox, "for n in 3 4 5 6 7 8 9; do (eval \"exec 2<&$n\") && exit 1; done; exit 0"), 0);
    assert_false(sandbox_reported(sandbox.report, line, sizeof line));

    struct sandbox_wrapper wrapper = {.count = 0};
    sandbox_wrapper(&sandbox, bench.launcher, &wrapper);
    wrapper.arguments[wrapper.count++] = "/nowhere/program";
    wrapper.arguments[wrapper.count] = NULL;
    assert_int_equal(child_run(wrapper.arguments, said, sizeof said), SANDBOX_NOT_STARTED);
    assert_true(sandbox_reported(sandbox.report, line, sizeof line));
    assert_non_null(strstr(line, "before the program began"));
    unlink(sandbox.report);

    strcpy(sandbox.bwrap, "/nowhere/bwrap");
    assert_int_equal(in_sandbox(&sandbox, "exit 3"), SANDBOX_NOT_STARTED);
    assert_true(sandbox_reported(sandbox.report, line, sizeof line));
    assert_non_null(strstr(line, "bubblewrap"));
    unlink(sandbox.report);
}

static void test_options(void **state) {
    static const char *const wrong[][4] = {{"sandbox", "--role", "king", "--"},
                                           {"sandbox", "--memory-mib", "-1", "--"},
                                           {"sandbox", "--show", "relative", "/x"},
                                           {"sandbox", "--what", "x", "--"},
                                           {"sandbox", "--role", "compile", "--"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct sandbox sandbox;
        char error[256] = "";
        assert_int_equal(sandbox_parse(&sandbox, 4, (char **)(uintptr_t)wrong[i], error, sizeof error), 0);
        assert_int_not_equal(error[0], 0);
    }
    /* What the wrapper writes is read back the same. */
    struct sandbox sandbox = compiler(), back;
    struct sandbox_wrapper wrapper = {.count = 0};
    char error[256];
    sandbox.memory_mib = 77;
    assert_true(sandbox_show(&sandbox, "/a", "/b"));
    sandbox_wrapper(&sandbox, bench.launcher, &wrapper);
    int count = 0;
    while (wrapper.arguments[count] != NULL)
        count++;
    wrapper.arguments[count++] = "/bin/true";
    assert_int_equal(sandbox_parse(&back, count, (char **)(uintptr_t)wrapper.arguments, error, sizeof error),
                     count - 1);
    assert_int_equal(back.memory_mib, 77);
    assert_string_equal(back.shown[0].inside, "/b");
    for (unsigned i = sandbox.shown_count; i < SANDBOX_PATHS; i++)
        assert_true(sandbox_show(&sandbox, "/a", NULL));
    assert_false(sandbox_show(&sandbox, "/a", NULL));
}

/* ---- the watch */

static void pause_ms(long ms) {
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

/* A child of a child that uses memory, or just lives. */
static pid_t start_tree(size_t bytes) {
    pid_t child = fork();
    if (child != 0)
        return child;
    pid_t grandchild = fork();
    if (grandchild == 0)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (grandchild == 0 && bytes > 0) {
        void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory != MAP_FAILED)
            memset(memory, 1, bytes);
    }
    pause_ms(600000); /* what does not end it hangs the test */
    _exit(0);
}

static void expect_watch(struct watch_limits limits, size_t bytes, enum watch_verdict expected) {
    char error[256];
    int status;
    struct watch *watch = watch_start(&limits, error, sizeof error);
    assert_non_null(watch);
    pid_t child = start_tree(bytes);
    if (expected == WATCH_WITHIN) {
        pause_ms(200);
        assert_int_equal(waitpid(child, &status, WNOHANG), 0);
        kill(child, SIGKILL);
    }
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(watch_stop(watch, NULL), expected);
}

static void test_watch(void **state) {
    const struct watch_limits limits = {
        .memory_bytes = 48 << 20, .threads = 8, .seconds = 3600, .wall_seconds = 3600};
    struct watch_limits less;
    expect_watch(limits, 0, WATCH_WITHIN);
    expect_watch(limits, 64 << 20, WATCH_MEMORY);
    less = limits;
    less.threads = 1;
    expect_watch(less, 0, WATCH_THREADS);
    less = limits;
    less.seconds = 0.1; /* it waits and computes nothing */
    expect_watch(less, 0, WATCH_WITHIN);
    less.wall_seconds = 0.2;
    expect_watch(less, 0, WATCH_WAITS);
    less = limits;
    less.idle_seconds = 0.5; /* it waits for nothing that comes */
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    expect_watch(less, 0, WATCH_WAITS);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert_true(after.tv_sec - before.tv_sec < 1800); /* long before the limits above */
}

static void compute(double seconds) {
    struct timespec used;
    do
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    while ((double)used.tv_sec + 1e-9 * (double)used.tv_nsec < seconds);
}

/* Processor time of all of them counts, of those that have ended, too: many short ones are one long one. */
static void test_watch_of_processor_time(void **state) {
    char error[256];
    int status;
    struct watch_limits limits = {
        .memory_bytes = 48 << 20, .threads = 8, .seconds = 0.3, .wall_seconds = 3600, .idle_seconds = 60};
    for (int rounds = 1; rounds <= 100; rounds += 99) {
        struct watch *watch = watch_start(&limits, error, sizeof error);
        assert_non_null(watch);
        pid_t child = fork();
        for (int i = 0; child == 0 && i < rounds; i++) {
            pid_t grandchild = fork();
            if (grandchild == 0) {
                compute(0.05);
                _exit(0);
            }
            waitpid(grandchild, &status, 0);
        }
        if (child == 0)
            _exit(0);
        waitpid(child, &status, 0);
        assert_int_equal(WIFSIGNALED(status), rounds > 1);
        assert_int_equal(watch_stop(watch, NULL), rounds > 1 ? WATCH_TIME : WATCH_WITHIN);
    }
}

/* A shell in the sandbox, watched. */
static enum watch_verdict watched(const struct sandbox *sandbox, const struct watch_limits *limits,
                                  const char *command) {
    char error[256];
    struct watch *watch = watch_start(limits, error, sizeof error);
    assert_non_null(watch);
    in_sandbox(sandbox, command);
    return watch_stop(watch, NULL);
}

static void test_watch_of_scratch(void **state) {
    bench_need_isolation(&bench);
    struct sandbox sandbox = compiler();
    const struct watch_limits limits = {.memory_bytes = 1 << 30,
                                        .threads = 64,
                                        .seconds = 3600,
                                        .wall_seconds = 3600,
                                        .scratch_bytes = 3 << 20};
    sandbox.file_mib = sandbox.scratch_mib = 16;
    assert_int_equal(watched(&sandbox, &limits, "head -c 2000000 /dev/zero > /tmp/a; sleep 0.2"),
                     WATCH_WITHIN);
    assert_int_equal(watched(&sandbox, &limits, "head -c 4000000 /dev/zero > /tmp/a; sleep 3600"),
                     WATCH_SCRATCH);
}

static void test_lures(void **state) {
    bench_need_isolation(&bench);
    struct sandbox sandbox = compiler();
    struct lure lure;
    char error[512], command[PATH_SIZE + 64];
    assert_true(lure_make(&lure, bench.folder, bench.home.root, error, sizeof error));
    assert_true(lure_show(&lure, bench.home.root, &sandbox));
    const struct watch_limits limits = {
        .memory_bytes = 1 << 30, .threads = 64, .seconds = 3600, .wall_seconds = 3600, .lure = lure.fifo};
    assert_int_equal(watched(&sandbox, &limits, "ls -lR / > /tmp/all; test -s /tmp/all"), WATCH_WITHIN);
    static const char *const files[] = {"/etc/passwd", "/proc/self/environ", "/root/.ssh/id_rsa",
                                        "/solutions/lab1-memory-layout/kernel.cu",
                                        "/submission/solutions/lab6-gemm-tiling/README.md"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        path_print(command, "cat %s", files[i]);
        assert_int_equal(watched(&sandbox, &limits, command), WATCH_LURE);
    }
    path_print(command, "cat '%s/solutions/lab1-memory-layout/kernel.cu'", bench.home.root);
    assert_int_equal(watched(&sandbox, &limits, command), WATCH_LURE);
    assert_int_equal(watched(&sandbox, &limits, "cat /solutions/lab1-memory-layout/my_weights.h"),
                     WATCH_WITHIN);
    lure_remove(&lure);
    assert_int_equal(access(lure.folder, F_OK), -1);
}

TESTS_BETWEEN(set_up, tear_down, UNIT(test_what_is_seen), UNIT(test_project_is_hidden),
              UNIT(test_environment), UNIT(test_only_scratch_is_written), UNIT(test_files_are_limited),
              UNIT(test_memory_and_time_are_limited), UNIT(test_goes_first_for_memory),
              UNIT(test_forbidden_calls), UNIT(test_ends_with_its_parent), UNIT(test_ordinary_user),
              UNIT(test_without_bwrap), UNIT(test_options), UNIT(test_watch),
              UNIT(test_watch_of_processor_time), UNIT(test_report), UNIT(test_watch_of_scratch),
              UNIT(test_lures))
