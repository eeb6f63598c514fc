/* plan_read.c: from a download to the gradebook's submissions and jobs. */
#include "class/plan_claims.h"

#include "class/gradebook.h"
#include "class/instructor.h"
#include "lab/tasks/tasks.h"

#include <stdlib.h>
#include <string.h>

enum { STRAYS_KEPT = 200 };

/* One more for a human to look at; the gradebook has the first, and how many more there are. */
static bool add_stray(struct plan *plan, const char *text) {
    size_t had = strlen(plan->strays);
    if (plan->stray_count++ >= STRAYS_KEPT)
        return true;
    char *grown = realloc(plan->strays, had + strlen(text) + 2);
    if (grown == NULL)
        return plan_refuse(plan, "out of memory");
    plan->strays = grown;
    sprintf(grown + had, "%s\n", text);
    return true;
}

static bool keep_strays(struct plan *plan) {
    char more[64];
    if (plan->stray_count > STRAYS_KEPT) {
        unsigned count = plan->stray_count;
        snprintf(more, sizeof more, "%u more.", count - STRAYS_KEPT);
        plan->stray_count = 0;
        bool right = add_stray(plan, more);
        plan->stray_count = count;
        if (!right)
            return false;
    }
    return plan->book == NULL || gradebook_set(plan->book, "strays", plan->strays) || plan_book_failed(plan);
}

static bool put_roster(struct plan *plan) {
    const struct roster *roster = &plan->roster;
    if (!plan->has_roster)
        return true;
    if (!gradebook_run(plan->book, "UPDATE students SET in_roster = 0"))
        return plan_book_failed(plan);
    for (size_t i = 0; i < roster->count; i++) {
        const struct roster_student *s = &roster->students[i];
        if (!gradebook_put_student(plan->book, s->id, s->name, s->first, s->last, s->email, true,
                                   s->extension_hours))
            return plan_book_failed(plan);
    }
    return true;
}

/* When it was handed in, as somebody says who has to know: the roster, the platform; of a file's own time only where the policy
 * says so; and what was known of the same kernel before. 0: not known. */
static bool time_of(struct plan *plan, const struct submission *submission, const char *student,
                    const struct roster_student *listed, int64_t *submitted) {
    struct policy_rules rules;
    policy_rules(&plan->policy, submission->lab, &rules);
    *submitted = listed != NULL && listed->submitted != 0     ? listed->submitted
                 : !submission->from_file || rules.file_times ? submission->submitted
                                                              : 0;
    if (*submitted != 0 || submission->word != SUBMISSION_NO_WORD || submission->sha256[0] == '\0')
        return true;
    sqlite3_stmt *row =
        gradebook_prepare(plan->book,
                          "SELECT submitted FROM history WHERE student = ?1 AND lab = ?2 AND sha256 = ?3"
                          " AND number = (SELECT max(number) FROM history WHERE student = ?1 AND"
                          " lab = ?2)",
                          "sss", student, submission->lab, submission->sha256);
    if (row == NULL)
        return plan_book_failed(plan);
    if (sqlite3_step(row) == SQLITE_ROW)
        *submitted = sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    return true;
}

/* All kernels that the student has handed in for the lab, where the best of them counts. */
static bool add_earlier_jobs(struct plan *plan, const char *student, const char *lab) {
    struct policy_rules rules;
    policy_rules(&plan->policy, lab, &rules);
    if (!rules.best)
        return true;
    sqlite3_stmt *row = gradebook_prepare(
        plan->book, "SELECT DISTINCT sha256 FROM history WHERE student = ? AND lab = ?", "ss", student, lab);
    bool right = row != NULL || plan_book_failed(plan);
    while (right && sqlite3_step(row) == SQLITE_ROW)
        right = plan_add_jobs(plan, lab, gradebook_text(row, 0));
    sqlite3_finalize(row);
    return right;
}

static bool put_submission(struct plan *plan, const struct submission *submission, const char *student,
                           const struct roster_student *listed, const char *human) {
    int64_t submitted;
    char more[800];
    if (listed == NULL && !gradebook_note_student(plan->book, student, submission->name, submission->email))
        return plan_book_failed(plan);
    if (!time_of(plan, submission, student, listed, &submitted))
        return false;
    snprintf(more, sizeof more, "%s", human);
    if (listed != NULL && listed->time_unread)
        text_append(more, sizeof more, "The time in the roster is in words that are not known.");
    if (listed != NULL && listed->draft[0] != '\0' && submission->sha256[0] != '\0')
        text_append(more, sizeof more, "Its status in the roster is '%s', and it is graded.", listed->draft);
    if (submission->guess && submission->sha256[0] != '\0')
        text_append(
            more, sizeof more,
            "Which of its kernels is meant is a guess: several that differ are equally new, or one is "
            "called 'kernel (1).cu'.");
    if (!gradebook_put_submission(plan->book, student, submission, submitted, more))
        return plan_book_failed(plan);
    if (submission->sha256[0] == '\0')
        return add_earlier_jobs(plan, student, submission->lab);
    return (gradebook_put_history(plan->book, student, submission, submitted) || plan_book_failed(plan)) &&
           plan_add_jobs(plan, submission->lab, submission->sha256) &&
           add_earlier_jobs(plan, student, submission->lab);
}

/* Under which id a submission is kept. several: whose else it may be; nobody's there where it is
 * told. */
static void find_student(struct plan *plan, struct claim *claim, const struct roster_student *several[2]) {
    const struct submission *submission = claim->submission;
    struct roster_match match = {NULL};
    if (plan->has_roster)
        match = roster_match(&plan->roster, &(struct roster_query){.by_number = plan->layout->by_number,
                                                                   .column = plan->layout->column,
                                                                   .id = submission->student,
                                                                   .email = submission->email,
                                                                   .name = submission->name});
    claim->listed = match.student;
    claim->student = match.student != NULL ? match.student->id : submission->student;
    several[0] = match.several[0];
    several[1] = match.several[1];
    plan->unknown += plan->has_roster && match.student == NULL && several[0] == NULL;
}

static void say_several(char *text, size_t size, const struct submission *submission,
                        const struct roster_student *const several[2]) {
    snprintf(
        text, size,
        "'%.120s' is %.120s (row %u of the roster) or %.120s (row %u): not graded. Call it by a name that is "
        "one's alone, such as an e-mail, or correct the roster.",
        submission->claim, several[0]->id, several[0]->row + 1, several[1]->id, several[1]->row + 1);
}

/* A part's name, with its bytes or its number where another part's name looks the same. */
static void tell_claim(char *text, size_t size, const struct submission *one,
                       const struct submission *other) {
    char form[GRADE_NAME * 3], other_form[GRADE_NAME * 3];
    text_normal(form, sizeof form, one->claim);
    text_normal(other_form, sizeof other_form, other->claim);
    int used = snprintf(text, size, "%.120s", one->claim);
    if (strcmp(form, other_form) != 0)
        return;
    bool bytes = strcmp(one->claim, other->claim) != 0;
    used += snprintf(text + used, size - (size_t)used, " (");
    for (const char *c = bytes ? one->claim : one->student; *c != '\0' && used + 8 < (int)size; c++)
        used += snprintf(text + used, size - (size_t)used,
                         bytes && (unsigned char)*c >= 0x80 ? "\\x%02x" : "%c", (unsigned char)*c);
    snprintf(text + used, size - (size_t)used, ")");
}

/* Nothing of it is graded until a person has looked. problem: what the student is told. */
static bool put_disputed(struct plan *plan, const struct claim *claim, char *problem, const char *human) {
    struct submission nothing = *claim->submission;
    nothing.sha256[0] = '\0';
    nothing.word = SUBMISSION_DISPUTED;
    nothing.problem = problem;
    return plan->book == NULL || put_submission(plan, &nothing, claim->student, claim->listed, human);
}

/* Of several parts that claim one student none is graded: which is the student's, a human has to say. */
static bool put_conflict(struct plan *plan, const struct claim *claim, const struct claim *other) {
    bool told = other > claim; /* with the next one */
    char problem[] =
        "More than one part of what was downloaded is under your name. None is graded until your "
        "instructor has looked at it.";
    char human[720], mine[300], theirs[300], line[1200];
    tell_claim(mine, sizeof mine, claim->submission, other->submission);
    tell_claim(theirs, sizeof theirs, other->submission, claim->submission);
    snprintf(human, sizeof human, "Claimed by %s and by %s: leave one of them.", theirs, mine);
    snprintf(line, sizeof line, "%.200s, %s: %s", claim->student, claim->submission->lab, human);
    return (told || add_stray(plan, line)) && put_disputed(plan, claim, problem, human);
}

/* What two rows of the roster may mean is nobody's. */
static bool put_ambiguous(struct plan *plan, const struct claim *claim) {
    char problem[] =
        "What was handed in under a name that may be yours or another student's is not graded until "
        "your instructor has looked at it.";
    char human[720];
    say_several(human, sizeof human, claim->submission, claim->several);
    return put_disputed(plan, claim, problem, human);
}

static void print_submission(FILE *to, const struct submission *submission, const char *student,
                             bool unknown) {
    fprintf(to, "%-24s %-5s ", student, submission->lab);
    if (submission->sha256[0] != '\0')
        fprintf(to, "%.8s %7u bytes  %s", submission->sha256, submission->size, submission->path);
    else
        fprintf(to, "%s", submission->problem);
    fprintf(to, "%s%s\n", submission->word == SUBMISSION_LATE ? "  (late, says the platform)" : "",
            unknown ? "  (not in the roster)" : "");
    if (submission->notes[0] != '\0')
        fprintf(to, "%-30s %s\n", "", submission->notes);
}

static int by_student(const void *a, const void *b) {
    const struct claim *one = a, *other = b;
    int order = strcmp(one->student, other->student);
    if (order == 0)
        order = strcmp(one->submission->lab, other->submission->lab);
    return order != 0 ? order : strcmp(one->submission->claim, other->submission->claim);
}

static bool same_student(const struct claim *one, const struct claim *other) {
    return strcmp(one->student, other->student) == 0 &&
           strcmp(one->submission->lab, other->submission->lab) == 0;
}

static bool take_one(struct plan *plan, const struct claim *claim, const struct claim *other, FILE *print) {
    const struct submission *submission = claim->submission;
    if (!plan_add_lab(plan, submission->lab))
        return false;
    if (print != NULL)
        print_submission(print, submission, claim->student, plan->has_roster && claim->listed == NULL);
    if (claim->several != NULL)
        return put_ambiguous(plan, claim);
    if (other != NULL)
        return put_conflict(plan, claim, other);
    plan->kernels += submission->sha256[0] != '\0';
    return plan->book == NULL ||
           put_submission(plan, submission, claim->student, claim->listed, plan_likeness(plan, submission));
}

#define ABSENT                                                                                               \
    "Handed in, says the roster, but the download has nothing that can be taken: download it again, or look there."

/* Who handed in by the roster, and is nowhere in the download? A download of some of the
 * students says nothing of the others. */
static bool find_absent(struct plan *plan, const struct claim *claims, size_t count) {
    const struct roster *roster = &plan->roster;
    if (!plan->has_roster || plan->options->only != NULL || plan->options->student != NULL)
        return true;
    plan->absent = calloc(roster->count + 1, sizeof *plan->absent);
    if (plan->absent == NULL)
        return plan_refuse(plan, "out of memory");
    for (size_t i = 0; i < roster->count; i++)
        plan->absent[i] = true;
    for (size_t i = 0; i < count; i++)
        if (claims[i].listed != NULL)
            plan->absent[claims[i].listed - roster->students] = false;
    for (size_t i = 0; i < roster->count; i++) {
        const struct roster_student *student = &roster->students[i];
        char line[ROSTER_TEXT + sizeof ABSENT + 2];
        if (plan->absent[i] && plan->nothing++ < 5)
            text_append(plan->nothing_of, sizeof plan->nothing_of, "%s", student->id);
        plan->absent[i] = plan->absent[i] && student->handed_in;
        snprintf(line, sizeof line, "%s: " ABSENT, student->id);
        if (plan->absent[i] && !add_stray(plan, line))
            return false;
    }
    return true;
}

/* They get no points, not 0, until a human has looked. */
static bool put_absent(struct plan *plan) {
    for (size_t i = 0; plan->book != NULL && plan->absent != NULL && i < plan->roster.count; i++) {
        char *id = plan->roster.students[i].id, nothing[] = "";
        for (unsigned l = 0; plan->absent[i] && l < plan->lab_count; l++) {
            struct submission submission = {.student = id,
                                            .path = nothing,
                                            .problem = nothing,
                                            .notes = nothing,
                                            .word = SUBMISSION_ABSENT};
            snprintf(submission.lab, sizeof submission.lab, "%s", plan->labs[l].id);
            if (!gradebook_put_submission(plan->book, id, &submission, 0, ABSENT))
                return plan_book_failed(plan);
        }
    }
    return true;
}

/* A person is told; who has no other submission for the lab has none that is graded. */
static bool add_ambiguous(struct plan *plan, const struct submission *submission,
                          const struct roster_student *const several[2], struct claim *claims, size_t sure,
                          size_t *count) {
    char text[720], line[760];
    say_several(text, sizeof text, submission, several);
    snprintf(line, sizeof line, "%s: %s", submission->lab, text);
    for (int i = 0; i < 2; i++) {
        struct claim claim = {submission, several[i], several[i]->id, several};
        bool has = false;
        for (size_t c = 0; c < sure; c++)
            has = has || same_student(&claims[c], &claim);
        if (!has && plan_names_match(plan, claim.student, submission))
            claims[(*count)++] = claim;
    }
    return add_stray(plan, line);
}

/* Folders of a section or a TA look like students who have several kernels each. */
static bool tell_sections(struct plan *plan, const struct submissions *submissions) {
    size_t several = 0;
    for (size_t i = 0; i < submissions->count; i++)
        several += submissions->items[i].several;
    if (several < 2 || several < submissions->count || plan->layout != layout_whole() ||
        (plan->has_roster && plan->unknown < submissions->count))
        return true;
    return add_stray(plan,
                     "Each part of the download has several kernel.cu: are they sections, with a folder for "
                     "each student below? Then grade each by itself, or put the students side by side.");
}

static bool take(struct plan *plan, struct submissions *submissions, FILE *print) {
    plan_drop_untouched(plan, submissions);
    plan->layout = submissions->layout;
    for (size_t i = 0; i < submissions->stray_count; i++)
        if (!add_stray(plan, submissions->strays[i]))
            return false;
    struct claim *claims = calloc(2 * submissions->count + 1, sizeof *claims);
    const struct roster_student *(*several)[2] = calloc(submissions->count + 1, sizeof *several);
    size_t count = 0;
    bool right = claims != NULL && several != NULL;
    for (size_t i = 0; right && i < submissions->count; i++) {
        struct claim *claim = &claims[count];
        if (submissions->items[i].lab[0] == '\0')
            continue;
        *claim = (struct claim){.submission = &submissions->items[i]};
        find_student(plan, claim, several[i]);
        count += several[i][0] == NULL && plan_names_match(plan, claim->student, claim->submission);
    }
    for (size_t c = 0; right && c < count; c++) {
        char line[640];
        right = !plan_tells_group(plan, &claims[c], line, sizeof line) || add_stray(plan, line);
    }
    for (size_t i = 0, sure = count; right && i < submissions->count; i++)
        right = several[i][0] == NULL ||
                add_ambiguous(plan, &submissions->items[i], several[i], claims, sure, &count);
    right = right && tell_sections(plan, submissions) && plan_share_groups(plan, &claims, &count);
    right = right                    ? find_absent(plan, claims, count)
            : plan->error[0] == '\0' ? plan_refuse(plan, "out of memory")
                                     : false;
    if (right)
        qsort(claims, count, sizeof *claims, by_student);
    for (size_t i = 0; right && i < count; i++) {
        const struct claim *other = i > 0 && same_student(&claims[i - 1], &claims[i]) ? &claims[i - 1]
                                    : i + 1 < count && same_student(&claims[i + 1], &claims[i])
                                        ? &claims[i + 1]
                                        : NULL;
        plan->handed_in++;
        right = take_one(plan, &claims[i], other, print);
    }
    free(several);
    free(claims);
    return right && keep_strays(plan);
}

/* The labs that there are. */
struct labs {
    unsigned all[2 * LABS_MOST], tasks[LABS_MOST];
};

static struct submissions_options intake_options(const struct plan *plan, const char *lab,
                                                 struct labs *labs) {
    const char *root = plan->options->root;
    struct submissions_options options = {.lab = lab,
                                          .student = plan->options->student,
                                          .single_cu = plan->policy.all.single_cu,
                                          .labs = labs->all,
                                          .tasks = labs->tasks};
    options.lab_count = lab_numbers(root, labs->all);
    for (int n = tasks_next_lab(root, 0); n >= 0 && options.task_count < LABS_MOST;
         n = tasks_next_lab(root, n + 1))
        labs->all[options.lab_count++] = labs->tasks[options.task_count++] = (unsigned)n;
    return options;
}

static bool read_one(struct plan *plan, const char *path, const char *lab, FILE *print) {
    char store[PATH_SIZE];
    struct submissions submissions;
    struct labs labs;
    struct submissions_options options = intake_options(plan, lab, &labs);
    if (plan->book != NULL) {
        if (!path_join(store, plan->book->folder, "kernels"))
            return plan_refuse(plan, "the path of OUT is too long");
        options.store = store;
    }
    if (!submissions_read(path, &options, &submissions, plan->error, sizeof plan->error))
        return false;
    bool right = take(plan, &submissions, print);
    submissions_free(&submissions);
    return right;
}

bool plan_labs(struct plan *plan) {
    const struct plan_options *o = plan->options;
    struct labs labs;
    struct submissions submissions;
    struct submissions_options options = intake_options(plan, NULL, &labs);
    if (o->lab != NULL)
        return plan_add_lab(plan, o->lab);
    if (o->submissions == NULL)
        return plan_labs_of_book(plan);
    if (!submissions_read(o->submissions, &options, &submissions, plan->error, sizeof plan->error))
        return false;
    bool right = true;
    plan_drop_untouched(plan, &submissions);
    for (size_t i = 0; right && i < submissions.count; i++)
        right = submissions.items[i].lab[0] == '\0' || plan_add_lab(plan, submissions.items[i].lab);
    submissions_free(&submissions);
    return right;
}

/* How each lab was read, for the files that go back to where it came from, and its roster. */
static bool keep_reading(struct plan *plan) {
    if (!plan_ids_last(plan))
        return false;
    for (unsigned i = 0; plan->book != NULL && i < plan->lab_count; i++)
        if ((plan->options->student == NULL && !kept_put(plan->book, plan->labs[i].id, plan->layout->title,
                                                         plan->has_roster ? plan->roster.source : NULL)) ||
            !gradebook_put_roster(plan->book, plan->labs[i].id, plan->has_roster,
                                  plan->options->only == NULL))
            return plan_book_failed(plan);
    return true;
}

static bool read_all(struct plan *plan, FILE *print) {
    const struct plan_options *options = plan->options;
    if (plan->book != NULL && ((plan->has_roster && !plan_renew_ids(plan)) || !plan_clear(plan) ||
                               !put_roster(plan) || (!queue_plan(plan->book) && !plan_book_failed(plan))))
        return false;
    if (options->lab != NULL && !plan_add_lab(plan, options->lab))
        return false;
    return read_one(plan, options->submissions, options->lab, print) && keep_reading(plan) &&
           plan_names_check(plan) && plan_check_gone(plan) && put_absent(plan) && instructor_put(plan) &&
           (plan->book == NULL || plan_keep_policy(plan));
}

bool plan_read(struct plan *plan, FILE *print) {
    if (plan->book == NULL)
        return read_all(plan, print);
    if (!gradebook_begin(plan->book))
        return plan_book_failed(plan);
    if (read_all(plan, print) && (gradebook_commit(plan->book) || plan_book_failed(plan)))
        return true;
    gradebook_rollback(plan->book);
    return false;
}
