/* science.cu: small whole algorithms. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

/* Forces of all bodies on each, tile by tile. */
KERNEL n_body(const float4 *body, float4 *force, int n) {
    __shared__ float4 tile[256];
    float4 me = body[INDEX];
    float fx = 0, fy = 0, fz = 0;
    for (int first = 0; first < n; first += 256) {
        tile[threadIdx.x] = body[first + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 256; k++) {
            float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
            float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), s = tile[k].w * r * r * r;
            fx += dx * s, fy += dy * s, fz += dz * s;
        }
        __syncthreads();
    }
    force[INDEX] = make_float4(fx, fy, fz, 0);
}

/* Points in a circle, by a generator of shifts. */
KERNEL monte_carlo(uint32_t *hits, int rounds) {
    uint32_t state = mixed(INDEX + 1) | 1, count = 0;
    for (int k = 0; k < rounds; k++) {
        state ^= state << 13, state ^= state >> 17, state ^= state << 5;
        float x = (state & 0xffff) / 65536.0f, y = (state >> 16) / 65536.0f;
        count += x * x + y * y < 1;
    }
    hits[INDEX] = count;
}

/* The nearest of 16 centres in four dimensions. */
KERNEL nearest_centre(const float4 *point, const float4 *centre, uint32_t *nearest, int n) {
    int i = INDEX;
    float4 p = point[i % n];
    float least = 1e30f;
    uint32_t best = 0;
    for (uint32_t k = 0; k < 16; k++) {
        float4 c = centre[k];
        float a = p.x - c.x, b = p.y - c.y, d = p.z - c.z, e = p.w - c.w, far = a * a + b * b + d * d + e * e;
        if (far < least)
            least = far, best = k;
    }
    nearest[i] = best;
}

/* All ways by way of one place. */
KERNEL shortest_ways(const float *way, float *shorter, int n, int by) {
    int to = blockIdx.x * blockDim.x + threadIdx.x, from = blockIdx.y * blockDim.y + threadIdx.y;
    float round = way[from * n + by] + way[by * n + to];
    if (round < way[from * n + to])
        shorter[from * n + to] = round;
}

/* One pass of a transform over the whole array. */
KERNEL butterfly(const float2 *x, float2 *y, int half) {
    int i = INDEX, k = i & (half - 1), at = 2 * i - k;
    float angle = -3.14159265f * k / half, c = __cosf(angle), s = __sinf(angle);
    float2 a = x[at], b = x[at + half];
    float re = b.x * c - b.y * s, im = b.x * s + b.y * c;
    y[at] = make_float2(a.x + re, a.y + im);
    y[at + half] = make_float2(a.x - re, a.y - im);
}

/* A transform of 512 points in shared memory, a block each. */
KERNEL transform_shared(const float2 *x, float2 *y) {
    __shared__ float2 line[512];
    int t = threadIdx.x;
    line[__brev(t) >> 23] = x[blockIdx.x * 512 + t];
    line[__brev(t + 256) >> 23] = x[blockIdx.x * 512 + t + 256];
    for (int half = 1; half < 512; half *= 2) {
        __syncthreads();
        int k = t & (half - 1), at = 2 * t - k;
        float c, s;
        __sincosf(-3.14159265f * k / half, &s, &c);
        float2 a = line[at], b = line[at + half];
        float re = b.x * c - b.y * s, im = b.x * s + b.y * c;
        line[at] = make_float2(a.x + re, a.y + im);
        line[at + half] = make_float2(a.x - re, a.y - im);
    }
    __syncthreads();
    y[blockIdx.x * 512 + t] = line[t];
    y[blockIdx.x * 512 + t + 256] = line[t + 256];
}

/* Systems of 32 equations, a block each, eliminated in shared memory. */
KERNEL eliminated(const float *x, float *y) {
    __shared__ float m[32][33];
    int column = threadIdx.x, row = threadIdx.y;
    m[row][column] = x[blockIdx.x * 1024 + row * 32 + column] + (row == column ? 32 : 0);
    for (int k = 0; k < 31; k++) {
        __syncthreads();
        float factor = m[row][k] / m[k][k];
        __syncthreads();
        if (row > k && column >= k)
            m[row][column] -= factor * m[k][column];
    }
    __syncthreads();
    y[blockIdx.x * 1024 + row * 32 + column] = m[row][column];
}

/* A lower triangular system of 64 equations a thread, unknowns by way of local memory's neighbours in global. */
KERNEL triangular_solve(const float *lower, float *x, int systems) {
    int i = INDEX;
    for (int row = 0; row < 64; row++) {
        float sum = x[row * systems + i];
        for (int k = 0; k < row; k++)
            sum -= lower[row * 64 + k] * x[k * systems + i];
        x[row * systems + i] = sum / (lower[row * 64 + row] + 1);
    }
}

/* A matrix times a vector, a warp a row. */
KERNEL matrix_vector(const float *matrix, const float *x, float *y, int columns) {
    int row = INDEX / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (int k = lane; k < columns; k += 32)
        sum += matrix[(size_t)row * columns + k] * x[k];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, step);
    if (lane == 0)
        y[row] = sum;
}

/* Products of 4 x 4 matrices, one a thread. */
KERNEL small_products(const float4 *a, const float4 *b, float4 *c, int n) {
    int i = INDEX;
    float4 r[4];
    for (int k = 0; k < 4; k++)
        r[k] = b[4 * i + k];
    for (int k = 0; k < 4; k++) {
        float4 v = a[4 * i + k];
        c[4 * i + k] = make_float4(v.x * r[0].x + v.y * r[1].x + v.z * r[2].x + v.w * r[3].x,
                                   v.x * r[0].y + v.y * r[1].y + v.z * r[2].y + v.w * r[3].y,
                                   v.x * r[0].z + v.y * r[1].z + v.z * r[2].z + v.w * r[3].z,
                                   v.x * r[0].w + v.y * r[1].w + v.z * r[2].w + v.w * r[3].w);
    }
}

/* Rounds of a cipher of adds, rotations and exclusive ors, 16 words a thread. */
KERNEL cipher_rounds(const uint32_t *x, uint32_t *y, int rounds) {
    uint32_t s[16];
    for (int k = 0; k < 16; k++)
        s[k] = x[k] + k * INDEX;
    for (int r = 0; r < rounds; r++)
#pragma unroll
        for (int k = 0; k < 8; k++) {
            int a = k & 3, b = 4 + (k + k / 4) % 4, c = 8 + (k + k / 4 * 2) % 4, d = 12 + (k + k / 4 * 3) % 4;
            s[a] += s[b], s[d] = __funnelshift_l(s[d] ^ s[a], s[d] ^ s[a], 16);
            s[c] += s[d], s[b] = __funnelshift_l(s[b] ^ s[c], s[b] ^ s[c], 12);
            s[a] += s[b], s[d] = __funnelshift_l(s[d] ^ s[a], s[d] ^ s[a], 8);
            s[c] += s[d], s[b] = __funnelshift_l(s[b] ^ s[c], s[b] ^ s[c], 7);
        }
    uint32_t sum = 0;
    for (int k = 0; k < 16; k++)
        sum ^= s[k];
    y[INDEX] = sum;
}

/* The hash of 64 bytes a thread, byte by byte, its multiplier a prime. */
KERNEL hashed_bytes(const uint8_t *x, uint32_t *y, int length) {
    const uint8_t *mine = x + INDEX * length;
    uint32_t hash = 2166136261u;
    for (int k = 0; k < length; k++)
        hash = (hash ^ mine[k]) * 16777619u;
    y[INDEX] = hash;
}

/* A check sum by a table in shared memory. */
KERNEL checksum_table(const uint32_t *x, const uint32_t *table, uint32_t *y, int words) {
    __shared__ uint32_t own[256];
    own[threadIdx.x] = table[threadIdx.x];
    __syncthreads();
    uint32_t sum = 0xffffffff;
    for (int k = 0; k < words; k++) {
        uint32_t word = x[k * gridDim.x * blockDim.x + INDEX];
        for (int b = 0; b < 32; b += 8)
            sum = sum >> 8 ^ own[(sum ^ word >> b) & 255];
    }
    y[INDEX] = sum;
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 22;
    float *x = random_floats(4 * n), *y = zeros(4 * n);
    uint32_t *words = random_words(n, 0xffffffff), *to = (uint32_t *)y;
    VALIDATE(n_body, 33, 256, (float4 *)x, (float4 *)y, 8448);
    VALIDATE(monte_carlo, 1056, 256, to, 128);
    VALIDATE(nearest_centre, n / 256, 256, (float4 *)x, (float4 *)x, to, n / 4);
    VALIDATE(shortest_ways, dim3(64, 256), dim3(32, 8), x, y, 2048, 77);
    VALIDATE(butterfly, n / 2 / 256, 256, (float2 *)x, (float2 *)y, 1 << 12);
    VALIDATE(transform_shared, 4096, 256, (float2 *)x, (float2 *)y);
    VALIDATE(eliminated, 1024, dim3(32, 32), x, y);
    VALIDATE(triangular_solve, 128, 128, x, y, 128 * 128);
    VALIDATE(matrix_vector, 512, 256, x, x + 4096, y, 4096);
    VALIDATE(small_products, n / 16 / 256, 256, (float4 *)x, (float4 *)x + n / 4, (float4 *)y, n / 16);
    VALIDATE(cipher_rounds, 1056, 256, words, to, 20);
    VALIDATE(hashed_bytes, 1024, 256, (uint8_t *)words, to, 64);
    VALIDATE(checksum_table, 1024, 256, words, words, to, 16);
    return 0;
}
