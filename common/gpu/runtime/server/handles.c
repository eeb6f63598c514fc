/* handles.c: an array of slots. By its generation a released number is recognised. */
#include "gpu/runtime/server/server.h"

#include <stdlib.h>

/* A number has slot + 1 in its low bits and the slot's generation above them. */
enum { SLOT_BITS = 20, SLOT_MASK = (1 << SLOT_BITS) - 1, GENERATION_MASK = (1 << (32 - SLOT_BITS)) - 1 };

static uint32_t number(const struct handles *handles, uint32_t slot) {
    return (handles->slots[slot].generation & GENERATION_MASK) << SLOT_BITS | (slot + 1);
}

uint32_t handle_new(struct handles *handles, void *object) {
    uint32_t slot;
    if (handles->first_free) {
        slot = handles->first_free - 1;
        handles->first_free = handles->slots[slot].next_free;
    } else {
        if (handles->count == SLOT_MASK - 1)
            return 0;
        if (handles->count == handles->capacity) {
            uint32_t capacity = handles->capacity ? 2 * handles->capacity : 16;
            struct handle_slot *slots = realloc(handles->slots, capacity * sizeof *slots);
            if (slots == NULL)
                return 0;
            handles->slots = slots;
            handles->capacity = capacity;
        }
        slot = handles->count++;
        handles->slots[slot].generation = 0;
    }
    handles->slots[slot].object = object;
    return number(handles, slot);
}

void *handle_object(const struct handles *handles, uint32_t handle) {
    uint32_t slot = (handle & SLOT_MASK) - 1;
    if (handle == 0 || slot >= handles->count || number(handles, slot) != handle)
        return NULL;
    return handles->slots[slot].object;
}

void *handle_release(struct handles *handles, uint32_t handle) {
    void *object = handle_object(handles, handle);
    if (object != NULL) {
        struct handle_slot *slot = &handles->slots[(handle & SLOT_MASK) - 1];
        slot->object = NULL;
        slot->generation++;
        slot->next_free = handles->first_free;
        handles->first_free = handle & SLOT_MASK;
    }
    return object;
}

void *handle_at(const struct handles *handles, uint32_t index) {
    return index < handles->count ? handles->slots[index].object : NULL;
}

void handles_free(struct handles *handles) {
    free(handles->slots);
    *handles = (struct handles){0};
}
