// cuBLAS, NVIDIA's library of linear algebra, with the function of lab6.h: what the report sets beside yours.
//
// It is opened when the program runs, so nothing of it is needed to build. It works in its default math mode:
// single precision, no TF32, no tensor cores.

#include "lab6.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

// As cublas_api.h has them.
typedef struct cublasContext *cublas_handle;
enum { OPERATION_N = 0, DEFAULT_MATH = 0 };

struct cublas {
    cublas_handle handle;
    int (*set_stream)(cublas_handle, cudaStream_t);
    int (*multiply)(cublas_handle, int, int, int, int, int, const float *, const float *, int, const float *,
                    int, const float *, float *, int);
};

// The runner prints this and leaves the library out.
static void stop(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    fflush(stderr);
    _Exit(1);
}

static void check(const char *what, int status) {
    char why[40];
    snprintf(why, sizeof why, "cuBLAS status %d", status);
    if (status != 0)
        stop(what, why);
}

static void *find(void *library, const char *name) {
    void *symbol = dlsym(library, name);
    if (symbol == NULL)
        stop(name, "not in this release of cuBLAS");
    return symbol;
}

static struct cublas load(void) {
    static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11",
                                        "libcublas.so"};
    struct cublas cublas = {};
    void *library = NULL;
    for (int i = 0; i < 4 && library == NULL; i++)
        library = dlopen(names[i], RTLD_NOW);
    if (library == NULL)
        stop("libcublas.so", "cuBLAS is not installed");
    int (*create)(cublas_handle *) = (int (*)(cublas_handle *))find(library, "cublasCreate_v2");
    int (*set_math)(cublas_handle, int) = (int (*)(cublas_handle, int))find(library, "cublasSetMathMode");
    cublas.set_stream = (int (*)(cublas_handle, cudaStream_t))find(library, "cublasSetStream_v2");
    cublas.multiply =
        (int (*)(cublas_handle, int, int, int, int, int, const float *, const float *, int, const float *,
                 int, const float *, float *, int))find(library, "cublasSgemm_v2");
    check("cublasCreate", create(&cublas.handle));
    check("cublasSetMathMode", set_math(cublas.handle, DEFAULT_MATH));
    return cublas;
}

extern "C" void gemm(int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb,
                     float beta, float *c, int ldc, cudaStream_t stream) {
    static struct cublas cublas; // opened by the first call, which is not timed
    if (cublas.handle == NULL)
        cublas = load();
    check("cublasSetStream", cublas.set_stream(cublas.handle, stream));
    check("cublasSgemm", cublas.multiply(cublas.handle, OPERATION_N, OPERATION_N, m, n, k, &alpha, a, lda, b,
                                         ldb, &beta, c, ldc));
}
