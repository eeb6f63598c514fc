/* fourth_algebra.cu: transforms, rotations, roots, values of matrices, long numbers, tracks and tails. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu

/* Sums and differences of 4096 numbers, after Walsh and Hadamard: 16 a thread, whose numbers lie 256 apart at first; then with
 * the lanes, at last with the other warps, by way of shared memory. */
KERNEL hadamard_rows(const float *x, float *y) {
    __shared__ float line[4096];
    int t = threadIdx.x, lane = t % 32;
    float v[16];
    for (int k = 0; k < 16; k++)
        v[k] = x[blockIdx.x * 4096 + 256 * k + t];
#pragma unroll
    for (int step = 1; step < 16; step *= 2)
#pragma unroll
        for (int k = 0; k < 16; k++)
            if ((k & step) == 0) {
                float a = v[k], b = v[k + step];
                v[k] = a + b, v[k + step] = a - b;
            }
#pragma unroll
    for (int k = 0; k < 16; k++) {
        for (int step = 1; step < 32; step *= 2) {
            float its = __shfl_xor_sync(ALL, v[k], step);
            v[k] = lane & step ? its - v[k] : its + v[k];
        }
        line[256 * k + t] = v[k];
    }
    __syncthreads();
#pragma unroll
    for (int half = 0; half < 2; half++) {
        int at = half * 2048 + t / 32 * 256 + lane;
        for (int k = 0; k < 8; k++)
            v[k] = line[at + 32 * k];
        for (int step = 1; step < 8; step *= 2)
            for (int k = 0; k < 8; k++)
                if ((k & step) == 0) {
                    float a = v[k], b = v[k + step];
                    v[k] = a + b, v[k + step] = a - b;
                }
        for (int k = 0; k < 8; k++)
            y[blockIdx.x * 4096 + at + 32 * k] = v[k] * 0.015625f;
    }
}

/* Matrices of 32 x 32, a warp each, made triangular by Givens: a lane holds a column, and two rows turn until the lower one
 * begins with one zero more. */
KERNEL givens_columns(const float *x, float *y) {
    int matrix = INDEX / 32, lane = threadIdx.x % 32;
    float v[32];
    for (int k = 0; k < 32; k++)
        v[k] = x[matrix * 1024 + 32 * k + lane];
    for (int column = 0; column < 31; column++)
#pragma unroll
        for (int row = 31; row > 0; row--)
            if (row > column) {
                float a = __shfl_sync(ALL, v[row - 1], column), b = __shfl_sync(ALL, v[row], column);
                float by = rsqrtf(a * a + b * b + 1e-20f), c = a * by, s = b * by, above = v[row - 1];
                v[row - 1] = c * above + s * v[row];
                v[row] = c * v[row] - s * above;
            }
    for (int k = 0; k < 32; k++)
        y[matrix * 1024 + 32 * k + lane] = v[k];
}

/* Equations of three diagonals in double precision, a system a thread, 128 unknowns, of which all systems' firsts lie
 * together: down by division, up again. Few threads. */
KERNEL thomas_lines(const double *below, const double *middle, const double *above, const double *right,
                    double *kept, double *x, int systems) {
    int i = INDEX;
    double factor = 0, value = 0;
    for (int k = 0; k < 128; k++) {
        int at = k * systems + i;
        double by = 1 / (4 + middle[at] - below[at] * factor);
        value = (right[at] - below[at] * value) * by;
        factor = above[at] * by;
        kept[at] = factor;
        x[at] = value;
    }
    for (int k = 126; k >= 0; k--) {
        int at = k * systems + i;
        value = x[at] - kept[at] * value;
        x[at] = value;
    }
}

/* What numbers a symmetric matrix of 5 x 5 stretches by, after Jacobi: a matrix a thread, in memory of its own, for which
 * element goes next is known only in the loop. */
KERNEL jacobi_values(const float *x, float *values, int n) {
    float m[5][5];
    for (int k = 0, row = 0; row < 5; row++)
        for (int column = 0; column <= row; column++, k++)
            m[row][column] = m[column][row] = x[k * n + INDEX] - 0.5f;
#pragma unroll 1
    for (int round = 0; round < 5; round++)
#pragma unroll 1
        for (int p = 0; p < 4; p++)
#pragma unroll 1
            for (int q = p + 1; q < 5; q++) {
                float off = m[p][q];
                if (fabsf(off) < 1e-7f)
                    continue;
                float half = (m[q][q] - m[p][p]) / (2 * off);
                float t = copysignf(1 / (fabsf(half) + sqrtf(half * half + 1)), half);
                float c = rsqrtf(t * t + 1), s = t * c;
#pragma unroll 1
                for (int k = 0; k < 5; k++) {
                    float a = m[k][p], b = m[k][q];
                    m[k][p] = c * a - s * b, m[k][q] = s * a + c * b;
                }
#pragma unroll 1
                for (int k = 0; k < 5; k++) {
                    float a = m[p][k], b = m[q][k];
                    m[p][k] = c * a - s * b, m[q][k] = s * a + c * b;
                }
            }
    for (int k = 0; k < 5; k++)
        values[k * n + INDEX] = m[k][k];
}

#define PRIME 0xffffffff00000001ull

/* A product by 2^64 - 2^32 + 1, for which 2^64 is 2^32 - 1, and 2^96 is -1. */
static __device__ uint64_t times(uint64_t a, uint64_t b) {
    uint64_t low = a * b, high = __umul64hi(a, b), top = high >> 32, rest = (high & 0xffffffff) * 0xffffffff;
    uint64_t r = low - top;
    r -= low < top ? 0xffffffff : 0;
    uint64_t sum = r + rest;
    sum += sum < rest ? 0xffffffff : 0;
    return sum >= PRIME ? sum - PRIME : sum;
}

/* Transforms of 1024 numbers that are counted round a prime, a block each, in shared memory; as for long products. */
KERNEL prime_transform(const uint64_t *x, const uint64_t *root, uint64_t *y) {
    __shared__ uint64_t line[1024];
    int t = threadIdx.x;
    for (int k = t; k < 1024; k += 128)
        line[__brev(k) >> 22] = x[blockIdx.x * 1024 + k];
    for (int half = 1; half < 1024; half *= 2) {
        __syncthreads();
#pragma unroll
        for (int k = t; k < 512; k += 128) {
            int off = k & (half - 1), at = 2 * k - off;
            uint64_t a = line[at], b = times(line[at + half], root[half + off]), sum = a + b;
            line[at] = sum < a || sum >= PRIME ? sum - PRIME : sum;
            line[at + half] = a >= b ? a - b : a - b + PRIME;
        }
    }
    __syncthreads();
    for (int k = t; k < 1024; k += 128)
        y[blockIdx.x * 1024 + k] = line[k];
}

/* Numbers of 4096 bits added, a warp each: where a lane's 128 bits run over, and where they are all ones and would if one
 * came, are votes; their sum says who gets one. */
KERNEL carries_by_votes(const ulonglong2 *x, const ulonglong2 *y, ulonglong2 *sums, uint32_t *over) {
    uint32_t lane = threadIdx.x % 32;
    ulonglong2 a = x[INDEX], b = y[INDEX], sum = make_ulonglong2(a.x + b.x, a.y + b.y);
    bool low_over = sum.x < a.x, high_over = sum.y < a.y;
    sum.y += low_over;
    high_over |= low_over && sum.y == 0;
    uint64_t makes = __ballot_sync(ALL, high_over), passes = __ballot_sync(ALL, (sum.x & sum.y) == ~0ull);
    uint64_t carries = ((makes << 1) + passes) ^ passes;
    if (carries >> lane & 1) {
        sum.x++;
        sum.y += sum.x == 0;
    }
    sums[INDEX] = sum;
    if (lane == 0)
        over[INDEX / 32] = (uint32_t)(carries >> 32 & 1);
}

/* A sparse matrix of full blocks of 4 x 4 times a vector: a warp four rows, two blocks at a time. */
KERNEL sparse_blocks(const uint32_t *start, const uint32_t *column, const float *value, const float *x,
                     float *y) {
    int rows = INDEX / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (uint32_t k = start[rows] + lane / 16; k < start[rows + 1]; k += 2)
        sum += value[16 * k + lane % 16] * x[4 * column[k] + lane % 4];
    sum += __shfl_xor_sync(ALL, sum, 1);
    sum += __shfl_xor_sync(ALL, sum, 2);
    sum += __shfl_xor_sync(ALL, sum, 16);
    if (lane < 16 && lane % 4 == 0)
        y[4 * rows + lane / 4] = sum;
}

static __device__ double2 product(double2 a, double2 b) {
    return make_double2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

/* All six roots of polynomials at once, after Durand and Kerner, in complex double precision: a thread each, until none moves
 * any more. */
KERNEL all_roots(const double *factors, double2 *roots, uint32_t *rounds, int n) {
    double f[6], most = 1;
    double2 root[6];
    for (int k = 0; k < 6; k++)
        f[k] = factors[k * n + INDEX] * 4 - 2;
    root[0] = make_double2(1, 0);
    for (int k = 1; k < 6; k++)
        root[k] = product(root[k - 1], make_double2(0.4, 0.9));
    uint32_t round = 0;
    for (; round < 60 && most > 1e-20; round++) {
        most = 0;
#pragma unroll
        for (int k = 0; k < 6; k++) {
            double2 value = make_double2(1, 0), apart = make_double2(1, 0);
            for (int m = 5; m >= 0; m--) {
                value = product(value, root[k]);
                value.x += f[m];
            }
            for (int m = 0; m < 6; m++)
                if (m != k)
                    apart = product(apart, make_double2(root[k].x - root[m].x, root[k].y - root[m].y));
            double by = 1 / (apart.x * apart.x + apart.y * apart.y);
            double2 move = product(value, make_double2(apart.x * by, -apart.y * by));
            root[k].x -= move.x, root[k].y -= move.y;
            most = fmax(most, move.x * move.x + move.y * move.y);
        }
    }
    for (int k = 0; k < 6; k++)
        roots[k * n + INDEX] = root[k];
    rounds[INDEX] = round;
}

/* Where things are and how fast, from what is seen of where they are, after Kalman: six numbers and what is known of each
 * pair of them, a thread a thing; more numbers than registers. */
KERNEL __launch_bounds__(128, 12)
    kalman_tracks(const float *seen, float *state, int n, int times, float noise) {
    float x[6] = {0, 0, 0, 0, 0, 0}, p[6][6];
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++)
            p[a][b] = a == b ? 10 : 0;
    for (int time = 0; time < times; time++) {
        for (int a = 0; a < 3; a++)
            x[a] += 0.1f * x[a + 3];
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 6; b++)
                p[a][b] += 0.1f * p[a + 3][b];
        for (int a = 0; a < 6; a++) {
            for (int b = 0; b < 3; b++)
                p[a][b] += 0.1f * p[a][b + 3];
            p[a][a] += 0.01f;
        }
        for (int m = 0; m < 3; m++) {
            float gain[6], row[6], by = 1 / (p[m][m] + noise),
                                   differ = seen[(3 * time + m) * n + INDEX] - x[m];
            for (int a = 0; a < 6; a++)
                gain[a] = p[a][m] * by, row[a] = p[m][a];
            for (int a = 0; a < 6; a++) {
                x[a] += gain[a] * differ;
                for (int b = 0; b < 6; b++)
                    p[a][b] -= gain[a] * row[b];
            }
        }
    }
    for (int a = 0; a < 6; a++) {
        state[a * n + INDEX] = x[a];
        state[(a + 6) * n + INDEX] = p[a][a];
    }
}

/* How likely fewer things happen than were seen: a gamma function that is not whole, by a series below its middle and by a
 * fraction of fractions above, until nothing changes. */
KERNEL poisson_tails(const float *expected, const float *seen, float *likely) {
    float x = 0.05f + 40 * expected[INDEX], a = 0.5f + 30 * seen[INDEX], result;
    float front = expf(a * logf(x) - x - lgammaf(a));
    if (x < a + 1) {
        float term = 1 / a, sum = term, next = a;
        for (int k = 0; k < 100 && term > 1e-7f * sum; k++) {
            next += 1;
            term *= x / next;
            sum += term;
        }
        result = 1 - front * sum;
    } else {
        float b = x + 1 - a, c = 1e30f, d = 1 / b, h = d, change = 0;
        for (int k = 1; k < 100 && fabsf(change - 1) > 1e-6f; k++) {
            float by = -k * (k - a);
            b += 2;
            d = 1 / (by * d + b);
            c = b + by / c;
            change = d * c;
            h *= change;
        }
        result = front * h;
    }
    likely[INDEX] = result;
}

/* The same product on the host, slowly: by doubling. */
static uint64_t slow_product(uint64_t a, uint64_t b) {
    uint64_t sum = 0;
    for (; b != 0; b >>= 1) {
        if (b & 1)
            sum = sum >= PRIME - a ? sum - (PRIME - a) : sum + a;
        a = a >= PRIME - a ? a - (PRIME - a) : a + a;
    }
    return sum;
}

static uint64_t slow_power(uint64_t a, uint64_t exponent) {
    uint64_t result = 1;
    for (; exponent != 0; exponent >>= 1, a = slow_product(a, a))
        result = exponent & 1 ? slow_product(result, a) : result;
    return result;
}

/* Blocks in four rows of the sparse matrix. */
static uint32_t blocks_of(uint32_t rows) {
    return 8 + mixed(rows) % 24;
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 22, rows = 1 << 16, systems = 8192, polynomials = 528 * 96, tracks = 1 << 15;
    float *x = random_floats(4 * n), *y = zeros(6 * n);
    double *doubles =
        filled<double>(4 * systems * 128, [](uint32_t i) { return (mixed(i) + 0.5) / 4294967296.0; });
    /* powers of a number whose 1024th is one: behind `half` those for that half */
    uint64_t power = 0, step = 0;
    uint64_t *root = filled<uint64_t>(1024, [&](uint32_t i) {
        if ((i & (i - 1)) == 0) {
            power = 1;
            step = slow_power(7, (PRIME - 1) / (2 * (i == 0 ? 1 : i)));
        } else
            power = slow_product(power, step);
        return power;
    });
    uint64_t *numbers = filled<uint64_t>(
        1024 * 1320, [](uint32_t i) { return (uint64_t)(mixed(i) % PRIME) << 31 | mixed(i + 9); });
    /* numbers of 4096 bits, with stretches of ones that carries run through */
    ulonglong2 *wide = filled<ulonglong2>(n / 2, [](uint32_t i) {
        return make_ulonglong2(mixed(i) % 3 ? ~0ull : (uint64_t)mixed(i + 1) << 32 | mixed(i + 2),
                               mixed(i) % 4 ? ~0ull : (uint64_t)mixed(i + 3) << 32 | mixed(i + 4));
    });
    ulonglong2 *other = filled<ulonglong2>(n / 2, [](uint32_t i) {
        return make_ulonglong2(mixed(i + 5) % 8 ? 0 : mixed(i + 6), mixed(i + 7) % 16 ? 0 : mixed(i + 8));
    });
    uint32_t blocks = 0;
    uint32_t *start = filled<uint32_t>(rows + 1, [&](uint32_t i) {
        uint32_t first = blocks;
        blocks += i < rows ? blocks_of(i) : 0;
        return first;
    });
    uint32_t *column = random_words(blocks, rows);
    float *values = random_floats(16 * (size_t)blocks);
    VALIDATE(hadamard_rows, 4096, 256, x, y);
    VALIDATE(givens_columns, 1056, 64, x, y);
    VALIDATE(thomas_lines, systems / 32, 32, doubles, doubles + systems * 128, doubles + 2 * systems * 128,
             doubles + 3 * systems * 128, (double *)y, (double *)y + n / 2, systems);
    VALIDATE(jacobi_values, 341, 96, x, y, 341 * 96);
    VALIDATE(prime_transform, 1320, 128, numbers, root, (uint64_t *)y);
    VALIDATE(carries_by_votes, n / 2 / 224, 224, wide, other, (ulonglong2 *)y, (uint32_t *)y + 5 * n);
    VALIDATE(sparse_blocks, rows / 4, 128, start, column, values, x, y);
    VALIDATE(all_roots, polynomials / 96, 96, doubles, (double2 *)y, (uint32_t *)y + n, polynomials);
    VALIDATE(kalman_tracks, tracks / 128, 128, x, y, tracks, 64, 0.1f);
    VALIDATE(poisson_tails, n / 8 / 64, 64, x, x + n, y);
    return 0;
}
