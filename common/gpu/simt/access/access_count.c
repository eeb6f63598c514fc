/* access_count.c: counts wavefronts of shared memory by its banks, and sectors of local memory.
 * Global memory: access.h. */
#include "gpu/simt/access/access.h"

/* ---- shared memory banks */

/* The largest number of distinct words in one bank for the lanes of `mask`; each lane accesses
 * `words` words from its address. */
static uint32_t conflict_degree(const uint32_t *address, uint32_t mask, uint32_t words) {
    uint32_t seen[32][32], highest = 0;
    uint8_t degree[32] = {0};
    uint32_t worst = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t first = address[__builtin_ctz(left)] >> 2;
        for (uint32_t word = first; word < first + words; word++) {
            uint32_t bank = word & 31, i = word > highest ? degree[bank] : 0; /* above all: new */
            highest = word > highest ? word : highest;
            while (i < degree[bank] && seen[bank][i] != word)
                i++;
            if (i == degree[bank] && i < 32) {
                seen[bank][i] = word;
                degree[bank]++;
                worst = degree[bank] > worst ? degree[bank] : worst;
            }
        }
    }
    return worst;
}

/* Whether each active lane has the address of its partner (lane ^ distance) or an inactive one. */
static bool paired(const uint32_t *address, uint32_t mask, uint32_t distance) {
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), partner = lane ^ distance;
        if (mask >> partner & 1 && address[lane] != address[partner])
            return false;
    }
    return true;
}

struct wavefronts simt_shared_wavefronts(const uint32_t *address, uint32_t mask, uint32_t span, bool store) {
    if (span <= 4)
        return (struct wavefronts){conflict_degree(address, mask, 1), 1};
    uint32_t words = span / 4;
    uint32_t group = span == 8 ? 16 : 8;
    if (!store && (paired(address, mask, 1) || paired(address, mask, 2)))
        group *= 2;
    struct wavefronts wavefronts = {0, 0};
    for (uint32_t first = 0; first < SIMT_LANES; first += group) {
        uint32_t lanes = mask & (group == 32 ? UINT32_MAX : ((1u << group) - 1) << first);
        if (lanes) {
            wavefronts.count += conflict_degree(address, lanes, words);
            wavefronts.ideal++;
        }
    }
    return wavefronts;
}

void simt_count_bank_passes(struct site *site, const uint64_t *address, uint32_t mask, uint32_t span,
                            bool store) {
    uint32_t narrow[SIMT_LANES];
    for (uint32_t i = 0; i < SIMT_LANES; i++)
        narrow[i] = (uint32_t)address[i];
    site->passes += simt_shared_wavefronts(narrow, mask, span, store).count;
    site->looked++;
}

/* ---- global and local memory. In local memory, thread i's word w is word 32 w + i of its warp, so
 * that a warp's spill is one line a word. */

/* Bit i: one of lanes 8 i to 8 i + 7 is in the mask. */
static uint32_t eighths(uint32_t mask) {
    uint32_t bits = 0;
    for (uint32_t i = 0; i < 4; i++)
        bits |= (uint32_t)((mask >> (8 * i) & 0xff) != 0) << i;
    return bits;
}

void simt_count_local(struct window_header *window, struct site *site, const uint64_t *address, uint32_t mask,
                      uint32_t span, bool store, bool bypass) {
    struct sector_list list;
    if (window->sm->results_alone)
        return;
    const struct block *block = window->warp->block;
    uint64_t slot = (uint64_t)window->sm->index * 4096 +
                    block->ordinal % window->sm->launch->resident * block->warp_count + window->warp->index;
    uint64_t first_line = CACHE_LOCAL_LINES + slot * (window->local_stride / 4);
    uint64_t highest = 0;
    list.lines = 0;
    uint32_t words = span < 4 ? 1 : span / 4;
    bool one_place = is_one_place(address, mask);
    uint32_t one_bits = eighths(mask);
    for (uint32_t word = 0; word < words && one_place; word++)
        sector_list_add(&list, first_line + (address[__builtin_ctz(mask)] & ~SIMT_WINDOW_MASK) / 4 + word,
                        one_bits, &highest);
    for (uint32_t word = 0; word < words && !one_place; word++)
        for (uint32_t left = mask; left; left &= left - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(left);
            uint64_t line = first_line + (address[lane] & ~SIMT_WINDOW_MASK) / 4 + word;
            sector_list_add(&list, line, 1u << (lane / 8), &highest);
        }
    struct l1_cache *l1 = &window->sm->l1;
    uint32_t sectors = 0;
    struct l1_before before = l1_now(l1);
    for (uint32_t i = 0; i < list.lines; i++) {
        sectors += cache_sectors(list.bits[i]);
        if (l1->sets == NULL)
            continue;
        cache_access(l1, list.line[i], list.bits[i], store ? CACHE_WRITE : CACHE_READ, bypass);
    }
    count_late(site, l1, &before);
    uint32_t threads = (uint32_t)__builtin_popcount(mask);
    count_request(site, threads, sectors, list.lines, (threads * span + 31) / 32);
}

void simt_count_shared_lanes(struct site *site, const uint64_t *address, uint32_t mask, uint32_t span,
                             bool store) {
    uint32_t narrow[SIMT_LANES];
    for (uint32_t i = 0; i < SIMT_LANES; i++)
        narrow[i] = (uint32_t)address[i];
    uint32_t threads = (uint32_t)__builtin_popcount(mask);
    struct wavefronts wavefronts = simt_shared_wavefronts(narrow, mask, span, store);
    count_request(site, threads, wavefronts.count, 1, wavefronts.ideal);
}
