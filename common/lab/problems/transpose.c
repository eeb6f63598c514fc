/* Lab 12: cases, inputs and oracle of a transposition, and how an answer is judged: bit for bit, and what lies before the
 * matrix must stay as it was. */
#include "lab/problems/transpose.h"
#include "base/parallel.h"
#include "lab/problems/diagnosis/wrong_oracle.h"

#include <string.h>

/* The smallest first. A row or a column alone; just below, at and above tiles of 16, 32 and 64; multiples of 4 on one side
 * only, on both and on none; matrices that do not start at a multiple of 16 bytes; thousands of rows or of columns. */
static const struct {
    uint16_t width, height;
    uint8_t shift_src, shift_dst;
} cases[] = {
    {3, 2, 0, 0},     {1, 1, 0, 0},      {2, 3, 0, 0},     {1, 7, 0, 0},     {7, 1, 0, 0},
    {4, 4, 0, 0},     {0, 5, 0, 0},      {5, 0, 0, 0},     {4, 8, 0, 0},     {8, 4, 0, 0},
    {6, 8, 0, 0},     {8, 6, 0, 0},      {16, 16, 0, 0},   {17, 15, 0, 0},   {32, 32, 0, 0},
    {31, 33, 0, 0},   {33, 31, 0, 0},    {32, 64, 0, 0},   {64, 32, 0, 0},   {32, 32, 1, 0},
    {32, 32, 0, 2},   {40, 48, 3, 1},    {64, 64, 0, 0},   {63, 65, 0, 0},   {65, 63, 0, 0},
    {100, 36, 0, 0},  {36, 100, 0, 0},   {68, 96, 0, 1},   {97, 128, 0, 0},  {128, 97, 0, 0},
    {128, 128, 0, 0}, {130, 66, 0, 0},   {129, 127, 2, 3}, {255, 257, 0, 0}, {256, 320, 0, 0},
    {1, 5000, 0, 0},  {5000, 1, 0, 0},   {40000, 3, 0, 0}, {3, 40000, 0, 0}, {500, 333, 0, 0},
    {333, 500, 0, 0}, {1021, 509, 0, 0},
};

static void finish(struct problem_case *c) {
    const int64_t *s = c->size;
    c->pattern = PATTERN_NOISE;
    snprintf(c->name, sizeof c->name, "%u x %u%s", (unsigned)s[TRANSPOSE_WIDTH],
             (unsigned)s[TRANSPOSE_HEIGHT],
             s[TRANSPOSE_SHIFT_SRC] + s[TRANSPOSE_SHIFT_DST] > 0 ? ", unaligned" : "");
}

static void get_case(unsigned index, const struct draw_key *key, struct problem_case *c) {
    *c = (struct problem_case){
        .size = {cases[index].width, cases[index].height, cases[index].shift_src, cases[index].shift_dst},
        .key = draw_for(key, "case %u", index),
        .number = index};
    finish(c);
}

static void draw_case(const struct draw_key *key, struct problem_case *c) {
    struct draw draw;
    draw_begin(&draw, key);
    int64_t step = draw_below(&draw, 3) == 0 ? 4 : 1, width = 1 + (int64_t)draw_below(&draw, 300),
            height = 1 + (int64_t)draw_below(&draw, (uint64_t)(60000 / width));
    bool high = draw_below(&draw, 2) == 1, shifted = draw_below(&draw, 4) == 0;
    *c = (struct problem_case){.key = *key};
    for (int i = 0; i < 2; i++) {
        int64_t size = high == (i == 0) ? height : width;
        c->size[TRANSPOSE_WIDTH + i] = (size + step - 1) / step * step;
        c->size[TRANSPOSE_SHIFT_SRC + i] = shifted ? (int64_t)draw_below(&draw, 4) : 0;
    }
    finish(c);
}

static void timed_case(unsigned part, uint32_t width, uint32_t height, const struct draw_key *key,
                       struct problem_case *c) {
    (void)part;
    *c = (struct problem_case){.size = {width, height}, .key = *key};
    finish(c);
}

/* A buffer is never empty, and what is added to make it so belongs to no matrix. */
static void layout(const struct problem_case *c, struct problem_layout *l) {
    static const char *const names[TRANSPOSE_BUFFERS] = {"src", "dst"};
    const int64_t *s = c->size;
    *l = (struct problem_layout){.input_count = 1, .output_count = 1};
    for (int i = 0; i < TRANSPOSE_BUFFERS; i++) {
        int64_t shift = s[TRANSPOSE_SHIFT_SRC + i], count = shift + s[TRANSPOSE_WIDTH] * s[TRANSPOSE_HEIGHT];
        uint64_t length = (uint64_t)s[i == TRANSPOSE_SRC ? TRANSPOSE_WIDTH : TRANSPOSE_HEIGHT],
                 lines = (uint64_t)s[i == TRANSPOSE_SRC ? TRANSPOSE_HEIGHT : TRANSPOSE_WIDTH];
        l->bytes[i] = (size_t)(count > 0 ? count : 1) * sizeof(float);
        l->shape[i] = (struct buffer_shape){.element = "float",
                                            .order = SHAPE_TABLE,
                                            .element_bytes = sizeof(float),
                                            .start = (uint64_t)shift * sizeof(float),
                                            .length = length,
                                            .lines = lines,
                                            .pitch = length,
                                            .middle = 1,
                                            .index = {"row", "-", "column"}};
        snprintf(l->shape[i].name, sizeof l->shape[i].name, "%s", names[i]);
    }
}

enum { FILLED_STEP = 1 << 18, SOLVED_STEP = 64 };

struct matrix {
    const struct draw_key *key;
    float *to;
    const float *from;
    int64_t width, height;
};

static void fill_part(void *context, size_t from, size_t to) {
    const struct matrix *m = context;
    draw_floats(m->key, from, m->to + from, to - from);
}

static void fill(const struct problem_case *c, void *const inputs[]) {
    struct problem_layout l;
    struct draw_key key = draw_for(&c->key, "src");
    struct matrix matrix = {.key = &key, .to = inputs[TRANSPOSE_SRC]};
    layout(c, &l);
    parallel_run(l.bytes[TRANSPOSE_SRC] / sizeof(float), FILLED_STEP, fill_part, &matrix);
}

/* Rows [from, to) of dst, a few columns of it at a time. */
static void solve_part(void *context, size_t from, size_t to) {
    const struct matrix *m = context;
    for (int64_t y = 0; y < m->height; y++)
        for (int64_t x = (int64_t)from; x < (int64_t)to; x++)
            m->to[x * m->height + y] = m->from[y * m->width + x];
}

static bool solve(const struct problem_case *c, const void *const inputs[], void *const outputs[]) {
    const int64_t *s = c->size;
    struct matrix matrix = {.from = (const float *)inputs[TRANSPOSE_SRC] + s[TRANSPOSE_SHIFT_SRC],
                            .to = (float *)outputs[0] + s[TRANSPOSE_SHIFT_DST],
                            .width = s[TRANSPOSE_WIDTH],
                            .height = s[TRANSPOSE_HEIGHT]};
    parallel_run((size_t)matrix.width, SOLVED_STEP, solve_part, &matrix);
    return true;
}

/* ---- an answer */

static void list_wrong(struct problem_verdict *v, uint64_t index, const char *where, float got,
                       const char *expected) {
    struct problem_wrong *w = problem_list(v, index);
    if (w == NULL)
        return;
    snprintf(w->where, sizeof w->where, "%s", where);
    snprintf(w->got, sizeof w->got, "%.7g", (double)got);
    snprintf(w->expected, sizeof w->expected, "%s", expected);
}

static void compare_row(const float *got, const float *right, int64_t row, int64_t height, uint64_t index,
                        struct problem_verdict *v) {
    if (memcmp((const uint8_t *)got, (const uint8_t *)right, (size_t)height * sizeof *got) == 0)
        return;
    for (int64_t column = 0; column < height; column++) {
        char where[48], expected[24];
        if (problem_same(got[column], right[column]))
            continue;
        snprintf(where, sizeof where, "(%lld, %lld)", (long long)row, (long long)column);
        snprintf(expected, sizeof expected, "%.7g", (double)right[column]);
        list_wrong(v, index + (uint64_t)column, where, got[column], expected);
    }
}

static void compare(const struct problem_case *c, const void *const expected[], const void *const got[],
                    uint8_t poison, struct problem_verdict *v) {
    const float *right = expected[0], *have = got[0];
    int64_t width = c->size[TRANSPOSE_WIDTH], height = c->size[TRANSPOSE_HEIGHT],
            shift = c->size[TRANSPOSE_SHIFT_DST];
    *v = (struct problem_verdict){.total = (uint64_t)(width * height)};
    int64_t before = shift > 0 || width * height > 0 ? shift : 1;
    for (int64_t i = 0; i < before; i++)
        if (!problem_is_poison(&have[i], sizeof have[i], poison))
            list_wrong(v, (uint64_t)i, "outside dst", have[i], "as before");
    uint64_t outside = v->wrong;
    for (int64_t x = 0; x < width; x++)
        compare_row(have + shift + x * height, right + shift + x * height, x, height,
                    (uint64_t)(shift + x * height), v);
    v->passed = v->wrong == 0;
    if (v->wrong > outside)
        snprintf(v->message, sizeof v->message, "%llu of %llu elements of dst are wrong",
                 (unsigned long long)(v->wrong - outside), (unsigned long long)v->total);
    else if (outside > 0)
        snprintf(v->message, sizeof v->message, "something is written outside dst");
    if (outside > 0)
        snprintf(v->hint, sizeof v->hint,
                 "What lies before dst[0] is not yours: do not round the pointer to a multiple of 16.");
}

/* No arithmetic: a copy of each element. */
static void work(const struct problem_case *c, struct problem_work *w) {
    double elements = (double)c->size[TRANSPOSE_WIDTH] * (double)c->size[TRANSPOSE_HEIGHT];
    *w = (struct problem_work){.bytes = 2 * sizeof(float) * elements, .elements = elements};
}

const struct problem problem_transpose = {
    .function = "transpose",
    .element = "element",
    .criterion = "bit for bit",
    .place = "(row, column) of dst",
    .outside = "dst has width rows of height elements: what is stored asks for its own row and column,",
    .size_names = {[TRANSPOSE_WIDTH] = "width", [TRANSPOSE_HEIGHT] = "height"},
    PROBLEM_FUNCTIONS,
    .part_count = 3,
    .timed_case = timed_case,
    .compare = compare,
    .wrong = &wrong_transpose,
};
