// Hostile: 4096 constants of half a million steps each, a quarter of an hour for the compiler in little memory.
#include "blur_kernel.h"

constexpr unsigned long steps(unsigned long seed, unsigned count) {
    unsigned long x = seed;
    for (unsigned i = 0; i < count; i++)
        x = x * 6364136223846793005 + 1442695040888963407;
    return x;
}
#define A(n) static_assert(steps(n, 500000) != 0, "");
#define B(n) A(n) A(n + 1) A(n + 2) A(n + 3)
#define C(n) B(n) B(n + 4) B(n + 8) B(n + 12)
#define D(n) C(n) C(n + 16) C(n + 32) C(n + 48)
#define E(n) D(n) D(n + 64) D(n + 128) D(n + 192)
#define F(n) E(n) E(n + 256) E(n + 512) E(n + 768)
F(0) F(1024) F(2048) F(3072);

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    right_blur(src, dst, width, height, stream);
}
