/* queue.c: a job's states are changed by one statement each; a result is checked before it is taken in. */
#include "class/queue/queue.h"

#include "base/file.h"
#include "base/ini.h"
#include "report/document/kernel_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RESULT_LIMIT = 64 << 20, RESULT_SCHEMA = 1 };

#define JOB_COLUMNS                                                                                          \
    "key, sha256, lab, device, gpu, size, key_name, kit, build_seconds, run_seconds, memory_mib, attempts, " \
    "place, alone"

void queue_job_key(struct queue_job *job) {
    char text[512];
    int length = snprintf(text, sizeof text, "%s|%s|%s|%s|%s|%s|%s|%g|%g|%g", job->sha256, job->lab,
                          job->device, job->gpu, job->size, job->key_name, job->kit, job->build_seconds,
                          job->run_seconds, job->memory_mib);
    kernel_sha256((const uint8_t *)text, (size_t)length, job->key);
}

bool queue_key_path(const struct gradebook *book, const char *name, char path[PATH_SIZE]) {
    char below[32];
    snprintf(below, sizeof below, "keys/%s", name);
    return path_join(path, book->folder, below);
}

bool queue_job_folder(const struct gradebook *book, const struct queue_job *job, char path[PATH_SIZE]) {
    char name[64];
    snprintf(name, sizeof name, "jobs/%.32s-%d", job->key, job->attempt);
    return path_join(path, book->folder, name);
}

bool queue_plan(struct gradebook *book) {
    return gradebook_run(book, "UPDATE jobs SET wanted = 0, tries = 0;"
                               "UPDATE jobs SET state = 'queued', alone = 0 WHERE state = 'trouble'");
}

bool queue_aside(struct gradebook *book) {
    return gradebook_run(book, "DROP TABLE IF EXISTS temp.aside;"
                               "CREATE TEMP TABLE aside AS SELECT key FROM jobs WHERE wanted;"
                               "UPDATE jobs SET wanted = 0 WHERE wanted");
}

bool queue_aside_end(struct gradebook *book) {
    return gradebook_run(book, "UPDATE jobs SET wanted = key IN (SELECT key FROM aside)"
                               " WHERE wanted <> key IN (SELECT key FROM aside); DROP TABLE aside");
}

bool queue_retry(struct gradebook *book) {
    return gradebook_run(book, "UPDATE jobs SET tries = 0 WHERE wanted;"
                               "UPDATE jobs SET state = 'queued' WHERE wanted AND state = 'trouble'");
}

/* Who was right within no larger limits is right within these: the result is taken over. */
static bool take_over(struct gradebook *book, const char *key) {
    static const char from[] =
        " FROM jobs j JOIN jobs o ON o.sha256 = j.sha256 AND o.lab = j.lab AND o.device = j.device AND o.gpu = j.gpu"
        " AND o.size = j.size AND o.key_name = j.key_name AND o.kit = j.kit AND o.key <> j.key AND o.state = 'done'"
        " AND o.build_seconds <= j.build_seconds AND o.run_seconds <= j.run_seconds AND o.memory_mib <= j.memory_mib"
        " JOIN results r ON r.job = o.key"
        " WHERE j.key = ?1 AND j.state = 'queued' AND j.attempts = 0 AND r.outcome = 'judged'"
        " AND r.id = (SELECT max(id) FROM results WHERE job = o.key)";
    char sql[1024];
    snprintf(
        sql, sizeof sql,
        "INSERT OR IGNORE INTO results(job, attempt, outcome, result, build_seconds, run_seconds, finished, digest)"
        " SELECT j.key, 0, r.outcome, r.result, r.build_seconds, r.run_seconds, r.finished, r.digest%s"
        " ORDER BY r.id DESC LIMIT 1",
        from);
    return gradebook_do(book, sql, "s", key) &&
           gradebook_do(
               book,
               "UPDATE jobs SET state = 'done' WHERE key = ?1 AND state = 'queued' AND attempts = 0 AND EXISTS"
               " (SELECT 1 FROM results WHERE job = ?1)",
               "s", key);
}

bool queue_add(struct gradebook *book, const struct queue_job *job) {
    return gradebook_do(book,
                        "INSERT INTO jobs(key, sha256, lab, device, gpu, size, key_name, kit, build_seconds,"
                        " run_seconds, memory_mib, wanted, state, attempts, tries, place)"
                        " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 'queued', 0, 0, '')"
                        " ON CONFLICT(key) DO UPDATE SET wanted = 1",
                        "ssssssssddd", job->key, job->sha256, job->lab, job->device, job->gpu, job->size,
                        job->key_name, job->kit, job->build_seconds, job->run_seconds, job->memory_mib) &&
           take_over(book, job->key);
}

bool queue_again(struct gradebook *book, const char *sha256, const char *lab) {
    return gradebook_do(book,
                        "UPDATE jobs SET state = 'queued', alone = 1, tries = 0"
                        " WHERE sha256 = ? AND lab = ? AND wanted",
                        "ss", sha256, lab);
}

static void read_job(struct queue_job *job, sqlite3_stmt *s) {
    *job = (struct queue_job){.build_seconds = sqlite3_column_double(s, 8),
                              .run_seconds = sqlite3_column_double(s, 9),
                              .memory_mib = sqlite3_column_double(s, 10),
                              .attempt = sqlite3_column_int(s, 11),
                              .alone = sqlite3_column_int(s, 13) != 0};
    snprintf(job->key, sizeof job->key, "%s", gradebook_text(s, 0));
    snprintf(job->sha256, sizeof job->sha256, "%s", gradebook_text(s, 1));
    snprintf(job->lab, sizeof job->lab, "%s", gradebook_text(s, 2));
    snprintf(job->device, sizeof job->device, "%s", gradebook_text(s, 3));
    snprintf(job->gpu, sizeof job->gpu, "%s", gradebook_text(s, 4));
    snprintf(job->size, sizeof job->size, "%s", gradebook_text(s, 5));
    snprintf(job->key_name, sizeof job->key_name, "%s", gradebook_text(s, 6));
    snprintf(job->kit, sizeof job->kit, "%s", gradebook_text(s, 7));
    snprintf(job->place, sizeof job->place, "%s", gradebook_text(s, 12));
}

/* One row with a job's columns; *found false: none. */
static bool one_job(struct gradebook *book, sqlite3_stmt *statement, struct queue_job *job, bool *found) {
    if (statement == NULL)
        return false;
    int status = sqlite3_step(statement);
    *found = status == SQLITE_ROW;
    if (*found) {
        read_job(job, statement);
        status = sqlite3_step(statement); /* the change is made when it has run to its end */
    }
    if (status != SQLITE_DONE)
        gradebook_failed(book);
    sqlite3_finalize(statement);
    return status == SQLITE_DONE;
}

bool queue_claim(struct gradebook *book, bool alone, struct queue_job *job, bool *found) {
    return one_job(
        book,
        gradebook_prepare(book,
                          "UPDATE jobs SET state = 'running', attempts = attempts + 1, place = '' WHERE key ="
                          " (SELECT key FROM jobs WHERE wanted = 1 AND state = 'queued' AND alone = ?"
                          " ORDER BY key LIMIT 1)"
                          " RETURNING " JOB_COLUMNS,
                          "i", (int64_t)alone),
        job, found);
}

bool queue_release(struct gradebook *book, const struct queue_job *job) {
    char folder[PATH_SIZE];
    if (queue_job_folder(book, job, folder))
        folder_remove(folder);
    return gradebook_do(book, "UPDATE jobs SET state = 'queued' WHERE key = ? AND state = 'running'", "s",
                        job->key);
}

bool queue_place(struct gradebook *book, const struct queue_job *job, const char *place) {
    return gradebook_do(book, "UPDATE jobs SET place = ? WHERE key = ? AND state = 'running'", "ss", place,
                        job->key);
}

static bool result_path(const struct gradebook *book, const struct queue_job *job, char path[PATH_SIZE]) {
    char folder[PATH_SIZE];
    return queue_job_folder(book, job, folder) && path_join(path, folder, "result.json");
}

bool queue_has_result(const struct gradebook *book, const struct queue_job *job) {
    char path[PATH_SIZE];
    return result_path(book, job, path) && access(path, F_OK) == 0;
}

static bool is_text(const json_t *json, const char *key, const char *value) {
    const char *text = json_string_value(json_object_get(json, key));
    return text != NULL && strcmp(text, value) == 0;
}

/* Is this what grade-job writes, about this very job? Why not, into `why`. */
static bool check_result(const json_t *json, const struct queue_job *job, char *why, size_t size) {
    static const char *const outcomes[] = {"judged", "failed", "build-failed", "trouble"};
    const char *outcome = json_string_value(json_object_get(json, "outcome"));
    bool known = false;
    for (size_t i = 0; outcome != NULL && i < sizeof outcomes / sizeof *outcomes; i++)
        known = known || strcmp(outcome, outcomes[i]) == 0;
    const char *wrong = json_integer_value(json_object_get(json, "schema")) != RESULT_SCHEMA ? "schema"
                        : !is_text(json, "lab", job->lab)                                    ? "lab"
                        : !is_text(json, "kernel_sha256", job->sha256)                       ? "kernel_sha256"
                        : !is_text(json, "device", job->device)                              ? "device"
                        : !is_text(json, "drawn", job->key_name)                             ? "drawn"
                        : !known                                                             ? "outcome"
                                                                                             : NULL;
    if (wrong != NULL)
        snprintf(why, size, "its result.json is not of this job: %s", wrong);
    return wrong == NULL;
}

static double seconds_of(const json_t *json, const char *key) {
    const json_t *number = json_object_get(json_object_get(json, "seconds"), key);
    return json_is_number(number) ? json_number_value(number) : 0;
}

/* The result of an attempt; NULL and why when there is none that can be believed. */
static json_t *load_result(struct gradebook *book, const struct queue_job *job, const char *reason, char *why,
                           size_t size) {
    char path[PATH_SIZE], error[TEXT_ERROR];
    size_t length;
    json_error_t where;
    char *text =
        result_path(book, job, path) ? file_read(path, RESULT_LIMIT, &length, error, sizeof error) : NULL;
    if (text == NULL) {
        snprintf(why, size, "%s", reason);
        return NULL;
    }
    json_t *json = json_loadb(text, length, 0, &where);
    free(text);
    if (json == NULL)
        snprintf(why, size, "its result.json cannot be read: %.200s", where.text);
    else if (check_result(json, job, why, size))
        return json;
    json_decref(json);
    return NULL;
}

/* Kept without what differs from run to run. */
static char *stored_form(json_t *json) {
    json_object_del(json, "seconds");
    return json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS | REPORT_JSON_FLAGS);
}

/* Did it meet a limit that other jobs may have to do with: of time, or of memory? */
static bool met_limit(const json_t *json) {
    static const char *const limits[] = {"timeout", "judge-limit", "memory"};
    const json_t *flag;
    size_t index;
    json_array_foreach(json_object_get(json, "flags"), index, flag) {
        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
            if (is_text(flag, "name", limits[i]))
                return true;
    }
    return false;
}

/* outcome "again": it is judged once more before it counts. */
static bool store(struct gradebook *book, const struct queue_job *job, const char *outcome,
                  const char *result, double build_seconds, double run_seconds) {
    char digest[KERNEL_SHA256];
    bool trouble = strcmp(outcome, "trouble") == 0, again = strcmp(outcome, "again") == 0;
    kernel_sha256((const uint8_t *)result, strlen(result), digest);
    if (!gradebook_begin(book))
        return false;
    /* an attempt counts once, whoever takes it in */
    bool right = gradebook_do(
        book,
        "INSERT OR IGNORE INTO results(job, attempt, outcome, result, build_seconds, run_seconds,"
        " finished, digest) VALUES(?, ?, ?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?)",
        "sissdds", job->key, (int64_t)job->attempt, outcome, result, build_seconds, run_seconds, digest);
    right = right &&
            (trouble ? gradebook_do(book,
                                    "UPDATE jobs SET tries = tries + 1, alone = 1,"
                                    " state = CASE WHEN tries + 1 >= ? THEN 'trouble' ELSE 'queued' END"
                                    " WHERE key = ? AND state <> 'done'",
                                    "is", (int64_t)QUEUE_TRIES, job->key)
             : again ? gradebook_do(book, "UPDATE jobs SET state = 'queued', alone = 1 WHERE key = ?", "s",
                                    job->key)
                     : gradebook_do(book, "UPDATE jobs SET state = 'done' WHERE key = ?", "s", job->key));
    right = right && gradebook_commit(book);
    if (!right)
        gradebook_rollback(book);
    return right;
}

/* The first words of what an attempt printed, which say why it has no result. */
static void add_log(const struct gradebook *book, const struct queue_job *job, char *why, size_t size) {
    char folder[PATH_SIZE], path[PATH_SIZE], raw[256], clean[256];
    size_t used = strlen(why);
    FILE *log =
        queue_job_folder(book, job, folder) && path_join(path, folder, "log") ? fopen(path, "r") : NULL;
    if (log == NULL)
        return;
    raw[fread(raw, 1, sizeof raw - 1, log)] = '\0';
    fclose(log);
    text_clean(clean, sizeof clean, ini_trim(raw));
    if (clean[0] != '\0' && used < size)
        snprintf(why + used, size - used, ": %s", clean);
}

static char *trouble_form(const char *why) {
    json_t *json = json_pack("{s:s, s:s}", "outcome", "trouble", "message", why);
    char *text = json != NULL ? json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    json_decref(json);
    return text;
}

bool queue_finish(struct gradebook *book, const struct queue_job *job, const char *reason) {
    char why[512], folder[PATH_SIZE], outcome[16] = "trouble";
    double build_seconds = 0, run_seconds = 0;
    char *text;
    json_t *json = load_result(book, job, reason, why, sizeof why);
    if (json != NULL) {
        snprintf(outcome, sizeof outcome, "%s",
                 !job->alone && met_limit(json) ? "again"
                                                : json_string_value(json_object_get(json, "outcome")));
        build_seconds = seconds_of(json, "build");
        run_seconds = seconds_of(json, "run");
        text = stored_form(json);
    } else {
        add_log(book, job, why, sizeof why);
        text = trouble_form(why);
    }
    json_decref(json);
    if (text == NULL)
        return fails(book->error, sizeof book->error, "out of memory");
    bool right = store(book, job, outcome, text, build_seconds, run_seconds);
    free(text);
    if (right && queue_job_folder(book, job, folder))
        folder_remove(folder);
    return right;
}

bool queue_each_running(struct gradebook *book, queue_visitor *visit, void *context) {
    char last[QUEUE_KEY] = "";
    struct queue_job job;
    for (bool found = true; found;) {
        /* one at a time, so that the visitor may change them */
        sqlite3_stmt *statement = gradebook_prepare(
            book, "SELECT " JOB_COLUMNS " FROM jobs WHERE state = 'running' AND key > ? ORDER BY key LIMIT 1",
            "s", last);
        if (!one_job(book, statement, &job, &found))
            return false;
        if (found && !visit(context, &job))
            return false;
        if (found)
            snprintf(last, sizeof last, "%s", job.key);
    }
    return true;
}

struct recovery {
    struct gradebook *book;
    bool keep_running;
};

static bool recover(void *context, const struct queue_job *job) {
    const struct recovery *recovery = context;
    if (queue_has_result(recovery->book, job))
        return queue_finish(recovery->book, job, "");
    return (recovery->keep_running && job->place[0] != '\0') || queue_release(recovery->book, job);
}

bool queue_recover(struct gradebook *book, bool keep_running) {
    struct recovery recovery = {.book = book, .keep_running = keep_running};
    return queue_each_running(book, recover, &recovery);
}

bool queue_count(struct gradebook *book, struct queue_counts *counts) {
    sqlite3_stmt *statement = gradebook_prepare(
        book, "SELECT state, count(*), sum(alone) FROM jobs WHERE wanted GROUP BY state", "");
    int status = SQLITE_DONE;
    *counts = (struct queue_counts){0};
    while (statement != NULL && (status = sqlite3_step(statement)) == SQLITE_ROW) {
        const char *state = gradebook_text(statement, 0);
        unsigned count = (unsigned)sqlite3_column_int(statement, 1);
        counts->wanted += count;
        *(strcmp(state, "done") == 0      ? &counts->done
          : strcmp(state, "trouble") == 0 ? &counts->trouble
          : strcmp(state, "running") == 0 ? &counts->running
                                          : &counts->queued) += count;
        if (strcmp(state, "queued") == 0)
            counts->alone = (unsigned)sqlite3_column_int(statement, 2);
    }
    bool right = statement != NULL && (status == SQLITE_DONE || gradebook_failed(book));
    sqlite3_finalize(statement);
    return right;
}
