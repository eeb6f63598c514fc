// Hostile: 20 lines that become 2^26 additions, some 200 MB of text for the compiler.
#include "blur_kernel.h"
#define A(x) x + x
#define B(x) A(x) + A(x)
#define C(x) B(x) + B(x)
#define D(x) C(x) + C(x)
#define E(x) D(x) + D(x)
#define F(x) E(x) + E(x)
#define G(x) F(x) + F(x)
#define H(x) G(x) + G(x)
#define I(x) H(x) + H(x)
#define J(x) I(x) + I(x)
#define K(x) J(x) + J(x)
#define L(x) K(x) + K(x)
#define M(x) L(x) + L(x)
static int many = M(M(1));

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width + many * 0, height, stream);
}
