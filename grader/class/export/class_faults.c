/* class_faults.c: what is wrong with a lab's kernels and what limits those that are right, each
 * with the number of students, the most frequent first. Causes are those that the judge has
 * proven; what it has not is told by the way in which a kernel failed. */
#include "class/export/page.h"

#include "report/document/flags.h"
#include "report/findings/findings.h"
#include "report/writers/html_escape.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { FAULTS = 64, NAMED = 5, WORDS = 400 };

struct fault {
    char words[WORDS], instance[WORDS]; /* instance: what was said to the first of them; "" */
    unsigned count, named;
    char who[NAMED][GRADE_NAME];
};

struct fault_list {
    struct fault *items; /* FAULTS of them */
    unsigned count;
};

struct faults {
    struct fault_list wrong, limits;
    unsigned kernels, right;
    const struct export_context *context;
};

static void add(struct fault_list *list, const char *words, const char *instance, const char *student) {
    struct fault *fault = list->items;
    while (fault < list->items + list->count && strcmp(fault->words, words) != 0)
        fault++;
    if (fault == list->items + FAULTS)
        return;
    if (fault == list->items + list->count) {
        *fault = (struct fault){.count = 0};
        snprintf(fault->words, sizeof fault->words, "%s", words);
        snprintf(fault->instance, sizeof fault->instance, "%s", instance);
        list->count++;
    }
    fault->count++;
    if (fault->named < NAMED)
        snprintf(fault->who[fault->named++], GRADE_NAME, "%s", student);
}

/* A message of one kernel as that of all like it: without the place in its file, numbers as "n". */
static void generalise(const char *message, char words[WORDS]) {
    static const char error[] = ": error: ";
    const char *from = strstr(message, error);
    from = from != NULL ? from + sizeof error - 1 : message;
    size_t used = 0;
    while (*from != '\0' && *from != '\n' && used + 1 < WORDS) {
        bool number =
            isdigit((unsigned char)*from) && (used == 0 || !isalnum((unsigned char)words[used - 1]));
        words[used++] = number ? 'n' : *from;
        from += number ? strspn(from, "0123456789") : 1;
    }
    words[used] = '\0';
}

/* The proven cause, in the judge's words to the student; false: none is. */
static bool cause_of(const char *message, char words[WORDS]) {
    static const char mark[] = "comes out when ";
    const char *found = strstr(message, mark), *end = found != NULL ? strstr(found, ". ") : NULL;
    if (found == NULL)
        return false;
    snprintf(words, WORDS, "Computes what %.*s", end != NULL ? (int)(end + 1 - found) : (int)strlen(found),
             found);
    return true;
}

static void add_wrong(struct faults *faults, const struct grade *grade, const struct score_result *result) {
    char words[WORDS], general[WORDS];
    const json_t *flag = json_array_get(json_object_get(result->json, "flags"), 0);
    const char *meaning = json_string_value(json_object_get(flag, "message"));
    bool differs = result->has_report && result->report.failure_stage == STAGE_CORRECTNESS;
    generalise(result->message, general);
    if (strcmp(result->outcome, "build-failed") == 0)
        snprintf(words, sizeof words, "Does not compile: %.350s", general);
    else if (meaning != NULL)
        snprintf(words, sizeof words, "It %.350s.", meaning);
    else if (!cause_of(result->message, words))
        snprintf(words, sizeof words, "%s",
                 differs ? "Computes something else, and no cause is proven." : general);
    add(&faults->wrong, words, "", grade->student);
}

/* Each kind of finding once for a student. */
static void add_limits(struct faults *faults, const struct grade *grade, const struct score_result *result) {
    struct gpu_model model;
    struct findings findings;
    char error[256];
    bool seen[CODE_COUNT] = {false};
    const struct report_run *run = result->has_shown ? report_find_run(&result->shown, RUN_YOURS) : NULL;
    bool known = result->report.device.model != NULL &&
                 gpu_model_load(NULL, result->report.device.model, &model, error, sizeof error);
    for (uint32_t k = 0; run != NULL && k < run->kernel_count; k++) {
        feedback_findings(&run->kernels[k], known ? &model : NULL, &findings);
        for (uint32_t i = 0; i < findings.count; i++) {
            enum finding_code code = findings.items[i].code;
            if (findings.items[i].severity == FINDING_NOTE || seen[code] || code == CODE_LIMITER)
                continue;
            seen[code] = true;
            add(&faults->limits, finding_code_name((int)code), findings.items[i].what, grade->student);
        }
    }
}

static bool visit(void *data, const struct grade *grade) {
    struct faults *faults = data;
    struct score_result results[2];
    if (grade->excused || grade->sha256[0] == '\0')
        return true;
    unsigned count = score_results_of(faults->context->book, grade, results);
    if (count > 0) {
        bool right = strcmp(results[0].outcome, "judged") == 0;
        faults->kernels++;
        faults->right += right;
        if (right && results[0].has_report)
            add_limits(faults, grade, &results[0]);
        else if (!right && strcmp(results[0].outcome, "trouble") != 0)
            add_wrong(faults, grade, &results[0]);
    }
    for (unsigned i = 0; i < count; i++)
        score_result_free(&results[i]);
    return true;
}

static int by_count(const void *a, const void *b) {
    const struct fault *one = a, *other = b;
    return one->count != other->count ? (one->count < other->count) - (one->count > other->count)
                                      : strcmp(one->words, other->words);
}

static void write_list(FILE *to, struct fault_list *list, const char *lab, const char *heading,
                       unsigned of_all) {
    if (list->count == 0)
        return;
    qsort(list->items, list->count, sizeof *list->items, by_count);
    fprintf(to,
            PAGE_TABLE("%s") "><tr><th>students</th><th class=\"text\">%s</th>"
                             "<th class=\"text\">for instance</th></tr>\n",
            heading, heading);
    for (unsigned i = 0; i < list->count; i++) {
        const struct fault *fault = &list->items[i];
        fprintf(to, "<tr><td>%u of %u</td><td class=\"text\">", fault->count, of_all);
        html_escape(to, fault->words);
        if (fault->instance[0] != '\0') {
            fputs(": <span class=\"note\">", to);
            html_escape(to, fault->instance);
            fputs("</span>", to);
        }
        fputs("</td><td class=\"text\">", to);
        for (unsigned n = 0; n < fault->named; n++) {
            char file[TEXT_FILE_NAME];
            text_file_name(file, fault->who[n]);
            fprintf(to, "%s<a href=\"feedback/%s/%s.html\">", n > 0 ? ", " : "", lab, file);
            html_escape(to, fault->who[n]);
            fputs("</a>", to);
        }
        fputs("</td></tr>\n", to);
    }
    fputs("</table></div>\n", to);
}

bool class_faults(const struct export_context *context, const char *lab, FILE *to) {
    struct faults faults = {.wrong.items = calloc(FAULTS, sizeof(struct fault)),
                            .limits.items = calloc(FAULTS, sizeof(struct fault)),
                            .context = context};
    bool right = faults.wrong.items != NULL && faults.limits.items != NULL;
    if (!right)
        snprintf(context->book->error, sizeof context->book->error, "out of memory");
    right = right && gradebook_each_grade_of(context->book, NULL, lab, visit, &faults);
    if (right && faults.wrong.count + faults.limits.count > 0) {
        fputs("<h3>What is wrong, and what is slow</h3>\n", to);
        write_list(to, &faults.wrong, lab, "of all kernels", faults.kernels);
        write_list(to, &faults.limits, lab, "of those that are right: findings of the report", faults.right);
    }
    free(faults.wrong.items);
    free(faults.limits.items);
    return right;
}
