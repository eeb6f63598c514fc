/* patient.cu KIND: kernels that look endless for long, and end. */
#include "check.h"

__device__ int lock_word, count_word, flag_word, arrived[8], ticket, serving;

__device__ __noinline__ void take_lock(void) {
    while (atomicCAS(&lock_word, 0, 1) != 0)
        ;
}
/* Who has the lock returns from the function that takes it; the others of the warp are still in it. */
__global__ void lock_in_function(int *out) {
    take_lock();
    out[threadIdx.x] = ++*(volatile int *)&count_word;
    __threadfence();
    atomicExch(&lock_word, 0);
}
/* Who has given the lock back wants it again, while the next one that got it waits for the rest of its warp. */
__global__ void lock_again(int *out) {
    for (int round = 0; round < 10; round++) {
        while (atomicCAS(&lock_word, 0, 1) != 0)
            ;
        int steps = 0;
        while (steps < 1000 + *(volatile int *)&flag_word)
            steps++;
        *(volatile int *)out += steps;
        __threadfence();
        atomicExch(&lock_word, 0);
    }
}
/* Long walks under a lock. */
__global__ void walk_under_lock(int *out, const volatile int *next) {
    for (int round = 0; round < 2; round++)
        for (bool done = false; !done;)
            if (atomicCAS(&lock_word, 0, 1) == 0) {
                int at = 0, steps = 0;
                while (next[at] >= 0) {
                    at = next[at];
                    steps++;
                }
                *(volatile int *)out += steps;
                __threadfence();
                atomicExch(&lock_word, 0);
                done = true;
            }
}
/* Block 0 waits for the last, which its own SM has no room for, but another. */
__global__ void room_elsewhere(int *out) {
    extern __shared__ char room[];
    room[threadIdx.x] = 0;
    if (blockIdx.x == gridDim.x - 1)
        atomicExch(&flag_word, 1);
    else if (blockIdx.x == 0)
        while (atomicAdd(&flag_word, 0) == 0)
            ;
    if (threadIdx.x == 0)
        atomicAdd(out, 1);
}
__global__ void by_ticket(int *out) {
    if (threadIdx.x % 32 == 0) {
        int mine = atomicAdd(&ticket, 1);
        while (*(volatile int *)&serving != mine)
            ;
        for (int i = 0; i < 1000; i++)
            *(volatile int *)out += 1;
        __threadfence();
        atomicAdd(&serving, 1);
    }
}
/* All 65,536 values come before the one that ends it, round and round, with a counter that nobody sees for long. */
__global__ void counts_periods(int *out) {
    unsigned x = threadIdx.x, first = x;
    int periods = 0;
    do {
        x = (x * 5 + 12345) & 0xffff;
        periods += x == first;
    } while (periods < 60);
    out[threadIdx.x] = periods;
}
__global__ void clock_wait(int *out) {
    long long start = clock64();
    while (clock64() - start < 5000000)
        ;
    out[threadIdx.x] = 1;
}
/* One warp computes for long, the others look at a flag. */
__global__ void slow_warp(int *out) {
    __shared__ volatile int flag;
    flag = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        unsigned x = 1;
        for (int i = 0; i < 4000000; i++)
            x = x * 1664525u + 1013904223u + (x >> 7);
        out[200] = x;
        flag = 1;
    } else {
        while (!flag)
            ;
    }
    out[threadIdx.x] = 1;
}
__global__ void slow_block(int *out) {
    if (blockIdx.x == gridDim.x - 1) {
        unsigned x = threadIdx.x;
        for (int i = 0; i < 3000000; i++)
            x = x * 1664525u + 1013904223u + (x >> 7);
        out[100] = x;
        atomicExch(&flag_word, 1);
    } else {
        while (*(volatile int *)&flag_word == 0)
            ;
    }
    if (threadIdx.x == 0)
        atomicAdd(out, 1);
}
/* Every block waits for every other, eight times. */
__global__ void barrier_by_hand(int *out) {
    for (int i = 0; i < 8; i++) {
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(&arrived[i], 1);
            while (atomicAdd(&arrived[i], 0) < (int)gridDim.x)
                ;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(out, 1);
}
__global__ void counter_in_shared(int *out) {
    __shared__ volatile int counter;
    if (threadIdx.x == 0) {
        counter = 0;
        while (counter < 2000000)
            counter = counter + 1;
        *out = counter;
    }
}
__global__ void counter_in_local(int *out) {
    volatile int counter[2] = {0, 0};
    while (counter[threadIdx.x & 1] < 1000000)
        counter[threadIdx.x & 1] = counter[threadIdx.x & 1] + 1;
    out[threadIdx.x] = counter[threadIdx.x & 1];
}
__global__ void counter_in_global(int *out) {
    while (atomicInc((unsigned *)out, 3000000) < 2999999)
        ;
}
/* The same place, the same registers, another byte far away. */
__global__ void ping_pong(int *out) {
    __shared__ volatile int turn;
    int warp = threadIdx.x / 32, rounds = 0;
    turn = 0;
    __syncthreads();
    while (rounds < 20000) {
        while (turn != warp)
            ;
        rounds++;
        __syncwarp();
        if (threadIdx.x % 32 == 0)
            turn = 1 - warp;
    }
    out[threadIdx.x] = rounds;
}
/* Each warp sees the same result for long; one of them counts. */
__global__ void barrier_reduction(int *out) {
    int left = threadIdx.x == 70 ? 300000 : 0, trips = 0;
    while (__syncthreads_or(left > 0)) {
        left -= threadIdx.x == 70;
        trips += threadIdx.x == 70;
    }
    if (threadIdx.x == 70)
        out[0] = trips;
}
__global__ void barrier_count(int *out) {
    int left = threadIdx.x >= 64 ? 100000 * (threadIdx.x / 32) : 0, trips = 0;
    while (__syncthreads_count(left-- > 0) != 0)
        trips++;
    out[threadIdx.x] = trips;
}
/* Lanes that have done wait for one that loops for long, in a function. */
__device__ __noinline__ unsigned collatz(unsigned x, unsigned most) {
    unsigned steps = 0;
    while (steps < most) {
        x = x % 2 ? 3 * x + 1 : x / 2; /* 4, 2, 1, 4, ... */
        steps++;
    }
    return steps;
}
__global__ void lane_in_function(int *out) {
    out[threadIdx.x] = collatz(7, threadIdx.x == 9 ? 3000000 : 5);
}
/* A flag that changes between two looks, and back. */
__global__ void toggles(int *out) {
    __shared__ volatile int flag;
    flag = 0;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int i = 0; i < 500000; i++) {
            flag = 1;
            flag = 0;
        }
    __syncthreads();
    out[threadIdx.x] = flag;
}
__global__ void exchange(int *out) {
    int a = 3, b = 4;
    for (int i = 0; i < 2000000; i++) {
        int c = a;
        a = b;
        b = c;
        if (*(volatile int *)&out[300] != 0)
            break;
    }
    out[threadIdx.x] = a + b;
}

static int *out, host[512];

static void read_out(void) {
    OK(cudaGetLastError());
    OK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    int zero = 0, zeros[8] = {0};
    OK(cudaMemcpyToSymbol(flag_word, &zero, sizeof zero));
    OK(cudaMemcpyToSymbol(arrived, zeros, sizeof zeros));
    OK(cudaMemset(out, 0, sizeof host));
}

static void all(int value, int threads) {
    read_out();
    for (int i = 0; i < threads; i++)
        CHECK(host[i] == value);
}

static void first(int value) {
    read_out();
    CHECK(host[0] == value);
}

int main(void) {
    struct cudaDeviceProp properties;
    OK(cudaGetDeviceProperties(&properties, 0));
    int sms = properties.multiProcessorCount, most = (int)properties.sharedMemPerBlockOptin;
    OK(cudaMalloc(&out, sizeof host));
    OK(cudaMemset(out, 0, sizeof host));
    lock_in_function<<<1, 64>>>(out);
    read_out();
    for (int i = 0, seen = 0; i < 64; i++, seen = 0) {
        for (int k = 0; k < 64; k++)
            seen += host[k] == i + 1;
        CHECK(seen == 1);
    }
    lock_again<<<1, 32>>>(out);
    first(32 * 10 * 1000);
    enum { LINKS = 50000 };
    static int links[LINKS];
    int *next;
    for (int i = 0; i < LINKS; i++)
        links[i] = i + 1 < LINKS ? i + 1 : -1;
    OK(cudaMalloc(&next, sizeof links));
    OK(cudaMemcpy(next, links, sizeof links, cudaMemcpyHostToDevice));
    walk_under_lock<<<1, 3>>>(out, next);
    first(3 * 2 * (LINKS - 1));
    OK(cudaFuncSetAttribute(room_elsewhere, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    room_elsewhere<<<sms + 1, 32, most>>>(out);
    first(sms + 1);
    by_ticket<<<6, 96>>>(out);
    first(18000);
    counts_periods<<<1, 32>>>(out);
    all(60, 32);
    clock_wait<<<2, 64>>>(out);
    all(1, 64);
    slow_warp<<<1, 128>>>(out);
    all(1, 128);
    slow_block<<<5, 32>>>(out);
    first(5);
    barrier_by_hand<<<sms, 64>>>(out);
    first(sms);
    counter_in_shared<<<1, 32>>>(out);
    first(2000000);
    counter_in_local<<<1, 32>>>(out);
    all(1000000, 32);
    counter_in_global<<<1, 1>>>(out);
    read_out();
    CHECK(host[0] == 3000000);
    ping_pong<<<1, 64>>>(out);
    all(20000, 64);
    barrier_reduction<<<1, 96>>>(out);
    first(300000);
    barrier_count<<<1, 128>>>(out);
    all(300000, 128);
    lane_in_function<<<1, 32>>>(out);
    read_out();
    for (int i = 0; i < 32; i++)
        CHECK(host[i] == (i == 9 ? 3000000 : 5));
    toggles<<<1, 64>>>(out);
    all(0, 64);
    exchange<<<1, 32>>>(out);
    all(7, 32);
    puts("ok");
    return 0;
}
