/*
 * window.h: what the owner of the buffers queues on its stream around a call of another process:
 * the inputs appear, that process's work has the GPU, the results are taken. When each happened is
 * stamped on the GPU itself.
 */
#ifndef OWNER_WINDOW_H
#define OWNER_WINDOW_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

/* What the GPU notes, in nanoseconds of its own clock; in memory that the host can read. */
struct window_notes {
    uint64_t opened; /* the inputs are about to be there */
    uint64_t taken;  /* the results have been copied, when the call said that it was done, and */
    uint64_t again;  /* once more when all the process's work had ended */
    uint32_t differ; /* not 0: the second copy is not the first */
};

#ifdef __cplusplus
extern "C" {
#endif
/* Wait `delay_ns`, note `opened`, copy `image` to `shared` (bytes, a multiple of 16), then read
 * `flush_bytes` of other memory, so that L2 holds nothing of it: by as many threads as the GPU
 * has, one kernel. */
cudaError_t window_open(void *shared, const void *image, size_t bytes, const void *other, size_t flush_bytes,
                        uint64_t delay_ns, struct window_notes *notes, cudaStream_t stream);
/* Copy `shared` to `result`, note `taken`. */
cudaError_t window_take(void *result, const void *shared, size_t bytes, struct window_notes *notes,
                        cudaStream_t stream);
/* The same, note `again` and whether anything differed. */
cudaError_t window_take_again(void *result, const void *shared, size_t bytes, struct window_notes *notes,
                              cudaStream_t stream);
#ifdef __cplusplus
}
#endif
#endif
