/*
 * gate.h: words of device memory at which one process's work waits for another's: on the device, in
 * stream order, with no host in between. The driver's stream memory operations do it, which the
 * runtime lacks.
 */
#pragma once

#include <cuda_runtime_api.h>
#include <stdint.h>

/* Work queued behind this starts when the word (4 bytes of device memory, perhaps another
 * process's) equals `value`. */
cudaError_t gate_wait(cudaStream_t stream, void *word, uint32_t value);
/* Sets the word to `value` when all work queued before has ended and its stores are visible. */
cudaError_t gate_set(cudaStream_t stream, void *word, uint32_t value);
