// step pad4: step 6f with 4 floats after each row of the tile of B

#define PAD 4
#include "../steps/step-6f.cu"
