/* calls.c: calls and returns: parameters, register windows, and which threads return together. */
#include "gpu/ptx/ptx.h"
#include "gpu/simt/check/undefined.h"
#include "gpu/simt/control/paths.h"
#include "gpu/simt/endless/endless.h"

static void copy_parameters(const uint8_t *from, uint32_t from_stride, uint8_t *to, uint32_t to_stride,
                            const struct ptx_copy *copies, uint32_t count, bool back, uint32_t mask) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t size = copies[i].size;
        const uint8_t *first_from = from + (back ? copies[i].callee_offset : copies[i].caller_offset);
        uint8_t *first_to = to + (back ? copies[i].caller_offset : copies[i].callee_offset);
        for (uint32_t left = mask; left; left &= left - 1) {
            size_t lane = (size_t)__builtin_ctz(left);
            uint8_t *target = first_to + lane * to_stride;
            const uint8_t *source = first_from + lane * from_stride;
            if (size == 4) /* the usual size: a move instead of a call */
                memcpy(target, source, 4);
            else if (size == 8)
                memcpy(target, source, 8);
            else
                memcpy(target, source, size);
        }
    }
}

/* Copies the shadows along. Offsets are of frames in the register file. */
static void copy_shadows(struct warp *warp, size_t from, uint32_t from_stride, size_t to, uint32_t to_stride,
                         const struct ptx_copy *copies, uint32_t count, bool back, uint32_t mask) {
    for (uint32_t i = 0; warp->file->shadow.any && i < count; i++)
        for (uint32_t left = mask; left; left &= left - 1) {
            size_t lane = (size_t)__builtin_ctz(left);
            simt_undefined_copy(
                warp, to + lane * to_stride + (back ? copies[i].caller_offset : copies[i].callee_offset),
                from + lane * from_stride + (back ? copies[i].callee_offset : copies[i].caller_offset),
                copies[i].size);
        }
}

static size_t frame_in_file(const struct code *code, uint32_t window) {
    return (size_t)window + WINDOW_HEADER_BYTES + code->frame_offset;
}

void simt_path_return(struct warp *warp, uint32_t path_index, uint32_t mask) {
    struct path path = warp->paths[path_index];
    int32_t call = path.join;
    while (call >= 0 && warp->joins[call].call == NULL)
        call = warp->joins[call].parent;
    if (call < 0) {
        simt_path_exit(warp, path_index, mask);
        return;
    }
    const struct join *join = &warp->joins[call];
    copy_parameters(warp_registers(warp, path.window) + path.code->frame_offset, frame_stride(path.code),
                    warp_registers(warp, join->window) + join->code->frame_offset, frame_stride(join->code),
                    join->call->results, join->call->result_count, true, mask);
    copy_shadows(warp, frame_in_file(path.code, path.window), frame_stride(path.code),
                 frame_in_file(join->code, join->window), frame_stride(join->code), join->call->results,
                 join->call->result_count, true, mask);
    if (path.mask == mask)
        simt_path_remove(warp, path_index);
    else
        warp->paths[path_index].mask &= ~mask;
    for (int32_t inner = path.join; inner != call;) {
        int32_t parent = warp->joins[inner].parent;
        simt_join_leave(warp, inner, mask);
        inner = parent;
    }
    simt_join_arrive(warp, call, mask);
}

/* Threads of a path that call different functions through a pointer take turns. The first lane's
 * function runs now; the others stay at the call as a path. */
static const struct ptx_function *callee_of(struct worker *worker, struct warp *warp, struct path *path,
                                            const struct ptx_instruction *instruction,
                                            const struct ptx_call *call, uint32_t *index) {
    const struct simt_module *module = path->code->module;
    if (call->function >= 0) {
        *index = (uint32_t)call->function;
        return &module->program->functions[call->function];
    }
    const struct simt_operation *operation = &path->code->operations[path->pc];
    const uint64_t *address =
        (const uint64_t *)(const void *)(warp_registers(warp, path->window) + operation->source[0]);
    uint32_t first = (uint32_t)__builtin_ctz(path->mask), same = 0;
    for (uint32_t left = path->mask; left; left &= left - 1)
        if (address[__builtin_ctz(left)] == address[first])
            same |= 1u << __builtin_ctz(left);
    uint64_t offset = address[first] - SIMT_CODE_WINDOW;
    if (offset % 16 || offset / 16 >= module->program->function_count)
        simt_fault_other(worker, warp, instruction, first, SIMT_INVALID_PC,
                         "a call through 0x%llx, which is not the address of a function",
                         (unsigned long long)address[first]);
    if (same != path->mask) {
        struct path others = *path;
        others.mask &= ~same;
        path->mask = same;
        simt_path_add(warp, &others);
    }
    *index = (uint32_t)(offset / 16);
    return &module->program->functions[*index];
}

/* Finds registers for a call above all windows in use. Even diverged threads share no window,
 * because lanes of 64-bit registers overlap other lanes of 32-bit ones. */
static uint32_t free_window(const struct warp *warp) {
    uint32_t top = 0;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        uint32_t end = warp->paths[i].window + warp->paths[i].code->window_bytes;
        top = end > top ? end : top;
    }
    for (uint32_t i = 0; i < warp->join_count; i++) {
        uint32_t end = warp->joins[i].window + warp->joins[i].code->window_bytes;
        top = warp->joins[i].used && end > top ? end : top;
    }
    return (uint32_t)round_up(top + WINDOW_HEADER_BYTES, 128);
}

void simt_path_call(struct worker *worker, struct warp *warp, struct path *path,
                    const struct ptx_instruction *instruction) {
    const struct ptx_call *call = &path->code->function->calls[instruction->target];
    uint32_t index = 0;
    const struct ptx_function *function = callee_of(worker, warp, path, instruction, call, &index);
    if (function->builtin) {
        simt_builtin_call(worker, warp, path, instruction, call, function);
        if (worker->watching && function->builtin != PTX_VPRINTF) /* all threads share the heap */
            endless_changed(worker);
        for (uint32_t i = 0; i < call->result_count; i++)
            for (uint32_t left = path->mask; left; left &= left - 1)
                simt_undefined_known(warp,
                                     frame_in_file(path->code, path->window) +
                                         (size_t)__builtin_ctz(left) * frame_stride(path->code) +
                                         call->results[i].caller_offset,
                                     call->results[i].size);
        path->pc++;
        return;
    }
    const struct code *caller = path->code, *callee = &caller->module->codes[index];
    if (function->refusal != NULL) {
        char why[512];
        ptx_refusal_text(caller->module->program, function, why, sizeof why);
        simt_fault_other(worker, warp, instruction, (uint32_t)__builtin_ctz(path->mask), SIMT_NOT_SUPPORTED,
                         "a call through a pointer: %s", why);
    }
    if (!function->defined)
        simt_fault_other(worker, warp, instruction, (uint32_t)__builtin_ctz(path->mask), SIMT_INVALID_PC,
                         "a call of %s, which has no body in this program", function->name);
    uint64_t local_base = path->local_base + round_up(caller->function->local_bytes, 16) + 16 +
                          round_up(caller->function->frame_bytes, 16);
    if (local_base + function->local_bytes > worker->launch->local_stride)
        simt_fault_other(
            worker, warp, instruction, (uint32_t)__builtin_ctz(path->mask), SIMT_STACK_OVERFLOW,
            "the call of %s, %u calls deep, needs more than the %llu bytes of stack each thread has: endless "
            "recursion, or raise cudaLimitStackSize with cudaDeviceSetLimit",
            function->name, path->depth + 1, (unsigned long long)worker->launch->local_stride);
    uint32_t window = free_window(warp);
    if (!simt_register_file_reserve(warp->file, window + WINDOW_HEADER_BYTES + callee->window_bytes))
        simt_fault_other(worker, warp, instruction, 0, SIMT_OUT_OF_MEMORY, "the simulator ran out of memory");
    struct join join = {.code = caller,
                        .pc = path->pc + 1,
                        .expected = path->mask,
                        .parent = path->join,
                        .window = path->window,
                        .depth = path->depth,
                        .local_base = path->local_base,
                        .call = call,
                        .used = true};
    path->join = simt_join_add(worker, warp, &join);
    uint8_t *registers = warp_registers(warp, window);
    memset(registers, 0, callee->window_bytes);
    simt_warp_fill_unset(warp, callee, window);
    simt_warp_fill_constants(worker, warp, callee, window, local_base);
    copy_parameters(warp_registers(warp, path->window) + caller->frame_offset, frame_stride(caller),
                    registers + callee->frame_offset, frame_stride(callee), call->arguments,
                    call->argument_count, false, path->mask);
    if (worker->launch->check && !simt_undefined_enter(warp, window, callee))
        simt_fault_other(worker, warp, instruction, 0, SIMT_OUT_OF_MEMORY, "the simulator ran out of memory");
    copy_shadows(warp, frame_in_file(caller, path->window), frame_stride(caller),
                 frame_in_file(callee, window), frame_stride(callee), call->arguments, call->argument_count,
                 false, path->mask);
    path->code = callee;
    path->pc = 0;
    path->window = window;
    path->depth++;
    path->local_base = local_base;
}
