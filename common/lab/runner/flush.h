/* flush.h: what the device does before a timed call: L2 is emptied, and the GPU kept busy. */
#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>

enum { RUNNER_FLUSH_EXTRA = 256 };

/* Queues a read of `bytes` (a multiple of 256) of zeros in device memory, by as many threads as
 * the GPU has. The flush also owns RUNNER_FLUSH_EXTRA bytes behind them, zero before the first
 * call. */
#ifdef __cplusplus
extern "C" {
#endif
cudaError_t runner_flush(void *zeros, size_t bytes, cudaStream_t stream);
/* Queues a kernel that does nothing. */
cudaError_t runner_settle(cudaStream_t stream);
#ifdef __cplusplus
}
#endif
