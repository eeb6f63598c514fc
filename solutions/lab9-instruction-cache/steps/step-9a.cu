// step 9a: shared memory for the longest there can be; 4 x 4 copies
//
// Computes  the scores of lab9.h.
// Shapes    a warp a batch, a lane a pair; strips of 16 letters of a; blocks of one warp.
// Changed   nothing yet: this is where the lab starts.
// Expect    1.6 waves of blocks, and a hot loop that the instruction cache cannot hold.
// Run       make lab9-steps
#include "../starter.cu"
