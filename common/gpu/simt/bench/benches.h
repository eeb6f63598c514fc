/* benches.h: the launches of kernels.cu that the benchmarks run. */
#pragma once

#include <stdint.h>

enum {
    WIDTH = 2560,
    HEIGHT = 1600,
    SAXPY_COUNT = 1 << 23,
    GEMM_SIZE = 512,
    THREADS = 1 << 18,
    LAUNCHES = 1000,
    ROUNDS = 3
};

/* What a host core makes of the same work without an interpreter, 32 lanes at a time. */
enum floor { FLOOR_INTEGERS, FLOOR_DOUBLES, FLOOR_RANDOM_LOADS, FLOORS };

struct bench {
    const char *name, *kernel;
    uint32_t grid[3], block[3];
    uint64_t in_bytes, out_bytes;
    int32_t first, second; /* the kernel's last two parameters */
    uint32_t launches;     /* one after the other */
    enum floor floor;
};

#define IMAGE_BYTES (WIDTH * HEIGHT)
/* A kernel of a shape that costs the simulator most: `lines` alone stores beyond a value a thread. */
#define SLOW(name, kernel, in_bytes, first, second, floor)                                                   \
    {name, kernel, {THREADS / 256, 1, 1}, {256, 1, 1}, in_bytes, 4 * SAXPY_COUNT, first, second, 1, floor}
#define MATRIX_BYTES (4 * GEMM_SIZE * GEMM_SIZE)
// clang-format off
static const struct bench benches[] = {
    {"gaussian step 0, block 8x8",   "gaussian",       {WIDTH / 8, HEIGHT / 8, 1},  {8, 8, 1},
     IMAGE_BYTES, IMAGE_BYTES, WIDTH, HEIGHT, 1, FLOOR_INTEGERS},
    {"gaussian step 1a, block 32x2", "gaussian",       {WIDTH / 32, HEIGHT / 2, 1}, {32, 2, 1},
     IMAGE_BYTES, IMAGE_BYTES, WIDTH, HEIGHT, 1, FLOOR_INTEGERS},
    {"gaussian, shared tile",        "gaussian_tile",  {WIDTH / 32, HEIGHT / 4, 1}, {32, 4, 1},
     IMAGE_BYTES, IMAGE_BYTES, WIDTH, HEIGHT, 1, FLOOR_INTEGERS},
    {"gaussian, float tile",         "gaussian_float", {WIDTH / 32, HEIGHT / 4, 1}, {32, 4, 1},
     IMAGE_BYTES, IMAGE_BYTES, WIDTH, HEIGHT, 1, FLOOR_INTEGERS},
    {"saxpy",                        "saxpy",          {SAXPY_COUNT / 256, 1, 1},   {256, 1, 1},
     4 * SAXPY_COUNT, 4 * SAXPY_COUNT, SAXPY_COUNT, 0, 1, FLOOR_INTEGERS},
    {"gemm, 32x32 tiles",            "gemm",           {GEMM_SIZE / 32, GEMM_SIZE / 32, 1}, {32, 8, 1},
     2 * MATRIX_BYTES, MATRIX_BYTES, GEMM_SIZE, 0, 1, FLOOR_INTEGERS},
    SLOW("a line for each lane",  "lines",          4 * SAXPY_COUNT, SAXPY_COUNT, 0, FLOOR_RANDOM_LOADS),
    SLOW("random loads",          "random_loads",   4 * SAXPY_COUNT, SAXPY_COUNT, 0, FLOOR_RANDOM_LOADS),
    SLOW("global atomics",        "global_atomics", 4, 1, 1 << 16, FLOOR_RANDOM_LOADS),
    SLOW("shared atomics",        "shared_atomics", 4, 1, 256, FLOOR_INTEGERS),
    SLOW("divergence",            "divergence",     4, 1, 0, FLOOR_INTEGERS),
    SLOW("double precision",      "doubles",        8 * THREADS, 1, 0, FLOOR_DOUBLES),
    SLOW("local memory",          "local_memory",   4, 1, 0, FLOOR_INTEGERS),
    {"small launches",               "saxpy",          {1, 1, 1},                   {256, 1, 1},
     4 * 256, 4 * 256, 256, 0, LAUNCHES, FLOOR_INTEGERS},
};
// clang-format on
enum { BENCHES = sizeof benches / sizeof benches[0] };
