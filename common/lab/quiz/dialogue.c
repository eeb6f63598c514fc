/* dialogue.c: prints questions, answers and verdicts on lines of at most 80 columns. */
#include "lab/quiz/quiz.h"

#include "base/ini.h"
#include "lab/quiz/record.h"
#include "report/writers/terminal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { INPUT = 256 };

/* Reads a number with separators; only its unit may follow. */
static bool read_number(const char *line, const char *unit, double *value) {
    char text[64], *end;
    size_t length = 0;
    for (; *line != '\0' && (isdigit((unsigned char)*line) || strchr("+-.,eE", *line) != NULL); line++) {
        if (length + 1 == sizeof text)
            return false;
        if (*line != ',')
            text[length++] = *line;
    }
    text[length] = '\0';
    *value = strtod(text, &end);
    line += strspn(line, " ");
    return length > 0 && *end == '\0' && (*line == '\0' || strcmp(line, unit) == 0);
}

enum quiz_reply quiz_judge(const struct quiz_asked *asked, const char *line) {
    double number;
    if (asked->question->kind == QUIZ_CHOICE_OF) {
        unsigned at = (unsigned)(tolower((unsigned char)*line) - 'a');
        if (at >= asked->choice_count || line[1] != '\0')
            return QUIZ_UNCLEAR;
        return at == asked->right ? QUIZ_RIGHT : QUIZ_WRONG;
    }
    if (!read_number(line, asked->question->unit, &number))
        return QUIZ_UNCLEAR;
    if (asked->question->kind == QUIZ_NUMBER) /* printed bounds count as right, however they were rounded */
        return number >= asked->low - 1e-9 && number <= asked->high + 1e-9 ? QUIZ_RIGHT : QUIZ_WRONG;
    if (!(number >= asked->code_first && number < asked->code_first + asked->code_count))
        return QUIZ_UNCLEAR;
    return number == asked->code_first + asked->right ? QUIZ_RIGHT : QUIZ_WRONG;
}

static void show_question(const struct terminal *t, const struct quiz_asked *asked) {
    terminal_wrap(t, STYLE_NORMAL, 0, 0, asked->text);
    for (unsigned i = 0; i < asked->choice_count; i++) {
        fprintf(t->out, "  %c) ", 'a' + i);
        terminal_wrap(t, STYLE_NORMAL, 5, 5, asked->choices[i]);
    }
    if (asked->code_count > 0)
        terminal_print(t, STYLE_DIM, "  %s\n", asked->code_file);
    for (unsigned i = 0; i < asked->code_count; i++)
        fprintf(t->out, "%4u  %.74s\n", asked->code_first + i, asked->code[i]);
}

/* Says what may be typed. */
static void prompt(const struct terminal *t, const struct quiz_asked *asked) {
    const char *unit = asked->question->unit;
    switch (asked->question->kind) {
    case QUIZ_CHOICE_OF: fprintf(t->out, "  a to %c: ", 'a' + asked->choice_count - 1); break;
    case QUIZ_NUMBER: fprintf(t->out, "  %s%s: ", unit[0] != '\0' ? "in " : "a number", unit); break;
    case QUIZ_LINE_OF:
        fprintf(t->out, "  line %u to %u: ", asked->code_first, asked->code_first + asked->code_count - 1);
        break;
    }
    fflush(t->out);
}

static void show_answer(const struct terminal *t, const struct quiz_asked *asked, bool right) {
    const struct quiz_question *q = asked->question;
    char text[QUIZ_CHOICE + 64], number[QUIZ_PRINTED];
    int unit = (int)strlen(q->unit);
    if (q->kind == QUIZ_CHOICE_OF)
        snprintf(text, sizeof text, "%c) %s", 'a' + asked->right, asked->choices[asked->right]);
    else if (q->kind == QUIZ_NUMBER) {
        quiz_print(asked->value, number);
        if (strcmp(number, "1") == 0 && unit > 2 && q->unit[unit - 1] == 's') /* one wave, one pass */
            unit -= strncmp(q->unit + unit - 3, "ses", 3) == 0 ? 2 : 1;
        snprintf(text, sizeof text, "%s%s%.*s", number, unit > 0 ? " " : "", unit, q->unit);
    } else
        snprintf(text, sizeof text, "line %u", asked->code_first + asked->right);
    terminal_print(t, right ? STYLE_GOOD : STYLE_BAD, "%s", right ? "Right: " : "Not so. It is ");
    terminal_wrap(t, STYLE_NORMAL, right ? 7 : 14, 0, text);
    char why[sizeof asked->why];
    memcpy(why, asked->why, sizeof why);
    char *command = strstr(why, ": make ");
    if (command != NULL)
        command[1] = '\n'; /* a command stands on a line of its own, to be copied */
    terminal_wrap(t, STYLE_NORMAL, 0, 0, why);
}

/* Says that the line is no answer. */
static void show_refusal(const struct terminal *t, const struct quiz_asked *asked) {
    const char *unit = asked->question->unit;
    switch (asked->question->kind) {
    case QUIZ_CHOICE_OF: fputs("That is no answer: type one of the letters, or q to stop.\n", t->out); break;
    case QUIZ_NUMBER:
        fprintf(t->out, "That is no answer: type a number%s%s%s, or q to stop.\n",
                unit[0] != '\0' ? ", alone or with " : "", unit, unit[0] != '\0' ? " behind it" : "");
        break;
    case QUIZ_LINE_OF:
        fputs("That is no answer: type the number of a line shown, or q to stop.\n", t->out);
        break;
    }
}

/* Reads one answer. QUIZ_UNCLEAR: the input has ended, or the line is "q". */
static enum quiz_reply listen(const struct terminal *t, const struct quiz_asked *asked, FILE *in) {
    char line[INPUT];
    for (;;) {
        prompt(t, asked);
        if (fgets(line, sizeof line, in) == NULL)
            break;
        if (strchr(line, '\n') == NULL) /* the rest of a long line is skipped */
            for (int c = fgetc(in); c != EOF && c != '\n';)
                c = fgetc(in);
        const char *typed = ini_trim(line);
        if (strcmp(typed, "q") == 0)
            return QUIZ_UNCLEAR;
        enum quiz_reply reply = quiz_judge(asked, typed);
        if (reply != QUIZ_UNCLEAR)
            return reply;
        show_refusal(t, asked);
    }
    fputc('\n', t->out);
    return QUIZ_UNCLEAR;
}

static void show_score(const struct terminal *t, const struct quiz *quiz, const struct quiz_record *record) {
    unsigned answered = quiz->count;
    for (const char *c = record->answers; *c != '\0'; c++)
        answered -= *c == '.';
    fprintf(t->out, "%u right of %u answered, %u questions in all", quiz_record_right(record), answered,
            quiz->count);
    if (record->of != 0)
        fprintf(t->out, "; your best round: %u", record->best);
    fprintf(t->out, "\n%s make %s-quiz\n",
            answered < quiz->count ? "The others wait:" : "Once more, with other numbers:", quiz->lab);
}

bool quiz_dialogue(const struct quiz_dialogue *d, char *error, size_t size) {
    const struct quiz *quiz = d->quiz;
    struct terminal terminal = terminal_open(d->out);
    struct quiz_record record;
    if (!quiz_record_load(d->folder, quiz->count, &record, error, size))
        return false;
    if (strchr(record.answers, '.') == NULL)
        quiz_record_next(&record, quiz->count);
    struct draw_key key = draw_for(&record.key, "%s, round %u", quiz->lab, record.round);
    struct quiz_asked *asked = malloc(sizeof *asked);
    bool right = asked != NULL, more = true;
    if (!right)
        snprintf(error, size, "out of memory");
    fprintf(d->out, "\nQuiz of %s, round %u: %u questions. q stops; the next call goes on there.\n",
            quiz->lab, record.round, quiz->count);
    for (unsigned i = 0; right && more && i < quiz->count; i++) {
        if (record.answers[i] != '.')
            continue;
        if (!(right = quiz_make(quiz, i, d->root, d->model, &key, asked, error, size)))
            break;
        terminal_print(&terminal, STYLE_TITLE, "\n%u of %u  %s\n", i + 1, quiz->count,
                       asked->question->title);
        show_question(&terminal, asked);
        enum quiz_reply reply = listen(&terminal, asked, d->in);
        if (!(more = reply != QUIZ_UNCLEAR))
            break;
        show_answer(&terminal, asked, reply == QUIZ_RIGHT);
        quiz_record_take(&record, i, quiz->count, reply == QUIZ_RIGHT);
        right = quiz_record_save(d->folder, &record, error, size);
    }
    free(asked);
    if (right) {
        fputc('\n', d->out);
        show_score(&terminal, quiz, &record);
    }
    return right;
}
