/* Lab 6. */
#include "adapter.h"
#include "lab/problems/gemm.h"

void gemm(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb, float beta,
          float *c, int ldc, struct CUstream_st *stream);

const char adapter_function[] = "gemm";

void adapter_call(void *const buffer[], const int64_t size[], struct CUstream_st *stream) {
    const float *a = buffer[GEMM_A], *b = buffer[GEMM_B];
    float *c = buffer[GEMM_C];
    gemm((int)size[GEMM_M], (int)size[GEMM_N], (int)size[GEMM_K], (float)size[GEMM_ALPHA] / 4,
         a + size[GEMM_SHIFT_A], (int)size[GEMM_LDA], b + size[GEMM_SHIFT_B], (int)size[GEMM_LDB],
         (float)size[GEMM_BETA] / 4, c + size[GEMM_SHIFT_C], (int)size[GEMM_LDC], stream);
}
