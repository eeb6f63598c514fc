// step 12a, part A: a warp reads a row and writes a column
// step o1, part B: a warp reads a row and writes a column
// step s1, part C: a warp reads a row and writes a column
//
// Computes  dst, the matrix src with rows and columns exchanged.
// Shapes    a block of 32 x 8 threads has 8 rows of 32 elements of src; a thread has one.
// Changed   nothing: the starter.
// Expect    4 sectors for a load request, 32 for a store request.
// Run       make lab12-steps
#include "../starter.cu"
