/* Whose fault an end is: the submission's, or the machine's. */
#include "base/test.h"
#include "job/job_end.h"

/* outcome JOB_JUDGED: neither, the failure is what it says. flag NULL: none. */
// clang-format off
static const struct row {
    const char *what;
    struct watch_end end;
    struct failure failure;
    enum job_outcome outcome;
    const char *flag, *says;
} rows[] = {
    {"passed its memory", {.verdict = WATCH_MEMORY}, {.stage = STAGE_FAULT}, JOB_FAILED, "memory",
     "more than 4096 MiB"},
    {"was ended first, and was large", {.memory_kill = true, .large = true, .peak_bytes = 3u << 30},
     {.stage = STAGE_FAULT, .flag = FLAG_CRASH}, JOB_FAILED, "memory",
     "3072 MiB of memory, and there was no more"},
    {"was ended, and was small", {.memory_kill = true, .peak_bytes = 3 << 20}, {.stage = STAGE_FAULT,
     .flag = FLAG_CRASH, .message = "signal 9"}, JOB_TROUBLE, NULL, "want of memory meanwhile: signal 9"},
    {"crashed by itself, and was large", {.large = true}, {.stage = STAGE_FAULT, .flag = FLAG_CRASH},
     JOB_JUDGED, NULL, ""},
    {"computed for too long while others were ended", {.verdict = WATCH_TIME, .memory_kill = true},
     {.stage = STAGE_FAULT}, JOB_FAILED, "timeout", "60 seconds of computing"},
    {"waits", {.verdict = WATCH_WAITS}, {.stage = STAGE_FAULT}, JOB_FAILED, "timeout",
     "waited for what did not come"},
    {"stopped", {.verdict = WATCH_STOPPED}, {.stage = STAGE_FAULT}, JOB_FAILED, "timeout", "stopped itself"},
    {"made the judge large", {.verdict = WATCH_JUDGE}, {.stage = STAGE_MEASURE}, JOB_FAILED, "judge-limit",
     "judge"},
    {"got no processor", {.verdict = WATCH_BUSY, .elapsed = 6000, .used = 3}, {.stage = STAGE_FAULT,
     .flag = FLAG_CRASH}, JOB_TROUBLE, NULL,
     "the machine was too busy: in 6000 s it had a processor for 3 s"},
    {"got none in a call", {.verdict = WATCH_WITHIN}, {.stage = STAGE_BUSY,
     .message = "the machine was too busy: in 9 s"}, JOB_TROUBLE, NULL, "the machine was too busy: in 9 s"},
    {"found no descriptor", {.verdict = WATCH_WITHIN}, {.stage = STAGE_START,
     .message = "sockets: Too many open files"}, JOB_TROUBLE, NULL, "short of something"},
    {"hung in a call", {.verdict = WATCH_WITHIN}, {.stage = STAGE_TIMEOUT, .flag = FLAG_TIMEOUT},
     JOB_JUDGED, NULL, ""}};
// clang-format on

static void test_ends(void **state) {
    static struct job_result result;
    const struct job_options options = {.run_seconds = 60, .memory_mib = 4096};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        memset(&result, 0, sizeof result);
        result.outcome = JOB_JUDGED;
        if (!job_end_is_trouble(&result, &row->failure, &row->end) &&
            job_end_verdict(&row->end) != WATCH_WITHIN)
            job_end_limit(&result, &options, &row->end);
        const char *flag = result.flag_count > 0 ? result.flags[0].name : NULL;
        bool same = flag == row->flag || (flag != NULL && row->flag != NULL && strcmp(flag, row->flag) == 0);
        if (result.outcome != row->outcome || !same || strstr(result.message, row->says) == NULL)
            fail_msg("what %s: outcome %d, flag %s: %s", row->what, result.outcome,
                     flag != NULL ? flag : "none", result.message);
    }
}

TESTS(UNIT(test_ends))
