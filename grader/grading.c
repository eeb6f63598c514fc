#include "grader/grading.h"

#include "grader/program.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

bool grading_refuse(struct grading *grading, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(grading->error, sizeof grading->error, format, arguments);
    va_end(arguments);
    return false;
}

bool grading_book_failed(struct grading *grading) {
    return grading_refuse(grading, "%s", grading->book->error);
}

bool grading_init(struct grading *grading, const struct grading_options *options, struct gradebook *book) {
    *grading = (struct grading){.options = options, .book = book, .ignored = strdup("")};
    policy_init(&grading->policy);
    if (grading->ignored == NULL)
        return grading_refuse(grading, "out of memory");
    if (options->roster != NULL) {
        if (!roster_read(&grading->roster, options->roster, grading->error, sizeof grading->error))
            return false;
        grading->has_roster = true;
    }
    return options->policy == NULL ||
           policy_read(&grading->policy, options->policy, grading->error, sizeof grading->error);
}

void grading_free(struct grading *grading) {
    if (grading->has_roster)
        roster_free(&grading->roster);
    free(grading->ignored);
}

bool grading_wants(const struct grading *grading, const char *student) {
    const char *at = grading->options->only;
    size_t length = strlen(student);
    if (at == NULL)
        return true;
    while (*at != '\0') {
        size_t span = strcspn(at, ",");
        if (span == length && strncmp(at, student, span) == 0)
            return true;
        at += span + (at[span] == ',');
    }
    return false;
}

/* A seed nobody knows, drawn once for a gradebook: each run of it grades with the same. */
static bool kept_seed(struct grading *grading, uint64_t *seed) {
    char text[32];
    if (grading->book == NULL) {
        *seed = 1;
        return true;
    }
    if (!gradebook_get(grading->book, "seed", text, sizeof text))
        return grading_book_failed(grading);
    if (text[0] == '\0') {
        uint32_t drawn = 0; /* a lab takes seeds of 32 bits */
        if (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn)
            return grading_refuse(grading, "no random number for the seed: %s", strerror(errno));
        snprintf(text, sizeof text, "%llu", (unsigned long long)drawn | 1);
        if (!gradebook_set(grading->book, "seed", text))
            return grading_book_failed(grading);
    }
    *seed = strtoull(text, NULL, 10);
    return true;
}

bool grading_rules(struct grading *grading, const char *lab, struct policy_rules *rules) {
    policy_rules(&grading->policy, lab, rules);
    return rules->seed != 0 || kept_seed(grading, &rules->seed);
}

static const struct lab *find_lab(const struct grading *grading, const char *id) {
    for (unsigned i = 0; i < grading->lab_count; i++)
        if (strcmp(grading->labs[i].id, id) == 0)
            return &grading->labs[i];
    return NULL;
}

static bool add_lab(struct grading *grading, const char *id) {
    if (find_lab(grading, id) != NULL)
        return true;
    if (grading->lab_count == GRADING_LABS)
        return grading_refuse(grading, "more than %d labs", GRADING_LABS);
    return lab_load(grading->options->root, id, &grading->labs[grading->lab_count], grading->error,
                    sizeof grading->error) &&
           ++grading->lab_count > 0;
}

bool grading_labs_of_book(struct grading *grading) {
    if (grading->options->lab != NULL)
        return add_lab(grading, grading->options->lab);
    sqlite3_stmt *statement =
        gradebook_prepare(grading->book, "SELECT DISTINCT lab FROM submissions ORDER BY lab", "");
    if (statement == NULL)
        return grading_book_failed(grading);
    bool fine = true;
    while (fine && sqlite3_step(statement) == SQLITE_ROW)
        fine = add_lab(grading, gradebook_text(statement, 0));
    sqlite3_finalize(statement);
    return fine && (grading->lab_count > 0 ||
                    grading_refuse(grading, "%s has no submissions yet", grading->book->folder));
}

static bool add_ignored(struct grading *grading, const char *text) {
    size_t had = strlen(grading->ignored);
    char *grown = realloc(grading->ignored, had + strlen(text) + 2);
    if (grown == NULL)
        return grading_refuse(grading, "out of memory");
    grading->ignored = grown;
    snprintf(grown + had, strlen(text) + 2, "%s%s", had > 0 && *text != '\0' ? " " : "", text);
    return true;
}

static bool put_roster(struct grading *grading) {
    const struct roster *roster = &grading->roster;
    if (!grading->has_roster)
        return true;
    if (!gradebook_run(grading->book, "UPDATE students SET in_roster = 0") ||
        !gradebook_set(grading->book, "roster", "yes"))
        return grading_book_failed(grading);
    for (size_t i = 0; i < roster->count; i++) {
        const struct roster_student *s = &roster->students[i];
        if (!gradebook_put_student(grading->book, s->id, s->name, s->first, s->last, s->email, true,
                                   s->extension_hours))
            return grading_book_failed(grading);
    }
    return true;
}

/* The version of what a result depends on besides the kernel: grade-job knows. NULL: it has none. */
static const char *kit_of(struct grading *grading, const struct queue_job *job) {
    for (unsigned i = 0; i < grading->kit_count; i++) {
        const struct grading_kit *kit = &grading->kits[i];
        if (strcmp(kit->lab, job->lab) == 0 && strcmp(kit->device, job->device) == 0 &&
            strcmp(kit->gpu, job->gpu) == 0)
            return kit->version;
    }
    struct grading_kit *kit = &grading->kits[grading->kit_count];
    const char *const arguments[] = {grading->options->grade_job,
                                     "--kit",
                                     "--lab",
                                     job->lab,
                                     "--device",
                                     job->device,
                                     "--gpu",
                                     job->gpu,
                                     NULL};
    char output[512];
    int status = program_run(arguments, output, sizeof output);
    output[strcspn(output, "\r\n")] = '\0';
    if (status != 0 || output[0] == '\0' || grading->kit_count == GRADING_LABS) {
        grading_refuse(grading, "nothing can be judged for %s on %s (%s): %s", job->lab, job->device,
                       job->gpu, output);
        return NULL;
    }
    grading->kit_count++;
    snprintf(kit->lab, sizeof kit->lab, "%s", job->lab);
    snprintf(kit->device, sizeof kit->device, "%s", job->device);
    snprintf(kit->gpu, sizeof kit->gpu, "%s", job->gpu);
    text_clean(kit->version, sizeof kit->version, output);
    return kit->version;
}

static bool add_jobs(struct grading *grading, const struct submission *submission) {
    static const struct {
        unsigned bit;
        const char *name;
    } devices[] = {{POLICY_SIM, "sim"}, {POLICY_CUDA, "cuda"}};
    struct policy_rules rules;
    if (!grading_rules(grading, submission->lab, &rules))
        return false;
    for (int d = 0; d < 2; d++) {
        if ((rules.devices & devices[d].bit) == 0)
            continue;
        struct queue_job job = {.seed = rules.seed,
                                .build_seconds = rules.build_seconds,
                                .run_seconds = rules.run_seconds,
                                .memory_mib = rules.memory_mib};
        snprintf(job.sha256, sizeof job.sha256, "%s", submission->sha256);
        snprintf(job.lab, sizeof job.lab, "%s", submission->lab);
        snprintf(job.device, sizeof job.device, "%s", devices[d].name);
        snprintf(job.gpu, sizeof job.gpu, "%s", rules.gpu);
        snprintf(job.size, sizeof job.size, "%s", rules.size);
        const char *kit = kit_of(grading, &job);
        if (kit == NULL)
            return false;
        snprintf(job.kit, sizeof job.kit, "%s", kit);
        queue_job_key(&job);
        if (!queue_add(grading->book, &job))
            return grading_book_failed(grading);
    }
    return true;
}

/* Under which id a submission is kept. */
static const char *student_of(struct grading *grading, const struct submission *submission,
                              const struct roster_student **listed) {
    *listed = grading->has_roster
                  ? roster_find(&grading->roster, submission->student, submission->email, submission->name)
                  : NULL;
    grading->unknown += grading->has_roster && *listed == NULL;
    return *listed != NULL ? (*listed)->id : submission->student;
}

/* Has the student handed in this lab already, in this very download, and later? */
static bool superseded(struct grading *grading, const char *student, const struct submission *submission,
                       bool *older) {
    sqlite3_stmt *statement = gradebook_prepare(
        grading->book, "SELECT submitted, sha256 FROM submissions WHERE student = ? AND lab = ?", "ss",
        student, submission->lab);
    if (statement == NULL)
        return grading_book_failed(grading);
    *older = false;
    if (sqlite3_step(statement) == SQLITE_ROW) {
        bool has = gradebook_text(statement, 1)[0] != '\0';
        *older = has && (submission->sha256[0] == '\0' ||
                         sqlite3_column_int64(statement, 0) >= submission->submitted);
    }
    sqlite3_finalize(statement);
    return true;
}

static bool put_submission(struct grading *grading, const struct submission *submission, const char *student,
                           const struct roster_student *listed) {
    bool older = false;
    int64_t submitted = listed != NULL && listed->submitted != 0 ? listed->submitted : submission->submitted;
    if (listed == NULL &&
        !gradebook_note_student(grading->book, student, submission->name, submission->email))
        return grading_book_failed(grading);
    if (!superseded(grading, student, submission, &older))
        return false;
    if (older)
        return true;
    if (!gradebook_put_submission(grading->book, student, submission, submitted))
        return grading_book_failed(grading);
    return submission->sha256[0] == '\0' || add_jobs(grading, submission);
}

static void print_submission(FILE *to, const struct submission *submission, const char *student,
                             bool unknown) {
    fprintf(to, "%-24s %-5s ", student, submission->lab);
    if (submission->sha256[0] != '\0')
        fprintf(to, "%.8s %7u bytes  %s", submission->sha256, submission->size, submission->path);
    else
        fprintf(to, "%s", submission->problem);
    fprintf(to, "%s\n", unknown ? "  (not in the roster)" : "");
    if (submission->notes[0] != '\0')
        fprintf(to, "%-30s %s\n", "", submission->notes);
}

static bool take(struct grading *grading, const struct submissions *submissions, FILE *print) {
    grading->layout = submissions->layout;
    if (!add_ignored(grading, submissions->ignored))
        return false;
    for (size_t i = 0; i < submissions->count; i++) {
        const struct submission *submission = &submissions->items[i];
        const struct roster_student *listed;
        const char *student = student_of(grading, submission, &listed);
        if (!grading_wants(grading, student))
            continue;
        if (!add_lab(grading, submission->lab))
            return false;
        grading->handed_in++;
        grading->kernels += submission->sha256[0] != '\0';
        if (print != NULL)
            print_submission(print, submission, student, grading->has_roster && listed == NULL);
        if (grading->book != NULL && !put_submission(grading, submission, student, listed))
            return false;
    }
    return true;
}

static bool read_one(struct grading *grading, const char *path, const char *lab, FILE *print) {
    char store[TEXT_PATH];
    struct submissions submissions;
    struct submissions_options options = {.lab = lab, .student = grading->options->student};
    if (grading->book != NULL) {
        if (!text_join(store, grading->book->folder, "kernels"))
            return grading_refuse(grading, "the path of OUT is too long");
        options.store = store;
    }
    if (!submissions_read(path, &options, &submissions, grading->error, sizeof grading->error))
        return false;
    bool fine = take(grading, &submissions, print);
    submissions_free(&submissions);
    return fine;
}

/* What this plan replaces. */
static bool clear(struct grading *grading) {
    const char *lab = grading->options->lab;
    if (grading->options->only != NULL)
        return true;
    return gradebook_do(grading->book, "DELETE FROM submissions WHERE ?1 IS NULL OR lab = ?1", "s", lab) ||
           grading_book_failed(grading);
}

static bool plan(struct grading *grading, FILE *print) {
    const struct grading_options *options = grading->options;
    if (grading->book != NULL && (!clear(grading) || !put_roster(grading) ||
                                  (!queue_plan(grading->book) && !grading_book_failed(grading))))
        return false;
    if (options->lab != NULL && !add_lab(grading, options->lab))
        return false;
    return read_one(grading, options->submissions, options->lab, print);
}

bool grading_plan(struct grading *grading, FILE *print) {
    if (grading->book == NULL)
        return plan(grading, print);
    if (!gradebook_begin(grading->book))
        return grading_book_failed(grading);
    if (plan(grading, print) && (gradebook_commit(grading->book) || grading_book_failed(grading)))
        return true;
    gradebook_rollback(grading->book);
    return false;
}
