/* edge_pipeline.h: lab 7: the edges of a colour picture: gray, a 7x7 Gaussian, Sobel's gradient. Zero outside. */
#ifndef PROBLEMS_EDGE_PIPELINE_H
#define PROBLEMS_EDGE_PIPELINE_H

#include "lab/problems/problem.h"

enum edge_buffer { EDGE_SRC, EDGE_DST, EDGE_SCRATCH, EDGE_BUFFERS };

/* What stands in a case's size[]. */
enum edge_size { EDGE_WIDTH, EDGE_HEIGHT, EDGE_SIZES };
PROBLEM_FITS(EDGE_BUFFERS, EDGE_SIZES);

/* Bytes of a pixel of src; planes of the scratch memory that a student's function gets, each with a byte for every pixel,
 * rounded up to a multiple of EDGE_PLANE_ALIGN, as labs/lab7-edge-pipeline/lab7.h says. */
enum { EDGE_CHANNELS = 4, EDGE_PLANES = 3, EDGE_PLANE_ALIGN = 256 };

/* The weights of red, green and blue, in millionths. */
enum { EDGE_RED = 298839, EDGE_GREEN = 586811, EDGE_BLUE = 114350, EDGE_ONE = 1000000 };

extern const struct problem problem_edge_pipeline;

/* The definition: the weighted mean, a half rounded up. */
uint8_t edge_gray(const uint8_t pixel[EDGE_CHANNELS]);
/* The definition: the greatest whole number up to 255 whose square is not above gx * gx + gy * gy; each at most 1020 off 0. */
uint8_t edge_level(int gx, int gy);

/* The oracle: width * height pixels of EDGE_CHANNELS bytes in, as many bytes out. False when out of memory. */
bool edge_oracle(const uint8_t *src, uint8_t *dst, int64_t width, int64_t height);

#endif
