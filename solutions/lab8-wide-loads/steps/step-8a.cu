// step 8a: each load brings one number
//
// Computes  the sums of lab8.h, in double precision.
// Shapes    a block of 1024 threads has a set; a thread takes a point, then the one 1024 further, ...
// Changed   nothing: the starter.
// Expect    40 registers, and a wait for nearly every load: one value under way, seldom two.
// Run       make lab8-steps
#include "../starter.cu"
