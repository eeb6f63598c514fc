/* quiz_read.c: finds and reads labs/labN-TOPIC/quiz.ini, with sections [question TITLE]. */
#include "lab/quiz/quiz.h"

#include "base/file.h"
#include "base/ini.h"

#include <ctype.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MOST = 1 << 20 };

struct parser {
    struct quiz *quiz;
    struct quiz_question *question; /* of the current section; NULL: none yet */
    bool has_kind, has_tolerance;
};

/* Checks that the section that ends here is complete. */
static bool check(struct ini *ini, const struct parser *p) {
    const struct quiz_question *q = p->question;
    const char *lacks = q->text[0] == '\0'  ? "text"
                        : q->why[0] == '\0' ? "why"
                        : !p->has_kind      ? "kind"
                                            : NULL;
    if (lacks == NULL && q->kind == QUIZ_CHOICE_OF)
        lacks = q->right[0] == '\0' ? "right" : q->wrong_count == 0 ? "wrong" : NULL;
    if (lacks == NULL && q->kind == QUIZ_NUMBER)
        lacks = q->answer[0] == '\0' ? "answer" : !p->has_tolerance ? "tolerance" : NULL;
    if (lacks == NULL && q->kind == QUIZ_LINE_OF)
        lacks = q->code[0] == '\0' ? "code" : q->place[0] == '\0' ? "line" : NULL;
    return lacks == NULL || ini_refuse(ini, "[question %s] has no %s", q->title, lacks);
}

static bool section(struct ini *ini, const char *name) {
    static const char word[] = "question ";
    struct parser *p = ini->context;
    if (p->question != NULL && !check(ini, p))
        return false;
    if (strncmp(name, word, sizeof word - 1) != 0)
        return ini_refuse(ini, "unknown section [%s]: [question TITLE]", name);
    if (p->quiz->count == QUIZ_MOST)
        return ini_refuse(ini, "more than %d questions", QUIZ_MOST);
    p->question = &p->quiz->questions[p->quiz->count++];
    p->question->line = ini->line;
    p->has_kind = p->has_tolerance = false;
    if (!ini_text(ini, name + sizeof word - 1, p->question->title, sizeof p->question->title))
        return false;
    for (unsigned i = 0; i + 1 < p->quiz->count; i++)
        if (strcmp(p->quiz->questions[i].title, p->question->title) == 0)
            return ini_refuse(ini, "[question %s] stands here twice", p->question->title);
    return true;
}

/* Appends a line to a text of several lines; blanks join them. */
static bool take_more(struct ini *ini, const char *value, char *to, size_t size) {
    size_t length = strlen(to);
    if (length + 2 >= size)
        return ini_refuse(ini, "longer than %zu characters", size - 1);
    if (length > 0)
        to[length++] = ' ';
    return ini_text(ini, value, to + length, size - length);
}

static bool take_kind(struct ini *ini, const char *value, enum quiz_kind *kind) {
    static const char *const kinds[] = {"choice", "number", "line"};
    for (int i = 0; i < 3; i++)
        if (strcmp(kinds[i], value) == 0) {
            *kind = (enum quiz_kind)i;
            return true;
        }
    return ini_refuse(ini, "kind is choice, number or line");
}

/* Reads "2 %" of the answer, or "0.05" in the answer's unit. */
static bool take_tolerance(struct ini *ini, const char *value, struct quiz_question *q) {
    const char *rest;
    if (!ini_number(ini, value, 0, 1e12, &q->tolerance, &rest))
        return false;
    q->relative = strcmp(rest + strspn(rest, " "), "%") == 0;
    if (q->relative)
        q->tolerance /= 100;
    return q->relative || *rest == '\0' || ini_refuse(ini, "tolerance is a number, or one and %%");
}

/* Reads "draw width": a number that the question uses. */
static bool take_name(struct ini *ini, struct quiz_question *q, const char *key, const char *value) {
    static const char *const words[] = {"draw ", "from ", "let "};
    size_t source = 0;
    while (source < 3 && strncmp(key, words[source], strlen(words[source])) != 0)
        source++;
    if (source == 3)
        return ini_refuse(ini, "unknown key '%s'", key);
    if (q->name_count == QUIZ_NAMES)
        return ini_refuse(ini, "more than %d numbers in a question", QUIZ_NAMES);
    struct quiz_name *name = &q->names[q->name_count];
    if (!ini_text(ini, key + strlen(words[source]), name->name, sizeof name->name) ||
        !ini_text(ini, value, name->text, sizeof name->text))
        return false;
    for (const char *c = name->name; *c != '\0'; c++)
        if (!isalpha((unsigned char)*c) && *c != '_' && (c == name->name || !isdigit((unsigned char)*c)))
            return ini_refuse(ini, "'%s' is no name: letters, digits and _", name->name);
    for (unsigned i = 0; i < q->name_count; i++)
        if (strcmp(q->names[i].name, name->name) == 0)
            return ini_refuse(ini, "'%s' stands above already", name->name);
    name->source = (enum quiz_source)source;
    name->line = ini->line;
    q->drawn = q->drawn || name->source == QUIZ_DRAW;
    q->name_count++;
    return true;
}

static bool key(struct ini *ini, const char *name, const char *value) {
    struct parser *p = ini->context;
    struct quiz_question *q = p->question;
    if (q == NULL)
        return ini_refuse(ini, "%s before the first [question TITLE]", name);
    const struct {
        const char *name;
        char *to;
        size_t size;
    } texts[] = {{"right", q->right, sizeof q->right},
                 {"answer", q->answer, sizeof q->answer},
                 {"unit", q->unit, sizeof q->unit},
                 {"code", q->code, sizeof q->code},
                 {"line", q->place, sizeof q->place}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(texts[i].name, name) == 0)
            return texts[i].to[0] == '\0' ? ini_text(ini, value, texts[i].to, texts[i].size)
                                          : ini_refuse(ini, "a second %s", name);
    if (strcmp(name, "text") == 0)
        return take_more(ini, value, q->text, sizeof q->text);
    if (strcmp(name, "why") == 0)
        return take_more(ini, value, q->why, sizeof q->why);
    if (strcmp(name, "kind") == 0)
        return (p->has_kind = take_kind(ini, value, &q->kind));
    if (strcmp(name, "tolerance") == 0)
        return (p->has_tolerance = take_tolerance(ini, value, q));
    if (strcmp(name, "wrong") != 0)
        return take_name(ini, q, name, value);
    if (q->wrong_count == QUIZ_CHOICES - 1)
        return ini_refuse(ini, "more than %d wrong answers", QUIZ_CHOICES - 1);
    return ini_text(ini, value, q->wrong[q->wrong_count++], QUIZ_CHOICE);
}

bool quiz_parse(const char *text, size_t length, const char *name, struct quiz *quiz, char *error,
                size_t size) {
    struct parser parser = {.quiz = quiz};
    struct ini ini = {
        .file = name, .error = error, .error_size = size, .context = &parser, .section = section, .key = key};
    memset(quiz, 0, sizeof *quiz);
    path_print(quiz->file, "%s", name);
    if (!ini_read(&ini, text, length))
        return false;
    if (parser.question == NULL)
        return ini_refuse(&ini, "no question");
    return check(&ini, &parser);
}

bool quiz_load(const char *root, const char *id, struct quiz *quiz, char folder[PATH_SIZE], bool *missing,
               char *error, size_t size) {
    char pattern[PATH_SIZE];
    glob_t found;
    *missing = true;
    if (id[0] == '\0' || strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789") != strlen(id) ||
        strlen(id) >= sizeof quiz->lab || !path_print(pattern, "%s/labs/%s-*/quiz.ini", root, id) ||
        glob(pattern, 0, NULL, &found) != 0)
        return fails(error, size, "%.20s has no quiz", id);
    *missing = false;
    path_print(folder, "%s", found.gl_pathv[0]);
    globfree(&found);
    size_t length;
    char *text = file_read(folder, FILE_MOST, &length, error, size);
    bool right = text != NULL && quiz_parse(text, length, folder, quiz, error, size);
    free(text);
    snprintf(quiz->lab, sizeof quiz->lab, "%s", id);
    char *slash = strrchr(folder, '/');
    if (slash != NULL)
        *slash = '\0';
    return right;
}
