/*
 * gpu_lock.h: one job at a time on a real GPU, whoever starts it. Two disturb each other's times, and then honest ones are
 * flagged. The lock is a file named after the GPU, held (flock) by the judge's own process while it measures: the system
 * lets it go when that ends, however it ends.
 */
#ifndef JOB_GPU_LOCK_H
#define JOB_GPU_LOCK_H

#include <stdbool.h>
#include <stddef.h>

enum { GPU_LOCK_NAME = 64 };

/* Where the files lie: GPU_LOCKS of the environment, else /var/lock where anybody may write there, else /tmp. */
const char *gpu_lock_folder(void);

/* The place on the bus of the GPU that CUDA takes by itself, "0000-1b-00-0", as the driver says it. "gpu" where there is no
 * driver to ask: then all share one lock. Asked in a process of its own, which ends. */
void gpu_lock_name(char name[GPU_LOCK_NAME]);

/* Wait until the GPU of this name is ours, for so many seconds at most. A descriptor to close when it no longer is; -1 and one
 * line: it was not to be had. */
int gpu_lock_take(const char *folder, const char *name, double seconds, char *error, size_t size);

#endif
