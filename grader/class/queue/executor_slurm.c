/*
 * Job arrays on a Slurm cluster that shares OUT's file system. A task is one grade-job; its result comes back
 * as the result.json that it leaves, and the queue (squeue) only says which tasks are still to be waited for.
 * What Slurm requeues keeps its number and is waited for; what is gone without a result (cancelled, out of
 * time, a node lost) counts as a trouble and is submitted again. A grader that is killed finds its tasks
 * again by the numbers in the gradebook.
 */
#include "base/clock.h"
#include "base/ini.h"
#include "class/queue/executor.h"

#include "base/child.h"
#include "base/file.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum {
    ARRAY_TASKS = 500,   /* below the MaxArraySize of any Slurm (1001 by default) */
    LIST_SIZE = 1 << 20, /* of squeue's answer */
    PATIENCE = 600,      /* seconds to wait for a controller that does not answer */
    OPTIONS = 24,
};

struct task {
    char key[QUEUE_KEY];
    unsigned missing; /* polls in a row in which squeue did not know it */
};

struct slurm {
    const struct executor *executor;
    char *list; /* "|123_0 RUNNING None|123_1 PENDING Priority|": what squeue said last */
    struct task *missing;
    size_t missing_count, missing_room;
    double silent; /* since when the controller has not answered, 0: it does */
    unsigned running;
    sigset_t waited, before;
};

static bool trouble(const struct slurm *slurm, const char *what, const char *answer) {
    char clean[256];
    text_clean(clean, sizeof clean, answer);
    return fails(slurm->executor->book->error, sizeof slurm->executor->book->error, "%s: %s", what, clean);
}

/* A shell's word: in single quotes, each ' of it as '\''. */
static void shell_word(FILE *to, const char *text) {
    fputc('\'', to);
    for (; *text != '\0'; text++)
        if (*text == '\'')
            fputs("'\\''", to);
        else
            fputc(*text, to);
    fputs("' ", to);
}

static bool write_task(const struct slurm *slurm, const struct queue_job *job, FILE *to) {
    struct gradebook *book = slurm->executor->book;
    struct executor_command command;
    char folder[PATH_SIZE], log[PATH_SIZE];
    if (!queue_job_folder(book, job, folder) || !folder_make(folder, book->error, sizeof book->error) ||
        !path_join(log, folder, "log") || !executor_command(&command, slurm->executor, job))
        return false;
    for (unsigned i = 0; i < command.count; i++)
        shell_word(to, command.arguments[i]);
    fputs("> ", to);
    shell_word(to, log);
    fputs("2>&1\n", to);
    executor_command_free(&command);
    return true;
}

/* Split the instructor's own options at spaces, in place. */
static unsigned split_options(char *text, const char **arguments, unsigned count) {
    for (char *at = strtok(text, " "); at != NULL && count + 2 < OPTIONS; at = strtok(NULL, " "))
        arguments[count++] = at;
    return count;
}

/* Hand the script to sbatch; the array's number into id. */
static bool submit(const struct slurm *slurm, const char *script, unsigned tasks, double seconds, char *id,
                   size_t size) {
    char array[64], limit[48], answer[512], options[512];
    const char *arguments[OPTIONS] = {
        "sbatch", "--parsable", "--requeue", "--job-name=grade", "--output=/dev/null", "--error=/dev/null",
        array,    limit};
    unsigned count = 8;
    snprintf(array, sizeof array, "--array=0-%u", tasks - 1);
    if (slurm->executor->jobs > 0)
        snprintf(array + strlen(array), sizeof array - strlen(array), "%%%u", slurm->executor->jobs);
    snprintf(limit, sizeof limit, "--time=%u", (unsigned)(seconds / 60) + 1);
    snprintf(options, sizeof options, "%s",
             slurm->executor->slurm_options != NULL ? slurm->executor->slurm_options : "");
    count = split_options(options, arguments, count);
    arguments[count++] = script;
    arguments[count] = NULL;
    if (child_run(arguments, answer, sizeof answer) != 0)
        return trouble(slurm, "sbatch does not take the jobs", answer);
    /* "123" or "123;cluster", the last line: warnings may stand before it */
    answer[strcspn(answer, ";")] = '\0';
    const char *last = ini_trim(answer);
    if (strrchr(last, '\n') != NULL)
        last = strrchr(last, '\n') + 1;
    snprintf(id, size, "%s", last);
    return strspn(id, "0123456789") == strlen(id) && id[0] != '\0'
               ? true
               : trouble(slurm, "sbatch gave no number", answer);
}

static bool place_all(const struct slurm *slurm, const struct queue_job *jobs, unsigned count,
                      const char *id) {
    struct gradebook *book = slurm->executor->book;
    bool right = gradebook_begin(book);
    for (unsigned i = 0; right && i < count; i++) {
        char place[32];
        snprintf(place, sizeof place, "%.20s_%u", id, i);
        right = queue_place(book, &jobs[i], place);
    }
    right = right && gradebook_commit(book);
    if (!right)
        gradebook_rollback(book);
    return right;
}

/* One line of the tasks' file for each task; the script runs the line of its number. */
static bool write_batch(const struct slurm *slurm, const struct queue_job *jobs, unsigned count,
                        char script[PATH_SIZE]) {
    struct gradebook *book = slurm->executor->book;
    struct file_output output;
    char folder[PATH_SIZE], lines[PATH_SIZE], name[48];
    snprintf(name, sizeof name, "tasks-%.16s-%d", jobs[0].key, jobs[0].attempt);
    if (!path_join(folder, book->folder, "slurm") ||
        !file_begin(&output, folder, name, book->error, sizeof book->error))
        return false;
    snprintf(lines, sizeof lines, "%s", output.path);
    bool right = true;
    for (unsigned i = 0; right && i < count; i++)
        right = write_task(slurm, &jobs[i], output.file);
    if (!right) {
        file_discard(&output);
        return false;
    }
    if (!file_end(&output, book->error, sizeof book->error))
        return false;
    snprintf(name, sizeof name, "batch-%.16s-%d", jobs[0].key, jobs[0].attempt);
    if (!file_begin(&output, folder, name, book->error, sizeof book->error))
        return false;
    fputs("#!/bin/sh\nline=$(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" ", output.file);
    shell_word(output.file, lines);
    fputs(")\neval \"exec $line\"\n", output.file);
    snprintf(script, PATH_SIZE, "%s", output.path);
    return file_end(&output, book->error, sizeof book->error);
}

/* Claim what is queued and submit it as one array; alone: the next of those that run alone. */
static bool submit_queued(struct slurm *slurm, bool alone, bool *any) {
    struct gradebook *book = slurm->executor->book;
    struct queue_job *jobs = calloc(ARRAY_TASKS, sizeof *jobs);
    unsigned count = 0;
    double seconds = 0;
    char script[PATH_SIZE], id[32];
    bool found = true, right = jobs != NULL;
    while (right && found && count < (alone ? 1 : ARRAY_TASKS)) {
        right = queue_claim(book, alone, &jobs[count], &found);
        if (right && found) {
            double patience = executor_patience(&jobs[count++]);
            seconds = patience > seconds ? patience : seconds;
        }
    }
    *any = count > 0;
    if (right && count > 0) {
        right = write_batch(slurm, jobs, count, script) &&
                submit(slurm, script, count, seconds, id, sizeof id) && place_all(slurm, jobs, count, id);
        char error[TEXT_ERROR];
        snprintf(error, sizeof error, "%s", book->error);
        for (unsigned i = 0; !right && i < count; i++)
            queue_release(book, &jobs[i]);
        if (!right)
            snprintf(book->error, sizeof book->error, "%s", error);
    }
    free(jobs);
    return right;
}

/* Ask squeue. false: the controller does not answer. */
static bool ask(struct slurm *slurm) {
    static const char *const arguments[] = {"squeue", "--me", "--noheader", "--array", "--format=%i %T %r|",
                                            NULL};
    slurm->list[0] = '|';
    slurm->list[1] = '\n';
    /* a list that does not fit says nothing of those that are not in it */
    if (child_run(arguments, slurm->list + 2, LIST_SIZE - 2) == 0 && strlen(slurm->list) + 2 < LIST_SIZE) {
        slurm->silent = 0;
        return true;
    }
    if (slurm->silent == 0)
        slurm->silent = clock_seconds();
    return false;
}

enum place { PLACE_WAITS, PLACE_HELD, PLACE_GONE };

/* Where a task is, by what squeue said. */
static enum place look_up(const struct slurm *slurm, const char *place) {
    char line[48];
    snprintf(line, sizeof line, "|\n%s ", place);
    const char *found = strstr(slurm->list, line);
    if (found == NULL)
        return PLACE_GONE;
    found += strlen(line);
    size_t length = strcspn(found, "|");
    /* Slurm holds a task whose start failed too often: nobody would ever release it */
    static const char *const held[] = {"launch failed requeued held", "JobHoldMaxRequeue", "SPECIAL_EXIT"};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        const char *at = strstr(found, held[i]);
        if (at != NULL && at < found + length)
            return PLACE_HELD;
    }
    return PLACE_WAITS;
}

/* How often in a row this job has been missing, this time counted. */
static unsigned count_missing(struct slurm *slurm, const char *key) {
    for (size_t i = 0; i < slurm->missing_count; i++)
        if (strcmp(slurm->missing[i].key, key) == 0)
            return ++slurm->missing[i].missing;
    if (slurm->missing_count == slurm->missing_room) {
        size_t room = slurm->missing_room == 0 ? 64 : slurm->missing_room * 2;
        struct task *grown = realloc(slurm->missing, room * sizeof *grown);
        if (grown == NULL)
            return 1;
        slurm->missing = grown;
        slurm->missing_room = room;
    }
    struct task *task = &slurm->missing[slurm->missing_count++];
    snprintf(task->key, sizeof task->key, "%s", key);
    task->missing = 1;
    return 1;
}

static void forget_missing(struct slurm *slurm, const char *key) {
    for (size_t i = 0; i < slurm->missing_count; i++)
        if (strcmp(slurm->missing[i].key, key) == 0)
            slurm->missing[i] = slurm->missing[--slurm->missing_count];
}

static bool look_at(void *context, const struct queue_job *job) {
    struct slurm *slurm = context;
    struct gradebook *book = slurm->executor->book;
    if (queue_has_result(book, job)) {
        forget_missing(slurm, job->key);
        return queue_finish(book, job, "");
    }
    slurm->running++;
    enum place place = slurm->silent == 0 ? look_up(slurm, job->place) : PLACE_WAITS;
    if (place == PLACE_HELD) {
        const char *const cancel[] = {"scancel", job->place, NULL};
        char answer[128];
        child_run(cancel, answer, sizeof answer);
        return queue_finish(book, job, "Slurm could not start it");
    }
    /* a shared file system may show the result a little after the task has ended */
    if (place == PLACE_GONE && count_missing(slurm, job->key) >= 3) {
        forget_missing(slurm, job->key);
        return queue_finish(book, job,
                            "Slurm has ended it without a result: cancelled, out of time, or its node lost");
    }
    if (place == PLACE_WAITS)
        forget_missing(slurm, job->key);
    return true;
}

static enum executor_end work(struct slurm *slurm) {
    struct gradebook *book = slurm->executor->book;
    struct queue_counts counts;
    for (;;) {
        bool any;
        if (!submit_queued(slurm, false, &any))
            return EXECUTOR_FAILED;
        slurm->running = 0;
        if (!ask(slurm) && clock_seconds() - slurm->silent > PATIENCE) {
            trouble(slurm, "squeue does not answer; the same command goes on later", slurm->list + 2);
            return EXECUTOR_FAILED;
        }
        if (!queue_each_running(book, look_at, slurm) || !queue_count(book, &counts))
            return EXECUTOR_FAILED;
        progress_line_show(slurm->executor->progress, &counts);
        if (counts.running == 0 && counts.queued == 0)
            return EXECUTOR_DONE;
        if (counts.running == 0 && counts.queued == counts.alone && !submit_queued(slurm, true, &any))
            return EXECUTOR_FAILED;
        struct timespec nap = {.tv_sec = counts.running > 100 ? 5 : 1};
        int signal = any ? 0 : sigtimedwait(&slurm->waited, NULL, &nap);
        if (signal == SIGINT || signal == SIGTERM)
            return EXECUTOR_INTERRUPTED; /* the tasks go on; the next run takes their results in */
    }
}

enum executor_end executor_slurm(const struct executor *executor) {
    struct slurm slurm = {.executor = executor, .list = malloc(LIST_SIZE)};
    enum executor_end end = EXECUTOR_FAILED;
    if (slurm.list == NULL) {
        snprintf(executor->book->error, sizeof executor->book->error, "out of memory");
        return EXECUTOR_FAILED;
    }
    sigemptyset(&slurm.waited);
    sigaddset(&slurm.waited, SIGINT);
    sigaddset(&slurm.waited, SIGTERM);
    sigprocmask(SIG_BLOCK, &slurm.waited, &slurm.before);
    end = work(&slurm);
    sigprocmask(SIG_SETMASK, &slurm.before, NULL);
    free(slurm.list);
    free(slurm.missing);
    return end;
}
