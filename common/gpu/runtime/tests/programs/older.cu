/* older.cu: what CUDA 13 took from its headers, by cuda12.cuh; with an older toolkit, by its own. */
#include "check.h"

__global__ void votes(int *to) {
    int lane = (int)threadIdx.x;
#if CUDART_VERSION >= 13000 /* older headers have these no more for this chip */
    int next = __shfl_down(lane, 1), first = __shfl(lane, 0), pair = __shfl_xor(lane, 1),
        last = __shfl_up(lane, 1);
    to[lane] = next + 100 * first + 1000 * pair + 100000 * last +
               10000000 * (__any(lane == 3) && !__all(lane == 3)) + ((__ballot(lane == 3) == 8) << 28);
#else
    to[lane] = lane + 1 + 1000 * (lane ^ 1) + 100000 * (lane - 1) + 10000000 + (1 << 28);
#endif
}

int main(void) {
    cudaDeviceProp properties;
    int *memory, device, clock;
    OK(cudaGetDevice(&device));
    OK(cudaGetDeviceProperties(&properties, device));
    OK(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device));
    CHECK(properties.clockRate == clock && clock > 0 && properties.memoryClockRate > 0 &&
          properties.major >= 5);
    CHECK(properties.deviceOverlap == 1 && properties.kernelExecTimeoutEnabled == 0);
    CHECK(properties.computeMode == cudaComputeModeDefault && properties.maxTexture1DLinear > 0);
    OK(cudaMallocManaged(&memory, 4096));
    OK(cudaMemAdvise(memory, 4096, cudaMemAdviseSetPreferredLocation, device));
    OK(cudaMemPrefetchAsync(memory, 4096, device));
    EXPECT(cudaErrorInvalidDevice, cudaMemPrefetchAsync(memory, 4096, device + 1, 0));
    votes<<<1, 32>>>(memory);
    OK(cudaMemPrefetchAsync(memory, 4096, cudaCpuDeviceId, 0));
    OK(cudaThreadSynchronize());
    CHECK(memory[5] == 6 + 1000 * 4 + 100000 * 4 + 10000000 + (1 << 28));
    OK(cudaFree(memory));
    puts("ok");
    return 0;
}
