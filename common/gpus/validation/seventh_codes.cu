/* seventh_codes.cu: hashes, parities, bytes in planes, paths, routes, a store's sales, sketches, genes and molecules. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu

__constant__ uint64_t keccak_rounds[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b,
    0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088,
    0x0000000080008009, 0x000000008000000a, 0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
    0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};

static __device__ uint64_t turned(uint64_t x, int by) {
    return x << by | x >> (64 - by);
}

/* A round of Keccak's on its 25 words; only the constant differs from round to round. */
static __device__ void keccak_round(uint64_t a[25], uint64_t constant) {
    const int turns[24] = {1,  3,  6,  10, 15, 21, 28, 36, 45, 55, 2,  14,
                           27, 41, 56, 8,  25, 43, 62, 18, 39, 61, 20, 44};
    const int lanes[24] = {10, 7,  11, 17, 18, 3, 5,  16, 8,  21, 24, 4,
                           15, 23, 19, 13, 12, 2, 20, 14, 22, 9,  6,  1};
    uint64_t c[5];
#pragma unroll
    for (int k = 0; k < 5; k++)
        c[k] = a[k] ^ a[k + 5] ^ a[k + 10] ^ a[k + 15] ^ a[k + 20];
#pragma unroll
    for (int k = 0; k < 25; k++)
        a[k] ^= c[(k + 4) % 5] ^ turned(c[(k + 1) % 5], 1);
    uint64_t last = a[1];
#pragma unroll
    for (int k = 0; k < 24; k++) {
        uint64_t its = a[lanes[k]];
        a[lanes[k]] = turned(last, turns[k]);
        last = its;
    }
#pragma unroll
    for (int row = 0; row < 25; row += 5) {
#pragma unroll
        for (int k = 0; k < 5; k++)
            c[k] = a[row + k];
#pragma unroll
        for (int k = 0; k < 5; k++)
            a[row + k] = c[k] ^ (~c[(k + 1) % 5] & c[(k + 2) % 5]);
    }
    a[0] ^= constant;
}

/* SHA-3 of many messages of 64 bytes: the sponge's 25 words in registers, 24 rounds. */
KERNEL keccak_sponge(const uint64_t *message, uint64_t *digest, int n) {
    int i = INDEX;
    if (i >= n)
        return;
    uint64_t a[25] = {};
    for (int k = 0; k < 8; k++)
        a[k] = message[(size_t)i * 8 + k];
    a[8] = 6;
    a[16] = 0x8000000000000000u;
#pragma unroll 1
    for (int round = 0; round < 24; round++)
        keccak_round(a, keccak_rounds[round]);
    for (int k = 0; k < 4; k++)
        digest[(size_t)k * n + i] = a[k];
}

static __device__ uint8_t field_product(uint32_t a, uint32_t b) {
    uint32_t product = 0;
    for (; b != 0; b >>= 1) {
        product ^= b & 1 ? a : 0;
        a = a << 1 ^ (a & 0x80 ? 0x11d : 0);
    }
    return (uint8_t)product;
}

/* Three disks that can be lost, made of eight: products of bytes by tables of half bytes in shared memory. */
KERNEL erasure_parity(const uint32_t *__restrict__ data, const uint8_t *factor, uint32_t *parity, int words) {
    __shared__ uint8_t table[24][32];
    for (int k = threadIdx.x; k < 24 * 32; k += blockDim.x)
        table[k / 32][k % 32] = field_product(factor[k / 32], k % 32 < 16 ? k % 32 : (k % 32 - 16) << 4);
    __syncthreads();
    int i = INDEX;
    if (i >= words)
        return;
    uint32_t sum[3] = {};
    for (int disk = 0; disk < 8; disk++) {
        uint32_t word = data[(size_t)disk * words + i];
        for (int byte = 0; byte < 32; byte += 8) {
            uint32_t low = word >> byte & 15, high = 16 + (word >> (byte + 4) & 15);
#pragma unroll
            for (int k = 0; k < 3; k++)
                sum[k] ^= (uint32_t)(table[8 * k + disk][low] ^ table[8 * k + disk][high]) << byte;
        }
    }
    for (int k = 0; k < 3; k++)
        parity[(size_t)k * words + i] = sum[k];
}

/* What comes before packing of numbers: all their first bytes, then all second ones, and so on; four numbers a thread. */
KERNEL bytes_shuffled(const uint4 *x, uint32_t *y, int fours) {
    for (int i = INDEX; i < fours; i += gridDim.x * blockDim.x) {
        uint4 v = x[i];
        uint32_t a = __byte_perm(v.x, v.y, 0x5140), b = __byte_perm(v.z, v.w, 0x5140);
        uint32_t c = __byte_perm(v.x, v.y, 0x7362), d = __byte_perm(v.z, v.w, 0x7362);
        y[i] = __byte_perm(a, b, 0x5410);
        y[(size_t)fours + i] = __byte_perm(a, b, 0x7632);
        y[2 * (size_t)fours + i] = __byte_perm(c, d, 0x5410);
        y[3 * (size_t)fours + i] = __byte_perm(c, d, 0x7632);
    }
}

/* A round of Bellman and Ford: each edge of a graph tries to shorten the way to its end. */
KERNEL edges_relaxed(const uint32_t *from, const uint32_t *to, const uint32_t *length,
                     const uint32_t *__restrict__ distance, uint32_t *next, int *changed, int edges) {
    int i = INDEX;
    if (i >= edges)
        return;
    uint32_t start = distance[from[i]], end = to[i];
    if (start == 0xffffffffu)
        return;
    uint32_t way = start + length[i];
    if (way < distance[end]) {
        atomicMin(&next[end], way);
        *changed = 1;
    }
}

/* Where packets go: the first 24 bits of an address find a hop, or a table for the last eight. Four addresses a thread. */
KERNEL routes_found(const uint4 *address, const uint16_t *__restrict__ first,
                    const uint8_t *__restrict__ second, uchar4 *hop, uint32_t *dropped, int fours) {
    int i = INDEX;
    if (i >= fours)
        return;
    uint4 v = address[i];
    uint32_t a[4] = {v.x, v.y, v.z, v.w};
    uint8_t way[4];
    int lost = 0;
    for (int k = 0; k < 4; k++) {
        uint32_t entry = first[a[k] >> 8];
        if (entry & 0x8000)
            entry = second[(entry & 0x7fff) << 8 | (a[k] & 255)];
        lost += entry == 0;
        way[k] = (uint8_t)entry;
    }
    hop[i] = make_uchar4(way[0], way[1], way[2], way[3]);
    if (lost)
        atomicAdd(dropped, lost);
}

/* Sales by year and brand: two tables are joined by arrays, what they let through is summed in groups. */
KERNEL star_join(const uint32_t *supplier, const uint32_t *part, const uint16_t *date,
                 const uint32_t *revenue, const uint8_t *__restrict__ region,
                 const uint16_t *__restrict__ brand, const uint8_t *__restrict__ year,
                 unsigned long long *group, int n) {
    for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) {
        if (region[supplier[i]] != 1)
            continue;
        uint32_t its = brand[part[i]];
        if (its / 40 % 5 != 2)
            continue;
        atomicAdd(&group[year[date[i]] * 1000 + its], (unsigned long long)revenue[i]);
    }
}

/* How many different keys there are: the most leading zeros of hashes in each of 2048 lots, first in shared memory. */
KERNEL hyperloglog(const uint64_t *keys, int *most, int n) {
    __shared__ int its[2048];
    for (int k = threadIdx.x; k < 2048; k += blockDim.x)
        its[k] = 0;
    __syncthreads();
    for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) {
        uint64_t h = keys[i];
        h = (h ^ h >> 33) * 0xff51afd7ed558ccdu;
        h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53u;
        h ^= h >> 33;
        int zeros = __clzll((long long)(h << 11 | 1024)) + 1;
        if (its[h >> 53] < zeros)
            atomicMax(&its[h >> 53], zeros);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 2048; k += blockDim.x)
        if (its[k] > 0)
            atomicMax(&most[k], its[k]);
}

/* How likely a read comes from a gene: a warp a pair, four letters of the read a lane, a column a step. */
KERNEL pair_hmm(const uint8_t *reads, const float *error, const uint8_t *genes, float *result, int length) {
    int pair = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    const uint8_t *gene = genes + pair / 4 * length;
    float match[4] = {}, insert[4] = {}, remove[4] = {}, wrong[4];
    float start = 1e30f / length, sum = 0, before_m = 0, before_i = 0, before_d = lane == 0 ? start : 0;
    uint8_t letter[4];
    for (int k = 0; k < 4; k++) {
        letter[k] = reads[pair * 128 + 4 * lane + k];
        wrong[k] = 0.01f + 0.05f * error[pair * 128 + 4 * lane + k];
    }
    for (int step = 0; step < length + 31; step++) {
        float up_m = __shfl_up_sync(ALL, match[3], 1), up_i = __shfl_up_sync(ALL, insert[3], 1);
        float up_d = __shfl_up_sync(ALL, remove[3], 1);
        if (lane == 0)
            up_m = up_i = 0, up_d = start;
        int column = step - lane;
        if (column >= 0 && column < length) {
            uint8_t its = gene[column];
            float over_m = before_m, over_i = before_i, over_d = before_d;
            float above_m = up_m, above_i = up_i;
            for (int k = 0; k < 4; k++) {
                float old_m = match[k], old_i = insert[k], old_d = remove[k];
                float fits = its == letter[k] ? 1 - wrong[k] : wrong[k] / 3;
                match[k] = fits * (0.98f * over_m + 0.9f * (over_i + over_d));
                insert[k] = 0.01f * above_m + 0.1f * above_i;
                remove[k] = 0.01f * old_m + 0.1f * old_d;
                over_m = old_m, over_i = old_i, over_d = old_d;
                above_m = match[k], above_i = insert[k];
            }
            sum += match[3] + insert[3];
        }
        before_m = up_m, before_i = up_i, before_d = up_d;
    }
    if (lane == 31)
        result[pair] = log10f(sum) - 30;
}

/* The least hash of ten words of fifteen letters each, at every place of a genome: letters in shared memory, then hashes. */
KERNEL minimizers(const uint8_t *letters, uint32_t *least, int *places, int n) {
    __shared__ uint8_t near[320];
    __shared__ uint32_t hashes[288];
    int first = blockIdx.x * 256, t = threadIdx.x;
    for (int k = t; k < 280; k += 256)
        near[k] = first + k < n ? letters[first + k] & 3 : 0;
    __syncthreads();
    for (int k = t; k < 265; k += 256) {
        uint32_t word = 0, other = 0;
#pragma unroll
        for (int m = 0; m < 15; m++) {
            word = word << 2 | near[k + m];
            other |= (uint32_t)(3 - near[k + m]) << 2 * m;
        }
        hashes[k] = mixed(min(word, other));
    }
    __syncthreads();
    uint32_t best = hashes[t];
    int place = 0;
    for (int k = 1; k < 10; k++)
        if (hashes[t + k] < best)
            best = hashes[t + k], place = k;
    if (first + t < n) {
        least[first + t] = best;
        places[first + t] = first + t + place;
    }
}

/* How alike molecules are: bits that both have among bits that one has, of all pairs; 1024 bits each, tiles of 16. */
KERNEL tanimoto_pairs(const uint32_t *__restrict__ bits, float *alike, int n) {
    __shared__ uint32_t mine[16][33], other[16][33];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16, column = blockIdx.x * 16;
    for (int k = tx; k < 32; k += 16) {
        mine[ty][k] = bits[(row + ty) * 32 + k];
        other[ty][k] = bits[(column + ty) * 32 + k];
    }
    __syncthreads();
    int both = 0, any = 0;
#pragma unroll 8
    for (int k = 0; k < 32; k++) {
        both += __popc(mine[ty][k] & other[tx][k]);
        any += __popc(mine[ty][k] | other[tx][k]);
    }
    alike[(size_t)(row + ty) * n + column + tx] = any ? (float)both / any : 1.0f;
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 25, messages = 1 << 16, disk = 1 << 19, edges = 1 << 22, nodes = 500000,
              sales = 10000000;
    const int packets = 1 << 23, keys = 8000000, pairs = 1024, letters = 6000000, molecules = 1920;
    uint32_t *words = filled<uint32_t>(n, [](uint32_t i) { return mixed(i + 5); });
    uint32_t *y = (uint32_t *)allocated((size_t)n * 4), *counts = (uint32_t *)allocated(1 << 20);
    float *chance = random_floats(pairs * 128);
    uint8_t *factor = filled<uint8_t>(24, [](uint32_t i) { return 1 + mixed(i) % 255; });
    uint32_t *from = random_words(edges, nodes);
    uint32_t *to = filled<uint32_t>(edges, [](uint32_t i) { return mixed(i + 9999999) % nodes; });
    uint32_t *length = filled<uint32_t>(edges, [](uint32_t i) { return 1 + mixed(i * 3) % 100; });
    uint32_t *distance = filled<uint32_t>(
        nodes, [](uint32_t i) { return mixed(i) % 4 == 0 ? 0xffffffffu : mixed(i + 4) % 300; });
    uint32_t *next = filled<uint32_t>(
        nodes, [](uint32_t i) { return mixed(i) % 4 == 0 ? 0xffffffffu : mixed(i + 4) % 300; });
    /* One entry in sixteen has a table of its own. */
    uint16_t *first = filled<uint16_t>(1 << 24, [](uint32_t i) {
        return mixed(i / 64) % 16 == 0 ? 0x8000 | mixed(i) % 2048 : mixed(i / 256) % 256;
    });
    uint8_t *second = filled<uint8_t>(2048 << 8, [](uint32_t i) { return mixed(i / 8) % 256; });
    uint32_t *supplier = random_words(sales, 20000);
    uint32_t *part = filled<uint32_t>(sales, [](uint32_t i) { return mixed(i + 3000000000u) % 200000; });
    uint16_t *date = filled<uint16_t>(sales, [](uint32_t i) { return mixed(i * 7) % 2556; });
    uint8_t *region = filled<uint8_t>(20000, [](uint32_t i) { return mixed(i) % 5; });
    uint16_t *brand = filled<uint16_t>(200000, [](uint32_t i) { return mixed(i) % 1000; });
    uint8_t *year = filled<uint8_t>(2556, [](uint32_t i) { return i / 366; });
    uint8_t *genes = filled<uint8_t>(pairs * 256, [](uint32_t i) { return mixed(i) % 4; });
    /* Reads are pieces of their genes, with a wrong letter now and then. */
    uint8_t *reads = filled<uint8_t>(pairs * 128, [](uint32_t i) {
        uint32_t pair = i / 128, at = pair / 4 * 200 + pair % 4 * 17 + i % 128;
        return mixed(i) % 37 == 0 ? mixed(i + 1) % 4 : mixed(at) % 4;
    });
    VALIDATE(keccak_sponge, messages / 128, 128, (uint64_t *)words, (uint64_t *)y, messages);
    VALIDATE(erasure_parity, disk / 256, 256, words, factor, y, disk);
    VALIDATE(bytes_shuffled, 2640, 256, (uint4 *)words, y, n / 4);
    VALIDATE(edges_relaxed, edges / 512, 512, from, to, length, distance, next, (int *)counts, edges);
    VALIDATE(routes_found, packets / 4 / 256, 256, (uint4 *)words, first, second, (uchar4 *)y, counts + 1,
             packets / 4);
    VALIDATE(star_join, 1056, 256, supplier, part, date, words, region, brand, year,
             (unsigned long long *)counts + 1024, sales);
    VALIDATE(hyperloglog, 396, 512, (uint64_t *)words, (int *)counts + 131072, keys);
    VALIDATE(pair_hmm, pairs / 4, 128, reads, chance, genes, (float *)y, 200);
    VALIDATE(minimizers, (letters + 255) / 256, 256, (uint8_t *)words, y, (int *)y + letters, letters);
    VALIDATE(tanimoto_pairs, dim3(molecules / 16, molecules / 16), dim3(16, 16), words, (float *)y,
             molecules);
    return 0;
}
