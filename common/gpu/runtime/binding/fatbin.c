/* fatbin.c: reading the container. Layout as the toolkits from 11.8 to 13.0 write it, little endian:
 *
 *   container   u32 magic 0xBA55ED50, u16 version 1, u16 header bytes (16), u64 bytes after the header
 *   entry       0 u16 kind                  28 u32 architecture
 *               2 u16                       32 u32 name offset
 *               4 u32 header bytes          36 u32 name bytes
 *               8 u64 stored bytes, padded  40 u64 flags
 *              16 u32 compressed bytes      48 u64
 *              20 u32 offset of more        56 u64 uncompressed bytes
 *              24 u16 minor, 26 u16 major   64 u32 offset, 68 u32 bytes of ptxas options (PTX only)
 */
#include "gpu/runtime/binding/fatbin.h"

#include <lz4.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { ENTRY_HEADER = 64, OPTIONS_HEADER = 72 };
/* CUDA 13 makes no PTX for anything older: a simulated GPU that is older runs this. */
enum { OLDEST_PTX = 75 };
enum { CONTAINER_MAGIC = 0xBA55ED50 };
enum { FLAG_LZ4 = 0x2000, FLAG_ZSTD = 0x8000, FLAG_SPECIFIC = 0x100000 };

static uint16_t read16(const uint8_t *at) {
    return (uint16_t)(at[0] | at[1] << 8);
}

static uint32_t read32(const uint8_t *at) {
    return read16(at) | (uint32_t)read16(at + 2) << 16;
}

static uint64_t read64(const uint8_t *at) {
    return read32(at) | (uint64_t)read32(at + 4) << 32;
}

uint64_t fatbin_container_bytes(const void *bytes) {
    const uint8_t *header = bytes;
    if (read32(header) != CONTAINER_MAGIC)
        return 0;
    uint64_t header_bytes = read16(header + 6), payload = read64(header + 8);
    if (header_bytes < FATBIN_HEADER_BYTES || payload > UINT64_MAX - header_bytes)
        return 0;
    return header_bytes + payload;
}

static void read_options(struct fatbin_entry *entry, const uint8_t *at, uint32_t header_bytes) {
    if (header_bytes < OPTIONS_HEADER)
        return;
    uint32_t offset = read32(at + 64), length = read32(at + 68);
    if (offset > header_bytes || length > header_bytes - offset)
        return;
    entry->options = (const char *)at + offset;
    entry->options_bytes = length;
}

/* nvcc notes "--compile-only" among the options of PTX that waits for a device linker. */
static bool options_say_relocatable(const struct fatbin_entry *entry) {
    static const char compile_only[] = "--compile-only";
    return memmem(entry->options, entry->options_bytes, compile_only, sizeof compile_only - 1) != NULL;
}

static bool parse_entry(const uint8_t *at, uint64_t left, struct fatbin_entry *entry, uint64_t *used,
                        char *error, size_t error_size) {
    if (left < ENTRY_HEADER) {
        snprintf(error, error_size, "fat binary: an entry's header is cut off after %llu bytes",
                 (unsigned long long)left);
        return false;
    }
    uint32_t header_bytes = read32(at + 4);
    uint64_t stored = read64(at + 8), flags = read64(at + 40);
    if (header_bytes < ENTRY_HEADER || header_bytes > left || stored > left - header_bytes) {
        snprintf(error, error_size,
                 "fat binary: an entry of %u + %llu bytes does not fit the %llu that are left", header_bytes,
                 (unsigned long long)stored, (unsigned long long)left);
        return false;
    }
    *entry = (struct fatbin_entry){
        .kind = read16(at),
        .architecture = read32(at + 28),
        .specific = (flags & FLAG_SPECIFIC) != 0,
        .data = at + header_bytes,
        .stored_bytes = stored,
        .bytes = stored,
    };
    if (flags & (FLAG_LZ4 | FLAG_ZSTD)) {
        uint32_t compressed = read32(at + 16);
        uint64_t bytes = read64(at + 56);
        if (compressed > stored || bytes > FATBIN_MAX_ENTRY_BYTES) {
            snprintf(error, error_size,
                     "fat binary: a compressed entry says %u bytes of %llu, %llu uncompressed", compressed,
                     (unsigned long long)stored, (unsigned long long)bytes);
            return false;
        }
        entry->compression = flags & FLAG_ZSTD ? FATBIN_ZSTD : FATBIN_LZ4;
        entry->stored_bytes = compressed;
        entry->bytes = bytes;
    } else if (stored > FATBIN_MAX_ENTRY_BYTES) {
        snprintf(error, error_size, "fat binary: an entry of %llu bytes, more than this reader takes",
                 (unsigned long long)stored);
        return false;
    }
    entry->options = "";
    if (entry->kind == FATBIN_PTX) {
        read_options(entry, at, header_bytes);
        entry->relocatable = options_say_relocatable(entry);
    }
    *used = header_bytes + stored;
    return true;
}

bool fatbin_parse(const void *bytes, size_t size, struct fatbin *fatbin, char *error, size_t error_size) {
    const uint8_t *at = bytes, *end = at + size;
    fatbin->count = 0;
    do {
        uint64_t container = (size_t)(end - at) >= FATBIN_HEADER_BYTES ? fatbin_container_bytes(at) : 0;
        if (container == 0 || container > (uint64_t)(end - at)) {
            snprintf(error, error_size, "fat binary: no container at byte %zu of %zu, or it is cut off",
                     size - (size_t)(end - at), size);
            return false;
        }
        const uint8_t *container_end = at + container;
        at += read16(at + 6);
        while (at < container_end) {
            uint64_t used = 0;
            if (fatbin->count == FATBIN_MAX_ENTRIES) {
                snprintf(error, error_size, "fat binary: more than %d entries", FATBIN_MAX_ENTRIES);
                return false;
            }
            if (!parse_entry(at, (uint64_t)(container_end - at), &fatbin->entries[fatbin->count], &used,
                             error, error_size))
                return false;
            fatbin->count++;
            at += used;
        }
    } while (at < end);
    return true;
}

/* "machine code for sm_75, sm_90; PTX for compute_80": what a message says is there. */
static void describe(const struct fatbin *fatbin, uint16_t kind, const char *prefix, char *text,
                     size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < fatbin->count; i++) {
        const struct fatbin_entry *entry = &fatbin->entries[i];
        if (entry->kind != kind || used >= size)
            continue;
        int n = snprintf(text + used, size - used, "%s%s_%u%s", used ? ", " : "", prefix, entry->architecture,
                         entry->specific ? "a" : "");
        used += n > 0 ? (size_t)n : 0;
    }
}

const struct fatbin_entry *fatbin_choose_ptx(const struct fatbin *fatbin, uint32_t compute_major,
                                             uint32_t compute_minor, char *error, size_t error_size) {
    uint32_t capability = compute_major * 10 + compute_minor;
    uint32_t highest = capability > OLDEST_PTX ? capability : OLDEST_PTX;
    const struct fatbin_entry *best = NULL;
    for (uint32_t i = 0; i < fatbin->count; i++) {
        const struct fatbin_entry *entry = &fatbin->entries[i];
        if (entry->kind != FATBIN_PTX || entry->architecture > highest ||
            (entry->specific && entry->architecture != capability))
            continue;
        if (best == NULL || entry->architecture > best->architecture)
            best = entry;
    }
    if (best != NULL)
        return best;
    char ptx[256], machine[256], unlinked[256];
    describe(fatbin, FATBIN_PTX, "compute", ptx, sizeof ptx);
    describe(fatbin, FATBIN_CUBIN, "sm", machine, sizeof machine);
    describe(fatbin, FATBIN_LTO, "lto", unlinked, sizeof unlinked);
    if (!ptx[0] && !machine[0] && !unlinked[0])
        snprintf(error, error_size, "this program holds neither PTX nor machine code");
    else
        snprintf(
            error, error_size,
            "this program holds %s%s%s%s%s%s, and the simulated GPU (compute capability %u.%u) runs PTX for "
            "compute_%u or older: build with -arch=sm_%u, or add -gencode arch=compute_%u,code=compute_%u",
            ptx[0] ? "PTX for " : "no PTX", ptx, machine[0] ? ", machine code for " : "", machine,
            unlinked[0] ? ", code for -dlto, " : "", unlinked, compute_major, compute_minor, highest, highest,
            highest, highest);
    return NULL;
}

const struct fatbin_entry *fatbin_choose_cubin(const struct fatbin *fatbin, uint32_t compute_major,
                                               uint32_t compute_minor) {
    uint32_t capability = compute_major * 10 + compute_minor;
    const struct fatbin_entry *best = NULL;
    uint32_t best_rank = UINT32_MAX;
    for (uint32_t i = 0; i < fatbin->count; i++) {
        const struct fatbin_entry *entry = &fatbin->entries[i];
        if (entry->kind != FATBIN_CUBIN || entry->architecture > 10000)
            continue;
        uint32_t architecture = entry->architecture;
        bool above = architecture > capability;
        /* What the hardware itself would run ranks first, then by distance, older before newer. */
        bool runs = !above && architecture / 10 == compute_major;
        uint32_t distance = above ? architecture - capability : capability - architecture;
        uint32_t rank = (runs ? 0 : 100000) + distance * 2 + above;
        if (rank < best_rank) {
            best = entry;
            best_rank = rank;
        }
    }
    return best;
}

void *fatbin_extract(const struct fatbin_entry *entry, char *error, size_t error_size) {
    uint8_t *bytes = malloc(entry->bytes + 1);
    if (bytes == NULL) {
        snprintf(error, error_size, "fat binary: out of memory for an entry of %zu bytes", entry->bytes);
        return NULL;
    }
    bytes[entry->bytes] = 0;
    bool whole = true;
    if (entry->compression == FATBIN_PLAIN) {
        memcpy(bytes, entry->data, entry->bytes);
    } else if (entry->compression == FATBIN_LZ4) {
        int n = LZ4_decompress_safe((const char *)entry->data, (char *)bytes, (int)entry->stored_bytes,
                                    (int)entry->bytes);
        whole = n >= 0 && (size_t)n == entry->bytes;
    } else {
        size_t n = ZSTD_decompress(bytes, entry->bytes, entry->data, entry->stored_bytes);
        whole = !ZSTD_isError(n) && n == entry->bytes;
    }
    if (!whole) {
        snprintf(error, error_size, "fat binary: the %s-compressed entry for architecture %u is damaged",
                 entry->compression == FATBIN_LZ4 ? "LZ4" : "zstd", entry->architecture);
        free(bytes);
        return NULL;
    }
    return bytes;
}
