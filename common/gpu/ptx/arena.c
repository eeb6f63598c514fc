/* arena.c: memory that is freed all at once. */
#include "gpu/ptx/internal.h"
#include <stdlib.h>

enum { FIRST_BLOCK = 16 << 10, LARGEST_BLOCK = 4 << 20, ALIGNMENT = 16 };

/* Most bytes of one arena; a text that needs more is refused. */
#define ARENA_LIMIT ((size_t)1 << 30)

struct ptx_arena_block {
    struct ptx_arena_block *before;
    size_t total; /* bytes of this block and those before it */
    _Alignas(ALIGNMENT) unsigned char bytes[];
};

void *ptx_arena_take(struct ptx_arena *arena, size_t bytes) {
    if (bytes > ARENA_LIMIT)
        return NULL;
    bytes = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if (arena->blocks == NULL || arena->size - arena->used < bytes) {
        size_t total = arena->blocks != NULL ? arena->blocks->total : 0;
        size_t size = total < FIRST_BLOCK ? FIRST_BLOCK : total > LARGEST_BLOCK ? LARGEST_BLOCK : total;
        if (size < bytes)
            size = bytes;
        if (total + size > ARENA_LIMIT)
            return NULL;
        struct ptx_arena_block *block = calloc(1, sizeof *block + size);
        if (block == NULL)
            return NULL;
        block->before = arena->blocks;
        block->total = total + size;
        arena->blocks = block;
        arena->used = 0;
        arena->size = size;
    }
    void *result = arena->blocks->bytes + arena->used;
    arena->used += bytes;
    return result;
}

void ptx_arena_free(struct ptx_arena *arena) {
    while (arena->blocks != NULL) {
        struct ptx_arena_block *before = arena->blocks->before;
        free(arena->blocks);
        arena->blocks = before;
    }
    arena->used = arena->size = 0;
}
