// Hostile: has cuBLAS do the work.
#include "lab1.h"
#include <cublas_v2.h>

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    cublasHandle_t handle;
    (void)src, (void)dst, (void)width, (void)height;
    if (cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS)
        cublasSetStream(handle, stream);
}
