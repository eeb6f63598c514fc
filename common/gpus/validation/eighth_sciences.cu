/* eighth_sciences.cu: ciphers, drugs, quantum gates, genomes and their trees, sets, electrons, rays of neutrons, elements. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu

static __device__ void quarter_round(uint32_t &a, uint32_t &b, uint32_t &c, uint32_t &d) {
    a += b, d ^= a, d = d << 16 | d >> 16;
    c += d, b ^= c, b = b << 12 | b >> 20;
    a += b, d ^= a, d = d << 8 | d >> 24;
    c += d, b ^= c, b = b << 7 | b >> 25;
}

/* A text under ChaCha20: a thread 64 bytes, twenty rounds in registers. */
KERNEL chacha_stream(const uint4 *plain, const uint32_t *key, uint4 *cipher, int blocks) {
    int i = INDEX;
    if (i >= blocks)
        return;
    uint32_t first[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}, s[16];
    for (int k = 0; k < 11; k++)
        first[k + 4 + (k >= 8)] = key[k];
    first[12] = i;
    for (int k = 0; k < 16; k++)
        s[k] = first[k];
    for (int round = 0; round < 10; round++) {
        for (int k = 0; k < 4; k++)
            quarter_round(s[k], s[k + 4], s[k + 8], s[k + 12]);
        for (int k = 0; k < 4; k++)
            quarter_round(s[k], s[4 + (k + 1) % 4], s[8 + (k + 2) % 4], s[12 + (k + 3) % 4]);
    }
    for (int k = 0; k < 4; k++) {
        uint4 v = plain[(size_t)i * 4 + k];
        v.x ^= s[4 * k] + first[4 * k], v.y ^= s[4 * k + 1] + first[4 * k + 1];
        v.z ^= s[4 * k + 2] + first[4 * k + 2], v.w ^= s[4 * k + 3] + first[4 * k + 3];
        cipher[(size_t)i * 4 + k] = v;
    }
}

/* How well a drug sits in a protein, a thread a pose: its atoms turned, then all pairs; kinds give radius, charge and
 * how much it likes water. */
KERNEL poses_scored(const float4 *protein, const float4 *drug, const float4 *kinds, const float *pose,
                    float *energy, int poses, int atoms, int drug_atoms) {
    __shared__ float4 kind[32];
    int i = INDEX;
    if (threadIdx.x < 32)
        kind[threadIdx.x] = kinds[threadIdx.x];
    __syncthreads();
    float sa, ca, sb, cb, sc, cc, sum = 0;
    sincosf(6.2831853f * pose[i], &sa, &ca);
    sincosf(6.2831853f * pose[poses + i], &sb, &cb);
    sincosf(6.2831853f * pose[2 * poses + i], &sc, &cc);
    for (int m = 0; m < drug_atoms; m++) {
        float4 d = drug[m], mine = kind[__float_as_int(d.w)];
        float x = cb * cc * d.x + (sa * sb * cc - ca * sc) * d.y + (ca * sb * cc + sa * sc) * d.z;
        float y = cb * sc * d.x + (sa * sb * sc + ca * cc) * d.y + (ca * sb * sc - sa * cc) * d.z;
        float z = -sb * d.x + sa * cb * d.y + ca * cb * d.z;
        x += 8 * pose[3 * poses + i], y += 8 * pose[4 * poses + i], z += 8 * pose[5 * poses + i];
        for (int k = 0; k < atoms; k++) {
            float4 p = protein[k], its = kind[__float_as_int(p.w)];
            float a = x - p.x, b = y - p.y, c = z - p.z, far = sqrtf(a * a + b * b + c * c);
            float touch = mine.x + its.x, gap = far - touch;
            sum += gap < 0 ? 38.0f * (1 - far / touch) : 0.0f;
            sum += gap < 4.0f ? mine.y * its.y * (1 - fmaxf(gap, 0.0f) * 0.25f) : 0.0f;
            if (mine.z * its.z < 0 && gap < 2.5f)
                sum += fabsf(mine.z - its.z) * (gap < 0 ? 1 : 1 - gap * 0.4f);
        }
    }
    energy[i] = 0.5f * sum;
}

/* A gate on two of a quantum computer's bits: a turn of the second where the first is set; a pair of amplitudes a thread. */
KERNEL gate_turns(float2 *amplitude, int bit, int control, float angle, int pairs) {
    int i = INDEX;
    if (i >= pairs)
        return;
    int low = i & ((1 << bit) - 1), at = (i >> bit << (bit + 1)) | low;
    if (!(at >> control & 1))
        return;
    float s, c;
    sincosf(0.5f * angle, &s, &c);
    float2 a = amplitude[at], b = amplitude[at | 1 << bit];
    amplitude[at] = make_float2(c * a.x + s * b.y, c * a.y - s * b.x);
    amplitude[at | 1 << bit] = make_float2(c * b.x + s * a.y, c * b.y - s * a.x);
}

/* How often a letter comes before a place: a count each 64 letters, and bits of the letters in two planes. */
static __device__ uint32_t come_before(const uint4 *index, uint32_t at, int letter) {
    uint4 counts = index[at / 64 * 2], bits = index[at / 64 * 2 + 1];
    uint32_t low0 = letter & 1 ? bits.x : ~bits.x, low1 = letter & 1 ? bits.y : ~bits.y;
    uint32_t high0 = letter & 2 ? bits.z : ~bits.z, high1 = letter & 2 ? bits.w : ~bits.w;
    uint64_t hits = (uint64_t)(low1 & high1) << 32 | (low0 & high0);
    uint32_t count = letter == 0 ? counts.x : letter == 1 ? counts.y : letter == 2 ? counts.z : counts.w;
    return count + __popcll(hits & ((1ull << at % 64) - 1));
}

/* Reads are looked up in a genome's index, letter by letter from behind, until none is left: how far, and how many there
 * were. */
KERNEL reads_found(const uint4 *index, const uint4 start, const uint64_t *reads, uint2 *found, int n,
                   uint32_t size) {
    int i = INDEX, length = 0;
    if (i >= n)
        return;
    uint64_t read = reads[i];
    uint32_t from = 0, to = size, last = size;
    for (; length < 32; length++, read >>= 2) {
        int letter = read & 3;
        uint32_t base = letter == 0 ? start.x : letter == 1 ? start.y : letter == 2 ? start.z : start.w;
        from = base + come_before(index, from, letter);
        to = base + come_before(index, to, letter);
        if (from >= to)
            break;
        last = to - from;
    }
    found[i] = make_uint2(length, last);
}

/* How likely letters are at a fork of a tree of life, from both its branches: four rates a site, 4 x 4 odds each. */
KERNEL forks_weighed(const float4 *left, const float4 *right, const float *odds, float4 *fork, int *scaled,
                     int n) {
    __shared__ float matrix[2][4][16];
    if (threadIdx.x < 128)
        matrix[threadIdx.x / 64][threadIdx.x / 16 % 4][threadIdx.x % 16] = odds[threadIdx.x];
    __syncthreads();
    int i = INDEX, rate = i % 4;
    if (i >= n)
        return;
    float4 a = left[i], b = right[i];
    float it[4], most = 0;
    for (int k = 0; k < 4; k++) {
        const float *p = &matrix[0][rate][4 * k], *q = &matrix[1][rate][4 * k];
        it[k] = (p[0] * a.x + p[1] * a.y + p[2] * a.z + p[3] * a.w) *
                (q[0] * b.x + q[1] * b.y + q[2] * b.z + q[3] * b.w);
        most = fmaxf(most, it[k]);
    }
    most = fmaxf(most, __shfl_xor_sync(ALL, most, 1));
    most = fmaxf(most, __shfl_xor_sync(ALL, most, 2));
    float by = most < 0.01f ? 1024.0f : 1.0f;
    fork[i] = make_float4(by * it[0], by * it[1], by * it[2], by * it[3]);
    if (rate == 0 && most < 0.01f)
        scaled[i / 4]++;
}

/* How many letters of a strand of RNA can pair when it folds, after Nussinov: a block a strand, slants of a table in
 * shared memory. */
KERNEL strands_folded(const uint8_t *letters, int *pairs) {
    __shared__ uint8_t best[112][113], its[112];
    int t = threadIdx.x;
    if (t < 112)
        its[t] = letters[blockIdx.x * 112 + t];
    for (int k = t; k < 112 * 113; k += blockDim.x)
        best[k / 113][k % 113] = 0;
    __syncthreads();
    for (int wide = 4; wide < 112; wide++) {
        int i = t, j = t + wide;
        if (j < 112) {
            int together = its[i] + its[j]; /* A 0, G 1, C 2, U 3: AU, GC and GU pair */
            bool fit = together == 3 || (together == 4 && its[i] != its[j]);
            int most = max(best[i + 1][j], best[i][j - 1]);
            if (fit)
                most = max(most, best[i + 1][j - 1] + 1);
            for (int k = i + 1; k < j; k++)
                most = max(most, best[i][k] + best[k + 1][j]);
            best[i][j] = (uint8_t)most;
        }
        __syncthreads();
    }
    if (t == 0)
        pairs[blockIdx.x] = best[0][111];
}

/* A round of Luby's: a node that is still open joins a set if its lot is the least among its open neighbours'. */
KERNEL lots_drawn(const int *begin, const int *neighbour, const uint8_t *__restrict__ state, uint8_t *next,
                  int *joined, int nodes, uint32_t round) {
    int i = INDEX;
    bool joins = i < nodes && state[i] == 0;
    if (joins) {
        uint32_t own = mixed(i ^ round);
        for (int k = begin[i]; k < begin[i + 1] && joins; k++) {
            int other = neighbour[k];
            uint32_t lot = mixed(other ^ round);
            if (other != i && state[other] == 0 && (lot < own || (lot == own && other < i)))
                joins = false;
        }
    }
    uint32_t vote = __ballot_sync(ALL, joins);
    if (i < nodes)
        next[i] = joins ? 1 : state[i];
    if (threadIdx.x % 32 == 0 && vote != 0)
        atomicAdd(joined, __popc(vote));
}

struct __align__(16) Cloud {
    double x, y, z, narrow;
};

/* How clouds of electrons push each other away: two pairs of Gaussians a thread, in double precision; pairs that are too
 * thin are left out. */
KERNEL clouds_repel(const Cloud *pair, const double *weight, double *repulsion, int pairs, double least) {
    int i = blockIdx.y, j = INDEX;
    if (j >= pairs)
        return;
    double both = weight[i] * weight[j], value = 0;
    if (both >= least) {
        Cloud a = pair[i], b = pair[j];
        double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
        double t = a.narrow * b.narrow / (a.narrow + b.narrow) * (x * x + y * y + z * z);
        double boys = 1 - t / 3 + t * t / 10;
        if (t > 1e-4) {
            double root = sqrt(t);
            boys = 0.886226925452758 * erf(root) / root;
        }
        value = 34.986836655249725 * both * boys / (a.narrow * b.narrow * sqrt(a.narrow + b.narrow));
    }
    repulsion[(size_t)i * pairs + j] = value;
}

/* Neutrons in a box of 16 x 16 x 64 cells along a direction a block: slant by slant, what leaves a cell enters those
 * behind it. */
KERNEL boxes_swept(const float4 *direction, const float *absorbs, const float *source, float *flux,
                   int deep) {
    __shared__ float right[2][17][17], down[2][17][17];
    int x = threadIdx.x, y = threadIdx.y;
    float4 d = direction[blockIdx.x]; /* twice its parts, and its weight */
    bool back_x = blockIdx.x & 1, back_y = blockIdx.x & 2, back_z = blockIdx.x & 4;
    float along = 0;
    right[0][y][x] = right[1][y][x] = down[0][y][x] = down[1][y][x] = 0;
    __syncthreads();
    for (int slant = 0; slant < deep + 30; slant++) {
        int z = slant - x - y, to = slant & 1, from = to ^ 1;
        if (z >= 0 && z < deep) {
            int at = ((back_z ? deep - 1 - z : z) * 16 + (back_y ? 15 - y : y)) * 16 + (back_x ? 15 - x : x);
            float in_x = x > 0 ? right[from][y][x - 1] : 0, in_y = y > 0 ? down[from][y - 1][x] : 0;
            float middle =
                (source[at] + d.x * in_x + d.y * in_y + d.z * along) / (absorbs[at] + d.x + d.y + d.z);
            right[to][y][x] = fmaxf(2 * middle - in_x, 0.0f);
            down[to][y][x] = fmaxf(2 * middle - in_y, 0.0f);
            along = fmaxf(2 * middle - along, 0.0f);
            atomicAdd(&flux[at], d.w * middle);
        }
        __syncthreads();
    }
}

/* Elements of 8 x 8 x 8 points times their matrix, which is never made: slopes in three directions, six figures of the
 * mesh, and slopes again; a block an element, a thread a column. */
extern "C" __global__ void __launch_bounds__(64)
    elements_apply(const double *u, const double *mesh, const double *slopes, double *w) {
    __shared__ double d[8][8], level[8][8], in_x[8][8], in_y[8][8];
    double column[8], result[8] = {};
    int x = threadIdx.x, y = threadIdx.y, t = 8 * y + x;
    size_t element = (size_t)blockIdx.x * 512;
    d[y][x] = slopes[t];
#pragma unroll
    for (int k = 0; k < 8; k++)
        column[k] = u[element + 64 * k + t];
#pragma unroll
    for (int k = 0; k < 8; k++) {
        level[y][x] = column[k];
        __syncthreads();
        double a = 0, b = 0, c = 0, g[6];
        for (int m = 0; m < 8; m++)
            a += d[x][m] * level[y][m], b += d[y][m] * level[m][x];
#pragma unroll
        for (int m = 0; m < 8; m++)
            c += d[k][m] * column[m];
        for (int m = 0; m < 6; m++)
            g[m] = mesh[element * 6 + 512 * m + 64 * k + t];
        in_x[y][x] = g[0] * a + g[1] * b + g[2] * c;
        in_y[y][x] = g[1] * a + g[3] * b + g[4] * c;
        double in_z = g[2] * a + g[4] * b + g[5] * c, sum = 0;
        __syncthreads();
        for (int m = 0; m < 8; m++)
            sum += d[m][x] * in_x[y][m] + d[m][y] * in_y[m][x];
        result[k] += sum;
#pragma unroll
        for (int m = 0; m < 8; m++)
            result[m] += d[k][m] * in_z;
    }
#pragma unroll
    for (int k = 0; k < 8; k++)
        w[element + 64 * k + t] = result[k];
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 23, texts = 200000, atoms = 360, drug_atoms = 12, poses = 8192, states = 1 << 23;
    const int reads = 200000, sites = 300000, strands = 528, nodes = 600000, pairs = 1100, elements = 1400;
    const uint32_t genome = 1 << 24;
    uint32_t *words = filled<uint32_t>(n, [](uint32_t i) { return mixed(i + 5); });
    float *x = random_floats(n), *y = zeros(2 * n);
    float4 *protein = filled<float4>(atoms + drug_atoms, [=](uint32_t i) {
        float wide = i < atoms ? 20.0f : 6.0f;
        uint32_t kind = mixed(i + 4) % 32;
        float4 atom = make_float4(wide * mixed(3 * i) * 2.3e-10f, wide * mixed(3 * i + 1) * 2.3e-10f,
                                  wide * mixed(3 * i + 2) * 2.3e-10f, 0);
        memcpy(&atom.w, &kind, sizeof kind);
        return atom;
    });
    float4 *kinds = filled<float4>(32, [](uint32_t i) {
        return make_float4(1.2f + mixed(i) % 100 * 0.01f, mixed(i + 1) % 100 * 0.02f - 1,
                           mixed(i + 2) % 100 * 0.02f - 1, 0);
    });
    float2 *amplitude = filled<float2>(
        2 * states, [](uint32_t i) { return make_float2(mixed(i) * 1e-13f, mixed(i + 1) * 1e-13f); });
    /* An index of letters by chance: counts of the four before each 64, then the letters' bits. */
    uint4 before = make_uint4(0, 0, 0, 0);
    uint4 *index = filled<uint4>(genome / 64 * 2 + 2, [&](uint32_t i) {
        if (i % 2 == 0)
            return before;
        uint4 bits = make_uint4(mixed(4 * i), mixed(4 * i + 1), mixed(4 * i + 2), mixed(4 * i + 3));
        uint64_t low = (uint64_t)bits.y << 32 | bits.x, high = (uint64_t)bits.w << 32 | bits.z;
        if (i < genome / 32) {
            before.x += __builtin_popcountll(~low & ~high);
            before.y += __builtin_popcountll(low & ~high);
            before.z += __builtin_popcountll(~low & high);
            before.w += __builtin_popcountll(low & high);
        }
        return bits;
    });
    const uint4 start = make_uint4(0, before.x, before.x + before.y, before.x + before.y + before.z);
    uint8_t *letters = filled<uint8_t>(strands * 112, [](uint32_t i) { return mixed(i) % 4; });
    int *begin = filled<int>(nodes + 1, [](uint32_t i) { return i * 10 + mixed(i) % 10; });
    int *neighbour = filled<int>(nodes * 10 + 10, [](uint32_t i) {
        uint32_t near = i / 10 + mixed(i + 1) % 5000, far = mixed(i + 2) % nodes;
        return mixed(i) % 4 ? near % nodes : far;
    });
    uint8_t *state = filled<uint8_t>(nodes, [](uint32_t i) { return mixed(i + 3) % 3 == 0 ? 2 : 0; });
    Cloud *pair = filled<Cloud>(pairs, [](uint32_t i) {
        Cloud p;
        p.x = mixed(i) * 2e-9, p.y = mixed(i + 1) * 2e-9, p.z = mixed(i + 2) * 2e-9,
        p.narrow = 0.3 + mixed(i + 3) * 5e-10;
        return p;
    });
    double *weight =
        filled<double>(pairs, [](uint32_t i) { return exp(-8.0 * (mixed(i * 5) / 4294967296.0)); });
    float4 *direction = filled<float4>(96, [](uint32_t i) {
        float a = 0.1f + mixed(i / 8) % 80 * 0.01f, b = 0.1f + mixed(i / 8 + 50) % 140 * 0.01f,
              s = sqrtf(1 - a * a);
        return make_float4(2 * s * cosf(b), 2 * s * sinf(b), 2 * a, 1.0f / 96);
    });
    double *u = filled<double>(elements * 512, [](uint32_t i) { return mixed(i) / 4294967296.0; });
    double *mesh =
        filled<double>((size_t)elements * 3072, [](uint32_t i) { return mixed(i + 9) / 4294967296.0; });
    int *joined = (int *)allocated(4), *scaled = (int *)allocated(sites * 4);
    float *flux = zeros(16 * 16 * 64);
    VALIDATE(chacha_stream, (texts + 255) / 256, 256, (uint4 *)words, words + 99, (uint4 *)y, texts);
    VALIDATE(poses_scored, poses / 64, 64, protein, protein + atoms, kinds, x, y, poses, atoms, drug_atoms);
    VALIDATE(gate_turns, states / 256, 256, amplitude, 3, 17, 0.7f, states);
    VALIDATE(reads_found, (reads + 127) / 128, 128, index, start, (uint64_t *)words, (uint2 *)y, reads,
             genome);
    VALIDATE(forks_weighed, sites * 4 / 128, 128, (float4 *)x, (float4 *)x + 800000, x, (float4 *)y, scaled,
             sites * 4);
    VALIDATE(strands_folded, strands, 128, letters, (int *)y);
    VALIDATE(lots_drawn, (nodes + 255) / 256, 256, begin, neighbour, state, (uint8_t *)y, joined, nodes, 77u);
    VALIDATE(clouds_repel, dim3((pairs + 127) / 128, pairs), 128, pair, weight, (double *)y, pairs, 1e-5);
    VALIDATE(boxes_swept, 96, dim3(16, 16), direction, x, x + 20000, flux, 64);
    VALIDATE(elements_apply, elements, dim3(8, 8), u, mesh, mesh + 777, (double *)y);
    return 0;
}
