/* Lab 7: cases, inputs and oracle of the edge pipeline. How an answer is judged: compare_image.c. */
#include "lab/problems/edge_pipeline.h"
#include "lab/problems/compare_image.h"
#include "lab/problems/diagnosis/wrong_oracle.h"
#include "lab/problems/gaussian_blur.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The smallest first. One pixel; narrower or lower than either window or both together (9); odd widths, whose rows start at
 * odd addresses; just below, at and above words, warps and the strips of a fused kernel; long and thin both ways. Levels
 * that differ by little (low, high) make gradients that are not cut off at 255. Colours whose gray is hard to round stand
 * at a width of whole words and at an odd one: a fast path may serve only one of them. */
static const struct {
    uint16_t width, height;
    uint8_t pattern, low, high;
} cases[] = {
    {16, 16, PATTERN_POINT, 0, 0},         {1, 1, PATTERN_MAXIMUM, 0, 0},
    {1, 1, PATTERN_NOISE, 0, 255},         {2, 2, PATTERN_NOISE, 0, 255},
    {3, 3, PATTERN_MAXIMUM, 0, 0},         {1, 9, PATTERN_NOISE, 0, 255},
    {9, 1, PATTERN_NOISE, 0, 255},         {5, 3, PATTERN_CORNERS, 0, 0},
    {4, 9, PATTERN_NOISE, 0, 255},         {8, 8, PATTERN_MAXIMUM, 0, 0},
    {8, 8, PATTERN_NOISE, 0, 60},          {7, 11, PATTERN_NOISE, 0, 255},
    {13, 5, PATTERN_ROWS_COLUMNS, 0, 0},   {16, 16, PATTERN_ZEROS, 0, 0},
    {16, 16, PATTERN_NOISE, 100, 255},     {31, 7, PATTERN_POINT, 0, 0},
    {32, 8, PATTERN_NOISE, 0, 120},        {32, 32, PATTERN_CORNERS, 0, 0},
    {33, 17, PATTERN_NOISE, 0, 255},       {33, 33, PATTERN_ROWS_COLUMNS, 0, 0},
    {37, 41, PATTERN_SCENE, 0, 0},         {61, 1, PATTERN_MAXIMUM, 0, 0},
    {1, 61, PATTERN_NOISE, 0, 255},        {64, 4, PATTERN_NOISE, 0, 255},
    {64, 64, PATTERN_SCENE, 0, 0},         {65, 17, PATTERN_NOISE, 0, 30},
    {67, 71, PATTERN_ROWS_COLUMNS, 0, 0},  {97, 65, PATTERN_SCENE, 0, 0},
    {100, 3, PATTERN_NOISE, 0, 255},       {119, 40, PATTERN_NOISE, 0, 255},
    {120, 33, PATTERN_SCENE, 0, 0},        {121, 32, PATTERN_NOISE, 0, 90},
    {127, 31, PATTERN_NOISE, 0, 255},      {128, 16, PATTERN_MAXIMUM, 0, 0},
    {129, 34, PATTERN_SCENE, 0, 0},        {5, 131, PATTERN_NOISE, 0, 255},
    {136, 10, PATTERN_ROWS_COLUMNS, 0, 0}, {240, 48, PATTERN_NOISE, 0, 255},
    {255, 17, PATTERN_NOISE, 0, 200},      {257, 31, PATTERN_SCENE, 0, 0},
    {320, 128, PATTERN_SCENE, 0, 0},       {333, 37, PATTERN_ROWS_COLUMNS, 0, 0},
    {9, 721, PATTERN_SCENE, 0, 0},         {721, 9, PATTERN_NOISE, 0, 255},
    {33000, 1, PATTERN_NOISE, 0, 255},     {192, 144, PATTERN_TIES, 0, 0},
    {193, 97, PATTERN_TIES, 0, 0},
};

static void get_case(unsigned index, const struct draw_key *key, struct problem_case *c) {
    *c = (struct problem_case){.size = {cases[index].width, cases[index].height},
                               .key = draw_for(key, "case %u", index),
                               .number = index,
                               .pattern = cases[index].pattern,
                               .low = cases[index].low,
                               .high = cases[index].high};
    image_name_case(c);
}

static void draw_case(const struct draw_key *key, struct problem_case *c) {
    static const enum problem_pattern patterns[] = {PATTERN_NOISE, PATTERN_SCENE, PATTERN_ROWS_COLUMNS,
                                                    PATTERN_CORNERS};
    struct draw draw;
    draw_begin(&draw, key);
    int64_t size[2];
    image_draw_size(&draw, size);
    unsigned low = (unsigned)draw_below(&draw, 200);
    *c = (struct problem_case){.size = {size[0], size[1]},
                               .key = *key,
                               .pattern = patterns[draw_below(&draw, 4)],
                               .low = (uint8_t)low,
                               .high = (uint8_t)(low + draw_below(&draw, 256 - low))};
    image_name_case(c);
}

static void layout(const struct problem_case *c, struct problem_layout *l) {
    uint64_t width = (uint64_t)c->size[EDGE_WIDTH], height = (uint64_t)c->size[EDGE_HEIGHT],
             pixels = width * height,
             plane = (pixels + EDGE_PLANE_ALIGN - 1) / EDGE_PLANE_ALIGN * EDGE_PLANE_ALIGN;
    *l = (struct problem_layout){
        .input_count = 1,
        .output_count = 2,
        .scratch = true,
        .bytes = {pixels * EDGE_CHANNELS, pixels, plane * EDGE_PLANES},
        .shape = {
            {"src", "pixel", SHAPE_ROWS, EDGE_CHANNELS, 0, width, height, .pitch = width},
            {"dst", "pixel", SHAPE_ROWS, 1, 0, width, height, .pitch = width},
            {"scratch", "byte", SHAPE_TABLE, 1, 0, plane, EDGE_PLANES, plane, 1, {"plane", "-", "pixel"}}}};
}

/* ---- inputs: alpha is drawn, wherever it is not the scene's: it must not matter */

static void set_pixel(uint8_t *pixels, int64_t i, unsigned red, unsigned green, unsigned blue) {
    pixels[EDGE_CHANNELS * i] = (uint8_t)red;
    pixels[EDGE_CHANNELS * i + 1] = (uint8_t)green;
    pixels[EDGE_CHANNELS * i + 2] = (uint8_t)blue;
}

/* A level for each column, 0 .. 159, and one for each row, 0 .. 95, added; the colours differ by what is drawn for each. */
static void fill_rows_columns(const struct problem_case *c, uint8_t *pixels) {
    struct draw_key column_key = draw_for(&c->key, "columns"), row_key = draw_for(&c->key, "rows");
    int64_t width = c->size[EDGE_WIDTH], height = c->size[EDGE_HEIGHT];
    struct draw rows;
    draw_begin(&rows, &row_key);
    for (int64_t y = 0; y < height; y++) {
        unsigned own = draw_byte(&rows) * 96u / 256;
        struct draw columns;
        draw_begin(&columns, &column_key);
        for (int64_t x = 0; x < width; x++) {
            unsigned level = draw_byte(&columns) * 160u / 256 + own, tint = draw_byte(&columns);
            set_pixel(pixels, y * width + x, level, (level + tint) / 2, level / 2 + own);
        }
    }
}

enum { TIE_SQUARE = 12, TIE_NEAR = 10 };

/* A colour whose gray is at most TIE_NEAR millionths off the middle of two levels: 320 of the 2^24 are. In single precision
 * more than a fifth of them come out wrong, and hardly any other colour. */
static void draw_tie(struct draw *draw, uint8_t pixel[EDGE_CHANNELS]) {
    for (;;) {
        uint32_t red = draw_byte(draw), green = draw_byte(draw),
                 sum = EDGE_RED * red + EDGE_GREEN * green + EDGE_ONE / 2 + TIE_NEAR;
        for (uint32_t blue = 0; blue < 256; blue++, sum += EDGE_BLUE)
            if (sum % EDGE_ONE <= 2 * TIE_NEAR) {
                set_pixel(pixel, 0, red, green, blue);
                return;
            }
    }
}

/* Squares of such colours, each beside a square of the same gray without colour: a level that is off by 1 makes an edge where
 * there is none. */
static void fill_ties(const struct problem_case *c, uint8_t *pixels) {
    struct draw draw;
    draw_begin(&draw, &c->key);
    int64_t width = c->size[EDGE_WIDTH], height = c->size[EDGE_HEIGHT];
    for (int64_t top = 0; top < height; top += TIE_SQUARE)
        for (int64_t left = 0; left < width; left += 2 * TIE_SQUARE) {
            uint8_t tie[EDGE_CHANNELS];
            draw_tie(&draw, tie);
            unsigned gray = edge_gray(tie);
            for (int64_t y = top; y < height && y < top + TIE_SQUARE; y++)
                for (int64_t x = left; x < width && x < left + 2 * TIE_SQUARE; x++) {
                    bool plain = x >= left + TIE_SQUARE;
                    set_pixel(pixels, y * width + x, plain ? gray : tie[0], plain ? gray : tie[1],
                              plain ? gray : tie[2]);
                }
        }
}

static void fill_noise(const struct problem_case *c, uint8_t *pixels, size_t bytes) {
    draw_bytes(&c->key, 0, pixels, bytes);
    for (size_t i = 0; i < bytes; i++)
        if (i % EDGE_CHANNELS != EDGE_CHANNELS - 1)
            pixels[i] = (uint8_t)(c->low + pixels[i] * (c->high - c->low + 1u) / 256);
}

static void fill(const struct problem_case *c, void *const inputs[]) {
    uint8_t *pixels = inputs[EDGE_SRC];
    int64_t width = c->size[EDGE_WIDTH], height = c->size[EDGE_HEIGHT], count = width * height;
    if (c->pattern == PATTERN_SCENE) {
        image_draw_scene(pixels, (uint32_t)width, (uint32_t)height, EDGE_CHANNELS, &c->key);
        return;
    }
    fill_noise(c, pixels, (size_t)count * EDGE_CHANNELS);
    if (c->pattern == PATTERN_NOISE)
        return;
    for (int64_t i = 0; i < count; i++) {
        unsigned level = c->pattern == PATTERN_MAXIMUM ? 255
                         : c->pattern == PATTERN_FILE  ? c->picture->pixels[i]
                                                       : 0;
        set_pixel(pixels, i, level, level, level);
    }
    if (c->pattern == PATTERN_POINT)
        set_pixel(pixels, height / 2 * width + width / 2, 255, 180, 90);
    if (c->pattern == PATTERN_CORNERS) {
        set_pixel(pixels, 0, 255, 40, 10);
        set_pixel(pixels, width - 1, 20, 160, 40);
        set_pixel(pixels, (height - 1) * width, 30, 20, 250);
        set_pixel(pixels, count - 1, 240, 240, 240);
    }
    if (c->pattern == PATTERN_ROWS_COLUMNS)
        fill_rows_columns(c, pixels);
    if (c->pattern == PATTERN_TIES)
        fill_ties(c, pixels);
}

/* ---- the oracle */

uint8_t edge_gray(const uint8_t pixel[EDGE_CHANNELS]) {
    return (uint8_t)(((uint32_t)EDGE_RED * pixel[0] + (uint32_t)EDGE_GREEN * pixel[1] +
                      (uint32_t)EDGE_BLUE * pixel[2] + EDGE_ONE / 2) /
                     EDGE_ONE);
}

/* The square root of so small a whole number is right in double to the last bit, so what is cut off is the fraction. */
uint8_t edge_level(int gx, int gy) {
    int square = gx * gx + gy * gy;
    return square >= 255 * 255 ? 255 : (uint8_t)sqrt((double)square);
}

/* From a picture with a frame of zeros around it: row and column 0 of the picture are 1 there. */
static void sobel(const uint8_t *framed, uint8_t *dst, int64_t width, int64_t height) {
    for (int64_t y = 0; y < height; y++) {
        const uint8_t *a = framed + y * (width + 2), *b = a + width + 2, *c = b + width + 2;
        for (int64_t x = 0; x < width; x++)
            dst[y * width + x] = edge_level(a[x + 2] + 2 * b[x + 2] + c[x + 2] - a[x] - 2 * b[x] - c[x],
                                            a[x] + 2 * a[x + 1] + a[x + 2] - c[x] - 2 * c[x + 1] - c[x + 2]);
    }
}

bool edge_oracle(const uint8_t *src, uint8_t *dst, int64_t width, int64_t height) {
    size_t count = (size_t)width * (size_t)height;
    uint8_t *gray = malloc(count), *framed = calloc((size_t)(width + 2) * (size_t)(height + 2), 1);
    bool right = gray != NULL && framed != NULL;
    for (size_t i = 0; right && i < count; i++)
        gray[i] = edge_gray(src + EDGE_CHANNELS * i);
    right = right && gaussian_oracle(gray, dst, width, height);
    if (right) {
        for (int64_t y = 0; y < height; y++)
            memcpy(framed + (y + 1) * (width + 2) + 1, dst + y * width, (size_t)width);
        sobel(framed, dst, width, height);
    }
    free(gray);
    free(framed);
    return right;
}

static bool solve(const struct problem_case *c, const void *const inputs[], void *const outputs[]) {
    return edge_oracle(inputs[0], outputs[0], c->size[EDGE_WIDTH], c->size[EDGE_HEIGHT]);
}

/* Gray: 3 multiply-adds; the Gaussian 49, or less where it is taken apart; Sobel 12 and 2 for the squares. */
static void work(const struct problem_case *c, struct problem_work *w) {
    double pixels = (double)c->size[EDGE_WIDTH] * (double)c->size[EDGE_HEIGHT];
    *w = (struct problem_work){.bytes = (EDGE_CHANNELS + 1) * pixels,
                               .operations = 2 * (3 + 49 + 12 + 2) * pixels,
                               .elements = pixels};
}

static void picture(const struct problem_case *c, struct problem_picture *p) {
    size_t width = (size_t)c->size[EDGE_WIDTH];
    *p = (struct problem_picture){.width = (uint32_t)width,
                                  .height = (uint32_t)c->size[EDGE_HEIGHT],
                                  .input_channels = EDGE_CHANNELS,
                                  .input_pitch = width * EDGE_CHANNELS,
                                  .output_pitch = width};
}

const struct problem problem_edge_pipeline = {
    .function = "edge_pipeline",
    .element = "pixel",
    .criterion = "bit for bit",
    .place = "(x, y)",
    .size_names = {[EDGE_WIDTH] = "width", [EDGE_HEIGHT] = "height"},
    PROBLEM_FUNCTIONS,
    .part_count = 1,
    .timed_case = image_timed_case,
    .compare = compare_image,
    .wrong = &wrong_edge,
    .picture = picture,
};
