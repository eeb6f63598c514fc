/* The Gaussian of labs 1 to 3: cases, inputs and oracle. How an answer is judged: compare_image.c. */
#include "lab/problems/gaussian_blur.h"
#include "lab/problems/compare_image.h"
#include "lab/problems/diagnosis/wrong_oracle.h"

#include <stdlib.h>
#include <string.h>

/* What must come out right, the smallest first, so that the first failure is the easiest to look at. Sizes:
 * one pixel, narrower or lower than the filter, odd, prime, just below, at and above blocks and warps, long
 * and thin both ways; a row longer than 16 bits with a sign can count. */
static const struct {
    uint16_t width, height;
    uint8_t pattern;
} cases[] = {
    {16, 16, PATTERN_POINT},         {1, 1, PATTERN_MAXIMUM},         {1, 1, PATTERN_NOISE},
    {2, 2, PATTERN_NOISE},           {3, 3, PATTERN_MAXIMUM},         {1, 7, PATTERN_NOISE},
    {7, 1, PATTERN_NOISE},           {5, 3, PATTERN_CORNERS},         {4, 9, PATTERN_NOISE},
    {6, 6, PATTERN_MAXIMUM},         {7, 7, PATTERN_POINT},           {8, 8, PATTERN_MAXIMUM},
    {8, 8, PATTERN_ROWS_COLUMNS},    {13, 11, PATTERN_NOISE},         {16, 16, PATTERN_ZEROS},
    {16, 16, PATTERN_MAXIMUM},       {31, 7, PATTERN_POINT},          {32, 2, PATTERN_NOISE},
    {32, 32, PATTERN_CORNERS},       {33, 3, PATTERN_NOISE},          {33, 33, PATTERN_ROWS_COLUMNS},
    {37, 41, PATTERN_SCENE},         {61, 1, PATTERN_MAXIMUM},        {1, 61, PATTERN_MAXIMUM},
    {64, 4, PATTERN_NOISE},          {64, 64, PATTERN_SCENE},         {65, 17, PATTERN_NOISE},
    {67, 71, PATTERN_ROWS_COLUMNS},  {97, 101, PATTERN_SCENE},        {100, 3, PATTERN_NOISE},
    {127, 129, PATTERN_NOISE},       {128, 128, PATTERN_ZEROS},       {128, 128, PATTERN_MAXIMUM},
    {128, 16, PATTERN_NOISE},        {129, 5, PATTERN_SCENE},         {131, 37, PATTERN_NOISE},
    {5, 131, PATTERN_NOISE},         {136, 10, PATTERN_ROWS_COLUMNS}, {255, 17, PATTERN_NOISE},
    {256, 64, PATTERN_SCENE},        {257, 31, PATTERN_NOISE},        {320, 200, PATTERN_SCENE},
    {333, 77, PATTERN_ROWS_COLUMNS}, {509, 13, PATTERN_NOISE},        {1021, 9, PATTERN_SCENE},
    {9, 1021, PATTERN_SCENE},        {640, 96, PATTERN_NOISE},        {600, 401, PATTERN_SCENE},
    {33000, 1, PATTERN_NOISE},
};

static void get_case(unsigned index, const struct draw_key *key, struct problem_case *c) {
    *c = (struct problem_case){.size = {cases[index].width, cases[index].height},
                               .key = draw_for(key, "case %u", index),
                               .number = index,
                               .pattern = cases[index].pattern};
    image_name_case(c);
}

static void draw_case(const struct draw_key *key, struct problem_case *c) {
    static const enum problem_pattern patterns[] = {PATTERN_NOISE, PATTERN_SCENE, PATTERN_ROWS_COLUMNS,
                                                    PATTERN_CORNERS};
    struct draw draw;
    draw_begin(&draw, key);
    int64_t size[2];
    image_draw_size(&draw, size);
    *c = (struct problem_case){
        .size = {size[0], size[1]}, .key = *key, .pattern = patterns[draw_below(&draw, 4)]};
    image_name_case(c);
}

static void layout(const struct problem_case *c, struct problem_layout *l) {
    uint64_t width = (uint64_t)c->size[GAUSSIAN_WIDTH], height = (uint64_t)c->size[GAUSSIAN_HEIGHT];
    *l =
        (struct problem_layout){.input_count = 1,
                                .output_count = 1,
                                .bytes = {width * height, width * height},
                                .shape = {{"src", "pixel", SHAPE_ROWS, 1, 0, width, height, .pitch = width},
                                          {"dst", "pixel", SHAPE_ROWS, 1, 0, width, height, .pitch = width}}};
}

/* A level for each column, 0 .. 159, and one for each row, 0 .. 95, added. */
static void fill_rows_columns(const struct problem_case *c, uint8_t *pixels) {
    struct draw_key column_key = draw_for(&c->key, "columns"), row_key = draw_for(&c->key, "rows");
    int64_t width = c->size[GAUSSIAN_WIDTH], height = c->size[GAUSSIAN_HEIGHT];
    struct draw rows;
    draw_begin(&rows, &row_key);
    for (int64_t y = 0; y < height; y++) {
        uint8_t *row = pixels + y * width;
        unsigned own = draw_byte(&rows) * 96u / 256;
        draw_bytes(&column_key, 0, row, (size_t)width);
        for (int64_t x = 0; x < width; x++)
            row[x] = (uint8_t)(row[x] * 160u / 256 + own);
    }
}

static void fill(const struct problem_case *c, void *const inputs[]) {
    uint8_t *pixels = inputs[0];
    int64_t width = c->size[GAUSSIAN_WIDTH], height = c->size[GAUSSIAN_HEIGHT];
    size_t count = (size_t)width * (size_t)height;
    switch (c->pattern) {
    case PATTERN_SCENE: image_draw_scene(pixels, (uint32_t)width, (uint32_t)height, 1, &c->key); break;
    case PATTERN_TIES: /* of colours alone */
    case PATTERN_NOISE: draw_bytes(&c->key, 0, pixels, count); break;
    case PATTERN_ZEROS: memset(pixels, 0, count); break;
    case PATTERN_MAXIMUM: memset(pixels, 255, count); break;
    case PATTERN_POINT:
        memset(pixels, 0, count);
        pixels[(height / 2) * width + width / 2] = 255;
        break;
    case PATTERN_CORNERS:
        memset(pixels, 0, count);
        pixels[0] = 255;
        pixels[width - 1] = 160;
        pixels[(height - 1) * width] = 96;
        pixels[count - 1] = 240;
        break;
    case PATTERN_ROWS_COLUMNS: fill_rows_columns(c, pixels); break;
    case PATTERN_FILE: memcpy(pixels, c->picture->pixels, count); break;
    }
}

/* One pass of 1 2 3 4 3 2 1 along `count` values `stride` apart, zero outside. */
static const uint32_t weights[2 * GAUSSIAN_RADIUS + 1] = {1, 2, 3, 4, 3, 2, 1};

bool gaussian_oracle(const uint8_t *input, uint8_t *output, int64_t width, int64_t height) {
    /* The weights are an outer product: filter the rows, then the columns of that. Sums are at most 255 *
     * 256. */
    uint16_t *rows = malloc((size_t)width * (size_t)height * sizeof *rows);
    uint32_t *sum = malloc((size_t)width * sizeof *sum);
    bool right = rows != NULL && sum != NULL;
    for (int64_t y = 0; right && y < height; y++)
        for (int64_t x = 0; x < width; x++) {
            uint32_t total = 0;
            for (int k = -GAUSSIAN_RADIUS; k <= GAUSSIAN_RADIUS; k++)
                if (x + k >= 0 && x + k < width)
                    total += weights[k + GAUSSIAN_RADIUS] * input[y * width + x + k];
            rows[y * width + x] = (uint16_t)total;
        }
    for (int64_t y = 0; right && y < height; y++) {
        memset(sum, 0, (size_t)width * sizeof *sum);
        for (int k = -GAUSSIAN_RADIUS; k <= GAUSSIAN_RADIUS; k++) {
            if (y + k < 0 || y + k >= height)
                continue;
            const uint16_t *row = rows + (y + k) * width;
            for (int64_t x = 0; x < width; x++)
                sum[x] += weights[k + GAUSSIAN_RADIUS] * row[x];
        }
        for (int64_t x = 0; x < width; x++)
            output[y * width + x] = (uint8_t)(sum[x] / 256);
    }
    free(rows);
    free(sum);
    return right;
}

static bool solve(const struct problem_case *c, const void *const inputs[], void *const outputs[]) {
    return gaussian_oracle(inputs[0], outputs[0], c->size[GAUSSIAN_WIDTH], c->size[GAUSSIAN_HEIGHT]);
}

static void work(const struct problem_case *c, struct problem_work *w) {
    double pixels = (double)c->size[GAUSSIAN_WIDTH] * (double)c->size[GAUSSIAN_HEIGHT];
    *w = (struct problem_work){.bytes = 2 * pixels, .operations = 2 * 49 * pixels, .elements = pixels};
}

static void picture(const struct problem_case *c, struct problem_picture *p) {
    size_t width = (size_t)c->size[GAUSSIAN_WIDTH];
    *p = (struct problem_picture){.width = (uint32_t)width,
                                  .height = (uint32_t)c->size[GAUSSIAN_HEIGHT],
                                  .input_pitch = width,
                                  .output_pitch = width};
}

const struct problem problem_gaussian_blur = {
    .function = "gaussian_blur",
    .element = "pixel",
    .criterion = "bit for bit",
    .place = "(x, y)",
    .size_names = {[GAUSSIAN_WIDTH] = "width", [GAUSSIAN_HEIGHT] = "height"},
    PROBLEM_FUNCTIONS,
    .part_count = 1,
    .timed_case = image_timed_case,
    .compare = compare_image,
    .wrong = &wrong_blur,
    .picture = picture,
};
