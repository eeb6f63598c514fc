/* quiz: the questions of a lab, and their export.
 *   quiz ask labN                          in the terminal; answers are kept beside the lab's
 *   kernel
 *   quiz export gift|qti FILE labN ...     for a learning platform
 *   quiz export page FILE labN             a page, for `make course` */
#include "base/file.h"
#include "base/home.h"
#include "lab/quiz/export.h"
#include "lab/quiz/quiz.h"

#include <stdlib.h>
#include <string.h>

static int usage(FILE *out) {
    fputs(
        "usage: quiz ask labN\n       quiz export gift|qti FILE labN ...\n       quiz export page FILE labN\n",
        out);
    return out == stdout ? 0 : 2;
}

static int refuse(const char *error) {
    fprintf(stderr, "quiz: %s\n", error);
    return 1;
}

static int ask(const char *root, const struct gpu_model *model, const char *lab) {
    struct quiz quiz;
    char error[QUIZ_ERROR], folder[PATH_SIZE];
    struct quiz_dialogue dialogue = {&quiz, root, folder, model, stdin, stdout};
    bool missing;
    if (!quiz_load(root, lab, &quiz, folder, &missing, error, sizeof error) ||
        !quiz_dialogue(&dialogue, error, sizeof error))
        return refuse(error);
    return 0;
}

static bool export_to(const struct quiz_export *export, const char *format, const char *path, char *error,
                      size_t size) {
    struct file_output output;
    if (strcmp(format, "qti") == 0)
        return quiz_export_qti(export, path, error, size);
    bool page = strcmp(format, "page") == 0;
    if (!page && strcmp(format, "gift") != 0)
        return fails(error, size, "FORMAT is gift (Moodle) or qti (Canvas); '%.40s' is neither", format);
    if (!file_begin_at(&output, path, error, size))
        return false;
    if ((page ? quiz_export_page : quiz_export_gift)(export, output.file, error, size))
        return file_end(&output, error, size);
    file_discard(&output);
    return false;
}

/* Exports the quizzes of the named labs; labs without a quiz are skipped. */
static int export_labs(const char *root, const struct gpu_model *model, const char *format, const char *path,
                       int count, char **labs) {
    struct quiz *quizzes = calloc((size_t)count, sizeof *quizzes);
    struct quiz_export export = {.quizzes = quizzes, .root = root, .model = model};
    char error[QUIZ_ERROR] = "out of memory", folder[PATH_SIZE];
    bool right = quizzes != NULL;
    draw_key_of_seed(&export.key, 1);
    for (int i = 0; right && i < count; i++) {
        bool missing;
        if (quiz_load(root, labs[i], &quizzes[export.count], folder, &missing, error, sizeof error))
            export.count++;
        else
            right = missing;
    }
    if (right && export.count == 0)
        right = false;
    right = right && export_to(&export, format, path, error, sizeof error);
    free(quizzes);
    if (!right)
        return refuse(error);
    printf("%s\n", path);
    return 0;
}

int main(int count, char **arguments) {
    static struct home home;
    struct gpu_model model;
    char error[QUIZ_ERROR];
    if (count >= 2 && strcmp(arguments[1], "--help") == 0)
        return usage(stdout);
    bool asks = count == 3 && strcmp(arguments[1], "ask") == 0;
    if (!asks && (count < 5 || strcmp(arguments[1], "export") != 0))
        return usage(stderr);
    if (!home_find(&home, error, sizeof error) || !gpu_model_load(NULL, "h200", &model, error, sizeof error))
        return refuse(error);
    return asks ? ask(home.root, &model, arguments[2])
                : export_labs(home.root, &model, arguments[2], arguments[3], count - 4, arguments + 4);
}
