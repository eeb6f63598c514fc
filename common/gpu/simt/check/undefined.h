/*
 * undefined.h: values that nobody can know, followed from where they arise to where they count. Private to simt/.
 *
 * Unknown values come from a load of unwritten bytes, a shuffle from a lane that takes no part, or a read of what another
 * block writes at an unknown time. None of these is a mistake if the value is thrown away: unused columns of a wide load,
 * padding in a structure, a lane outside the array. So each bit of registers and memory is known or unknown, and results
 * follow from their operands. A remark is made only where an unknown value
 *   - is brought to the host after something was computed from it, or
 *   - is an address that is used.
 */
#ifndef SIMT_UNDEFINED_H
#define SIMT_UNDEFINED_H

#include "gpu/simt/control/launch.h"

#define CAUSE_COMPUTED ((cause_id)1 << 31) /* the value was computed from the unknown one: more than a copy */
#define CAUSE_CONTROL ((cause_id)1 << 30)  /* the unknown value decided whether this one was written */
#define CAUSE_INDEX (CAUSE_CONTROL - 1)

enum cause_kind {
    CAUSE_UNWRITTEN, /* read before it was written */
    CAUSE_LANE,      /* from a lane that takes no part */
    CAUSE_RACE       /* what others write meanwhile */
};

/* Whether a mere copy of such a value is worth a remark when it reaches the host. */
enum cause_copies {
    COPIES_NEVER,
    COPIES_JUDGED, /* where every byte is judged that is read: a program may mean to throw it away */
    COPIES_ALWAYS
};

/* Who met it: a lane of a running warp. */
struct witness {
    struct worker *worker;
    const struct warp *warp;
    const struct ptx_instruction *instruction;
    uint32_t lane;
};

/* Makes the device's checker, if there is none yet. False: out of memory. */
bool simt_checker_ready(struct simt_device *device);
void simt_checker_destroy(struct checker *checker);
/* The reads from now on are those of a judge, who looks at every byte. */
void simt_checker_judged(struct checker *checker, bool on);
/* Segments have moved. */
void simt_checker_forget_segment(struct checker *checker);
/* A module is gone: no earlier instruction is met again. */
void simt_checker_forget_instructions(struct checker *checker);

/* causes.c: the cause of this kind at this instruction, met once more. When it is new it gets its message from the text,
 * which continues "thread (1,2,3) of block (0,0,0) ". `alike` tells apart what one instruction can meet. 0: out of
 * memory. */
cause_id simt_cause_meet(const struct witness *witness, enum cause_kind kind, uint32_t alike,
                         enum cause_copies copies, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* The cause, met once more, if it is known already; 0: it is not. */
cause_id simt_cause_known(const struct witness *witness, enum cause_kind kind, uint32_t alike);
enum cause_kind simt_cause_kind_of(const struct checker *checker, cause_id cause);
/* The host reads a value with this cause: makes a remark if the value is worth one. */
void simt_cause_reached_host(struct simt_device *device, cause_id cause);
void simt_cause_is_address(const struct witness *witness, cause_id cause);

/* ---- memory (undefined_memory.c) */

bool simt_shadow_create(struct memory_shadow *shadow, uint64_t bytes, bool writers);
void simt_shadow_destroy(struct memory_shadow *shadow);
void simt_shadow_clear(struct memory_shadow *shadow, uint64_t at,
                       uint64_t bytes); /* nothing was stored there */
void simt_shadow_define(struct memory_shadow *shadow, uint64_t at, uint64_t bytes);
/* The host's doings: a range of one segment. */
void simt_undefined_host_wrote(struct simt_device *device, uint64_t address, uint64_t bytes);
void simt_undefined_host_read(struct simt_device *device, uint64_t address, uint64_t bytes);
void simt_undefined_host_copied(struct simt_device *device, uint64_t to, uint64_t from, uint64_t bytes);
/* What lies there counts as never written. */
void simt_undefined_forget(struct simt_device *device, uint64_t address, uint64_t bytes);
/* And belongs to another thread of the same launch: who wrote there wrote something else. */
void simt_undefined_handed_out(struct simt_device *device, uint64_t address, uint64_t bytes);
/* All shadows of device memory go: something ran unwatched. */
void simt_undefined_drop(struct simt_device *device);

/* ---- a launch (undefined_follow.c) */
bool simt_undefined_launch(struct launch *launch); /* false: out of memory */
void simt_undefined_end_launch(struct simt_device *device);
bool simt_undefined_start_block(struct block *block, const struct launch *launch);
bool simt_undefined_start_warp(struct warp *warp, const struct launch *launch);
/* A function's window begins at this offset of the register file; it may lie beyond what the shadow had. */
bool simt_undefined_enter(struct warp *warp, uint32_t window, uint32_t bytes);
void simt_undefined_file_free(struct register_file *file);
/* Before an operation runs for these lanes. */
void simt_undefined_follow(struct worker *worker, struct warp *warp, const struct path *path,
                           const struct simt_operation *operation, uint8_t *registers,
                           const uint32_t *predicates, uint32_t mask);
/* Of parameters that a call or return copies between frames at these offsets of the register file, and of results
 * that a built-in function brings. */
void simt_undefined_copy(struct warp *warp, size_t to, size_t from, uint32_t bytes);
void simt_undefined_known(struct warp *warp, size_t at, uint32_t bytes);
/* Before the control instruction at `at` is executed by the path. */
void simt_undefined_control(struct worker *worker, struct warp *warp, const struct path *path, uint32_t at);

/* ---- rules (undefined_bits.c) */
struct bits {
    uint64_t value, unknown;
};
/* The unknown bits of an operation's one result in a register of so many bits, from its register operands (a predicate is
 * 0 or 1); copied: they are bits of an operand and nothing more. */
uint64_t simt_undefined_result(const struct ptx_instruction *instruction, const struct bits source[5],
                               uint32_t register_bits, bool *copied);
/* Whether the result of a comparison is unknown; with the predicate that it is combined with, if any. */
bool simt_undefined_comparison(const struct ptx_instruction *instruction, const struct bits source[3],
                               bool inverse);

#endif
