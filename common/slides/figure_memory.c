/* figure_memory.c: what a warp's accesses touch: sectors, tiles, banks. */
#include "slides/figures.h"
#include "slides/svg.h"

#include <string.h>

enum { WARP = 32, SECTOR = 32, BANKS = 32 };

/* Sectors that `bytes` bytes at `offset` touch, counted from the sector at 0. */
static int first_sector(int offset) {
    return (offset + SECTOR) / SECTOR - 1;
}
static int sectors_touched(int offset, int bytes) {
    return first_sector(offset + bytes - 1) - first_sector(offset) + 1;
}

/* The rows of a warp of a WIDTH x HEIGHT block, a byte a thread, beside two sectors. */
bool figure_warp(struct figure *figure) {
    FILE *out = figure->out;
    int width, height;
    if (!figure_number(figure, 0, 1, WARP, &width) || !figure_number(figure, 1, 1, WARP, &height))
        return false;
    if (WARP % width != 0)
        return figure_refuse(figure, "the block's width divides 32");
    int rows = WARP / width;
    if (rows > 6)
        return figure_refuse(figure, "more than 6 rows of a warp do not fit the slide");
    const double cell = 15, left = 170, top = 70, row_height = 50;
    svg_begin(out, FIGURE_WIDTH, top + rows * row_height + 80,
              "the bytes of a warp and the sectors they lie in");
    for (int sector = 0; sector < 2; sector++)
        svg_text(out, left + (sector + 0.5) * SECTOR * cell, 40, SVG_MIDDLE, SVG_BLACK,
                 "a sector of 32 bytes");
    for (int row = 0; row < rows; row++) {
        double y = top + row * row_height;
        svg_text(out, left - 14, y + 26, SVG_RIGHT, SVG_BLACK, "row y + %d", row);
        for (int sector = 0; sector < 2; sector++)
            svg_box(out, left + sector * SECTOR * cell, y, SECTOR * cell, row_height - 14,
                    sector == 0 ? SVG_YELLOW : SVG_PALE, SVG_BLACK);
        for (int x = 0; x < width; x++)
            svg_box(out, left + x * cell, y + 5, cell, row_height - 24, SVG_BLUE, SVG_WHITE);
    }
    svg_text(out, left, top + rows * row_height + 30, SVG_LEFT, SVG_BLUE,
             "blue: the 32 bytes that the warp asks for");
    svg_text(out, left, top + rows * row_height + 66, SVG_LEFT, SVG_BLACK, "yellow: %d %s moved, %d bytes",
             rows, rows == 1 ? "sector" : "sectors", rows * SECTOR);
    svg_end(out);
    return true;
}

/* A warp's row of 32 bytes at each of the seven offsets of the filter. */
bool figure_offset(struct figure *figure) {
    FILE *out = figure->out;
    const double cell = 9, left = 200, top = 50, row_height = 50;
    svg_begin(out, FIGURE_WIDTH, FIGURE_HEIGHT,
              "a row of 32 bytes, shifted by the filter, over the sectors' borders");
    int total = 0;
    for (int offset = -3; offset <= 3; offset++) {
        double y = top + (offset + 3) * row_height;
        int touched = sectors_touched(offset, WARP);
        total += touched;
        svg_text(out, left - 20, y + 27, SVG_RIGHT, SVG_BLACK, "dx = %d", offset);
        for (int sector = -1; sector <= 1; sector++) {
            bool hit = sector >= first_sector(offset) && sector < first_sector(offset) + touched;
            svg_box(out, left + (sector + 1) * SECTOR * cell, y, SECTOR * cell, row_height - 14,
                    hit ? SVG_YELLOW : SVG_PALE, SVG_BLACK);
        }
        svg_box(out, left + (SECTOR + offset) * cell, y + 8, WARP * cell, row_height - 30, SVG_BLUE,
                SVG_WHITE);
        svg_text(out, left + 3 * SECTOR * cell + 20, y + 27, SVG_LEFT, SVG_BLACK, "%d", touched);
    }
    svg_text(out, left, top - 14, SVG_LEFT, SVG_BLACK, "three sectors side by side in a row of the image");
    svg_text(out, left, top + 7 * row_height + 26, SVG_LEFT, SVG_BLACK,
             "%d sectors for 7 requests: %.2f each", total, total / 7.0);
    svg_end(out);
    return true;
}

bool figure_halo(struct figure *figure) {
    FILE *out = figure->out;
    int width, height, radius;
    if (!figure_number(figure, 0, 1, 64, &width) || !figure_number(figure, 1, 1, 32, &height) ||
        !figure_number(figure, 2, 1, 8, &radius))
        return false;
    int whole_width = width + 2 * radius, whole_height = height + 2 * radius;
    const double cell =
        640.0 / whole_width < 400.0 / whole_height ? 640.0 / whole_width : 400.0 / whole_height;
    svg_begin(out, FIGURE_WIDTH, FIGURE_HEIGHT, "a block's pixels and the halo around them");
    for (int y = 0; y < whole_height; y++)
        for (int x = 0; x < whole_width; x++) {
            bool own = x >= radius && x < radius + width && y >= radius && y < radius + height;
            svg_box(out, 10 + x * cell, 10 + y * cell, cell, cell, own ? SVG_SKY : SVG_ORANGE, SVG_WHITE);
        }
    double window = 2.0 * radius + 1;
    svg_box(out, 10 + 5 * cell, 10 + 1 * cell, window * cell, window * cell, "none", SVG_BLACK);
    svg_box(out, 11 + 5 * cell, 11 + 1 * cell, window * cell - 2, window * cell - 2, "none", SVG_BLACK);
    double right = 40 + whole_width * cell;
    svg_text(out, right, 50, SVG_LEFT, SVG_BLACK, "blue: the block's %d x %d pixels", width, height);
    svg_text(out, right, 95, SVG_LEFT, SVG_BLACK, "orange: the halo, %d on each side", radius);
    svg_text(out, right, 140, SVG_LEFT, SVG_BLACK, "framed: one pixel's window");
    svg_text(out, right, 220, SVG_LEFT, SVG_BLACK, "%d bytes for %d pixels:", whole_width * whole_height,
             width * height);
    svg_text(out, right, 265, SVG_LEFT, SVG_RED, "%.2f loads for a pixel",
             (double)(whole_width * whole_height) / (width * height));
    svg_end(out);
    return true;
}

/* Which word each of eight rows lanes reads: side by side as bytes, as words, or down a column of 32 words. */
bool figure_banks(struct figure *figure) {
    FILE *out = figure->out;
    const char *kind = figure->word[0];
    bool bytes = strcmp(kind, "bytes") == 0, column = strcmp(kind, "column") == 0;
    if (!bytes && !column && strcmp(kind, "words") != 0)
        return figure_refuse(figure, "bytes, words or column");
    const double cell = 34, left = 36, lanes = 60, words = 240;
    svg_begin(out, FIGURE_WIDTH, 400, "lanes of a warp and the banks that they read");
    svg_text(out, left, lanes - 20, SVG_LEFT, SVG_BLACK, "32 lanes of a warp");
    for (int lane = 0; lane < WARP; lane++) {
        int bank = bytes ? lane / 4 : column ? 0 : lane;
        svg_box(out, left + lane * cell, lanes, cell, cell, SVG_SKY, SVG_WHITE);
        svg_line(out, left + (lane + 0.5) * cell, lanes + cell, left + (bank + 0.5) * cell, words,
                 column ? SVG_RED : SVG_BLUE, 2);
    }
    for (int bank = 0; bank < BANKS; bank++) {
        bool hit = bytes ? bank < WARP / 4 : !column || bank == 0;
        svg_box(out, left + bank * cell, words, cell, cell * 1.4, hit ? SVG_YELLOW : SVG_PALE, SVG_BLACK);
    }
    svg_text(out, left, words + 85, SVG_LEFT, SVG_BLACK, "32 banks, each a word of 4 bytes wide");
    svg_text(out, left, words + 130, SVG_LEFT, column ? SVG_RED : SVG_GREEN, "%s",
             bytes    ? "Lanes that read bytes of one word are served together: one pass."
             : column ? "32 different words of one bank: 32 passes."
                      : "Each lane has a bank of its own: one pass.");
    svg_end(out);
    return true;
}

/* The stores of lab 6's step 6f: rows p, p + 4, p + 8, p + 12 of a tile, 8 neighbouring words each. */
bool figure_padding(struct figure *figure) {
    enum { ROW = 64, GROUPS = 4, NEIGHBOURS = 8 };
    static const char *const colour[GROUPS] = {SVG_BLUE, SVG_ORANGE, SVG_GREEN, SVG_PURPLE};
    FILE *out = figure->out;
    int padding, passes = 0, used[BANKS] = {0};
    if (!figure_number(figure, 0, 0, 8, &padding))
        return false;
    const double cell = 34, left = 36, floor = 200;
    svg_begin(out, FIGURE_WIDTH, 310, "the banks that a warp's four groups of stores fall on");
    for (int group = 0; group < GROUPS; group++)
        for (int i = 0; i < NEIGHBOURS; i++) {
            int bank = (4 * group * (ROW + padding) + i) % BANKS;
            svg_box(out, left + bank * cell, floor - 40 - used[bank] * 40, cell, 38, colour[group],
                    SVG_WHITE);
            if (++used[bank] > passes)
                passes = used[bank];
        }
    for (int bank = 0; bank < BANKS; bank++)
        svg_box(out, left + bank * cell, floor, cell, 30, SVG_PALE, SVG_BLACK);
    svg_text(out, left, floor + 62, SVG_LEFT, SVG_BLACK, "32 banks; a colour for each row of the tile");
    svg_text(out, left, floor + 98, SVG_LEFT, passes > 1 ? SVG_RED : SVG_GREEN,
             "PAD = %d: %d %s for this store", padding, passes, passes == 1 ? "pass" : "passes");
    svg_end(out);
    return true;
}
