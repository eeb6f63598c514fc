/*
 * queues.cu: pairs of kernels that do the same, the second in a way of which an H200 makes much more time: lanes and warps
 * that queue, work for one SM alone, registers that do not suffice. Each pair is launched in this order.
 */
#include "check.h"

enum { BLOCK = 256, BLOCKS = 132, LONG = 64 };

__constant__ unsigned table[8192];

/* Threads `apart` words from each other. */
__global__ void add_integers(unsigned *words, int apart) {
    unsigned *word = words + (blockIdx.x * BLOCK + threadIdx.x) * apart;
    for (int i = 0; i < LONG; i++)
        atomicAdd(word, threadIdx.x + i);
}

__global__ void add_floats(float *words, int apart) {
    float *word = words + (blockIdx.x * BLOCK + threadIdx.x) * apart;
    for (int i = 0; i < LONG; i++)
        atomicAdd(word, 1.0f);
}

__global__ void add_shared(unsigned *out, int apart) {
    __shared__ unsigned words[BLOCK];
    for (int i = 0; i < LONG * LONG; i++)
        atomicAdd(&words[threadIdx.x * apart], threadIdx.x + i);
    __syncthreads();
    out[threadIdx.x] = words[threadIdx.x];
}

__global__ void read_constants(unsigned *out, int apart) {
    unsigned sum = 0;
    for (int i = 0; i < LONG * LONG; i++)
        sum += table[(threadIdx.x * apart + i) & 8191];
    out[blockIdx.x * BLOCK + threadIdx.x] = sum;
}

__global__ void copy(const float4 *from, float4 *to, int count) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        to[i] = from[i];
}

/* `busy` blocks copy all of it; the others are there, and as idle as blocks that were not launched. */
__global__ void copy_by(const float4 *from, float4 *to, int count, int busy) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; blockIdx.x < busy && i < count;
         i += busy * blockDim.x)
        to[i] = from[i];
}

/* The same where few of a block's warps work. */
__global__ void copy_by_warps(const float4 *from, float4 *to, int count, int busy) {
    int first = blockIdx.x * busy + threadIdx.x;
    for (int i = first; threadIdx.x < busy && i < count; i += gridDim.x * busy)
        to[i] = from[i];
}

#define POLYNOMIALS(name, blocks)                                                                            \
    __global__ void __launch_bounds__(512, blocks) name(const float *x, float *y, int n) {                   \
        float sum[40], at[40];                                                                               \
        _Pragma("unroll") for (int i = 0; i < 40; i++) {                                                     \
            sum[i] = x[threadIdx.x + i * 512];                                                               \
            at[i] = x[threadIdx.x + i * 512 + 7];                                                            \
        }                                                                                                    \
        for (int k = 0; k < n; k++)                                                                          \
            _Pragma("unroll") for (int i = 0; i < 40; i++) sum[i] = sum[i] * at[i] + x[k];                   \
        _Pragma("unroll") for (int i = 1; i < 40; i++) sum[0] += sum[i];                                     \
        y[blockIdx.x * 512 + threadIdx.x] = sum[0];                                                          \
    }
POLYNOMIALS(polynomials, 1)
POLYNOMIALS(polynomials_of_32_registers, 4)

int main(void) {
    const int bytes = 64 << 20, count = 1 << 19;
    float4 *memory;
    OK(cudaMalloc(&memory, 2 * (size_t)bytes));
    OK(cudaMemset(memory, 0, 2 * (size_t)bytes));
    float4 *to = memory + bytes / sizeof *memory;
    float *x = (float *)memory, *y = (float *)to;
    unsigned *words = (unsigned *)memory;
    for (int apart = 1; apart >= 0; apart--)
        add_integers<<<BLOCKS, BLOCK>>>(words, apart);
    for (int apart = 1; apart >= 0; apart--)
        add_floats<<<BLOCKS, BLOCK>>>(x, apart);
    for (int apart = 1; apart >= 0; apart--)
        add_shared<<<BLOCKS, BLOCK>>>(words, apart);
    for (int apart = 0; apart <= 1; apart++)
        read_constants<<<BLOCKS, BLOCK>>>(words, apart);
    copy<<<BLOCKS, 1024>>>(memory, to, count);
    copy<<<1, 1024>>>(memory, to, count);
    copy_by<<<BLOCKS, 1024>>>(memory, to, count, BLOCKS);
    copy_by<<<BLOCKS, 1024>>>(memory, to, count, 1);
    copy_by_warps<<<BLOCKS, 1024>>>(memory, to, count, 1024);
    copy_by_warps<<<BLOCKS, 1024>>>(memory, to, count, 32);
    polynomials<<<2 * BLOCKS, 512>>>(x, y, 100);
    polynomials_of_32_registers<<<2 * BLOCKS, 512>>>(x, y, 100);
    OK(cudaDeviceSynchronize());
    puts("ok");
    return 0;
}
