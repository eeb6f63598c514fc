/*
 * fatbin.h: what nvcc embeds in a program. A fat binary is a container of entries, each PTX text or machine
 * code (a cubin) for one compute capability, plain or compressed (LZ4 up to CUDA 12, zstd from then on). Any
 * byte string is safe to pass: every field is checked against the bytes that are there.
 */
#ifndef RUNTIME_FATBIN_H
#define RUNTIME_FATBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fatbin_kind { FATBIN_PTX = 1, FATBIN_CUBIN = 2, FATBIN_LTO = 8 /* what -dlto leaves for the linker */ };

enum fatbin_compression { FATBIN_PLAIN, FATBIN_LZ4, FATBIN_ZSTD };

struct fatbin_entry {
    uint16_t kind;         /* enum fatbin_kind, or a number this reader passes over */
    uint32_t architecture; /* 75 for sm_75 or compute_75 */
    bool specific;         /* sm_90a and the like: runs on exactly that architecture */
    bool relocatable;      /* made by -rdc=true or -dc: waits for a device linker */
    const char *
        options; /* of PTX: how the program's own machine code was made of it; "" none; inside those bytes, too */
    uint32_t options_bytes;
    enum fatbin_compression compression;
    const uint8_t *data;        /* inside the bytes given to fatbin_parse */
    size_t stored_bytes, bytes; /* as stored, and uncompressed */
};

enum { FATBIN_HEADER_BYTES = 16, FATBIN_MAX_ENTRIES = 256, FATBIN_MAX_ENTRY_BYTES = 256 << 20 };

struct fatbin {
    uint32_t count;
    struct fatbin_entry entries[FATBIN_MAX_ENTRIES];
};

/* Bytes of the container that starts at `bytes` (its header says so), 0 when it is none. Reads its header. */
uint64_t fatbin_container_bytes(const void *bytes);

/* List the entries of a container, or of several that follow each other. The entries point into `bytes`.
 * Returns false and a one-line message when it is malformed. */
bool fatbin_parse(const void *bytes, size_t size, struct fatbin *fatbin, char *error, size_t error_size);

/*
 * The PTX to run on a GPU of compute capability major.minor: the highest that is not above it, or above 7.5.
 * NULL and a message that lists what is there, and how to build it right, when none fits.
 */
const struct fatbin_entry *fatbin_choose_ptx(const struct fatbin *fatbin, uint32_t compute_major,
                                             uint32_t compute_minor, char *error, size_t error_size);

/* The machine code nearest to that GPU: the same major at or below the minor if there is any; NULL when there
 * is none. */
const struct fatbin_entry *fatbin_choose_cubin(const struct fatbin *fatbin, uint32_t compute_major,
                                               uint32_t compute_minor);

/* The uncompressed bytes of an entry, with a NUL after them; to be freed. NULL and a message on failure. */
void *fatbin_extract(const struct fatbin_entry *entry, char *error, size_t error_size);

#endif
