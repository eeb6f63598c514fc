/* job_end.c: verdicts of the watch and failures of the judge as outcomes of a job. */
#include "job/job_end.h"
#include "report/document/flags.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum watch_verdict job_end_verdict(const struct watch_end *end) {
    return end->verdict == WATCH_WITHIN && end->memory_kill && end->large ? WATCH_MEMORY : end->verdict;
}

/* Is it the machine's own shortage, of memory, processes, descriptors or disk, in the words of the judge? A submission that can
 * make it say so is judged again, and gains nothing. */
static bool is_shortage(const struct failure *failure) {
    static const int errors[] = {ENOMEM, ENOSPC, EDQUOT, EMFILE, ENFILE, EAGAIN};
    size_t length = strcspn(failure->message, "\n");
    char first[256];
    if (failure->flag != FLAG_NONE)
        return false;
    snprintf(first, sizeof first, "%.*s", (int)(length < sizeof first ? length : sizeof first - 1),
             failure->message);
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (strstr(first, strerror(errors[i])) != NULL)
            return true;
    return failure->stage == STAGE_MEASURE && strncmp(first, "out of memory", 13) == 0;
}

bool job_end_is_trouble(struct job_result *r, const struct failure *failure, const struct watch_end *end) {
    enum watch_verdict verdict = job_end_verdict(end);
    char busy[160];
    watch_busy_message(end, busy, sizeof busy);
    if (verdict == WATCH_BUSY)
        job_result_set(r, JOB_TROUBLE, "%s", busy);
    else if (verdict != WATCH_WITHIN)
        return false;
    else if (end->memory_kill)
        job_result_set(r, JOB_TROUBLE, "the system has ended a process for want of memory meanwhile: %s",
                       failure->message);
    else if (failure->stage == STAGE_BUSY)
        job_result_set(r, JOB_TROUBLE, "%s", failure->message);
    else if (is_shortage(failure))
        job_result_set(r, JOB_TROUBLE, "the machine is short of something: %s", failure->message);
    else
        return false;
    return true;
}

void job_end_limit(struct job_result *r, const struct job_options *options, const struct watch_end *end) {
    static const enum flag flags[] = {
        [WATCH_MEMORY] = FLAG_MEMORY, [WATCH_THREADS] = FLAG_PROCESSES, [WATCH_TIME] = FLAG_TIMEOUT,
        [WATCH_WAITS] = FLAG_TIMEOUT, [WATCH_STOPPED] = FLAG_TIMEOUT,   [WATCH_JUDGE] = FLAG_JUDGE_LIMIT};
    enum watch_verdict verdict = job_end_verdict(end);
    unsigned seconds = options->run_seconds;
    if (verdict == WATCH_JUDGE)
        job_result_too_much(r);
    else if (verdict == WATCH_MEMORY && end->verdict == WATCH_WITHIN)
        job_result_set(r, JOB_FAILED, "your program used %u MiB of memory, and there was no more",
                       (unsigned)(end->peak_bytes >> 20));
    else if (verdict == WATCH_MEMORY)
        job_result_set(r, JOB_FAILED, "your program used more than %u MiB of memory", options->memory_mib);
    else if (verdict == WATCH_THREADS)
        job_result_set(r, JOB_FAILED, "your program had more than %d threads", JOB_THREADS);
    else if (verdict == WATCH_STOPPED)
        job_result_set(r, JOB_FAILED, "your program stopped itself by a signal (SIGSTOP or one like it)");
    else if (verdict == WATCH_WAITS)
        job_result_set(
            r, JOB_FAILED,
            "your program waited for what did not come: it may compute for %u seconds, and did not end",
            seconds);
    else
        job_result_set(r, JOB_FAILED, "your program did not end within %u seconds of computing", seconds);
    job_result_flag(r, flag_name(flags[verdict]), flag_meaning(flags[verdict]));
}
