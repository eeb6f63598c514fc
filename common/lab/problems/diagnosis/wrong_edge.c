/* wrong_edge.c: what can be wrong with an edge pipeline: the kinds of mistake. What comes out: edge_recipe.c. */
#include "lab/problems/edge_recipe.h"

static uint64_t count(const struct problem_case *c) {
    return (uint64_t)(c->size[EDGE_WIDTH] * c->size[EDGE_HEIGHT]);
}

static void place(const struct problem_case *c, uint64_t index, struct wrong_place *p) {
    int64_t width = c->size[EDGE_WIDTH];
    *p = (struct wrong_place){.at = {(int64_t)index % width, (int64_t)index / width},
                              .extent = {width, c->size[EDGE_HEIGHT]}};
}

static unsigned features(const struct problem_case *c, struct wrong_feature *f) {
    f[0] = (struct wrong_feature){"width", c->size[EDGE_WIDTH], WRONG_COUNTS};
    f[1] = (struct wrong_feature){"height", c->size[EDGE_HEIGHT], WRONG_COUNTS};
    return 2;
}

/* Nine windows of 49 for each pixel, of 81 gray levels. */
static void work(const struct problem_case *c, uint64_t *recipe, uint64_t *element) {
    (void)c;
    *recipe = 50;
    *element = 3000;
}

/* ---- mistakes */

enum kind {
    NOTHING,
    CONSTANT,
    SWAPPED,
    CHANNEL_FIRST,
    GRAY_ROUNDED,
    GRAY_FORMULA,
    GRAY_IN_FLOAT,
    STAGES,
    BORDER_GRAY,
    BORDER_BLUR,
    BORDER_BOTH,
    BLUR_ROUNDED,
    BLUR_PASSES,
    DIVISOR,
    TAPS_X,
    TAPS_Y,
    SIGNED,
    MAGNITUDE,
    ROUNDED,
    NOT_CUT,
    PREWITT,
    CENTRE,
    BLUR_CENTRE,
    HALO_FUSED,
    HALO_BLUR,
    HALO_SOBEL,
    KINDS
};

#define TILES                                                                                                \
    { 4, 128, 0 }
#define OUTSIDE_WORDS "the nearest pixel's|that of the neighbouring rows|mirrored"

static const struct wrong_kind kinds[KINDS] = {
    [NOTHING] =
        {"unwritten",
         "nothing is written",
         "Is there a thread for each of these pixels (does the grid round up, is a kernel launched?), and does it get to the store: no return before it, no loop that ends too soon?",
         {{0}},
         WRONG_SOMEWHERE},
    [CONSTANT] = {"constant", "every result is {0}", NULL, {{0, 255, 1}}, WRONG_SOMEWHERE},
    [SWAPPED] = {"swapped",
                 "red and blue are exchanged",
                 "The lowest byte of a pixel is red: .x red, .y green, .z blue.",
                 {{0}},
                 WRONG_COMMON},
    [CHANNEL_FIRST] = {"channel",
                       "the bytes {0:.y, .z, .w|.z, .w, .x|.w, .x, .y} are taken for red, green, blue",
                       ".x red, .y green, .z blue; .w means nothing.",
                       {{1, 3, 1}},
                       WRONG_SOMEWHERE},
    [GRAY_ROUNDED] = {"gray-rounded",
                      "gray is rounded {0:down|up}",
                      "Add 500000 before the division by 1000000.",
                      {{GRAY_DOWN, GRAY_UP, 1}},
                      WRONG_COMMON},
    [GRAY_FORMULA] =
        {"gray-formula",
         "gray is {0:0.299 red + 0.587 green + 0.114 blue|0.299 red + 0.587 green + 0.114 blue, rounded down|(77 red + 150 green + 29 blue) / 256|(77 red + 150 green + 29 blue + 128) / 256|(red + green + blue) / 3|red alone|green alone|blue alone}",
         "(298839 red + 586811 green + 114350 blue + 500000) / 1000000.",
         {{GRAY_TV, GRAY_BLUE, 1}},
         WRONG_SOMEWHERE},
    [GRAY_IN_FLOAT] =
        {"gray-float",
         "gray is computed in float{0:, a half is added|, a half is added|, without a half|, without a half}, and cut",
         "A float has 24 bits and the sum of the products up to 28: compute in whole numbers.",
         {{GRAY_FLOAT, GRAY_FLOAT_DOWN_FUSED, 1}},
         WRONG_SOMEWHERE},
    [STAGES] =
        {"stages",
         "{0:the Gaussian is left out|Sobel is left out: the result is the blurred picture|the result is the gray picture}",
         NULL,
         {{NO_BLUR, ONLY_GRAY, 1}},
         WRONG_SOMEWHERE},
    [BORDER_GRAY] = {"border-gray",
                     "outside the picture gray is {0:" OUTSIDE_WORDS
                     "|left out and the weights inside made 1}",
                     "Outside the picture gray is 0.",
                     {{OUTSIDE_CLAMP, OUTSIDE_OTHER, 1}},
                     WRONG_COMMON},
    [BORDER_BLUR] =
        {"border-blur",
         "outside the picture the blur is {0:" OUTSIDE_WORDS "|what its window gives there}",
         "Outside the picture the blur is 0, too, though a window that hangs over the border is not: set it to 0 before Sobel takes it.",
         {{OUTSIDE_CLAMP, OUTSIDE_OTHER, 1}},
         WRONG_COMMON},
    [BORDER_BOTH] =
        {"border",
         "outside the picture gray and blur are {0:the nearest pixel's|those of the neighbouring rows|mirrored}",
         "Outside the picture both are 0.",
         {{OUTSIDE_CLAMP, OUTSIDE_MIRROR, 1}},
         WRONG_SOMEWHERE},
    [BLUR_ROUNDED] = {"blur-rounded",
                      "the blur is rounded {0:to the nearest|up}",
                      "sum / 256 in whole numbers.",
                      {{NEAREST, UP, 1}},
                      WRONG_COMMON},
    [BLUR_PASSES] = {"blur-passes",
                     "the {0:rows'|columns'} sums are divided by 16 and cut before the second pass",
                     "Keep 16 bits between the passes, and divide once.",
                     {{ROWS_DIVIDED, COLUMNS_DIVIDED, 1}},
                     WRONG_COMMON},
    [DIVISOR] = {"divisor", "the blur's sum is divided by {0}", NULL, {{49, 257, 1}}, WRONG_SOMEWHERE},
    [TAPS_X] =
        {"taps-dx", "the Gaussian's taps with dx = {+0} are left out", NULL, {{-3, 3, 1}}, WRONG_COMMON},
    [TAPS_Y] =
        {"taps-dy", "the Gaussian's taps with dy = {+0} are left out", NULL, {{-3, 3, 1}}, WRONG_COMMON},
    [SIGNED] = {"signed",
                "{0:gray|blurred} levels above 127 are taken for negative numbers",
                "A level is an unsigned byte: look for char and int8_t.",
                {{0, 1, 1}},
                WRONG_COMMON},
    [MAGNITUDE] =
        {"magnitude",
         "the result is {0:the sum of the amounts of gx and gy|the root of gx + gy|gx alone|gy alone|the greater of gx and gy|gx * gx + gy * gy without the root|the root of half the squares}",
         "The root of gx * gx + gy * gy.",
         {{ABSOLUTE_SUM, ROOT_OF_HALF, 1}},
         WRONG_SOMEWHERE},
    [ROUNDED] = {"rounded",
                 "the root is rounded {0:to the nearest|up}",
                 "Rounded down: the greatest whole number whose square is not above gx * gx + gy * gy.",
                 {{NEAREST, UP, 1}},
                 WRONG_COMMON},
    [NOT_CUT] = {"not-cut",
                 "roots above 255 lose their upper bits",
                 "They become 255: compare before the store.",
                 {{0}},
                 WRONG_COMMON},
    [PREWITT] = {"sobel-weights",
                 "Sobel's weights are {0:1 1 1|2 1 2} and not 1 2 1",
                 NULL,
                 {{0, 1, 1}},
                 WRONG_SOMEWHERE},
    [CENTRE] = {"centre",
                "the result is that of the pixel (x {+0}, y {+1})",
                "Compare the index where a value is put with the one where it is read.",
                {{-4, 4, 1}, {-4, 4, 1}},
                WRONG_COMMON},
    [BLUR_CENTRE] = {"blur-centre",
                     "the Gaussian's window is centred at (x {+0}, y {+1})",
                     "Compare the index where a value is put with the one where it is read.",
                     {{-2, 2, 1}, {-2, 2, 1}},
                     WRONG_COMMON},
    [HALO_FUSED] =
        {"halo",
         "each tile of {0} x {1} results knows only {2} gray pixels around it, and the others count as 0",
         "Sobel wants 1 pixel around the tile and the Gaussian 3 around that: 4.",
         {TILES, TILES, {0, 3, 1}},
         WRONG_ALONE},
    [HALO_BLUR] =
        {"halo-gray",
         "each tile of {0} x {1} blurred pixels knows only {2} gray pixels around it, and the others count as 0",
         "The window reaches 3 pixels beyond the tile.",
         {TILES, TILES, {0, 2, 1}},
         WRONG_ALONE},
    [HALO_SOBEL] = {"halo-blur",
                    "each tile of {0} x {1} results knows no blurred pixels around it: they count as 0",
                    "Sobel's window reaches 1 pixel beyond the tile: blur those pixels, too.",
                    {TILES, TILES},
                    WRONG_ALONE},
};

static void mistake(unsigned kind, const int *n, void *recipe) {
    struct edge *e = recipe;
    switch ((enum kind)kind) {
    case NOTHING: e->unwritten = true; break;
    case CONSTANT: e->constant = n[0]; break;
    case SWAPPED: e->red = 2, e->blue = 0; break;
    case CHANNEL_FIRST: e->first = n[0]; break;
    case GRAY_ROUNDED:
    case GRAY_FORMULA:
    case GRAY_IN_FLOAT: e->gray = (enum gray_way)n[0]; break;
    case STAGES: e->stages = (enum stages)n[0]; break;
    case BORDER_GRAY: e->gray_outside = (enum outside)n[0]; break;
    case BORDER_BLUR: e->blur_outside = (enum outside)n[0]; break;
    case BORDER_BOTH: e->gray_outside = e->blur_outside = (enum outside)n[0]; break;
    case BLUR_ROUNDED: e->blur_rounding = (enum rounding)n[0]; break;
    case BLUR_PASSES: e->passes = (enum passes)n[0]; break;
    case DIVISOR: e->divisor = n[0]; break;
    case TAPS_X: e->without_x |= 1u << (n[0] + 3); break;
    case TAPS_Y: e->without_y |= 1u << (n[0] + 3); break;
    case SIGNED:
        e->gray_signed = e->gray_signed || n[0] == 0;
        e->blur_signed = e->blur_signed || n[0] == 1;
        break;
    case MAGNITUDE: e->magnitude = (enum magnitude)n[0]; break;
    case ROUNDED: e->rounding = (enum rounding)n[0]; break;
    case NOT_CUT: e->wraps = true; break;
    case PREWITT: e->middle = 1, e->corner = n[0] == 0 ? 1 : 2; break;
    case CENTRE: e->centre_x = n[0], e->centre_y = n[1]; break;
    case BLUR_CENTRE: e->blur_x = n[0], e->blur_y = n[1]; break;
    case HALO_FUSED:
    case HALO_BLUR:
    case HALO_SOBEL:
        e->tile = kind == HALO_FUSED ? TILE_FUSED : kind == HALO_BLUR ? TILE_BLUR : TILE_SOBEL;
        e->tile_x = n[0], e->tile_y = n[1], e->border = n[2];
        break;
    case KINDS: break;
    }
}

const struct wrong_oracles wrong_edge = {
    .axis = {{"column", "columns", "x", "width"}, {"row", "rows", "y", "height"}},
    .element = "pixel",
    .elements = "pixels",
    .recipe_size = sizeof(struct edge),
    .kind_count = KINDS,
    .kinds = kinds,
    .count = count,
    .place = place,
    .features = features,
    .begin = edge_recipe_begin,
    .mistake = mistake,
    .work = work,
    .gives = edge_recipe_gives,
    .values = edge_recipe_values,
    .untouched = edge_recipe_untouched,
};
