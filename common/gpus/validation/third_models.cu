/* third_models.cu: prices, chance, orbits, molecules, vectors, layers of networks, round trips. */
#include "validation.h"

#include <cuda_fp16.h>

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu

/* The price of a right to sell at any time, by a tree of prices that go up or down: a block a right, a thread a leaf. */
KERNEL binomial_options(const float *strikes, float *prices, float up, float odds, float discount) {
    __shared__ float worth[161];
    int t = threadIdx.x, steps = blockDim.x - 1;
    float strike = 80 + 40 * strikes[blockIdx.x], price = 100 * __powf(up, (float)(2 * t - steps));
    float mine = fmaxf(0.0f, strike - price);
    for (int step = steps; step > 0; step--) {
        worth[t] = mine;
        __syncthreads();
        if (t < step) {
            float kept = discount * (odds * worth[t + 1] + (1 - odds) * mine);
            price *= up;
            mine = fmaxf(kept, strike - price);
        }
        __syncthreads();
    }
    if (t == 0)
        prices[blockIdx.x] = mine;
}

/* Normal numbers, four a thread, by the generator Philox of ten rounds: it needs no state but a counter. */
KERNEL philox_normals(float4 *normal, uint32_t seed) {
    uint32_t c[4] = {INDEX, 0, 0, 0}, low = seed, high = ~seed;
#pragma unroll
    for (int round = 0; round < 10; round++) {
        uint32_t top = __umulhi(0xd2511f53u, c[0]), bottom = 0xd2511f53u * c[0];
        uint32_t other_top = __umulhi(0xcd9e8d57u, c[2]), other_bottom = 0xcd9e8d57u * c[2];
        c[0] = other_top ^ c[1] ^ low, c[1] = other_bottom;
        c[2] = top ^ c[3] ^ high, c[3] = bottom;
        low += 0x9e3779b9u, high += 0xbb67ae85u;
    }
    float far[2], s[2], k[2];
#pragma unroll
    for (int pair = 0; pair < 2; pair++) {
        far[pair] = sqrtf(-2 * logf((c[2 * pair] + 0.5f) * 0x1p-32f));
        sincospif((c[2 * pair + 1] + 0.5f) * 0x1p-31f, &s[pair], &k[pair]);
    }
    normal[INDEX] = make_float4(far[0] * s[0], far[0] * k[0], far[1] * s[1], far[1] * k[1]);
}

static __device__ float uniform(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return ((*state >> 9) + 0.5f) * 0x1p-23f;
}

/* What an option on the mean of a price is worth: a path of 64 days a thread, paths of a block added up. */
KERNEL asian_paths(float *worth, float drift, float swing, float strike) {
    __shared__ float sums[3];
    uint32_t state = mixed(INDEX + 17);
    float price = 100, mean = 0;
    for (int day = 0; day < 64; day += 2) {
        float s, c, far = swing * sqrtf(-2 * logf(uniform(&state)));
        sincosf(6.2831853f * uniform(&state), &s, &c);
        price *= expf(drift + far * s);
        mean += price;
        price *= expf(drift + far * c);
        mean += price;
    }
    float gain = fmaxf(mean / 64 - strike, 0.0f);
    for (int step = 16; step > 0; step /= 2)
        gain += __shfl_down_sync(ALL, gain, step);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = gain;
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(&worth[blockIdx.x % 64], sums[0] + sums[1] + sums[2]);
}

/* How much a right's price follows the share, its swing and its time: in double precision. */
KERNEL option_greeks(const double *share, const double *years, double *delta, double *vega, double *theta,
                     double rate, double swing) {
    int i = INDEX;
    double time = 0.1 + 2 * years[i], root = swing * sqrt(time), price = 50 + 100 * share[i];
    double one = (log(price / 100) + (rate + 0.5 * swing * swing) * time) / root, two = one - root;
    double bell = 0.3989422804014327 * exp(-0.5 * one * one), discount = 100 * exp(-rate * time);
    delta[i] = 0.5 * erfc(-0.7071067811865476 * one);
    vega[i] = price * bell * sqrt(time);
    theta[i] =
        -price * bell * swing / (2 * sqrt(time)) - rate * discount * 0.5 * erfc(-0.7071067811865476 * two);
}

/* A matrix that lies column by column times a vector, in double precision: a thread a row, a part of the columns a block. */
KERNEL columns_times_vector(const double *matrix, const double *x, double *y, int rows, int columns) {
    __shared__ double part[128];
    int row = INDEX, first = blockIdx.y * columns;
    for (int k = threadIdx.x; k < columns; k += blockDim.x)
        part[k] = x[first + k];
    __syncthreads();
    double sum = 0;
#pragma unroll 4
    for (int k = 0; k < columns; k++)
        sum += matrix[(size_t)(first + k) * rows + row] * part[k];
    atomicAdd(&y[row], sum);
}

/* A step of conjugate gradients: two vectors move, the square of one is summed up; the block that ends last adds the
 * others' sums. */
KERNEL conjugate_step(float4 *x, float4 *r, const float4 *p, const float4 *q, float by, float *sums,
                      uint32_t *ticket, int n) {
    __shared__ float of_warp[16];
    __shared__ bool is_last;
    int t = threadIdx.x;
    float sum = 0;
    for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) {
        float4 a = x[i], b = r[i], c = p[i], d = q[i];
        x[i] = make_float4(a.x + by * c.x, a.y + by * c.y, a.z + by * c.z, a.w + by * c.w);
        b = make_float4(b.x - by * d.x, b.y - by * d.y, b.z - by * d.z, b.w - by * d.w);
        r[i] = b;
        sum += b.x * b.x + b.y * b.y + b.z * b.z + b.w * b.w;
    }
    for (int round = 0; round < 2; round++) {
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_xor_sync(ALL, sum, step);
        of_warp[t / 32] = sum;
        __syncthreads();
        sum = 0;
        for (int k = 0; k < 16; k++)
            sum += of_warp[k];
        if (t == 0) {
            sums[round == 0 ? 1 + blockIdx.x : 0] = sum;
            __threadfence();
            is_last = round == 0 && atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
        }
        __syncthreads();
        if (!is_last)
            return;
        sum = t < gridDim.x ? ((volatile float *)sums)[1 + t] : 0;
    }
}

/* A layer's bias and its bend, on halves, eight a thread: x times how likely a normal number is below x. */
KERNEL bias_gelu(const uint4 *x, const uint4 *bias, uint4 *y, int columns) {
    uint4 v = x[INDEX], b = bias[INDEX % columns];
    __half2 *p = (__half2 *)&v, *q = (__half2 *)&b;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        float2 at = __half22float2(__hadd2(p[k], q[k]));
        at.x *= 0.5f * (1 + tanhf(0.7978846f * (at.x + 0.044715f * at.x * at.x * at.x)));
        at.y *= 0.5f * (1 + tanhf(0.7978846f * (at.y + 0.044715f * at.y * at.y * at.y)));
        p[k] = __float22half2_rn(at);
    }
    y[INDEX] = v;
}

/* A matrix of bytes times a vector of bytes, a warp a row, sixteen bytes a load; each row has a scale. */
KERNEL quantised_matvec(const int4 *matrix, const int4 *x, const float *scale, float *y, int columns) {
    int row = INDEX / 32, lane = threadIdx.x % 32, sum = 0;
    for (int k = lane; k < columns; k += 32) {
        int4 a = matrix[row * columns + k], b = x[k];
        sum = __dp4a(a.x, b.x, __dp4a(a.y, b.y, sum));
        sum = __dp4a(a.z, b.z, __dp4a(a.w, b.w, sum));
    }
    sum = __reduce_add_sync(ALL, sum);
    if (lane == 0)
        y[row] = scale[row] * sum;
}

static __device__ float3 lorenz(float3 at, float drive) {
    return make_float3(10 * (at.y - at.x), at.x * (drive - at.z) - at.y, at.x * at.y - 2.6666667f * at.z);
}

static __device__ float3 moved(float3 at, float by, float3 way) {
    return make_float3(at.x + by * way.x, at.y + by * way.y, at.z + by * way.z);
}

/* Orbits of Lorenz's system by Runge and Kutta's fourth order: few threads, long chains. */
KERNEL lorenz_orbits(const float *begin, float3 *end, float step, int steps) {
    float3 at = make_float3(begin[INDEX], 1, 20);
    float drive = 24 + 0.01f * (INDEX % 800);
    for (int k = 0; k < steps; k++) {
        float3 a = lorenz(at, drive), b = lorenz(moved(at, 0.5f * step, a), drive);
        float3 c = lorenz(moved(at, 0.5f * step, b), drive), d = lorenz(moved(at, step, c), drive);
        at = moved(at, step / 6, a);
        at = moved(at, step / 3, b);
        at = moved(at, step / 3, c);
        at = moved(at, step / 6, d);
    }
    end[INDEX] = at;
}

/* Forces between atoms by Lennard and Jones: 64 neighbours each from a list, of which those that are near enough count. */
KERNEL pair_forces(const float4 *place, const uint32_t *list, float4 *force, int n, float cut) {
    int i = INDEX;
    float4 here = place[i], sum = make_float4(0, 0, 0, 0);
    for (int k = 0; k < 64; k++) {
        float4 there = place[list[k * n + i]];
        float x = here.x - there.x, y = here.y - there.y, z = here.z - there.z,
              square = x * x + y * y + z * z;
        if (square < cut) {
            float inverse = 1 / square, sixth = inverse * inverse * inverse;
            float push = inverse * sixth * (sixth - 0.5f);
            sum.x += push * x, sum.y += push * y, sum.z += push * z;
            sum.w += sixth * (sixth - 1);
        }
    }
    force[i] = sum;
}

static __device__ float tour_length(const float (*apart)[9], int second, int third, const int *order) {
    float length = apart[0][second] + apart[second][third] + apart[third][order[0]] + apart[order[5]][0];
    for (int k = 0; k < 5; k++)
        length += apart[order[k]][order[k + 1]];
    return length;
}

/* The shortest way round nine places, a block each: the thread says the second and the third, Heap's way goes through all
 * orders of the others. */
KERNEL shortest_tours(const float2 *place, uint32_t *shortest) {
    __shared__ float apart[9][9];
    int t = threadIdx.x, second = 1 + t % 8, third = 1 + t / 8 % 7, count = 0, order[6], turns[6] = {0};
    for (int k = t; k < 81; k += 64) {
        float2 a = place[9 * blockIdx.x + k / 9], b = place[9 * blockIdx.x + k % 9];
        apart[k / 9][k % 9] = sqrtf((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
    }
    __syncthreads();
    third += third >= second;
    for (int k = 1; k < 9; k++)
        if (k != second && k != third)
            order[count++] = k;
    float least = tour_length(apart, second, third, order);
    for (int k = 1; k < 6;) {
        if (turns[k] == k) {
            turns[k++] = 0;
            continue;
        }
        int other = k % 2 == 0 ? 0 : turns[k], kept = order[k];
        order[k] = order[other];
        order[other] = kept;
        least = fminf(least, tour_length(apart, second, third, order));
        turns[k]++;
        k = 1;
    }
    uint32_t best = __reduce_min_sync(ALL, __float_as_uint(least));
    if (t % 32 == 0)
        atomicMin(&shortest[blockIdx.x], best);
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 22, rows = 12288, columns = 6144, atoms = 1 << 17;
    float *x = random_floats(4 * n), *y = zeros(4 * n), *moving = zeros(2 * n);
    double *doubles = filled<double>(2 * n, [](uint32_t i) { return mixed(i) / 4294967296.0; });
    double *to = (double *)y;
    __half *halves =
        filled<__half>(4 * n, [](uint32_t i) { return __float2half((mixed(i) >> 16) / 16384.0f - 2); });
    uint32_t *words = filled<uint32_t>(rows * columns / 4, mixed), *ticket = (uint32_t *)allocated(4);
    float4 *atom =
        filled<float4>(atoms, [](uint32_t i) { /* on a grid of 64 x 64 x 32, a little off */
                                               return make_float4(i % 64 + mixed(i) % 300 / 1000.0f,
                                                                  i / 64 % 64 + mixed(i + 1) % 300 / 1000.0f,
                                                                  i / 4096 + mixed(i + 2) % 300 / 1000.0f, 0);
        });
    uint32_t *list = filled<uint32_t>(
        64 * atoms,
        [=](uint32_t i) { /* of 125 places around, but not its own */
                          uint32_t k = (2 * (i / atoms) + mixed(i) % 2) % 124, at = i % atoms;
                          k += k >= 62;
                          return (at + atoms + (k % 5 - 2) + (k / 5 % 5 - 2) * 64 + (k / 25 - 2) * 4096) %
                                 atoms;
        });
    VALIDATE(binomial_options, 1500, 160, x, y, 1.01f, 0.501f, 0.9999f);
    VALIDATE(philox_normals, 8192, 256, (float4 *)y, 20111);
    VALIDATE(asian_paths, 1500, 96, y, 0.0002f, 0.015f, 100.0f);
    VALIDATE(option_greeks, 8000, 64, doubles, doubles + n, to, to + n / 4, to + n / 2, 0.03, 0.25);
    VALIDATE(columns_times_vector, dim3(64, 16), 64, doubles, doubles, to, 4096, 128);
    VALIDATE(conjugate_step, 264, 512, (float4 *)moving, (float4 *)moving + n / 4, (float4 *)x,
             (float4 *)x + n / 4, 0.01f, y, ticket, n / 4);
    VALIDATE(bias_gelu, 8192, 256, (uint4 *)halves, (uint4 *)halves, (uint4 *)y, 128);
    VALIDATE(quantised_matvec, rows / 4, 128, (int4 *)words, (int4 *)words, x, y, columns / 16);
    VALIDATE(lorenz_orbits, 99, 32, x, (float3 *)y, 0.005f, 1000);
    VALIDATE(pair_forces, atoms / 128, 128, atom, list, (float4 *)y, atoms, 6.0f);
    VALIDATE(shortest_tours, 132, 64, (float2 *)x, words);
    return 0;
}
