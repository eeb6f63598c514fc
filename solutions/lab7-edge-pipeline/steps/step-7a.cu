// step 7a: three kernels, one thread per pixel, blocks of 8x8
//
// Computes  the edges of lab7.h, in three kernels.
// Shapes    blocks of 8x8, one thread per pixel.
// Changed   nothing yet: this is where the lab starts. Rank the kernels before you change one.
// Expect    the Gaussian takes most of the time, so it alone is worth work: Amdahl.
// Run       make lab7-steps
#include "../starter.cu"
