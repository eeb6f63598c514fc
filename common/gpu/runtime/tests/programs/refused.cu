/* refused.cu: kernels that use what is not simulated, and their neighbours in the same file, which run. */
#include "check.h"

#include <cuda_fp16.h>

__global__ void plain(int *result) {
    *result = 5;
}

__global__ void sparse(const half *a, float *c) {
    const unsigned *words = (const unsigned *)a;
    asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5}, {%4, %5}, {%0, %1, %2, %3}, %6, 0;"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(words[0]), "r"(words[1]), "r"(words[2]));
}

__device__ __noinline__ int saturating(int a, int b) {
    int sum;
    asm volatile("vadd.s32.s32.s32.sat %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
    return sum;
}

__device__ __noinline__ int wrapping(int a, int b) {
    return a + b;
}

template <typename T> __global__ void through_call(T *result) {
    *result = saturating(1, *result);
}

typedef int (*operation)(int, int);
__device__ operation operations[] = {wrapping, saturating};

__global__ void through_pointer(int *result, int which) {
    *result = operations[which](3, 4);
}

/* No error is asked for, or of some launches only. */
static int unseen(const char *what, int *result, const half *a, float *c) {
    sparse<<<1, 32>>>(a, c);
    if (strcmp(what, "unseen") == 0 || strcmp(what, "fails") == 0) {
        plain<<<1, 2000>>>(result);
        OK(cudaDeviceSynchronize());
    } else {
        EXPECT(cudaErrorNotSupported, cudaGetLastError());
        if (strcmp(what, "once") == 0)
            through_call<int><<<1, 1>>>(result);
    }
    puts("ok");
    return strcmp(what, "fails") == 0 ? 3 : 0;
}

int main(int count, char **values) {
    int *result, value = 0;
    half *a;
    float *c;
    OK(cudaMalloc(&result, sizeof *result));
    OK(cudaMalloc(&a, 256 * sizeof *a));
    OK(cudaMalloc(&c, 256 * sizeof *c));
    if (count > 1)
        return unseen(values[1], result, a, c);
    sparse<<<1, 32>>>(a, c);
    EXPECT(cudaErrorNotSupported, cudaGetLastError());
    through_call<int><<<1, 1>>>(result);
    EXPECT(cudaErrorNotSupported, cudaGetLastError());
    OK(cudaDeviceSynchronize()); /* nothing ran, nothing is broken */
    cudaFuncAttributes attributes;
    OK(cudaFuncGetAttributes(&attributes, sparse));
    plain<<<1, 1>>>(result);
    OK(cudaMemcpy(&value, result, sizeof value, cudaMemcpyDeviceToHost));
    CHECK(value == 5);
    through_pointer<<<1, 1>>>(result, 0);
    OK(cudaMemcpy(&value, result, sizeof value, cudaMemcpyDeviceToHost));
    CHECK(value == 7);
    through_pointer<<<1, 1>>>(result, 1);
    EXPECT(cudaErrorNotSupported, cudaGetLastError());
    puts("ok");
    return 0;
}
