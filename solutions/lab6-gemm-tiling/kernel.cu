// step 6h: asynchronous copies, several stages
//
// Computes  C = alpha A B + beta C of lab6.h, stored by columns.
// Shapes    large: 256 threads, 8x16 elements of C per thread: 256x128. small: 128 threads, 8x8: 128x64.
//           The tiles of A and B are 8 deep; 4 of each are in flight (stages).
// Changed   step 6g -> 6h: cp.async brings the tiles straight to shared memory, three stages ahead of their
//           use, a part of a tile after each step of p. The next values of A and B are read from shared
//           memory while the current ones are multiplied. One barrier a tile. The lanes of a warp lie in an
//           order in which the 16-byte loads of neighbouring lanes merge. Blocks go down 8 columns of tiles
//           at a time: what they share stays in L2. The host picks the shape that wastes less of the last
//           wave.
// Expect    2 + 4 shared loads per 128 multiply-adds, no waiting for global memory.
// Run       make lab6-steps

#include "lab6.h"

#ifndef TUNED    // experiments/tune.cu brings its own
#define DEPTH 8  // of a tile
#define STAGES 4 // tiles of A and of B in shared memory
#define PAD 4    // floats after each row of the tile of B
#endif
#define ROWS 8  // of C per thread
#define GROUP 8 // columns of tiles that blocks go down together
#define LARGE_M 256
#define LARGE_N 128
#define LARGE_COLUMNS 16 // of C per thread
#define LARGE_THREADS 256
#define SMALL_M 128
#define SMALL_N 64
#define SMALL_COLUMNS 8
#define SMALL_THREADS 128
#define MOST_COLUMNS LARGE_COLUMNS
#define SHARED_BYTES(tile_m, tile_n) (STAGES * DEPTH * ((tile_m) + (tile_n) + PAD) * sizeof(float))

struct matrices {
    const float *a, *b;
    float *c;
    int m, n, k, lda, ldb, ldc, wide_c; // wide_c: C may be written 16 bytes at a time
    float alpha, beta;
};

// Start a copy of 16 bytes to shared memory, or of zeros.
__device__ __forceinline__ void copy_16(float *to, const float *from, bool inside) {
#if __CUDA_ARCH__ >= 800
    asm volatile(
        "cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"((uint32_t)__cvta_generic_to_shared(to)),
        "l"(from), "r"(inside ? 16 : 0));
#else // no asynchronous copies yet
    for (int i = 0; i < 4; i++)
        to[i] = inside ? from[i] : 0;
#endif
}

// The same for one float.
__device__ __forceinline__ void copy_4(float *to, const float *from, bool inside) {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"((uint32_t)__cvta_generic_to_shared(to)),
                 "l"(from), "r"(inside ? 4 : 0));
#else
    *to = inside ? *from : 0;
#endif
}

// The copies this thread has started since the last call are a group.
__device__ __forceinline__ void close_group(void) {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;");
#endif
}

// Wait until at most STAGES - 2 groups are on their way: the next tile has arrived, everybody's part of it.
__device__ __forceinline__ void wait_for_tile(void) {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2));
#endif
    __syncthreads();
}

// Where this thread copies from and to.
struct copier {
    const float *a, *b; // the next tile's first element for this thread
    float *to_a, *to_b;
    bool row_inside;    // this thread's rows of A are in the matrix
    int left_a, left_b; // what is left of k from this thread's first element
    int columns_b;      // what is left of n
    int step_a, step_b; // elements from one of this thread's copies to its next
};

// Start part `part` of DEPTH of the copy of a tile to `stage`. wide: A is read 16 bytes at a time.
__device__ __forceinline__ void copy_part(const struct copier *from, int stage, int part, const int tile_m,
                                          const int tile_n, const int threads, const bool wide) {
    const int deep = wide ? 4 * threads / tile_m : 2; // rows of the tile of A copied in one part
    const int across = threads / DEPTH;               // columns of B copied in one part
    float *to_a = from->to_a + stage * DEPTH * tile_m, *to_b = from->to_b + stage * DEPTH * (tile_n + PAD);
    if (part < DEPTH / deep && wide)
        copy_16(to_a + part * deep * tile_m, from->a + part * from->step_a,
                part * deep < from->left_a && from->row_inside);
    if (part < DEPTH / deep && !wide)
#pragma unroll
        for (int p = 2 * part; p < 2 * part + 2; p++)
            copy_4(to_a + p * tile_m, from->a + p * from->step_a, p < from->left_a && from->row_inside);
    if (part < tile_n / across)
        copy_4(to_b + part * across, from->b + part * from->step_b,
               part * across < from->columns_b && from->left_b > 0);
}

__device__ __forceinline__ void next_tile(struct copier *from, int lda) {
    from->a += (size_t)DEPTH * lda;
    from->b += DEPTH;
    from->left_a -= DEPTH;
    from->left_b -= DEPTH;
}

// This thread's values of A and B for one p.
__device__ __forceinline__ void read_values(float a[ROWS], float b[MOST_COLUMNS], const float *tile_a,
                                            const float *tile_b, const int columns) {
#pragma unroll
    for (int i = 0; i < ROWS / 4; i++)
        *(float4 *)&a[i * 4] = *(const float4 *)(tile_a + i * 32);
#pragma unroll
    for (int j = 0; j < columns / 4; j++)
        *(float4 *)&b[j * 4] = *(const float4 *)(tile_b + j * 16);
}

// Four elements of a column of C.
__device__ __forceinline__ void store_four(const struct matrices *x, int row, int column,
                                           const float sum[4]) {
    float *to = x->c + row + (size_t)column * x->ldc;
    if (x->wide_c && row + 3 < x->m) {
        float4 value = {x->alpha * sum[0], x->alpha * sum[1], x->alpha * sum[2], x->alpha * sum[3]};
        if (x->beta != 0) {
            float4 old = *(const float4 *)to;
            value.x += x->beta * old.x;
            value.y += x->beta * old.y;
            value.z += x->beta * old.z;
            value.w += x->beta * old.w;
        }
        *(float4 *)to = value;
    } else {
#pragma unroll
        for (int i = 0; i < 4; i++)
            if (row + i < x->m)
                to[i] = x->beta == 0 ? x->alpha * sum[i] : x->alpha * sum[i] + x->beta * to[i];
    }
}

// One block's tile_m x tile_n elements of C. All const arguments are constants where it is called.
__device__ __forceinline__ void gemm_block(const struct matrices x, const int tile_m, const int tile_n,
                                           const int columns, const int threads, const bool wide) {
    extern __shared__ __align__(16) float shared[];
    float *tile_a = shared, *tile_b = shared + STAGES * DEPTH * tile_m;
    int t = threadIdx.x, warp = t / 32, lane = t % 32;

    // Which tile: down GROUP columns of tiles together.
    int tiles_m = (x.m + tile_m - 1) / tile_m, tiles_n = (x.n + tile_n - 1) / tile_n;
    int group = blockIdx.x / (GROUP * tiles_m), in_group = blockIdx.x - group * GROUP * tiles_m;
    int width = min(tiles_n - group * GROUP, GROUP);
    int m0 = in_group / width * tile_m, n0 = (group * GROUP + in_group % width) * tile_n;

    const int wide_groups = tile_m / 4;
    int am = wide ? t % wide_groups * 4 : t, ap = wide ? t / wide_groups : 0; // narrow: threads == tile_m
    int bp = t % DEPTH, bn = t / DEPTH;
    struct copier from = {x.a + m0 + am + (size_t)ap * x.lda,
                          x.b + bp + (size_t)(n0 + bn) * x.ldb,
                          tile_a + ap * tile_m + am,
                          tile_b + bp * (tile_n + PAD) + bn,
                          m0 + am < x.m, // wide: m is a multiple of 4
                          x.k - ap,
                          x.k - bp,
                          x.n - n0 - bn,
                          (wide ? 4 * threads / tile_m : 1) * x.lda,
                          threads / DEPTH * x.ldb};
#pragma unroll
    for (int s = 0; s < STAGES - 1; s++) {
#pragma unroll
        for (int part = 0; part < DEPTH; part++)
            copy_part(&from, s, part, tile_m, tile_n, threads, wide);
        close_group();
        next_tile(&from, x.lda);
    }

    // Lanes 0, 1 / 2, 3 / ... share their rows: 8 groups of rows by 4 of columns, in z-order.
    const int warps_m = tile_m / (8 * ROWS);
    int row = warp % warps_m * 8 * ROWS + ((lane >> 1) & 7) * 4;
    int column = warp / warps_m * 4 * columns + ((lane & 1) | ((lane >> 4) << 1)) * 4;
    tile_a += row;
    tile_b += column;

    float sum[MOST_COLUMNS][ROWS]; // of the small shape's 16 columns 8 are used: the others vanish
#pragma unroll
    for (int j = 0; j < columns; j++)
#pragma unroll
        for (int i = 0; i < ROWS; i++)
            sum[j][i] = 0;

    float a[2][ROWS], b[2][MOST_COLUMNS];
    wait_for_tile();
    read_values(a[0], b[0], tile_a, tile_b, columns);
    int stage = 0, filled = STAGES - 1, tiles = (x.k + DEPTH - 1) / DEPTH;
    for (int tile = 0; tile < tiles; tile++) {
        asm volatile("" : "+r"(from.step_a), "+r"(from.step_b)); // keeps their multiples out of registers
#pragma unroll
        for (int p = 0; p < DEPTH; p++) {
            if (p == DEPTH - 1) {
                wait_for_tile();
                stage = stage + 1 == STAGES ? 0 : stage + 1;
            }
            copy_part(&from, filled, p, tile_m, tile_n, threads, wide);
            int next = (p + 1) % DEPTH;
            read_values(a[(p + 1) & 1], b[(p + 1) & 1], tile_a + (stage * DEPTH + next) * tile_m,
                        tile_b + (stage * DEPTH + next) * (tile_n + PAD), columns);
            if (p == DEPTH - 2)
                close_group(); // no tile has more than 4 parts
            if (p == DEPTH - 1) {
                next_tile(&from, x.lda);
                filled = filled + 1 == STAGES ? 0 : filled + 1;
            }
#pragma unroll
            for (int j = 0; j < columns; j += 2) // two columns, zigzag: FMAs in a row share an operand
#pragma unroll
                for (int i = 0; i < ROWS; i++) {
                    int ii = j & 2 ? ROWS - 1 - i : i, first = j + (i & 1), second = j + 1 - (i & 1);
                    sum[first][ii] += a[p & 1][ii] * b[p & 1][first];
                    sum[second][ii] += a[p & 1][ii] * b[p & 1][second];
                }
        }
    }

#pragma unroll
    for (int j = 0; j < columns; j++) {
        int to = n0 + column + j / 4 * 16 + j % 4;
        if (to < x.n)
#pragma unroll
            for (int i = 0; i < ROWS / 4; i++)
                store_four(&x, m0 + row + i * 32, to, &sum[j][i * 4]);
    }
}

#ifndef TUNED
__global__ void __launch_bounds__(LARGE_THREADS, 1) gemm_large(struct matrices x) {
    gemm_block(x, LARGE_M, LARGE_N, LARGE_COLUMNS, LARGE_THREADS, true);
}

__global__ void __launch_bounds__(LARGE_THREADS, 1) gemm_large_narrow(struct matrices x) {
    gemm_block(x, LARGE_M, LARGE_N, LARGE_COLUMNS, LARGE_THREADS, false);
}

__global__ void __launch_bounds__(SMALL_THREADS, 2) gemm_small(struct matrices x) {
    gemm_block(x, SMALL_M, SMALL_N, SMALL_COLUMNS, SMALL_THREADS, true);
}

__global__ void __launch_bounds__(SMALL_THREADS, 2) gemm_small_narrow(struct matrices x) {
    gemm_block(x, SMALL_M, SMALL_N, SMALL_COLUMNS, SMALL_THREADS, false);
}

static int64_t ceiling(int64_t a, int64_t b) {
    return (a + b - 1) / b;
}

extern "C" void gemm(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb,
                     float beta, float *c, int ldc, cudaStream_t stream) {
    if (m == 0 || n == 0)
        return;
    bool wide_a = ((uintptr_t)a | 4 * (uintptr_t)lda | 4 * (uintptr_t)m) % 16 == 0;
    bool wide_c = ((uintptr_t)c | 4 * (uintptr_t)ldc) % 16 == 0;
    struct matrices x = {a, b, c, m, n, k, lda, ldb, ldc, wide_c, alpha, beta};

    // A multiprocessor holds one large block or two small ones, which together are half as large and need
    // about 1/1.8 of its time. Whole waves count.
    int device = 0, processors = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    int64_t large = ceiling(m, LARGE_M) * ceiling(n, LARGE_N),
            small = ceiling(m, SMALL_M) * ceiling(n, SMALL_N);
    if (ceiling(large, processors) * 18 <= ceiling(small, 2 * processors) * 10) {
        void (*kernel)(struct matrices) = wide_a ? gemm_large : gemm_large_narrow;
        size_t bytes = SHARED_BYTES(LARGE_M, LARGE_N); // more than 48 KB must be asked for
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
        kernel<<<(unsigned)large, LARGE_THREADS, bytes, stream>>>(x);
    } else {
        void (*kernel)(struct matrices) = wide_a ? gemm_small : gemm_small_narrow;
        kernel<<<(unsigned)small, SMALL_THREADS, SHARED_BYTES(SMALL_M, SMALL_N), stream>>>(x);
    }
}
#endif
