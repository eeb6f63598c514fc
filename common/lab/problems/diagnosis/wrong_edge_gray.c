/* wrong_edge_gray.c: gray levels as students compute them. */
#include "lab/problems/diagnosis/wrong_edge_gray.h"
#include "lab/problems/diagnosis/wrong_oracle.h"
#include "lab/problems/edge_pipeline.h"

#include <math.h>

/* The sum of the products plus a half, in the student's order. Only fmaf is fused. */
static float float_sum(enum float_way way, float r, float g, float b) {
    static const float red = 0.298839F, green = 0.586811F, blue = 0.114350F;
    switch (way) {
    case FLOAT_PRODUCTS:
    case FLOAT_PRODUCTS_DOWN: {
        float sum = red * r, second = green * g, third = blue * b;
        sum += second;
        sum += third;
        return way == FLOAT_PRODUCTS ? sum + 0.5F : sum;
    }
    case FLOAT_RED_FIRST: return fmaf(blue, b, fmaf(green, g, red * r)) + 0.5F;
    case FLOAT_RED_FIRST_DOWN: return fmaf(blue, b, fmaf(green, g, red * r));
    case FLOAT_BLUE_FIRST: return fmaf(red, r, fmaf(green, g, blue * b)) + 0.5F;
    case FLOAT_GREEN_FIRST: return fmaf(blue, b, fmaf(red, r, green * g)) + 0.5F;
    case FLOAT_HALF_RED_FIRST: return fmaf(blue, b, fmaf(green, g, fmaf(red, r, 0.5F)));
    case FLOAT_HALF_BLUE_FIRST: return fmaf(red, r, fmaf(green, g, fmaf(blue, b, 0.5F)));
    case FLOAT_DIVIDED: {
        float sum = (float)(EDGE_RED * (int)r + EDGE_GREEN * (int)g + EDGE_BLUE * (int)b);
        sum /= (float)EDGE_ONE;
        return sum + 0.5F;
    }
    }
    return 0;
}

/* A millionth weight as a whole number of 2^-bits. */
static int fixed_weight(int weight, int bits) {
    return (int)(((int64_t)weight * 2 * (1 << bits) + EDGE_ONE) / (2 * EDGE_ONE));
}

static int fixed_gray(int bits, bool down, int r, int g, int b) {
    return (fixed_weight(EDGE_RED, bits) * r + fixed_weight(EDGE_GREEN, bits) * g +
            fixed_weight(EDGE_BLUE, bits) * b + (down ? 0 : 1 << (bits - 1))) >>
           bits;
}

int wrong_gray(enum gray_way way, enum float_way float_way, int bits, int r, int g, int b) {
    int sum = EDGE_RED * r + EDGE_GREEN * g + EDGE_BLUE * b;
    switch (way) {
    case GRAY_RIGHT: return (sum + EDGE_ONE / 2) / EDGE_ONE;
    case GRAY_DOWN: return sum / EDGE_ONE;
    case GRAY_UP: return (sum + EDGE_ONE - 1) / EDGE_ONE;
    case GRAY_FLOAT: return (int)float_sum(float_way, (float)r, (float)g, (float)b);
    case GRAY_FIXED: return fixed_gray(bits, false, r, g, b);
    case GRAY_FIXED_DOWN: return fixed_gray(bits, true, r, g, b);
    case GRAY_TV: return (299 * r + 587 * g + 114 * b + 500) / 1000;
    case GRAY_TV_DOWN: return (299 * r + 587 * g + 114 * b) / 1000;
    case GRAY_TV_FLOAT:
        return (int)(fmaf(0.114F, (float)b, fmaf(0.587F, (float)g, 0.299F * (float)r)) + 0.5F);
    case GRAY_HDTV: return (2126 * r + 7152 * g + 722 * b + 5000) / 10000;
    case GRAY_PER_CENT: return (30 * r + 59 * g + 11 * b + 50) / 100;
    case GRAY_PER_CENT_DOWN: return (30 * r + 59 * g + 11 * b) / 100;
    case GRAY_MEAN: return (r + g + b) / 3;
    case GRAY_RED: return r;
    case GRAY_GREEN: return g;
    case GRAY_BLUE: return b;
    }
    return UNKNOWN;
}
