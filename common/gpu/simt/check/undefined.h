/* undefined.h: follows values that nobody can know from their origin to where they count. Private
 * to simt/.
 *
 * Unknown values come from unwritten registers, loads of unwritten bytes, shuffles from absent
 * lanes, and reads of what another block writes at an unknown time. They are no mistake if thrown
 * away: unused columns of a wide load, padding in a structure, a lane outside the array. So each
 * bit of registers and memory is known or unknown, and results follow from their operands. A
 * remark is made only where an unknown value
 *   - is brought to the host after something was computed from it, or
 *   - is used as an address. */
#pragma once

#include "gpu/simt/control/launch.h"

#define CAUSE_COMPUTED ((cause_id)1 << 31) /* computed from the unknown value, not only copied */
#define CAUSE_CONTROL ((cause_id)1 << 30)  /* whether it was written depended on the unknown value */
#define CAUSE_INDEX (CAUSE_CONTROL - 1)

enum cause_kind {
    CAUSE_UNWRITTEN, /* read before it was written */
    CAUSE_LANE,      /* from a lane that takes no part */
    CAUSE_RACE       /* others write it at the same time */
};

/* Whether a mere copy of the value is worth a remark when it reaches the host. */
enum cause_copies {
    COPIES_NEVER,
    COPIES_JUDGED, /* where a judge reads every byte: a program may throw copies away */
    COPIES_ALWAYS
};

/* The lane of a running warp that met a cause. */
struct witness {
    struct worker *worker;
    const struct warp *warp;
    const struct ptx_instruction *instruction;
    uint32_t lane;
};

/* Makes the device's checker if there is none. False: out of memory. */
bool simt_checker_ready(struct simt_device *device);
void simt_checker_destroy(struct checker *checker);
/* on: reads from now on are a judge's, who looks at every byte. */
void simt_checker_judged(struct checker *checker, bool on);
/* To be called when segments have moved. */
void simt_checker_forget_segment(struct checker *checker);
/* To be called when a module is unloaded: its instructions will not be met again. */
void simt_checker_forget_instructions(struct checker *checker);

/* causes.c: counts an occurrence of this kind at this instruction and returns the cause. A new
 * cause gets its message from the text, which continues "thread (1,2,3) of block (0,0,0) ". `alike`
 * tells apart several causes of one instruction. 0: out of memory. */
cause_id simt_cause_meet(const struct witness *witness, enum cause_kind kind, uint32_t alike,
                         enum cause_copies copies, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Counts an occurrence of a known cause and returns it; 0: it is not known. */
cause_id simt_cause_known(const struct witness *witness, enum cause_kind kind, uint32_t alike);
/* The cause of an unwritten register; simt_cause_used gives it the instruction that first uses the
 * value for more than a copy, and returns all other causes as they are. */
enum { CAUSE_UNSET = 1 };
cause_id simt_cause_used(const struct witness *witness, uint32_t lane, cause_id cause);
enum cause_kind simt_cause_kind_of(const struct checker *checker, cause_id cause);
/* The host reads a value with this cause: makes a remark if the value is worth one.
 * simt_cause_is_address: a lane uses such a value as an address. */
void simt_cause_reached_host(struct simt_device *device, cause_id cause);
void simt_cause_is_address(const struct witness *witness, cause_id cause);

/* ---- memory (undefined_memory.c) */

bool simt_shadow_create(struct memory_shadow *shadow, uint64_t bytes, bool writers);
void simt_shadow_destroy(struct memory_shadow *shadow);
/* Marks bytes as never stored. */
void simt_shadow_clear(struct memory_shadow *shadow, uint64_t at, uint64_t bytes);
void simt_shadow_define(struct memory_shadow *shadow, uint64_t at, uint64_t bytes);
/* Host accesses to a range of one segment. */
void simt_undefined_host_wrote(struct simt_device *device, uint64_t address, uint64_t bytes);
void simt_undefined_host_read(struct simt_device *device, uint64_t address, uint64_t bytes);
void simt_undefined_host_copied(struct simt_device *device, uint64_t to, uint64_t from, uint64_t bytes);
/* Makes the bytes count as never written. */
void simt_undefined_forget(struct simt_device *device, uint64_t address, uint64_t bytes);
/* Likewise, for memory that malloc gives to another thread of the same launch: an earlier writer's
 * bytes are not this thread's. */
void simt_undefined_handed_out(struct simt_device *device, uint64_t address, uint64_t bytes);
/* Drops all shadows of device memory, because a launch ran unwatched. */
void simt_undefined_drop(struct simt_device *device);

/* ---- a launch (undefined_follow.c) */
bool simt_undefined_launch(struct launch *launch); /* false: out of memory */
void simt_undefined_end_launch(struct simt_device *device);
bool simt_undefined_start_block(struct block *block, const struct launch *launch);
bool simt_undefined_start_warp(struct warp *warp, const struct launch *launch);
/* Makes room for a function's window at this offset of the register file. */
bool simt_undefined_enter(struct warp *warp, uint32_t window, const struct code *code);
void simt_undefined_file_free(struct register_file *file);
/* To be called before an operation runs for these lanes. */
void simt_undefined_follow(struct worker *worker, struct warp *warp, const struct path *path,
                           const struct simt_operation *operation, uint8_t *registers,
                           const uint32_t *predicates, uint32_t mask);
/* simt_undefined_copy: a call or return copies parameters between frames. simt_undefined_known: a
 * built-in function brings results. Offsets are in the register file. */
void simt_undefined_copy(struct warp *warp, size_t to, size_t from, uint32_t bytes);
void simt_undefined_known(struct warp *warp, size_t at, uint32_t bytes);
/* To be called before the path executes the control instruction at `at`. */
void simt_undefined_control(struct worker *worker, struct warp *warp, const struct path *path, uint32_t at);

/* ---- rules (undefined_bits.c) */
struct bits {
    uint64_t value, unknown;
};
/* The unknown bits of an operation's one result in a register of register_bits bits, from its
 * register operands (a predicate is 0 or 1). *copied: they are bits of an operand, unchanged. */
uint64_t simt_undefined_result(const struct ptx_instruction *instruction, const struct bits source[5],
                               uint32_t register_bits, bool *copied);
/* Whether a comparison's result, combined with a predicate if there is one, is unknown. */
bool simt_undefined_comparison(const struct ptx_instruction *instruction, const struct bits source[3],
                               bool inverse);
