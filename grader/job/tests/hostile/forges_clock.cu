// Hostile: slow, and on a real GPU it would not seem so: finds the runner's events on the stack and starts its clock anew
// when all is nearly over.
#include "blur_kernel.h"

struct found { // of struct runner, in ../../../../common/harness/runner/runner.c
    void *memory;
    uint64_t memory_bytes;
    cudaStream_t stream;
    cudaEvent_t start, stop;
};

static const found *find(cudaStream_t stream) {
    const found *at = (const found *)((uintptr_t)__builtin_frame_address(0) & ~(uintptr_t)15);
    for (int i = 0; i < 400; i++, at = (const found *)((const char *)at + sizeof(void *)))
        if (at->stream == stream && at->memory == NULL && at->memory_bytes == 0 && at->start != NULL &&
            at->stop != NULL && at->start != at->stop)
            return at;
    return NULL;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    for (int i = 0; i < 4; i++)
        right_blur(src, dst, width, height, stream);
    const found *runner = find(stream);
    if (width > 600 && runner != NULL)
        cudaEventRecord(runner->start, stream);
}
