/* lines.cu: kernels of which it is known what their lines become as machine code (tests/test_lines.c). Launched with one
 * block of 1024 threads, 32 warps. A line that is looked for ends with its name. */
#include "check.h"

#include <stdint.h>

enum { BLOCK = 1024, VALUES = 96, ROUNDS = 7 };

/* One load, one product and sum, one store. */
__global__ void plain(const float *x, float *y) {
    float value = x[threadIdx.x];   // load
    value = fmaf(value, value, 1);  // product
    y[threadIdx.x + BLOCK] = value; // store
}

/* Two neighbours: two loads of the PTX, written as such so that nobody before ptxas makes them one. */
__device__ float word_at(uint32_t address) {
    float word;
    asm("ld.shared.f32 %0, [%1];" : "=f"(word) : "r"(address)); // word
    return word;
}
__global__ void merged(const float *x, float *y) {
    __shared__ alignas(16) float pairs[2 * BLOCK];
    pairs[threadIdx.x] = x[threadIdx.x];         // first
    pairs[threadIdx.x + BLOCK] = x[threadIdx.x]; // second
    __syncthreads();
    uint32_t pair = (uint32_t)__cvta_generic_to_shared(pairs) + 8 * (BLOCK - 1 - threadIdx.x);
    y[threadIdx.x] = word_at(pair) - word_at(pair + 4);
}

/* A value more than there are registers for: the machine code alone has local memory. */
__global__ void __launch_bounds__(BLOCK) spilled(const float *x, float *y, int n) {
    float values[VALUES];
#pragma unroll
    for (int i = 0; i < VALUES; i++)
        values[i] = x[threadIdx.x + i * BLOCK];
    for (int k = 0; k < n; k++)
#pragma unroll
        for (int i = 0; i < VALUES; i++)
            values[i] = values[i] * values[(i + 7) % VALUES] + x[k]; // rounds
#pragma unroll
    for (int i = 0; i < VALUES; i++)
        y[threadIdx.x + i * BLOCK] = values[i];
}

/* What stands in a function is of its own lines, wherever the compiler put it. */
__device__ float root(float value) {
    return rsqrtf(value); // inlined
}
__global__ void inlined(const float *x, float *y) {
    y[threadIdx.x] = root(x[threadIdx.x]); // caller
}

/* One warp of each block goes round. */
__global__ void loop(const float *x, float *y) {
    float sum = 0;
    if (threadIdx.x < 32)
#pragma unroll 1
        for (int i = 0; i < ROUNDS; i++)
            sum = fmaf(sum, sum, x[i]); // round
    y[threadIdx.x] = sum;
}

int main(void) {
    float *x, *y;
    OK(cudaMalloc(&x, VALUES * BLOCK * sizeof *x));
    OK(cudaMalloc(&y, VALUES * BLOCK * sizeof *y));
    OK(cudaMemset(x, 0x3f, VALUES * BLOCK * sizeof *x));
    plain<<<1, BLOCK>>>(x, y);
    merged<<<1, BLOCK>>>(x, y);
    spilled<<<1, BLOCK>>>(x, y, 2);
    inlined<<<1, BLOCK>>>(x, y);
    loop<<<1, BLOCK>>>(x, y);
    OK(cudaDeviceSynchronize());
    puts("ok");
    return 0;
}
