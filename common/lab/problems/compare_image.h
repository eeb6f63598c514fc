/* compare_image.h: what the problems share whose images have no gaps: size[0] is the width and size[1] the height. The
 * functions that a struct problem has are as problem.h says. */
#ifndef PROBLEMS_COMPARE_IMAGE_H
#define PROBLEMS_COMPARE_IMAGE_H

#include "lab/problems/problem.h"

/* "31 x 7, one bright pixel" */
void image_name_case(struct problem_case *problem_case);
/* Width and height of a small case, either the longer. */
void image_draw_size(struct draw *draw, int64_t size[2]);
void image_timed_case(unsigned part, uint32_t width, uint32_t height, const struct draw_key *key,
                      struct problem_case *problem_case);
/* Bit for bit. */
void compare_image(const struct problem_case *problem_case, const void *const expected[],
                   const void *const got[], uint8_t poison, struct problem_verdict *verdict);
/* Row y of an image, pixel by pixel: wrong ones are counted and listed. Returns how many. pitch: of their indices. */
uint64_t compare_pixels(const uint8_t *got, const uint8_t *expected, size_t width, size_t y, size_t pitch,
                        struct problem_verdict *verdict);

#endif
