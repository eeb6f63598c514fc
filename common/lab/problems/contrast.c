/* Lab 5: cases, inputs and oracle of the contrast stretch. How an answer is judged: compare_contrast.c. */
#include "lab/problems/contrast.h"
#include "lab/problems/compare_image.h"
#include "lab/problems/diagnosis/wrong_oracle.h"

#include <stdlib.h>
#include <string.h>

/* The smallest first. pad: bytes between the rows; start: bytes before the image. `low` and `high` bound the
 * levels of noise. The first cases show one trap each: levels above 127, gaps between the rows, one level
 * only. CORNERS: with low above 0 the brightest pixel comes first. The last are longer than a
 * grid is high. */
static const struct {
    uint32_t width, height;
    uint8_t src_pad, dst_pad, src_start, dst_start, pattern, low, high;
} cases[] = {
    {8, 8, 0, 0, 0, 0, PATTERN_NOISE, 20, 110},       {8, 8, 0, 0, 0, 0, PATTERN_NOISE, 90, 200},
    {16, 8, 16, 16, 0, 0, PATTERN_NOISE, 90, 200},    {1, 1, 0, 0, 0, 0, PATTERN_NOISE, 77, 77},
    {2, 1, 0, 0, 0, 0, PATTERN_NOISE, 0, 255},        {1, 2, 3, 5, 0, 0, PATTERN_NOISE, 0, 255},
    {16, 16, 0, 0, 0, 0, PATTERN_ZEROS, 0, 0},        {16, 16, 0, 0, 0, 0, PATTERN_MAXIMUM, 0, 0},
    {16, 16, 8, 8, 0, 0, PATTERN_NOISE, 130, 130},    {16, 16, 0, 0, 0, 0, PATTERN_POINT, 0, 0},
    {32, 32, 0, 0, 0, 0, PATTERN_CORNERS, 0, 0},      {33, 17, 15, 31, 0, 0, PATTERN_CORNERS, 0, 0},
    {64, 32, 0, 0, 0, 0, PATTERN_ROWS_COLUMNS, 0, 0}, {31, 7, 1, 2, 0, 0, PATTERN_NOISE, 100, 103},
    {7, 31, 9, 0, 0, 0, PATTERN_NOISE, 3, 252},       {1, 61, 15, 3, 0, 0, PATTERN_NOISE, 10, 240},
    {61, 1, 0, 0, 0, 0, PATTERN_NOISE, 10, 240},      {64, 64, 0, 0, 0, 0, PATTERN_NOISE, 0, 255},
    {64, 64, 0, 0, 1, 0, PATTERN_NOISE, 5, 171},      {64, 64, 0, 0, 0, 1, PATTERN_NOISE, 5, 171},
    {64, 64, 64, 0, 0, 0, PATTERN_NOISE, 60, 210},    {64, 64, 0, 64, 0, 0, PATTERN_NOISE, 60, 210},
    {65, 33, 15, 15, 3, 7, PATTERN_NOISE, 40, 220},   {128, 16, 128, 128, 0, 0, PATTERN_CORNERS, 0, 0},
    {100, 100, 28, 28, 4, 8, PATTERN_SCENE, 0, 0},    {129, 65, 0, 0, 0, 0, PATTERN_CORNERS, 0, 0},
    {255, 31, 1, 1, 0, 0, PATTERN_NOISE, 1, 254},     {256, 64, 0, 0, 16, 32, PATTERN_SCENE, 0, 0},
    {320, 200, 64, 0, 0, 0, PATTERN_SCENE, 0, 0},     {333, 77, 51, 179, 0, 0, PATTERN_ROWS_COLUMNS, 0, 0},
    {509, 13, 3, 3, 2, 2, PATTERN_NOISE, 70, 190},    {9, 1021, 7, 0, 0, 0, PATTERN_NOISE, 70, 190},
    {1021, 9, 3, 11, 0, 0, PATTERN_CORNERS, 0, 0},    {600, 401, 40, 40, 0, 0, PATTERN_SCENE, 0, 0},
    {32, 8, 0, 0, 0, 0, PATTERN_NOISE, 40, 170},      {5, 48, 0, 0, 0, 0, PATTERN_NOISE, 60, 200},
    {48, 5, 0, 0, 0, 0, PATTERN_CORNERS, 255, 0},     {70000, 1, 0, 0, 0, 0, PATTERN_NOISE, 30, 220},
    {1, 70000, 0, 0, 0, 0, PATTERN_NOISE, 30, 220},
};

/* The name says what is particular to the case. */
static void finish(struct problem_case *c) {
    const int64_t *s = c->size;
    bool gaps = s[CONTRAST_SRC_PITCH] > s[CONTRAST_WIDTH] || s[CONTRAST_DST_PITCH] > s[CONTRAST_WIDTH];
    const char *levels = c->pattern == PATTERN_ZEROS || c->pattern == PATTERN_MAXIMUM ? ", one level" : "";
    snprintf(c->name, sizeof c->name, "%u x %u%s%s%s", (unsigned)s[CONTRAST_WIDTH] % 1000000,
             (unsigned)s[CONTRAST_HEIGHT] % 1000000, levels, gaps ? ", gaps" : "",
             s[CONTRAST_SRC_START] + s[CONTRAST_DST_START] > 0 ? ", unaligned" : "");
}

static void get_case(unsigned index, const struct draw_key *key, struct problem_case *c) {
    int64_t width = cases[index].width;
    *c = (struct problem_case){.size = {width, cases[index].height, width + cases[index].src_pad,
                                        width + cases[index].dst_pad, cases[index].src_start,
                                        cases[index].dst_start},
                               .key = draw_for(key, "case %u", index),
                               .number = index,
                               .pattern = cases[index].pattern,
                               .low = cases[index].low,
                               .high = cases[index].high};
    finish(c);
}

static void draw_case(const struct draw_key *key, struct problem_case *c) {
    static const enum problem_pattern patterns[] = {PATTERN_NOISE, PATTERN_NOISE, PATTERN_SCENE,
                                                    PATTERN_ROWS_COLUMNS};
    struct draw draw;
    draw_begin(&draw, key);
    int64_t size[2];
    image_draw_size(&draw, size);
    int64_t w = size[0];
    unsigned low = (unsigned)draw_below(&draw, 200);
    *c = (struct problem_case){.size = {w, size[1], w + (int64_t)draw_below(&draw, 65),
                                        w + (int64_t)draw_below(&draw, 65), (int64_t)draw_below(&draw, 17),
                                        (int64_t)draw_below(&draw, 17)},
                               .key = *key,
                               .pattern = patterns[draw_below(&draw, 4)],
                               .low = (uint8_t)low,
                               .high = (uint8_t)(low + draw_below(&draw, 256 - low))};
    finish(c);
}

/* Rows as cudaMallocPitch lays them out: at multiples of 512 bytes. */
static void timed_case(unsigned part, uint32_t width, uint32_t height, const struct draw_key *key,
                       struct problem_case *c) {
    (void)part;
    int64_t pitch = ((int64_t)width + 511) / 512 * 512;
    *c = (struct problem_case){.size = {width, height, pitch, pitch}, .key = *key, .pattern = PATTERN_SCENE};
    finish(c);
}

/* A buffer ends with the last pixel: what would follow it belongs to nobody. */
static size_t span(int64_t start, int64_t width, int64_t height, int64_t pitch) {
    return (size_t)(start + (height - 1) * pitch + width);
}

static void layout(const struct problem_case *c, struct problem_layout *l) {
    const int64_t *s = c->size;
    *l = (struct problem_layout){.input_count = 1, .output_count = 2, .scratch = true};
    l->bytes[CONTRAST_SRC] =
        span(s[CONTRAST_SRC_START], s[CONTRAST_WIDTH], s[CONTRAST_HEIGHT], s[CONTRAST_SRC_PITCH]);
    l->bytes[CONTRAST_DST] =
        span(s[CONTRAST_DST_START], s[CONTRAST_WIDTH], s[CONTRAST_HEIGHT], s[CONTRAST_DST_PITCH]);
    l->bytes[CONTRAST_SCRATCH] = CONTRAST_SCRATCH_BYTES;
    uint64_t width = (uint64_t)s[CONTRAST_WIDTH], height = (uint64_t)s[CONTRAST_HEIGHT];
    uint64_t src_start = (uint64_t)s[CONTRAST_SRC_START], src_pitch = (uint64_t)s[CONTRAST_SRC_PITCH],
             dst_start = (uint64_t)s[CONTRAST_DST_START], dst_pitch = (uint64_t)s[CONTRAST_DST_PITCH];
    l->shape[CONTRAST_SRC] =
        (struct buffer_shape){"src", "pixel", SHAPE_ROWS, 1, src_start, width, height, .pitch = src_pitch};
    l->shape[CONTRAST_DST] =
        (struct buffer_shape){"dst", "pixel", SHAPE_ROWS, 1, dst_start, width, height, .pitch = dst_pitch};
    l->shape[CONTRAST_SCRATCH] = (struct buffer_shape){
        "scratch", "byte", SHAPE_VECTOR, 1, 0, CONTRAST_SCRATCH_BYTES, 1, .pitch = CONTRAST_SCRATCH_BYTES};
    l->expected_bytes = (size_t)s[CONTRAST_WIDTH] * (size_t)s[CONTRAST_HEIGHT];
}

/* A row of random levels, low .. low + levels - 1. */
static void fill_noise(const struct draw_key *key, int64_t y, int64_t width, unsigned low, unsigned levels,
                       uint8_t *row) {
    uint64_t whole = ((uint64_t)width + 63) / 64 * 64; /* each row from a block of the stream on */
    draw_bytes(key, (uint64_t)y * whole, row, (size_t)width);
    for (int64_t x = 0; x < width; x++)
        row[x] = (uint8_t)(low + row[x] * levels / 256);
}

/* One row of a pattern that is made row by row. */
static void fill_row(const struct problem_case *c, int64_t y, uint8_t *row) {
    int64_t width = c->size[CONTRAST_WIDTH], height = c->size[CONTRAST_HEIGHT];
    struct draw_key below;
    switch (c->pattern) {
    case PATTERN_TIES: /* of colours alone */
    case PATTERN_NOISE: fill_noise(&c->key, y, width, c->low, c->high - c->low + 1u, row); break;
    case PATTERN_ZEROS: memset(row, 0, (size_t)width); break;
    case PATTERN_MAXIMUM: memset(row, 255, (size_t)width); break;
    case PATTERN_POINT: /* a range of 1 */
        memset(row, 100, (size_t)width);
        if (y == height / 2)
            row[width / 2] = 101;
        break;
    case PATTERN_CORNERS: /* the darkest pixel is the first, the brightest the last, or the other way round */
        fill_noise(&c->key, y, width, 80, 100, row);
        if (y == 0)
            row[0] = c->low == 0 ? 41 : 213;
        if (y == height - 1)
            row[width - 1] = c->low == 0 ? 213 : 41;
        break;
    case PATTERN_ROWS_COLUMNS: /* 30 .. 224: a level for each column, one for each row */
        below = draw_for(&c->key, "row %lld", (long long)y);
        fill_noise(&c->key, 0, width, 30u + below.bytes[0] * 96u / 256, 100, row);
        break;
    case PATTERN_SCENE:
    case PATTERN_FILE: break; /* drawn as a whole */
    }
}

/* The least level and the greatest into one pixel each, at places that are drawn: who has not looked at every pixel does
 * not know where they are. The least, where there is only one pixel. */
static void place_levels(const struct problem_case *c, unsigned low, unsigned high, uint8_t *image) {
    uint64_t width = (uint64_t)c->size[CONTRAST_WIDTH], pixels = width * (uint64_t)c->size[CONTRAST_HEIGHT],
             pitch = (uint64_t)c->size[CONTRAST_SRC_PITCH];
    struct draw_key key = draw_for(&c->key, "places");
    struct draw draw;
    draw_begin(&draw, &key);
    uint64_t darkest = draw_below(&draw, pixels), brightest = pixels > 1 ? draw_below(&draw, pixels - 1) : 0;
    brightest += brightest >= darkest; /* any but the darkest */
    if (pixels > 1)
        image[brightest / width * pitch + brightest % width] = (uint8_t)high;
    image[darkest / width * pitch + darkest % width] = (uint8_t)low;
}

/* The scene without gaps, dull: its levels pressed together, to between two that are drawn. One pixel has the least
 * level and one the greatest. */
static void spread_scene(const struct problem_case *c, uint8_t *image) {
    size_t width = (size_t)c->size[CONTRAST_WIDTH], height = (size_t)c->size[CONTRAST_HEIGHT],
           pitch = (size_t)c->size[CONTRAST_SRC_PITCH];
    struct draw_key scene = draw_for(&c->key, "scene"), levels = draw_for(&c->key, "levels");
    struct draw draw;
    draw_begin(&draw, &levels);
    unsigned low = 20 + (unsigned)draw_below(&draw, 60), high = 140 + (unsigned)draw_below(&draw, 90);
    uint8_t pressed[256];
    for (unsigned i = 0; i < 256; i++)
        pressed[i] = (uint8_t)(low + 1 + i * (high - low - 2) / 255);
    image_draw_scene(image, (uint32_t)width, (uint32_t)height, 1, &scene);
    for (size_t i = 0; i < width * height; i++)
        image[i] = pressed[image[i]];
    for (size_t y = height; y-- > 1;) /* from the last row on, so that nothing is overwritten unread */
        memmove(image + y * pitch, image + y * width, width);
    place_levels(c, low, high, image);
}

/* Before the image and between its rows stand 0 and 255: whoever looks there finds another range. */
static void fill(const struct problem_case *c, void *const inputs[]) {
    const int64_t *s = c->size;
    uint8_t *buffer = inputs[0], *image = buffer + s[CONTRAST_SRC_START];
    int64_t width = s[CONTRAST_WIDTH], height = s[CONTRAST_HEIGHT], pitch = s[CONTRAST_SRC_PITCH];
    if (c->pattern == PATTERN_SCENE)
        spread_scene(c, image);
    for (int64_t y = 0; y < height; y++) {
        uint8_t *row = image + y * pitch;
        if (c->pattern == PATTERN_FILE)
            memcpy(row, c->picture->pixels + y * width, (size_t)width);
        else
            fill_row(c, y, row);
        for (int64_t x = width; x < pitch && y < height - 1; x++)
            row[x] = x % 2 != 0 ? 255 : 0;
    }
    if (c->pattern == PATTERN_NOISE) /* both levels are there, however few pixels there are */
        place_levels(c, c->low, c->high, image);
    for (int64_t i = 0; i < s[CONTRAST_SRC_START]; i++)
        buffer[i] = i % 2 != 0 ? 255 : 0;
}

uint8_t contrast_level(unsigned value, unsigned low, unsigned high) {
    unsigned range = high - low;
    return (uint8_t)(range == 0 ? value : (2 * 255 * (value - low) + range) / (2 * range));
}

void contrast_oracle(const struct problem_case *c, const uint8_t *src, uint8_t *dst) {
    const int64_t *s = c->size;
    size_t width = (size_t)s[CONTRAST_WIDTH], height = (size_t)s[CONTRAST_HEIGHT],
           pitch = (size_t)s[CONTRAST_SRC_PITCH];
    const uint8_t *image = src + s[CONTRAST_SRC_START];
    uint8_t level[256] = {0};
    unsigned low = 255, high = 0;
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++) {
            unsigned value = image[y * pitch + x];
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
    for (unsigned value = low; value <= high; value++)
        level[value] = contrast_level(value, low, high);
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++)
            dst[y * width + x] = level[image[y * pitch + x]];
}

static bool solve(const struct problem_case *c, const void *const inputs[], void *const outputs[]) {
    contrast_oracle(c, inputs[0], outputs[0]);
    return true;
}

static void compare(const struct problem_case *c, const void *const expected[], const void *const got[],
                    uint8_t poison, struct problem_verdict *verdict) {
    compare_contrast(c, expected[0], got[0], poison, verdict);
}

static void work(const struct problem_case *c, struct problem_work *w) {
    double pixels = (double)c->size[CONTRAST_WIDTH] * (double)c->size[CONTRAST_HEIGHT];
    *w = (struct problem_work){.bytes = 2 * pixels, .operations = 4 * pixels, .elements = pixels};
}

static void picture(const struct problem_case *c, struct problem_picture *p) {
    *p = (struct problem_picture){.width = (uint32_t)c->size[CONTRAST_WIDTH],
                                  .height = (uint32_t)c->size[CONTRAST_HEIGHT],
                                  .input_start = (size_t)c->size[CONTRAST_SRC_START],
                                  .input_pitch = (size_t)c->size[CONTRAST_SRC_PITCH],
                                  .output_start = (size_t)c->size[CONTRAST_DST_START],
                                  .output_pitch = (size_t)c->size[CONTRAST_DST_PITCH]};
}

const struct problem problem_contrast = {
    .function = "contrast",
    .cpu_function = "contrast_cpu",
    .element = "pixel",
    .criterion = "bit for bit",
    .place = "(x, y)",
    .size_names = {[CONTRAST_WIDTH] = "width", [CONTRAST_HEIGHT] = "height"},
    .table_bytes = 256 * sizeof(int), /* what a histogram makes of each level */
    PROBLEM_FUNCTIONS,
    .part_count = 1,
    .timed_case = timed_case,
    .compare = compare,
    .wrong = &wrong_contrast,
    .picture = picture,
};
