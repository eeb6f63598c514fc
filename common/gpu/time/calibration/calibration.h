/*
 * calibration.h: what every microbenchmark stands on. A program prints lines of CSV, `figure,value,unit,how`. Cycles are
 * those of the SM's own clock, so what the clock was does not matter; times are between events, the lowest of several.
 */
#ifndef TIME_CALIBRATION_H
#define TIME_CALIBRATION_H

#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error, const char *what) {
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}

static inline void *allocated(size_t bytes) {
    void *memory;
    check(cudaMalloc(&memory, bytes), "cudaMalloc");
    check(cudaMemset(memory, 0, bytes), "cudaMemset");
    return memory;
}

static inline int multiprocessors(void) {
    int count = 0;
    check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0), "cudaDeviceGetAttribute");
    return count;
}

static inline void figure(const char *name, double value, const char *unit, const char *how) {
    printf("%s,%.5g,%s,%s\n", name, value, unit, how);
    fflush(stdout);
}

/* Where kernels leave what they measured. */
static inline uint64_t *results(void) {
    static uint64_t *memory;
    if (memory == NULL)
        memory = (uint64_t *)allocated(1 << 20);
    return memory;
}

static inline uint64_t result(int i) {
    uint64_t value;
    check(cudaMemcpy(&value, results() + i, sizeof value, cudaMemcpyDeviceToHost), "a measurement");
    return value;
}

/* The least of five runs of a kernel that leaves its cycles in results()[0]; the first brings its code. */
template <class F> static double cycles(F launch) {
    double least = 1e30;
    for (int i = 0; i < 6; i++) {
        launch();
        double value = (double)result(0);
        if (i > 0 && value < least)
            least = value;
    }
    return least;
}

/* The least time of nine runs, in microseconds. */
template <class F> static double microseconds(F launch) {
    static cudaEvent_t begin, end;
    float least = 1e30f, ms;
    if (begin == NULL) {
        check(cudaEventCreate(&begin), "cudaEventCreate");
        check(cudaEventCreate(&end), "cudaEventCreate");
    }
    for (int i = 0; i < 9; i++) {
        check(cudaEventRecord(begin), "cudaEventRecord");
        launch();
        check(cudaEventRecord(end), "cudaEventRecord");
        check(cudaEventSynchronize(end), "a measured kernel");
        check(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime");
        if (i > 0 && ms < least)
            least = ms;
    }
    return 1e3 * least;
}

/* A function of its argument that looks random. */
static inline __host__ __device__ uint32_t mixed(uint32_t x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* Cycles of a block: from when all its threads are there to when all are done. Between the two no instruction moves. */
static __device__ __forceinline__ uint64_t block_begins(void) {
    __syncthreads();
    return (uint64_t)clock64();
}
static __device__ __forceinline__ void block_ends(uint64_t begin, uint64_t *result) {
    __syncthreads();
    if (threadIdx.x == 0 && blockIdx.x == 0)
        result[0] = (uint64_t)clock64() - begin;
}

#endif
