/*
 * quiz.h: the questions of a lab, labs/labN-TOPIC/quiz.ini, and one learner's own of them. A question may draw numbers,
 * take them from a recording of solutions/recordings/ and compute with them: then its figures are made, not typed.
 * README.md has the keys.
 */
#ifndef QUIZ_QUIZ_H
#define QUIZ_QUIZ_H

#include "base/draw/draw.h"
#include "gpu/time/gpus.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    QUIZ_MOST = 16,    /* questions of a lab */
    QUIZ_NAMES = 12,   /* numbers of a question */
    QUIZ_CHOICES = 6,  /* answers to choose from */
    QUIZ_TEXT = 1600,  /* bytes of a text */
    QUIZ_CHOICE = 240, /* of an answer to choose */
    QUIZ_LINES = 16,   /* shown of a piece of code */
    QUIZ_LINE = 128,
    QUIZ_PRINTED = 48, /* of a number in words */
    QUIZ_ERROR = PATH_SIZE + 512
};

/* CHOICE: one of several; NUMBER: within a tolerance; LINE: one of the lines of a piece of code. */
enum quiz_kind { QUIZ_CHOICE_OF, QUIZ_NUMBER, QUIZ_LINE_OF };

/* Where a number comes from: one of a list; a cell of a recording; an expression. */
enum quiz_source { QUIZ_DRAW, QUIZ_FROM, QUIZ_LET };

struct quiz_name {
    char name[24];
    enum quiz_source source;
    char text[200];
    unsigned line; /* of quiz.ini */
};

struct quiz_question {
    char title[64];
    enum quiz_kind kind;
    unsigned line; /* of quiz.ini */
    char text[QUIZ_TEXT], why[QUIZ_TEXT];
    char right[QUIZ_CHOICE], wrong[QUIZ_CHOICES - 1][QUIZ_CHOICE];
    unsigned wrong_count;
    char answer[200]; /* an expression */
    char unit[24];    /* "": none */
    double tolerance; /* absolute, or a share of the answer */
    bool relative;
    char code[240];  /* "FILE COUNT TEXT": COUNT lines of a file, from the first that holds TEXT */
    char place[120]; /* what the line holds that is the answer */
    unsigned name_count;
    struct quiz_name names[QUIZ_NAMES];
    bool drawn; /* it draws numbers: another key, another question */
};

struct quiz {
    char lab[16];         /* "lab1" */
    char file[PATH_SIZE]; /* stands in messages */
    unsigned count;
    struct quiz_question questions[QUIZ_MOST];
};

/* From the text of a data file; `name` stands in messages. False and one line: file, line, what. Any bytes are safe to
 * pass. */
bool quiz_parse(const char *text, size_t length, const char *name, struct quiz *quiz, char *error,
                size_t size);
/* Read root/labs/ID-TOPIC/quiz.ini. False and one line; *missing: there is none. folder: where it lies. */
bool quiz_load(const char *root, const char *id, struct quiz *quiz, char folder[PATH_SIZE], bool *missing,
               char *error, size_t size);

/* A question with its numbers in place. */
struct quiz_asked {
    const struct quiz_question *question;
    char text[QUIZ_TEXT], why[QUIZ_TEXT];
    unsigned choice_count,
        right; /* CHOICE: in the drawn order; LINE: right is the line's place in code, from 0 */
    char choices[QUIZ_CHOICES][QUIZ_CHOICE];
    unsigned code_count, code_first; /* lines; the number of the first one in its file */
    char code_file[PATH_SIZE];       /* from the project's folder */
    char code[QUIZ_LINES][QUIZ_LINE];
    double value, low, high; /* NUMBER: the answer, and what is taken for it */
};

/* What a question is under a key. root: the project's folder, where recordings and code are found; NULL: there are
 * none. False and one line: an expression or a file is not as it should be. */
bool quiz_make(const struct quiz *quiz, unsigned index, const char *root, const struct gpu_model *model,
               const struct draw_key *key, struct quiz_asked *asked, char *error, size_t size);

/* As a person reads it: four digits, whole numbers whole, in groups of three from 10,000 on. */
void quiz_print(double value, char text[QUIZ_PRINTED]);

#endif
