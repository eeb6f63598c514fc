/* special.cu: roots, sines, exponents: the special-function unit, and what the library adds to it. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

KERNEL sine(const float *x, float *y, int rounds) {
    float a = x[INDEX], sum = 0;
    for (int k = 0; k < rounds; k++)
        sum += sinf(a + sum);
    y[INDEX] = sum;
}

/* Arguments too large for the short way. */
KERNEL sine_large(const float *x, float *y, int rounds) {
    float a = x[INDEX] * 1e6f + 2e5f, sum = 0;
    for (int k = 0; k < rounds; k++)
        sum += sinf(a * (k + 1));
    y[INDEX] = sum;
}

KERNEL sine_fast(const float *x, float *y, int rounds) {
    float a = x[INDEX], sum = 0;
    for (int k = 0; k < rounds; k++)
        sum += __sinf(a + k) * __cosf(a - k);
    y[INDEX] = sum;
}

KERNEL square_root(const float *x, float *y, int rounds) {
    float a = x[INDEX], sum = 0;
    for (int k = 0; k < rounds; k++)
        sum += sqrtf(a + sum);
    y[INDEX] = sum;
}

KERNEL reciprocal_root(const float *x, float *y, int rounds) {
    float a = x[INDEX], sum = 1;
    for (int k = 0; k < rounds; k++)
        sum += rsqrtf(a + k) + rsqrtf(a * k + 1);
    y[INDEX] = sum;
}

KERNEL exponential(const float *x, float *y, int rounds) {
    float a = x[INDEX], sum = 0;
    for (int k = 0; k < rounds; k++)
        sum += expf(-a * k) + logf(a + k + 1);
    y[INDEX] = sum;
}

KERNEL power(const float *x, float *y, int rounds) {
    float a = x[INDEX] + 0.5f, sum = 0;
    for (int k = 0; k < rounds; k++)
        sum += powf(a, 0.3f * k);
    y[INDEX] = sum;
}

KERNEL double_exponential(const float *x, float *y, int rounds) {
    double a = x[INDEX], sum = 0;
    for (int k = 0; k < rounds; k++)
        sum += exp(-a * k);
    y[INDEX] = (float)sum;
}

/* The price of an option, as a bank computes it: some of everything. */
static __device__ float normal(float d) {
    float k = 1 / (1 + 0.2316419f * fabsf(d));
    float tail = 0.39894228f * expf(-0.5f * d * d) *
                 (k * (0.31938153f +
                       k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1 - tail : tail;
}

KERNEL option_prices(const float *x, float *y, int n) {
    int i = INDEX;
    if (i >= n)
        return;
    float price = 5 + 25 * x[i], strike = 1 + 99 * x[i + n], years = 0.25f + 9 * x[i + 2 * n];
    float root = sqrtf(years), d1 = (logf(price / strike) + (0.02f + 0.045f) * years) / (0.3f * root);
    float d2 = d1 - 0.3f * root, discount = expf(-0.02f * years);
    y[i] = price * normal(d1) - strike * discount * normal(d2);
    y[i + n] = strike * discount * (1 - normal(d2)) - price * (1 - normal(d1));
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 21;
    float *x = random_floats(4 * n), *y = zeros(2 * n);
    VALIDATE(sine, 4096, 256, x, y, 16);
    VALIDATE(sine_large, 2048, 256, x, y, 8);
    VALIDATE(sine_fast, 2048, 256, x, y, 64);
    VALIDATE(square_root, 8192, 256, x, y, 32);
    VALIDATE(reciprocal_root, 2048, 256, x, y, 64);
    VALIDATE(exponential, 2048, 256, x, y, 32);
    VALIDATE(power, 4096, 256, x, y, 16);
    VALIDATE(double_exponential, 4096, 256, x, y, 16);
    VALIDATE(option_prices, n / 256, 256, x, y, n);
    return 0;
}
