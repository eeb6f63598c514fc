/* Child processes: what they inherit, how their end is reported, and that nothing of them stays. */
#include "base/child.h"
#include "base/clock.h"
#include "base/test.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

static char output[4096];

static int sh(const char *script) {
    return child_run((const char *const[]){"sh", "-c", script, NULL}, output, sizeof output);
}

/* Starts a shell whose output and errors come back by a pipe. */
static pid_t start_shell(struct child child, const char *script, int *from) {
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    const char *const arguments[] = {"/bin/sh", "-c", script, NULL};
    child.arguments = arguments;
    child.input = CHILD_NOTHING;
    child.output = child.errors = ends[1];
    pid_t process = child_start(&child);
    assert_true(process > 0);
    close(ends[1]);
    *from = ends[0];
    return process;
}

/* Reads until no writer is left. */
static void read_all(int from) {
    size_t used = 0;
    for (ssize_t got = 1; got > 0; used += (size_t)got) {
        got = read(from, output + used, sizeof output - 1 - used);
        assert_true(got >= 0);
    }
    output[used] = '\0';
    close(from);
}

/* Whether a process has ended, whoever is its parent; a zombie has ended. */
static bool is_gone(pid_t process) {
    char path[64], state = 'Z';
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return true;
    assert_int_equal(fscanf(file, "%*d %*s %c", &state), 1);
    fclose(file);
    return state == 'Z' || state == 'X';
}

static bool goes_soon(pid_t process) {
    for (double until = clock_seconds() + 600; clock_seconds() < until;) {
        if (is_gone(process))
            return true;
        poll(NULL, 0, 5);
    }
    return false;
}

static void test_output_is_captured(void **state) {
    assert_int_equal(sh("echo out; echo err >&2; exit 3"), 3);
    assert_string_equal(output, "out\nerr\n");
    assert_int_equal(sh("cat"), 0); /* its input is empty */
    assert_string_equal(output, "");
    char small[5];
    const char *const flood[] = {"sh", "-c", "head -c 300000 /dev/zero | tr '\\0' x", NULL};
    assert_int_equal(child_run(flood, small, sizeof small), 0); /* does not wait for a reader */
    assert_string_equal(small, "xxxx");
    assert_int_equal(child_run(flood, NULL, 0), 0);
}

static void test_what_is_left_running_does_not_hold_us(void **state) {
    double begin = clock_seconds();
    assert_int_equal(sh("sleep 1000 & echo $!; echo ready"), 0);
    assert_true(clock_seconds() - begin < 100);
    assert_non_null(strstr(output, "ready\n"));
    int left = 0;
    assert_int_equal(sscanf(output, "%d", &left), 1);
    assert_true(goes_soon(left));
    assert_int_equal(sh("yes & exit 3"), 3); /* nor what never stops writing */
}

static void test_a_program_that_cannot_be_run(void **state) {
    const char *const missing[] = {"/nowhere/program", "x", NULL}, *const unknown[] = {"no-such-program",
                                                                                       NULL};
    char expected[128];
    assert_int_equal(child_run(missing, output, sizeof output), CHILD_NOT_STARTED);
    snprintf(expected, sizeof expected, "/nowhere/program cannot be started: %s\n", strerror(ENOENT));
    assert_string_equal(output, expected);
    assert_int_equal(child_run(unknown, output, sizeof output), CHILD_NOT_STARTED);
    assert_int_equal(child_wait(-1, INFINITY), CHILD_NOT_STARTED); /* and no group is killed */
    assert_int_equal(child_wait(0, INFINITY), CHILD_NOT_STARTED);
    assert_int_equal(child_wait(getppid(), 0), CHILD_NOT_STARTED);
}

static void test_too_many_arguments_are_refused(void **state) {
    const char *many[400];
    for (int i = 0; i < 399; i++)
        many[i] = i == 0 ? "echo" : "x";
    many[399] = NULL;
    assert_int_equal(child_run(many, output, sizeof output), CHILD_NOT_STARTED);
    assert_non_null(strstr(output, strerror(E2BIG)));
    int from, nine[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    pid_t process = start_shell((struct child){.wrapper = many}, "exit 0", &from);
    read_all(from);
    assert_int_equal(child_wait(process, INFINITY), CHILD_NOT_STARTED);
    process = start_shell((struct child){.descriptors = nine, .descriptor_count = 9}, "exit 0", &from);
    close(from);
    assert_int_equal(child_wait(process, INFINITY), CHILD_NOT_STARTED);
}

static void test_a_signal_is_told(void **state) {
    assert_int_equal(sh("kill -SEGV $$"), CHILD_SIGNAL + SIGSEGV);
    assert_int_equal(sh("kill -KILL $$"), CHILD_SIGNAL + SIGKILL);
    assert_int_equal(sh("exit 139"), 139); /* a shell's way to tell of one */
}

static void test_time_ends_a_whole_group(void **state) {
    int from, shell, below;
    double begin = clock_seconds();
    /* A child of the shell that ignores the signals that can be ignored. */
    pid_t process =
        start_shell((struct child){0}, "trap '' TERM HUP INT; sleep 1000 & echo $$ $!; wait", &from);
    char line[64];
    ssize_t got = read(from, line, sizeof line - 1);
    assert_true(got > 0);
    line[got] = '\0';
    assert_int_equal(sscanf(line, "%d %d", &shell, &below), 2);
    assert_int_equal(shell, process);
    assert_int_equal(getpgid(below), process);
    assert_int_equal(child_wait(process, 0.1), CHILD_TIMEOUT);
    assert_true(clock_seconds() - begin >= 0.1);
    assert_true(goes_soon(below));
    read_all(from); /* ends, as nobody holds it */
    assert_int_equal(waitpid(process, NULL, 0), -1);
}

static void test_enough_time_is_no_timeout(void **state) {
    int from;
    pid_t process = start_shell((struct child){0}, "exit 5", &from);
    assert_int_equal(child_wait(process, 600), 5);
    close(from);
}

static void test_only_named_descriptors(void **state) {
    int from, pair[2], low = open("/dev/null", O_RDONLY),
                       high = fcntl(low, F_DUPFD, 200); /* no close-on-exec */
    assert_true(low >= 0 && high >= 200);
    assert_int_equal(pipe(pair), 0);
    struct child child = {.descriptors = (const int[]){pair[1], CHILD_NOTHING}, .descriptor_count = 2};
    pid_t process = start_shell(child,
                                "echo mine >&3; i=0; while [ $i -lt 300 ]; do "
                                "[ ! -e /proc/$$/fd/$i ] || echo $i; i=$((i+1)); done",
                                &from);
    read_all(from);
    assert_int_equal(child_wait(process, INFINITY), 0);
    assert_string_equal(output, "0\n1\n2\n3\n4\n");
    char said[8] = "";
    assert_int_equal(read(pair[0], said, sizeof said - 1), 5);
    assert_string_equal(said, "mine\n");
    close(low);
    close(high);
    close(pair[0]);
    close(pair[1]);
}

static void test_descriptors_may_be_in_each_others_places(void **state) {
    int from, a[2], b[2];
    assert_int_equal(pipe(a), 0);
    assert_int_equal(pipe(b), 0);
    assert_int_equal(dup2(a[1], 104), 104);
    assert_int_equal(dup2(b[1], 103), 103);
    int swapped[] = {104, 103};
    /* The parent's 3 and 4 are what the test opened first: ends of a and b. */
    pid_t process = start_shell((struct child){.descriptors = swapped, .descriptor_count = 2},
                                "echo a >&3; echo b >&4", &from);
    assert_int_equal(child_wait(process, INFINITY), 0);
    char said[2][4] = {"", ""};
    assert_int_equal(read(a[0], said[0], 3), 2);
    assert_int_equal(read(b[0], said[1], 3), 2);
    assert_string_equal(said[0], "a\n");
    assert_string_equal(said[1], "b\n");
    int all[] = {from, a[0], a[1], b[0], b[1], 103, 104};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        close(all[i]);
}

static void test_environment_and_wrapper(void **state) {
    int from;
    const char *const environment[] = {"ONE=1", "PATH=/bin:/usr/bin", NULL};
    pid_t process = start_shell((struct child){.environment = environment}, "exec env", &from);
    read_all(from);
    assert_int_equal(child_wait(process, INFINITY), 0);
    assert_non_null(strstr(output, "ONE=1\n"));
    assert_null(strstr(output, "HOME="));

    const char *const wrapper[] = {"env", "TWO=2", NULL};
    process = start_shell((struct child){.wrapper = wrapper}, "echo $TWO", &from);
    read_all(from);
    assert_int_equal(child_wait(process, INFINITY), 0);
    assert_string_equal(output, "2\n");
}

/* A parent that uses sigwait blocks its signals; its children do not. */
/* Limits hold for the shell, too. Writing beyond one ends the writer, without a core file. */
static void test_bounds(void **state) {
    int from;
    struct child bounded = {.memory_bytes = UINT64_C(1) << 30, .file_bytes = 1 << 20};
    pid_t process = start_shell(bounded, "ulimit -v; ulimit -c", &from);
    read_all(from);
    assert_string_equal(output, "1048576\n0\n");
    assert_int_equal(child_wait(process, INFINITY), 0);
    char path[] = "/tmp/test_child.XXXXXX", script[128];
    int file = mkstemp(path);
    assert_true(file >= 0);
    snprintf(script, sizeof script, "exec dd if=/dev/zero of=%s bs=65536 count=32 2>&1", path);
    process = start_shell(bounded, script, &from);
    read_all(from);
    assert_int_equal(child_wait(process, INFINITY), CHILD_SIGNAL + SIGXFSZ);
    assert_int_equal(lseek(file, 0, SEEK_END), 1 << 20);
    close(file);
    unlink(path);
}

static void test_no_signal_is_blocked(void **state) {
    sigset_t blocked, before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    assert_int_equal(sigprocmask(SIG_BLOCK, &blocked, &before), 0);
    int status = sh("grep SigBlk /proc/self/status; kill -TERM $$; sleep 600");
    assert_int_equal(sigprocmask(SIG_SETMASK, &before, NULL), 0);
    assert_int_equal(status, CHILD_SIGNAL + SIGTERM);
    assert_string_equal(output, "SigBlk:\t0000000000000000\n");
}

static void test_groups(void **state) {
    int from;
    for (int same = 0; same < 2; same++) {
        pid_t process = start_shell((struct child){.same_group = same}, "read x; exit 4", &from);
        assert_int_equal(getpgid(process), same ? getpgrp() : process);
        assert_int_equal(child_wait(process, INFINITY), 4);
        close(from);
    }
}

/* The parent of a child is killed: the child must not stay. */
static void test_ends_with_its_parent(void **state) {
    int ends[2];
    pid_t child = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t between = fork();
    if (between == 0) {
        const char *const arguments[] = {"sleep", "1000", NULL};
        struct child sleeper = {
            .arguments = arguments, .input = CHILD_NOTHING, .output = CHILD_NOTHING, .errors = CHILD_OURS};
        child = child_start(&sleeper);
        if (write(ends[1], &child, sizeof child) != (ssize_t)sizeof child)
            _exit(1);
        pause();
    }
    assert_true(between > 0);
    assert_int_equal(read(ends[0], &child, sizeof child), sizeof child);
    assert_false(is_gone(child));
    kill(between, SIGKILL);
    waitpid(between, NULL, 0);
    assert_true(goes_soon(child));
    close(ends[0]);
    close(ends[1]);
}

TESTS(UNIT(test_output_is_captured), UNIT(test_what_is_left_running_does_not_hold_us),
      UNIT(test_a_program_that_cannot_be_run), UNIT(test_too_many_arguments_are_refused),
      UNIT(test_a_signal_is_told), UNIT(test_time_ends_a_whole_group), UNIT(test_enough_time_is_no_timeout),
      UNIT(test_only_named_descriptors), UNIT(test_descriptors_may_be_in_each_others_places),
      UNIT(test_environment_and_wrapper), UNIT(test_bounds), UNIT(test_no_signal_is_blocked),
      UNIT(test_groups), UNIT(test_ends_with_its_parent))
