/* quiz.h: the questions of a lab, labs/labN-TOPIC/quiz.ini, and the questions that one learner
 * gets. A question may draw numbers, take them from a recording in solutions/recordings/, and
 * compute with them. README.md lists the keys. */
#pragma once

#include "base/draw/draw.h"
#include "gpu/time/gpus.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum {
    QUIZ_MOST = 16,    /* questions of a lab */
    QUIZ_NAMES = 12,   /* numbers of a question */
    QUIZ_CHOICES = 6,  /* answers to choose from */
    QUIZ_TEXT = 1600,  /* bytes of a text */
    QUIZ_CHOICE = 240, /* bytes of such an answer */
    QUIZ_LINES = 16,   /* lines of a piece of code */
    QUIZ_LINE = 128,   /* bytes of such a line */
    QUIZ_PRINTED = 48, /* bytes of a printed number */
    QUIZ_ERROR = PATH_SIZE + 512
};

/* CHOICE: one of several answers; NUMBER: within a tolerance; LINE: a line of code. */
enum quiz_kind { QUIZ_CHOICE_OF, QUIZ_NUMBER, QUIZ_LINE_OF };

/* Where a number comes from: a list, a cell of a recording, an expression. */
enum quiz_source { QUIZ_DRAW, QUIZ_FROM, QUIZ_LET };

struct quiz_name {
    char name[24];
    enum quiz_source source;
    char text[200];
    unsigned line; /* line number in quiz.ini */
};

struct quiz_question {
    char title[64];
    enum quiz_kind kind;
    unsigned line; /* line number in quiz.ini */
    char text[QUIZ_TEXT], why[QUIZ_TEXT];
    char right[QUIZ_CHOICE], wrong[QUIZ_CHOICES - 1][QUIZ_CHOICE];
    unsigned wrong_count;
    char answer[200]; /* an expression */
    char unit[24];    /* "": none */
    double tolerance; /* in the answer's unit; if `relative`, a share of the answer */
    bool relative;
    char code[240];  /* "FILE COUNT TEXT": COUNT lines of a file, from the first that holds TEXT */
    char place[120]; /* text by which the line that is the answer is found */
    unsigned name_count;
    struct quiz_name names[QUIZ_NAMES];
    bool drawn; /* the question draws numbers, so another key gives another question */
};

struct quiz {
    char lab[16];         /* "lab1" */
    char file[PATH_SIZE]; /* path of quiz.ini, for messages */
    unsigned count;
    struct quiz_question questions[QUIZ_MOST];
};

/* Parses the text of a data file; `name` is used in messages. False and one line: file, line, what
 * is wrong. Any bytes are safe to pass. */
bool quiz_parse(const char *text, size_t length, const char *name, struct quiz *quiz, char *error,
                size_t size);
/* Reads root/labs/ID-TOPIC/quiz.ini. folder becomes the lab's folder. False and one line on
 * failure; *missing: there is no such file. */
bool quiz_load(const char *root, const char *id, struct quiz *quiz, char folder[PATH_SIZE], bool *missing,
               char *error, size_t size);

/* A question with its numbers filled in. */
struct quiz_asked {
    const struct quiz_question *question;
    char text[QUIZ_TEXT], why[QUIZ_TEXT];
    unsigned choice_count;
    unsigned right; /* CHOICE: index in the drawn order; LINE: index of the line in code */
    char choices[QUIZ_CHOICES][QUIZ_CHOICE];
    unsigned code_count, code_first; /* lines; the number of the first one in its file */
    char code_file[PATH_SIZE];       /* relative to the project's folder */
    char code[QUIZ_LINES][QUIZ_LINE];
    double value, low, high; /* NUMBER: the answer, and the range that counts as right */
};

/* Makes a question under a key. root: the project's folder, for recordings and code; NULL: there
 * are none. False and one line: an expression or a file is wrong. */
bool quiz_make(const struct quiz *quiz, unsigned index, const char *root, const struct gpu_model *model,
               const struct draw_key *key, struct quiz_asked *asked, char *error, size_t size);

/* Prints a number for a person with four digits: whole numbers whole, from 10,000 on with
 * commas. */
void quiz_print(double value, char text[QUIZ_PRINTED]);

/* ---- dialogue.c: a quiz in the terminal, one question at a time */

enum quiz_reply { QUIZ_WRONG, QUIZ_RIGHT, QUIZ_UNCLEAR };

/* Judges a typed line: a letter, a number ("6,272,000", with or without its unit), or the number of
 * a line. QUIZ_UNCLEAR: the line is no answer. */
enum quiz_reply quiz_judge(const struct quiz_asked *asked, const char *line);

struct quiz_dialogue {
    const struct quiz *quiz;
    const char *root, *folder; /* folder: the lab's, where the learner's answers are kept */
    const struct gpu_model *model;
    FILE *in, *out;
};

/* Asks the rest of the learner's round, or a new round when none is left. Each answer is stored at
 * once. "q" or the end of the input ends the dialogue. False and one line: the record cannot be
 * read or written. */
bool quiz_dialogue(const struct quiz_dialogue *dialogue, char *error, size_t size);
