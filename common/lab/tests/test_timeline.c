/* What happens when in a lab's timed call is told by the simulated GPU where that was asked for, and reads as one run. */
#include "base/file.h"
#include "base/test.h"
#include "lab/judge/calls/judge.h"
#include "lab/judge/measure/profiler.h"
#include "report/document/spans.h"

/* Lab 10's solution at a small size. */
static void open_lab(struct settings *s, char program[PATH_SIZE], struct problem_case *c, struct trial *t) {
    char error[SETTINGS_ERROR];
    assert_true(settings_init(s, error, sizeof error));
    s->device = DEVICE_SIM;
    s->width = s->height = 64;
    if (!settings_resolve(s, "lab10", error, sizeof error))
        fail_msg("%s", error);
    settings_timed_case(s, 0, 0, c);
    settings_program(s, "reference", program);
    assert_true(trial_create(t, s->lab.problem, c));
}

/* A graph of all steps, so the host gives one call and waits. */
static void a_run_is_told(void **state) {
    static struct settings s;
    char program[PATH_SIZE];
    struct problem_case c;
    ENDED(trial_free) struct trial t;
    open_lab(&s, program, &c, &t);
    for (int asked = 0; asked < 2; asked++) {
        struct judge_session how = {
            .memory_bytes = trial_memory(t.problem, &c), .measuring = true, .unlogged = true};
        struct trial_options call = {.key = settings_key(&s, "timeline"), .timed = true};
        ENDED(trial_result_free) struct trial_result result = {0};
        struct failure failure = {0};
        ENDED(spans_free) struct spans spans = {0};
        struct session *session = judge_open_session(&s, program, &how, &failure);
        if (session == NULL || (asked && !session_command(session, NULL, &failure, "timeline 1")) ||
            !trial_run(&t, session, &call, &result, &failure))
            fail_msg("%s", failure.message);
        assert_true(result.verdict.passed);
        assert_true((session_spans(session) != NULL) == asked);
        assert_true(spans_read(&spans, session_spans(session), result.device_us));
        if (asked) {
            double from, to, run = spans.to_us - spans.from_us;
            uint32_t rounds;
            spans_middle(&spans, &from, &to, &rounds);
            assert_int_equal(rounds, 24);
            assert_true(run <= result.device_us * 1.001 && run > 0.9 * result.device_us);
            assert_true(spans_share(&spans, SPAN_HOST, SPAN_WAITS) > 0.9); /* one call, and it waits */
            assert_true(spans_share(&spans, SPAN_TO_DEVICE, SPAN_WORKS) > 0 &&
                        spans_share(&spans, SPAN_FROM_DEVICE, SPAN_WORKS) > 0);
            assert_in_range(spans_share(&spans, SPAN_KERNELS, SPAN_WORKS) * 100, 10, 100);
        }
        session_close(session);
    }
}

/* Of the spans of that text. */
static unsigned pushes_between(const char *from, const char *to) {
    static const char span[] = "{\"span\":{\"kind\":\"kernel\"", name[] = "\"push_kernel";
    unsigned pushes = 0;
    for (const char *at = from; (at = strstr(at, span)) != NULL && at < to; at += strlen(span))
        pushes += memmem(at, strcspn(at, "\n"), name, strlen(name)) != NULL;
    return pushes;
}

/* As nsys is asked to record it: a stand-in runs the program on the simulated GPU. It is called twice, the last time between
 * the profiler's marks. */
static void a_run_is_marked(void **state) {
    static struct settings s;
    char folder[] = "/tmp/test_timeline.XXXXXX", line[4 * PATH_SIZE], error[SETTINGS_ERROR],
         program[PATH_SIZE], output[PATH_SIZE], path[PATH_SIZE], *report;
    struct problem_case c;
    ENDED(trial_free) struct trial t;
    open_lab(&s, program, &c, &t);
    assert_non_null(mkdtemp(folder));
    snprintf(s.folder, sizeof s.folder, "%s", folder);
    snprintf(
        line, sizeof line,
        "cd %s && echo 'while [ \"$1\" != -o ]; do shift; done; out=$2; shift 2; [ \"$1\" != sh ] || \"$@\"; "
        "echo x > $out; echo x > $out.nsys-rep' > nsys && sed -i '1i #!/bin/sh' nsys && chmod +x nsys",
        folder);
    assert_int_equal(system(line), 0);
    snprintf(line, sizeof line, "%s:%s", folder, getenv("PATH"));
    setenv("PATH", line, 1);
    snprintf(path, sizeof path, "%s/report", folder);
    setenv("SIMGPU_REPORT", path, 1);
    setenv("SIMGPU", s.simgpu, 1);
    setenv("TIMELINE", "1", 1);
    setenv("GPU", "h200", 1);
    setenv("CUDA_LIBRARY_FOLDER", s.library, 1);
    if (!profiler_timeline(&s, program, &t, output, error, sizeof error))
        fail_msg("%s", error);
    report = file_read(path, 64 << 20, NULL, error, sizeof error);
    assert_non_null(report);
    const char *from = strstr(report, "profiler start"), *to = strstr(report, "profiler stop");
    assert_true(from != NULL && to > from && strstr(from + 1, "profiler start") == NULL);
    assert_int_equal(pushes_between(report, report + strlen(report)), 2 * 24);
    assert_int_equal(pushes_between(from, to), 24);
    free(report);
    snprintf(line, sizeof line, "rm -r %s", folder);
    assert_int_equal(system(line), 0);
}

TESTS(UNIT(a_run_is_told), UNIT(a_run_is_marked))
