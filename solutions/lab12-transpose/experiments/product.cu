// make lab12-product: is it worth while to transpose B first?
// C = A * transposed(B), where a row of A is multiplied by rows of B. A warp has 32 neighbouring columns of C, so it reads B by
// columns: 32 rows at a time. With B transposed first it reads rows. The price is the transposition, whatever A's height.
//
// Prints a line for each height of A: the product as it is; the transposition; the product with B transposed first.

#include "../kernel.cu"

#include <stdio.h>
#include <stdlib.h>

#define SIDE 1024 // B has SIDE x SIDE elements
#define ROUNDS 5

static void check(cudaError_t error, int line) {
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "product.cu:%d: %s\n", line, cudaGetErrorString(error));
    exit(1);
}
#define CHECK(call) check(call, __LINE__)

// b[column * across + k * along] is B's element (column, k).
__global__ void product_kernel(const float *a, const float *b, float *c, int across, int along) {
    int column = blockIdx.x * 128 + threadIdx.x, row = blockIdx.y;
    float sum = 0;
    for (int k = 0; k < SIDE; k++)
        sum += a[row * SIDE + k] * b[column * across + k * along];
    c[row * SIDE + column] = sum;
}

struct matrices {
    float *a, *b, *turned, *c;
};

// Median of ROUNDS in microseconds, of the product, of the transposition or of both.
static float time_of(const struct matrices *m, int rows, bool turn, bool multiply) {
    cudaEvent_t from, to;
    float us[ROUNDS];
    CHECK(cudaEventCreate(&from));
    CHECK(cudaEventCreate(&to));
    for (int i = 0; i < ROUNDS; i++) {
        CHECK(cudaEventRecord(from));
        if (turn)
            transpose(m->b, m->turned, SIDE, SIDE, 0);
        if (multiply)
            product_kernel<<<dim3(SIDE / 128, rows), 128>>>(m->a, turn ? m->turned : m->b, m->c,
                                                            turn ? 1 : SIDE, turn ? SIDE : 1);
        CHECK(cudaEventRecord(to));
        CHECK(cudaEventSynchronize(to));
        float ms;
        CHECK(cudaEventElapsedTime(&ms, from, to));
        int at = i;
        for (; at > 0 && us[at - 1] > ms * 1000; at--)
            us[at] = us[at - 1];
        us[at] = ms * 1000;
    }
    CHECK(cudaGetLastError());
    CHECK(cudaEventDestroy(from));
    CHECK(cudaEventDestroy(to));
    return us[ROUNDS / 2];
}

// Small whole numbers, so that both products are exact and must be equal.
static void fill(float *device, int count) {
    float *host = (float *)malloc(count * sizeof *host);
    if (host == NULL)
        exit(1);
    for (int i = 0; i < count; i++)
        host[i] = (float)((unsigned)i * 2654435761u >> 29);
    CHECK(cudaMemcpy(device, host, count * sizeof *host, cudaMemcpyHostToDevice));
    free(host);
}

static float *results(const struct matrices *m, int rows) {
    float *host = (float *)malloc((size_t)rows * SIDE * sizeof *host);
    if (host == NULL)
        exit(1);
    CHECK(cudaMemcpy(host, m->c, (size_t)rows * SIDE * sizeof *host, cudaMemcpyDeviceToHost));
    return host;
}

int main(void) {
    const int heights[] = {1, 4, 16, 64};
    struct matrices m;
    float **const all[] = {&m.a, &m.b, &m.turned, &m.c};
    for (int i = 0; i < 4; i++)
        CHECK(cudaMalloc(all[i], SIDE * SIDE * sizeof(float)));
    fill(m.a, SIDE * SIDE);
    fill(m.b, SIDE * SIDE);
    printf("rows of A   as it is   transposition   with B transposed first   gain\n");
    for (int i = 0; i < 4; i++) {
        float plain = time_of(&m, heights[i], false, true), *first = results(&m, heights[i]);
        float both = time_of(&m, heights[i], true, true), *second = results(&m, heights[i]);
        for (int k = 0; k < heights[i] * SIDE; k++)
            if (first[k] != second[k]) {
                fprintf(stderr, "product.cu: the two products differ\n");
                return 1;
            }
        printf("%9d  %6.1f us       %6.1f us                 %6.1f us  %5.2f\n", heights[i], plain,
               time_of(&m, heights[i], true, false), both, plain / both);
        free(first);
        free(second);
    }
    return 0;
}
