/*
 * deck.h: a deck of slides as it stands in slides/NAME.md, everything in it resolved.
 *
 *     ---                             between two slides
 *     Note: ...                       to the slide's end: what the speaker says
 *     {{...}}                         a figure from the repository's files: formula.h
 *     @each SET: | $ | {{...}} |      the line once for each row of a set, $ is its name
 *     @figure NAME words              a drawing: figures.c
 *     @code FILE LINES TEXT           so many lines of a source, from the first that has the text
 *     ```cuda                         code of the slide's own; a test compiles it. "```cuda NAME" is completed by
 *                                     slides/code/NAME.cu.in, in the place of its line FRAGMENT
 */
#ifndef SLIDES_DECK_H
#define SLIDES_DECK_H

#include "slides/data.h"

enum { DECK_SLIDES = 64, DECK_CODES = 64 };

struct slide {
    unsigned line;   /* of the deck's file, where it begins */
    char title[160]; /* its first heading, without the marks; "" none */
    bool opening;    /* a heading of the first level */
    char *body;      /* Markdown with pieces of HTML */
    char *notes;     /* Markdown; "" none */
};

struct deck_code {
    unsigned line;   /* the first of the code */
    char around[64]; /* "tile": slides/code/tile.cu.in; "" complete by itself */
    char *text;
};

struct deck {
    char name[64];  /* "lab1" */
    char file[256]; /* "slides/lab1.md": stands in messages */
    unsigned slides, codes;
    struct slide slide[DECK_SLIDES];
    struct deck_code code[DECK_CODES];
};

/* Read a deck from text. NULL and one line, FILE:LINE: what is wrong. */
struct deck *deck_parse(const char *file, const char *text, struct data *data, char *error, size_t size);
/* The same from a file below the project's folder. */
struct deck *deck_load(const char *file, struct data *data, char *error, size_t size);
void deck_free(struct deck *deck);

#endif
