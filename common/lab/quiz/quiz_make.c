/* quiz_make.c: draws, looks up and computes a question's numbers, and fills them into its texts. */
#include "lab/quiz/quiz.h"

#include "base/file.h"
#include "lab/quiz/expression.h"
#include "report/ncu/csv.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCE_MOST = 16 << 20, WORDS_MOST = 32 };

struct maker {
    const struct quiz *quiz;
    const struct quiz_question *question;
    const char *root;
    const struct gpu_model *model;
    struct draw_key key;
    struct expression_names names;
    char *error;
    size_t size;
};

__attribute__((format(printf, 3, 4))) static bool refuse(const struct maker *m, unsigned line,
                                                         const char *format, ...) {
    char what[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    for (char *c = what; *c != '\0'; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
    return fails(m->error, m->size, "%s:%u: %s", m->quiz->file, line, what);
}

static bool compute(const struct maker *m, unsigned line, const char *text, double *value) {
    char why[160];
    return expression_value(text, &m->names, m->model, value, why, sizeof why) || refuse(m, line, "%s", why);
}

/* Draws one number of a list. */
static bool draw_one(const struct maker *m, const struct quiz_name *name, double *value) {
    char text[sizeof name->text], *words[WORDS_MOST], *rest = NULL;
    unsigned count = 0;
    memcpy(text, name->text, sizeof text);
    for (char *word = strtok_r(text, " ", &rest); word != NULL && count < WORDS_MOST;
         word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    if (count == 0)
        return refuse(m, name->line, "nothing to draw from");
    struct draw_key key = draw_for(&m->key, "%s", name->name);
    struct draw draw;
    draw_begin(&draw, &key);
    return compute(m, name->line, words[draw_below(&draw, count)], value);
}

/* Reads "FILE ROW COLUMN" of solutions/recordings/. ROW is the first cell of the first such row. */
static bool look_up(const struct maker *m, const struct quiz_name *name, double *value) {
    char text[sizeof name->text], path[PATH_SIZE], why[PATH_SIZE + 256], *rest = NULL;
    memcpy(text, name->text, sizeof text);
    const char *file = strtok_r(text, " ", &rest), *row = strtok_r(NULL, " ", &rest),
               *column = strtok_r(NULL, " ", &rest);
    if (column == NULL || strtok_r(NULL, " ", &rest) != NULL || strchr(file, '/') != NULL)
        return refuse(m, name->line, "from is FILE ROW COLUMN of solutions/recordings");
    if (m->root == NULL || !path_print(path, "%s/solutions/recordings/%s", m->root, file))
        return refuse(m, name->line, "no recordings here");
    size_t length;
    struct csv csv;
    char *bytes = file_read(path, SOURCE_MOST, &length, why, sizeof why);
    bool read = bytes != NULL && csv_parse(&csv, bytes, length, path, why, sizeof why);
    free(bytes);
    if (!read)
        return refuse(m, name->line, "%s", why);
    int at = csv_column(&csv, column);
    uint32_t r = 1;
    while (r < csv.row_count && strcmp(csv_cell(&csv, r, 0), row) != 0)
        r++;
    bool right = at >= 0 && r < csv.row_count && csv_number(csv_cell(&csv, r, (uint32_t)at), value);
    csv_free(&csv);
    return right || refuse(m, name->line, "%s has no number at row %s, column %s", file, row, column);
}

static bool take_numbers(struct maker *m) {
    const struct quiz_question *q = m->question;
    for (unsigned i = 0; i < q->name_count; i++) {
        const struct quiz_name *name = &q->names[i];
        double value = 0;
        bool right = name->source == QUIZ_DRAW   ? draw_one(m, name, &value)
                     : name->source == QUIZ_FROM ? look_up(m, name, &value)
                                                 : compute(m, name->line, name->text, &value);
        if (!right)
            return false;
        m->names.name[i] = name->name;
        m->names.value[i] = value;
        m->names.count = i + 1;
    }
    return true;
}

void quiz_print(double value, char text[QUIZ_PRINTED]) {
    if (value != floor(value) || fabs(value) >= 1e15) {
        snprintf(text, QUIZ_PRINTED, "%.4g", value);
        return;
    }
    char digits[32];
    snprintf(digits, sizeof digits, "%.0f", fabs(value));
    size_t count = strlen(digits), at = 0;
    if (value < 0)
        text[at++] = '-';
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0 && count > 4)
            text[at++] = ',';
        text[at++] = digits[i];
    }
    text[at] = '\0';
}

/* Copies the text to `to` (size bytes), with the values of {name}. */
static bool fill(const struct maker *m, const char *text, char *to, size_t size) {
    size_t at = 0;
    while (*text != '\0') {
        char piece[QUIZ_PRINTED] = {*text, '\0'};
        size_t used = 1;
        if (*text == '{') {
            size_t length = strcspn(text + 1, "}");
            unsigned i = 0;
            while (i < m->names.count &&
                   (strlen(m->names.name[i]) != length || strncmp(m->names.name[i], text + 1, length) != 0))
                i++;
            if (i == m->names.count || text[length + 1] != '}')
                return refuse(m, m->question->line, "[question %s] has no number {%.*s}", m->question->title,
                              (int)(length < 24 ? length : 24), text + 1);
            quiz_print(m->names.value[i], piece);
            used = length + 2;
        }
        size_t length = strlen(piece);
        if (at + length >= size)
            return refuse(m, m->question->line, "[question %s]: too long with its numbers",
                          m->question->title);
        memcpy(to + at, piece, length);
        at += length;
        text += used;
    }
    to[at] = '\0';
    return true;
}

static bool make_choices(struct maker *m, struct quiz_asked *asked) {
    const struct quiz_question *q = m->question;
    unsigned order[QUIZ_CHOICES], count = q->wrong_count + 1;
    struct draw_key key = draw_for(&m->key, "order");
    draw_order(&key, order, count);
    asked->choice_count = count;
    for (unsigned i = 0; i < count; i++) {
        if (order[i] == 0)
            asked->right = i;
        if (!fill(m, order[i] == 0 ? q->right : q->wrong[order[i] - 1], asked->choices[i], QUIZ_CHOICE))
            return false;
        for (unsigned j = 0; j < i; j++)
            if (strcmp(asked->choices[i], asked->choices[j]) == 0)
                return refuse(m, q->line, "[question %s]: two answers are the same", q->title);
    }
    return true;
}

/* Cuts a file's text to the wanted lines, and finds the line that is the answer. */
static bool cut_code(struct maker *m, struct quiz_asked *asked, const char *text, const char *from,
                     unsigned long count) {
    const struct quiz_question *q = m->question;
    const char *start = strstr(text, from);
    if (start == NULL)
        return refuse(m, q->line, "%s has no '%.60s'", asked->code_file, from);
    while (start > text && start[-1] != '\n')
        start--;
    asked->code_first = 1;
    for (const char *c = text; c < start; c++)
        asked->code_first += *c == '\n';
    unsigned found = 0;
    for (; asked->code_count < count && *start != '\0'; asked->code_count++) {
        char *line = asked->code[asked->code_count];
        size_t length = strcspn(start, "\n");
        if (length >= QUIZ_LINE)
            return refuse(m, q->line, "a line of %s is too long to show", asked->code_file);
        memcpy(line, start, length);
        line[length] = '\0';
        if (strstr(line, q->place) != NULL) {
            asked->right = asked->code_count;
            found++;
        }
        start += length + (start[length] == '\n');
    }
    if (found != 1 || asked->code_count < 2)
        return refuse(m, q->line, "[question %s]: %u of the lines shown hold '%s'", q->title, found,
                      q->place);
    return true;
}

static bool make_code(struct maker *m, struct quiz_asked *asked) {
    const struct quiz_question *q = m->question;
    char path[PATH_SIZE], why[PATH_SIZE + 256], *end;
    size_t length = strcspn(q->code, " ");
    unsigned long count = strtoul(q->code + length, &end, 10);
    end += strspn(end, " ");
    if (count < 2 || count > QUIZ_LINES || *end == '\0' || strstr(q->code, "..") != NULL ||
        !path_print(asked->code_file, "%.*s", (int)length, q->code))
        return refuse(m, q->line, "code is FILE COUNT TEXT: 2 to %d lines, from the one with TEXT",
                      QUIZ_LINES);
    if (m->root == NULL || !path_print(path, "%s/%s", m->root, asked->code_file))
        return refuse(m, q->line, "no code here");
    char *text = file_read(path, SOURCE_MOST, NULL, why, sizeof why);
    if (text == NULL)
        return refuse(m, q->line, "%s", why);
    bool right = cut_code(m, asked, text, end, count);
    free(text);
    return right;
}

bool quiz_make(const struct quiz *quiz, unsigned index, const char *root, const struct gpu_model *model,
               const struct draw_key *key, struct quiz_asked *asked, char *error, size_t size) {
    const struct quiz_question *q = &quiz->questions[index];
    struct maker m = {.quiz = quiz,
                      .question = q,
                      .root = root,
                      .model = model,
                      .key = draw_for(key, "%s", q->title),
                      .error = error,
                      .size = size};
    memset(asked, 0, sizeof *asked);
    asked->question = q;
    if (!take_numbers(&m))
        return false;
    if (q->kind == QUIZ_NUMBER) {
        if (!compute(&m, q->line, q->answer, &asked->value))
            return false;
        double most = q->relative ? fabs(asked->value) * q->tolerance : q->tolerance;
        asked->low = asked->value - most;
        asked->high = asked->value + most;
        m.names.name[m.names.count] = "answer";
        m.names.value[m.names.count++] = asked->value;
    }
    return fill(&m, q->text, asked->text, sizeof asked->text) &&
           fill(&m, q->why, asked->why, sizeof asked->why) &&
           (q->kind != QUIZ_CHOICE_OF || make_choices(&m, asked)) &&
           (q->kind != QUIZ_LINE_OF || make_code(&m, asked));
}
