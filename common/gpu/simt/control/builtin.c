/* builtin.c: the functions without a body: vprintf, __assertfail, malloc, free. */
#include "base/round.h"
#include "gpu/simt/check/undefined.h"
#include "gpu/simt/control/launch.h"
#include "gpu/simt/memory/device.h"

#include <stdlib.h>
#include <string.h>

/* ---- device malloc: first fit in one allocation; blocks of 16 bytes, each with a header */

struct heap_block {
    uint64_t start, bytes; /* offsets in the heap */
    bool used;
};

struct device_heap {
    uint64_t address, bytes;
    pthread_mutex_t lock;
    struct heap_block *blocks; /* sorted; they cover the heap */
    size_t count, capacity;
    struct heap_block *kept; /* the blocks to restore; NULL: one free block */
    size_t kept_count;
};

void simt_device_heap_free(struct device_heap *heap) {
    if (heap == NULL)
        return;
    pthread_mutex_destroy(&heap->lock);
    free(heap->blocks);
    free(heap->kept);
    free(heap);
}

uint64_t simt_device_heap_address(const struct device_heap *heap) {
    return heap->address;
}

bool simt_device_heap_keep(struct device_heap *heap) {
    struct heap_block *kept = malloc(heap->count * sizeof *kept);
    if (kept == NULL)
        return false;
    memcpy(kept, heap->blocks, heap->count * sizeof *kept);
    free(heap->kept);
    heap->kept = kept;
    heap->kept_count = heap->count;
    return true;
}

void simt_device_heap_reset(struct device_heap *heap) {
    heap->blocks[0] = (struct heap_block){0, heap->bytes, false};
    heap->count = 1;
    if (heap->kept == NULL)
        return;
    memcpy(heap->blocks, heap->kept, heap->kept_count * sizeof *heap->kept); /* it had this capacity before */
    heap->count = heap->kept_count;
}

static struct device_heap *heap_of(struct simt_device *device) {
    if (device->heap != NULL)
        return device->heap;
    struct device_heap *heap = calloc(1, sizeof *heap);
    if (heap == NULL)
        return NULL;
    heap->capacity = 64;
    heap->blocks = malloc(heap->capacity * sizeof *heap->blocks);
    if (heap->blocks == NULL ||
        simt_device_allocate_named(device, device->heap_bytes, "the heap of device malloc", &heap->address) !=
            SIMT_OK) {
        free(heap->blocks);
        free(heap);
        return NULL;
    }
    pthread_mutex_init(&heap->lock, NULL);
    heap->bytes = device->heap_bytes;
    heap->blocks[0] = (struct heap_block){0, heap->bytes, false};
    heap->count = 1;
    device->heap = heap;
    return heap;
}

static uint64_t heap_allocate(struct device_heap *heap, uint64_t bytes) {
    if (!bytes || bytes > heap->bytes)
        return 0;
    bytes = round_up(bytes, 16);
    for (size_t i = 0; i < heap->count; i++) {
        struct heap_block *block = &heap->blocks[i];
        if (block->used || block->bytes < bytes)
            continue;
        if (block->bytes > bytes) {
            if (heap->count == heap->capacity) {
                struct heap_block *larger = realloc(heap->blocks, 2 * heap->capacity * sizeof *larger);
                if (larger == NULL)
                    return 0;
                heap->blocks = larger;
                heap->capacity *= 2;
                block = &heap->blocks[i];
            }
            memmove(block + 2, block + 1, (heap->count - i - 1) * sizeof *block);
            block[1] = (struct heap_block){block->start + bytes, block->bytes - bytes, false};
            heap->count++;
        }
        block->bytes = bytes;
        block->used = true;
        return heap->address + block->start;
    }
    return 0;
}

static bool heap_release(struct device_heap *heap, uint64_t address) {
    for (size_t i = 0; i < heap->count; i++) {
        struct heap_block *block = &heap->blocks[i];
        if (heap->address + block->start != address)
            continue;
        if (!block->used)
            return false;
        block->used = false;
        if (i + 1 < heap->count && !block[1].used) {
            block->bytes += block[1].bytes;
            memmove(block + 1, block + 2, (heap->count - i - 2) * sizeof *block);
            heap->count--;
        }
        if (i > 0 && !block[-1].used) {
            block[-1].bytes += block->bytes;
            memmove(block, block + 1, (heap->count - i - 1) * sizeof *block);
            heap->count--;
        }
        return true;
    }
    return false;
}

/* ---- calls */

struct builtin {
    struct worker *worker;
    struct warp *warp;
    const struct ptx_instruction *instruction;
    const struct ptx_call *call;
    struct window_header *window;
};

static uint64_t argument(const struct builtin *builtin, uint32_t lane, uint32_t index) {
    uint64_t value = 0;
    if (index < builtin->call->argument_count) {
        const struct ptx_copy *copy = &builtin->call->arguments[index];
        memcpy(&value,
               builtin->window->frame + (size_t)lane * builtin->window->frame_stride + copy->caller_offset,
               copy->size < 8 ? copy->size : 8);
    }
    return value;
}

static void give_result(const struct builtin *builtin, uint32_t lane, uint64_t value) {
    if (!builtin->call->result_count)
        return;
    const struct ptx_copy *copy = &builtin->call->results[0];
    memcpy(builtin->window->frame + (size_t)lane * builtin->window->frame_stride + copy->caller_offset,
           &value, copy->size < 8 ? copy->size : 8);
}

static void fail_assertion(const struct builtin *builtin, uint32_t lane) {
    char expression[160] = "?", file[160] = "?", function[120] = "?";
    simt_lane_string(builtin->window, lane, argument(builtin, lane, 0), expression, sizeof expression);
    simt_lane_string(builtin->window, lane, argument(builtin, lane, 1), file, sizeof file);
    uint32_t line = (uint32_t)argument(builtin, lane, 2);
    simt_lane_string(builtin->window, lane, argument(builtin, lane, 3), function, sizeof function);
    simt_fault_other(builtin->worker, builtin->warp, builtin->instruction, lane, SIMT_ASSERT,
                     "%s:%u: %s: assertion `%s` failed", file, line, function, expression);
}

static uint64_t device_malloc(const struct builtin *builtin, uint32_t lane) {
    struct device_heap *heap = heap_of(builtin->worker->launch->device);
    if (heap == NULL)
        return 0;
    pthread_mutex_lock(&heap->lock);
    uint64_t address = heap_allocate(heap, argument(builtin, lane, 0));
    if (address) /* the address tells whether it was handed out */
        (void)simt_lane_memory(builtin->window, lane, address, 1);
    if (address)
        simt_undefined_handed_out(builtin->worker->launch->device, address, argument(builtin, lane, 0));
    pthread_mutex_unlock(&heap->lock);
    return address;
}

static void device_free(const struct builtin *builtin, uint32_t lane) {
    struct device_heap *heap = heap_of(builtin->worker->launch->device);
    uint64_t address = argument(builtin, lane, 0);
    if (!address)
        return;
    bool released = false;
    if (heap != NULL) {
        pthread_mutex_lock(&heap->lock);
        released = heap_release(heap, address);
        pthread_mutex_unlock(&heap->lock);
    }
    if (!released)
        simt_fault_other(builtin->worker, builtin->warp, builtin->instruction, lane, SIMT_ILLEGAL_ADDRESS,
                         "free(0x%llx): device malloc did not return this address, or it is free already",
                         (unsigned long long)address);
}

void simt_builtin_call(struct worker *worker, struct warp *warp, const struct path *path,
                       const struct ptx_instruction *instruction, const struct ptx_call *call,
                       const struct ptx_function *function) {
    struct builtin builtin = {worker, warp, instruction, call,
                              window_header(warp_registers(warp, path->window))};
    for (uint32_t left = path->mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        switch (function->builtin) {
        case PTX_VPRINTF:
            give_result(&builtin, lane,
                        (uint32_t)simt_lane_print(builtin.window, lane, argument(&builtin, lane, 0),
                                                  argument(&builtin, lane, 1)));
            break;
        case PTX_ASSERTFAIL: fail_assertion(&builtin, lane); break;
        case PTX_MALLOC: give_result(&builtin, lane, device_malloc(&builtin, lane)); break;
        default: device_free(&builtin, lane); break;
        }
    }
}
