/*
 * gray.h: the image of task 9 and its check. Every pixel is compared with the exact value, rounded to the nearest
 * level. Where a picture is wrong it is compared with what usual mistakes make of it: a mistake is named only where it
 * explains every pixel.
 */
#ifndef GRAY_H
#define GRAY_H

#include "check.h"

static const double gray_weights[3] = {0.298839, 0.586811, 0.114350};

/* A picture that no two formulas make the same gray of. */
static inline void draw_picture(uchar4 *rgba, int width, int height) {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            uchar4 *pixel = &rgba[y * width + x];
            pixel->x = (unsigned char)(255 - 7 * x); /* red */
            pixel->y = (unsigned char)(40 + 5 * y + 3 * x);
            pixel->z = (unsigned char)(11 * x * y + 90); /* blue */
            pixel->w = 200;                              /* how opaque it is: no part of the gray */
        }
}

/* ---- what usual mistakes compute */

static inline double gray_exact(uchar4 p) {
    return gray_weights[0] * p.x + gray_weights[1] * p.y + gray_weights[2] * p.z;
}
static inline double gray_truncated(uchar4 p) {
    return (int)gray_exact(p);
}
static inline double gray_swapped(uchar4 p) {
    return gray_weights[2] * p.x + gray_weights[1] * p.y + gray_weights[0] * p.z;
}
static inline double gray_swapped_truncated(uchar4 p) {
    return (int)gray_swapped(p);
}
static inline double gray_mean(uchar4 p) {
    return (p.x + p.y + p.z) / 3;
}
static inline double gray_zero(uchar4 p) {
    return 0 * p.x;
}
static inline double gray_red(uchar4 p) {
    return p.x;
}
static inline double gray_green(uchar4 p) {
    return p.y;
}
static inline double gray_sum(uchar4 p) {
    return p.x + p.y + p.z;
}
static inline double gray_one_added(uchar4 p) {
    return (int)(gray_exact(p) + 1);
}
static inline double gray_parts_cut(uchar4 p) {
    return (int)(gray_weights[0] * p.x) + (int)(gray_weights[1] * p.y) + (int)(gray_weights[2] * p.z);
}
static inline double gray_per_cent(uchar4 p) {
    return (30 * p.x + 59 * p.y + 11 * p.z) / 100;
}
static inline double gray_three_digits(uchar4 p) {
    return 0.299 * p.x + 0.587 * p.y + 0.114 * p.z;
}
static inline double gray_per_mille(uchar4 p) {
    return (299 * p.x + 587 * p.y + 114 * p.z) / 1000;
}
static inline double gray_shifted(uchar4 p) {
    return gray_weights[0] * p.w + gray_weights[1] * p.x + gray_weights[2] * p.y;
}
static inline double gray_opaque(uchar4 p) {
    return gray_exact(p) + p.w;
}

static const struct gray_mistake {
    double (*formula)(uchar4);
    const char *words;
} gray_mistakes[] = {
    {gray_truncated, "the right value rounded down, not to the nearest"},
    {gray_swapped, "red and blue exchanged"},
    {gray_swapped_truncated, "red and blue exchanged, and rounded down"},
    {gray_mean, "the plain mean of red, green and blue"},
    {gray_zero, "all black"},
    {gray_red, "red alone"},
    {gray_green, "green alone"},
    {gray_sum, "the plain sum of red, green and blue"},
    {gray_one_added, "one added to the right value, and rounded down"},
    {gray_parts_cut, "three products, each rounded down before they are added"},
    {gray_per_cent, "of weights in whole per cents, and rounded down"},
    {gray_three_digits, "of weights of three digits"},
    {gray_per_mille, "of weights of three digits, and rounded down"},
    {gray_shifted, "w, x and y for red, green and blue"},
    {gray_opaque, "the right value and w added to it"},
};

/* float arithmetic may come out at either side where a value lies within 0.001 of the middle of two levels. */
static inline int gray_is(int got, double exact) {
    double difference = got - exact;
    return difference <= 0.501 && difference >= -0.501;
}

/* ---- the check */

static inline int check_gray(const unsigned char *gray, const uchar4 *rgba, int width, int height) {
    int wrong = 0, first = 0, n = width * height;
    for (int i = 0; i < n; i++)
        if (!gray_is(gray[i], gray_exact(rgba[i]))) {
            first = wrong == 0 ? i : first;
            wrong++;
        }
    if (wrong == 0) {
        printf("right: gray, all %d pixels\n", n);
        return 0;
    }
    uchar4 p = rgba[first];
    printf("wrong: gray(x %d, y %d) is %d, expected %.0f (exactly %.3f); %d of %d pixels are wrong\n",
           first % width, first / width, gray[first], gray_exact(p), gray_exact(p), wrong, n);
    printf("       its red is %d, green %d, blue %d\n", p.x, p.y, p.z);
    for (size_t k = 0; k < sizeof gray_mistakes / sizeof *gray_mistakes; k++) {
        int same = 0;
        for (int i = 0; i < n; i++)
            same += gray_is(gray[i] % 256, (double)((int)(gray_mistakes[k].formula(rgba[i]) + 0.5) % 256));
        if (same == n)
            printf("every pixel is: %s\n", gray_mistakes[k].words);
    }
    return 1;
}

#endif
