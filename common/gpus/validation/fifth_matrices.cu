/* fifth_matrices.cu: products, factorizations and updates of dense matrices, as suites of benchmarks write them. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu

static __device__ float sum_of_warp(float x) {
    for (int step = 16; step > 0; step /= 2)
        x += __shfl_down_sync(ALL, x, step);
    return x;
}

/* The first half of A^T (A x): a row a thread, so that neighbours read a whole row apart. */
KERNEL atax_rows(const float *a, const float *x, float *y, int rows, int columns) {
    int i = INDEX;
    if (i < rows) {
        float sum = 0;
        for (int j = 0; j < columns; j++)
            sum += a[i * columns + j] * x[j];
        y[i] = sum;
    }
}

/* A p and A^T r by one look at A: a block 64 rows of 256 columns, whose sums lie in shared memory and in registers. */
KERNEL bicg_fused(const float *__restrict__ a, const float *__restrict__ p, const float *__restrict__ r,
                  float *__restrict__ q, float *__restrict__ s, int columns) {
    __shared__ float of_row[64];
    int j = INDEX, first = blockIdx.y * 64;
    if (threadIdx.x < 64)
        of_row[threadIdx.x] = 0;
    __syncthreads();
    float mine = 0, by = p[j];
    for (int i = 0; i < 64; i++) {
        float v = a[(first + i) * columns + j];
        mine += v * r[first + i];
        float part = sum_of_warp(v * by);
        if (threadIdx.x % 32 == 0)
            atomicAdd(&of_row[i], part);
    }
    atomicAdd(&s[j], mine);
    __syncthreads();
    if (threadIdx.x < 64)
        atomicAdd(&q[first + threadIdx.x], of_row[threadIdx.x]);
}

/* y = alpha A x + beta B x, a row a warp, four numbers a lane. */
KERNEL gesummv_warps(const float4 *a, const float4 *b, const float4 *x, float *y, float alpha, float beta,
                     int fours) {
    int row = INDEX / 32, lane = threadIdx.x % 32;
    float of_a = 0, of_b = 0;
    for (int j = lane; j < fours; j += 32) {
        float4 u = a[row * fours + j], v = b[row * fours + j], w = x[j];
        of_a += u.x * w.x + u.y * w.y + u.z * w.z + u.w * w.w;
        of_b += v.x * w.x + v.y * w.y + v.z * w.z + v.w * w.w;
    }
    float sum = sum_of_warp(alpha * of_a + beta * of_b);
    if (lane == 0)
        y[row] = sum;
}

/* How much each two columns go together; data are centred and scaled. Above the diagonal it is worked out, below it is the
 * same. */
KERNEL correlation_pairs(const float *data, float *together, int points, int columns) {
    int second = blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.y * blockDim.y + threadIdx.y;
    if (second >= columns || first > second)
        return;
    float sum = 0;
    for (int i = 0; i < points; i++)
        sum += data[i * columns + first] * data[i * columns + second];
    together[first * columns + second] = sum;
    together[second * columns + first] = sum;
}

/* A step of Gram and Schmidt: what is along column k is taken away from every column behind it, a thread each. */
KERNEL gramschmidt_step(float *a, const float *q, float *r, int k, int rows, int columns) {
    int j = k + 1 + INDEX;
    if (j >= columns)
        return;
    float along = 0;
    for (int i = 0; i < rows; i++)
        along += q[i * columns + k] * a[i * columns + j];
    r[k * columns + j] = along;
    for (int i = 0; i < rows; i++)
        a[i * columns + j] -= q[i * columns + k] * along;
}

/* The way down of implicit steps in alternating directions: every column a recurrence, in double precision. */
KERNEL adi_columns(const double *a, const double *b, const double *x, double *to_b, double *to_x, int rows,
                   int columns) {
    int j = INDEX;
    double above_b = b[j], above_x = x[j];
    to_b[j] = above_b;
    to_x[j] = above_x;
    for (int i = 1; i < rows; i++) {
        int at = i * columns + j;
        double by = a[at] / above_b;
        above_x = x[at] - above_x * by;
        above_b = b[at] - a[at] * by;
        to_x[at] = above_x;
        to_b[at] = above_b;
    }
}

/* Every row of every slice of a volume times a small matrix; blocks of three dimensions. */
KERNEL doitgen_slices(const float *a, const float *by, float *y, int rows, int size) {
    int p = threadIdx.x, q = blockIdx.y * blockDim.y + threadIdx.y, r = blockIdx.z * blockDim.z + threadIdx.z;
    const float *row = a + (r * rows + q) * size;
    float sum = 0;
    for (int s = 0; s < size; s++)
        sum += row[s] * by[s * size + p];
    y[(r * rows + q) * size + p] = sum;
}

/* What a panel of 16 rows and one of 16 columns take from the rest of a matrix that is factorized, in tiles of 16 x 16. */
KERNEL lud_internal(float *m, int size, int offset) {
    __shared__ float upper[16][16], left[16][16];
    int i = threadIdx.y, j = threadIdx.x;
    int row = offset + (blockIdx.y + 1) * 16 + i, column = offset + (blockIdx.x + 1) * 16 + j;
    upper[i][j] = m[(offset + i) * size + column];
    left[i][j] = m[row * size + offset + j];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 16; k++)
        sum += left[i][k] * upper[k][j];
    m[row * size + column] -= sum;
}

/* A matrix plus two products of a column and a row. */
KERNEL gemver_update(float *a, const float *u, const float *v, const float *s, const float *t, int n) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n)
        a[i * n + j] += u[i] * v[j] + s[i] * t[j];
}

/* A product in double precision: a block 64 x 64 of it, a thread 4 x 4, tiles 16 deep. */
KERNEL dgemm_registers(const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ c,
                       int n) {
    __shared__ double of_a[16][65], of_b[16][64];
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx, top = blockIdx.y * 64, left = blockIdx.x * 64;
    double sum[4][4] = {};
    for (int first = 0; first < n; first += 16) {
#pragma unroll
        for (int k = t; k < 1024; k += 256) {
            of_a[k % 16][k / 16] = a[(top + k / 16) * n + first + k % 16];
            of_b[k / 64][k % 64] = b[(first + k / 64) * n + left + k % 64];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++) {
            double u[4], v[4];
            for (int i = 0; i < 4; i++) {
                u[i] = of_a[k][ty + 16 * i];
                v[i] = of_b[k][tx + 16 * i];
            }
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    sum[i][j] += u[i] * v[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            c[(top + ty + 16 * i) * n + left + tx + 16 * j] = sum[i][j];
}

static double double_at(uint32_t i) {
    return mixed(i + 5) / 4294967296.0 - 0.5;
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 4096, points = 1024, columns = 600, rows = 512, wide = 8192, slices = 160, side = 768;
    float *a = random_floats((size_t)n * n), *b = random_floats((size_t)n * n), *x = random_floats(4 * n);
    float *y = zeros((size_t)n * n), *q = zeros(n), *s = zeros(n);
    float *data = filled<float>((size_t)points * columns,
                                [](uint32_t i) { return (int)(mixed(i) % 2001 - 1000) / 18500.0f; });
    /* columns of a length of about one */
    float *tall = filled<float>((size_t)2048 * 2048,
                                [](uint32_t i) { return (mixed(i) % 2 == 0 ? 1 : -1) * 0.022097087f; });
    float *fixed = filled<float>((size_t)2048 * 2048,
                                 [](uint32_t i) { return (mixed(i) % 2 == 0 ? 1 : -1) * 0.022097087f; });
    float *square = filled<float>((size_t)2048 * 2048, [](uint32_t i) {
        return i / 2048 == i % 2048 ? 64.0f : (int)(mixed(i) % 200 - 100) / 100.0f;
    });
    size_t all = (size_t)rows * wide;
    double *off = filled<double>(all, double_at), *solved = (double *)allocated(2 * all * sizeof(double));
    double *on = filled<double>(all, [](uint32_t i) { return 2 + mixed(i) / 4294967296.0; });
    double *right = filled<double>(all, [](uint32_t i) { return mixed(i + 9) / 4294967296.0; });
    double *product = (double *)allocated(side * side * sizeof(double));
    VALIDATE(atax_rows, 32, 256, a, x, y, 8192, 2048);
    VALIDATE(bicg_fused, dim3(n / 256, n / 64), 256, a, x, x + n, q, s, n);
    VALIDATE(gesummv_warps, n / 4, 128, (float4 *)a, (float4 *)b, (float4 *)x, y, 1.5f, 1.2f, n / 4);
    VALIDATE(correlation_pairs, dim3(19, 75), dim3(32, 8), data, y, points, columns);
    VALIDATE(gramschmidt_step, 16, 128, tall, fixed, y, 100, 2048, 2048);
    VALIDATE(adi_columns, wide / 64, 64, off, on, right, solved, solved + all, rows, wide);
    VALIDATE(doitgen_slices, dim3(1, 64, slices / 2), dim3(64, 2, 2), a, b, y, 128, 64);
    VALIDATE(lud_internal, dim3(127, 127), dim3(16, 16), square, 2048, 0);
    VALIDATE(gemver_update, dim3(n / 32, n / 8), dim3(32, 8), b, x, x + n, x + 2 * n, x + 3 * n, n);
    VALIDATE(dgemm_registers, dim3(side / 64, side / 64), dim3(16, 16), off, on, product, side);
    return 0;
}
