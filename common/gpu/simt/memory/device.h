/* device.h: the simulated device: address windows, segments of device memory, their shadows,
 * allocations. Private to simt/. */
#pragma once

#include "gpu/simt/memory/cache.h"
#include "gpu/simt/simt.h"

/* ---- addresses. Generic shared and local addresses have their space in bits that no pointer
 * uses. */
#define SIMT_SHARED_WINDOW ((uint64_t)1 << 60)
#define SIMT_LOCAL_WINDOW ((uint64_t)2 << 60)
#define SIMT_CODE_WINDOW ((uint64_t)3 << 60) /* a function's address: window + 16 * index; never readable */
#define SIMT_WINDOW_MASK ((uint64_t)15 << 60)

/* ---- device memory */

/* Why a value is unknown (undefined.h): the index of a cause, and flags. 0: it is known. */
typedef uint32_t cause_id;

/* The unknown bits of a piece of memory. */
struct memory_shadow {
    uint64_t bytes;
    uint8_t *defined; /* a bit is 1 where it is known */
    cause_id *cause;  /* of each 4 bytes: why the stored value is unknown; 0: nothing was stored */
    uint32_t *writer; /* of each byte of device memory: the number of its store (order.c); else NULL */
};

/* The unknown bits of a register file (undefined_follow.c). */
struct register_shadow {
    uint8_t *unknown;
    cause_id *cause;
    uint32_t *lanes;
    size_t bytes;
    bool any;
};

/* A range of device addresses with host memory behind it, for translation. */
struct segment {
    uint64_t start, bytes;
    uint8_t *host;
    struct memory_shadow *shadow; /* NULL: not watched, all bytes count as written */
    bool mapped;                  /* the host's memory (simt_map) */
    bool touched;                 /* by the running launch; atomic */
    struct simt_sectors *sectors; /* the sectors that launches touch; NULL: not wanted */
};

/* What the program allocated and may free: a segment of exactly its size. */
struct allocation {
    uint64_t start, bytes;
    uint64_t ordinal; /* number of the program's cudaMalloc, from 1; 0: variables and mappings */
    uint8_t *host;    /* memory to free; NULL: mapped */
    uint64_t host_bytes;
    char what[64];             /* "cudaMalloc #2", "variable 'table'", "src" */
    struct buffer_shape shape; /* name "": not known */
    /* Judged calls (kept.c). */
    bool foreign;   /* a judge's */
    bool derived;   /* the contents may follow from a judge's memory */
    bool changed;   /* the contents do not, and `kept` is out of date */
    bool forgotten; /* contents of an earlier call are gone */
    bool variable;  /* a module's, which always has a value */
    uint8_t *kept;  /* contents to restore; NULL: as newly allocated */
};

struct simt_device {
    struct simt_config config;
    struct segment *segments; /* sorted by start */
    size_t segment_count, segment_capacity;
    struct allocation *allocations; /* sorted by start */
    size_t allocation_count, allocation_capacity;
    struct allocation *freed; /* ring of the most recent ones, for messages */
    size_t freed_count, freed_capacity;
    uint64_t next_address; /* where the search for free addresses goes on */
    uint64_t used, ordinal;
    uint8_t *stray; /* not strict: a page in place of all that belongs to no allocation */
    uint64_t stack_bytes, heap_bytes, printf_bytes;
    struct device_heap *heap; /* of device malloc, made on first use */
    struct l2_cache *l2;
    enum simt_status (*place_managed)(void *context, uint64_t bytes, uint64_t alignment, uint64_t *address);
    void *place_context;
    struct simt_remark *remarks; /* SIMT_REMARKS of them; NULL: none yet */
    uint32_t remark_count;
    struct checker *checker; /* NULL: nothing is watched */
    struct footprint *trace; /* bytes that launches touch; NULL: not wanted */
    struct footprint *early; /* those before griddepcontrol.wait; NULL: in `trace` with the others */
    uint64_t launches;       /* %gridid */
    uint64_t workspace;      /* where a cooperative grid synchronises; 0: none was launched */
    uint64_t cycles;         /* instructions of earlier launches: start of %globaltimer */
    bool keeps;              /* judged calls are tracked */
    bool samples_races;      /* in two blocks of a launch, whatever the checks are */
    uint64_t kept_bytes;     /* over all allocations */
    char missed[64];         /* memory filled in an earlier call that a launch touched; "": none */
};

const struct segment *simt_device_segment(const struct simt_device *device, uint64_t address);
/* Notes that a kernel accesses the lanes' sectors, `span` bytes a lane (kept.c). */
void simt_segment_touch(const struct segment *segment, const uint64_t *address, uint32_t mask, uint32_t span);
const struct allocation *simt_device_allocation(const struct simt_device *device, uint64_t address);
/* Number of allocations that start at or below the address. */
size_t simt_device_allocation_above(const struct simt_device *device, uint64_t address);
enum simt_status simt_device_allocate_named(struct simt_device *device, uint64_t bytes, const char *what,
                                            uint64_t *address);
/* Describes an address: "4 bytes past the end of the 4096000-byte allocation at 0x..., made by
 * cudaMalloc #2", "src[17], pixel (1, 1)". True: it is in a buffer whose shape is known. */
bool simt_device_describe_address(const struct simt_device *device, uint64_t address, uint32_t bytes,
                                  char *text, size_t size);

/* Host memory in place of device memory that belongs to no allocation, or not whole. Hardware maps
 * pages of 2 MiB and the neighbours' pages beside them. NULL: nothing is mapped there, the memory
 * was freed, or checks are strict. */
uint8_t *simt_device_stray(const struct simt_device *device, uint64_t address, uint32_t bytes);
/* The freed allocation that held the address; NULL: none. */
const struct allocation *simt_device_freed(const struct simt_device *device, uint64_t address);

/* Keeps a remark. Another one of the same kind, file and line raises its count. */
void simt_device_remark(struct simt_device *device, const struct simt_remark *remark);

void simt_device_heap_free(struct device_heap *heap);
/* Keeps which heap blocks are in use (false: out of memory); restores them, or frees all. */
bool simt_device_heap_keep(struct device_heap *heap);
void simt_device_heap_reset(struct device_heap *heap);
uint64_t simt_device_heap_address(const struct device_heap *heap);

/* Frees an allocation's kept contents (kept.c). */
void simt_kept_free(struct simt_device *device, struct allocation *allocation);
/* A variable has its initial value (kept.c); zero: all zeros. */
void simt_kept_initialised(struct simt_device *device, uint64_t address, bool zero);
