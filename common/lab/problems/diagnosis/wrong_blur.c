/* wrong_blur.c: what can be wrong with a 7x7 Gaussian: the window, the border, the tile, the arithmetic, the addresses. */
#include "lab/problems/diagnosis/wrong_blur_parts.h"
#include "lab/problems/diagnosis/wrong_row.h"

#include <string.h>

#define RECIPE struct blur
enum { ENDLESS = 1 << 16 }; /* a tile that is cut in one direction only */

/* ---- changes that no field alone tells */

/* Bits of the taps outside first .. last. */
static unsigned taps_outside(int first, int last) {
    unsigned outside = 0;
    for (int tap = -RADIUS; tap <= RADIUS; tap++)
        outside |= (tap < first || tap > last) ? 1u << (tap + RADIUS) : 0;
    return outside;
}

static void window(void *recipe, const int *ends) {
    struct blur *b = recipe;
    b->without_x |= taps_outside(ends[0], ends[1]);
    b->without_y |= taps_outside(ends[2], ends[3]);
}

static void narrow(void *recipe, const int *reach) {
    window(recipe, (const int[]){-reach[0], reach[0], -reach[1], reach[1]});
}

static void set_weight_of_axis(void *recipe, const int *number) {
    struct blur *b = recipe;
    int tap = number[0], weight = number[1], axis = number[2];
    b->weight[axis][tap + RADIUS] = weight;
}

static void set_weight(void *recipe, const int *number) {
    for (int axis = 0; axis < 2; axis++)
        set_weight_of_axis(recipe, (const int[]){number[0], number[1], axis});
}

/* Those at a distance from the centre: of both axes, of x, of y. */
static void set_weight_pair(void *recipe, const int *number) {
    int distance = number[0], weight = number[1], axes = number[2];
    for (int axis = 0; axis < 2; axis++)
        for (int side = -1; side <= 1 && (axes == 2 || axes == axis); side += 2)
            set_weight_of_axis(recipe, (const int[]){side * distance, weight, axis});
}

static void set_weights(void *recipe, const int *number) {
    enum { X = 1, Y = 2, ADDED = 4 };
    static const struct {
        int weight[TAPS], divisor;
        unsigned flags; /* X, Y: the other axis' weights are 1 */
    } sets[] = {{{1, 1, 1, 1, 1, 1, 1}, 256, 0},     {{1, 1, 1, 1, 1, 1, 1}, 49, 0},
                {{1, 6, 15, 20, 15, 6, 1}, 4096, 0}, {{4, 3, 2, 1, 2, 3, 4}, 256, 0},
                {{1, 2, 3, 4, 3, 2, 1}, 256, ADDED}, {{1, 2, 3, 4, 3, 2, 1}, 256, X},
                {{1, 2, 3, 4, 3, 2, 1}, 256, Y},     {{1, 2, 3, 4, 5, 6, 7}, 256, 0},
                {{1, 4, 9, 16, 9, 4, 1}, 256, X},    {{1, 4, 9, 16, 9, 4, 1}, 256, Y},
                {{0, 1, 2, 3, 2, 1, 0}, 256, 0},     {{0, 1, 2, 3, 2, 1, 0}, 81, 0},
                {{2, 3, 4, 5, 4, 3, 2}, 256, 0},     {{0, 1, 2, 3, 4, 3, 2}, 256, 0},
                {{2, 3, 4, 3, 2, 1, 0}, 256, 0},     {{1, 2, 4, 8, 4, 2, 1}, 256, 0},
                {{7, 6, 5, 4, 3, 2, 1}, 256, 0}};
    struct blur *b = recipe;
    const int which = number[0];
    for (int axis = 0; axis < 2; axis++)
        memcpy(b->weight[axis], sets[sets[which].flags & (axis == 0 ? Y : X) ? 0 : which].weight,
               sizeof sets->weight);
    if (sets[which].divisor != 256)
        b->divisor = sets[which].divisor;
    b->added_weights = sets[which].flags & ADDED;
}

/* The weights at distance near and far from the centre: of both axes, of y, of x. */
static void swap_weights(void *recipe, const int *number) {
    static const int near[] = {0, 0, 0, 1, 1, 2}, far[] = {1, 2, 3, 2, 3, 3};
    struct blur *b = recipe;
    int pair = number[0], kept = number[1];
    for (int i = 0; i < 2; i++) {
        int *weight = b->weight[i], other = weight[RADIUS + near[pair]];
        if (kept == 1 - i)
            continue;
        weight[RADIUS + near[pair]] = weight[RADIUS - near[pair]] = weight[RADIUS + far[pair]];
        weight[RADIUS + far[pair]] = weight[RADIUS - far[pair]] = other;
    }
}

/* As it is typed for 1 / 256. */
static void set_factor(void *recipe, const int *which) {
    static const float factors[] = {0.0039F, 0.00391F, 0.003906F, 0.0039063F, 0.004F, 0.0038F};
    ((struct blur *)recipe)->factor = factors[*which];
}

static void cut_sides(void *recipe, const int *width) {
    struct blur *b = recipe;
    for (int side = LEFT; side <= BELOW; side++)
        b->side[side] = *width;
}

static void cut_side(void *recipe, const int *number) {
    struct blur *b = recipe;
    int size = number[0], side = number[1], width = number[2];
    b->tile = TILE_SIDES;
    b->block_x = side <= RIGHT ? size : ENDLESS;
    b->block_y = side <= RIGHT ? ENDLESS : size;
    b->hole = (enum hole)number[3];
    b->side[side] = width;
}

static void fill_block(void *recipe, const int *size) {
    ((struct blur *)recipe)->filled = size[0] * size[1];
}

static void fill_row(void *recipe, const int *number) {
    int width = number[0], more = number[1];
    ((struct blur *)recipe)->filled = width + more;
}

static void count_blocks(struct blur *b, int axis, int covered, int counted) {
    b->covered[axis] = b->step[axis] = covered;
    b->counted[axis] = counted;
}

static void count_halo(void *recipe, const int *number) {
    int axis = number[0], pixels = number[1];
    count_blocks(recipe, axis, pixels, pixels + 2 * RADIUS);
}

static void count_threads(void *recipe, const int *threads) {
    for (int axis = 0; axis < 2; axis++)
        count_blocks(recipe, axis, threads[axis] - 2 * RADIUS, threads[axis]);
}

static void cut_tail(void *recipe, const int *number) {
    struct blur *b = recipe;
    int size = number[0], axis = number[1];
    b->high[axis] = (axis == 0 ? b->width : b->height) % size;
}

static void move_halo(void *recipe, const int *number) {
    static const enum moved parts[] = {MOVED_TILE_END, MOVED_HALO_BEFORE, MOVED_HALO_BEHIND};
    static const int far[] = {0, 0, -6, -3, -2, -1, 1, 2, 3, 6};
    struct blur *b = recipe;
    int size = number[0], axis = number[1], part = number[2], by = number[3];
    b->moved = parts[part];
    b->moved_axis = axis;
    b->moved_size = size;
    b->moved_by = by == 0 ? -size : by == 1 ? size : far[by];
}

/* ---- the kinds */

#define BLOCKS DOUBLING(4, 128)
#define RADII RANGE(0, RADIUS - 1)
#define HOLES RANGE(0, 3)
#define HOLE_WORDS "{3:taken as 0|taken from the tile's edge|never put into the tile|never put into the tile}"

static const struct wrong_kind kinds[] = {
    MISTAKE(
        WRONG_SOMEWHERE, "unwritten", "nothing is written",
        "Is there a thread for each of these pixels (does the grid round up, is a kernel launched?), and does it get to the store: no return before it, no loop that ends too soon?",
        NO_NUMBERS, IS(unwritten, true)),
    MISTAKE(WRONG_SOMEWHERE, "constant", "every result is {0}", NULL, NUMBERS(RANGE(0, 255)),
            BY(constant, 0)),
    MISTAKE(WRONG_ALONE, "constant",
            "the sum is never set to 0 before the loop (the compiler may then drop it)", NULL, NO_NUMBERS,
            BY(constant, 0)),
    MISTAKE(WRONG_COMMON, "taps-dx", "the taps with dx = {+0} are left out", NULL, NUMBERS(RANGE(-3, 3)),
            BIT(without_x, 0, RADIUS)),
    MISTAKE(WRONG_COMMON, "taps-dy", "the taps with dy = {+0} are left out", NULL, NUMBERS(RANGE(-3, 3)),
            BIT(without_y, 0, RADIUS)),
    MISTAKE(WRONG_SOMEWHERE, "taps-dx-dy", "the taps with dx = {+0} and those with dy = {+1} are left out",
            NULL, NUMBERS(RANGE(-3, 3), RANGE(-3, 3)), BIT(without_x, 0, RADIUS), BIT(without_y, 1, RADIUS)),
    MISTAKE(WRONG_COMMON, "tap", "the tap at dx = {+0}, dy = {+1} is left out", NULL,
            NUMBERS(RANGE(-3, 3), RANGE(-3, 3)), BY(hole_x, 0), BY(hole_y, 1)),
    MISTAKE(WRONG_SOMEWHERE | WRONG_LAST, "narrow",
            "only the taps with |dx| <= {0} and |dy| <= {1} are added", NULL,
            NUMBERS(RANGE(0, 3), RANGE(0, 3)), CALL(narrow, 0)),
    MISTAKE(WRONG_SOMEWHERE | WRONG_LAST, "window",
            "the taps run from dx = {+0} to {+1} and from dy = {+2} to {+3} only", NULL,
            NUMBERS(RANGE(-3, 0), RANGE(0, 3), RANGE(-3, 0), RANGE(0, 3)), CALL(window, 0)),
    MISTAKE(WRONG_COMMON, "centre", "the window is centred at (x {+0}, y {+1})",
            "Compare the index where a value is put with the one where it is read.",
            NUMBERS(RANGE(-4, 4), RANGE(-4, 4)), BY(centre_x, 0), BY(centre_y, 1)),
    MISTAKE(WRONG_COMMON, "flat-shift", "the result of dst[i] is stored in dst[i {+0}]", NULL,
            NUMBERS(RANGE(-4, 4)), BY(flat, 0)),
    MISTAKE(
        WRONG_COMMON, "check-x",
        "{0:column 0|column width - 1|columns -1 and width} of the source {0:counts as|counts as|count as} {0:outside|outside|inside}",
        "A pixel is inside where u >= 0 and u < width.", NUMBERS(RANGE(0, 2)), LOOK(low[0], 0, 1, 0, -1),
        LOOK(high[0], 0, 0, 1, -1)),
    MISTAKE(WRONG_COMMON, "check-y", "{0:row 0|row height - 1} of the source counts as outside",
            "A pixel is inside where v >= 0 and v < height.", NUMBERS(RANGE(0, 1)), IF(low[1], 0, 0),
            IF(high[1], 0, 1)),
    MISTAKE(
        WRONG_COMMON, "check-xy",
        "{0:row 0 and column 0 of the source count|the last row and the last column of the source count|the outermost pixels of the source count} as outside",
        "A pixel is inside where 0 <= u < width and 0 <= v < height.", NUMBERS(RANGE(0, 2)),
        LOOK(low[0], 0, 1, 0, 1), LOOK(low[1], 0, 1, 0, 1), LOOK(high[0], 0, 0, 1, 1),
        LOOK(high[1], 0, 0, 1, 1)),
    MISTAKE(
        WRONG_COMMON, "border",
        "pixels outside the image {0:repeat the nearest one inside|mirror the image about its outermost pixels|mirror the image about its edge|continue on the other side|are taken from the neighbouring rows|end the loop over the window|are 255, as shared memory that nobody wrote is on the simulator}",
        "Outside the image counts as 0, and the other taps still count.", NUMBERS(RANGE(1, 7)),
        BY(edge[0], 0), BY(edge[1], 0)),
    MISTAKE(
        WRONG_COMMON, "border-axis",
        "pixels {1:left and right of|above and below} the image {0:repeat the nearest one inside|mirror the image about its outermost pixels|mirror the image about its edge|continue on the other side|-|end the loop|are 255, as shared memory that nobody wrote is on the simulator}",
        "Outside the image counts as 0, and the other taps still count.", NUMBERS(RANGE(1, 7), RANGE(0, 1)),
        ELEMENT(edge, 1, 0)),
    MISTAKE(WRONG_COMMON, "unchecked-x",
            "u is not checked against 0 and width, so that pixels of the neighbouring row are taken", NULL,
            NUMBERS(RANGE(0, 2)), LOOK(low[0], 0, -2 * RADIUS, -2 * RADIUS, 0),
            LOOK(high[0], 0, -2 * RADIUS, 0, -2 * RADIUS)),
    MISTAKE(WRONG_COMMON, "normalised", "the sum is divided by the weights that lie inside the image",
            "Divide by 256, everywhere.", NO_NUMBERS, IS(normalised, true)),
    MISTAKE(
        WRONG_COMMON, "rounded",
        "the sum / 256 is rounded {0:to the nearest, a half up|to the nearest, a half to even|up|to the nearest after 0.5 was taken off, so that odd levels that come out whole get one less|up, and 1 is taken off}",
        "Round it down.", NUMBERS(RANGE(1, 5)), BY(rounding, 0)),
    MISTAKE(
        WRONG_COMMON, "stages",
        "{0:each product is divided by 256|the sum of each row of the window is divided by 16|the sum of each column of the window is divided by 16} and rounded {1:down|to the nearest} before they are added",
        "Divide once, at the end.", NUMBERS(RANGE(1, 3), RANGE(0, 1)), BY(stages, 0),
        LOOK(rounding, 1, DOWN, HALF_UP)),
    MISTAKE(WRONG_COMMON, "signed", "levels above 127 are taken for negative numbers",
            "A pixel is an unsigned byte: look for char and int8_t.", NO_NUMBERS, IS(is_signed, true)),
    MISTAKE(WRONG_COMMON, "sum-bits", "the sum is kept in {0:8|16} bits, {1:unsigned|signed}", NULL,
            NUMBERS(STEPPED(8, 16, 8), RANGE(0, 1)), BY(sum_bits, 0), IF(signed_sum, 1, 1)),
    MISTAKE(WRONG_COMMON, "product-bits", "each product is kept in {0:8|16} bits, {1:unsigned|signed}", NULL,
            NUMBERS(STEPPED(8, 16, 8), RANGE(0, 1)), BY(product_bits, 0), IF(signed_sum, 1, 1)),
    MISTAKE(WRONG_SOMEWHERE | WRONG_LAST, "added", "{0} is added to the sum before it is divided",
            "Round down: nothing is added.", NUMBERS(RANGE(1, 256)), BY(added, 0)),
    MISTAKE(WRONG_SOMEWHERE | WRONG_LAST, "divisor", "the sum is divided by {0}",
            "The weights add up to 256.", NUMBERS(RANGE(1, 1024)), BY(divisor, 0)),
    MISTAKE(WRONG_COMMON | WRONG_LAST, "weight", "the weight of dx = {+0} and of dy = {+0} is {1}", NULL,
            NUMBERS(RANGE(-3, 3), RANGE(0, 9)), CALL(set_weight, 0)),
    MISTAKE(
        WRONG_COMMON, "weights",
        "the weights are {0:all 1|all 1, and the sum is divided by 49|1 6 15 20 15 6 1, and the sum is divided by 4096|4 3 2 1 2 3 4|added, w(dx) + w(dy), where they should be multiplied|those of dx alone|those of dy alone|1 2 3 4 5 6 7|w(dx) * w(dx)|w(dy) * w(dy)|0 1 2 3 2 1 0|0 1 2 3 2 1 0, and the sum is divided by 81|2 3 4 5 4 3 2|0 1 2 3 4 3 2|2 3 4 3 2 1 0|1 2 4 8 4 2 1|7 6 5 4 3 2 1}",
        NULL, NUMBERS(RANGE(0, 16)), CALL(set_weights, 0)),
    MISTAKE(WRONG_COMMON | WRONG_LAST, "weight-axis", "the weight of d{2:x|y} = {+0} is {1}", NULL,
            NUMBERS(RANGE(-3, 3), RANGE(0, 9), RANGE(0, 1)), CALL(set_weight_of_axis, 0)),
    MISTAKE(WRONG_COMMON, "twice", "the taps with d{1:x|y} = {+0} are added twice", NULL,
            NUMBERS(RANGE(-3, 3), RANGE(0, 1)), ELEMENT(twice, 1, 0)),
    MISTAKE(
        WRONG_COMMON, "order-store",
        "the result of (x, y) is stored {0:at dst[x * height + y]|at dst[y * height + x]|mirrored left to right|mirrored top to bottom}",
        "Pixel (x, y) is dst[y * width + x].", NUMBERS(RANGE(1, 4)), BY(store, 0)),
    MISTAKE(
        WRONG_COMMON, "order-load",
        "source pixel (u, v) is read {0:at src[u * height + v]|at src[v * height + u]|mirrored left to right|mirrored top to bottom}",
        "Pixel (u, v) is src[v * width + u].", NUMBERS(RANGE(1, 4)), BY(load, 0)),
    MISTAKE(
        WRONG_PAIRED, "grid-swapped",
        "no thread gets to x >= height rounded up to a multiple of {0}, or to y >= width rounded up to a multiple of {1}",
        "x and y are swapped in the grid or in the kernel.", NUMBERS(DOUBLING(1, 256), DOUBLING(1, 256)),
        BY(grid_x, 0), BY(grid_y, 1)),
    MISTAKE(
        WRONG_PAIRED, "lanes", "of every {0} {2:columns|rows} only the first {1} get a thread",
        "Has the block as many threads that way as the grid is made for, and are threadIdx.x and threadIdx.y where they belong?",
        NUMBERS(DOUBLING(2, 256), DOUBLING(1, 128), RANGE(0, 1)), ELEMENT(lanes, 2, 0),
        ELEMENT(lanes_used, 2, 1)),
    MISTAKE(WRONG_COMMON, "copied", "the source is copied as it is", NULL, NO_NUMBERS, IS(copied, true)),
    MISTAKE(
        WRONG_SOMEWHERE, "times",
        "the sum is taken {0:2 times, or divided by 128, as by a shift by 7|3 times|4 times, or divided by 64|5 times|6 times|7 times|8 times, or divided by 32}",
        NULL, NUMBERS(RANGE(2, 8)), BY(times, 0)),
    MISTAKE(
        WRONG_COMMON, "held",
        "of every {0} neighbours in a {2:row|column} all get the result of the {1:first|second|third|fourth|fifth|sixth|seventh|eighth}",
        NULL, NUMBERS(DOUBLING(2, 8), RANGE(0, 7), RANGE(0, 1)), ELEMENT(hold, 2, 0), ELEMENT(held, 2, 1)),
    MISTAKE(
        WRONG_COMMON, "accumulated",
        "the sum is not set to 0 between the {0} neighbouring pixels of a thread, {1:side by side|one below the other}",
        NULL, NUMBERS(DOUBLING(2, 16), RANGE(0, 1)), ELEMENT(accumulated, 1, 0)),
    MISTAKE(WRONG_SOMEWHERE, "accumulated-rows",
            "the sum is not set to 0 between the {0} pixels of a thread, {1} {2:columns|rows} apart", NULL,
            NUMBERS(DOUBLING(2, 16), DOUBLING(2, 128), RANGE(0, 1)), ELEMENT(accumulated, 2, 0),
            BY(stride, 1)),
    MISTAKE(
        WRONG_PAIRED, "halo-side",
        "in tiles of {0} {1:columns|columns|rows|rows} the halo {1:left of|right of|above|below} them is {2} wide, and the rest " HOLE_WORDS,
        "The halo is 3 wide on every side.", NUMBERS(BLOCKS, RANGE(0, 3), RADII, HOLES), CALL(cut_side, 0)),
    MISTAKE(
        WRONG_ALONE, "halo-x",
        "in tiles of {0} columns there are {1} columns of halo on the left and {2} on the right, and the rest is " HOLE_WORDS,
        "The halo is 3 wide on every side.", NUMBERS(BLOCKS, RADII, RADII, HOLES), IS(tile, TILE_SIDES),
        BY(block_x, 0), IS(block_y, ENDLESS), BY(side[LEFT], 1), BY(side[RIGHT], 2), BY(hole, 3)),
    MISTAKE(
        WRONG_ALONE, "halo-y",
        "in tiles of {0} rows there are {1} rows of halo above and {2} below, and the rest is " HOLE_WORDS,
        "The halo is 3 wide on every side.", NUMBERS(BLOCKS, RADII, RADII, HOLES), IS(tile, TILE_SIDES),
        IS(block_x, ENDLESS), BY(block_y, 0), BY(side[ABOVE], 1), BY(side[BELOW], 2), BY(hole, 3)),
    MISTAKE(WRONG_ALONE, "halo",
            "in tiles of {0} x {1} pixels the halo is {2} wide, and the rest " HOLE_WORDS,
            "The halo is 3 wide on every side.", NUMBERS(BLOCKS, DOUBLING(1, 128), RADII, HOLES),
            IS(tile, TILE_SIDES), BY(block_x, 0), BY(block_y, 1), BY(hole, 3), CALL(cut_sides, 2)),
    MISTAKE(WRONG_ALONE, "halo-corners",
            "in tiles of {0} x {1} pixels the corners of the halo are " HOLE_WORDS, NULL,
            NUMBERS(BLOCKS, DOUBLING(1, 128), RANGE(0, 0), HOLES), IS(tile, TILE_CORNERS), BY(block_x, 0),
            BY(block_y, 1), BY(hole, 3), CALL(cut_sides, 2)),
    MISTAKE(
        WRONG_ALONE, "tile-first-pass",
        "in tiles of {0} x {1} pixels and their halo only the first {0} x {1} values are filled, and the rest " HOLE_WORDS,
        "The tile has more values than the block has threads: each thread fills several.",
        NUMBERS(BLOCKS, DOUBLING(1, 128), RANGE(0, 0), HOLES), IS(tile, TILE_PART), BY(block_x, 0),
        BY(block_y, 1), BY(hole, 3), CALL(fill_block, 0)),
    MISTAKE(WRONG_ALONE, "tile-left-early",
            "in tiles of {0} x {1} pixels what the threads outside the image should fill is " HOLE_WORDS,
            "Threads outside the image fill the tile, too: let them return after the barrier.",
            NUMBERS(BLOCKS, DOUBLING(1, 128), RANGE(0, 0), HOLES), IS(tile, TILE_INSIDE), BY(block_x, 0),
            BY(block_y, 1), BY(hole, 3)),
    MISTAKE(WRONG_ALONE | WRONG_LAST, "tap-weight", "the weight at dx = {+0}, dy = {+1} is {2}", NULL,
            NUMBERS(RANGE(-3, 3), RANGE(-3, 3), RANGE(0, 20)), BY(odd_x, 0), BY(odd_y, 1), BY(odd_weight, 2)),
    MISTAKE(
        WRONG_COMMON, "part-bits",
        "the sum of each {0:row|column} of the window is kept in {1:8 bits, unsigned|8 bits, signed|8 bits, cut at 255}{2:|, and their sum is divided by 16}",
        "A row's weighted sum goes up to 4080.", NUMBERS(RANGE(0, 1), RANGE(0, 2), RANGE(0, 1)),
        LOOK(stages, 0, ROWS_SHORT, COLUMNS_SHORT), LOOK(row_bits, 1, 8, 8, 255), IF(row_signed, 1, 1),
        LOOK(divisor, 2, 256, 16)),
    MISTAKE(WRONG_COMMON, "short-sum",
            "the sum is kept in {0:half precision|bfloat16}{1:, and each product, too|}",
            "Its numbers have too few bits for 65280.",
            NUMBERS(RANGE(WRONG_HALF, WRONG_BFLOAT16), RANGE(0, 1)), BY(precision, 0), IF(fused, 1, 1)),
    MISTAKE(WRONG_COMMON, "reversed", "of every {0} neighbours in a row the order is reversed", NULL,
            NUMBERS(DOUBLING(2, 16)), BY(mirrored, 0)),
    MISTAKE(
        WRONG_ALONE, "blocks-overlap",
        "blocks of {1} {0:columns|rows} begin {2} after the one before, in a grid for blocks that do not overlap",
        "Compute x and y with the size that the blocks have.",
        NUMBERS(RANGE(0, 1), DOUBLING(2, 256), DOUBLING(1, 128)), ELEMENT(counted, 0, 1),
        ELEMENT(covered, 0, 1), ELEMENT(step, 0, 2)),
    MISTAKE(
        WRONG_PAIRED, "grid-counted",
        "the grid has too few blocks: it counts 6 more {0:columns|rows} for each block of {1}, for the halo",
        "The grid counts the pixels that a block computes.", NUMBERS(RANGE(0, 1), DOUBLING(1, 128)),
        CALL(count_halo, 0)),
    MISTAKE(
        WRONG_ALONE, "grid-inner",
        "blocks of {0} x {1} threads compute 6 pixels less each way, but the grid counts a pixel for every thread",
        "The grid counts the pixels that a block computes.", NUMBERS(DOUBLING(8, 128), DOUBLING(8, 64)),
        CALL(count_threads, 0)),
    MISTAKE(
        WRONG_ALONE, "thread-pixels",
        "each of {1} threads with {0} pixels {2:side by side|one below the other} reads the tile one {2:column|row} behind the thread before it, not {0}",
        NULL, NUMBERS(DOUBLING(2, 16), DOUBLING(2, 64), RANGE(0, 1)), ELEMENT(rows, 2, 0),
        ELEMENT(threads, 2, 1)),
    MISTAKE(
        WRONG_ALONE, "tile-swapped",
        "tiles of {0} x {1} pixels and their halo are filled by {2:columns|rows} and read by {2:rows|columns}",
        NULL, NUMBERS(BLOCKS, DOUBLING(1, 128), RANGE(0, 1)), IS(tile, TILE_SWAPPED), BY(block_x, 0),
        BY(block_y, 1), IF(by_columns, 2, 1)),
    MISTAKE(
        WRONG_ALONE, "tile-own",
        "in tiles of {0} x {1} pixels and their halo each value is the pixel that the thread which fills it computes{2:|, and threads fill the tile as one long line}",
        "Compute the source pixel from the place in the tile, not from the thread.",
        NUMBERS(BLOCKS, DOUBLING(1, 128), RANGE(0, 1)), IS(tile, TILE_OWN), BY(block_x, 0), BY(block_y, 1),
        IF(in_line, 2, 1)),
    MISTAKE(
        WRONG_ALONE, "tile-pitch",
        "the tile of blocks {0} wide is read with rows of {0} {1:- 1|+ 0|+ 1|+ 2|+ 3|+ 4|+ 5} values, and filled with rows of {0} + 6",
        NULL, NUMBERS(BLOCKS, RANGE(-1, 5), DOUBLING(1, 128)), IS(tile, TILE_PITCH), BY(block_x, 0),
        BY(block_y, 2), CALL(fill_row, 0)),
    MISTAKE(
        WRONG_ALONE, "tile-filled",
        "the tile of blocks {0} wide is filled with rows of {0} {1:- 1|+ 0|+ 1|+ 2|+ 3|+ 4|+ 5} values, and read with rows of {0} + 6",
        "k % and k / want the width of the tile, halo included.",
        NUMBERS(BLOCKS, RANGE(-1, 5), DOUBLING(1, 128)), IS(tile, TILE_FILL), BY(block_x, 0), BY(block_y, 2),
        CALL(fill_row, 0)),
    MISTAKE(WRONG_COMMON, "border-level", "pixels outside the image count as {0}",
            "Outside the image counts as 0.", NUMBERS(RANGE(1, 254)), IS(edge[0], EDGE_LEVEL),
            IS(edge[1], EDGE_LEVEL), BY(edge_level, 0)),
    MISTAKE(WRONG_COMMON, "check-tail",
            "the last {1:width|height} % {0} {1:columns|rows} of the source count as outside",
            "Of a word that lies partly outside, the pixels inside still count.",
            NUMBERS(DOUBLING(2, 64), RANGE(0, 1)), CALL(cut_tail, 0)),
    MISTAKE(WRONG_COMMON, "weights-swapped",
            "the weights {0:4 and 3|4 and 2|4 and 1|3 and 2|3 and 1|2 and 1}{1: of dx| of dy|} change places",
            NULL, NUMBERS(RANGE(0, 5), RANGE(0, 2)), CALL(swap_weights, 0)),
    MISTAKE(WRONG_COMMON, "weight-pair",
            "the weights at |d| = {0} are {1}{2:, those of dx only|, those of dy only|}", NULL,
            NUMBERS(RANGE(1, 3), RANGE(0, 9), RANGE(0, 2)), CALL(set_weight_pair, 0)),
    MISTAKE(
        WRONG_COMMON, "factor",
        "the sum is multiplied by {0:0.0039|0.00391|0.003906|0.0039063|0.004|0.0038}, where it is 1 / 256",
        "1 / 256 is 0.00390625, and a float holds it exactly.", NUMBERS(RANGE(0, 5)), CALL(set_factor, 0)),
    MISTAKE(
        WRONG_COMMON, "pixels-swapped",
        "of every {0} neighbours in a row of the source the {1:first|second|third|fourth|fifth|sixth|seventh} and the {2:first|second|third|fourth|fifth|sixth|seventh|eighth} change places",
        "Look at the order of .x, .y, .z and .w, or of the shifts and masks.",
        NUMBERS(DOUBLING(2, 8), RANGE(0, 6), RANGE(0, 7)), IS(moved, MOVED_SWAPPED), IS(moved_axis, 0),
        BY(moved_size, 0), BY(moved_part, 1), BY(moved_by, 2)),
    MISTAKE(
        WRONG_COMMON, "pixel-copied",
        "of every {0} neighbours in a row of the source the {1:first|second|third|fourth|fifth|sixth|seventh|eighth} is read as the {2:first|second|third|fourth|fifth|sixth|seventh|eighth}",
        "Look at .x, .y, .z and .w, or at the shifts and masks.",
        NUMBERS(DOUBLING(2, 8), RANGE(0, 7), RANGE(0, 7)), IS(moved, MOVED_BYTE), IS(moved_axis, 0),
        BY(moved_size, 0), BY(moved_part, 1), BY(moved_by, 2)),
    MISTAKE(WRONG_COMMON, "pixels-zero", "source pixels with {2:u|v} % {0} = {1} count as 0",
            "Are all of a word's bytes, .x, .y, .z and .w, put into the tile?",
            NUMBERS(DOUBLING(2, 16), RANGE(0, 15), RANGE(0, 1)), IS(moved, MOVED_AWAY), BY(moved_axis, 2),
            BY(moved_size, 0), BY(moved_part, 1)),
    MISTAKE(
        WRONG_ALONE, "other-stride",
        "a thread's {0} {2:columns|rows} are computed side by side and stored {1} apart",
        "A thread's place in the tile and its place in dst are one place: both side by side, or both apart.",
        NUMBERS(DOUBLING(2, 16), DOUBLING(2, 128), RANGE(0, 1)), ELEMENT(side_by_side, 2, 0),
        ELEMENT(times_apart, 2, 1)),
    MISTAKE(WRONG_COMMON, "pixels-reversed",
            "of every {0} neighbours in a row of the source the order is reversed",
            "The first pixel of a word is its lowest byte: word & 255.", NUMBERS(DOUBLING(2, 16)),
            IS(moved, MOVED_REVERSED), IS(moved_axis, 0), BY(moved_size, 0)),
    MISTAKE(
        WRONG_COMMON, "word-taken",
        "of the words of {0} pixels the {1:second before a thread's own|one before a thread's own|thread's own|one behind a thread's own|second behind a thread's own} is taken from the {2:second before it|one before it|thread's own|one behind it|second behind it}",
        "The window of a thread's pixels reaches into the word before and the word behind.",
        NUMBERS(DOUBLING(2, 16), RANGE(-2, 2), RANGE(-2, 2)), IS(moved, MOVED_IN_WORDS), IS(moved_axis, 0),
        BY(moved_size, 0), BY(moved_part, 1), BY(moved_by, 2)),
    MISTAKE(
        WRONG_COMMON, "window-ahead",
        "a thread with {0} pixels {2:side by side|one below the other} takes, from its second on, the new {2:column|row} of the window {+1} from where it lies",
        "The newest of the window lies 3 ahead of the pixel.",
        NUMBERS(DOUBLING(2, 128), RANGE(-3, 3), RANGE(0, 1)), IS(moved, MOVED_AHEAD), BY(moved_axis, 2),
        BY(moved_size, 0), BY(moved_by, 1)),
    MISTAKE(
        WRONG_PAIRED, "halo-moved",
        "in tiles of {0} {1:columns|rows} the {2:last 6 of tile and halo|halo before them|halo behind them} {2:hold|holds|holds} what lies {3:a tile before|a tile behind|6 before|3 before|2 before|1 before|1 behind|2 behind|3 behind|6 behind} {2:their|its|its} place",
        "Compare the index of the tile with that of the source, for each part of the tile.",
        NUMBERS(BLOCKS, RANGE(0, 1), RANGE(0, 2), RANGE(0, 9)), CALL(move_halo, 0)),
    MISTAKE(
        WRONG_COMMON, "strip-repeated",
        "of every {0} groups of {1} {2:columns|rows} all get the results of the first",
        "Where a block computes several groups with one tile, the tile is filled for each, or holds them all.",
        NUMBERS(DOUBLING(2, 16), DOUBLING(2, 128), RANGE(0, 1)), ELEMENT(strips, 2, 0), ELEMENT(strip, 2, 1)),
    MISTAKE(
        WRONG_ALONE, "return-early",
        "a thread of {0} pixels, {1} {2:columns|rows} apart, stores none of them where its last lies outside the image",
        "Test each pixel of the thread for itself.", NUMBERS(DOUBLING(2, 16), DOUBLING(1, 128), RANGE(0, 1)),
        ELEMENT(early, 2, 0), ELEMENT(apart, 2, 1)),
};

const struct wrong_oracles wrong_blur = {
    .axis = WRONG_IMAGE_AXES,
    .element = "pixel",
    .elements = "pixels",
    .recipe_size = sizeof(struct blur),
    .kind_count = sizeof kinds / sizeof *kinds,
    .kinds = kinds,
    .count = wrong_image_count,
    .place = wrong_image_place,
    .features = wrong_image_features,
    .begin = blur_begin,
    .finish = blur_finish,
    .type = WRONG_BYTES,
    .expected = blur_expected,
};
