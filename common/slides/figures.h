/* figures.h: the drawings of the slides, by name: `@figure NAME words` in a deck. */
#ifndef SLIDES_FIGURES_H
#define SLIDES_FIGURES_H

#include "slides/data.h"
#include <stdio.h>

enum { FIGURE_WORDS = 24, FIGURE_WIDTH = 1160, FIGURE_HEIGHT = 440 };

struct figure {
    FILE *out;
    struct data *data;
    unsigned count; /* of the words behind the name */
    const char *word[FIGURE_WORDS];
    char *error;
    size_t size;
};

/* Each draws one kind; false and one line in error. figures.c has their list and what words they take. */
bool figure_warp(struct figure *figure);
bool figure_offset(struct figure *figure);
bool figure_halo(struct figure *figure);
bool figure_banks(struct figure *figure);
bool figure_padding(struct figure *figure);
bool figure_chip(struct figure *figure);
bool figure_apod(struct figure *figure);
bool figure_streams(struct figure *figure);
bool figure_waves(struct figure *figure);
bool figure_flight(struct figure *figure);
bool figure_tree(struct figure *figure);
bool figure_shuffle(struct figure *figure);
bool figure_tiles(struct figure *figure);
bool figure_coarsening(struct figure *figure);
bool figure_ring(struct figure *figure);
bool figure_grid(struct figure *figure);
bool figure_pitch(struct figure *figure);
bool figure_race(struct figure *figure);
bool figure_fused(struct figure *figure);
bool figure_strip(struct figure *figure);
bool figure_dot(struct figure *figure);
bool figure_stack(struct figure *figure);
bool figure_waits(struct figure *figure);
bool figure_loop(struct figure *figure);
bool figure_levels(struct figure *figure);
bool figure_fetch(struct figure *figure);
bool figure_drift(struct figure *figure);
bool figure_copies(struct figure *figure);
bool figure_tail(struct figure *figure);
bool figure_code(struct figure *figure);
bool figure_timeline(struct figure *figure);
bool figure_bars(struct figure *figure);
bool figure_curves(struct figure *figure);
bool figure_occupancy(struct figure *figure);
bool figure_roofline(struct figure *figure);

/* The drawing that "NAME words" asks for, as one piece of HTML. False and one line. */
bool figure_draw(FILE *out, struct data *data, const char *request, char *error, size_t size);

/* Always false, after one line. */
bool figure_refuse(struct figure *figure, const char *what);
/* A whole number of a figure's words. False after figure_refuse. */
bool figure_number(struct figure *figure, unsigned index, int low, int high, int *value);

#endif
