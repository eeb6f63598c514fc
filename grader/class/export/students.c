/* One walk over the grades writes each student's feedback, Gradescope's file and Autolab's. */
#include "class/export/export.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>

struct walk {
    const struct export_context *context;
    const struct grade *grade;
    struct score_result results[2];
    unsigned count;
};

typedef bool writer(const struct walk *walk, FILE *to);

static bool write_text(const struct walk *walk, FILE *to) {
    feedback_text(to, walk->context->policy, walk->grade, walk->results, walk->count);
    return true;
}

static bool write_html(const struct walk *walk, FILE *to) {
    feedback_html(to, walk->context->policy, walk->grade, walk->results, walk->count);
    return true;
}

static bool write_gradescope(const struct walk *walk, FILE *to) {
    return gradescope_write(to, walk->context->policy, walk->grade, walk->results, walk->count);
}

static bool write_autolab(const struct walk *walk, FILE *to) {
    feedback_text(to, walk->context->policy, walk->grade, walk->results, walk->count);
    autolab_write(to, walk->grade);
    return true;
}

static const struct {
    const char *folder, *end;
    writer *write;
} forms[] = {{"feedback", ".txt", write_text},
             {"feedback", ".html", write_html},
             {"gradescope", ".json", write_gradescope},
             {"autolab", ".txt", write_autolab}};

static bool write_file(const struct walk *walk, const char *folder, const char *name, writer *write) {
    struct gradebook *book = walk->context->book;
    struct file_output output;
    if (!file_begin(&output, folder, name, book->error, sizeof book->error))
        return false;
    if (write(walk, output.file))
        return file_end(&output, book->error, sizeof book->error);
    file_discard(&output);
    snprintf(book->error, sizeof book->error, "out of memory");
    return false;
}

static bool write_forms(const struct walk *walk) {
    const struct export_context *context = walk->context;
    char student[TEXT_FILE_NAME];
    text_file_name(student, walk->grade->student);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char folder[PATH_SIZE], name[TEXT_FILE_NAME + 8];
        snprintf(name, sizeof name, "%s%s", student, forms[i].end);
        if (snprintf(folder, sizeof folder, "%s/%s/%s", context->book->folder, forms[i].folder,
                     walk->grade->lab) >= (int)sizeof folder) {
            snprintf(context->book->error, sizeof context->book->error, "the path of OUT is too long");
            return false;
        }
        if (!write_file(walk, folder, name, forms[i].write))
            return false;
    }
    return true;
}

static bool write_extra(const struct walk *walk) {
    const struct export_context *context = walk->context;
    if (context->student == NULL || context->lab == NULL ||
        strcmp(walk->grade->student, context->student) != 0 || strcmp(walk->grade->lab, context->lab) != 0)
        return true;
    if (context->results != NULL) {
        char folder[PATH_SIZE];
        snprintf(folder, sizeof folder, "%s", context->results);
        char *slash = strrchr(folder, '/');
        const char *name = slash != NULL ? context->results + (slash - folder) + 1 : context->results;
        if (slash != NULL)
            *slash = '\0';
        if (!write_file(walk, slash != NULL ? folder : ".", name, write_gradescope))
            return false;
    }
    if (context->autolab != NULL)
        write_autolab(walk, context->autolab);
    return true;
}

static bool visit(void *data, const struct grade *grade) {
    struct walk walk = {.context = data, .grade = grade};
    walk.count = score_results_of(walk.context->book, grade, walk.results);
    bool right = write_forms(&walk) && write_extra(&walk);
    for (unsigned i = 0; i < walk.count; i++)
        score_result_free(&walk.results[i]);
    return right;
}

bool export_students(const struct export_context *context) {
    return gradebook_each_grade(context->book, visit, (void *)context);
}
