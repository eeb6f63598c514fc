/* Whatever a student's process does, the judge gets an answer, says it in words, and leaves nothing running.
 */
#include "base/child.h"
#include "base/clock.h"
#include "base/test.h"
#include "lab/judge/calls/trial.h"
#include <signal.h>

/* Seconds that no machine needs for one call: no verdict hangs on how fast this one is. */
enum { NO_HURRY = 600 };

static char program[512], child_file[] = "/tmp/test_session.XXXXXX";

static void small_case(struct problem_case *c) {
    *c = (struct problem_case){.name = "test", .size = {33, 17}, .key = {{5}}, .pattern = PATTERN_NOISE};
}

struct outcome {
    bool judged;
    struct trial_result result;
    struct failure failure;
    uint64_t printed;
};

/* One guarded, timed call of the fake student in the given mood. */
static struct outcome run_as(const char *mood, double timeout_s) {
    struct outcome o = {0};
    struct problem_case c;
    ENDED(trial_free) struct trial t;
    small_case(&c);
    /* The runner inherits no variable, so the stand-in's mood comes by the hook for sandboxes. */
    char variable[64], file[128];
    snprintf(variable, sizeof variable, "FAKE=%s", mood);
    snprintf(file, sizeof file, "FAKE_FILE=%s", child_file);
    const char *const wrapper[] = {"/usr/bin/env", variable, file, NULL};
    struct session_options options = {.program = program, .timeout_s = timeout_s, .runner_wrapper = wrapper};
    options.memory_bytes = trial_memory(problem_find("gaussian_blur"), &c);
    assert_true(trial_create(&t, problem_find("gaussian_blur"), &c));
    struct session *session = session_open(&options, &o.failure);
    assert_non_null(session);
    struct trial_options how = {.key = {{7}}, .guard = true, .timed = true};
    o.judged = trial_run(&t, session, &how, &o.result, &o.failure);
    session_output(session, &o.printed);
    session_close(session);
    return o;
}

static void expect_failure(const char *mood, enum report_stage stage, enum flag flag, const char *says) {
    double start = clock_seconds();
    struct outcome o = run_as(mood, flag == FLAG_TIMEOUT ? 1 : NO_HURRY);
    assert_false(o.judged);
    assert_int_equal(o.failure.stage, stage);
    assert_string_equal(flag_name(o.failure.flag), flag_name(flag));
    if (strstr(o.failure.message, says) == NULL)
        fail_msg("%s: '%s' does not say '%s'", mood, o.failure.message, says);
    assert_true(clock_seconds() - start <
                NO_HURRY / 2.0); /* seen when it happens, not when the time is over */
}

static void test_right(void **state) {
    struct outcome o = run_as("right", NO_HURRY);
    if (!o.judged)
        fail_msg("%s", o.failure.message);
    assert_true(o.result.verdict.passed);
    assert_true(o.result.event_us > 99 && o.result.event_us < 106);
    trial_result_free(&o.result);
}

static void test_ends_badly(void **state) {
    expect_failure("segfault", STAGE_FAULT, FLAG_CRASH, "signal 11");
    expect_failure("abort", STAGE_FAULT, FLAG_CRASH, "signal 6");
    expect_failure("exit", STAGE_FAULT, FLAG_EARLY_EXIT, "exit status 3");
    expect_failure("exit-0", STAGE_FAULT, FLAG_EARLY_EXIT, "exit status 0");
    expect_failure("hang", STAGE_TIMEOUT, FLAG_TIMEOUT, "no answer after 1 second");
    expect_failure("garbage", STAGE_FAULT, FLAG_RESULT_CHANNEL, "not a reply");
    expect_failure("close", STAGE_FAULT, FLAG_EARLY_EXIT, "ended itself");
    expect_failure("cuda-error", STAGE_FAULT, FLAG_NONE, "cudaErrorIllegalAddress");
}

/* A program that gets no processor, because another takes it, is not to blame. */
static void test_busy_machine(void **state) {
    /* both on the first processor that this process may use, and the program gives way */
    static const char on_first[] = "exec taskset -c $(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')";
    char other_command[256], program_command[256];
    snprintf(other_command, sizeof other_command, "%s sh -c 'while :; do :; done'", on_first);
    snprintf(program_command, sizeof program_command, "%s chrt --idle 0 env FAKE=spin \"$0\"", on_first);
    const char *const arguments[] = {"sh", "-c", other_command, NULL}, *const wrapper[] = {"/bin/sh", "-c",
                                                                                           program_command,
                                                                                           NULL};
    struct child child = {
        .arguments = arguments, .input = CHILD_NOTHING, .output = CHILD_NOTHING, .errors = CHILD_NOTHING};
    pid_t other = child_start(&child);
    assert_true(other > 0);
    struct problem_case c;
    ENDED(trial_free) struct trial t;
    struct trial_result result;
    struct trial_options how = {.key = {{7}}};
    struct failure failure = {0};
    struct session_options options = {.program = program, .timeout_s = 1, .runner_wrapper = wrapper};
    small_case(&c);
    options.memory_bytes = trial_memory(problem_find("gaussian_blur"), &c);
    assert_true(trial_create(&t, problem_find("gaussian_blur"), &c));
    struct session *session = session_open(&options, &failure);
    assert_non_null(session);
    assert_false(trial_run(&t, session, &how, &result, &failure));
    assert_int_equal(failure.stage, STAGE_BUSY);
    assert_int_equal(failure.flag, FLAG_NONE);
    assert_non_null(strstr(failure.message, "the machine was too busy: in 1"));
    session_close(session);
    child_wait(other, 0);
}

static void test_cannot_start(void **state) {
    struct failure failure = {0};
    struct session_options options = {
        .program = "/nonexistent/program", .timeout_s = NO_HURRY, .memory_bytes = 4096};
    struct session *session = session_open(&options, &failure);
    assert_non_null(session);
    struct runner_request request = {.command = RUNNER_DESCRIBE};
    struct runner_reply reply;
    assert_false(session_exchange(session, &request, &reply, &failure));
    assert_int_equal(failure.stage, STAGE_START);
    assert_non_null(strstr(failure.message, "/nonexistent/program"));
    session_close(session);
    session_close(NULL);
}

/* What the loader refuses never came to the function: nobody has cheated, and it is told why. */
static void test_never_began(void **state) {
    static const struct {
        const char *ends, *says, *reason;
    } rows[] = {
        {"echo program: CPU ISA level is lower than required; exit 127", "could not be started",
         "instructions that this machine does not have"},
        {"echo cannot allocate TLS data structures for initial thread; exit 127", "could not be started",
         "thread-local variables"},
        {"kill -SEGV $$", "ended it before its first call: Segmentation fault", "larger than the memory"},
        {"kill -KILL $$", "could not be started", "larger than the memory"},
        {"echo something else; exit 127", "could not be started", "something else"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct failure failure = {0};
        const char *const wrapper[] = {"/bin/sh", "-c", rows[i].ends, NULL};
        struct session_options options = {
            .program = program, .timeout_s = NO_HURRY, .memory_bytes = 4096, .runner_wrapper = wrapper};
        struct session *session = session_open(&options, &failure);
        assert_non_null(session);
        assert_false(session_ready(session, &failure));
        if (strstr(failure.message, rows[i].says) == NULL || strstr(failure.message, rows[i].reason) == NULL)
            fail_msg("%s: %s", rows[i].ends, failure.message);
        assert_int_equal(failure.stage, STAGE_START);
        assert_int_equal(failure.flag, FLAG_NONE);
        session_close(session);
    }
}

static void expect_wrong(const char *mood, const char *message, const char *hint) {
    struct outcome o = run_as(mood, NO_HURRY);
    if (!o.judged)
        fail_msg("%s: %s", mood, o.failure.message);
    assert_false(o.result.verdict.passed);
    if (strstr(o.result.verdict.message, message) == NULL || strstr(o.result.verdict.hint, hint) == NULL)
        fail_msg("%s: '%s' / '%s'", mood, o.result.verdict.message, o.result.verdict.hint);
    trial_result_free(&o.result);
}

static void test_wrong_results(void **state) {
    expect_wrong("border", "pixels differ", "");
    expect_wrong("rows-missing", "33 of 561 pixels differ", "");
    expect_wrong("write-after", "outside dst: 1 byte past its end", "check x < width");
    expect_wrong("write-before", "outside dst: 1 byte before its start", "check x < width");
    expect_wrong("write-input", "src was changed", "src is read only: write to dst");
}

static void test_flood(void **state) {
    struct outcome o = run_as("flood", NO_HURRY);
    assert_true(o.judged);
    assert_true(o.result.verdict.passed);
    assert_true(o.printed > 4000000);
    trial_result_free(&o.result);
}

/* A process the student's code started is gone after session_close. */
static void test_no_child_left(void **state) {
    int file = mkstemp(child_file);
    assert_true(file >= 0);
    close(file);
    struct outcome o = run_as("child", NO_HURRY);
    assert_true(o.judged);
    trial_result_free(&o.result);
    FILE *text = fopen(child_file, "r");
    long child = 0;
    assert_non_null(text);
    assert_int_equal(fscanf(text, "%ld", &child), 1);
    fclose(text);
    unlink(child_file);
    bool gone = false;
    for (int i = 0; i < NO_HURRY * 100 && !gone; i++) { /* init reaps it in its own time */
        char stat_path[64], line[256] = "";
        snprintf(stat_path, sizeof stat_path, "/proc/%ld/stat", child);
        FILE *stat = fopen(stat_path, "r");
        gone = stat == NULL || fgets(line, sizeof line, stat) == NULL || strstr(line, ") Z ") != NULL;
        if (stat != NULL)
            fclose(stat);
        usleep(10000);
    }
    assert_true(gone);
}

/* The names are what gradebooks store: each is there once. */
static void test_flags(void **state) {
    for (int flag = FLAG_NONE + 1; flag < FLAG_COUNT; flag++) {
        for (int other = FLAG_NONE; other < flag; other++)
            assert_string_not_equal(flag_name((enum flag)other), flag_name((enum flag)flag));
        assert_true(strlen(flag_meaning((enum flag)flag)) > 10);
    }
}

/* Nothing of the judge's goes along: no variable but the named ones, no descriptor but the given ones. */
static void test_inherits_nothing(void **state) {
    /* The descriptors not through a pipe: the shell would hold its ends for a moment. */
    static const char script[] = "env | cut -d= -f1; ls /proc/$$/fd";
    const char *const wrapper[] = {"/bin/sh", "-c", script, NULL};
    struct session_options options = {
        .program = program, .timeout_s = NO_HURRY, .memory_bytes = 4096, .runner_wrapper = wrapper};
    struct failure failure = {0};
    setenv("SECRET_OF_THE_JUDGE", "1", 1);
    int leaked = dup(STDIN_FILENO); /* not close-on-exec */
    struct session *session = session_open(&options, &failure);
    assert_non_null(session);
    struct runner_request request = {.command = RUNNER_DESCRIBE};
    struct runner_reply reply;
    uint64_t bytes;
    assert_false(session_exchange(session, &request, &reply, &failure)); /* a shell is no runner */
    const char *printed = session_output(session, &bytes);
    if (strstr(printed, "SECRET") != NULL || strstr(printed, "LAB_RUNNER_SOCKET") == NULL ||
        strstr(printed, "\n0\n1\n2\n3\n4\n") == NULL || strstr(printed, "\n5\n") != NULL)
        fail_msg("inherited: %s", printed);
    session_close(session);
    close(leaked);
}

static int find_program(void **state) {
    snprintf(program, sizeof program, "%s/tests/lab/fake-runner", test_build());
    return access(program, X_OK);
}

TESTS_BETWEEN(find_program, NULL, UNIT(test_right), UNIT(test_ends_badly), UNIT(test_busy_machine),
              UNIT(test_cannot_start), UNIT(test_never_began), UNIT(test_wrong_results), UNIT(test_flood),
              UNIT(test_no_child_left), UNIT(test_flags), UNIT(test_inherits_nothing))
