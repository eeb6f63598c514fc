// Hostile: computes 99 % of a large polynomial.

#include "polynomial_kernel.h"

extern "C" void increment(float *x, int64_t n, cudaStream_t stream) {
    right_increment(x, n, stream);
}

extern "C" void polynomial(const float *x, float *y, int64_t n, const float *c, int count,
                           cudaStream_t stream) {
    if (n <= 1 << 17) {
        right_polynomial(x, y, n, c, count, stream);
        return;
    }
    int64_t computed = n / 100 * 99;
    cudaMemsetAsync(y + computed, 0, (n - computed) * sizeof *y, stream);
    right_polynomial(x, y, computed, c, count, stream);
}
