/*
 * window.h: what the owner queues on its stream around a call of another process: the inputs
 * appear, that process's work runs, the results are copied. The GPU itself stamps the times.
 */
#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

/* Times in nanoseconds of the GPU's own clock, in memory that the host can read. */
struct window_notes {
    uint64_t opened; /* the inputs are about to be there */
    uint64_t taken;  /* the results were copied, when the call's work was said to be done */
    uint64_t again;  /* they were copied again, after the program had answered */
    uint32_t differ; /* not 0: the two copies differ */
};

#ifdef __cplusplus
extern "C" {
#endif
/* Waits `delay_ns`, stamps `opened`, copies `image` to `shared` (bytes, a multiple of 16). Then
 * one kernel reads `flush_bytes` of other memory by as many threads as the GPU has, so that L2
 * holds none of the case. */
cudaError_t window_open(void *shared, const void *image, size_t bytes, const void *other, size_t flush_bytes,
                        uint64_t delay_ns, struct window_notes *notes, cudaStream_t stream);
/* Copies `shared` to `result`, stamps `taken`. */
cudaError_t window_take(void *result, const void *shared, size_t bytes, struct window_notes *notes,
                        cudaStream_t stream);
/* Likewise, stamps `again` and notes whether anything differed. */
cudaError_t window_take_again(void *result, const void *shared, size_t bytes, struct window_notes *notes,
                              cudaStream_t stream);
#ifdef __cplusplus
}
#endif
