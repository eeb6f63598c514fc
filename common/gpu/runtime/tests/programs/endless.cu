/* endless.cu KIND: a kernel that can never end: the launch is stopped with cudaErrorLaunchTimeout. */
#include "check.h"

struct arguments {
    int *words; /* zeros */
    float *floats;
    int n;
};

__global__ void registers(struct arguments a) {
    float sum = a.floats[threadIdx.x];
    while (sum == 0)
        ;
    a.floats[threadIdx.x] = sum;
}
/* In each pixel, as in a lab: the index is not advanced where the value is 0. */
__global__ void not_advanced(struct arguments a) {
    float sum = 0;
    for (int k = 0; k < a.n;)
        if (a.floats[k] > 0)
            sum += a.floats[k++];
    a.floats[threadIdx.x] = sum;
}
__global__ void flag(struct arguments a) {
    if (threadIdx.x == 5)
        while (*(volatile int *)a.words == 0)
            ;
    a.words[threadIdx.x + 1] = 1;
}
/* Who holds the lock does not give it back. */
__global__ void lock_kept(struct arguments a) {
    while (atomicCAS(a.words, 0, 1) != 0)
        ;
    a.words[1 + threadIdx.x] = 1;
}
/* Every block that there is room for waits for one that there is none for. */
__global__ void not_resident(struct arguments a) {
    extern __shared__ char room[];
    room[threadIdx.x] = 0;
    if (blockIdx.x == gridDim.x - 1)
        atomicExch(a.words, 1);
    else
        while (atomicAdd(a.words, 0) == 0)
            ;
}
__global__ void barrier_in_loop(struct arguments a) {
    __shared__ volatile int done;
    if (threadIdx.x == 0)
        done = 0;
    __syncthreads();
    while (!done)
        __syncthreads();
    a.words[threadIdx.x] = 1;
}
__global__ void barrier_reduction(struct arguments a) {
    int left = threadIdx.x == 70;
    while (__syncthreads_or(left))
        ;
    a.words[threadIdx.x] = 1;
}
/* One warp loops, the others wait for it at a barrier. */
__global__ void others_wait(struct arguments a) {
    int x = threadIdx.x / 32 == 2 ? a.words[0] : 1;
    while (x == 0)
        ;
    __syncthreads();
    a.words[threadIdx.x] = x;
}
__global__ void one_block(struct arguments a) {
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    float x = a.floats[index];
    for (int i = 0; i < 100; i++)
        x = x * 1.01f + 1;
    while (blockIdx.x == 77 && x > 0)
        ;
    a.floats[index] = x;
}
__global__ void stores_the_same(struct arguments a) {
    int head = 0;
    while (head < a.n) {
        a.words[threadIdx.x] = head;
        head = *(volatile int *)&a.words[threadIdx.x];
    }
}
__global__ void sleeps(struct arguments a) {
    unsigned wait = 8;
    while (atomicAdd(a.words, 0) == 0) {
#if __CUDA_ARCH__ >= 700
        __nanosleep(wait);
#endif
        wait = wait < 256 ? 2 * wait : 256;
    }
}
__global__ void bisection(struct arguments a) {
    int low = 0, high = a.n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (a.words[middle] <= (int)threadIdx.x)
            low = middle;
        else
            high = middle;
    }
    a.words[threadIdx.x] = low;
}
/* A period of 65,536 trips. */
__global__ void long_period(struct arguments a) {
    unsigned x = threadIdx.x;
    while (x != 70000)
        x = (x * 5 + 12345) & 0xffff;
    a.words[threadIdx.x] = x;
}
__global__ void wait_for_each_other(struct arguments a) {
    __shared__ volatile int ready[2];
    int warp = threadIdx.x / 32;
    ready[warp] = 0;
    __syncthreads();
    while (!ready[1 - warp])
        ;
    ready[warp] = 1;
    a.words[threadIdx.x] = 1;
}
__device__ __noinline__ int look(const volatile int *at, int depth) {
    volatile int local[4];
    local[depth & 3] = *at;
    return depth == 0 ? local[0] : look(at, depth - 1);
}
__global__ void calls(struct arguments a) {
    while (look(a.words, 3) == 0)
        ;
    a.words[threadIdx.x] = 1;
}
/* 16777216 + 1 is 16777216. */
__global__ void float_counter(struct arguments a) {
    float x = 16000000;
    while (x < 17000000)
        x += 1;
    a.floats[threadIdx.x] = x;
}
__global__ void two_flags(struct arguments a) {
    volatile int *word = a.words;
    while (word[0] == 0 && word[1] == 0)
        word[2] = 5;
}

/* What repeats not, or not soon: the budget's. */
__global__ void counts_away(struct arguments a) {
    unsigned sum = 0;
    for (unsigned i = a.n; i != 5000; i--)
        sum += a.words[i & 7] ^ i;
    a.words[threadIdx.x] = sum;
}

// clang-format off
#define KINDS(X) /* blocks (0: one more than there is room for), threads, dynamic shared memory */                \
    X(registers, 2, 64, 0)        X(not_advanced, 64, 256, 0)        X(flag, 1, 32, 0)                         \
    X(lock_kept, 2, 64, 0)        X(not_resident, 0, 32, 150 << 10)  X(barrier_in_loop, 1, 96, 0)              \
    X(barrier_reduction, 1, 96, 0) X(others_wait, 3, 128, 0)         X(one_block, 500, 64, 0)                  \
    X(stores_the_same, 1, 64, 0)  X(sleeps, 1, 32, 0)                X(bisection, 1, 64, 0)                    \
    X(long_period, 1, 32, 0)      X(wait_for_each_other, 1, 64, 0)   X(calls, 1, 64, 0)                        \
    X(float_counter, 1, 32, 0)    X(two_flags, 1, 32, 0)             X(counts_away, 1, 32, 0)
#define RUN(name, blocks, threads, shared)                                                                     \
    if (strcmp(kind, #name) == 0) {                                                                            \
        int grid = blocks ? blocks : properties.multiProcessorCount + 1;                                       \
        known = true;                                                                                          \
        if (shared)                                                                                            \
            OK(cudaFuncSetAttribute(name, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));               \
        name<<<grid, threads, shared>>>(a);                                                                    \
    }
// clang-format on

int main(int count, char **values) {
    const char *kind = count > 1 ? values[1] : "";
    struct arguments a = {.words = NULL, .floats = NULL, .n = 1000};
    struct cudaDeviceProp properties;
    bool known = false;
    OK(cudaGetDeviceProperties(&properties, 0));
    OK(cudaMalloc(&a.words, 1 << 20));
    OK(cudaMalloc(&a.floats, 1 << 20));
    OK(cudaMemset(a.words, 0, 1 << 20));
    OK(cudaMemset(a.floats, 0, 1 << 20));
    KINDS(RUN)
    CHECK(known);
    EXPECT(cudaErrorLaunchTimeout, cudaDeviceSynchronize());
    puts("ok");
    return 0;
}
