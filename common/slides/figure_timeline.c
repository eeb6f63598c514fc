/* figure_timeline.c: a timeline of host, copies and kernels, from a recording. */
#include "slides/figures.h"
#include "slides/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 4 };
static const char *const LANE_NAMES[LANES] = {"host", "to the GPU", "kernels", "to the host"};

struct span {
    const char *kind, *name;
    double begin, time;
};

/* The number-th span of a row, whose cells stand in the order of the columns lane, name, begin, time. False: there is none. */
static bool find_span(const struct recording *recording, const char *row, unsigned number,
                      struct span *span) {
    const char *text[LANES] = {NULL};
    static const char *const columns[] = {"lane", "name", "begin", "time"};
    unsigned seen[LANES] = {0};
    for (size_t i = 0; i < recording->count; i++) {
        if (strcmp(recording->cell[i].row, row) != 0)
            continue;
        for (int c = 0; c < LANES; c++)
            if (strcmp(recording->cell[i].column, columns[c]) == 0 && seen[c]++ == number)
                text[c] = recording->cell[i].text;
    }
    if (text[0] == NULL || text[1] == NULL || text[2] == NULL || text[3] == NULL)
        return false;
    *span = (struct span){text[0], text[1], strtod(text[2], NULL), strtod(text[3], NULL)};
    return true;
}

/* Which row of the drawing, and the colour; -1: none. The host is grey while it only waits. */
static int lane_of(const struct span *span, const char **colour) {
    if (strcmp(span->kind, "host") == 0) {
        *colour = strcmp(span->name, "SYNCHRONISE") == 0 ? SVG_GREY : SVG_ORANGE;
        return 0;
    }
    *colour = SVG_SKY;
    if (strcmp(span->kind, "HtoD") == 0)
        return 1;
    if (strcmp(span->kind, "DtoH") == 0)
        return 3;
    *colour = strcmp(span->kind, "fill") == 0 ? SVG_YELLOW : SVG_GREEN;
    return strcmp(span->kind, "fill") == 0 || strcmp(span->kind, "kernel") == 0 ? 2 : -1;
}

static void draw_span(FILE *out, const struct span *span, double left, double scale, double end) {
    const char *colour;
    int lane = lane_of(span, &colour);
    double from = fmax(span->begin, 0), to = fmin(span->begin + span->time, end);
    if (lane >= 0 && to > from)
        svg_box(out, left + from * scale, 24 + lane * 72, (to - from) * scale, 50, colour,
                (to - from) * scale > 6 ? SVG_BLACK : colour);
}

/* Rounds of a step, from the start of one, which a fill begins: SET ROW ROUNDS. */
bool figure_timeline(struct figure *figure) {
    FILE *out = figure->out;
    int rounds;
    struct span span;
    double round = 0;
    const char *row = figure->word[1];
    const struct recording *recording = data_set(figure->data, figure->word[0], figure->error, figure->size);
    if (recording == NULL || !figure_number(figure, 2, 1, 2, &rounds))
        return false;
    for (unsigned i = 0; find_span(recording, row, i, &span); i++)
        if (strcmp(span.kind, "fill") == 0 && span.begin > 0)
            round = span.begin;
    if (round <= 0)
        return figure_refuse(figure, "the set has no second round of this row");
    const double left = 180, width = 940, end = round * rounds, scale = width / end;
    svg_begin(out, FIGURE_WIDTH, 420, "when host, copy engines and kernels work, on one line of time");
    for (int lane = 0; lane < LANES; lane++) {
        svg_text(out, left - 16, 57 + lane * 72, SVG_RIGHT, SVG_BLACK, "%s", LANE_NAMES[lane]);
        svg_box(out, left, 24 + lane * 72, width, 50, SVG_PALE, SVG_PALE);
    }
    for (unsigned i = 0; find_span(recording, row, i, &span); i++)
        draw_span(out, &span, left, scale, end);
    for (int i = 0; i <= rounds; i++)
        svg_dashes(out, left + i * round * scale, 12, left + i * round * scale, 316, SVG_BLACK);
    svg_text(out, left, 350, SVG_LEFT, SVG_BLACK, "%s: a round takes %.3g µs, modelled", row, round);
    static const struct {
        const char *text, *colour;
    } key[] = {{"host busy", SVG_ORANGE},
               {"waits", SVG_GREY},
               {"copy", SVG_SKY},
               {"fill", SVG_YELLOW},
               {"kernel", SVG_GREEN}};
    for (unsigned i = 0; i < sizeof key / sizeof *key; i++) {
        svg_box(out, left + i * 190, 380, 24, 24, key[i].colour, SVG_BLACK);
        svg_text(out, left + 34 + i * 190, 401, SVG_LEFT, SVG_BLACK, "%s", key[i].text);
    }
    svg_end(out);
    return true;
}
