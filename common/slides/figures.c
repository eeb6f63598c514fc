/* figures.c: which drawings there are. */
#include "slides/figures.h"

#include "base/ini.h"
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *words;
    unsigned low, high; /* how many words */
    bool (*draw)(struct figure *);
} figures[] = {
    {"warp", "WIDTH HEIGHT of the block", 2, 2, figure_warp},
    {"offset", "", 0, 0, figure_offset},
    {"halo", "WIDTH HEIGHT of the block, RADIUS", 3, 3, figure_halo},
    {"banks", "bytes|words|column", 1, 1, figure_banks},
    {"padding", "floats of padding", 1, 1, figure_padding},
    {"chip", "a model of common/gpus", 1, 1, figure_chip},
    {"apod", "", 0, 0, figure_apod},
    {"streams", "", 0, 0, figure_streams},
    {"waves", "BLOCKS SLOTS", 2, 2, figure_waves},
    {"flight", "", 0, 0, figure_flight},
    {"tree", "", 0, 0, figure_tree},
    {"shuffle", "", 0, 0, figure_shuffle},
    {"tiles", "", 0, 0, figure_tiles},
    {"coarsening", "", 0, 0, figure_coarsening},
    {"ring", "", 0, 0, figure_ring},
    {"grid", "", 0, 0, figure_grid},
    {"pitch", "WIDTH PITCH", 2, 2, figure_pitch},
    {"race", "", 0, 0, figure_race},
    {"fused", "", 0, 0, figure_fused},
    {"strip", "", 0, 0, figure_strip},
    {"dot", "", 0, 0, figure_dot},
    {"waits", "LOADS", 1, 1, figure_waits},
    {"loop", "SET ROW...", 2, FIGURE_WORDS, figure_loop},
    {"levels", "", 0, 0, figure_levels},
    {"fetch", "SET", 1, 1, figure_fetch},
    {"drift", "", 0, 0, figure_drift},
    {"copies", "OUTER INNER", 2, 2, figure_copies},
    {"tail", "BLOCKS PLACES", 2, 2, figure_tail},
    {"code", "SET COLUMN ROW...", 3, FIGURE_WORDS, figure_code},
    {"timeline", "SET ROW ROUNDS", 3, 3, figure_timeline},
    {"stack",
     "SET PART,PART,... UNIT ROW...; a part is a column, or NAME=SUFFIX of the rows whose times it is", 4,
     FIGURE_WORDS, figure_stack},
    {"bars", "SET COLUMN[/DIVISOR] UNIT ROW...", 4, FIGURE_WORDS, figure_bars},
    {"curves", "SET ROW... ; the columns are the points", 2, FIGURE_WORDS, figure_curves},
    {"occupancy", "THREADS MODEL...", 2, 5, figure_occupancy},
    {"roofline", "SET ROW...", 2, FIGURE_WORDS, figure_roofline},
};

bool figure_refuse(struct figure *figure, const char *what) {
    snprintf(figure->error, figure->size, "@figure: %s", what);
    return false;
}

bool figure_number(struct figure *figure, unsigned index, int low, int high, int *value) {
    char *end;
    long number = strtol(figure->word[index], &end, 10);
    if (*end != '\0' || number < low || number > high)
        return figure_refuse(figure, "a whole number of the right size is missing");
    *value = (int)number;
    return true;
}

bool figure_draw(FILE *out, struct data *data, const char *request, char *error, size_t size) {
    struct figure figure = {.out = out, .data = data, .error = error, .size = size};
    char text[512], *rest = NULL;
    snprintf(text, sizeof text, "%s", request);
    const char *name = strtok_r(text, " ", &rest);
    for (char *word; (word = strtok_r(NULL, " ", &rest)) != NULL;) {
        if (figure.count == FIGURE_WORDS)
            return figure_refuse(&figure, "too many words");
        for (char *c = word; *c != '\0'; c++)
            if (*c == '_') /* a blank within a word */
                *c = ' ';
        figure.word[figure.count++] = word;
    }
    for (unsigned i = 0; name != NULL && i < sizeof figures / sizeof *figures; i++) {
        if (strcmp(figures[i].name, name) != 0)
            continue;
        if (figure.count >= figures[i].low && figure.count <= figures[i].high)
            return figures[i].draw(&figure);
        snprintf(error, size, "@figure %s takes: %s", name, figures[i].words);
        return false;
    }
    return figure_refuse(&figure, "there is no such drawing; common/slides/figures.c has the list");
}
