// The reference beside cuBLAS on a real GPU, in shapes that `make lab6` does not time (there: cublas.cu):
// rounds of both in turn, medians; and every element compared.
//
//   nvcc -O3 -arch=native -Ilabs/lab6-gemm-tiling -o build/lab6-shapes \
//       solutions/lab6-gemm-tiling/shapes-cublas.cu solutions/lab6-gemm-tiling/kernel.cu -lcublas &&
//       build/lab6-shapes
//
// cuBLAS runs in its default math mode: single precision, no TF32. Any other file with the function of lab6.h
// may stand in place of kernel.cu.

#include "lab6.h"

#include <cublas_v2.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 25
#define WARM_UP 3

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        int status = (int)(call);                                                                            \
        if (status != 0) {                                                                                   \
            fprintf(stderr, "%s:%d: %s: status %d\n", __FILE__, __LINE__, #call, status);                    \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

// A device matrix of random numbers from -1 to 1, the same on the host at *host.
static float *random_matrix(size_t count, uint32_t seed, float **host) {
    float *device;
    *host = (float *)malloc(count * sizeof **host);
    if (*host == NULL)
        exit(1);
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        (*host)[i] = (float)(int)(seed >> 8) / 8388608.0f - 1;
    }
    CHECK(cudaMalloc(&device, count * sizeof *device));
    CHECK(cudaMemcpy(device, *host, count * sizeof *device, cudaMemcpyHostToDevice));
    return device;
}

static int ascending(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// Columns of A and C lie ld apart.
static void compare(cublasHandle_t cublas, int m, int n, int k, int ld) {
    size_t count = (size_t)ld * n;
    float *host_a, *host_b, *host_c, alpha = 1, beta = 0.5f, zero = 0, ours[ROUNDS], theirs[ROUNDS];
    float *a = random_matrix((size_t)ld * k, 1, &host_a), *b = random_matrix((size_t)k * n, 2, &host_b);
    float *c = random_matrix(count, 3, &host_c), *d;
    CHECK(cudaMalloc(&d, count * sizeof *d));
    CHECK(cudaMemcpy(d, host_c, count * sizeof *d, cudaMemcpyHostToDevice));

    gemm(m, n, k, alpha, a, ld, b, k, beta, c, ld, 0);
    CHECK(cudaGetLastError());
    CHECK(cublasSgemm(cublas, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, a, ld, b, k, &beta, d, ld));
    float *host_d = (float *)malloc(count * sizeof *host_d);
    if (host_d == NULL)
        exit(1);
    CHECK(cudaMemcpy(host_c, c, count * sizeof *host_c, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(host_d, d, count * sizeof *host_d, cudaMemcpyDeviceToHost));
    double worst = 0;
    for (size_t i = 0; i < count; i++) {
        double difference = fabs((double)host_c[i] - host_d[i]);
        if (!(difference <= worst))
            worst = difference;
    }

    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    for (int round = -WARM_UP; round < ROUNDS; round++)
        for (int who = 0; who < 2; who++) {
            float milliseconds;
            CHECK(cudaEventRecord(start, 0));
            if (who == 0)
                gemm(m, n, k, alpha, a, ld, b, k, zero, c, ld, 0);
            else
                CHECK(cublasSgemm(cublas, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, a, ld, b, k, &zero, d,
                                  ld));
            CHECK(cudaEventRecord(stop, 0));
            CHECK(cudaEventSynchronize(stop));
            CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
            if (round >= 0)
                (who == 0 ? ours : theirs)[round] = milliseconds;
        }
    qsort(ours, ROUNDS, sizeof *ours, ascending);
    qsort(theirs, ROUNDS, sizeof *theirs, ascending);
    double work = 2e-9 * m * n * k, own = work / ours[ROUNDS / 2], other = work / theirs[ROUNDS / 2];
    printf("%5d x %5d x %5d   %6.2f TFLOP/s   cuBLAS %6.2f   ratio %.3f   largest difference %.1e\n", m, n, k,
           own, other, own / other, worst);

    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
    CHECK(cudaFree(d));
    free(host_a);
    free(host_b);
    free(host_c);
    free(host_d);
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
}

int main(void) {
    static const int sizes[][4] = {{1024, 1024, 1024, 1024}, {2048, 2048, 2048, 2048},
                                   {4096, 4096, 4096, 4096}, {8192, 8192, 8192, 8192},
                                   {4000, 3000, 2000, 4000}, {4001, 3001, 2001, 4001},
                                   {3997, 3001, 2003, 4000}, {997, 331, 203, 1000}};
    cublasHandle_t cublas;
    CHECK(cublasCreate(&cublas));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        compare(cublas, sizes[i][0], sizes[i][1], sizes[i][2], sizes[i][3]);
    CHECK(cublasDestroy(cublas));
    return 0;
}
