/*
 * gate.h: words of device memory at which the work of one process waits for that of another: on the
 * device, in the order of a stream, with no host between. By the driver's stream memory operations,
 * which the runtime does not have.
 */
#ifndef RUNNER_GATE_H
#define RUNNER_GATE_H

#include <cuda_runtime_api.h>
#include <stdint.h>

/* What is queued behind this starts when the word (4 bytes of device memory, this process's or
 * shared with it) is `value`. */
cudaError_t gate_wait(cudaStream_t stream, void *word, uint32_t value);
/* The word becomes `value` when all that was queued before has ended, and its stores can be
 * seen. */
cudaError_t gate_set(cudaStream_t stream, void *word, uint32_t value);

#endif
