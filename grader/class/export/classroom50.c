/*
 * classroom50.c: what goes back to Classroom 50 (github.com/foundation50/classroom50, schemas).
 *
 *   classroom50/scores.json          the classroom's own scores.json that was given, with the
 *                                    grades in it: in the entry of a repository the newest
 *                                    submission's score and max-score, and "override": true, by
 *                                    which collection leaves it alone. All else is as it came.
 *   classroom50/lab1/REPOSITORY.md   feedback to be put into each repository
 */
#include "class/export/platform.h"
#include "class/gradebook.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LABS = 32, SCORES_MOST = 64 << 20 };

static const char title[] = "Classroom 50";

struct update {
    const struct export_context *context;
    json_t *scores;          /* NULL: no file was given */
    char common[GRADE_NAME]; /* of the lab: "CLASSROOM-ASSIGNMENT-"; "": no kernel.cu tells */
    unsigned written, without, replaced;
};

/* What stands before "username" in the part of the path that ends in "-username". */
static void common_of(const char *path, const char *username, char common[GRADE_NAME]) {
    size_t wanted = strlen(username);
    for (const char *at = path; *at != '\0' && common[0] == '\0';) {
        size_t length = strcspn(at, "/");
        if (length > wanted && at[length - wanted - 1] == '-' &&
            strncmp(at + length - wanted, username, wanted) == 0)
            snprintf(common, GRADE_NAME, "%.*s", (int)(length - wanted), at);
        at += length + (at[length] == '/');
    }
}

static bool write_feedback(const struct export_context *context, const struct grade *grade,
                           const char *repository) {
    struct gradebook *book = context->book;
    struct file_output output;
    char folder[PATH_SIZE], name[TEXT_FILE_NAME + 4];
    size_t length;
    text_file_name(name, repository);
    strcat(name, ".md");
    path_print(folder, "%s/classroom50/%s", book->folder, grade->lab);
    char *text = platform_feedback(context, grade, feedback_markdown, &length);
    bool right = text != NULL && file_begin(&output, folder, name, book->error, sizeof book->error);
    if (right) {
        fwrite(text, 1, length, output.file);
        right = file_end(&output, book->error, sizeof book->error);
    }
    free(text);
    return right;
}

/* ---- scores.json */

/* Is CLASSROOM-ASSIGNMENT-OWNER, of an entry, this repository? Logins have no case. */
static bool is_of(const json_t *entry, const char *slug, const char *repository) {
    const json_t *newest = json_array_get(json_object_get(entry, "submissions"), 0);
    const char *classroom = json_string_value(json_object_get(newest, "classroom")),
               *owner = json_string_value(json_object_get(entry, "owner"));
    char name[GRADE_NAME * 2];
    return classroom != NULL && owner != NULL &&
           snprintf(name, sizeof name, "%s-%s-%s", classroom, slug, owner) < (int)sizeof name &&
           strcasecmp(name, repository) == 0;
}

static json_t *find_entry(const json_t *scores, const char *repository) {
    const char *slug;
    json_t *assignment, *entry;
    size_t i;
    json_object_foreach(json_object_get(scores, "assignments"), slug, assignment) {
        json_array_foreach(json_object_get(assignment, "entries"), i, entry) {
            if (is_of(entry, slug, repository))
                return entry;
        }
    }
    return NULL;
}

/* Scores are whole numbers there, and none is above its maximum. */
static bool set_score(struct update *update, json_t *entry, const struct grade *grade) {
    json_t *newest = json_array_get(json_object_get(entry, "submissions"), 0);
    json_int_t max = (json_int_t)llround(ceil(grade->max)), score = (json_int_t)llround(grade->points);
    if (score > max)
        score = max;
    update->replaced += json_is_true(json_object_get(entry, "override")) &&
                        json_integer_value(json_object_get(newest, "score")) != score;
    update->written++;
    return json_object_set_new(newest, "score", json_integer(score)) == 0 &&
           json_object_set_new(newest, "max-score", json_integer(max)) == 0 &&
           json_object_set_new(entry, "override", json_true()) == 0;
}

static bool read_scores(struct update *update) {
    const struct export_context *context = update->context;
    struct gradebook *book = context->book;
    json_error_t error;
    size_t length;
    char *text = file_read(context->scores, SCORES_MOST, &length, book->error, sizeof book->error);
    if (text == NULL)
        return false;
    update->scores = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    free(text);
    const char *schema = json_string_value(json_object_get(update->scores, "schema"));
    if (schema != NULL && strcmp(schema, "classroom50/scores/v1") == 0 &&
        json_is_object(json_object_get(update->scores, "assignments")))
        return true;
    if (update->scores == NULL)
        snprintf(book->error, sizeof book->error, "%s:%d: %.200s", context->scores, error.line, error.text);
    else
        snprintf(book->error, sizeof book->error,
                 "%s is no scores.json of Classroom 50's: its schema is not classroom50/scores/v1",
                 context->scores);
    return false;
}

static bool write_scores(struct update *update) {
    const struct export_context *context = update->context;
    struct gradebook *book = context->book;
    struct file_output output;
    char folder[PATH_SIZE];
    if (update->without > 0)
        platform_note(
            context,
            "classroom50/scores.json: %u with a grade have no entry there and are left out: nothing of them "
            "was collected.",
            update->without);
    if (update->replaced > 0)
        platform_note(context,
                      "classroom50/scores.json: %u scores that had an override already are replaced.",
                      update->replaced);
    path_print(folder, "%s/classroom50", book->folder);
    if (!file_begin(&output, folder, "scores.json", book->error, sizeof book->error))
        return false;
    if (json_dumpf(update->scores, output.file, JSON_INDENT(2)) == 0 && fputc('\n', output.file) == '\n')
        return file_end(&output, book->error, sizeof book->error);
    file_discard(&output);
    return fails(book->error, sizeof book->error, "classroom50/scores.json cannot be written");
}

/* ---- both */

static bool find_common(void *data, const struct grade *grade) {
    struct update *update = data;
    char username[GRADE_NAME], path[PATH_SIZE];
    if (!platform_place(update->context->book, grade, username, path))
        return false;
    if (update->common[0] == '\0')
        common_of(path, username, update->common);
    return true;
}

/* Of who is in the download: what it lacks says nothing of the others. */
static bool take_grade(void *data, const struct grade *grade) {
    struct update *update = data;
    char username[GRADE_NAME], path[PATH_SIZE], repository[GRADE_NAME * 2];
    if (!platform_place(update->context->book, grade, username, path))
        return false;
    if (!export_has_points(grade) || username[0] == '\0' || update->common[0] == '\0')
        return true;
    snprintf(repository, sizeof repository, "%s%s", update->common, username);
    json_t *entry = find_entry(update->scores, repository);
    update->without += update->scores != NULL && entry == NULL;
    if (entry != NULL && !set_score(update, entry, grade))
        return fails(update->context->book->error, sizeof update->context->book->error, "out of memory");
    return write_feedback(update->context, grade, repository);
}

static bool take_lab(struct update *update, const char *lab) {
    struct gradebook *book = update->context->book;
    update->common[0] = '\0';
    return gradebook_each_grade_of(book, NULL, lab, find_common, update) &&
           gradebook_each_grade_of(book, NULL, lab, take_grade, update);
}

bool classroom50_files(const struct export_context *context) {
    struct update update = {.context = context};
    char labs[LABS][16];
    bool any = false;
    int count = platform_labs(context->book, labs, LABS);
    for (int i = 0; i < count; i++)
        any = any || kept_layout_is(context->book, labs[i], title);
    if (!any || count < 0)
        return count >= 0;
    bool right = context->scores == NULL || read_scores(&update);
    for (int i = 0; right && i < count; i++)
        right = !kept_layout_is(context->book, labs[i], title) || take_lab(&update, labs[i]);
    right = right && (update.scores == NULL || write_scores(&update));
    json_decref(update.scores);
    return right;
}
