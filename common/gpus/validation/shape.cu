/* shape.cu: what grids, blocks, registers and code size do. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

/* Sixteen blocks on the whole chip, and one warp in each: nothing hides a multiply-add's latency. */
KERNEL thread_poor(const float *x, float *y, int rounds) {
    float a = x[INDEX], sum = 0;
    for (int k = 0; k < rounds; k++)
        sum = sum * a + 0.25f;
    y[INDEX] = sum;
}

/* The same with four chains side by side, and loads from L2. */
KERNEL thread_poor_sum(const float *x, float *y, int n) {
    float sum[4] = {0, 0, 0, 0};
    int step = gridDim.x * blockDim.x;
    for (int i = INDEX; i + 3 * step < n; i += 4 * step)
        for (int k = 0; k < 4; k++)
            sum[k] += x[i + k * step];
    y[INDEX] = sum[0] + sum[1] + sum[2] + sum[3];
}

KERNEL one_block(const float *x, float *y, int n) {
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += x[i] * x[i];
    y[threadIdx.x] = sum;
}

/* Blocks of a warp each, with next to nothing to do. */
KERNEL tiny_blocks(float *y) {
    y[INDEX] = blockIdx.x;
}

/* One block more than the chip holds at once. */
static __device__ void long_block(const float *x, float *y, int rounds) {
    float a = x[threadIdx.x], b = a + 1, c = a + 2, sum = 0;
    for (int k = 0; k < rounds; k++) {
        sum = sum * a + b;
        b = b * c + 0.5f;
        c = c * a + sum;
    }
    y[INDEX] = sum + b + c;
}

KERNEL __launch_bounds__(1024) tail_wave(const float *x, float *y, int rounds) {
    long_block(x, y, rounds);
}

KERNEL __launch_bounds__(1024) whole_waves(const float *x, float *y, int rounds) {
    long_block(x, y, rounds);
}

/* 48 values a thread in the registers of 32. */
KERNEL __launch_bounds__(1024, 2) spilled(const float *x, float *y, int rounds) {
    float a[48];
    for (int i = 0; i < 48; i++)
        a[i] = x[threadIdx.x + i * 32];
    for (int k = 0; k < rounds; k++)
#pragma unroll
        for (int i = 0; i < 48; i++)
            a[i] = a[i] * a[(i + 7) % 48] + x[k];
    float sum = 0;
    for (int i = 0; i < 48; i++)
        sum += a[i];
    y[INDEX] = sum;
}

/* An array that is indexed by data: local memory. */
KERNEL local_array(const uint32_t *x, uint32_t *y, int rounds) {
    uint32_t counts[64], state = x[INDEX], sum = 0;
    for (int i = 0; i < 64; i++)
        counts[i] = i;
    for (int k = 0; k < rounds; k++) {
        counts[state % 64] += k;
        state = state * 1664525 + 1013904223;
        sum += counts[state >> 26];
    }
    y[INDEX] = sum;
}

/* Sixteen independent chains in 64 registers and more. */
KERNEL many_registers(const float *x, float *y, int rounds) {
    float a[16], b[16], c[16];
    for (int i = 0; i < 16; i++)
        a[i] = x[INDEX + i], b[i] = x[INDEX + 2 * i + 1], c[i] = x[INDEX + 3 * i + 2];
    for (int k = 0; k < rounds; k++)
#pragma unroll
        for (int i = 0; i < 16; i++)
            a[i] = a[i] * b[i] + c[i];
    float sum = 0;
    for (int i = 0; i < 16; i++)
        sum += a[i];
    y[INDEX] = sum;
}

/* `copies` times some four instructions, all different. */
template <int copies, int first> static __device__ __forceinline__ void stretch(uint32_t &a, uint32_t &b) {
#pragma unroll
    for (int i = first; i < first + copies; i++) {
        a = (a << (i % 13 + 1)) + (b ^ (uint32_t)(0x9e3779b1u * (i + 1)));
        b = (b >> (i % 11 + 1)) + (a & (uint32_t)(0x85ebca77u * (i + 3)));
    }
}

/* Loops of 6, 50 and 200 KB of machine code. */
KERNEL code_6k(const uint32_t *x, uint32_t *y, int rounds) {
    uint32_t a = x[INDEX], b = a * 3;
    for (int k = 0; k < rounds; k++)
        stretch<100, 0>(a, b);
    y[INDEX] = a ^ b;
}

static __device__ __forceinline__ void loop_50k(const uint32_t *x, uint32_t *y, int rounds) {
    uint32_t a = x[INDEX], b = a * 3;
    for (int k = 0; k < rounds; k++)
        stretch<800, 0>(a, b);
    y[INDEX] = a ^ b;
}

KERNEL code_50k(const uint32_t *x, uint32_t *y, int rounds) {
    loop_50k(x, y, rounds);
}

/* One warp an SM runs through it: nothing hides the fetches. */
KERNEL code_50k_alone(const uint32_t *x, uint32_t *y, int rounds) {
    loop_50k(x, y, rounds);
}

KERNEL code_200k(const uint32_t *x, uint32_t *y, int rounds) {
    uint32_t a = x[INDEX], b = a * 3;
    for (int k = 0; k < rounds; k++) {
        stretch<800, 0>(a, b);
        stretch<800, 800>(a, b);
        stretch<800, 1600>(a, b);
        stretch<800, 2400>(a, b);
    }
    y[INDEX] = a ^ b;
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 22;
    float *x = random_floats(n), *y = zeros(n);
    uint32_t *words = (uint32_t *)x, *to = (uint32_t *)y;
    VALIDATE(thread_poor, 16, 32, x, y, 20000);
    VALIDATE(thread_poor_sum, 32, 64, x, y, n / 2);
    VALIDATE(one_block, 1, 1024, x, y, n / 4);
    VALIDATE(tiny_blocks, n / 32, 32, y);
    VALIDATE(tail_wave, 265, 1024, x, y, 600);
    VALIDATE(whole_waves, 264, 1024, x, y, 600);
    VALIDATE(spilled, 528, 1024, x, y, 24);
    VALIDATE(local_array, 1024, 256, words, to, 64);
    VALIDATE(many_registers, 1056, 256, x, y, 128);
    VALIDATE(code_6k, 528, 256, words, to, 24);
    VALIDATE(code_50k, 528, 256, words, to, 3);
    VALIDATE(code_200k, 264, 256, words, to, 2);
    VALIDATE(code_50k_alone, 132, 32, words, to, 8);
    return 0;
}
