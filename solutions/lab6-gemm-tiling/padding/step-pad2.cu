// step pad2: step 6f with 2 floats after each row of the tile of B

#define PAD 2
#include "../steps/step-6f.cu"
