// step pad0: step 6f with 0 floats after each row of the tile of B

#define PAD 0
#include "../steps/step-6f.cu"
