// step 0: one thread per pixel, blocks of 8x8
//
// Computes  the 7x7 Gaussian of lab1.h: 49 byte loads per pixel, integer arithmetic.
// Shapes    block 8x8, one thread per pixel; a warp covers 8x4 pixels.
// Changed   nothing yet: this is where the lecture starts, and where lab 1 starts.
// Expect    4.8 sectors per load request: 4 rows of 8 bytes, each row in one or two 32-byte sectors.
//           At 2560x1600: 6,272,000 load requests, 30,364,232 sectors.
// Run       make lab1-steps
#include "../starter.cu"
