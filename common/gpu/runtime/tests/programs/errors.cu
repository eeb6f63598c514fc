/* errors.cu: wrong arguments get the errors that the runtime documents, and cudaGetLastError its meaning. */
#include "check.h"

__global__ void fill(int *out) {
    out[threadIdx.x] = 1;
}
__global__ void __launch_bounds__(64) bounded(int *out) {
    out[threadIdx.x] = 1;
}
__global__ void dynamic(int *out) {
    extern __shared__ int words[];
    words[threadIdx.x] = 2;
    __syncthreads();
    out[threadIdx.x] = words[threadIdx.x];
}

static void not_a_kernel(void) {}

int main(void) {
    int *device, host[4] = {0}, value;
    struct cudaDeviceProp properties;
    OK(cudaMalloc(&device, 4096));

    EXPECT(cudaErrorInvalidValue, cudaMalloc((void **)NULL, 4));
    EXPECT(cudaErrorInvalidValue, cudaFree(host));
    EXPECT(cudaErrorInvalidValue, cudaFree(device + 1));
    EXPECT(cudaErrorInvalidValue, cudaGetLastError());
    EXPECT(cudaSuccess, cudaGetLastError());
    EXPECT(cudaErrorInvalidValue, cudaFreeHost(device));
    EXPECT(cudaErrorInvalidValue, cudaPeekAtLastError());
    EXPECT(cudaErrorInvalidValue, cudaPeekAtLastError());
    EXPECT(cudaErrorInvalidMemcpyDirection, cudaMemcpy(device, host, 4, (enum cudaMemcpyKind)9));
    EXPECT(cudaErrorInvalidValue, cudaMemcpy(host, device, 4, cudaMemcpyHostToDevice));
    EXPECT(cudaErrorInvalidValue, cudaMemcpy(device, host, 8192, cudaMemcpyHostToDevice));
    EXPECT(cudaErrorInvalidValue, cudaMemcpy(device + 1023, host, 8, cudaMemcpyHostToDevice));
    EXPECT(cudaErrorInvalidValue, cudaMemset(device, 0, 4097));
    EXPECT(cudaErrorInvalidDevice, cudaSetDevice(1));
    EXPECT(cudaErrorInvalidDevice, cudaGetDeviceProperties(&properties, 3));
    EXPECT(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1));
    EXPECT(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)9999, 0));
    EXPECT(cudaErrorInvalidValue, cudaStreamCreateWithFlags((cudaStream_t *)&device, 77));
    EXPECT(cudaErrorInvalidResourceHandle, cudaStreamSynchronize((cudaStream_t)0x1234560));
    EXPECT(cudaErrorInvalidResourceHandle, cudaEventRecord((cudaEvent_t)0x1234560, 0));
    EXPECT(cudaErrorInvalidDeviceFunction,
           cudaLaunchKernel((const void *)not_a_kernel, dim3(1), dim3(1), NULL, 0, 0));
    cudaGetLastError();

    /* Launch shapes: each is this launch's error, and the next launch is well again. */
    static const struct {
        dim3 grid, block;
        size_t shared;
        cudaError_t error;
    } shapes[] = {{dim3(1), dim3(1025), 0, cudaErrorInvalidConfiguration},
                  {dim3(1), dim3(32, 33), 0, cudaErrorInvalidConfiguration},
                  {dim3(1), dim3(1, 1, 65), 0, cudaErrorInvalidConfiguration},
                  {dim3(0), dim3(1), 0, cudaErrorInvalidConfiguration},
                  {dim3(1), dim3(0), 0, cudaErrorInvalidConfiguration},
                  {dim3(1, 65536), dim3(1), 0, cudaErrorInvalidConfiguration},
                  {dim3(1), dim3(32), 48 * 1024 + 4, cudaErrorInvalidValue}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        dynamic<<<shapes[i].grid, shapes[i].block, shapes[i].shared>>>(device);
        EXPECT(shapes[i].error, cudaGetLastError());
        EXPECT(cudaSuccess, cudaDeviceSynchronize());
    }
    bounded<<<1, 65>>>(device);
    EXPECT(cudaErrorInvalidValue, cudaGetLastError());
    fill<<<1, 64>>>(device);
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());

    /* More than 48 KB, when asked for. */
    EXPECT(cudaErrorInvalidValue,
           cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
    OK(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 60 * 1024));
    cudaGetLastError();
    dynamic<<<1, 32, 60 * 1024>>>(device);
    OK(cudaGetLastError());
    OK(cudaMemcpy(host, device, 4, cudaMemcpyDeviceToHost));
    CHECK(host[0] == 2);
    /* Less than the 48 KB, when asked for: then that is the limit (as on an H200). */
    OK(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 1000));
    dynamic<<<1, 32, 2000>>>(device);
    EXPECT(cudaErrorInvalidValue, cudaGetLastError());

    CHECK(strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress") == 0);
    CHECK(strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") == 0);
    CHECK(strcmp(cudaGetErrorString((cudaError_t)12345), "unrecognized error code") == 0);

    /* What is not simulated says so by name, and nothing else happens. */
    cudaIpcEventHandle_t handle;
    EXPECT(cudaErrorNotSupported, cudaIpcGetEventHandle(&handle, NULL));
    EXPECT(cudaErrorNotSupported, cudaGetLastError());
    puts("ok");
    return 0;
}
