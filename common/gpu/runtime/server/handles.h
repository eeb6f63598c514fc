/* handles.h: numbers for objects that a program creates and destroys. A number that was given back is not
 * soon used again, so a stale one is recognised. */
#ifndef RUNTIME_HANDLES_H
#define RUNTIME_HANDLES_H

#include <stdbool.h>
#include <stdint.h>

struct handle_slot {
    void *object;
    uint32_t generation, next_free;
};
struct handles {
    struct handle_slot *slots;
    uint32_t count, capacity, first_free;
};

/* A number, never 0, for a malloc'd object; 0 when out of memory. */
uint32_t handle_new(struct handles *handles, void *object);
/* The object, NULL for a number that is not in use. */
void *handle_object(const struct handles *handles, uint32_t handle);
/* Forget the number and return its object (not freed). */
void *handle_release(struct handles *handles, uint32_t handle);
/* Walk: the object at index 0, 1, ... count-1, NULL where none is. */
void *handle_at(const struct handles *handles, uint32_t index);
/* Release the table itself. */
void handles_free(struct handles *handles);

#endif
