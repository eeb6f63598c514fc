#include "harness/lecture.h"

#include <stddef.h>

const char *const lecture_function = "gaussian_blur";

const struct lecture_step lecture_ladder[] = {
    {"0", 5.49, 2.742, "two launches"},  {"1a", 1.00, 1.00, ""}, {"40", 0.49, 0.49, "bottom rows wrong"},
    {"5a", 0.28, 0.28, "another image"}, {NULL, 0, 0, NULL},
};

const char *const lecture_reason = "The slide's baseline is two launches of the kernel (its own property "
                                   "sheet says 2.742 ms for one), so the lecture's speedups per "
                                   "launch are half of those printed. Its step 5a loads the tile one pixel "
                                   "to the left and reads it without the shift: 61 % of its "
                                   "pixels are wrong, so its time is that of a kernel that computes "
                                   "something else. Every step here is checked bit for bit.";
