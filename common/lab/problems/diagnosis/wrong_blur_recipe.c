/* wrong_blur_recipe.c: the right recipe of a blur, and what stands at each place of the output. */
#include "lab/problems/diagnosis/wrong_blur_parts.h"

#include <string.h>

void blur_begin(const struct wrong_tried *tried, void *recipe) {
    static const int weight[TAPS] = {1, 2, 3, 4, 3, 2, 1};
    struct blur *b = recipe;
    *b = (struct blur){.tried = tried,
                       .src = tried->input[GAUSSIAN_SRC],
                       .got = tried->got,
                       .width = (int)tried->problem_case->size[GAUSSIAN_WIDTH],
                       .height = (int)tried->problem_case->size[GAUSSIAN_HEIGHT],
                       .hole_x = NO_TAP,
                       .hole_y = NO_TAP,
                       .twice[0] = NO_TAP,
                       .twice[1] = NO_TAP,
                       .odd_x = NO_TAP,
                       .side[LEFT] = RADIUS,
                       .side[RIGHT] = RADIUS,
                       .side[ABOVE] = RADIUS,
                       .side[BELOW] = RADIUS,
                       .sum_bits = 32,
                       .product_bits = 32,
                       .signed_sum = true,
                       .divisor = 256,
                       .edge_level = 255,
                       .constant = -1,
                       .times = 1,
                       .stride = 1};
    memcpy(b->weight[0], weight, sizeof weight);
    memcpy(b->weight[1], weight, sizeof weight);
}

/* Does what is moved come from another place? */
static bool is_move(const struct blur *b) {
    switch (b->moved) {
    case MOVED_NOT:
    case MOVED_REVERSED: break;
    case MOVED_SWAPPED: return b->moved_part < b->moved_by && b->moved_by < b->moved_size;
    case MOVED_BYTE:
        return b->moved_part != b->moved_by && b->moved_part < b->moved_size && b->moved_by < b->moved_size;
    case MOVED_IN_WORDS: return b->moved_part != b->moved_by;
    case MOVED_AWAY: return b->moved_part < b->moved_size;
    case MOVED_AHEAD: return b->moved_by != 0;
    case MOVED_TILE_END:
    case MOVED_HALO_BEFORE:
    case MOVED_HALO_BEHIND: return b->moved_by != 0 && (b->moved_axis == 1 || b->moved_size > 4);
    }
    return true;
}

/* What a family's numbers allow, and makes no sense. */
bool blur_finish(void *recipe) {
    struct blur *b = recipe;
    int across = 0, down = 0;
    for (int i = 0; i < TAPS; i++) {
        across += b->plain_x[i] = b->without_x >> i & 1 ? 0 : b->weight[0][i];
        down += b->plain_y[i] = b->without_y >> i & 1 ? 0 : b->weight[1][i];
    }
    b->plain_weights = across * down;
    b->plain = b->tile == TILE_NONE && b->load == BY_ROWS && !b->added_weights && b->hole_x == NO_TAP &&
               b->twice[0] == NO_TAP && b->twice[1] == NO_TAP && b->sum_bits == 32 && b->product_bits == 32 &&
               b->stages == ONCE && b->moved == MOVED_NOT && !b->is_signed && b->odd_x == NO_TAP &&
               b->precision == WRONG_EXACT;
    bool flat_rows = b->edge[0] == EDGE_FLAT || b->edge[1] == EDGE_FLAT;
    return b->held[0] < (b->hold[0] > 1 ? b->hold[0] : 1) && b->held[1] < (b->hold[1] > 1 ? b->hold[1] : 1) &&
           b->divisor != 0 && !(flat_rows && b->edge[0] != b->edge[1]) &&
           !(b->hole == HOLE_CLAMP && b->tile > TILE_SIDES) && is_move(b) &&
           b->lanes_used[0] <= b->lanes[0] / 2 && b->lanes_used[1] <= b->lanes[1] / 2;
}

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

struct wrong_element blur_expected(const void *recipe, uint64_t index) {
    const struct blur *b = recipe;
    int x, y;
    if (b->store == BY_HEIGHT && b->width != b->height)
        return (struct wrong_element){.status = WRONG_UNKNOWN}; /* several results at one place */
    if (!stored_at(b, (int64_t)index, &x, &y))
        return (struct wrong_element){.status = WRONG_UNWRITTEN};
    return wrong_whole(blur_result(b, x, y));
}
