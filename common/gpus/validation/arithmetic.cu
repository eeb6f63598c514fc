/* arithmetic.cu: one kind of arithmetic each. */
#include "validation.h"

#include <cuda_fp16.h>

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

KERNEL integer_division(const uint32_t *x, uint32_t *y, uint32_t by) {
    uint32_t i = INDEX, value = x[i], sum = 0;
    for (int k = 0; k < 32; k++)
        sum += (value + k * 77) / (by + k);
    y[i] = sum;
}

/* Signed, by a number that is not known before. */
KERNEL integer_modulo(const uint32_t *x, uint32_t *y, int by) {
    int value = (int)x[INDEX], sum = 0;
    for (int k = 0; k < 32; k++)
        sum = (sum + value + k) % (by + (k & 3));
    y[INDEX] = sum;
}

KERNEL modulo_constant(const uint32_t *x, uint32_t *y, int rounds) {
    uint32_t value = x[INDEX];
    for (int k = 0; k < rounds; k++)
        value = value % 1000003 * 4093 + value / 255;
    y[INDEX] = value;
}

KERNEL wide_multiply(const uint32_t *x, uint32_t *y, int rounds) {
    uint64_t value = x[INDEX] | 1, factor = 6364136223846793005ull;
    for (int k = 0; k < rounds; k++)
        value = value * factor + 1442695040888963407ull + (value >> 33);
    y[INDEX] = (uint32_t)(value >> 32);
}

KERNEL wide_division(const uint32_t *x, uint32_t *y, uint64_t by) {
    uint64_t value = (uint64_t)x[INDEX] << 20, sum = 0;
    for (int k = 0; k < 8; k++)
        sum += (value + k) / (by + sum % 5);
    y[INDEX] = (uint32_t)sum;
}

KERNEL bit_tricks(const uint32_t *x, uint32_t *y, int rounds) {
    uint32_t a = x[INDEX], sum = 0;
    for (int k = 0; k < rounds; k++) {
        sum += __popc(a) + __clz(a | 1) * 3 + (__brev(a) >> 28);
        a = __funnelshift_l(a, sum, 7) ^ (a & ~sum) + __byte_perm(a, sum, 0x2617);
    }
    y[INDEX] = sum;
}

KERNEL float_division(const float *x, float *y, int rounds) {
    float a = x[INDEX] + 1, sum = 0;
    for (int k = 0; k < rounds; k++)
        sum += a / (sum + k + 0.5f);
    y[INDEX] = sum;
}

/* Compares, minima, absolute values: floats that are no multiply-adds. */
KERNEL float_minmax(const float *x, float *y, int rounds) {
    float low = x[INDEX], high = low + 1, step = low * 0.01f;
    for (int k = 0; k < rounds; k++) {
        float middle = fabsf(low - high) + step;
        low = fminf(fmaxf(low, middle - 3), high);
        high = middle > 2 ? high - step : high + low;
    }
    y[INDEX] = low + high;
}

KERNEL double_polynomial(const float *x, float *y, int rounds) {
    double a = x[INDEX], sum = 1, other = a;
    for (int k = 0; k < rounds; k++) {
        sum = sum * a + 0.25;
        other = other * a - 0.125;
    }
    y[INDEX] = (float)(sum + other);
}

KERNEL double_division(const float *x, float *y, int rounds) {
    double a = x[INDEX] + 1.0, sum = 0;
    for (int k = 0; k < rounds; k++)
        sum += a / (sum + k + 0.5);
    y[INDEX] = (float)sum;
}

KERNEL double_axpy(const double *x, double *y, double a, int n) {
    int i = INDEX;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

KERNEL half_polynomial(const float *x, float *y, int rounds) {
    __half2 a = __floats2half2_rn(x[INDEX] * 0.5f, 0.25f), sum = a, other = __hmul2(a, a);
    for (int k = 0; k < rounds; k++) {
        sum = __hfma2(sum, a, a);
        other = __hfma2(other, a, sum);
    }
    y[INDEX] = __low2float(sum) + __high2float(other);
}

KERNEL half_sum(const __half2 *x, float *y, int n) {
    float sum = 0;
    for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) {
        float2 pair = __half22float2(x[i]);
        sum += pair.x * pair.y;
    }
    y[INDEX] = sum;
}

/* Bytes to floats and back. */
KERNEL conversions(const uint32_t *x, uint32_t *y, int n) {
    int i = INDEX;
    uint32_t word = x[i], result = 0;
    for (int k = 0; k < 32; k += 8)
        result |= (uint32_t)__float2int_rn((float)(word >> k & 255) * 0.7f + 3.0f) << k;
    y[i] = result + __float2uint_rz((float)(int)result * 0.001f);
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 22;
    float *x = random_floats(2 * n), *y = zeros(2 * n);
    uint32_t *words = random_words(n, 0xfffffff), *to = (uint32_t *)y;
    VALIDATE(integer_division, 8192, 256, words, to, 1009);
    VALIDATE(integer_modulo, 8192, 256, words, to, 1009);
    VALIDATE(modulo_constant, 2048, 256, words, to, 64);
    VALIDATE(wide_multiply, 4096, 256, words, to, 128);
    VALIDATE(wide_division, 8192, 256, words, to, 1000003);
    VALIDATE(bit_tricks, 2048, 256, words, to, 64);
    VALIDATE(float_division, 8192, 256, x, y, 32);
    VALIDATE(float_minmax, 2048, 256, x, y, 64);
    VALIDATE(double_polynomial, 2048, 256, x, y, 256);
    VALIDATE(double_division, 8192, 256, x, y, 16);
    VALIDATE(double_axpy, n / 256, 256, (double *)x, (double *)y, 0.5, n);
    VALIDATE(half_polynomial, 2048, 256, x, y, 256);
    VALIDATE(half_sum, 1056, 256, (__half2 *)x, y, 2 * n);
    VALIDATE(conversions, n / 256, 256, words, to, n);
    return 0;
}
