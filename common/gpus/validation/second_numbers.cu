/* second_numbers.cu: long integers, doubles, halves, bytes; rows made even; light and fractals. */
#include "validation.h"

#include <cuda_fp16.h>

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu

static __device__ float warp_sum(float value) {
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_xor_sync(ALL, value, step);
    return value;
}

/* Products of integers of 256 bits, one a thread; word k of all numbers lies together. */
KERNEL big_multiply(const uint32_t *x, const uint32_t *y, uint32_t *product, int n) {
    int i = INDEX;
    uint32_t a[8], b[8], r[16] = {0};
    for (int k = 0; k < 8; k++)
        a[k] = x[k * n + i], b[k] = y[k * n + i];
#pragma unroll
    for (int j = 0; j < 8; j++) {
        uint64_t carry = 0;
#pragma unroll
        for (int k = 0; k < 8; k++) {
            carry += (uint64_t)a[j] * b[k] + r[j + k];
            r[j + k] = (uint32_t)carry;
            carry >>= 32;
        }
        r[j + 8] = (uint32_t)carry;
    }
    for (int k = 0; k < 16; k++)
        product[k * n + i] = r[k];
}

KERNEL double_dot(const double *x, const double *y, double *sums, int n) {
    __shared__ double of_warp[12];
    double sum = 0;
    for (int i = INDEX; i < n; i += gridDim.x * blockDim.x)
        sum += x[i] * y[i];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(ALL, sum, step);
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < 12; k++)
            sum += of_warp[k];
        atomicAdd(sums, sum);
    }
}

/* Eight halves a thread. */
KERNEL half_axpy(const uint4 *x, const uint4 *y, uint4 *z, float factor, int n) {
    int i = INDEX;
    if (i >= n)
        return;
    uint4 v = x[i], w = y[i];
    __half2 a = __float2half2_rn(factor), *p = (__half2 *)&v, *q = (__half2 *)&w;
#pragma unroll
    for (int k = 0; k < 4; k++)
        q[k] = __hfma2(a, p[k], q[k]);
    z[i] = w;
}

/* Products of matrices of bytes, four bytes an instruction; the second lies transposed. 32 x 8 threads, 32 x 32 results. */
KERNEL byte_products(const int *x, const int *y, int *z, int columns, int words) {
    __shared__ int a[32][33], b[32][33];
    int tx = threadIdx.x, ty = threadIdx.y, sum[4] = {0, 0, 0, 0};
    int row = blockIdx.y * 32, column = blockIdx.x * 32;
    for (int first = 0; first < words; first += 32) {
#pragma unroll
        for (int k = 0; k < 4; k++) {
            a[ty + 8 * k][tx] = x[(row + ty + 8 * k) * words + first + tx];
            b[ty + 8 * k][tx] = y[(column + ty + 8 * k) * words + first + tx];
        }
        __syncthreads();
#pragma unroll 8
        for (int m = 0; m < 32; m++) {
            int theirs = b[tx][m];
#pragma unroll
            for (int k = 0; k < 4; k++)
                sum[k] = __dp4a(a[ty + 8 * k][m], theirs, sum[k]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int k = 0; k < 4; k++)
        z[(row + ty + 8 * k) * columns + column + tx] = sum[k];
}

/* Darts in double precision, by a generator of 128 bits. */
KERNEL pi_by_darts(uint32_t *hits, int rounds) {
    uint64_t s = mixed(INDEX) * 0x9e3779b97f4a7c15ull + 1, t = mixed(INDEX + 99) * 0xbf58476d1ce4e5b9ull + 3;
    uint32_t count = 0;
    for (int k = 0; k < rounds; k++) {
        double place[2];
#pragma unroll
        for (int axis = 0; axis < 2; axis++) {
            uint64_t next = s, sum = s + t;
            s = t;
            next ^= next << 23;
            t = next ^ t ^ next >> 18 ^ t >> 5;
            place[axis] = (double)(sum >> 11) * 0x1p-53;
        }
        count += place[0] * place[0] + place[1] * place[1] < 1;
    }
    count = __reduce_add_sync(ALL, count);
    if (threadIdx.x % 32 == 0)
        atomicAdd(hits, count);
}

/* How fast a point runs away, in double precision. */
KERNEL julia_double(uint16_t *rounds, int width, int height, double cr, double ci) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, k = 0;
    double re = 3.2 * x / width - 1.6, im = 2.0 * y / height - 1;
    while (k < 150) {
        double a = re * re, b = im * im;
        if (a + b > 4)
            break;
        im = 2 * re * im + ci;
        re = a - b + cr;
        k++;
    }
    rounds[y * width + x] = (uint16_t)k;
}

__constant__ float4 spheres[24];

/* A ray a thread: the nearest of 24 spheres, then once more from where it is thrown back. */
KERNEL ray_spheres(float *light, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float ox = 0, oy = 0, oz = -4, dx = (x + 0.5f) / width - 0.5f, dy = (y + 0.5f) / height - 0.5f, dz = 1;
    float scale = rsqrtf(dx * dx + dy * dy + dz * dz), shine = 0, share = 1;
    dx *= scale, dy *= scale, dz *= scale;
    for (int bounce = 0; bounce < 2; bounce++) {
        float nearest = 1e30f;
        int which = -1;
        for (int k = 0; k < 24; k++) {
            float4 s = spheres[k];
            float px = s.x - ox, py = s.y - oy, pz = s.z - oz, along = px * dx + py * dy + pz * dz;
            float rest = along * along - (px * px + py * py + pz * pz) + s.w * s.w;
            if (rest > 0) {
                float far = along - sqrtf(rest);
                if (far > 1e-3f && far < nearest)
                    nearest = far, which = k;
            }
        }
        if (which < 0) {
            shine += share * (0.5f - 0.5f * dy);
            break;
        }
        float4 s = spheres[which];
        ox += nearest * dx, oy += nearest * dy, oz += nearest * dz;
        float nx = (ox - s.x) / s.w, ny = (oy - s.y) / s.w, nz = (oz - s.z) / s.w;
        float turn = 2 * (nx * dx + ny * dy + nz * dz);
        dx -= turn * nx, dy -= turn * ny, dz -= turn * nz;
        shine += share * 0.4f * fmaxf(0.0f, -ny);
        share *= 0.5f;
    }
    light[y * width + x] = shine;
}

static __device__ float block_of_8(float value, float *scratch, bool largest) {
    for (int step = 16; step > 0; step /= 2) {
        float other = __shfl_xor_sync(ALL, value, step);
        value = largest ? fmaxf(value, other) : value + other;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        scratch[threadIdx.x / 32] = value;
    __syncthreads();
    value = scratch[0];
    for (int k = 1; k < 8; k++)
        value = largest ? fmaxf(value, scratch[k]) : value + scratch[k];
    return value;
}

/* A block of 256 a row of 1000: each number is read once. */
KERNEL softmax_rows(const float *x, float *y, int columns) {
    __shared__ float scratch[8];
    float v[4], most = -1e30f, sum = 0;
    const float *row = x + blockIdx.x * columns;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        int i = k * 256 + threadIdx.x;
        v[k] = i < columns ? row[i] : -1e30f;
        most = fmaxf(most, v[k]);
    }
    most = block_of_8(most, scratch, true);
#pragma unroll
    for (int k = 0; k < 4; k++) {
        v[k] = expf(v[k] - most);
        sum += v[k];
    }
    sum = block_of_8(sum, scratch, false);
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (k * 256 + threadIdx.x < columns)
            y[blockIdx.x * columns + k * 256 + threadIdx.x] = v[k] / sum;
}

/* A warp a row of 768: mean and spread, then scaled and moved. */
KERNEL layer_norm(const float4 *x, const float4 *scale, const float4 *shift, float4 *y) {
    int row = INDEX / 32, lane = threadIdx.x % 32;
    float4 v[6];
    float sum = 0, squares = 0;
#pragma unroll
    for (int k = 0; k < 6; k++) {
        v[k] = x[row * 192 + k * 32 + lane];
        sum += v[k].x + v[k].y + v[k].z + v[k].w;
    }
    float mean = warp_sum(sum) / 768;
#pragma unroll
    for (int k = 0; k < 6; k++) {
        v[k].x -= mean, v[k].y -= mean, v[k].z -= mean, v[k].w -= mean;
        squares += v[k].x * v[k].x + v[k].y * v[k].y + v[k].z * v[k].z + v[k].w * v[k].w;
    }
    float by = rsqrtf(warp_sum(squares) / 768 + 1e-5f);
#pragma unroll
    for (int k = 0; k < 6; k++) {
        float4 g = scale[k * 32 + lane], b = shift[k * 32 + lane];
        y[row * 192 + k * 32 + lane] = make_float4(v[k].x * by * g.x + b.x, v[k].y * by * g.y + b.y,
                                                   v[k].z * by * g.z + b.z, v[k].w * by * g.w + b.w);
    }
}

static __device__ float2 turned(float2 v, float angle) {
    float c, s;
    __sincosf(angle, &s, &c);
    return make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
}

/* Transforms of 256 points by radix 4, 64 threads each, four of them a block. */
KERNEL fft_radix4(const float2 *x, float2 *y) {
    __shared__ float2 lines[4][256];
    float2 *line = lines[threadIdx.y], v[4];
    int t = threadIdx.x, first = (blockIdx.x * 4 + threadIdx.y) * 256;
#pragma unroll
    for (int k = 0; k < 4; k++)
        v[k] = x[first + k * 64 + t];
#pragma unroll
    for (int done = 1; done < 256; done *= 4) {
        int at = t % done;
        if (done > 1) {
#pragma unroll
            for (int k = 0; k < 4; k++)
                v[k] = line[k * 64 + t];
            __syncthreads();
#pragma unroll
            for (int k = 1; k < 4; k++)
                v[k] = turned(v[k], -6.2831853f * k * at / (4 * done));
        }
        float2 a = make_float2(v[0].x + v[2].x, v[0].y + v[2].y),
               b = make_float2(v[0].x - v[2].x, v[0].y - v[2].y);
        float2 c = make_float2(v[1].x + v[3].x, v[1].y + v[3].y),
               d = make_float2(v[1].y - v[3].y, v[3].x - v[1].x);
        float2 *to = line + (t / done) * done * 4 + at;
        to[0] = make_float2(a.x + c.x, a.y + c.y);
        to[done] = make_float2(b.x + d.x, b.y + d.y);
        to[2 * done] = make_float2(a.x - c.x, a.y - c.y);
        to[3 * done] = make_float2(b.x - d.x, b.y - d.y);
        __syncthreads();
    }
#pragma unroll
    for (int k = 0; k < 4; k++)
        y[first + k * 64 + t] = line[k * 64 + t];
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 22;
    float *x = random_floats(2 * n), *y = zeros(2 * n);
    uint32_t *words = random_words(2 * n, 0xffffffff), *to = (uint32_t *)y;
    double *doubles = filled<double>(n, [](uint32_t i) { return mixed(i) / 4294967296.0; });
    __half *halves =
        filled<__half>(2 * n, [](uint32_t i) { return __float2half((mixed(i) >> 16) / 65536.0f); });
    float4 host[24];
    for (uint32_t k = 0; k < 24; k++)
        host[k] = make_float4(mixed(k) % 400 / 100.0f - 2, mixed(k + 50) % 400 / 100.0f - 2,
                              mixed(k + 90) % 300 / 100.0f, 0.2f + k % 5 * 0.1f);
    check(cudaMemcpyToSymbol(spheres, host, sizeof host), "cudaMemcpyToSymbol");
    VALIDATE(big_multiply, n / 16 / 128, 128, words, words + n / 2, to, n / 16);
    VALIDATE(double_dot, 396, 384, doubles, doubles + n / 2, (double *)y, n / 2);
    VALIDATE(half_axpy, n / 4 / 256, 256, (uint4 *)halves, (uint4 *)words, (uint4 *)y, 0.7f, n / 4);
    VALIDATE(byte_products, dim3(16, 20), dim3(32, 8), (int *)words, (int *)words + n, (int *)y, 512, 256);
    VALIDATE(pi_by_darts, 792, 192, to, 32);
    VALIDATE(julia_double, dim3(40, 25), dim3(16, 16), (uint16_t *)y, 640, 400, -0.8, 0.156);
    VALIDATE(ray_spheres, dim3(80, 60), dim3(8, 8), y, 640, 480);
    VALIDATE(softmax_rows, 4000, 256, x, y, 1000);
    VALIDATE(layer_norm, 1250, 256, (float4 *)x, (float4 *)x + n / 2 - 192, (float4 *)x + n / 2 - 400,
             (float4 *)y);
    VALIDATE(fft_radix4, 2000, dim3(64, 4), (float2 *)x, (float2 *)y);
    return 0;
}
