/* flush.h: what the device does before a timed call: a cold L2, a GPU at work. */
#ifndef RUNNER_FLUSH_H
#define RUNNER_FLUSH_H

#include <cuda_runtime_api.h>
#include <stddef.h>

enum { RUNNER_FLUSH_EXTRA = 256 };

/* Queue a read of `bytes` (a multiple of 256) of zeros in device memory, by as many threads as
 * the GPU has. Another RUNNER_FLUSH_EXTRA bytes behind them, zero before the first call, are the
 * flush's own. */
#ifdef __cplusplus
extern "C" {
#endif
cudaError_t runner_flush(void *zeros, size_t bytes, cudaStream_t stream);
/* Queue a kernel that does nothing. */
cudaError_t runner_settle(cudaStream_t stream);
#ifdef __cplusplus
}
#endif

#endif
