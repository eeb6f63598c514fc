/* flush.h: a cold L2. */
#ifndef RUNNER_FLUSH_H
#define RUNNER_FLUSH_H

#include <cuda_runtime_api.h>
#include <stddef.h>

/* Queue a read of `bytes` of zeros in device memory. */
#ifdef __cplusplus
extern "C"
#endif
    void
    runner_flush(void *zeros, size_t bytes, cudaStream_t stream);

#endif
