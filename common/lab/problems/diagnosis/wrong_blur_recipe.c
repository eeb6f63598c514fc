/* wrong_blur_recipe.c: the right recipe of a blur, and what each kind of mistake changes in it. */
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
                       .twice_x = NO_TAP,
                       .twice_y = NO_TAP,
                       .odd_x = NO_TAP,
                       .left = RADIUS,
                       .right = RADIUS,
                       .above = RADIUS,
                       .below = RADIUS,
                       .sum_bits = 32,
                       .product_bits = 32,
                       .signed_sum = true,
                       .divisor = 256,
                       .edge_level = 255,
                       .constant = -1,
                       .times = 1,
                       .stride = 1};
    memcpy(b->weight_x, weight, sizeof weight);
    memcpy(b->weight_y, weight, sizeof weight);
}

static void set_weights(struct blur *b, int which) {
    static const int sets[][TAPS] = {{1, 1, 1, 1, 1, 1, 1},  {1, 1, 1, 1, 1, 1, 1}, {1, 6, 15, 20, 15, 6, 1},
                                     {4, 3, 2, 1, 2, 3, 4},  {1, 2, 3, 4, 3, 2, 1}, {1, 2, 3, 4, 3, 2, 1},
                                     {1, 2, 3, 4, 3, 2, 1},  {1, 2, 3, 4, 5, 6, 7}, {1, 4, 9, 16, 9, 4, 1},
                                     {1, 4, 9, 16, 9, 4, 1}, {0, 1, 2, 3, 2, 1, 0}, {0, 1, 2, 3, 2, 1, 0},
                                     {2, 3, 4, 5, 4, 3, 2},  {0, 1, 2, 3, 4, 3, 2}, {2, 3, 4, 3, 2, 1, 0},
                                     {1, 2, 4, 8, 4, 2, 1},  {7, 6, 5, 4, 3, 2, 1}};
    memcpy(b->weight_x, sets[which], sizeof sets[which]);
    memcpy(b->weight_y, sets[which], sizeof sets[which]);
    b->divisor = which == 1 ? 49 : which == 2 ? 4096 : which == 11 ? 81 : b->divisor;
    b->added_weights = which == 4;
    if (which == 5 || which == 8)
        memcpy(b->weight_y, sets[0], sizeof sets[0]);
    if (which == 6 || which == 9)
        memcpy(b->weight_x, sets[0], sizeof sets[0]);
}

/* The weights at distance near and far from the centre, in one direction or both. */
static void swap_weights(struct blur *b, int pair, int axis) {
    static const int near[] = {0, 0, 0, 1, 1, 2}, far[] = {1, 2, 3, 2, 3, 3};
    for (int i = 0; i < 2; i++) {
        int *weight = i == 0 ? b->weight_x : b->weight_y, other = weight[RADIUS + near[pair]];
        if (axis == 1 - i)
            continue;
        weight[RADIUS + near[pair]] = weight[RADIUS - near[pair]] = weight[RADIUS + far[pair]];
        weight[RADIUS + far[pair]] = weight[RADIUS - far[pair]] = other;
    }
}

/* As they are typed for 1 / 256. */
static const float factors[] = {0.0039F, 0.00391F, 0.003906F, 0.0039063F, 0.004F, 0.0038F};

static void set_moved(struct blur *b, enum moved moved, int axis, int size, int part, int by) {
    b->moved = moved;
    b->moved_axis = axis;
    b->moved_size = size;
    b->moved_part = part;
    b->moved_by = by;
}

static void set_tile(struct blur *b, enum tile tile, int width, int height, int hole) {
    b->tile = tile;
    b->block_x = width;
    b->block_y = height;
    b->hole = (enum hole)hole;
}

/* Bits of the taps outside first .. last. */
static unsigned taps_outside(int first, int last) {
    unsigned outside = 0;
    for (int tap = -RADIUS; tap <= RADIUS; tap++)
        outside |= (tap < first || tap > last) ? 1u << (tap + RADIUS) : 0;
    return outside;
}

void blur_mistake(unsigned kind, const int *n, void *recipe) {
    struct blur *b = recipe;
    switch ((enum kind)kind) {
    case BLUR_KINDS: break;
    case NOTHING: b->unwritten = true; break;
    case TAPS_X: b->without_x |= 1u << (n[0] + RADIUS); break;
    case TAPS_Y: b->without_y |= 1u << (n[0] + RADIUS); break;
    case TAPS_XY:
        b->without_x |= 1u << (n[0] + RADIUS);
        b->without_y |= 1u << (n[1] + RADIUS);
        break;
    case TAP: b->hole_x = n[0], b->hole_y = n[1]; break;
    case NARROW:
        b->without_x |= taps_outside(-n[0], n[0]);
        b->without_y |= taps_outside(-n[1], n[1]);
        break;
    case WINDOW:
        b->without_x |= taps_outside(n[0], n[1]);
        b->without_y |= taps_outside(n[2], n[3]);
        break;
    case CENTRE: b->centre_x += n[0], b->centre_y += n[1]; break;
    case FLAT_SHIFT: b->flat = n[0]; break;
    case CHECK_X:
        b->low_x = n[0] == 0 ? 1 : n[0] == 2 ? -1 : 0;
        b->high_x = n[0] == 1 ? 1 : n[0] == 2 ? -1 : 0;
        break;
    case CHECK_Y:
        b->low_y = n[0] == 0;
        b->high_y = n[0] == 1;
        break;
    case CHECK_XY:
        b->low_x = b->low_y = n[0] != 1;
        b->high_x = b->high_y = n[0] != 0;
        break;
    case BORDER_ZERO_NOT: b->edge_x = b->edge_y = (enum edge)n[0]; break;
    case BORDER_ONE_AXIS:
        if (n[1] == 0)
            b->edge_x = (enum edge)n[0];
        else
            b->edge_y = (enum edge)n[0];
        break;
    case NO_CHECK: /* both sides; the left one; the right one */
        b->low_x = n[0] != 2 ? -2 * RADIUS : 0;
        b->high_x = n[0] != 1 ? -2 * RADIUS : 0;
        break;
    case NORMALISED: b->normalised = true; break;
    case ROUNDED: b->rounding = (enum rounding)n[0]; break;
    case STAGES:
        b->stages = (enum stages)n[0];
        b->rounding = n[1] == 1 ? HALF_UP : DOWN;
        break;
    case SIGNED: b->is_signed = true; break;
    case SUM_BITS: b->sum_bits = n[0], b->signed_sum = n[1] == 1; break;
    case PRODUCT_BITS: b->product_bits = n[0], b->signed_sum = n[1] == 1; break;
    case ADDED: b->added = n[0]; break;
    case DIVISOR: b->divisor = n[0]; break;
    case WEIGHT: b->weight_x[n[0] + RADIUS] = b->weight_y[n[0] + RADIUS] = n[1]; break;
    case WEIGHT_ONE_AXIS: (n[2] == 0 ? b->weight_x : b->weight_y)[n[0] + RADIUS] = n[1]; break;
    case WEIGHTS: set_weights(b, n[0]); break;
    case TWICE: *(n[1] == 0 ? &b->twice_x : &b->twice_y) = n[0]; break;
    case ORDER_STORE: b->store = (enum order)n[0]; break;
    case ORDER_LOAD: b->load = (enum order)n[0]; break;
    case GRID_SWAPPED: b->grid_x = n[0], b->grid_y = n[1]; break;
    case LANES_MISSING: b->lanes[n[2]] = n[0], b->lanes_used[n[2]] = n[1]; break;
    case CONSTANT:
    case SUM_NEVER_SET: b->constant = n[0]; break;
    case COPIED: b->copied = true; break;
    case TIMES: b->times = n[0]; break;
    case HOLD:
        *(n[2] == 0 ? &b->hold_x : &b->hold_y) = n[0], *(n[2] == 0 ? &b->held_x : &b->held_y) = n[1];
        break;
    case ACCUMULATED: *(n[1] == 0 ? &b->accumulated_x : &b->accumulated_y) = n[0]; break;
    case ACCUMULATED_ROWS:
        *(n[2] == 0 ? &b->accumulated_x : &b->accumulated_y) = n[0];
        b->stride = n[1];
        break;
    case HALO_SIDE: {
        int *const sides[] = {&b->left, &b->right, &b->above, &b->below};
        set_tile(b, TILE_SIDES, n[1] < 2 ? n[0] : 1 << 16, n[1] < 2 ? 1 << 16 : n[0], n[3]);
        *sides[n[1]] = n[2];
        break;
    }
    case HALO_ACROSS:
        set_tile(b, TILE_SIDES, n[0], 1 << 16, n[3]);
        b->left = n[1], b->right = n[2];
        break;
    case HALO_DOWN:
        set_tile(b, TILE_SIDES, 1 << 16, n[0], n[3]);
        b->above = n[1], b->below = n[2];
        break;
    case HALO_ALL:
        set_tile(b, TILE_SIDES, n[0], n[1], n[3]);
        b->left = b->right = b->above = b->below = n[2];
        break;
    case HALO_CORNERS:
        set_tile(b, TILE_CORNERS, n[0], n[1], n[3]);
        b->left = b->right = b->above = b->below = 0;
        break;
    case TILE_FIRST_PASS:
        set_tile(b, TILE_PART, n[0], n[1], n[3]);
        b->filled = n[0] * n[1];
        break;
    case TILE_LEFT_EARLY: set_tile(b, TILE_INSIDE, n[0], n[1], n[3]); break;
    case TAP_WEIGHT: b->odd_x = n[0], b->odd_y = n[1], b->odd_weight = n[2]; break;
    case PART_BITS:
        b->stages = n[0] == 0 ? ROWS_SHORT : COLUMNS_SHORT, b->row_bits = n[1] == 2 ? 255 : 8,
        b->row_signed = n[1] == 1;
        b->divisor = n[2] == 0 ? 256 : 16;
        break;
    case SHORT_SUM: b->precision = (enum wrong_precision)n[0], b->fused = n[1] == 1; break;
    case MIRRORED_GROUP: b->mirrored = n[0]; break;
    case STEP_SHORT: b->counted[n[0]] = b->covered[n[0]] = n[1], b->step[n[0]] = n[2]; break;
    case GRID_COUNTED: b->covered[n[0]] = b->step[n[0]] = n[1], b->counted[n[0]] = n[1] + 6; break;
    case GRID_INNER:
        b->counted[0] = n[0], b->counted[1] = n[1], b->covered[0] = b->step[0] = n[0] - 6,
        b->covered[1] = b->step[1] = n[1] - 6;
        break;
    case THREAD_PIXELS: b->rows[n[2]] = n[0], b->threads[n[2]] = n[1]; break;
    case TILE_SWAP: set_tile(b, TILE_SWAPPED, n[0], n[1], 0); break;
    case TILE_ROW:
        set_tile(b, TILE_PITCH, n[0], n[2], 0);
        b->filled = n[0] + n[1];
        break;
    case TILE_FILLED:
        set_tile(b, TILE_FILL, n[0], n[2], 0);
        b->filled = n[0] + n[1];
        break;
    case BORDER_LEVEL:
        b->edge_x = b->edge_y = EDGE_LEVEL;
        b->edge_level = n[0];
        break;
    case CHECK_TAIL:
        *(n[1] == 0 ? &b->high_x : &b->high_y) = (n[1] == 0 ? b->width : b->height) % n[0];
        break;
    case WEIGHTS_SWAPPED: swap_weights(b, n[0], n[1]); break;
    case WEIGHT_PAIR:
        if (n[2] != 1)
            b->weight_x[RADIUS - n[0]] = b->weight_x[RADIUS + n[0]] = n[1];
        if (n[2] != 0)
            b->weight_y[RADIUS - n[0]] = b->weight_y[RADIUS + n[0]] = n[1];
        break;
    case FACTOR: b->factor = factors[n[0]]; break;
    case PIXELS_SWAPPED: set_moved(b, MOVED_SWAPPED, 0, n[0], n[1], n[2]); break;
    case PIXEL_COPIED: set_moved(b, MOVED_BYTE, 0, n[0], n[1], n[2]); break;
    case PIXELS_REVERSED: set_moved(b, MOVED_REVERSED, 0, n[0], 0, 0); break;
    case WORD_TAKEN: set_moved(b, MOVED_IN_WORDS, 0, n[0], n[1], n[2]); break;
    case WINDOW_AHEAD: set_moved(b, MOVED_AHEAD, n[2], n[0], 0, n[1]); break;
    case HALO_MOVED: {
        static const enum moved part[] = {MOVED_TILE_END, MOVED_HALO_BEFORE, MOVED_HALO_BEHIND};
        static const int far[] = {0, 0, -6, -3, -2, -1, 1, 2, 3, 6};
        set_moved(b, part[n[2]], n[1], n[0], 0, n[3] == 0 ? -n[0] : n[3] == 1 ? n[0] : far[n[3]]);
        break;
    }
    case STRIP_REPEATED: b->strips[n[2]] = n[0], b->strip[n[2]] = n[1]; break;
    case RETURN_EARLY: b->early[n[2]] = n[0], b->apart[n[2]] = n[1]; break;
    }
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
        across += b->plain_x[i] = b->without_x >> i & 1 ? 0 : b->weight_x[i];
        down += b->plain_y[i] = b->without_y >> i & 1 ? 0 : b->weight_y[i];
    }
    b->plain_weights = across * down;
    b->plain = b->tile == TILE_NONE && b->load == BY_ROWS && !b->added_weights && b->hole_x == NO_TAP &&
               b->twice_x == NO_TAP && b->twice_y == NO_TAP && b->sum_bits == 32 && b->product_bits == 32 &&
               b->stages == ONCE && b->moved == MOVED_NOT && !b->is_signed && b->odd_x == NO_TAP &&
               b->precision == WRONG_EXACT;
    bool flat_rows = b->edge_x == EDGE_FLAT || b->edge_y == EDGE_FLAT;
    return b->held_x < (b->hold_x > 1 ? b->hold_x : 1) && b->held_y < (b->hold_y > 1 ? b->hold_y : 1) &&
           b->divisor != 0 && !(flat_rows && b->edge_x != b->edge_y) &&
           !(b->hole == HOLE_CLAMP && b->tile > TILE_SIDES) && is_move(b) &&
           b->lanes_used[0] <= b->lanes[0] / 2 && b->lanes_used[1] <= b->lanes[1] / 2;
}
