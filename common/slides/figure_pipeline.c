/* figure_pipeline.c: several kernels in a row: their shares of the time, halos within halos, a warp's strip, bytes in words. */
#include "slides/figures.h"
#include "slides/svg.h"

#include <math.h>
#include <string.h>

enum { STACKED = 4 };
static const char *const STACK_COLOURS[STACKED] = {SVG_ORANGE, SVG_SKY, SVG_GREEN, SVG_PURPLE};

/* What a part of a row's bar is: its column; or of "NAME=SUFFIX" the time, in µs, of the row with that at its end, a launch of a
 * recording. What has no number counts as 0. */
static bool stack_part(struct figure *figure, const char *row, const char *part, double *value) {
    const char *suffix = strchr(part, '=');
    char whole[128];
    snprintf(whole, sizeof whole, "%s%s", row, suffix != NULL ? suffix + 1 : "");
    if (!data_number(figure->data, figure->word[0], whole, suffix != NULL ? "time" : part, true, value,
                     figure->error, figure->size))
        return false;
    *value = isfinite(*value) ? *value / (suffix != NULL ? 1000 : 1) : 0;
    return true;
}

/* Parts one behind the other, a bar for each row: SET PART,PART,... UNIT ROW... */
bool figure_stack(struct figure *figure) {
    char columns[256], *column[STACKED], *rest = NULL;
    unsigned count = 0, rows = figure->count - 3;
    snprintf(columns, sizeof columns, "%s", figure->word[1]);
    for (char *name = strtok_r(columns, ",", &rest); name != NULL; name = strtok_r(NULL, ",", &rest)) {
        if (count == STACKED)
            return figure_refuse(figure, "more than four columns");
        column[count++] = name;
    }
    double value[FIGURE_WORDS][STACKED], total[FIGURE_WORDS] = {0}, most = 0;
    for (unsigned row = 0; row < rows; row++) {
        for (unsigned c = 0; c < count; c++) {
            if (!stack_part(figure, figure->word[3 + row], column[c], &value[row][c]))
                return false;
            total[row] += value[row][c];
        }
        if (total[row] <= 0)
            return figure_refuse(figure, "a row has no number in any of the columns");
        most = fmax(most, total[row]);
    }
    FILE *out = figure->out;
    const double height = fmin(54, 370.0 / rows), left = 190, length = 800;
    svg_begin(out, FIGURE_WIDTH, rows * height + 70, "what each part takes, a bar for each row");
    for (unsigned row = 0; row < rows; row++) {
        double y = 10 + row * height, x = left;
        svg_text(out, left - 15, y + height / 2 + 7, SVG_RIGHT, SVG_BLACK, "%.*s",
                 (int)strcspn(figure->word[3 + row], "("), figure->word[3 + row]);
        for (unsigned c = 0; c < count; c++) {
            double width = value[row][c] / most * length;
            if (width > 0)
                svg_box(out, x, y + 2, width, height - 8, STACK_COLOURS[c], SVG_BLACK);
            x += width;
        }
        svg_text(out, x + 12, y + height / 2 + 7, SVG_LEFT, SVG_BLACK, "%.3g %s", total[row],
                 figure->word[2]);
    }
    for (unsigned c = 0; c < count; c++) {
        double x = left + c * 250;
        svg_box(out, x, rows * height + 28, 28, 28, STACK_COLOURS[c], SVG_BLACK);
        svg_text(out, x + 40, rows * height + 51, SVG_LEFT, SVG_BLACK, "%.*s", (int)strcspn(column[c], "="),
                 column[c]);
    }
    svg_end(out);
    return true;
}

/* What a block of results needs of the stages before it. */
bool figure_fused(struct figure *figure) {
    FILE *out = figure->out;
    const double left = 60, top = 30, cell = 22;
    const int results = 8;
    svg_begin(out, FIGURE_WIDTH, 430,
              "results, the blurred pixels they need, and the gray ones that those need");
    svg_box(out, left, top, (results + 8) * cell, (results + 8) * cell, SVG_PALE, SVG_BLACK);
    svg_box(out, left + 3 * cell, top + 3 * cell, (results + 2) * cell, (results + 2) * cell, SVG_SKY,
            SVG_BLACK);
    svg_box(out, left + 4 * cell, top + 4 * cell, results * cell, results * cell, SVG_GREEN, SVG_BLACK);
    for (int i = 1; i < results; i++) {
        svg_line(out, left + (4 + i) * cell, top + 4 * cell, left + (4 + i) * cell,
                 top + (4 + results) * cell, SVG_WHITE, 1);
        svg_line(out, left + 4 * cell, top + (4 + i) * cell, left + (4 + results) * cell,
                 top + (4 + i) * cell, SVG_WHITE, 1);
    }
    svg_text(out, 480, 120, SVG_LEFT, SVG_GREEN, "%d x %d edges", results, results);
    svg_text(out, 480, 170, SVG_LEFT, SVG_BLUE, "%d x %d blurred: Sobel reaches 1 further", results + 2,
             results + 2);
    svg_text(out, 480, 220, SVG_LEFT, SVG_BLACK, "%d x %d gray: the Gaussian reaches 3 further", results + 8,
             results + 8);
    svg_text(out, 480, 300, SVG_LEFT, SVG_RED, "the halo is computed twice: by this block");
    svg_text(out, 480, 335, SVG_LEFT, SVG_RED, "and by its neighbours");
    svg_end(out);
    return true;
}

/* A warp goes down a strip: rows that it reads, and the first and last lane that only feed. */
bool figure_strip(struct figure *figure) {
    FILE *out = figure->out;
    const double left = 60, top = 60, cell = 18, row_height = 27;
    const int lanes = 32, rows = 12;
    svg_begin(out, FIGURE_WIDTH, 440, "a warp's rows of a strip of the image");
    svg_text(out, left, 40, SVG_LEFT, SVG_BLACK, "32 lanes, eight pixels each");
    for (int row = 0; row < rows; row++)
        for (int lane = 0; lane < lanes; lane++) {
            bool halo = lane == 0 || lane == lanes - 1 || row < 3 || row >= rows - 3;
            svg_box(out, left + lane * cell, top + row * row_height, cell, row_height - 4,
                    halo ? SVG_GREY : SVG_GREEN, SVG_WHITE);
        }
    svg_arrow(out, left + lanes * cell + 24, top, left + lanes * cell + 24, top + rows * row_height, SVG_RED);
    double x = left + lanes * cell + 60;
    svg_text(out, x, 100, SVG_LEFT, SVG_RED, "the warp goes down:");
    svg_text(out, x, 135, SVG_LEFT, SVG_RED, "each row is read once");
    svg_text(out, x, 200, SVG_LEFT, SVG_GREEN, "green: 240 results a row");
    svg_text(out, x, 265, SVG_LEFT, SVG_BLACK, "grey: halo, 3 rows above,");
    svg_text(out, x, 300, SVG_LEFT, SVG_BLACK, "3 below, a lane each side");
    svg_text(out, left, 420, SVG_LEFT, SVG_BLACK,
             "12 rows are loaded before the first is used, for 6 rows of results");
    svg_end(out);
    return true;
}

/* A dot product of four bytes: a thread's word and its neighbours', and the weights as they lie for one pixel. */
bool figure_dot(struct figure *figure) {
    static const char *const words[] = {"left lane's word", "own word", "right lane's word"};
    static const int weight[4][12] = {{0, 1, 2, 3, 4, 3, 2, 1, 0, 0, 0, 0},
                                      {0, 0, 1, 2, 3, 4, 3, 2, 1, 0, 0, 0},
                                      {0, 0, 0, 1, 2, 3, 4, 3, 2, 1, 0, 0},
                                      {0, 0, 0, 0, 1, 2, 3, 4, 3, 2, 1, 0}};
    FILE *out = figure->out;
    const double left = 200, cell = 68, gap = 18;
    svg_begin(out, FIGURE_WIDTH, 380, "which weight meets which byte, for each of a lane's four pixels");
    unsigned products = 0;
    for (int byte = 0; byte < 12; byte++) {
        int word = byte / 4;
        double x = left + byte * cell + word * gap;
        bool own = word == 1;
        if (byte % 4 == 0)
            svg_text(out, x, 36, SVG_LEFT, SVG_BLACK, "%s", words[word]);
        svg_box(out, x, 50, cell, 44, own ? SVG_SKY : SVG_PALE, SVG_BLACK);
        svg_text(out, x + cell / 2, 81, SVG_MIDDLE, SVG_BLACK, "%+d", byte - 4);
        for (int pixel = 0; pixel < 4; pixel++)
            if (weight[pixel][byte] != 0)
                svg_text(out, x + cell / 2, 142 + pixel * 46, SVG_MIDDLE, SVG_BLUE, "%d",
                         weight[pixel][byte]);
    }
    for (int pixel = 0; pixel < 4; pixel++) {
        svg_text(out, left - 20, 142 + pixel * 46, SVG_RIGHT, SVG_BLACK, "pixel %d", pixel);
        for (int word = 0; word < 3; word++) {
            bool used = false;
            for (int byte = 0; byte < 4; byte++)
                used = used || weight[pixel][word * 4 + byte] != 0;
            products += used;
        }
    }
    svg_text(out, left, 340, SVG_LEFT, SVG_BLACK,
             "four weights and four bytes are one __dp4a: %u of them for 28 products", products);
    svg_end(out);
    return true;
}
