// step pad1: step 6f with 1 floats after each row of the tile of B

#define PAD 1
#include "../steps/step-6f.cu"
