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

static inline double gray_exact(uchar4 p) {
    return gray_weights[0] * p.x + gray_weights[1] * p.y + gray_weights[2] * p.z;
}

/* What usual mistakes compute: the sum of weights times x, y, z and w, divided; whole: without its fraction then. */
static const struct gray_mistake {
    const char *words;
    double x, y, z, w, divisor, added;
    int whole;
} gray_mistakes[] = {
    {"the right value rounded down, not to the nearest", 0.298839, 0.586811, 0.114350, 0, 1, 0, 1},
    {"red and blue exchanged", 0.114350, 0.586811, 0.298839, 0, 1, 0, 0},
    {"red and blue exchanged, and rounded down", 0.114350, 0.586811, 0.298839, 0, 1, 0, 1},
    {"the plain mean of red, green and blue", 1, 1, 1, 0, 3, 0, 1},
    {"all black", 0, 0, 0, 0, 1, 0, 0},
    {"red alone", 1, 0, 0, 0, 1, 0, 0},
    {"green alone", 0, 1, 0, 0, 1, 0, 0},
    {"the plain sum of red, green and blue", 1, 1, 1, 0, 1, 0, 0},
    {"one added to the right value, and rounded down", 0.298839, 0.586811, 0.114350, 0, 1, 1, 1},
    {"of weights in whole per cents, and rounded down", 30, 59, 11, 0, 100, 0, 1},
    {"of weights of three digits", 299, 587, 114, 0, 1000, 0, 0},
    {"of weights of three digits, and rounded down", 299, 587, 114, 0, 1000, 0, 1},
    {"w, x and y for red, green and blue", 0.586811, 0.114350, 0, 0.298839, 1, 0, 0},
    {"the right value and w added to it", 0.298839, 0.586811, 0.114350, 1, 1, 0, 0},
    {"three products, each rounded down before they are added", 0, 0, 0, 0, 0, 0, 0},
};

static inline double gray_mistaken(const struct gray_mistake *m, uchar4 p) {
    double value = (m->x * p.x + m->y * p.y + m->z * p.z + m->w * p.w) / m->divisor + m->added;
    if (m->divisor == 0) /* the three products */
        return (int)(gray_weights[0] * p.x) + (int)(gray_weights[1] * p.y) + (int)(gray_weights[2] * p.z);
    return m->whole ? (int)value : value;
}

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
            same += gray_is(gray[i] % 256,
                            (double)((int)(gray_mistaken(&gray_mistakes[k], rgba[i]) + 0.5) % 256));
        if (same == n)
            printf("every pixel is: %s\n", gray_mistakes[k].words);
    }
    return 1;
}

#endif
