/*
 * gpu_state.h: what a real GPU says of itself while it is measured: clocks, temperature, what holds the clocks back. From
 * NVIDIA's management library (NVML), which comes with the driver and is opened at run time. It is only asked: nothing
 * here changes a setting.
 */
#ifndef LAB_GPU_STATE_H
#define LAB_GPU_STATE_H

#include "report/document/report_clocks.h"

#include <stddef.h>

#define GPU_STATE_LIBRARY "libnvidia-ml.so.1"

struct gpu_state;

/* The GPU at this place of the bus, "00000000:1b:00.0". NULL and one line: there is no library, or it does not know the
 * GPU, or its clocks. */
struct gpu_state *gpu_state_open(const char *library, const char *bus, char *why, size_t size);

/* Take a sample. NULL: nothing happens. */
void gpu_state_look(struct gpu_state *state);

/* What was seen, or with state NULL why nothing was. */
void gpu_state_tell(const struct gpu_state *state, const char *why, struct report_clocks *clocks);

void gpu_state_close(struct gpu_state *state); /* NULL: nothing happens */

#endif
