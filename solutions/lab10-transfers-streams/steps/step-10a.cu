// step 10a: one stream, pageable memory
//
// Computes the particles of lab10.h, bit for bit.
// Changed  nothing: the starter.
// Expect   the host converts and copies strip by strip, and each copy waits for all before it: the GPU is idle nearly
//           always.
// Run       make lab10-steps
#include "../starter.cu"
