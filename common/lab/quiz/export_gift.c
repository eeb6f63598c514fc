/* export_gift.c: Moodle's GIFT. Its own characters ~ = # { } : and the backslash are escaped. A
 * line end within a question is written \n, because an empty line would end the question. */
#include "lab/quiz/export.h"

#include <stdlib.h>
#include <string.h>

static void put(FILE *out, const char *text) {
    for (; *text != '\0'; text++) {
        if (strchr("~=#{}:\\", *text) != NULL)
            fputc('\\', out);
        fputc(*text, out);
    }
}

static void put_choice(FILE *out, bool right, const char *text) {
    fputs(right ? "\t=" : "\t~", out);
    put(out, text);
    fputc('\n', out);
}

static void put_question(FILE *out, const struct quiz *quiz, const struct quiz_asked *asked, unsigned v) {
    const struct quiz_question *q = asked->question;
    fputs("::", out);
    put(out, quiz->lab);
    fputc(' ', out);
    put(out, q->title);
    if (q->drawn)
        fprintf(out, " (%u)", v + 1);
    fputs("::[plain]", out);
    put(out, asked->text);
    if (q->kind == QUIZ_NUMBER && q->unit[0] != '\0') {
        fputs(" (in ", out);
        put(out, q->unit);
        fputc(')', out);
    }
    for (unsigned i = 0; i < asked->code_count; i++) {
        fprintf(out, "\\n%u  ", asked->code_first + i);
        put(out, asked->code[i]);
    }
    fputs(" {", out);
    if (q->kind == QUIZ_NUMBER)
        fprintf(out, "#%.10g..%.10g", asked->low, asked->high);
    fputc('\n', out);
    for (unsigned i = 0; i < asked->choice_count; i++)
        put_choice(out, i == asked->right, asked->choices[i]);
    for (unsigned i = 0; i < asked->code_count; i++) {
        char text[32];
        snprintf(text, sizeof text, "line %u", asked->code_first + i);
        put_choice(out, i == asked->right, text);
    }
    fputs("\t####", out);
    put(out, asked->why);
    fputs("\n}\n\n", out);
}

bool quiz_export_gift(const struct quiz_export *export, FILE *out, char *error, size_t size) {
    struct quiz_asked *asked = malloc(sizeof *asked);
    bool right = asked != NULL;
    if (!right)
        snprintf(error, size, "out of memory");
    for (unsigned z = 0; right && z < export->count; z++) {
        const struct quiz *quiz = &export->quizzes[z];
        for (unsigned i = 0; right && i < quiz->count; i++) {
            const struct quiz_question *q = &quiz->questions[i];
            /* Each question has a category, from which Moodle takes a random one. */
            fprintf(out, "$CATEGORY: %s", quiz->lab);
            if (q->drawn)
                fprintf(out, "/%s", q->title);
            fputs("\n\n", out);
            for (unsigned v = 0; right && v < quiz_variants(q); v++) {
                right = quiz_variant(export, quiz, i, v, asked, error, size);
                if (right)
                    put_question(out, quiz, asked, v);
            }
        }
    }
    free(asked);
    return right;
}
