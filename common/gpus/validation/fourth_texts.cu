/* fourth_texts.cu: bytes that are checked, split, printed, unpacked, looked through and decoded. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu

/* Is a text UTF-8? A thread 64 bytes, by a machine whose table lies in shared memory: a byte has a class of 12, a class leads
 * from state to state. The last state says where a thread's bytes went wrong, or what is missing. */
KERNEL utf8_states(const uint4 *text, const uint8_t *table, uint8_t *last) {
    __shared__ uint8_t own[256 + 144];
    for (int k = threadIdx.x; k < 400; k += blockDim.x)
        own[k] = table[k];
    __syncthreads();
    uint32_t state = 0;
    for (int k = 0; k < 4; k++) {
        uint4 v = text[4 * INDEX + k];
        uint32_t words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int b = 0; b < 16; b++)
            state = own[256 + 16 * state + own[words[b / 4] >> 8 * (b % 4) & 255]];
    }
    last[INDEX] = (uint8_t)state;
}

/* Which of 32 bytes are `letter`: a bit each. */
static __device__ uint32_t where_is(const uint32_t *words, uint32_t letter) {
    uint32_t bits = 0;
#pragma unroll
    for (int k = 0; k < 8; k++)
        bits |= ((__vcmpeq4(words[k], letter * 0x01010101) & 0x01010101) * 0x10204080 >> 28) << 4 * k;
    return bits;
}

/* Where the fields of a table's lines end: at commas that are not between quotes. A warp 1024 bytes, a lane 32. */
KERNEL csv_commas(const uint4 *text, uint32_t *ends, uint32_t *counts) {
    uint32_t lane = threadIdx.x % 32, warp = INDEX / 32;
    uint4 a = text[2 * INDEX], b = text[2 * INDEX + 1];
    uint32_t words[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
    uint32_t quotes = where_is(words, '"'), commas = where_is(words, ',');
    uint32_t odd = __ballot_sync(ALL, __popc(quotes) & 1), below = (1u << lane) - 1;
    for (int step = 1; step < 32; step *= 2)
        quotes ^= quotes << step;
    commas &= __popc(odd & below) & 1 ? quotes : ~quotes;
    uint32_t count = __popc(commas), place = count;
    for (int step = 1; step < 32; step *= 2) {
        uint32_t other = __shfl_up_sync(ALL, place, step);
        place += lane >= step ? other : 0;
    }
    if (lane == 31)
        counts[warp] = place;
    uint32_t *to = ends + 256 * warp + place - count;
    for (; commas != 0; commas &= commas - 1)
        *to++ = 32 * INDEX + __ffs(commas) - 1;
}

/* Numbers as text, a line of twelve bytes each: digits from behind, in a buffer that is indexed by how many there are. */
KERNEL numbers_printed(const uint32_t *x, uint32_t *lines) {
    uint32_t value = x[INDEX] >> (INDEX & 15);
    char digits[12];
    int at = 11;
    digits[at] = '\n';
    do {
        digits[--at] = '0' + value % 10;
        value /= 10;
    } while (value != 0);
    for (int k = 0; k < 3; k++) {
        uint32_t word = 0;
        for (int b = 0; b < 4; b++) {
            int from = at + 4 * k + b;
            word |= (uint32_t)(from < 12 ? digits[from] : ' ') << 8 * b;
        }
        lines[3 * INDEX + k] = word;
    }
}

/* Runs become what they were made of: a block 192 runs, whose lengths are summed up; each result looks for its run. */
KERNEL runs_expanded(const uint8_t *length, const uint32_t *value, const uint32_t *begin, uint32_t *y) {
    __shared__ uint32_t end[192], of_warp[6], values[192];
    uint32_t t = threadIdx.x, sum = length[INDEX];
    for (int step = 1; step < 32; step *= 2) {
        uint32_t other = __shfl_up_sync(ALL, sum, step);
        sum += t % 32 >= step ? other : 0;
    }
    if (t % 32 == 31)
        of_warp[t / 32] = sum;
    values[t] = value[INDEX];
    __syncthreads();
    for (int k = 0; k < t / 32; k++)
        sum += of_warp[k];
    end[t] = sum;
    __syncthreads();
    uint32_t first = begin[blockIdx.x], all = end[191];
    for (uint32_t k = t; k < all; k += 192) {
        int low = 0, high = 191;
        while (low < high) {
            int middle = (low + high) / 2;
            if (end[middle] <= k)
                low = middle + 1;
            else
                high = middle;
        }
        y[first + k] = values[low];
    }
}

/* Frames of 128 numbers: the first, and by how much each differs from the one before, in as many bits as the frame needs.
 * A warp a frame, four numbers a lane. */
KERNEL deltas_unpacked(const uint4 *frame, const uint32_t *packed, uint4 *y) {
    int lane = threadIdx.x % 32;
    uint4 head = frame[INDEX / 32]; /* first number, bits of each, where its words begin */
    const uint32_t *words = packed + head.z;
    uint32_t sum = 0, v[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        uint32_t bit = (4 * lane + k) * head.y;
        uint32_t raw = __funnelshift_r(words[bit / 32], words[bit / 32 + 1], bit) & ((1u << head.y) - 1);
        sum += raw >> 1 ^ (0 - (raw & 1));
        v[k] = sum;
    }
    uint32_t before = sum;
    for (int step = 1; step < 32; step *= 2) {
        uint32_t other = __shfl_up_sync(ALL, before, step);
        before += lane >= step ? other : 0;
    }
    before += head.x - sum;
    y[INDEX] = make_uint4(before + v[0], before + v[1], before + v[2], before + v[3]);
}

/* A matrix of bits turned over: a warp 32 x 32 of them, by swaps of halves, then of quarters, down to bits. */
KERNEL bits_transposed(const uint32_t *x, uint32_t *y, int words, int to_words) {
    int lane = threadIdx.x, column = blockIdx.x * 8 + threadIdx.y, row = blockIdx.y * 32 + lane;
    uint32_t mine = x[row * words + column], mask = 0x0000ffff;
#pragma unroll
    for (int step = 16; step > 0; step /= 2) {
        uint32_t its = __shfl_xor_sync(ALL, mine, step);
        mine = lane & step ? (mine & ~mask) | (its & ~mask) >> step : (mine & mask) | (its & mask) << step;
        mask ^= mask << step / 2;
    }
    y[(column * 32 + lane) * to_words + blockIdx.y] = mine;
}

/* Pages of 8 KB that were packed by what they repeat, a warp each: some new bytes, then some of those before, again and
 * again. A page grows in shared memory. */
KERNEL lz_unpacked(const uint32_t *tokens, const uint8_t *fresh, uint4 *pages) {
    __shared__ uint4 page[512];
    uint8_t *bytes = (uint8_t *)page;
    uint32_t lane = threadIdx.x, at = 0, token = 0;
    fresh += 8192 * blockIdx.x;
    for (uint32_t turn = 0; at < 8192; turn++) {
        if (turn % 32 == 0)
            token = tokens[512 * blockIdx.x + turn + lane];
        uint32_t its = __shfl_sync(ALL, token, turn % 32), news = its & 31, olds = its >> 5 & 63,
                 back = its >> 11;
        if (lane < news)
            bytes[at + lane] = fresh[lane];
        __syncwarp();
        fresh += news;
        at += news;
        for (uint32_t k = lane; k < olds; k += 32)
            bytes[at + k] = bytes[at - back + (back < olds ? k % back : k)];
        __syncwarp();
        at += olds;
    }
    for (int k = lane; k < 512; k += 32)
        pages[512 * blockIdx.x + k] = page[k];
}

/* A machine of 4096 states reads texts of 256 letters, one a thread: how often it comes by one of its first 64 states. */
KERNEL automaton_walk(const uint4 *text, const uint16_t *next, uint32_t *found, int texts) {
    uint32_t state = 0, count = 0;
    for (int k = 0; k < 16; k++) {
        uint4 v = text[k * texts + INDEX];
        uint32_t words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int b = 0; b < 16; b++) {
            state = next[32 * state + (words[b / 4] >> 8 * (b % 4) & 31)];
            count += state < 64;
        }
    }
    found[INDEX] = count;
}

/* How many letters turn a text of 64 into another, by Myers: a column of the table is two numbers of 64 bits, how it goes up
 * and down. A block a text, a thread another. */
KERNEL distance_of_bits(const uint8_t *wanted, const uint32_t *texts, uint8_t *distance, int n) {
    __shared__ unsigned long long is_at[32];
    int t = threadIdx.x;
    if (t < 32)
        is_at[t] = 0;
    __syncthreads();
    if (t < 64)
        atomicOr(&is_at[wanted[64 * blockIdx.x + t] & 31], 1ull << t);
    __syncthreads();
    uint64_t up = ~0ull, down = 0;
    int score = 64;
    for (int k = 0; k < 16; k++) {
        uint32_t four = texts[k * n + INDEX];
#pragma unroll
        for (int b = 0; b < 32; b += 8) {
            uint64_t same = is_at[four >> b & 31], across = same | down;
            uint64_t straight = (((same & up) + up) ^ up) | across;
            uint64_t right = down | ~(straight | up), left = up & straight;
            score += (int)(right >> 63) - (int)(left >> 63);
            right = right << 1 | 1;
            up = left << 1 | ~(across | right);
            down = right & across;
        }
    }
    distance[INDEX] = (uint8_t)score;
}

/* What was sent by a code of 64 states, from noisy pairs of bits: a warp a message of 512, two states a lane; the ways are kept
 * as votes in shared memory, and one lane goes the best way back. */
KERNEL viterbi_decode(const uchar2 *heard, uint32_t *sent) {
    __shared__ uint2 votes[2][512];
    uint2 *way = votes[threadIdx.x / 32];
    int lane = threadIdx.x % 32, message = INDEX / 32, from = 2 * lane % 32;
    int first = __popc(2 * lane & 0x4f) & 1, second = __popc(2 * lane & 0x6d) & 1;
    int low = lane == 0 ? 0 : 10000, high = 10000; /* what states lane and lane + 32 cost */
    for (int k = 0; k < 512; k++) {
        uchar2 pair = heard[message * 512 + k];
        int cost = (first ? 255 - pair.x : pair.x) + (second ? 255 - pair.y : pair.y), other = 510 - cost;
        int a_low = __shfl_sync(ALL, low, from), a_high = __shfl_sync(ALL, high, from);
        int b_low = __shfl_sync(ALL, low, from + 1), b_high = __shfl_sync(ALL, high, from + 1);
        int a = lane < 16 ? a_low : a_high, b = lane < 16 ? b_low : b_high;
        bool low_b = b + other < a + cost, high_b = b + cost < a + other;
        low = low_b ? b + other : a + cost;
        high = high_b ? b + cost : a + other;
        uint32_t low_votes = __ballot_sync(ALL, low_b), high_votes = __ballot_sync(ALL, high_b);
        if (lane == 0)
            way[k] = make_uint2(low_votes, high_votes);
    }
    uint32_t best = __reduce_min_sync(ALL, min(low * 64 + lane, high * 64 + lane + 32));
    if (lane != 0)
        return;
    uint32_t state = best & 63, word = 0;
    for (int k = 511; k >= 0; k--) {
        word = word << 1 | state >> 5;
        uint32_t vote = (state & 32 ? way[k].y : way[k].x) >> (state & 31) & 1;
        state = (2 * state & 63) | vote;
        if (k % 32 == 0)
            sent[message * 16 + k / 32] = word;
    }
}

/* UTF-8's classes of bytes: letters, three kinds of followers, never, and beginnings of two, three and four bytes. */
static uint32_t utf8_class(uint32_t byte) {
    const uint8_t first[] = {0x00, 0x80, 0x90, 0xa0, 0xc0, 0xc2, 0xe0,
                             0xe1, 0xed, 0xee, 0xf0, 0xf1, 0xf4, 0xf5};
    const uint8_t is[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 7, 9, 10, 11, 4};
    uint32_t k = 13;
    while (byte < first[k])
        k--;
    return is[k];
}

/* States: 0 between letters, 1 to 3 that many bytes to come, 4 after E0, 5 after ED, 6 after F0, 7 after F4, 8 wrong. */
static uint32_t utf8_next(uint32_t state, uint32_t class_of) {
    const uint8_t begins[] = {0, 8, 8, 8, 8, 1, 4, 2, 5, 6, 3, 7}, then[] = {0, 0, 1, 2, 1, 1, 2, 2, 8};
    const uint8_t may_follow[] = {0, 14, 14, 14, 8, 6, 12, 2, 0}; /* classes, a bit each */
    if (class_of > 11)
        return 8;
    return state == 0 ? begins[class_of] : may_follow[state] >> class_of & 1 ? then[state] : 8;
}

/* Sixteen bytes of UTF-8: letters of one, two, three and four bytes; in one of 300 a byte is wrong. */
static uint32_t utf8_byte(uint32_t i) {
    const char *some[] = {"plain ascii text", "gr\u00fc\u00dfe aus \u00e4\u00f6", "\u20ac 5, \u4e2d\u6587, a",
                          "\U0001f600 smile\u2026 \u00e9"};
    return mixed(i / 16 + 9) % 300 == 0 && i % 16 == 5 ? 0xff : (uint8_t)some[mixed(i / 16) % 4][i % 16];
}

/* Between 3 and 18 bits, a frame; 4 words for each bit, and one more. */
static uint32_t bits_of(uint32_t frame) {
    return 3 + mixed(frame) % 16;
}

/* What a page's packer writes: new bytes, old bytes, how far back these begin. `at`: how many bytes there are. */
static uint32_t token_at(uint32_t i, uint32_t *at) {
    uint32_t random = mixed(i), left, news, olds;
    if (i % 512 == 0)
        *at = 0;
    left = 8192 - *at;
    news = 1 + random % 24;
    news = news < left ? news : left;
    olds = 4 + (random >> 8) % 40;
    olds = olds < left - news ? olds : left - news;
    *at += news;
    uint32_t back = 1 + (random >> 16) % (random % 8 == 0 ? 16 : 4096);
    back = back < *at ? back : *at;
    *at += olds;
    return news | olds << 5 | back << 11;
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 22, frames = 1 << 17, pages = 2640, texts = 1 << 16;
    uint32_t *words = filled<uint32_t>(2 * n, mixed), *to = (uint32_t *)allocated(16 * (size_t)n);
    uint32_t *more = (uint32_t *)allocated(16 * (size_t)n);
    uint8_t *utf8 = filled<uint8_t>(16 * (size_t)n, utf8_byte), *fresh = filled<uint8_t>(8192 * pages, mixed);
    uint8_t *machine = filled<uint8_t>(
        400, [](uint32_t i) { return i < 256 ? utf8_class(i) : utf8_next(i / 16 - 16, i % 16); });
    /* fields of some eight letters, of which some are between quotes */
    uint4 *table = (uint4 *)filled<uint8_t>(16 * (size_t)n, [](uint32_t i) {
        uint32_t random = mixed(i);
        return random % 9 == 0 ? ',' : random % 50 == 1 ? '"' : 'a' + random % 26;
    });
    uint32_t end = 0, runs = 192 * 4000;
    uint8_t *length = filled<uint8_t>(
        runs, [](uint32_t i) { return mixed(i) % 16 == 0 ? 40 + mixed(i + 1) % 160 : 1 + mixed(i + 2) % 8; });
    uint32_t *begin = filled<uint32_t>(runs / 192, [&](uint32_t i) {
        uint32_t first = end;
        for (uint32_t k = 192 * i; k < 192 * i + 192; k++)
            end += mixed(k) % 16 == 0 ? 40 + mixed(k + 1) % 160 : 1 + mixed(k + 2) % 8;
        return first;
    });
    uint32_t packed = 0, at = 0;
    uint4 *frame = filled<uint4>(frames, [&](uint32_t i) {
        uint4 head = make_uint4(mixed(i + 3), bits_of(i), packed, 0);
        packed += 4 * bits_of(i);
        return head;
    });
    uint32_t *tokens = filled<uint32_t>(512 * pages, [&](uint32_t i) { return token_at(i, &at); });
    uint16_t *next = filled<uint16_t>(32 * 4096, [](uint32_t i) { return mixed(i) % 4096; });
    VALIDATE(utf8_states, n / 4 / 512, 512, (uint4 *)utf8, machine, (uint8_t *)to);
    VALIDATE(csv_commas, n / 2 / 160, 160, table, to, more);
    VALIDATE(numbers_printed, n / 128, 128, words, to);
    VALIDATE(runs_expanded, runs / 192, 192, length, words, begin, to);
    VALIDATE(deltas_unpacked, frames / 8, 256, frame, words, (uint4 *)to);
    VALIDATE(bits_transposed, dim3(64, 256), dim3(32, 8), words, to, 512, 256);
    VALIDATE(lz_unpacked, pages, 32, tokens, fresh, (uint4 *)to);
    VALIDATE(automaton_walk, texts / 64, 64, (uint4 *)words, next, to, texts);
    VALIDATE(distance_of_bits, 2048, 128, (uint8_t *)words, words, (uint8_t *)to, 2048 * 128);
    VALIDATE(viterbi_decode, 528, 64, (uchar2 *)words, to);
    return 0;
}
