/* products.cu: products on tensor cores, by wmma and by ldmatrix and mma.sync, against the host's.
 * The sums are whole numbers below 2^24, so their order makes no difference. "part": half a warp
 * multiplies, which is a fault. */
#include "check.h"

#include <cuda_bf16.h>
#include <mma.h>
#include <type_traits>

using namespace nvcuda;

enum { SIZE = 32 };

/* A warp multiplies one tile, from shared or global memory. */
template <int M, int N, int K, class E, class F, class S, class A, class B>
__global__ void by_wmma(const E *a, const E *b, S *c, bool shared) {
    __shared__ __align__(32) E rows[SIZE * SIZE], columns[SIZE * SIZE];
    for (int i = threadIdx.x; i < SIZE * SIZE; i += 32)
        rows[i] = a[i], columns[i] = b[i];
    __syncwarp();
    wmma::fragment<wmma::matrix_a, M, N, K, F, A> left;
    wmma::fragment<wmma::matrix_b, M, N, K, F, B> right;
    wmma::fragment<wmma::accumulator, M, N, K, S> sum;
    wmma::fill_fragment(sum, (S)0);
    for (int k = 0; k < SIZE; k += K) {
        int at_a = k * (std::is_same<A, wmma::row_major>::value ? 1 : SIZE);
        int at_b = k * (std::is_same<B, wmma::row_major>::value ? SIZE : 1);
        if (shared) {
            wmma::load_matrix_sync(left, rows + at_a, SIZE);
            wmma::load_matrix_sync(right, columns + at_b, SIZE);
        } else {
            wmma::load_matrix_sync(left, a + at_a, SIZE);
            wmma::load_matrix_sync(right, b + at_b, SIZE);
        }
        wmma::mma_sync(sum, left, right, sum);
    }
    wmma::store_matrix_sync(c, sum, SIZE, wmma::mem_row_major);
}

/* 16 x 8 of c, 16 along k at a time; columns of shared memory exchanged row by row. */
__global__ void by_mma(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *c, int lanes) {
    __shared__ __align__(16) __nv_bfloat16 left[16][SIZE], right[SIZE][8];
    int lane = threadIdx.x;
    for (int i = lane; i < 16 * SIZE; i += 32)
        left[i / SIZE][i % SIZE ^ i / SIZE / 2 % 4 * 8] = a[i];
    for (int i = lane; i < SIZE * 8; i += 32)
        right[i / 8][i % 8] = b[i / 8 * SIZE + i % 8];
    __syncwarp();
    float sum[4] = {0, 0, 0, 0};
    if (lane >= lanes)
        return;
    for (int k = 0; k < SIZE; k += 16) {
        unsigned x[4], y[2], row = lane % 16;
        unsigned from = (unsigned)__cvta_generic_to_shared(&left[row][(k + lane / 16 * 8) ^ row / 2 % 4 * 8]);
        unsigned of = (unsigned)__cvta_generic_to_shared(&right[k + row][0]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                     : "r"(from));
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                     : "=r"(y[0]), "=r"(y[1])
                     : "r"(of));
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
            "{%8, %9}, {%0, %1, %2, %3};"
            : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
            : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    }
    for (int i = 0; i < 4; i++)
        c[(lane / 4 + i / 2 * 8) * SIZE + lane % 4 * 2 + i % 2] = sum[i];
}

/* The first m rows and n columns of c are a times b, each stored by rows or by columns. */
template <class E, class S>
static void compare(const E *a, const E *b, const S *c, int m, int n, bool rows_a, bool rows_b) {
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < SIZE; k++)
                sum += (float)a[rows_a ? i * SIZE + k : k * SIZE + i] *
                       (float)b[rows_b ? k * SIZE + j : j * SIZE + k];
            CHECK((float)c[i * SIZE + j] == sum);
        }
}

template <int M, int N, int K, class E, class F, class S, class A, class B>
static void check(const E *a, const E *b, S *c) {
    for (int shared = 0; shared < 2; shared++) {
        OK(cudaMemset(c, 0xff, SIZE * SIZE * sizeof *c));
        by_wmma<M, N, K, E, F, S, A, B><<<1, 32>>>(a, b, c, shared);
        compare(a, b, c, M, N, std::is_same<A, wmma::row_major>::value,
                std::is_same<B, wmma::row_major>::value);
    }
}

template <int M, int N, int K, class E, class S, class F = E> static void all(E *a, E *b, S *c) {
    for (int i = 0; i < SIZE * SIZE; i++) {
        a[i] = (E)(float)((i * 7 + i / 5) % 15 - 7);
        b[i] = (E)(float)((i * 11 + i / 3) % 13 - 6);
    }
    check<M, N, K, E, F, S, wmma::row_major, wmma::row_major>(a, b, c);
    check<M, N, K, E, F, S, wmma::row_major, wmma::col_major>(a, b, c);
    check<M, N, K, E, F, S, wmma::col_major, wmma::row_major>(a, b, c);
    check<M, N, K, E, F, S, wmma::col_major, wmma::col_major>(a, b, c);
}

int main(int count, char **values) {
    void *a, *b, *c;
    OK(cudaMallocManaged(&a, 8 * SIZE * SIZE));
    OK(cudaMallocManaged(&b, 8 * SIZE * SIZE));
    OK(cudaMallocManaged(&c, 8 * SIZE * SIZE));
    (void)values;
    all<16, 16, 16, half, float>((half *)a, (half *)b, (float *)c);
    all<8, 32, 16, half, half>((half *)a, (half *)b, (half *)c);
    all<16, 16, 8, float, float, wmma::precision::tf32>((float *)a, (float *)b, (float *)c);
    all<16, 16, 16, signed char, int>((signed char *)a, (signed char *)b, (int *)c);
    all<8, 8, 4, double, double>((double *)a, (double *)b, (double *)c);
    all<32, 8, 16, __nv_bfloat16, float>((__nv_bfloat16 *)a, (__nv_bfloat16 *)b, (float *)c);
    by_mma<<<1, 32>>>((__nv_bfloat16 *)a, (__nv_bfloat16 *)b, (float *)c, 32);
    compare((__nv_bfloat16 *)a, (__nv_bfloat16 *)b, (float *)c, 16, 8, true, true);
    if (count > 1) {
        by_mma<<<1, 32>>>((__nv_bfloat16 *)a, (__nv_bfloat16 *)b, (float *)c, 16);
        EXPECT(cudaErrorIllegalInstruction, cudaDeviceSynchronize());
    }
    puts("ok");
    return 0;
}
