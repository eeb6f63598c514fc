/*
 * gpu_lock.h: one job at a time measures on a real GPU, whoever starts it. Two jobs disturb each other's times, and honest
 * submissions would be flagged. The lock is a file named after the GPU. The judge's process holds it (flock) while it
 * measures; the system releases it when the process ends.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { GPU_LOCK_NAME = 64 };

/* Where the files lie: GPU_LOCKS of the environment, else /var/lock where anybody may write there, else /tmp. */
const char *gpu_lock_folder(void);

/* Place on the bus of CUDA's default GPU, "0000-1b-00-0"; "gpu" without a driver: then all share one lock. A process of
 * its own asks the driver. */
void gpu_lock_name(char name[GPU_LOCK_NAME]);

/* Wait, `seconds` at most, for the lock of this GPU. Returns a descriptor, whose closing releases the lock; -1 and one
 * line: no lock. */
int gpu_lock_take(const char *folder, const char *name, double seconds, char *error, size_t size);
