/* stores.cu: how fast an SM, and the chip, send out stores: scattered over lines, of parts of sectors, of neighbouring
 * words one by one, to local memory. What L1 keeps: of loads, of stores, of rows that threads read word by word. */
#include "calibration.h"

enum { ROUNDS = 64 };

template <class T> static __device__ __forceinline__ void put(T *where, uint32_t value);
template <> __device__ __forceinline__ void put(uint8_t *where, uint32_t value) {
    asm volatile("st.global.u8 [%0], %1;" ::"l"(where), "r"(value));
}
template <> __device__ __forceinline__ void put(uint32_t *where, uint32_t value) {
    asm volatile("st.global.u32 [%0], %1;" ::"l"(where), "r"(value));
}
template <> __device__ __forceinline__ void put(uint2 *where, uint32_t value) {
    asm volatile("st.global.v2.u32 [%0], {%1, %1};" ::"l"(where), "r"(value));
}
template <> __device__ __forceinline__ void put(uint4 *where, uint32_t value) {
    asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(where), "r"(value));
}
static __device__ __forceinline__ uint32_t get(const uint32_t *where) {
    uint32_t x;
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(x) : "l"(where));
    return x;
}
static __device__ __forceinline__ uint32_t global_thread(void) {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/* Where lanes store, in words: from one line to the next, from lane to lane in a line. Round k is k * step words on,
 * within `mask`. Each warp has `warp` words. */
struct places {
    uint32_t lanes_a_line, line, lane, step, mask, warp;
};
template <class T> __global__ void scattered(uint64_t *result, uint32_t *data, struct places p, int rounds) {
    uint32_t lane = threadIdx.x % 32;
    uint32_t *own = data + (size_t)(global_thread() / 32) * p.warp + lane / p.lanes_a_line * p.line +
                    lane % p.lanes_a_line * p.lane;
    uint64_t begin = block_begins();
#pragma unroll 8
    for (int k = 0; k < rounds; k++)
        put((T *)(own + (k * p.step & p.mask)), k);
    block_ends(begin, result);
}

/* A thread stores neighbouring elements, one instruction each; between two of them nothing, a loop of so many trips of
 * some 4 instructions, or a load. Threads lie side by side. */
enum between { NOTHING, A_LOOP, A_LOAD };
template <class T, int elements, enum between between>
__global__ void neighbours(uint64_t *result, T *data, const uint32_t *from, int trips, int rounds) {
    uint32_t all = gridDim.x * blockDim.x;
    float x = threadIdx.x;
    uint64_t begin = block_begins();
#pragma unroll 1
    for (int k = 0; k < rounds; k++) {
        T *own = data + (size_t)(global_thread() + (k & 3) * all) * elements;
#pragma unroll
        for (int j = 0; j < elements; j++) {
            put(own + j, __float_as_uint(x));
#pragma unroll 1
            for (int i = 0; between == A_LOOP && i < trips; i++)
                x = fmaf(x, x, 1);
            if (between == A_LOAD)
                x += __uint_as_float(get(from + threadIdx.x));
        }
    }
    block_ends(begin, result);
}

/* Words of local memory, one after the other; thread by thread, a warp's word is a line. */
enum local_kind { LOCAL_STORES, LOCAL_LOADS, LOCAL_BOTH, LOCAL_STORES_8 };
enum { LOCAL_WORDS = 256 };
template <enum local_kind kind> __global__ void local_words(uint64_t *result, int words, int rounds) {
    uint2 array[LOCAL_WORDS / 2];
    uint64_t first;
    uint32_t sum = 0;
    asm volatile("cvta.to.local.u64 %0, %1;" : "=l"(first) : "l"(array));
    for (int i = 0; i < words; i++)
        asm volatile("st.local.u32 [%0], %1;" ::"l"(first + 4 * i), "r"(i));
    uint64_t begin = block_begins();
    for (int k = 0; k < rounds; k++)
#pragma unroll 8
        for (int i = 0; i < words; i += kind == LOCAL_STORES_8 ? 2 : 1) {
            uint64_t at = first + 4 * i;
            uint32_t x = 0;
            if (kind == LOCAL_LOADS || kind == LOCAL_BOTH)
                asm volatile("ld.local.u32 %0, [%1];" : "=r"(x) : "l"(at));
            sum += x;
            if (kind == LOCAL_STORES || kind == LOCAL_BOTH)
                asm volatile("st.local.u32 [%0], %1;" ::"l"(at), "r"(k));
            if (kind == LOCAL_STORES_8)
                asm volatile("st.local.v2.u32 [%0], {%1, %1};" ::"l"(at), "r"(k));
        }
    block_ends(begin, result);
    if (sum == 12345)
        result[1] = sum;
}

/* A thread a row: each lane reads and stores word after word of a row of its own, or of two. */
enum { ROW_WORDS = 96 };
enum row_kind { ROW_LOADS, ROW_STORES, ROW_COPIED, ROW_CHANGED, ROW_SUM_OF_TWO };
template <enum row_kind kind>
__global__ void rows(uint64_t *result, const uint32_t *from, uint32_t *to, int row, int words) {
    size_t own = (size_t)global_thread() * row, other = (size_t)gridDim.x * blockDim.x * row + own;
    uint32_t sum = 0;
    uint64_t begin = block_begins();
#pragma unroll 4
    for (int j = 0; j < words; j++) {
        if (kind != ROW_STORES)
            sum += get(from + own + j);
        if (kind == ROW_SUM_OF_TWO)
            sum += get(from + other + j);
        if (kind == ROW_CHANGED)
            put((uint32_t *)from + own + j, sum);
        else if (kind != ROW_LOADS)
            put(to + own + j, sum);
    }
    block_ends(begin, result);
    if (sum == 12345)
        result[1] = sum;
}

/* A block reads its words, then reads them again, and may store as many elsewhere. */
__global__ void twice(uint64_t *result, const uint32_t *from, uint32_t *to, int words, bool stores) {
    size_t own = (size_t)blockIdx.x * words;
    uint32_t sum = 0;
    for (int i = threadIdx.x; i < words; i += blockDim.x)
        sum += get(from + own + i);
    __syncthreads();
    for (int i = threadIdx.x; i < words; i += blockDim.x) {
        sum += get(from + own + i);
        if (stores)
            put(to + own + i, sum);
    }
    if (sum == 12345)
        result[1] = sum;
}

/* One warp: loads so many lines, or stores them whole or by a word; does something to so many others; then loads the first
 * ones again. Of these, so many take longer than L1 does. */
enum line_kind {
    LINE_NOTHING,
    LINE_LOADED,
    LINE_STORED,
    LINE_STORED_IN_PART,
    LINE_LOADED_AND_STORED,
    LINE_WORDS_STORED
};
static __device__ void do_lines(uint32_t *data, int lines, enum line_kind kind) {
    uint32_t lane = threadIdx.x, sum = 0;
    for (int i = 0; i < lines && kind != LINE_NOTHING && kind != LINE_WORDS_STORED; i++) {
        uint32_t *at = data + (size_t)i * 32 + lane;
        if (kind == LINE_LOADED || kind == LINE_LOADED_AND_STORED)
            sum += get(at);
        if (kind == LINE_STORED || kind == LINE_LOADED_AND_STORED ||
            (kind == LINE_STORED_IN_PART && lane % 8 == 0))
            put(at, sum);
    }
    for (int i = 0; i < lines && kind == LINE_WORDS_STORED; i += 32)
        put(data + ((size_t)i + lane) * 32, sum);
    if (sum == 12345)
        data[0] = sum;
}
__global__ void kept(uint64_t *result, uint32_t *data, int lines, enum line_kind first, int others,
                     enum line_kind then) {
    uint32_t lost = 0, sum = 0;
    do_lines(data, lines, first);
    do_lines(data + (size_t)lines * 32, others, then);
    for (int64_t begin = clock64(); clock64() - begin < 20000;) /* all has arrived */
        ;
    for (int i = 0; i < lines; i++) {
        uint32_t begin = clock();
        sum += get(data + (size_t)i * 32 + threadIdx.x + (sum == 12345));
        if (sum == 12345) /* what is read has to be there before the time is */
            return;
        uint32_t end = clock();
        lost += end - begin > 150;
    }
    if (threadIdx.x == 0)
        result[0] = lost;
}

/* Cycles of one of `each` accesses, by two lengths: how a launch begins and ends does not count. */
template <class F> static double each_takes(F launch, int rounds, double each) {
    return (cycles([=] { launch(3 * rounds); }) - cycles([=] { launch(rounds); })) / (2.0 * rounds * each);
}

template <class T>
static void measure_scattered(const char *name, uint32_t *data, struct places p, int sms, int warps,
                              const char *how) {
    char title[96];
    snprintf(title, sizeof title, "%s_%d_sms_%d_warps", name, sms, warps);
    figure(title,
           each_takes([=](int rounds) { scattered<T><<<sms, 32 * warps>>>(results(), data, p, rounds); },
                      ROUNDS, warps),
           "cycles", how);
}

static void measure_lines(uint32_t *data) {
    static const int warps[] = {1, 32};
    int chip = multiprocessors(), sms[] = {1, 16, chip};
    char name[64];
    for (uint32_t lines = 1; lines <= 32; lines *= 2) {
        struct places again = {32 / lines, 32, 1, 32 / lines, 31, 32 * lines};
        struct places on = {32 / lines, 32, 1, 32 * lines, 2047, 2048};
        for (int s : sms)
            for (int w : warps) {
                snprintf(name, sizeof name, "store_%u_lines", lines);
                measure_scattered<uint32_t>(
                    name, data, again, s, w,
                    "a warp's store of 4 bytes a lane to so many lines; then their next words");
                if (s == 16)
                    continue;
                snprintf(name, sizeof name, "store_%u_new_lines", lines);
                measure_scattered<uint32_t>(name, data, on, s, w, "the same; then other lines");
            }
    }
}

static void measure_sectors(uint32_t *data) {
    int chip = multiprocessors(), sms[] = {1, chip};
    char name[64];
    for (int s : sms) {
        for (uint32_t lines = 8; lines <= 16; lines *= 2) {
            struct places apart = {32 / lines, 32, 8, 1, 7, 32 * lines};
            snprintf(name, sizeof name, "store_32_sectors_in_%u_lines", lines);
            measure_scattered<uint32_t>(name, data, apart, s, 32, "each lane 4 bytes of a sector of its own");
        }
        for (uint32_t lines = 2; lines <= 32; lines *= 2) {
            struct places eight = {32 / lines, 32, 2, 64 / lines, 31, 32 * lines};
            snprintf(name, sizeof name, "store_8_bytes_%u_lines", lines);
            measure_scattered<uint2>(name, data, eight, s, 32, "8 bytes a lane");
        }
        for (uint32_t lines = 4; lines <= 32; lines *= 2) {
            struct places sixteen = {32 / lines, 32, 4, 128 / lines, 31, 32 * lines};
            snprintf(name, sizeof name, "store_16_bytes_%u_lines", lines);
            measure_scattered<uint4>(name, data, sixteen, s, 32, "16 bytes a lane");
        }
    }
}

template <class T, int elements, enum between between>
static void measure_neighbours(const char *name, uint32_t *data, int trips, const char *how) {
    int chip = multiprocessors(), sms[] = {1, chip};
    static const int warps[] = {1, 32};
    for (int s : sms)
        for (int w : warps) {
            char title[96];
            snprintf(title, sizeof title, "store_%d_%s_%d_sms_%d_warps", elements, name, s, w);
            auto launch = [=](int rounds) {
                neighbours<T, elements, between><<<s, 32 * w>>>(results(), (T *)data, data, trips, rounds);
            };
            figure(title, each_takes(launch, ROUNDS, w), "cycles", how);
        }
}

static void measure_merging(uint32_t *data) {
    const char *how = "a warp stores neighbouring elements of each thread by a store each; all of them";
    const char *apart = "the same; after each store a loop of so many trips";
    measure_neighbours<uint32_t, 1, NOTHING>("words", data, 0, how);
    measure_neighbours<uint32_t, 2, NOTHING>("words", data, 0, how);
    measure_neighbours<uint32_t, 3, NOTHING>("words", data, 0, how);
    measure_neighbours<uint32_t, 4, NOTHING>("words", data, 0, how);
    measure_neighbours<uint32_t, 6, NOTHING>("words", data, 0, how);
    measure_neighbours<uint32_t, 8, NOTHING>("words", data, 0, how);
    measure_neighbours<uint8_t, 1, NOTHING>("bytes", data, 0, how);
    measure_neighbours<uint8_t, 3, NOTHING>("bytes", data, 0, how);
    measure_neighbours<uint8_t, 8, NOTHING>("bytes", data, 0, how);
    measure_neighbours<uint32_t, 3, A_LOOP>("words_1_trips", data, 1, apart);
    measure_neighbours<uint32_t, 3, A_LOOP>("words_4_trips", data, 4, apart);
    measure_neighbours<uint32_t, 3, A_LOOP>("words_16_trips", data, 16, apart);
    measure_neighbours<uint32_t, 3, A_LOAD>("words_loads", data, 0, "the same; after each store a load");
    measure_neighbours<uint32_t, 8, A_LOAD>("words_loads", data, 0, "the same; after each store a load");
}

template <enum local_kind kind> static void measure_local(const char *name, const char *how) {
    static const int words[] = {64, 256}, warps[] = {8, 32};
    int chip = multiprocessors(), sms[] = {8, chip};
    for (int n : words)
        for (int s : sms)
            for (int w : warps) {
                char title[96];
                snprintf(title, sizeof title, "local_%s_%d_words_%d_sms_%d_warps", name, n, s, w);
                figure(title,
                       each_takes([=](int rounds) { local_words<kind><<<s, 32 * w>>>(results(), n, rounds); },
                                  4096 / n / w + 1, n * w),
                       "cycles", how);
            }
}

template <enum row_kind kind>
static void measure_rows(const char *name, uint32_t *data, size_t half, const char *how) {
    static const int lengths[] = {100, 768}, warps[] = {1, 8, 32};
    int chip = multiprocessors(), sms[] = {1, chip};
    for (int length : lengths)
        for (int s : sms)
            for (int w : warps) {
                char title[96];
                snprintf(title, sizeof title, "row_%s_%d_words_%d_sms_%d_warps", name, length, s, w);
                figure(title, cycles([=] {
                                  rows<kind><<<s, 32 * w>>>(results(), data, data + half, length, ROW_WORDS);
                              }) / (ROW_WORDS * w),
                       "cycles", how);
            }
}

static void measure_kept(uint32_t *data) {
    static const struct {
        const char *name, *how;
        enum line_kind first, then;
    } cases[] = {
        {"lost_to_loads", "of 256 lines loaded; after so many others were loaded", LINE_LOADED, LINE_LOADED},
        {"lost_to_stores", "of 256 lines loaded; after so many others were stored whole", LINE_LOADED,
         LINE_STORED},
        {"lost_to_part_stores", "the same; 4 of 32 bytes stored", LINE_LOADED, LINE_STORED_IN_PART},
        {"lost_to_word_stores", "the same; a word of a line; 32 lines by one store", LINE_LOADED,
         LINE_WORDS_STORED},
        {"stored_lost_to_loads", "of 256 lines stored whole", LINE_STORED, LINE_LOADED},
        {"part_stored_lost_to_loads", "of 256 lines stored in part", LINE_STORED_IN_PART, LINE_LOADED},
        {"loaded_and_stored_lost_to_loads", "of 256 lines loaded and stored whole", LINE_LOADED_AND_STORED,
         LINE_LOADED}};
    static const int others[] = {0, 1024, 1536, 1792, 2048, 16384};
    for (const auto &one : cases)
        for (int count : others) {
            char title[96];
            enum line_kind first = one.first, then = one.then;
            snprintf(title, sizeof title, "%s_%d", one.name, count);
            figure(title, cycles([=] { kept<<<1, 32>>>(results(), data, 256, first, count, then); }), "lines",
                   one.how);
        }
    for (int lines = 512; lines <= 4096; lines += lines < 2048 && lines >= 1536 ? 128 : 512) {
        char title[96];
        snprintf(title, sizeof title, "loaded_again_%d", lines);
        figure(title, cycles([=] { kept<<<1, 32>>>(results(), data, lines, LINE_LOADED, 0, LINE_NOTHING); }),
               "lines",
               "of so many lines loaded in turn by one warp; those that L1 does not hold in the next turn");
    }
}

/* Warps of all SMs store to the same lines, each in another order. */
__global__ void few_lines(uint32_t *data, int lines, int each, int lanes) {
    int warp = threadIdx.x / 32 + blockIdx.x * (blockDim.x / 32), lane = threadIdx.x % 32;
    for (int k = 0; k < each; k++)
        if (lane < lanes)
            data[(k + warp * 7) % lines * 32 + lane] = warp + k;
}

static void measure_few_lines(uint32_t *data) {
    for (int lanes = 1; lanes <= 32; lanes *= 32)
        for (int lines : {1, 16, 64, 128, 1024}) {
            char title[64];
            int blocks = multiprocessors(), each = 32, warps = 32;
            double less = microseconds([=] { few_lines<<<blocks, 32 * warps>>>(data, lines, each, lanes); });
            double more =
                microseconds([=] { few_lines<<<blocks, 32 * warps>>>(data, lines, 3 * each, lanes); });
            snprintf(title, sizeof title, "store_%s_%d_lines", lanes == 1 ? "words" : "whole", lines);
            figure(title, 1e3 * (more - less) / (2.0 * each * blocks * warps), "ns",
                   "a warp's store to one of so many lines; all SMs store to the same");
        }
}

/* For Nsight Compute, which counts what L1 holds: rows of 768 words by 8, 16 and 32 warps, then words read twice. */
static void launch_once(uint32_t *data, size_t half) {
    for (int warps = 8; warps <= 32; warps *= 2) {
        rows<ROW_LOADS><<<4, 32 * warps>>>(results(), data, data + half, 768, ROW_WORDS);
        rows<ROW_COPIED><<<4, 32 * warps>>>(results(), data, data + half, 768, ROW_WORDS);
        rows<ROW_SUM_OF_TWO><<<4, 32 * warps>>>(results(), data, data + half, 768, ROW_WORDS);
    }
    for (int words = 192 * 4; words <= 192 * 32; words *= 2)
        for (int stores = 0; stores < 2; stores++)
            twice<<<multiprocessors() * 40, 192>>>(results(), data, data + half, words, stores);
    check(cudaDeviceSynchronize(), "launches");
}

int main(int count, char **) {
    size_t half = (size_t)208 << 20; /* words */
    uint32_t *data = (uint32_t *)allocated(half * 8);
    if (count > 1) {
        launch_once(data, half);
        return 0;
    }
    measure_lines(data);
    measure_sectors(data);
    measure_merging(data);
    measure_local<LOCAL_STORES>("stores",
                                "a warp's store of a word; word after word of so many; again and again");
    measure_local<LOCAL_LOADS>("loads", "a warp's load of a word; the same");
    measure_local<LOCAL_BOTH>("both", "a load and a store of a word; the same");
    measure_local<LOCAL_STORES_8>("stores_8_bytes", "a store of two words; cycles a word");
    measure_rows<ROW_LOADS>("loads", data, half,
                            "a warp's load; each lane its own row of so many words; word after word");
    measure_rows<ROW_STORES>("stores", data, half, "a warp's store; the same");
    measure_rows<ROW_COPIED>("copied", data, half, "a load and a store elsewhere; the same");
    measure_rows<ROW_CHANGED>("changed", data, half, "a load and a store of the same word; the same");
    measure_rows<ROW_SUM_OF_TWO>("sum_of_two", data, half, "two loads and a store; the same");
    measure_kept(data);
    measure_few_lines(data);
    return 0;
}
