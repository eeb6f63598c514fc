/* wrong_transpose.c: what can be wrong with a transposition. A recipe says of each element of dst which one of src it is. */
#include "lab/problems/diagnosis/wrong_row.h"
#include "lab/problems/transpose.h"

#include <string.h>

enum order {
    EXCHANGED,
    COPIED,
    SRC_ROWS_BY_HEIGHT, /* src[y * height + x] */
    TILES_ONLY,         /* tiles change places, and none is transposed within */
    WITHIN_TILES        /* each is transposed within, and stays where it is */
};

struct transposed {
    const struct wrong_tried *tried;
    const float *src;
    int64_t width, height, shift, src_shift;
    bool unwritten;
    int guard;            /* bits: 1 nothing is written where y >= width, 2 where x >= height */
    int block_x, block_y; /* the same, but up to multiples of these */
    bool rounded;         /* src is read from the multiple of 16 bytes before its start on */
    enum order order;
    int64_t tile;
    int axis; /* of what follows: 0 columns of dst, 1 its rows */
    int64_t mirror, hold, held, group, repeat, move;
    int turned; /* bits: 1 each row is reversed, 2 the order of the rows */
};

/* A column or row of dst in place of the right one. */
static int64_t along(const struct transposed *t, int64_t at) {
    int64_t extent = t->axis == 0 ? t->height : t->width;
    if (t->mirror > 1 && at / t->mirror * t->mirror + t->mirror <= extent)
        at += t->mirror - 1 - 2 * (at % t->mirror);
    if (t->hold > 1)
        at += t->held - at % t->hold;
    if (t->group > 0)
        at += at % t->group % t->repeat - at % t->group;
    return at + t->move;
}

static bool is_left_out(const struct transposed *t, int64_t x, int64_t y) {
    int64_t width = (t->width + t->block_y - 1) / t->block_y * t->block_y,
            height = (t->height + t->block_x - 1) / t->block_x * t->block_x;
    return t->unwritten || ((t->guard & 1) && y >= width) || ((t->guard & 2) && x >= height);
}

/* Exchanges what the mistake exchanges of (x, y), which is right before. */
static void exchange(const struct transposed *t, int64_t *x, int64_t *y) {
    if (t->order != TILES_ONLY && t->order != WITHIN_TILES)
        return;
    int64_t inner_x = *x % t->tile, inner_y = *y % t->tile, left = *x - inner_x, top = *y - inner_y;
    *x = t->order == TILES_ONLY ? left + inner_y : top + inner_x;
    *y = t->order == TILES_ONLY ? top + inner_x : left + inner_y;
}

/* What is beyond src is not read, and nothing stored for it: else the simulator stops the kernel. */
static struct wrong_element expected(const void *recipe, uint64_t index) {
    const struct transposed *t = recipe;
    int64_t at = (int64_t)index - t->shift, count = t->width * t->height;
    if (at < 0 || at >= count)
        return (struct wrong_element){.status = WRONG_UNWRITTEN};
    int64_t x = at / t->height, y = at % t->height;
    if (is_left_out(t, x, y))
        return (struct wrong_element){.status = WRONG_UNWRITTEN};
    int64_t *changed = t->axis == 0 ? &y : &x;
    *changed = along(t, *changed);
    y = t->turned & 1 ? t->height - 1 - y : y;
    x = t->turned & 2 ? t->width - 1 - x : x;
    exchange(t, &x, &y);
    int64_t from = t->order == COPIED               ? at
                   : t->order == SRC_ROWS_BY_HEIGHT ? y * t->height + x
                                                    : y * t->width + x;
    if (t->rounded)
        from -= t->src_shift;
    if (from < -t->src_shift || from >= count)
        return (struct wrong_element){.status = WRONG_UNWRITTEN};
    return (struct wrong_element){.value = (double)t->src[from], .bound = WRONG_SAME_BITS};
}

/* ---- cases */

static uint64_t count(const struct problem_case *c) {
    struct problem_layout layout;
    problem_transpose.layout(c, &layout);
    return layout.bytes[TRANSPOSE_DST] / sizeof(float);
}

static void place(const struct problem_case *c, uint64_t index, struct wrong_place *p) {
    int64_t at = (int64_t)index - c->size[TRANSPOSE_SHIFT_DST], width = c->size[TRANSPOSE_WIDTH],
            height = c->size[TRANSPOSE_HEIGHT];
    *p = (struct wrong_place){.at = {height > 0 ? at % height : 0, height > 0 ? at / height : 0},
                              .extent = {height, width},
                              .outside = at < 0 || at >= width * height};
}

static unsigned features(const struct problem_case *c, struct wrong_feature *f) {
    const int64_t *s = c->size;
    bool aligned = s[TRANSPOSE_SHIFT_SRC] == 0 && s[TRANSPOSE_SHIFT_DST] == 0,
         pairs = aligned && s[TRANSPOSE_WIDTH] % 2 == 0 && s[TRANSPOSE_HEIGHT] % 2 == 0,
         fours = aligned && s[TRANSPOSE_WIDTH] % 4 == 0 && s[TRANSPOSE_HEIGHT] % 4 == 0;
    const struct wrong_feature all[] = {
        {"width", s[TRANSPOSE_WIDTH], WRONG_COUNTS},
        {"height", s[TRANSPOSE_HEIGHT], WRONG_COUNTS},
        {"an unaligned src", s[TRANSPOSE_SHIFT_SRC], WRONG_HAS},
        {"an unaligned dst", s[TRANSPOSE_SHIFT_DST], WRONG_HAS},
        {"aligned matrices", aligned, WRONG_HAS},
        {"aligned matrices and even width and height", pairs, WRONG_HAS},
        {"aligned matrices whose width and height are multiples of 4", fours, WRONG_HAS},
    };
    memcpy(f, all, sizeof all);
    return sizeof all / sizeof *all;
}

static void work(const struct problem_case *c, uint64_t *recipe, uint64_t *element) {
    (void)c;
    *recipe = 60;
    *element = 40;
}

static void begin(const struct wrong_tried *tried, void *recipe) {
    const int64_t *s = tried->problem_case->size;
    *(struct transposed *)recipe =
        (struct transposed){.tried = tried,
                            .src = (const float *)tried->input[TRANSPOSE_SRC] + s[TRANSPOSE_SHIFT_SRC],
                            .width = s[TRANSPOSE_WIDTH],
                            .height = s[TRANSPOSE_HEIGHT],
                            .shift = s[TRANSPOSE_SHIFT_DST],
                            .src_shift = s[TRANSPOSE_SHIFT_SRC],
                            .block_x = 1,
                            .block_y = 1};
}

static bool finish(void *recipe) {
    const struct transposed *t = recipe;
    return t->held < (t->hold > 1 ? t->hold : 1) && t->repeat <= t->group;
}

/* ---- mistakes */

#define RECIPE struct transposed

static const struct wrong_kind kinds[] = {
    MISTAKE(WRONG_SOMEWHERE, "unwritten", "nothing is written",
            "Has every element a thread: does the grid have blocks for the last columns and rows, does no "
            "guard leave them out?",
            NO_NUMBERS, IS(unwritten, true)),
    MISTAKE(WRONG_ALONE, "unwritten-guard",
            "nothing is written to {0:columns of dst with y >= width|rows of dst with x >= height|columns of "
            "dst with y >= width and rows with x >= height}",
            "The guard before a store asks x < width and y < height of the element that is stored there, not "
            "of the one that was loaded. And the grid needs blocks for width columns and height rows.",
            NUMBERS(RANGE(1, 3)), BY(guard, 0)),
    MISTAKE(
        WRONG_ALONE, "swapped-grid",
        "the grid's sides are exchanged: nothing is written beyond the smaller of width and height, in blocks of "
        "{0} x {1}",
        "If threadIdx.x counts along a row of src, grid.x comes from width and grid.y from height; if along a "
        "row of dst, the other way round.",
        NUMBERS(DOUBLING(8, 128), DOUBLING(1, 128)), IS(guard, 3), BY(block_x, 0), BY(block_y, 1)),
    MISTAKE(WRONG_COMMON, "copied", "element i of dst is element i of src: nothing is transposed",
            "dst[x * height + y] is src[y * width + x].", NO_NUMBERS, IS(order, COPIED)),
    MISTAKE(WRONG_COMMON, "src-pitch", "src[y * height + x] is read",
            "A row of src has width elements: src[y * width + x].", NO_NUMBERS,
            IS(order, SRC_ROWS_BY_HEIGHT)),
    MISTAKE(WRONG_COMMON, "tiles-only",
            "tiles of {0} x {0} change places, and none is transposed within itself",
            "What was stored as tile[y][x] is read as tile[x][y].", NUMBERS(DOUBLING(2, 64)),
            IS(order, TILES_ONLY), BY(tile, 0)),
    MISTAKE(WRONG_COMMON, "within-tiles",
            "tiles of {0} x {0} are transposed within themselves, and stay where they are",
            "The block's tile of dst begins at row blockIdx.x * tile and column blockIdx.y * tile.",
            NUMBERS(DOUBLING(2, 64)), IS(order, WITHIN_TILES), BY(tile, 0)),
    MISTAKE(WRONG_COMMON, "mirrored", "of every {0} {1:columns|rows} of dst the order is reversed",
            "The first of a wide word, .x, is the lowest address.", NUMBERS(DOUBLING(2, 8), RANGE(0, 1)),
            BY(mirror, 0), BY(axis, 1)),
    MISTAKE(WRONG_COMMON, "held", "of every {0} {1:columns|rows} of dst all get the elements of number {2}",
            "A thread's elements are .x, .y, .z and .w of what it loaded, each once.",
            NUMBERS(DOUBLING(2, 8), RANGE(0, 1), RANGE(0, 7)), BY(hold, 0), BY(axis, 1), BY(held, 2)),
    MISTAKE(WRONG_COMMON, "repeated",
            "of every {0} {1:columns|rows} of dst those from number {2} on repeat the first {2}",
            "A thread's later rows have an index of their own where the tile is stored and where it is read.",
            NUMBERS(DOUBLING(16, 128), RANGE(0, 1), DOUBLING(1, 64)), BY(group, 0), BY(axis, 1),
            BY(repeat, 2)),
    MISTAKE(WRONG_COMMON, "turned",
            "dst is transposed and {0:each of its rows is|the order of its rows is|both are} reversed",
            "dst[x * height + y] is src[y * width + x]: no width - 1 - x, no height - 1 - y.",
            NUMBERS(RANGE(1, 3)), BY(turned, 0)),
    MISTAKE(WRONG_COMMON, "rounded", "src is read from the multiple of 16 bytes before its start on",
            "src may start at any multiple of 4 bytes: where it is no multiple of 16, read single floats.",
            NO_NUMBERS, IS(rounded, true)),
    MISTAKE(WRONG_COMMON, "neighbour", "each element is that of the {1:column|row} of dst {+0}",
            "An index is off by that much.", NUMBERS(RANGE(-4, 4), RANGE(0, 1)), BY(move, 0), BY(axis, 1)),
};

const struct wrong_oracles wrong_transpose = {
    .axis = {{"column of dst", "columns of dst", "y", "height"}, {"row of dst", "rows of dst", "x", "width"}},
    .element = "element",
    .elements = "elements",
    .recipe_size = sizeof(struct transposed),
    .kind_count = sizeof kinds / sizeof *kinds,
    .kinds = kinds,
    .count = count,
    .place = place,
    .features = features,
    .work = work,
    .begin = begin,
    .finish = finish,
    .type = WRONG_FLOATS,
    .expected = expected,
};
