/* export.c: all exports, a row each; one walk over the grades writes what students get. */
#include "class/export/export.h"

#include "base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* OUT/FOLDER/LAB/STUDENT.END */
static const struct {
    const char *folder, *end;
    export_writer *write;
    bool graded; /* alone: the format wants a score */
} for_students[] = {{"feedback", ".txt", feedback_text, false},
                    {"feedback", ".html", feedback_html, false},
                    {"gradescope", ".json", gradescope_results, true},
                    {"autolab", ".txt", autolab_feedback, false}};

/* OUT/NAME */
static const struct {
    const char *name;
    export_class_writer *write;
} for_staff[] = {{"grades.csv", grades_csv},
                 {"totals.csv", totals_csv},
                 {"junit.xml", junit_xml},
                 {"class.html", class_page}};

static export_platform *const for_platforms[] = {moodle_files, canvas_files, classroom50_files, alike_files};

bool export_has_points(const struct grade *grade) {
    return !grade->excused && !grade_is_open(grade);
}

static bool write_grade(const struct export_grade *of, const char *folder, const char *name,
                        export_writer *write, struct gradebook *book) {
    struct file_output output;
    if (!file_begin(&output, folder, name, book->error, sizeof book->error))
        return false;
    if (write(of, output.file))
        return file_end(&output, book->error, sizeof book->error);
    file_discard(&output);
    return fails(book->error, sizeof book->error, "out of memory");
}

/* One that an earlier run wrote. */
static bool remove_old(const char *folder, const char *name, struct gradebook *book) {
    char path[PATH_SIZE];
    if (!path_join(path, folder, name) || unlink(path) == 0 || errno == ENOENT)
        return true;
    return fails(book->error, sizeof book->error, "%.700s: %s", path, strerror(errno));
}

static bool write_all(const struct export_context *context, const struct export_grade *of) {
    char student[TEXT_FILE_NAME], folder[PATH_SIZE], name[TEXT_FILE_NAME + 8];
    bool right = true;
    text_file_name(student, of->grade->student);
    for (size_t i = 0; right && i < sizeof for_students / sizeof *for_students; i++) {
        snprintf(name, sizeof name, "%s%s", student, for_students[i].end);
        path_print(folder, "%s/%s/%s", context->book->folder, for_students[i].folder, of->grade->lab);
        right = for_students[i].graded && !export_has_points(of->grade)
                    ? remove_old(folder, name, context->book)
                    : write_grade(of, folder, name, for_students[i].write, context->book);
    }
    return right;
}

/* The folder of a path and the name in it. */
static const char *split(const char *path, char folder[PATH_SIZE]) {
    const char *slash = strrchr(path, '/');
    path_print(folder, "%.*s", slash != NULL ? (int)(slash - path) : 1, slash != NULL ? path : ".");
    return slash != NULL ? slash + 1 : path;
}

/* What a platform that grades one submission at a time reads. */
static bool write_extra(const struct export_context *context, const struct export_grade *of) {
    char folder[PATH_SIZE];
    if (context->student == NULL || context->lab == NULL ||
        strcmp(of->grade->student, context->student) != 0 || strcmp(of->grade->lab, context->lab) != 0)
        return true;
    if (context->results != NULL && export_has_points(of->grade)) {
        const char *name = split(context->results, folder);
        if (!write_grade(of, folder, name, gradescope_results, context->book))
            return false;
    }
    return context->autolab == NULL || autolab_feedback(of, context->autolab);
}

static bool visit(void *data, const struct grade *grade) {
    const struct export_context *context = data;
    struct export_grade of = {.policy = context->policy, .grade = grade};
    of.count = score_results_of(context->book, grade, of.results);
    bool right = write_all(context, &of) && write_extra(context, &of);
    for (unsigned i = 0; i < of.count; i++)
        score_result_free(&of.results[i]);
    return right;
}

static bool write_class(const struct export_context *context, const char *name, export_class_writer *write) {
    struct gradebook *book = context->book;
    struct file_output output;
    if (!file_begin(&output, book->folder, name, book->error, sizeof book->error))
        return false;
    if (write(context, output.file))
        return file_end(&output, book->error, sizeof book->error);
    file_discard(&output);
    return false;
}

/* Before the class's page, which shows their notes. */
static bool write_platforms(const struct export_context *given) {
    struct export_context context = *given;
    struct gradebook *book = given->book;
    char *notes = NULL;
    size_t length;
    if (given->student != NULL) /* one submission at a time: no class */
        return true;
    context.notes = open_memstream(&notes, &length);
    bool right = context.notes != NULL;
    if (!right)
        snprintf(book->error, sizeof book->error, "out of memory");
    for (size_t i = 0; right && i < sizeof for_platforms / sizeof *for_platforms; i++)
        right = for_platforms[i](&context);
    if (context.notes != NULL)
        fclose(context.notes);
    right = right && gradebook_set(book, "export notes", notes);
    free(notes);
    return right;
}

bool export_all(const struct export_context *context) {
    bool right = gradebook_each_grade(context->book, visit, (void *)context) && write_platforms(context);
    for (size_t i = 0; right && i < sizeof for_staff / sizeof *for_staff; i++)
        right = write_class(context, for_staff[i].name, for_staff[i].write);
    return right;
}
