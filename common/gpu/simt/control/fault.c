/* fault.c: writes a fault's message: one or two lines that say what, where, and what to look at. */
#include "gpu/simt/access/access.h"
#include "gpu/simt/control/cluster.h"
#include "gpu/simt/control/paths.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct access_fault {
    enum simt_status status;
    uint32_t lane;
    uint64_t address;
    uint32_t bytes;
    bool store;
    uint8_t space; /* enum ptx_space */
};

void simt_fault_place(struct simt_fault *fault, const struct launch *launch, const struct warp *warp,
                      const struct ptx_instruction *instruction, uint32_t lane) {
    const struct ptx_module *program = launch->module->program;
    const uint32_t *size = launch->shape->block;
    uint32_t thread = warp->index * SIMT_LANES + lane;
    *fault = (struct simt_fault){.kernel = launch->code->function->name};
    memcpy(fault->block, warp->block->position, sizeof fault->block);
    fault->thread[0] = thread % size[0];
    fault->thread[1] = thread / size[0] % size[1];
    fault->thread[2] = thread / size[0] / size[1];
    if (instruction != NULL) {
        fault->line = instruction_line(instruction);
        fault->ptx_line = instruction->ptx_line;
        if (instruction_file(instruction) < program->file_count)
            snprintf(fault->file, sizeof fault->file, "%s", program->files[instruction_file(instruction)]);
    }
}

const char *simt_line_words(const struct launch *launch, const struct ptx_instruction *instruction,
                            char text[LINE_WORDS]) {
    const struct ptx_module *program = launch->module->program;
    uint16_t index = instruction_file(instruction);
    const char *file = index < program->file_count ? program->files[index] : "", *slash = strrchr(file, '/');
    snprintf(text, LINE_WORDS, "%.256s%s%u", slash != NULL ? slash + 1 : file, *file ? ":" : "PTX line ",
             *file ? instruction_line(instruction) : instruction->ptx_line);
    return text;
}

int simt_fault_describe_place(const struct simt_fault *fault, char *text, size_t size) {
    int length;
    if (*fault->file)
        length = snprintf(text, size, "%s:%u", fault->file, fault->line);
    else
        length = snprintf(text, size, "PTX line %u (compile with -lineinfo to see the source line)",
                          fault->ptx_line);
    if (length < 0 || (size_t)length >= size)
        return (int)size - 1;
    int more =
        snprintf(text + length, size - (size_t)length,
                 ": kernel %s, block (%u,%u,%u), thread (%u,%u,%u): ", fault->kernel, fault->block[0],
                 fault->block[1], fault->block[2], fault->thread[0], fault->thread[1], fault->thread[2]);
    length += more > 0 ? more : 0;
    return (size_t)length < size ? length : (int)size - 1;
}

static _Noreturn void leave(struct worker *worker, struct warp *warp, const struct simt_fault *fault) {
    struct sm *sm = worker->sm;
    if (!sm->faulted || warp->block->index < sm->fault_block) {
        sm->faulted = true;
        sm->fault = *fault;
        sm->fault_block = warp->block->index;
    }
    worker->warp = warp;
    longjmp(worker->fault, 1);
}

static const char *space_name(uint8_t space) {
    switch (space) {
    case PTX_SHARED: return "shared memory";
    case PTX_LOCAL: return "local memory (this thread's own arrays and stack)";
    case PTX_CONST: return "constant memory";
    case PTX_PARAM_ENTRY:
    case PTX_PARAM_FRAME: return "parameters";
    default: return "global memory";
    }
}

enum { CONSTANT_BYTES = 64 << 10 }; /* what a bank holds */

/* Constant addresses are small: one far from all variables belongs to another space. */
#define FAR ((uint64_t)1 << 20)

static bool describe_constant(const struct window_header *window, const struct access_fault *access,
                              char *text, size_t size) {
    const struct simt_module *module = window->code->module;
    const struct constant_bank *bank = &module->bank;
    uint64_t first = bank->start - bank->base, far = bank->end - bank->base + FAR;
    if (bank->start == bank->end)
        snprintf(text, size, "the program has no __constant__ variables, which are all that ld.const reads");
    else if (access->address < first)
        snprintf(text, size, "before the first __constant__ variable: a null pointer?");
    else if (access->address > far)
        snprintf(text, size,
                 "%s: ld.const reads __constant__ variables alone, by their own addresses (cvta makes other "
                 "ones of them)",
                 access_space(access->address) == PTX_GLOBAL ? "an address of global memory, or of the host's"
                                                             : "an address of shared or local memory");
    else
        return simt_device_describe_address(module->device, access->address + bank->base, access->bytes, text,
                                            size);
    return false;
}

/* Returns whether the address is in a buffer whose shape is known. */
static bool describe_target(const struct window_header *window, const struct access_fault *access, char *text,
                            size_t size) {
    const struct launch *launch = window->worker->launch;
    uint64_t offset = access->address & ~SIMT_WINDOW_MASK;
    uint32_t last = ARRAY_NONE;
    char name[64] = "", whose[96] = "";
    switch (access->space) {
    case PTX_SHARED:
        if (launch->own_shared_bytes && offset >= launch->own_shared_bytes)
            last = simt_array_at(launch, launch->own_shared_bytes - 1);
        if (last != ARRAY_NONE) {
            simt_array_plain_name(launch->module->program->shared_arrays[last].name, name, sizeof name);
            snprintf(whose, sizeof whose, ", the last of which are %s's", name);
        }
        if (!launch->own_shared_bytes)
            snprintf(
                text, size,
                "the block has no shared memory: the launch's third parameter, its size in bytes, is 0 here "
                "or left out");
        else if (launch->cluster_blocks > 1 && offset >> CLUSTER_SHIFT &&
                 offset >> CLUSTER_SHIFT <= launch->cluster_blocks)
            snprintf(text, size,
                     "shared memory of the cluster's block %u, which has not begun, or has ended, or has not "
                     "so much: cluster.sync() comes before the first access and after the last",
                     (uint32_t)(offset >> CLUSTER_SHIFT) - 1);
        else if (offset == launch->own_shared_bytes)
            snprintf(text, size,
                     "just past the end of the block's %u bytes of shared memory (%u of them dynamic)%s",
                     launch->own_shared_bytes, (uint32_t)launch->shape->dynamic_shared, whose);
        else if (offset > launch->own_shared_bytes && offset <= UINT32_MAX / 2)
            snprintf(text, size,
                     "%" PRIu64
                     " bytes past the end of the block's %u bytes of shared memory (%u of them dynamic)%s",
                     offset - launch->own_shared_bytes, launch->own_shared_bytes,
                     (uint32_t)launch->shape->dynamic_shared, whose);
        else if (offset >= launch->own_shared_bytes)
            snprintf(text, size, "%u bytes before the start of the block's %u bytes of shared memory",
                     (uint32_t)(0 - (uint32_t)offset), launch->own_shared_bytes);
        else
            simt_array_describe(launch, offset, 0, text, size);
        break;
    case PTX_LOCAL:
        snprintf(text, size,
                 "byte %" PRIu64 " of the thread's %" PRIu64 " bytes of local memory: an index out of a "
                 "local array's range?",
                 offset, window->local_stride);
        break;
    case PTX_CONST: return describe_constant(window, access, text, size);
    case PTX_PARAM_ENTRY:
    case PTX_PARAM_FRAME: snprintf(text, size, "byte %" PRIu64 " of the parameters", access->address); break;
    default: return simt_device_describe_address(launch->device, access->address, access->bytes, text, size);
    }
    return false;
}

/* What the access did and where it led: "invalid load of 4 bytes from ...". */
static void describe_access(const struct window_header *window, const struct access_fault *access,
                            const char *wrong, char *text, size_t size) {
    char target[320], alignment[64] = "", kind[96];
    bool named = describe_target(window, access, target, sizeof target);
    bool misaligned = access->status == SIMT_MISALIGNED_ADDRESS;
    if (misaligned)
        snprintf(alignment, sizeof alignment, ", which is not a multiple of %u", access->bytes);
    snprintf(kind, sizeof kind, "%s %s of %u byte%s %s", misaligned ? "misaligned" : wrong,
             access->store ? "store" : "load", access->bytes, access->bytes == 1 ? "" : "s",
             access->store ? "to" : "from");
    if (named && misaligned)
        snprintf(text, size, "%s %s: its address is 0x%" PRIx64 "%s", kind, target, access->address,
                 alignment);
    else if (named)
        snprintf(text, size, "%s %s", kind, target);
    else
        snprintf(text, size, "%s %s at 0x%" PRIx64 "%s: %s", kind, space_name(access->space), access->address,
                 alignment, target);
}

static _Noreturn void fault_access(struct window_header *window, const struct simt_operation *operation,
                                   const struct access_fault *access) {
    struct simt_fault fault;
    simt_fault_place(&fault, window->worker->launch, window->warp, operation->instruction, access->lane);
    fault.status = access->status;
    fault.address = access->address;
    fault.access_bytes = access->bytes;
    fault.is_store = access->store;
    int length = simt_fault_describe_place(&fault, fault.message, 480);
    describe_access(window, access, "invalid", fault.message + length, sizeof fault.message - (size_t)length);
    leave(window->worker, window->warp, &fault);
}

uint8_t *simt_access_stray(struct window_header *window, const struct simt_operation *operation,
                           uint32_t lane, uint64_t address, uint32_t bytes, bool store,
                           enum ptx_space space) {
    struct simt_device *device = window->worker->launch->device;
    const struct constant_bank *bank = &window->code->module->bank;
    struct simt_mistake mistake = {"stray", operation->instruction, lane, SIMT_ILLEGAL_ADDRESS};
    bool aligned = (address & (bytes - 1)) == 0;
    struct access_fault fault = {aligned ? SIMT_ILLEGAL_ADDRESS : SIMT_MISALIGNED_ADDRESS,
                                 lane,
                                 address,
                                 bytes,
                                 store,
                                 (uint8_t)space};
    uint8_t *host = NULL;
    if (aligned && space == PTX_GLOBAL)
        host = simt_device_stray(device, address, bytes);
    if (aligned && space == PTX_CONST && bank->start < bank->end &&
        address < bank->end - bank->base + CONSTANT_BYTES)
        host = simt_device_stray(device, address + bank->base, bytes);
    if (host == NULL)
        fault_access(window, operation, &fault);
    if (!simt_tolerated(window->sm, &mistake)) {
        char text[400];
        describe_access(window, &fault, "stray", text, sizeof text);
        simt_tolerate(window->worker, window->warp, &mistake, text);
    }
    return host;
}

_Noreturn void simt_fault_other(struct worker *worker, struct warp *warp,
                                const struct ptx_instruction *instruction, uint32_t lane,
                                enum simt_status status, const char *format, ...) {
    struct simt_fault fault;
    simt_fault_place(&fault, worker->launch, warp, instruction, lane);
    fault.status = status;
    int length = simt_fault_describe_place(&fault, fault.message, sizeof fault.message);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault.message + length, sizeof fault.message - (size_t)length, format, arguments);
    va_end(arguments);
    leave(worker, warp, &fault);
}

void simt_pass_or_stop(struct worker *worker, struct warp *warp, const struct simt_mistake *mistake,
                       const char *format, ...) {
    const struct launch *launch = worker->launch;
    char text[480];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    bool races = launch->races || (launch->samples_races && launch->strict);
    if (mistake->status == SIMT_RACE ? races : launch->strict)
        simt_fault_other(worker, warp, mistake->instruction, mistake->lane, mistake->status, "%s", text);
    simt_tolerate(worker, warp, mistake, text);
}

/* The branch at which a thread of the path's warp diverged from the path, and where the two would
 * reconverge. NULL: not known. */
static const struct ptx_instruction *find_parting(const struct warp *warp, const struct path *path,
                                                  uint32_t lane, const struct join **meeting) {
    *meeting = NULL;
    for (int32_t i = path->join; i >= 0; i = warp->joins[i].parent) {
        const struct join *join = &warp->joins[i];
        if (!(join->expected >> lane & 1))
            continue;
        if (join->call != NULL || join->code != path->code || join->depth != path->depth)
            return NULL;
        *meeting = join;
        return join->later_lanes >> lane & 1 ? join->later : join->branch;
    }
    return NULL;
}

/* Whether `at` lies in a loop that also holds the branch, and `to` lies behind that loop. */
static bool is_way_out(const struct code *code, uint32_t at, uint32_t branch, uint32_t to) {
    const struct ptx_instruction *instructions = code->function->instructions;
    for (uint32_t i = at; i < code->count; i++) {
        uint32_t head = instructions[i].opcode == PTX_BRA ? (uint32_t)instructions[i].target : UINT32_MAX;
        if (head <= at && head <= branch && branch <= i && to > i)
            return true;
    }
    return false;
}

void simt_part_of_warp(struct worker *worker, struct warp *warp, const struct path *path) {
    const struct code *code = path->code;
    const struct ptx_instruction *instructions = code->function->instructions;
    struct simt_mistake mistake = {"barrier", &instructions[path->pc], (uint32_t)__builtin_ctz(path->mask),
                                   SIMT_BARRIER_DIVERGENCE};
    if (!worker->launch->strict && simt_tolerated(worker->sm, &mistake))
        return;
    uint32_t missing = warp->live & ~path->mask, lane = (uint32_t)__builtin_ctz(missing);
    const struct join *meeting;
    const struct ptx_instruction *branch = find_parting(warp, path, lane, &meeting);
    const char *did = "went another way",
               *cure = "all threads of the block must reach the same __syncthreads()";
    char line[LINE_WORDS], place[LINE_WORDS + 8] = " at a branch";
    if (branch != NULL) {
        uint32_t from = (uint32_t)(branch - instructions);
        bool there = meeting->arrived >> lane & 1;
        const struct ptx_instruction *next = meeting->pc < code->count ? &instructions[meeting->pc] : NULL;
        bool at_end = path->depth == 0 && (next == NULL || (next->guard < 0 && ptx_ends_thread(next) &&
                                                            ptx_nature(next)->control != PTX_CONTROL_TRAP));
        if (is_way_out(code, path->pc, from, meeting->pc)) {
            did = there ? "has left the loop" : "leaves the loop";
            cure =
                "a loop with __syncthreads() in it needs the same number of trips for all threads of the block";
        } else if (at_end) {
            did = there ? "has returned" : did;
            cure =
                "let all threads of the block reach __syncthreads(), those with nothing to compute too (they "
                "can help to load), and return after it";
        } else if (meeting->pc > path->pc && from <= path->pc) {
            cure = "every thread of the block must reach __syncthreads(): move it out of the condition";
        }
        snprintf(place, sizeof place, " at %s", simt_line_words(worker->launch, branch, line));
    }
    struct simt_fault other;
    simt_fault_place(&other, worker->launch, warp, NULL, lane);
    simt_pass_or_stop(
        worker, warp, &mistake,
        "only %u of the warp's %u threads reach this barrier together: thread (%u,%u,%u), for one, "
        "%s%s. Cure: %s",
        (unsigned)__builtin_popcount(path->mask), (unsigned)__builtin_popcount(warp->live), other.thread[0],
        other.thread[1], other.thread[2], did, place, cure);
}

void simt_part_of_product(const struct simt_operation *operation, uint8_t *registers, uint32_t mask) {
    const struct window_header *window = window_header(registers);
    simt_fault_other(window->worker, window->warp, operation->instruction, (uint32_t)__builtin_ctz(mask),
                     SIMT_ILLEGAL_INSTRUCTION,
                     "only %d threads of the warp reach this instruction of tensor cores: all 32 must reach "
                     "it together",
                     __builtin_popcount(mask));
}

void simt_wrong_members(const struct simt_operation *operation, uint8_t *registers, uint32_t lanes,
                        uint32_t mask) {
    struct window_header *window = window_header(registers);
    uint32_t named = operation->source[ptx_nature(operation->instruction)->members];
    uint32_t first = (uint32_t)__builtin_ctz(lanes), members = lane_value(registers, named, first);
    struct simt_mistake mistake = {"members", operation->instruction, first, SIMT_BARRIER_DIVERGENCE};
    if (lanes & ~members) {
        mistake.lane = (uint32_t)__builtin_ctz(lanes & ~members);
        simt_pass_or_stop(
            window->worker, window->warp, &mistake,
            "this thread calls a *_sync function with the member mask 0x%08x, in which it is not itself: a mask "
            "names all threads that call the function with it",
            members);
        return;
    }
    uint32_t other = (uint32_t)__builtin_ctz(members & mask & ~lanes);
    simt_pass_or_stop(
        window->worker, window->warp, &mistake,
        "this thread calls a *_sync function with the member mask 0x%08x; lane %u of the warp is in it and calls "
        "it with another, 0x%08x: all threads that a mask names call the function with the same mask",
        members, other, lane_value(registers, named, other));
}
