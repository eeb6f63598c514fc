/* warps.cu: shuffles, votes, barriers, banks of shared memory, constant memory. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

KERNEL shuffles(const uint32_t *x, uint32_t *y, int rounds) {
    uint32_t a = x[INDEX], b = a * 3;
    for (int k = 0; k < rounds; k++) {
        a += __shfl_xor_sync(0xffffffff, b, k & 31);
        b ^= __shfl_sync(0xffffffff, a, (threadIdx.x + k) & 31);
    }
    y[INDEX] = a + b;
}

KERNEL votes(const uint32_t *x, uint32_t *y, int rounds) {
    uint32_t a = x[INDEX], sum = 0;
    for (int k = 0; k < rounds; k++) {
        sum += __popc(__ballot_sync(0xffffffff, a & 1));
        if (__any_sync(0xffffffff, (a & 0xff) == 0))
            sum += 7;
        a = a * 5 + sum;
    }
    y[INDEX] = sum;
}

/* Two barriers a round, and little between them. */
KERNEL barriers(const float *x, float *y, int rounds) {
    __shared__ float line[512];
    int t = threadIdx.x;
    float value = x[INDEX];
    for (int k = 0; k < rounds; k++) {
        line[t] = value;
        __syncthreads();
        value = 0.5f * (line[t] + line[(t + 1) % 512]);
        __syncthreads();
    }
    y[INDEX] = value;
}

static __device__ float shared_walk(const float *x, int step, int rounds) {
    __shared__ float line[4096];
    for (int i = threadIdx.x; i < 4096; i += blockDim.x)
        line[i] = x[i];
    __syncthreads();
    float sum = 0;
    uint32_t at = threadIdx.x * step;
    for (int k = 0; k < rounds; k++)
        sum += line[(at + k * 33) & 4095];
    return sum;
}

KERNEL banks_free(const float *x, float *y, int rounds) {
    y[INDEX] = shared_walk(x, 1, rounds);
}
KERNEL banks_of_2(const float *x, float *y, int rounds) {
    y[INDEX] = shared_walk(x, 2, rounds);
}
KERNEL banks_of_8(const float *x, float *y, int rounds) {
    y[INDEX] = shared_walk(x, 8, rounds);
}
KERNEL banks_of_32(const float *x, float *y, int rounds) {
    y[INDEX] = shared_walk(x, 32, rounds);
}

/* One word for all lanes, four words at a time. */
KERNEL shared_broadcast(const float4 *x, float *y, int rounds) {
    __shared__ float4 line[256];
    line[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    float sum = threadIdx.x;
    for (int k = 0; k < rounds; k++) {
        float4 v = line[k & 255];
        sum = sum * v.x + v.y * v.z + v.w;
    }
    y[INDEX] = sum;
}

__constant__ float table[4096];

KERNEL constant_uniform(const float *x, float *y, int rounds) {
    float a = x[INDEX], sum = 0;
    for (int k = 0; k < rounds; k++)
        sum = sum * a + table[k & 255];
    y[INDEX] = sum;
}

/* Four different words a warp. */
KERNEL constant_four(const float *x, float *y, int rounds) {
    float a = x[INDEX], sum = 0;
    for (int k = 0; k < rounds; k++)
        sum = sum * a + table[(threadIdx.x & 3) * 64 + k];
    y[INDEX] = sum;
}

/* 32 of them. */
KERNEL constant_divergent(const float *x, float *y, int rounds) {
    float a = x[INDEX], sum = 0;
    for (int k = 0; k < rounds; k++)
        sum = sum * a + table[threadIdx.x % 32 * 32 + k];
    y[INDEX] = sum;
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 21;
    float *x = random_floats(n), *y = zeros(n), host[4096];
    for (int k = 0; k < 4096; k++)
        host[k] = 1.0f / (k + 1);
    check(cudaMemcpyToSymbol(table, host, sizeof host), "cudaMemcpyToSymbol");
    uint32_t *words = (uint32_t *)x, *to = (uint32_t *)y;
    VALIDATE(shuffles, 1056, 256, words, to, 192);
    VALIDATE(votes, 1056, 256, words, to, 128);
    VALIDATE(barriers, 528, 512, x, y, 128);
    VALIDATE(banks_free, 1056, 256, x, y, 256);
    VALIDATE(banks_of_2, 1056, 256, x, y, 256);
    VALIDATE(banks_of_8, 1056, 256, x, y, 64);
    VALIDATE(banks_of_32, 528, 256, x, y, 32);
    VALIDATE(shared_broadcast, 1056, 256, (float4 *)x, y, 256);
    VALIDATE(constant_uniform, 1056, 256, x, y, 256);
    VALIDATE(constant_four, 1056, 256, x, y, 64);
    VALIDATE(constant_divergent, 528, 256, x, y, 32);
    return 0;
}
