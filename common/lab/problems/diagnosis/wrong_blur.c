/* wrong_blur.c: the wrong oracles of the 7x7 Gaussian: what stands at each place of the output. */
#include "lab/problems/diagnosis/wrong_blur_parts.h"

/* The pixel whose result lies at dst[index]. False: nobody's. */
static bool stored_at(const struct blur *b, int64_t index, int *x, int *y) {
    int64_t w = b->width, h = b->height, i = index - b->flat;
    if (i < 0 || i >= w * h)
        return false;
    *x = (int)(i % w);
    *y = (int)(i / w);
    switch (b->store) {
    case BY_ROWS: break;
    case BY_COLUMNS:
        *x = (int)(i / h);
        *y = (int)(i % h);
        break;
    case BY_HEIGHT: break;
    case MIRRORED_X: *x = (int)(w - 1 - *x); break;
    case MIRRORED_Y: *y = (int)(h - 1 - *y); break;
    }
    return true;
}

static int expected(const struct blur *b, uint64_t index) {
    int x, y;
    if (b->store == BY_HEIGHT && b->width != b->height)
        return UNKNOWN; /* several results at one place */
    return stored_at(b, (int64_t)index, &x, &y) ? blur_result(b, x, y) : UNWRITTEN;
}

static bool gives(const void *recipe, uint64_t index) {
    const struct blur *b = recipe;
    int value = expected(b, index);
    return b->got[index] == (value == UNWRITTEN ? b->tried->poison : value);
}

static bool values(const void *recipe, uint64_t index, double *got, double *right) {
    const struct blur *b = recipe;
    *got = b->got[index];
    *right = expected(b, index);
    return true;
}

static bool untouched(const void *recipe, uint64_t index) {
    const struct blur *b = recipe;
    return b->got[index] == b->tried->poison;
}

static uint64_t count(const struct problem_case *c) {
    return (uint64_t)(c->size[GAUSSIAN_WIDTH] * c->size[GAUSSIAN_HEIGHT]);
}

static void place(const struct problem_case *c, uint64_t index, struct wrong_place *p) {
    int64_t width = c->size[GAUSSIAN_WIDTH];
    *p = (struct wrong_place){.at = {(int64_t)index % width, (int64_t)index / width},
                              .extent = {width, c->size[GAUSSIAN_HEIGHT]}};
}

static unsigned features(const struct problem_case *c, struct wrong_feature *f) {
    f[0] = (struct wrong_feature){"width", c->size[GAUSSIAN_WIDTH], false};
    f[1] = (struct wrong_feature){"height", c->size[GAUSSIAN_HEIGHT], false};
    return 2;
}

const struct wrong_oracles wrong_blur = {
    .axis = {{"column", "columns", "x", "width"}, {"row", "rows", "y", "height"}},
    .element = "pixel",
    .elements = "pixels",
    .recipe_size = sizeof(struct blur),
    .kind_count = BLUR_KINDS,
    .kinds = blur_kinds,
    .count = count,
    .place = place,
    .features = features,
    .begin = blur_begin,
    .mistake = blur_mistake,
    .finish = blur_finish,
    .gives = gives,
    .values = values,
    .untouched = untouched,
};
