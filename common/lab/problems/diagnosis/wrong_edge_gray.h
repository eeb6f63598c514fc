/* wrong_edge_gray.h: the ways in which gray is computed, right or wrong. */
#ifndef PROBLEMS_WRONG_EDGE_GRAY_H
#define PROBLEMS_WRONG_EDGE_GRAY_H

/* How gray comes about. */
enum gray_way {
    GRAY_RIGHT,
    GRAY_DOWN,
    GRAY_UP,
    GRAY_FLOAT, /* as float_way says */
    GRAY_FIXED, /* weights of gray_bits bits, a half added */
    GRAY_FIXED_DOWN,
    GRAY_TV, /* 0.299, 0.587, 0.114 */
    GRAY_TV_DOWN,
    GRAY_TV_FLOAT,
    GRAY_HDTV, /* 0.2126, 0.7152, 0.0722 */
    GRAY_PER_CENT,
    GRAY_PER_CENT_DOWN,
    GRAY_MEAN, /* (r + g + b) / 3 */
    GRAY_RED,
    GRAY_GREEN,
    GRAY_BLUE
};

/* How gray comes about in float: which products are summed first, fused or not, where the half is
 * added. */
enum float_way {
    FLOAT_PRODUCTS,        /* (red + green + blue) + half */
    FLOAT_RED_FIRST,       /* fused: blue + (green + red), + half */
    FLOAT_BLUE_FIRST,      /* fused: red + (green + blue), + half */
    FLOAT_GREEN_FIRST,     /* fused: blue + (red + green), + half */
    FLOAT_HALF_RED_FIRST,  /* fused: blue + (green + (red + half)) */
    FLOAT_HALF_BLUE_FIRST, /* fused: red + (green + (blue + half)) */
    FLOAT_DIVIDED,         /* the sum in whole numbers, / 1000000 + half */
    FLOAT_PRODUCTS_DOWN,   /* as the first two, without the half */
    FLOAT_RED_FIRST_DOWN,
};

/* The gray of a colour; bits: of the weights, for GRAY_FIXED*. */
int wrong_gray(enum gray_way way, enum float_way float_way, int bits, int r, int g, int b);

#endif
