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

/* Weights of red, green, blue and w; what is added before the fraction is dropped. */
static const struct gray_mistake {
    double weight[4], added;
    const char *words;
} gray_mistakes[] = {
    {{0.298839, 0.586811, 0.114350, 0}, 0, "the right value rounded down, not to the nearest"},
    {{0.114350, 0.586811, 0.298839, 0}, 0.5, "red and blue exchanged"},
    {{0.114350, 0.586811, 0.298839, 0}, 0, "red and blue exchanged, and rounded down"},
    {{0.586811, 0.298839, 0.114350, 0}, 0.5, "the weights of red and green exchanged"},
    {{0.298839, 0.114350, 0.586811, 0}, 0.5, "the weights of green and blue exchanged"},
    {{0.586811, 0.114350, 0, 0.298839}, 0.5, "w, x and y taken for red, green and blue"},
    {{0, 0.298839, 0.586811, 0.114350}, 0.5, "y, z and w taken for red, green and blue"},
    {{1 / 3.0, 1 / 3.0, 1 / 3.0, 0}, 1e-6, "the plain mean of red, green and blue"},
    {{0, 0, 0, 0}, 0, "all black"},
    {{1, 0, 0, 0}, 0, "red alone"},
    {{0, 1, 0, 0}, 0, "green alone"},
    {{1, 1, 1, 0}, 0, "the plain sum of red, green and blue"},
    {{0.298839, 0.586811, 0.114350, 0}, 1, "one added to the right value, and rounded down"},
    {{0.30, 0.59, 0.11, 0}, 1e-6, "of weights in whole per cents, and rounded down"},
    {{0.299, 0.587, 0.114, 0}, 1e-6, "of weights in thousandths, and rounded down"},
    {{0.299, 0.587, 0.114, 0}, 0.5, "of weights in thousandths"},
    {{77 / 256.0, 150 / 256.0, 29 / 256.0, 0}, 0, "of weights in 256ths, and rounded down"},
    {{0.298839, 0.586811, 0.114350, 1}, 0.5, "the right value and w added to it"},
    {{0.298839, 0.586811, 0.114350, 0}, -1, "three products, each rounded down before they are added"},
};

/* added -1: each product is rounded down. off: how far float arithmetic may be off. */
static inline int gray_wrong(const struct gray_mistake *m, uchar4 p, double off) {
    double part[4] = {m->weight[0] * p.x, m->weight[1] * p.y, m->weight[2] * p.z, m->weight[3] * p.w};
    if (m->added < 0)
        return (int)part[0] + (int)part[1] + (int)part[2];
    return (int)(part[0] + part[1] + part[2] + part[3] + m->added + off) % 256;
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
            same += gray[i] == gray_wrong(&gray_mistakes[k], rgba[i], 0.001) ||
                    gray[i] == gray_wrong(&gray_mistakes[k], rgba[i], -0.001);
        if (same == n)
            printf("every pixel is: %s\n", gray_mistakes[k].words);
    }
    return 1;
}

#endif
