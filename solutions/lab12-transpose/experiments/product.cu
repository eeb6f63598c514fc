// make lab12-product: is it worth while to transpose B first?
// C = A * transposed(B): rows of A times rows of B. A warp has 32 neighbouring columns of C, so it reads 32 rows of B at once.
// With B transposed first it reads a row. The price is the transposition, whatever A's height.
// A line for each height of A: microseconds of the product as it is, of the transposition, of both with B transposed.

#include "../kernel.cu"

#include <stdio.h>
#include <stdlib.h>

#define SIDE 1024 // B has SIDE x SIDE elements
#define ROUNDS 5

#define CHECK(call)                                                                                          \
    if ((call) != cudaSuccess)                                                                               \
    exit(fprintf(stderr, "product.cu:%d: %s\n", __LINE__, cudaGetErrorString(cudaGetLastError())) > 0)

__device__ float a[SIDE * SIDE], b[SIDE * SIDE], turned[SIDE * SIDE], c[SIDE * SIDE];
__device__ int differ;

// Small whole numbers, so that both products are exact and must be equal.
__global__ void fill() {
    unsigned i = blockIdx.x * SIDE + threadIdx.x;
    a[i] = i * 2654435761u >> 29;
    b[i] = i * 2246822519u >> 29;
}

// b's element (column, k) is at column * across + k * along.
__global__ void product(const float *b, int across, int along, bool again) {
    int column = blockIdx.x * 128 + threadIdx.x, row = blockIdx.y;
    float sum = 0;
    for (int k = 0; k < SIDE; k++)
        sum += a[row * SIDE + k] * b[column * across + k * along];
    if (again && c[row * SIDE + column] != sum)
        differ = 1;
    c[row * SIDE + column] = sum;
}

// The least of ROUNDS in microseconds, of the product, of the transposition or of both.
static float time_of(const float *b, float *turned, int rows, bool turn, bool multiply) {
    cudaEvent_t from, to;
    float least = INFINITY, ms;
    CHECK(cudaEventCreate(&from));
    CHECK(cudaEventCreate(&to));
    for (int i = 0; i < ROUNDS; i++) {
        CHECK(cudaEventRecord(from));
        if (turn)
            transpose(b, turned, SIDE, SIDE, 0);
        if (multiply)
            product<<<dim3(SIDE / 128, rows), 128>>>(turn ? turned : b, turn ? 1 : SIDE, turn ? SIDE : 1,
                                                     turn);
        CHECK(cudaEventRecord(to));
        CHECK(cudaEventSynchronize(to));
        CHECK(cudaEventElapsedTime(&ms, from, to));
        least = fminf(least, ms * 1000);
    }
    return least;
}

int main(void) {
    float *from, *to;
    int wrong;
    CHECK(cudaGetSymbolAddress((void **)&from, b));
    CHECK(cudaGetSymbolAddress((void **)&to, turned));
    fill<<<SIDE, SIDE>>>();
    printf("rows of A   as it is   transposition   with B transposed first   gain\n");
    for (int rows = 1; rows <= 64; rows *= 4) {
        float plain = time_of(from, to, rows, false, true), both = time_of(from, to, rows, true, true);
        printf("%9d  %6.1f us       %6.1f us                 %6.1f us  %5.2f\n", rows, plain,
               time_of(from, to, rows, true, false), both, plain / both);
    }
    CHECK(cudaMemcpyFromSymbol(&wrong, differ, sizeof wrong));
    if (wrong)
        fprintf(stderr, "product.cu: the two products differ\n");
    return wrong;
}
