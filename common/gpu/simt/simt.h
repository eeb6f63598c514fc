/* simt.h: a simulated GPU as a library. It holds device memory, loads checked PTX programs, runs
 * launches and counts. It knows neither time (gpu/time/) nor processes (gpu/runtime/). All state is
 * in struct simt_device. */
#pragma once

#include "base/buffer_shape.h"
#include "base/counters.h"
#include "base/line_facts.h"
#include "base/loop_trips.h"
#include "gpu/ptx/program.h"

#define SIMT_DEFAULT_BUDGET (UINT64_C(1) << 35)

/* The simulated GPU and how to run it, filled from a file of gpu/models/, in tests by default. */
struct simt_config {
    uint32_t sm_count;
    uint32_t shared_per_block;        /* bytes: the opt-in maximum */
    uint32_t shared_per_block_static; /* 48 KB; more needs cudaFuncSetAttribute */
    uint32_t max_threads_per_block, max_block[3], max_grid[3];
    uint32_t registers_per_block, register_granularity, warp_granularity; /* as in gpu/time/gpus.h */
    uint64_t memory_bytes; /* bytes of device memory that the program may allocate */
    uint32_t l1_bytes;     /* L1 and shared memory together, per SM; L1 gets the rest */
    uint32_t l2_bytes;
    uint32_t l2_slices; /* of L2, for queues of atomics */
    uint32_t compute_major, compute_minor;
    uint32_t clock_khz; /* for %globaltimer and clock(): one instruction counts as one cycle */
    /* how to run: */
    uint32_t host_threads;       /* 0: one a core; the result does not depend on it */
    uint64_t instruction_budget; /* warp instructions that one launch may execute; 0: SIMT_DEFAULT_BUDGET */
    bool strict;                 /* fault where hardware silently goes on; else remark */
    bool check_races;            /* look for races on shared memory; slow */
    bool check;           /* make remarks (struct simt_remark); slow, each launch runs on one host thread */
    bool simulate_caches; /* count L1, L2 and DRAM; slow */
    bool results_alone;   /* requests, and what follows from them, need not be counted */
};

enum simt_status {
    SIMT_OK,
    SIMT_ILLEGAL_ADDRESS, /* out of bounds, null, host pointer, use after free */
    SIMT_MISALIGNED_ADDRESS,
    SIMT_ILLEGAL_INSTRUCTION,
    SIMT_INVALID_PC, /* call through a bad function pointer */
    SIMT_ASSERT,
    SIMT_TRAP,
    SIMT_STACK_OVERFLOW,     /* recursion deeper than the stack limit */
    SIMT_TIMEOUT,            /* instruction budget spent by an endless kernel */
    SIMT_BARRIER_DIVERGENCE, /* a barrier that not all threads reach */
    SIMT_RACE, /* two threads access one shared address, one writing, without a barrier between */
    SIMT_INVALID_CONFIGURATION, /* bad launch shape */
    SIMT_TOO_MANY_RESOURCES,    /* registers or shared memory for this block */
    SIMT_OUT_OF_MEMORY,
    SIMT_INVALID_VALUE,
    SIMT_NOT_SUPPORTED
};

/* The first fault of a launch in block order, whatever the number of host threads. */
struct simt_fault {
    enum simt_status status;
    const char *kernel;
    char file[256];
    uint32_t line, ptx_line;
    uint32_t block[3], thread[3];
    uint32_t grid[3], block_size[3]; /* of a launch that could not start */
    uint64_t address;
    uint32_t access_bytes;
    bool is_store;
    char message[1024]; /* lines for a student: what, where, nearest allocation, what to look at */
};

/* A mistake that stops neither the simulator nor hardware. simt_config.check looks for more of them;
 * "barrier", "members" and "stray" are faults with simt_config.strict. */
struct simt_remark {
    const char *kind; /* "unwritten", "absent-lane", "race", "barrier", "members", "stray", "shared-race" */
    char kernel[256]; /* mangled; "": none */
    char file[256];
    uint32_t line; /* 0: unknown */
    uint32_t block[3], thread[3];
    uint64_t count; /* occurrences since the last simt_take_remarks */
    char message[512];
};
enum { SIMT_REMARKS = 64 }; /* most that are kept */

struct simt_device;
struct simt_module;
struct simt_kernel;

void simt_config_default(struct simt_config *config); /* H200's limits; caches and strict on, races off */
struct simt_device *simt_device_create(const struct simt_config *config); /* NULL: out of memory */
void simt_device_destroy(struct simt_device *device);
void simt_device_set_check_races(struct simt_device *device, bool on);
/* Looks for races in two blocks of each launch even with strict checks, whose faults they then are. */
void simt_device_set_sample_races(struct simt_device *device, bool on);
void simt_device_set_check(struct simt_device *device, bool on);
void simt_device_set_results_alone(struct simt_device *device, bool on);
/* Empties L2 without write-back, as ncu does before a kernel. Otherwise L2 keeps its contents from
 * launch to launch. */
void simt_device_flush_cache(struct simt_device *device);
/* Sets the function that places __managed__ variables so that the host sees them. It returns an
 * address that simt_map made reachable. simt_module_load writes the initial value there; unload
 * does not free it. NULL: placed like other variables. */
void simt_device_set_managed_placer(struct simt_device *device,
                                    enum simt_status (*place)(void *context, uint64_t bytes,
                                                              uint64_t alignment, uint64_t *address),
                                    void *context);
/* Bytes of a thread's stack (local memory), of device malloc's heap, and of printf's buffer; by
 * default 1 KiB, 8 MiB, 1 MiB. */
void simt_device_set_limits(struct simt_device *device, uint64_t stack_bytes, uint64_t heap_bytes,
                            uint64_t printf_bytes);

/* ---- device memory. Allocations are 512-byte aligned, with guard space between them. Their
 * addresses lie in [SIMT_ADDRESS_BASE, SIMT_ADDRESS_BASE + SIMT_ADDRESS_BYTES). */
#define SIMT_ADDRESS_BASE ((uint64_t)3 << 44)
#define SIMT_ADDRESS_BYTES ((uint64_t)1 << 40)
/* The host's own addresses end here: Linux gives a program 47 bits on x86-64 and 48 on aarch64. */
#ifdef __x86_64__
#define SIMT_HOST_ADDRESS_END ((uint64_t)1 << 47)
#else
#define SIMT_HOST_ADDRESS_END ((uint64_t)1 << 48)
#endif

enum simt_status simt_allocate(struct simt_device *device, uint64_t bytes, uint64_t *address);
/* Allocates memory of known shape that is not the program's: faults name it and its elements. It
 * does not count among the program's numbered cudaMallocs. */
enum simt_status simt_allocate_shaped(struct simt_device *device, uint64_t bytes,
                                      const struct buffer_shape *shape, uint64_t *address);
/* Begins the next allocation at a page of 2 MiB, `pages` pages further on, so that its address
 * cannot be guessed. What depends on a place in a page is the same wherever the buffers lie. */
void simt_skip_addresses(struct simt_device *device, uint64_t pages);
/* Maps host memory for the device (managed, mapped) at any address. The caller owns `host`. */
enum simt_status simt_map(struct simt_device *device, uint64_t address, uint64_t bytes, void *host,
                          const char *what);
/* Frees or unmaps. The address is remembered for messages on use after free. */
enum simt_status simt_free(struct simt_device *device, uint64_t address);
/* Start and size of the allocation that holds the address. False: there is none. */
bool simt_find_allocation(const struct simt_device *device, uint64_t address, uint64_t *start,
                          uint64_t *bytes);
/* Name in faults of the allocation that holds the address: "cudaMalloc #2", "src"; NULL: none. */
const char *simt_allocation_name(const struct simt_device *device, uint64_t address);
uint64_t simt_memory_used(const struct simt_device *device);
enum simt_status simt_write(struct simt_device *device, uint64_t to, const void *from, uint64_t bytes);
enum simt_status simt_read(struct simt_device *device, void *to, uint64_t from, uint64_t bytes);
/* Like simt_read, for a caller that checks every byte. simt_config.check then also remarks on bytes
 * that several threads of one store wrote, and on copies of unwritten shared memory. */
enum simt_status simt_read_judged(struct simt_device *device, void *to, uint64_t from, uint64_t bytes);
enum simt_status simt_copy(struct simt_device *device, uint64_t to, uint64_t from, uint64_t bytes);
enum simt_status simt_fill(struct simt_device *device, uint64_t to, uint32_t value, uint32_t width,
                           uint64_t count);
/* Makes bytes count as never written (simt_config.check): for a poisoned buffer. */
void simt_forget(struct simt_device *device, uint64_t address, uint64_t bytes);
/* Host pointer to [address, address + bytes), valid until freed. NULL: not in one allocation. */
void *simt_host_pointer(struct simt_device *device, uint64_t address, uint64_t bytes);

/* Copies the contents of all allocations, mapped host memory included. NULL: more than `most`
 * bytes, or out of memory. simt_restore restores them, and zeros later allocations. */
struct simt_saved;
struct simt_saved *simt_save(struct simt_device *device, uint64_t most);
void simt_restore(struct simt_device *device, const struct simt_saved *saved);
void simt_saved_free(struct simt_saved *saved); /* NULL is fine */

/* ---- judged calls: what of device memory outlives a call (memory/kept.c). Nothing is tracked
 * before simt_keep. "Derived" contents may follow from a judge's memory. */
void simt_keep(struct simt_device *device);
/* Marks an allocation as a judge's: what is computed from it must not outlive the call. */
void simt_keep_foreign(struct simt_device *device, uint64_t address);
/* The host wrote to the allocation that holds the address. derived: it wrote derived contents. */
void simt_keep_write(struct simt_device *device, uint64_t address, bool derived);
/* The host reads the allocation; whether its contents are derived. */
void simt_keep_read(struct simt_device *device, uint64_t address);
bool simt_keep_is_derived(const struct simt_device *device, uint64_t address);
/* To be called before any launch, copy or fill. */
void simt_keep_before_work(struct simt_device *device);
/* To be called after a launch. derived: its parameters are derived. Returns whether it wrote
 * derived contents. */
bool simt_keep_after_launch(struct simt_device *device, bool derived);
/* The call has ended. Derived contents are forgotten: a variable gets its initial value, an
 * allocation its earlier contents if these were small and not derived; other memory is as newly
 * allocated. The next cudaMalloc gets the number behind the last that is left: a buffer that each
 * call allocates and frees has one name. */
void simt_keep_end_call(struct simt_device *device);
/* Returns the lowest address above `above` that the next simt_keep_end_call will forget, and its
 * name in *what, "variable 'table'"; 0: none. simt_keep_forget forgets it alone. */
uint64_t simt_keep_next_left(const struct simt_device *device, uint64_t above, const char **what);
void simt_keep_forget(struct simt_device *device, uint64_t address);
/* Name ("cudaMalloc #2") of memory that a launch or copy touched after its contents from an earlier
 * call were forgotten. NULL: none. */
const char *simt_keep_missed(const struct simt_device *device);
/* Which 32-byte sectors of a mapping launches touch: a bit each in touched[], lowest first. asked:
 * sectors of all their requests. */
struct simt_sectors {
    uint8_t *touched;
    uint64_t asked;
};
/* Starts to watch the mapping. The caller owns *sectors, which must live as long as the mapping. */
void simt_watch_sectors(struct simt_device *device, uint64_t address, struct simt_sectors *sectors);

/* Adds the bytes that later launches touch to *footprint; volatile accesses count as atomics.
 * early: gets those that blocks touch before griddepcontrol.wait; NULL: *footprint has all.
 * Each launch then runs on one host thread. footprint NULL: no more. */
struct footprint;
void simt_device_trace(struct simt_device *device, struct footprint *footprint, struct footprint *early);

/* ---- programs */
/* Loads a checked program: places its variables and decodes its functions. The program must live as
 * long as the module. NULL and a message in error (size bytes) on failure. */
struct simt_module *simt_module_load(struct simt_device *device, const struct ptx_module *program,
                                     char *error, size_t size);
void simt_module_unload(struct simt_device *device, struct simt_module *module);
bool simt_module_variable(const struct simt_module *module, const char *name, uint64_t *address,
                          uint64_t *bytes);
/* NULL: the module has no such kernel. The launch of a refused kernel (ptx/program.h) says why. */
struct simt_kernel *simt_module_kernel(struct simt_module *module, const char *name);
/* A kernel's resources from the cubin's metadata, for launch checks and occupancy. */
struct simt_resources {
    uint32_t registers, static_shared, local_bytes, constant_bytes, max_threads;
    uint32_t spill_bytes; /* registers kept in local memory; SIMT_UNKNOWN: not known */
};
#define SIMT_UNKNOWN UINT32_MAX
void simt_kernel_set_resources(struct simt_kernel *kernel, const struct simt_resources *resources);
const struct simt_resources *simt_kernel_resources(const struct simt_kernel *kernel);
const struct ptx_function *simt_kernel_function(const struct simt_kernel *kernel);

/* ---- launches */
struct simt_launch {
    struct simt_kernel *kernel;
    uint32_t grid[3], block[3];
    uint32_t cluster[3];     /* blocks; 0: as the kernel was compiled, or one */
    uint64_t dynamic_shared; /* bytes */
    uint32_t shared_limit;   /* most dynamic_shared (cudaFuncSetAttribute); 0: what 48 KB leave */
    /* Blocks resident on an SM (occupancy); 0 counts as 1. */
    uint32_t resident_blocks;
    bool cooperative;            /* all blocks run together, and the grid can synchronise */
    const void *parameters;      /* function->parameter_bytes bytes */
    uint64_t instruction_budget; /* if less than the device's; 0: the device's */
    /* Called at times on the caller's thread, with the warp instructions so far; or NULL. */
    void (*progress)(void *context, uint64_t instructions);
    void *progress_context;
    /* Text of device printf, in block order; NULL: dropped. */
    void (*print)(void *context, const char *text, size_t length);
    void *print_context;
};

/* Counts of a source line's instructions of one kind on one array. */
struct simt_line {
    const char *file; /* as in the PTX .file directive; "": unknown */
    uint32_t line;
    enum line_kind kind;
    uint64_t requests;     /* branches: executions */
    uint64_t transactions; /* global, local: sectors; shared: wavefronts; branches: divergent */
    uint64_t ideal;        /* the fewest sectors or wavefronts that could carry the same bytes */
    uint64_t threads;      /* active threads, summed over requests */
    struct line_facts facts;
};

/* Whether the machine code of an atomic on shared memory is a loop of load and conditional store,
 * as for floats and 64 bits. SIMT_LOOP_PASSES: of one trip. */
bool simt_atomic_loops(const struct ptx_instruction *instruction);
enum { SIMT_LOOP_PASSES = 3 };

enum { SIMT_WIDENED = 2 }; /* accesses of 8 and of 16 bytes */

/* Counts of one PTX instruction, in executions by warps. */
struct simt_execution {
    const struct ptx_instruction *instruction; /* the program's */
    uint64_t runs;
    uint64_t divergent;             /* conditional branches with threads going both ways */
    bool may_be_slow;               /* a division or root with a slow path for unusual operands */
    uint64_t slow;                  /* executions by warps with such operands */
    const struct loop_trips *trips; /* trips of a backward branch's loop; NULL: another instruction */
    /* Accesses: */
    uint64_t requests;     /* warp-level requests */
    uint64_t transactions; /* sectors; shared: wavefronts; constant: words */
    uint64_t ideal;        /* the fewest of these that could carry the same bytes */
    uint64_t lines;        /* 128-byte lines; atomics: passes */
    uint64_t missed;       /* sectors that L1 does not hold */
    uint64_t waited;       /* sectors that L1 has requested already */
    uint64_t late;         /* requests with a sector that was missed or waited for */
    uint64_t joined;       /* stores to parts of the sectors that the warp's store before stored parts of */
    uint64_t bytes;        /* bytes that threads access */
    /* Loads: missed sectors that come from DRAM. Stores: partly stored sectors of which L2 holds
     * something. */
    bool beyond_known;
    uint64_t beyond;
    /* Generic accesses to shared memory, not counted above: wavefronts or passes of an atomic. */
    uint64_t banked;
    double passes; /* passes of L1's data banks per request; 0: threads lie in a row, or not known */
    /* Wavefronts of a shared request if each thread accessed the whole 8 or 16 bytes around its
     * own, as a compiler merges neighbours. Measured in a few warps; 0: not known. */
    double widened[SIMT_WIDENED];
};

struct simt_result {
    struct counters counters;
    uint32_t line_count;
    struct simt_line *lines; /* sorted by file, line, kind; freed by simt_result_free */
    uint64_t longest_warp_instructions;
    uint64_t longest_warps_of_all_blocks; /* instructions of each block's longest warp, summed */
    /* Instructions one after the other until each block's end, where warps wait for others, summed; bulk copies and
     * nanoseconds of sleep among them. */
    uint64_t chains_of_all_blocks, copy_chains_of_all_blocks, sleep_chains_of_all_blocks_ns;
    uint64_t longest_chain, longest_chain_copies,
        longest_chain_slept_ns; /* of the block that has most of them */
    uint64_t longest_sleep_ns;  /* ns of __nanosleep of the warp that sleeps longest */
    uint64_t longest_sleeps_of_all_blocks_ns;
    /* sums in shared memory whose code is a loop: those at each block's busiest word, added up */
    uint64_t busiest_sums_of_all_blocks;
    uint32_t sm_count;   /* SMs that had blocks; 0: caches are not simulated */
    struct sm_work *sms; /* one for each SM; freed by simt_result_free */
    uint32_t execution_count;
    /* Every instruction of the functions that ran; freed by simt_result_free. */
    struct simt_execution *executions;
    struct loop_trips *trips; /* the executions' trips; freed by simt_result_free */
    struct simt_fault fault;  /* status is SIMT_OK if there was none */
};

/* Checks a launch as the driver does, then runs it to its end. Refuses a launch that cannot start
 * as an invalid configuration, an invalid value or too many resources, with the limit. Refuses a
 * kernel that uses what is not simulated as not supported. Results, counters and the first fault do
 * not depend on the number of host threads, except for races between blocks. Returns
 * result->fault.status. */
enum simt_status simt_run(struct simt_device *device, const struct simt_launch *launch,
                          struct simt_result *result);
void simt_result_free(struct simt_result *result);
/* Takes the remarks since the last call, one for each kind and source line, in order of first
 * occurrence. Returns their number, at most SIMT_REMARKS. */
uint32_t simt_take_remarks(struct simt_device *device, struct simt_remark remarks[SIMT_REMARKS]);
const char *simt_status_name(enum simt_status status);
