/* third_codes.cu: digests, ciphers, check sums, texts and numbers: integers, bytes and tables. */
#include "validation.h"

#include <math.h>

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu

static __device__ uint32_t rotated(uint32_t x, int by) {
    return __funnelshift_r(x, x, by);
}

__constant__ uint32_t round_constants[64];

/* SHA-256 of one block of 64 bytes a thread, all rounds written out. */
KERNEL sha256_blocks(const uint4 *message, uint32_t *digest, int n) {
    const uint32_t begin[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    uint32_t w[16], s[8];
    int i = INDEX;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        uint4 v = message[4 * i + k];
        w[4 * k] = __byte_perm(v.x, 0, 0x0123), w[4 * k + 1] = __byte_perm(v.y, 0, 0x0123);
        w[4 * k + 2] = __byte_perm(v.z, 0, 0x0123), w[4 * k + 3] = __byte_perm(v.w, 0, 0x0123);
    }
#pragma unroll
    for (int k = 0; k < 8; k++)
        s[k] = begin[k];
#pragma unroll
    for (int k = 0; k < 64; k++) {
        if (k >= 16) {
            uint32_t early = w[(k + 1) & 15], late = w[(k + 14) & 15];
            w[k & 15] += w[(k + 9) & 15] + (rotated(early, 7) ^ rotated(early, 18) ^ early >> 3) +
                         (rotated(late, 17) ^ rotated(late, 19) ^ late >> 10);
        }
        uint32_t a = s[0], e = s[4];
        uint32_t add = s[7] + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & s[5]) ^ (~e & s[6])) +
                       round_constants[k] + w[k & 15];
        uint32_t top =
            (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        s[7] = s[6], s[6] = s[5], s[5] = e, s[4] = s[3] + add;
        s[3] = s[2], s[2] = s[1], s[1] = a, s[0] = add + top;
    }
#pragma unroll
    for (int k = 0; k < 8; k++)
        digest[k * n + i] = s[k] + begin[k];
}

__constant__ uint32_t round_keys[44];

/* AES with keys of 128 bits, by one table of 256 words in shared memory; a thread does several blocks of 16 bytes. */
KERNEL aes_rounds(const uint4 *plain, uint4 *cipher, const uint32_t *table, int n) {
    __shared__ uint32_t mixing[256];
    mixing[threadIdx.x] = table[threadIdx.x];
    __syncthreads();
    for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) {
        uint4 v = plain[i];
        uint32_t s[4] = {v.x ^ round_keys[0], v.y ^ round_keys[1], v.z ^ round_keys[2], v.w ^ round_keys[3]},
                 t[4];
        for (int round = 1; round < 10; round++) {
#pragma unroll
            for (int k = 0; k < 4; k++)
                t[k] = mixing[s[k] & 255] ^ rotated(mixing[s[(k + 1) & 3] >> 8 & 255], 24) ^
                       rotated(mixing[s[(k + 2) & 3] >> 16 & 255], 16) ^
                       rotated(mixing[s[(k + 3) & 3] >> 24], 8) ^ round_keys[4 * round + k];
#pragma unroll
            for (int k = 0; k < 4; k++)
                s[k] = t[k];
        }
#pragma unroll
        for (int k = 0; k < 4; k++) /* the second byte of an entry is the plain substitute */
            t[k] = (mixing[s[k] & 255] >> 8 & 255) | (mixing[s[(k + 1) & 3] >> 8 & 255] & 0xff00) |
                   (mixing[s[(k + 2) & 3] >> 16 & 255] << 8 & 0xff0000) |
                   (mixing[s[(k + 3) & 3] >> 24] << 16 & 0xff000000);
        cipher[i] = make_uint4(t[0] ^ round_keys[40], t[1] ^ round_keys[41], t[2] ^ round_keys[42],
                               t[3] ^ round_keys[43]);
    }
}

/* CRC-32 of a record of 256 bytes a thread, four bytes at a time, by four tables in global memory. */
KERNEL crc32_slices(const uint4 *records, const uint32_t *tables, uint32_t *sums) {
    const uint4 *record = records + 16 * INDEX;
    uint32_t sum = ALL;
    for (int k = 0; k < 16; k++) {
        uint4 v = record[k];
        uint32_t words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int m = 0; m < 4; m++) {
            sum ^= words[m];
            sum = tables[768 + (sum & 255)] ^ tables[512 + (sum >> 8 & 255)] ^
                  tables[256 + (sum >> 16 & 255)] ^ tables[sum >> 24];
        }
    }
    sums[INDEX] = ~sum;
}

__constant__ char alphabet[64];

/* Three bytes become four letters. */
KERNEL base64_encode(const uint8_t *bytes, uchar4 *letters) {
    int i = INDEX;
    uint32_t group = bytes[3 * i] << 16 | bytes[3 * i + 1] << 8 | bytes[3 * i + 2];
    letters[i] = make_uchar4(alphabet[group >> 18], alphabet[group >> 12 & 63], alphabet[group >> 6 & 63],
                             alphabet[group & 63]);
}

/* Lines, words and letters of a text, sixteen bytes a load, four bytes an operation. Few blocks, which stay. */
KERNEL word_counts(const uint4 *text, uint32_t *counts, int n) {
    uint32_t lines = 0, words = 0, letters = 0;
    int lane = threadIdx.x % 32;
    for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) {
        uint4 v = text[i];
        uint32_t parts[4] = {v.x, v.y, v.z, v.w};
        uint32_t before = __shfl_up_sync(ALL, v.w, 1);
        if (lane == 0)
            before = i > 0 ? text[i - 1].w : ' ' << 24;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            uint32_t shifted = __funnelshift_l(before, parts[k], 8);
            uint32_t blank = __vcmpleu4(parts[k], 0x20202020), blank_before = __vcmpleu4(shifted, 0x20202020);
            lines += __popc(__vcmpeq4(parts[k], 0x0a0a0a0a)) / 8;
            words += __popc(blank_before & ~blank) / 8;
            letters += __popc(~blank) / 8;
            before = parts[k];
        }
    }
    lines = __reduce_add_sync(ALL, lines);
    words = __reduce_add_sync(ALL, words);
    letters = __reduce_add_sync(ALL, letters);
    if (lane < 3)
        atomicAdd(&counts[lane], lane == 0 ? lines : lane == 1 ? words : letters);
}

/* Where a text may hold a word of 16 letters: a hash that rolls along 128 places, modulo a prime below 2^23. */
KERNEL rolling_hash(const uint8_t *text, uint32_t *found, uint32_t wanted, uint32_t prime) {
    const uint8_t *mine = text + 128 * INDEX;
    uint32_t hash = 0, high = 1, hits = 0;
    for (int k = 0; k < 16; k++) {
        hash = (hash * 256 + mine[k]) % prime;
        high = k > 0 ? high * 256 % prime : high;
    }
    for (int k = 0; k < 128; k++) {
        hits += hash == wanted;
        hash = ((hash + prime - mine[k] * high % prime) * 256 + mine[k + 16]) % prime;
    }
    found[INDEX] = hits;
}

/* The longest of eight earlier places of a text that go on like this one, byte by byte, as a packer looks for it. */
KERNEL longest_match(const uint8_t *text, uint16_t *longest, uint16_t *where, int first) {
    int i = INDEX, best = 0, place = 0;
    const uint8_t *here = text + first + i;
    for (int k = 0; k < 8; k++) {
        int back = 16 * (1 + mixed(i / 16 + 7919 * k) % 900), length = 0;
        if (here[best] != here[best - back]) /* it cannot become longer than the best */
            continue;
        while (length < 48 && here[length] == here[length - back])
            length++;
        if (length > best)
            best = length, place = back;
    }
    longest[i] = (uint16_t)best;
    where[i] = (uint16_t)place;
}

/* Symbols of 3 to 10 bits out of a stream of bits for each thread; the table says symbol and length for any ten bits. */
KERNEL huffman_decode(const uint32_t *streams, const uint16_t *table, uint32_t *symbols, int words, int n) {
    __shared__ uint16_t codes[1024];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x)
        codes[k] = table[k];
    __syncthreads();
    int i = INDEX, used = 0;
    const uint32_t *next = streams + (size_t)i * words;
    uint32_t high = *next++, low = *next++;
    for (int k = 0; k < 16; k++) {
        uint32_t four = 0;
        for (int m = 0; m < 4; m++) {
            uint32_t code = codes[__funnelshift_l(low, high, used) >> 22];
            four = four << 8 | (code & 255);
            used += code >> 8;
            if (used >= 32) {
                used -= 32;
                high = low;
                low = *next++;
            }
        }
        symbols[k * n + i] = four;
    }
}

/* Powers modulo a number of 32 bits, by squares. */
KERNEL modular_powers(const uint32_t *base, const uint32_t *exponent, uint32_t *result, uint32_t modulus) {
    uint64_t square = base[INDEX] % modulus, product = 1;
    for (uint32_t bits = exponent[INDEX]; bits != 0; bits >>= 1) {
        if (bits & 1)
            product = product * square % modulus;
        square = square * square % modulus;
    }
    result[INDEX] = (uint32_t)product;
}

/* How many of a block's 24576 odd numbers are prime: a byte each, struck out by a warp a prime. */
KERNEL prime_sieve(const uint32_t *primes, int count, uint32_t *found, uint32_t begin) {
    __shared__ uint8_t struck[24576];
    uint32_t low = begin + blockIdx.x * 49152, sum = 0; /* odd, as begin is */
    for (int k = threadIdx.x; k < 24576 / 4; k += blockDim.x)
        ((uint32_t *)struck)[k] = 0;
    __syncthreads();
    for (int k = threadIdx.x / 32; k < count; k += blockDim.x / 32) {
        uint32_t prime = primes[k], past = low % prime, first = past == 0 ? 0 : prime - past;
        if (first % 2 == 1)
            first += prime;
        for (uint32_t at = first / 2 + threadIdx.x % 32 * prime; at < 24576; at += 32 * prime)
            struck[at] = 1;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 24576; k += blockDim.x)
        sum += struck[k] == 0;
    sum = __reduce_add_sync(ALL, sum);
    if (threadIdx.x % 32 == 0)
        atomicAdd(found, sum);
}

static bool is_prime(uint32_t x) {
    for (uint32_t by = 2; by * by <= x; by++)
        if (x % by == 0)
            return false;
    return x > 1;
}

/* The first bits of the cube roots of primes. */
static void make_round_constants(void) {
    uint32_t host[64], prime = 1;
    for (int k = 0; k < 64; k++) {
        while (!is_prime(++prime))
            ;
        long double root = cbrtl(prime);
        host[k] = (uint32_t)((root - floorl(root)) * 4294967296.0L);
    }
    check(cudaMemcpyToSymbol(round_constants, host, sizeof host), "cudaMemcpyToSymbol");
}

static uint32_t field_product(uint32_t a, uint32_t b) {
    uint32_t product = 0;
    for (; b != 0; b >>= 1, a = a << 1 ^ (a & 128 ? 0x11b : 0))
        product ^= b & 1 ? a : 0;
    return product;
}

/* A substitute, times 2, 1, 1 and 3. */
static uint32_t mixing_entry(uint32_t byte) {
    uint32_t inverse = 0, s = 0x63;
    while (byte != 0 && field_product(byte, inverse) != 1)
        inverse++;
    for (int turn = 0; turn < 5; turn++)
        s ^= (inverse << turn | inverse >> (8 - turn)) & 255;
    return field_product(s, 2) | s << 8 | s << 16 | field_product(s, 3) << 24;
}

/* Table `slice` of a check sum's four: what a byte becomes that `slice` others follow. */
static uint32_t slice_entry(uint32_t i) {
    uint32_t sum = i & 255;
    for (uint32_t k = 0; k < 8 * (i / 256 + 1); k++)
        sum = sum & 1 ? sum >> 1 ^ 0xedb88320u : sum >> 1;
    return sum;
}

/* Codes of ones, a zero and two bits: the more ones, the rarer; after seven ones no zero is needed. */
static uint16_t code_entry(uint32_t bits) {
    uint32_t ones = 0;
    while (ones < 8 && bits >> (9 - ones) & 1)
        ones++;
    if (ones == 8)
        return (uint16_t)(10 << 8 | 32 | (bits & 3));
    return (uint16_t)((ones + 3) << 8 | ones * 4 | (bits >> (7 - ones) & 3));
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const int n = 1 << 22;
    uint32_t *words = filled<uint32_t>(2 * n, mixed), *to = (uint32_t *)allocated(8 * n), host[44];
    /* four letters of a text, of which one in nine is a blank */
    uint4 *text = (uint4 *)filled<uint32_t>(4 * n, [](uint32_t i) {
        uint32_t four = 0;
        for (uint32_t k = 0; k < 4; k++) {
            uint32_t random = mixed(4 * i + k);
            four = four << 8 | (random % 9 > 0 ? 'a' + random % 23 : random % 7 > 0 ? ' ' : '\n');
        }
        return four;
    });
    /* four phrases of 16 letters, in any order */
    uint8_t *phrases =
        filled<uint8_t>(n / 4, [](uint32_t i) { return 'a' + mixed(mixed(i / 16) % 4 * 16 + i % 16) % 8; });
    uint32_t *mixing = filled<uint32_t>(256, mixing_entry), *slices = filled<uint32_t>(1024, slice_entry);
    uint16_t *codes = filled<uint16_t>(1024, code_entry);
    uint32_t last = 1;
    uint32_t *primes = filled<uint32_t>(620, [&](uint32_t) {
        do
            last += 2;
        while (!is_prime(last));
        return last;
    });
    make_round_constants();
    for (uint32_t k = 0; k < 44; k++)
        host[k] = mixed(k + 1234);
    check(cudaMemcpyToSymbol(round_keys, host, sizeof host), "cudaMemcpyToSymbol");
    check(cudaMemcpyToSymbol(alphabet, letters, sizeof letters - 1), "cudaMemcpyToSymbol");
    VALIDATE(sha256_blocks, 4096, 128, (uint4 *)words, to, 4096 * 128);
    VALIDATE(aes_rounds, 528, 256, (uint4 *)words, (uint4 *)to, mixing, n / 4);
    VALIDATE(crc32_slices, 682, 192, (uint4 *)words, slices, to);
    VALIDATE(base64_encode, n / 64, 64, (uint8_t *)words, (uchar4 *)to);
    VALIDATE(word_counts, 264, 384, text, to, n);
    VALIDATE(rolling_hash, 1366, 96, (uint8_t *)text, to, 7777, 8388593);
    VALIDATE(longest_match, 4096, 128, phrases, (uint16_t *)to, (uint16_t *)to + n / 8, 16384);
    VALIDATE(huffman_decode, 2048, 128, words, codes, to, 24, 2048 * 128);
    VALIDATE(modular_powers, 2000, 96, words, words + n, to, 4294967291u);
    VALIDATE(prime_sieve, 396, 256, primes, 620, to, 1000001);
    return 0;
}
