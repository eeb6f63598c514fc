/* simt.h: a simulated GPU as a library. It holds device memory, loads checked PTX programs, runs launches and counts.
 * It knows no time and no process: those are gpu/time/ and gpu/runtime/. No state outside struct simt_device. */
#ifndef SIMT_SIMT_H
#define SIMT_SIMT_H

#include "base/buffer_shape.h"
#include "base/counters.h"
#include "base/line_facts.h"
#include "base/loop_trips.h"
#include "gpu/ptx/program.h"

#define SIMT_DEFAULT_BUDGET (UINT64_C(1) << 35)

/* What the simulator must know of a GPU. Filled from gpu/time/'s data files, or by simt_config_default in tests. */
struct simt_config {
    uint32_t sm_count;
    uint32_t shared_per_block;        /* bytes, the opt-in maximum */
    uint32_t shared_per_block_static; /* 48 KB: more needs cudaFuncSetAttribute */
    uint32_t max_threads_per_block, max_block[3], max_grid[3];
    uint32_t registers_per_block, register_granularity, warp_granularity; /* as in gpu/time/'s data files */
    uint64_t memory_bytes; /* device memory the program may allocate */
    uint32_t l1_bytes;     /* L1 and shared memory together, per SM; L1 gets what shared leaves */
    uint32_t l2_bytes;
    uint32_t l2_slices; /* that atomics are spread over */
    uint32_t compute_major, compute_minor;
    uint32_t clock_khz; /* for %globaltimer and clock(): one instruction is taken as one cycle */
    /* how to run */
    uint32_t host_threads;       /* 0: as many as the machine has; the result does not depend on it */
    uint64_t instruction_budget; /* warp instructions one launch may execute, 0: SIMT_DEFAULT_BUDGET */
    bool strict;                 /* stop where hardware would silently carry on */
    bool check_races;            /* shared-memory races; costs time */
    bool check;                  /* remarks (below); costs time, and one host thread runs each launch */
    bool simulate_caches;        /* L1, L2, DRAM counters; costs time */
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
    SIMT_TIMEOUT,            /* instruction budget spent: an endless kernel */
    SIMT_BARRIER_DIVERGENCE, /* a barrier that not all threads reach */
    SIMT_RACE,               /* two threads touch one shared address without a barrier between, one writing */
    SIMT_INVALID_CONFIGURATION, /* bad launch shape */
    SIMT_TOO_MANY_RESOURCES,    /* registers or shared memory for this block */
    SIMT_OUT_OF_MEMORY,
    SIMT_INVALID_VALUE,
    SIMT_NOT_SUPPORTED
};

/* The first fault of a launch, in block order: the same whatever the number of host threads. */
struct simt_fault {
    enum simt_status status;
    const char *kernel;
    char file[256];
    uint32_t line, ptx_line;
    uint32_t block[3], thread[3];
    uint32_t grid[3], block_size[3]; /* of the launch, where it could not start */
    uint64_t address;
    uint32_t access_bytes;
    bool is_store;
    char message[1024]; /* lines a student can act on: what, where, nearest allocation, what to look at */
};

/* Something wrong that stops nothing: hardware, too, carries on. Looked for where `check` is on. */
struct simt_remark {
    const char *kind; /* a word that stays: "unwritten", "absent-lane", "race" */
    char kernel[256]; /* mangled; "": none */
    char file[256];
    uint32_t line; /* 0: unknown */
    uint32_t block[3], thread[3];
    uint64_t count; /* how often, since the last time it was taken */
    char message[512];
};
enum { SIMT_REMARKS = 64 }; /* no more are kept */

struct simt_device;
struct simt_module;
struct simt_kernel;

void simt_config_default(struct simt_config *config); /* H200's limits, caches and strict on, races off */
struct simt_device *simt_device_create(const struct simt_config *config); /* NULL: out of memory */
void simt_device_destroy(struct simt_device *device);
void simt_device_set_check_races(struct simt_device *device, bool on);
void simt_device_set_check(struct simt_device *device, bool on);
void simt_device_set_simulate_caches(struct simt_device *device, bool on);
/* L2 keeps its contents from launch to launch, as hardware does. Empty it (without write-back), as ncu does before a
 * kernel. */
void simt_device_flush_cache(struct simt_device *device);
/* Who places __managed__ variables, so that the host sees them too: gives an address that simt_map made reachable.
 * simt_module_load then writes the initial value and does not free it at unload. NULL: placed like other variables. */
void simt_device_set_managed_placer(struct simt_device *device,
                                    enum simt_status (*place)(void *context, uint64_t bytes,
                                                              uint64_t alignment, uint64_t *address),
                                    void *context);
/* Stack of each thread (local memory), device malloc's heap, printf's buffer; 1 KiB, 8 MiB, 1 MiB at first. */
void simt_device_set_limits(struct simt_device *device, uint64_t stack_bytes, uint64_t heap_bytes,
                            uint64_t printf_bytes);

/* ---- device memory. Addresses are the simulated GPU's; allocations are 512-byte aligned with guard space between. */
/* All of them lie in [SIMT_ADDRESS_BASE, SIMT_ADDRESS_BASE + SIMT_ADDRESS_BYTES). */
#define SIMT_ADDRESS_BASE ((uint64_t)3 << 44)
#define SIMT_ADDRESS_BYTES ((uint64_t)1 << 40)

enum simt_status simt_allocate(struct simt_device *device, uint64_t bytes, uint64_t *address);
/* Memory of another's than the program's, who knows what it is: faults speak of it by name and element. It is none of
 * the program's numbered cudaMallocs. */
enum simt_status simt_allocate_shaped(struct simt_device *device, uint64_t bytes,
                                      const struct buffer_shape *shape, uint64_t *address);
/* Leave so many pages of 2 MiB free before the next allocation: its address then says nothing of the others'. */
void simt_skip_addresses(struct simt_device *device, uint64_t pages);
/* Host memory the device can reach (managed, mapped): the caller owns `host`; address may be any value, e.g. host's. */
enum simt_status simt_map(struct simt_device *device, uint64_t address, uint64_t bytes, void *host,
                          const char *what);
/* Also unmaps; remembered for use after free. */
enum simt_status simt_free(struct simt_device *device, uint64_t address);
/* Start and size of the allocation that holds address; false if none. */
bool simt_find_allocation(const struct simt_device *device, uint64_t address, uint64_t *start,
                          uint64_t *bytes);
/* What the allocation that holds address is called in faults: "cudaMalloc #2", "src"; NULL: there is none. */
const char *simt_allocation_name(const struct simt_device *device, uint64_t address);
uint64_t simt_memory_used(const struct simt_device *device);
enum simt_status simt_write(struct simt_device *device, uint64_t to, const void *from, uint64_t bytes);
enum simt_status simt_read(struct simt_device *device, void *to, uint64_t from, uint64_t bytes);
/* Like simt_read, for a caller that checks every byte. `check` then also remarks on bytes that several threads of one store
 * wrote, and on copies of shared memory that nobody has written. */
enum simt_status simt_read_judged(struct simt_device *device, void *to, uint64_t from, uint64_t bytes);
enum simt_status simt_copy(struct simt_device *device, uint64_t to, uint64_t from, uint64_t bytes);
enum simt_status simt_fill(struct simt_device *device, uint64_t to, uint32_t value, uint32_t width,
                           uint64_t count);
/* Whatever lies there counts as never written, for `check`: a buffer that was poisoned. */
void simt_forget(struct simt_device *device, uint64_t address, uint64_t bytes);
/* Host pointer to [address, address+bytes) inside one allocation, NULL otherwise. Valid until freed. */
void *simt_host_pointer(struct simt_device *device, uint64_t address, uint64_t bytes);

/* All that lies in the device's allocations, the host's that it can reach included. NULL: more than `most` bytes, or out
 * of memory. And it lies there again; what was allocated since holds zeros. */
struct simt_saved;
struct simt_saved *simt_save(struct simt_device *device, uint64_t most);
void simt_restore(struct simt_device *device, const struct simt_saved *saved);
void simt_saved_free(struct simt_saved *saved); /* NULL is fine */

/* ---- judged calls: what of device memory outlives one (memory/kept.c). Without simt_keep nothing of this is looked after. */
void simt_keep(struct simt_device *device);
/* This allocation is a judge's: what is computed from it must not outlive the call. */
void simt_keep_foreign(struct simt_device *device, uint64_t address);
/* The program wrote to the allocation there from outside. derived: what may follow from a judge's memory. */
void simt_keep_write(struct simt_device *device, uint64_t address, bool derived);
/* The program reads there from outside. Whether what lies there may. */
void simt_keep_read(struct simt_device *device, uint64_t address);
bool simt_keep_is_derived(const struct simt_device *device, uint64_t address);
/* Before any launch, copy or fill. */
void simt_keep_before_work(struct simt_device *device);
/* derived: its parameters may follow from a judge's memory. Whether what it wrote may. */
bool simt_keep_after_launch(struct simt_device *device, bool derived);
/* The call has ended: what may follow from a judge's memory is forgotten. Such an allocation holds what it held before,
 * where that did not and was little, and a variable its initial value; else it is as newly allocated. */
void simt_keep_end_call(struct simt_device *device);
/* Of what the next simt_keep_end_call will forget, the first that lies above the address, and in *what its name, "variable
 * 'table'"; 0: there is none. And it alone is forgotten. */
uint64_t simt_keep_next_left(const struct simt_device *device, uint64_t above, const char **what);
void simt_keep_forget(struct simt_device *device, uint64_t address);
/* What a launch or a copy has touched that an earlier call filled and that was forgotten since, "cudaMalloc #2"; NULL: nothing. */
const char *simt_keep_missed(const struct simt_device *device);
/* What launches touch of mapped memory, each 32 bytes from its start: a bit in touched[], lowest first; and how many
 * such sectors their requests asked for. */
struct simt_sectors {
    uint8_t *touched;
    uint64_t asked;
};
/* The caller owns *sectors, which lives as long as the mapping. */
void simt_watch_sectors(struct simt_device *device, uint64_t address, struct simt_sectors *sectors);

/* ---- programs */
/* Load a checked program: place its variables, decode its functions. The device keeps the pointer; the program must
 * live as long as the module. On failure NULL and a message in error (size bytes). */
struct simt_module *simt_module_load(struct simt_device *device, const struct ptx_module *program,
                                     char *error, size_t size);
void simt_module_unload(struct simt_device *device, struct simt_module *module);
bool simt_module_variable(const struct simt_module *module, const char *name, uint64_t *address,
                          uint64_t *bytes);
/* NULL: the module has no such kernel. One that was refused (program.h) is there, and its launch says why not. */
struct simt_kernel *simt_module_kernel(struct simt_module *module, const char *name);
/* What the machine code's own metadata says of this kernel (the cubin's), for launch checks and occupancy. */
struct simt_resources {
    uint32_t registers, static_shared, local_bytes, constant_bytes, max_threads;
    uint32_t
        spill_bytes; /* of registers that the machine code keeps in local memory; SIMT_UNKNOWN: not known */
};
#define SIMT_UNKNOWN UINT32_MAX
void simt_kernel_set_resources(struct simt_kernel *kernel, const struct simt_resources *resources);
const struct simt_resources *simt_kernel_resources(const struct simt_kernel *kernel);
const struct ptx_function *simt_kernel_function(const struct simt_kernel *kernel);

/* ---- launches */
struct simt_launch {
    struct simt_kernel *kernel;
    uint32_t grid[3], block[3];
    uint64_t dynamic_shared; /* bytes */
    uint32_t shared_limit;   /* of those: cudaFuncAttributeMaxDynamicSharedMemorySize; 0: what 48 KB leave */
    /* Blocks per SM that run together (gpu/time/'s occupancy); 0 counts as 1. Shapes what L1 can keep. */
    uint32_t resident_blocks;
    bool cooperative;            /* all blocks run together, and the grid can meet */
    const void *parameters;      /* function->parameter_bytes bytes */
    uint64_t instruction_budget; /* of this launch, where it is less than the device's; 0: it is not */
    /* Called now and then while it runs, on the caller's thread, with the warp instructions so far; may be NULL. */
    void (*progress)(void *context, uint64_t instructions);
    void *progress_context;
    /* Device printf, in block order; NULL: dropped. */
    void (*print)(void *context, const char *text, size_t length);
    void *print_context;
};

/* One memory (or branch) instruction's share, by source line; several instructions of a line, of one kind and on one
 * array, are merged. */
struct simt_line {
    const char *file; /* as in the PTX .file directive; "" unknown */
    uint32_t line;
    enum line_kind kind;
    uint64_t requests;     /* branches: executed */
    uint64_t transactions; /* global, local: sectors; shared: wavefronts; branches: divergent */
    uint64_t ideal;        /* the fewest sectors or wavefronts that could carry the same bytes */
    uint64_t threads;      /* active threads, summed over requests */
    struct line_facts facts;
};

/* Whether the banks of shared memory have no adder for an atomic (floats, 64 bits), and the machine code is a loop: a load, and a
 * store if nobody was there meanwhile, so many passes a turn. */
bool simt_atomic_loops(const struct ptx_instruction *instruction);
enum { SIMT_LOOP_PASSES = 3 };

enum { SIMT_WIDENED = 2 }; /* 8 and 16 bytes */

/* How often warps executed one instruction of the PTX. */
struct simt_execution {
    const struct ptx_instruction *instruction; /* the program's */
    uint64_t runs;
    uint64_t divergent;             /* conditional branches: with threads going both ways */
    bool may_be_slow;               /* a division or root whose unusual operands take a routine: */
    uint64_t slow;                  /* with such operands */
    const struct loop_trips *trips; /* of a branch back: the loop's; NULL: it is none */
    /* Accesses: warp-level requests; sectors, or wavefronts of shared and words of constant memory; lines of 128 bytes, or
     * an atomic's passes; sectors that L1 did not have; that it had, but on their way; requests with any of
     * these two; bytes that threads asked for. */
    uint64_t requests, transactions, lines, missed, waited, late, bytes;
    /* Beyond L1, where that is known: of the sectors that it did not have those that DRAM gives, or that are on their way from
     * there; of sectors stored in part those that L2 has, or a part of them. */
    bool beyond_known;
    uint64_t beyond;
    uint64_t
        banked; /* of accesses that name no space, in shared memory: wavefronts, or an atomic's passes; not among the above */
    double
        passes; /* of L1's data banks, a request, where threads do not lie in a row; 0: they do, or not known */
    /* Of shared memory: the wavefronts of a request if each thread asked for the whole 8 or 16 bytes that hold what it asks
     * for, as where a compiler makes one access of neighbours; 0: not known. Seen in a few warps. */
    double widened[SIMT_WIDENED];
};

struct simt_result {
    struct counters counters;
    uint32_t line_count;
    struct simt_line *lines; /* by file, line, kind; freed by simt_result_free; strings are the program's */
    uint64_t longest_warp_instructions;
    uint64_t longest_warps_of_all_blocks; /* instructions of each block's longest warp, added up */
    uint64_t longest_sleep_ns;            /* of a warp, by __nanosleep */
    uint64_t longest_sleeps_of_all_blocks_ns;
    uint32_t sm_count;   /* that had blocks; 0 where caches are not simulated */
    struct sm_work *sms; /* each one's share; freed by simt_result_free */
    uint32_t execution_count;
    struct simt_execution
        *executions;          /* every instruction of the functions that ran; freed by simt_result_free */
    struct loop_trips *trips; /* what executions point to; freed by simt_result_free */
    struct simt_fault fault;  /* status SIMT_OK when all went well */
};

/* Run one launch to its end; first check it as the driver does: what cannot start is refused, with the limit, as an
 * invalid configuration, an invalid value or too many resources; a kernel that uses what is not simulated, as not
 * supported. Results, counters and the first fault are the same
 * whatever the number of host threads, for every kernel whose result does not depend on a race between its own
 * blocks. Returns result->fault.status. */
enum simt_status simt_run(struct simt_device *device, const struct simt_launch *launch,
                          struct simt_result *result);
void simt_result_free(struct simt_result *result);
/* What was found since the last call here, by launches and by reads of their results: for each kind and source line
 * the first time it was met, in that order. At most SIMT_REMARKS; how many. */
uint32_t simt_take_remarks(struct simt_device *device, struct simt_remark remarks[SIMT_REMARKS]);
const char *simt_status_name(enum simt_status status);

#endif
