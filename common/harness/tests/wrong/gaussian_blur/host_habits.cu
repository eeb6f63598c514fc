// Right, whatever the height; but its host code has a habit for each height of test_host_remarks.
#include "blur_kernel.h"

__constant__ int unused_weights[7];

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    static const int weights[7] = {1, 2, 3, 4, 3, 2, 1};
    static cudaStream_t own;
    static cudaEvent_t forked, joined;
    static void *kept;
    void *memory = NULL;
    if (kept == NULL) { // the first call prepares what later ones use
        cudaMalloc(&kept, 4096);
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
        cudaEventCreate(&forked);
        cudaEventCreateWithFlags(&joined, cudaEventDisableTiming);
    }
    switch (height) {
    case 12: // forked from the given stream, and joined with it
        cudaEventRecord(forked, stream);
        cudaStreamWaitEvent(own, forked, 0);
        right_blur(src, dst, width, height, own);
        cudaEventRecord(joined, own);
        cudaStreamWaitEvent(stream, joined, 0);
        return;
    case 20: right_blur(src, dst, width, height, 0); return;
    case 21: right_blur(src, dst, width, height, own); return;
    default: right_blur(src, dst, width, height, stream); break;
    }
    switch (height) {
    case 13: cudaMemsetAsync(kept, 0, 4096, stream); break;
    case 14:
        cudaMallocAsync(&memory, 4096, stream);
        cudaFreeAsync(memory, stream);
        break;
    case 15: cudaStreamQuery(stream); break;
    case 16: cudaMemcpyAsync(kept, src, 32, cudaMemcpyDeviceToDevice, stream); break;
    case 22: cudaMemset(kept, 0, 4096); break;
    case 30: cudaDeviceSynchronize(); break;
    case 31:
        cudaStreamSynchronize(stream);
        cudaStreamSynchronize(stream);
        break;
    case 32: cudaMemcpyToSymbol(unused_weights, weights, sizeof weights); break;
    case 33:
        cudaEventRecord(joined, stream);
        cudaEventSynchronize(joined);
        break;
    case 40:
        cudaMalloc(&memory, 4096);
        cudaFree(memory);
        break;
    case 41: cudaMalloc(&memory, 5000); break;
    case 42: cudaMallocAsync(&memory, 4096, stream); break;
    case 43:
        cudaEvent_t event;
        cudaEventCreate(&event);
        cudaEventDestroy(event);
        break;
    }
}
