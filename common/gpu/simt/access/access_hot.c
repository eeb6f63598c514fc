/* access_hot.c: loads and stores, for each width, whose active lanes lie in one allocation or in
 * shared memory. Compiled three times (room.mk); all copies give the same results. */
#include "gpu/simt/access/access.h"

#include <string.h>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

/* How the 32 addresses lie. */
enum pattern { PATTERN_ANY, PATTERN_SAME, PATTERN_ROW, PATTERN_ROWS_OF_8 };

struct survey {
    uint64_t low, high, misaligned;
    enum pattern pattern;
};

/* Most accesses are rows of eight adjacent lanes, so this test comes first. low and high follow
 * from the rows' starts. */
INLINE struct survey survey_rows(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint32_t span) {
    uint64_t low = a < b ? a : b, high = a < b ? b : a;
    uint64_t low2 = c < d ? c : d, high2 = c < d ? d : c;
    low = low < low2 ? low : low2;
    high = (high > high2 ? high : high2) + 7 * span;
    bool row = b == a + 8 * span && c == a + 16 * span && d == a + 24 * span;
    return (struct survey){low, high, (a | b | c | d) & (span - 1), row ? PATTERN_ROW : PATTERN_ROWS_OF_8};
}

#ifdef __AVX512F__
INLINE struct survey survey_addresses(const uint64_t *address, uint32_t span) {
    __m512i a = _mm512_load_si512(address), b = _mm512_load_si512(address + 8);
    __m512i c = _mm512_load_si512(address + 16), d = _mm512_load_si512(address + 24);
    __m128i a0 = _mm512_castsi512_si128(a), b0 = _mm512_castsi512_si128(b);
    __m128i c0 = _mm512_castsi512_si128(c), d0 = _mm512_castsi512_si128(d);
    __m512i step = _mm512_setr_epi64(0, span, 2 * span, 3 * span, 4 * span, 5 * span, 6 * span, 7 * span);
    __mmask8 other = _mm512_cmpneq_epi64_mask(a, _mm512_add_epi64(_mm512_broadcastq_epi64(a0), step)) |
                     _mm512_cmpneq_epi64_mask(b, _mm512_add_epi64(_mm512_broadcastq_epi64(b0), step)) |
                     _mm512_cmpneq_epi64_mask(c, _mm512_add_epi64(_mm512_broadcastq_epi64(c0), step)) |
                     _mm512_cmpneq_epi64_mask(d, _mm512_add_epi64(_mm512_broadcastq_epi64(d0), step));
    if (!other)
        return survey_rows((uint64_t)_mm_cvtsi128_si64(a0), (uint64_t)_mm_cvtsi128_si64(b0),
                           (uint64_t)_mm_cvtsi128_si64(c0), (uint64_t)_mm_cvtsi128_si64(d0), span);
    __m512i first = _mm512_broadcastq_epi64(a0);
    __mmask8 different = _mm512_cmpneq_epi64_mask(a, first) | _mm512_cmpneq_epi64_mask(b, first) |
                         _mm512_cmpneq_epi64_mask(c, first) | _mm512_cmpneq_epi64_mask(d, first);
    if (!different)
        return (struct survey){address[0], address[0], address[0] & (span - 1), PATTERN_SAME};
    __m512i low = _mm512_min_epu64(_mm512_min_epu64(a, b), _mm512_min_epu64(c, d));
    __m512i high = _mm512_max_epu64(_mm512_max_epu64(a, b), _mm512_max_epu64(c, d));
    __m512i bits = _mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d));
    return (struct survey){_mm512_reduce_min_epu64(low), _mm512_reduce_max_epu64(high),
                           (uint64_t)_mm512_reduce_or_epi64(bits) & (span - 1), PATTERN_ANY};
}
#else
INLINE struct survey survey_addresses(const uint64_t *address, uint32_t span) {
    uint64_t other = 0, different = 0;
    for (int g = 0; g < 4; g++)
        for (int i = 0; i < 8; i++)
            other |= (address[8 * g + i] - (uint64_t)i * span) ^ address[8 * g];
    if (!other)
        return survey_rows(address[0], address[8], address[16], address[24], span);
    uint64_t low = UINT64_MAX, high = 0, bits = 0;
    for (int i = 0; i < SIMT_LANES; i++) {
        low = address[i] < low ? address[i] : low;
        high = address[i] > high ? address[i] : high;
        bits |= address[i];
        different |= address[i] ^ address[0];
    }
    return (struct survey){low, high, bits & (span - 1), different ? PATTERN_ANY : PATTERN_SAME};
}
#endif

/* A few lines and their sectors, gathered so that the cache is searched in one short loop. */
struct touched {
    uint32_t lines, sectors;
    uint64_t line[32];
    uint32_t bits[32];
};

INLINE void touch_range(struct touched *touched, uint64_t first, uint64_t last) {
    uint64_t first_sector = first >> 5, last_sector = last >> 5, line = first_sector >> 2;
    uint32_t bits = 15u << (first_sector & 3) & 15, last_bits = 15u >> (3 - (last_sector & 3));
    touched->sectors += (uint32_t)(last_sector - first_sector + 1);
    for (; line != last_sector >> 2; line++) {
        touched->line[touched->lines] = line;
        touched->bits[touched->lines++] = bits;
        bits = 15;
    }
    touched->line[touched->lines] = line;
    touched->bits[touched->lines++] = bits & last_bits;
}

/* Whether each row begins in a later line than the previous row ends: rows can be counted alone. */
INLINE bool rows_ascend(const uint64_t *address, uint32_t span) {
    bool ascend = true;
    for (int g = 1; g < 4; g++)
        ascend &= address[8 * g] >> 7 > (address[8 * g - 8] + 8 * span - 1) >> 7;
    return ascend;
}

static __attribute__((noinline)) void count_any(struct window_header *window, struct site *site,
                                                const uint64_t *address, uint32_t mask, uint32_t span,
                                                bool store, bool bypass) {
    count_global_lanes(window, site, address, mask, span, store, bypass);
}

INLINE void count_global(struct window_header *window, struct site *site, const uint64_t *address,
                         enum pattern pattern, uint32_t mask, uint32_t span, bool store, bool bypass) {
    struct l1_cache *l1 = &window->sm->l1;
    struct touched touched;
    if (__builtin_expect(window->sm->results_alone, 0))
        return;
    touched.lines = touched.sectors = 0;
    switch (pattern) {
    case PATTERN_ROW: touch_range(&touched, address[0], address[0] + 32 * span - 1); break;
    case PATTERN_SAME: touch_range(&touched, address[0], address[0]); break;
    case PATTERN_ROWS_OF_8:
        if (rows_ascend(address, span)) {
            for (int g = 0; g < 4; g++)
                touch_range(&touched, address[8 * g], address[8 * g] + 8 * span - 1);
            if (passes_are_counted(address[0]))
                simt_count_bank_passes(site, address, mask, span, store);
            break;
        }
        /* fallthrough */
    default: count_any(window, site, address, mask, span, store, bypass); return;
    }
    count_request(site, SIMT_LANES, touched.sectors, touched.lines, span);
    if (l1->sets == NULL)
        return;
    struct l1_before before = l1_now(l1);
    enum cache_request request = !store                    ? CACHE_READ
                                 : pattern == PATTERN_SAME ? CACHE_WRITE_PART
                                                           : CACHE_WRITE;
    if (store || __builtin_expect(bypass, 0))
        for (uint32_t i = 0; i < touched.lines; i++)
            cache_access(l1, touched.line[i], touched.bits[i], request, bypass);
    else
        for (uint32_t i = 0; i < touched.lines; i++)
            l1_read(l1, touched.line[i], touched.bits[i]);
    count_late(site, l1, &before);
}

/* ---- elements. T is an element's type in memory. Lanes are 32 bits wide; 8-byte elements and
 * extensions to 64 bits have lanes of 64. */
#define MEMORY_TYPES(X) X(1, uint8_t) X(2, uint16_t) X(4, uint32_t) X(8, uint64_t)
#define DEFINE_MEMORY_TYPE(bytes, type) typedef type __attribute__((aligned(1), may_alias)) memory_##bytes;
MEMORY_TYPES(DEFINE_MEMORY_TYPE)

typedef uint32_t __attribute__((may_alias)) lane32;
typedef uint64_t __attribute__((may_alias)) lane64;

INLINE void extend_lanes(uint8_t *to, const uint32_t *value, uint32_t extend, uint32_t bytes) {
    lane32 *lane = (lane32 *)(void *)to;
    lane64 *wide = (lane64 *)(void *)to;
    int shift = 32 - 8 * (int)bytes;
    switch (extend) {
    case EXTEND_ZERO:
        for (int i = 0; i < SIMT_LANES; i++)
            lane[i] = value[i];
        break;
    case EXTEND_SIGN_TO_32:
        for (int i = 0; i < SIMT_LANES; i++)
            lane[i] = (uint32_t)((int32_t)(value[i] << shift) >> shift);
        break;
    case EXTEND_SIGN_TO_16:
        for (int i = 0; i < SIMT_LANES; i++)
            lane[i] = (uint32_t)((int32_t)(value[i] << shift) >> shift) & 0xffff;
        break;
    case EXTEND_ZERO_TO_64:
        for (int i = 0; i < SIMT_LANES; i++)
            wide[i] = value[i];
        break;
    default:
        for (int i = 0; i < SIMT_LANES; i++)
            wide[i] = (uint64_t)(int64_t)((int32_t)(value[i] << shift) >> shift);
        break;
    }
}

INLINE uint64_t extend_one(uint32_t value, uint32_t extend, uint32_t bytes) {
    int shift = 32 - 8 * (int)bytes;
    int32_t extended = (int32_t)(value << shift) >> shift;
    switch (extend) {
    case EXTEND_ZERO:
    case EXTEND_ZERO_TO_64: return value;
    case EXTEND_SIGN_TO_32: return (uint32_t)extended;
    case EXTEND_SIGN_TO_16: return (uint32_t)extended & 0xffff;
    default: return (uint64_t)(int64_t)extended;
    }
}

INLINE void put_lane(uint8_t *to, uint32_t lane, uint64_t value, bool wide) {
    if (wide)
        ((lane64 *)(void *)to)[lane] = value;
    else
        ((lane32 *)(void *)to)[lane] = (uint32_t)value;
}

INLINE uint64_t get_element(const uint8_t *from, uint32_t bytes) {
    switch (bytes) {
    case 1: return *(const memory_1 *)from;
    case 2: return *(const memory_2 *)from;
    case 4: return *(const memory_4 *)from;
    default: return *(const memory_8 *)from;
    }
}

INLINE void put_element(uint8_t *to, uint64_t value, uint32_t bytes) {
    switch (bytes) {
    case 1: *(memory_1 *)to = (uint8_t)value; break;
    case 2: *(memory_2 *)to = (uint16_t)value; break;
    case 4: *(memory_4 *)to = (uint32_t)value; break;
    default: *(memory_8 *)to = value; break;
    }
}

/* All 32 lanes, element by element. `at(i)` is the start of lane i's access. */
#define LOAD_ALL(at)                                                                                         \
    for (uint32_t e = 0; e < count; e++) {                                                                   \
        if (operation->destination[e] == SIMT_NO_OPERAND)                                                    \
            continue;                                                                                        \
        uint8_t *to = registers + operation->destination[e];                                                 \
        if (bytes == 8) {                                                                                    \
            uint64_t value[SIMT_LANES];                                                                      \
            for (int i = 0; i < SIMT_LANES; i++)                                                             \
                value[i] = *(const memory_8 *)((at) + 8 * e);                                                \
            memcpy(to, value, sizeof value);                                                                 \
        } else {                                                                                             \
            uint32_t value[SIMT_LANES];                                                                      \
            for (int i = 0; i < SIMT_LANES; i++)                                                             \
                value[i] = (uint32_t)get_element((at) + bytes * e, bytes);                                   \
            extend_lanes(to, value, (operation->immediate & ACCESS_EXTEND_MASK), bytes);                     \
        }                                                                                                    \
    }

#ifdef __AVX512F__
INLINE void load_rows_of_bytes(lane32 *to, const uint8_t *const row[4]) {
    for (int g = 0; g < 4; g++)
        _mm256_store_si256((__m256i *)(void *)(to + 8 * g),
                           _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)row[g])));
}
#else
INLINE void load_rows_of_bytes(lane32 *to, const uint8_t *const row[4]) {
    for (int g = 0; g < 4; g++)
        for (int i = 0; i < 8; i++)
            to[8 * g + i] = row[g][i];
}
#endif

/* The address register may be a destination: addresses are copied before any element is written. */
INLINE void load_all(const struct simt_operation *operation, uint8_t *registers, const uint8_t *host,
                     const uint64_t *address, enum pattern pattern, uint32_t bytes, uint32_t count) {
    uint32_t span = bytes * count;
    bool plain_bytes = bytes == 1 && count == 1 &&
                       (operation->immediate & ACCESS_EXTEND_MASK) == EXTEND_ZERO &&
                       operation->destination[0] != SIMT_NO_OPERAND;
    lane32 *plain = (lane32 *)(void *)(registers + operation->destination[0]);
    switch (pattern) {
    case PATTERN_ROW: {
        const uint8_t *row = host + address[0];
        if (plain_bytes) {
            load_rows_of_bytes(plain, (const uint8_t *const[]){row, row + 8, row + 16, row + 24});
            break;
        }
        LOAD_ALL(row + (uint32_t)i * span)
        break;
    }
    case PATTERN_SAME: {
        const uint8_t *same = host + address[0];
        LOAD_ALL(same)
        break;
    }
    case PATTERN_ROWS_OF_8: {
        const uint8_t *row[4] = {host + address[0], host + address[8], host + address[16],
                                 host + address[24]};
        if (plain_bytes) {
            load_rows_of_bytes(plain, row);
            break;
        }
        LOAD_ALL(row[i >> 3] + (uint32_t)(i & 7) * span)
        break;
    }
    default: LOAD_ALL(host + address[i]) break;
    }
}

INLINE void load_some(const struct simt_operation *operation, uint8_t *registers, const uint8_t *host,
                      const uint64_t *address, uint32_t mask, uint32_t bytes, uint32_t count) {
    uint32_t extend = operation->immediate & ACCESS_EXTEND_MASK;
    bool wide = bytes == 8 || extend >= EXTEND_ZERO_TO_64;
    for (uint32_t e = 0; e < count; e++) {
        if (operation->destination[e] == SIMT_NO_OPERAND)
            continue;
        uint8_t *to = registers + operation->destination[e];
        for (uint32_t left = mask; left; left &= left - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(left);
            uint64_t value = get_element(host + address[lane] + bytes * e, bytes);
            put_lane(to, lane, bytes == 8 ? value : extend_one((uint32_t)value, extend, bytes), wide);
        }
    }
}

#define STORE_ALL(at)                                                                                        \
    for (uint32_t e = 0; e < count; e++) {                                                                   \
        const uint8_t *from = registers + operation->source[1 + e];                                          \
        if (bytes == 8 || operation->immediate & ACCESS_VALUE_64) {                                          \
            const lane64 *value = (const lane64 *)(const void *)from;                                        \
            for (int i = 0; i < SIMT_LANES; i++)                                                             \
                put_element((at) + bytes * e, value[i], bytes);                                              \
        } else {                                                                                             \
            const lane32 *value = (const lane32 *)(const void *)from;                                        \
            for (int i = 0; i < SIMT_LANES; i++)                                                             \
                put_element((at) + bytes * e, value[i], bytes);                                              \
        }                                                                                                    \
    }

/* Lanes are written in ascending order: the highest lane wins where two write the same byte. */
INLINE void store_all(const struct simt_operation *operation, const uint8_t *registers, uint8_t *host,
                      const uint64_t *address, enum pattern pattern, uint32_t bytes, uint32_t count) {
    uint32_t span = bytes * count;
    if (pattern == PATTERN_ROW) {
        uint8_t *row = host + address[0];
        STORE_ALL(row + (uint32_t)i * span)
    } else {
        STORE_ALL(host + address[i])
    }
}

INLINE void store_some(const struct simt_operation *operation, const uint8_t *registers, uint8_t *host,
                       const uint64_t *address, uint32_t mask, uint32_t bytes, uint32_t count) {
    bool wide = bytes == 8 || operation->immediate & ACCESS_VALUE_64;
    for (uint32_t e = 0; e < count; e++) {
        const uint8_t *from = registers + operation->source[1 + e];
        for (uint32_t left = mask; left; left &= left - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(left);
            uint64_t value = wide ? ((const lane64 *)(const void *)from)[lane]
                                  : ((const lane32 *)(const void *)from)[lane];
            put_element(host + address[lane] + bytes * e, value, bytes);
        }
    }
}

/* ---- global and generic */
INLINE void access_global(const struct simt_operation *operation, uint8_t *registers, uint32_t mask,
                          bool store, uint32_t bytes, uint32_t count) {
    struct window_header *window = window_header(registers);
    struct site *site = &window->sites[operation->site];
    uint64_t address[SIMT_LANES] __attribute__((aligned(64)));
    uint32_t span = bytes * count;
    bool bypass = operation->immediate & ACCESS_BYPASS_L1;
    access_addresses(operation, registers, address);
    if (mask == UINT32_MAX) {
        struct survey survey = survey_addresses(address, span);
        if (__builtin_expect((survey.low - site->start >= site->limit) |
                                 (survey.high - site->start >= site->limit) | (survey.misaligned != 0),
                             0) &&
            (survey.misaligned || !simt_access_find_segment(window, operation, address, mask, span, store))) {
            simt_access_slowly(operation, registers, mask, PTX_GENERIC, store);
            return;
        }
        uint8_t *host = (uint8_t *)(uintptr_t)site->host_offset;
        count_global(window, site, address, survey.pattern, mask, span, store, bypass);
        if (store)
            store_all(operation, registers, host, address, survey.pattern, bytes, count);
        else
            load_all(operation, registers, host, address, survey.pattern, bytes, count);
    } else {
        uint64_t low = UINT64_MAX, high = 0, bits = 0;
        for (uint32_t left = mask; left; left &= left - 1) {
            uint64_t at = address[__builtin_ctz(left)];
            low = at < low ? at : low;
            high = at > high ? at : high;
            bits |= at;
        }
        if (__builtin_expect((low - site->start >= site->limit) | (high - site->start >= site->limit) |
                                 ((bits & (span - 1)) != 0),
                             0) &&
            ((bits & (span - 1)) ||
             !simt_access_find_segment(window, operation, address, mask, span, store))) {
            simt_access_slowly(operation, registers, mask, PTX_GENERIC, store);
            return;
        }
        uint8_t *host = (uint8_t *)(uintptr_t)site->host_offset;
        count_any(window, site, address, mask, span, store, bypass);
        if (store)
            store_some(operation, registers, host, address, mask, bytes, count);
        else
            load_some(operation, registers, host, address, mask, bytes, count);
    }
    if (operation->immediate & ACCESS_POLL)
        window->worker->polled = true;
}

/* ---- shared */
INLINE void access_shared(const struct simt_operation *operation, uint8_t *registers, uint32_t mask,
                          bool store, uint32_t bytes, uint32_t count) {
    struct window_header *window = window_header(registers);
    uint32_t span = bytes * count;
    uint64_t address[SIMT_LANES] __attribute__((aligned(64)));
    uint32_t narrow[SIMT_LANES] __attribute__((aligned(64)));
    access_addresses(operation, registers, address);
    uint32_t threads = SIMT_LANES;
    struct survey survey;
    if (mask == UINT32_MAX) {
        survey = survey_addresses(address, span);
    } else {
        uint64_t low = UINT64_MAX, high = 0, bits = 0;
        threads = (uint32_t)__builtin_popcount(mask);
        for (uint32_t left = mask; left; left &= left - 1) {
            uint64_t at = address[__builtin_ctz(left)];
            low = at < low ? at : low;
            high = at > high ? at : high;
            bits |= at;
        }
        survey = (struct survey){low, high, bits & (span - 1), PATTERN_ANY};
    }
    if (__builtin_expect((survey.high + span > window->shared_bytes) | (survey.high > UINT32_MAX) |
                             (survey.misaligned != 0) | window->watched,
                         0)) {
        simt_access_slowly(operation, registers, mask, PTX_SHARED, store);
        return;
    }
    struct site *site = &window->sites[operation->site];
    struct wavefronts wavefronts = {1, 1};
    if (survey.pattern == PATTERN_ROW && span > 4) {
        wavefronts = (struct wavefronts){span / 4, span / 4};
    } else if ((span > 4 || (survey.high >> 2) - (survey.low >> 2) >= 32) && !window->sm->results_alone) {
        for (int i = 0; i < SIMT_LANES; i++)
            narrow[i] = (uint32_t)address[i];
        bool alone = store || operation->instruction->flags & PTX_ROWS;
        wavefronts = simt_shared_wavefronts(narrow, mask, span, alone);
    }
    count_request(site, threads, wavefronts.count, 1, wavefronts.ideal);
    if (mask == UINT32_MAX) {
        if (store)
            store_all(operation, registers, window->shared, address, survey.pattern, bytes, count);
        else
            load_all(operation, registers, window->shared, address, survey.pattern, bytes, count);
    } else {
        if (store)
            store_some(operation, registers, window->shared, address, mask, bytes, count);
        else
            load_some(operation, registers, window->shared, address, mask, bytes, count);
    }
    if (operation->immediate & ACCESS_POLL)
        window->worker->polled = true;
}

/* ---- an entry's parameter at a fixed address: the same for all lanes */
static void parameter_load(const struct simt_operation *operation, uint8_t *registers, uint32_t *predicates,
                           uint32_t mask) {
    (void)predicates;
    const uint8_t *from = window_header(registers)->worker->launch->parameters + operation->offset;
    uint32_t bytes = access_bytes(operation), count = access_count(operation);
    uint32_t extend = operation->immediate & ACCESS_EXTEND_MASK;
    for (uint32_t e = 0; e < count; e++) {
        if (operation->destination[e] == SIMT_NO_OPERAND)
            continue;
        uint8_t *to = registers + operation->destination[e];
        uint64_t value = get_element(from + bytes * e, bytes);
        if (bytes < 8)
            value = extend_one((uint32_t)value, extend, bytes);
        if (bytes == 8 || extend >= EXTEND_ZERO_TO_64) {
            for (int i = 0; i < SIMT_LANES; i++)
                ((lane64 *)(void *)to)[i] = mask >> i & 1 ? value : ((lane64 *)(void *)to)[i];
        } else {
            for (int i = 0; i < SIMT_LANES; i++)
                ((lane32 *)(void *)to)[i] = mask >> i & 1 ? (uint32_t)value : ((lane32 *)(void *)to)[i];
        }
    }
}

/* ---- the handlers: one for each space, direction, width and vector length */
#define SHAPES(X) X(1, 1) X(2, 1) X(4, 1) X(8, 1) X(1, 2) X(2, 2) X(4, 2) X(8, 2) X(1, 4) X(2, 4) X(4, 4)
#define DEFINE_HANDLER(space, name, store, bytes, count)                                                     \
    static void space##_##name##_##bytes##_##count(                                                          \
        const struct simt_operation *operation, uint8_t *registers, uint32_t *predicates, uint32_t mask) {   \
        (void)predicates;                                                                                    \
        access_##space(operation, registers, mask, store, bytes, count);                                     \
    }
#define DEFINE_HANDLERS(bytes, count)                                                                        \
    DEFINE_HANDLER(global, load, false, bytes, count)                                                        \
    DEFINE_HANDLER(global, store, true, bytes, count)                                                        \
    DEFINE_HANDLER(shared, load, false, bytes, count)                                                        \
    DEFINE_HANDLER(shared, store, true, bytes, count)
SHAPES(DEFINE_HANDLERS)

simt_handler VARIANT(simt_access)(enum ptx_space space, bool store, uint32_t bytes, uint32_t count) {
    if (space == PTX_PARAM_ENTRY)
        return parameter_load;
#define PICK(b, c)                                                                                           \
    if (bytes == b && count == c)                                                                            \
        return space == PTX_SHARED ? (store ? shared_store_##b##_##c : shared_load_##b##_##c)                \
                                   : (store ? global_store_##b##_##c : global_load_##b##_##c);
    SHAPES(PICK)
#undef PICK
    return NULL;
}
