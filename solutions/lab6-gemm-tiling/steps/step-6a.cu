// step 6a: naive
//
// Computes  C = alpha A B + beta C of lab6.h, stored by columns.
// Shapes    block 32x8, one element of C per thread. The threads of a warp lie along a row of C.
// Changed   nothing: this is the starter.
// Expect    two loads per multiply-add. Neighbouring threads read B, and write C, a whole column apart: a
//           sector of 32 bytes is fetched for every 4 bytes used.
// Run       make lab6-steps
#include "../starter.cu"
