/*
 * device.h: the simulated device: address windows, segments of device memory, what is known of each byte, allocations.
 * Private to simt/.
 */
#ifndef SIMT_MEMORY_DEVICE_H
#define SIMT_MEMORY_DEVICE_H

#include "gpu/simt/memory/cache.h"
#include "gpu/simt/simt.h"

/* ---- addresses. Generic addresses of shared and local memory carry their space in bits no pointer uses. */
#define SIMT_SHARED_WINDOW ((uint64_t)1 << 60)
#define SIMT_LOCAL_WINDOW ((uint64_t)2 << 60)
#define SIMT_CODE_WINDOW ((uint64_t)3 << 60) /* addresses of functions: window + 16 * index, never readable */
#define SIMT_WINDOW_MASK ((uint64_t)15 << 60)

/* ---- device memory */

/* Where a value became unknown (undefined.h): an index, and what has happened to it since. 0: it is known. */
typedef uint32_t cause_id;

/* What is known of a piece of memory, byte by byte. */
struct memory_shadow {
    uint64_t bytes;
    uint8_t *defined; /* a bit is 1 where it is known */
    cause_id *cause;  /* of each 4 bytes: why what was stored there is not known; 0: nothing was stored */
    uint32_t *writer; /* of each byte of device memory: which store (order.c); NULL elsewhere */
};

/* The same of a register file (undefined_follow.c). */
struct register_shadow {
    uint8_t *unknown;
    cause_id *cause;
    uint32_t *lanes;
    size_t bytes;
    bool any;
};

/* A range of device addresses that host memory stands behind: what translation looks up. */
struct segment {
    uint64_t start, bytes;
    uint8_t *host;
    struct memory_shadow *shadow; /* NULL: not watched, all of it counts as written */
    bool mapped;                  /* the host's memory */
    bool touched;                 /* by the launch that runs; atomic */
    struct simt_sectors *sectors; /* where in it; NULL: nobody wants to know */
};

/* What the program allocated, and may free. With strict checks each allocation is a segment of exactly its size. */
struct allocation {
    uint64_t start, bytes;
    uint64_t ordinal; /* 1 for the first cudaMalloc of the program; 0 for variables and mappings */
    uint8_t *host;    /* memory to give back, NULL when it is not ours (mapped) or belongs to a shared page */
    uint64_t host_bytes;
    char what[64];             /* "cudaMalloc #2", "variable 'table'", "src" */
    struct buffer_shape shape; /* name "": not known */
    /* What of it outlives a judged call (kept.c). */
    bool foreign;   /* a judge's */
    bool derived;   /* what lies there may follow from a judge's memory */
    bool changed;   /* what lies there does not, and `kept` is older */
    bool forgotten; /* an earlier call's content is gone */
    bool variable;  /* a module's: never without a value */
    uint8_t *kept;  /* what it goes back to; NULL: as newly allocated */
};

struct simt_device {
    struct simt_config config;
    struct segment *segments; /* sorted by start */
    size_t segment_count, segment_capacity;
    struct allocation *allocations; /* sorted by start */
    size_t allocation_count, allocation_capacity;
    struct allocation *freed; /* a ring: the most recent ones, for messages */
    size_t freed_count, freed_capacity;
    uint64_t next_address; /* where the next search for free addresses starts */
    uint64_t used, ordinal;
    struct {
        uint64_t start;
        uint32_t next;
    } page; /* the page small allocations share when not strict */
    uint64_t stack_bytes, heap_bytes, printf_bytes;
    struct device_heap *heap; /* device malloc, made on first use */
    struct l2_cache *l2;
    enum simt_status (*place_managed)(void *context, uint64_t bytes, uint64_t alignment, uint64_t *address);
    void *place_context;
    struct simt_remark *remarks; /* SIMT_REMARKS of them, NULL: none yet */
    uint32_t remark_count;
    struct checker *checker; /* NULL: nothing is watched */
    uint64_t launches;       /* %gridid */
    uint64_t workspace;      /* where the blocks of a cooperative launch meet; 0: none has been launched */
    uint64_t cycles;         /* instructions run by earlier launches: where %globaltimer starts */
    bool keeps;              /* judged calls: kept.c */
    uint64_t kept_bytes;     /* of all allocations */
    char missed[64];         /* what a launch touched that an earlier call had filled, "" none */
};

const struct segment *simt_device_segment(const struct simt_device *device, uint64_t address);
/* A kernel goes there (kept.c): the sectors of the lanes, `span` bytes each. */
void simt_segment_touch(const struct segment *segment, const uint64_t *address, uint32_t mask, uint32_t span);
const struct allocation *simt_device_allocation(const struct simt_device *device, uint64_t address);
/* How many allocations start at or below the address. */
size_t simt_device_allocation_above(const struct simt_device *device, uint64_t address);
enum simt_status simt_device_allocate_named(struct simt_device *device, uint64_t bytes, const char *what,
                                            uint64_t *address);
/* "4 bytes past the end of the 4096000-byte allocation at 0x..., made by cudaMalloc #2" and the like. True when it is a
 * place in a buffer whose shape is known: "src[17], pixel (1, 1)". */
bool simt_device_describe_address(const struct simt_device *device, uint64_t address, uint32_t bytes,
                                  char *text, size_t size);

/* Keep a remark: once for each kind, file and line; the count of the first grows. */
void simt_device_remark(struct simt_device *device, const struct simt_remark *remark);

void simt_device_heap_free(struct device_heap *heap);
/* What of it is whose: keep that, false: out of memory; go back to what was kept, or to nothing is anybody's. */
bool simt_device_heap_keep(struct device_heap *heap);
void simt_device_heap_reset(struct device_heap *heap);
uint64_t simt_device_heap_address(const struct device_heap *heap);

/* What is kept of an allocation goes with it (kept.c). */
void simt_kept_free(struct simt_device *device, struct allocation *allocation);
/* A variable has its initial value (kept.c); zero: it is all zeros. */
void simt_kept_initialised(struct simt_device *device, uint64_t address, bool zero);

#endif
