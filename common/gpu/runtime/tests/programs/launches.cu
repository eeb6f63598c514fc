/* launches.cu: kernels' parameters, attributes, occupancy, printf, every way to launch; properties of the
 * device. */
#include "check.h"

struct big {
    double values[400];
    char tail;
};

__global__ void take(struct big big, char c, short s, double *out) {
    out[threadIdx.x] = big.values[threadIdx.x] + big.tail + c + s;
}
template <int N, typename T> __global__ void tile(T *out) {
    __shared__ T words[N];
    words[threadIdx.x] = (T)threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = words[N - 1 - threadIdx.x];
}
__global__ void greet(int n) {
    printf("thread %d of %d: %s %.2f\n", threadIdx.x, n, "hello", 0.5 * threadIdx.x);
}
__global__ void __launch_bounds__(128) bounded(float *data) {
    data[threadIdx.x] += 1;
}

static void parameters(void) {
    static struct big big;
    double *device, host[400];
    for (int i = 0; i < 400; i++)
        big.values[i] = i * 0.25;
    big.tail = 3;
    OK(cudaMalloc(&device, sizeof host));
    take<<<1, 400>>>(big, 4, 500, device);
    OK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 400; i++)
        CHECK(host[i] == i * 0.25 + 507);
    OK(cudaMemset(device, 0, sizeof host));
    char c = 4;
    short s = 500;
    void *arguments[] = {&big, &c, &s, &device};
    OK(cudaLaunchKernel((const void *)take, dim3(1), dim3(400), arguments, 0, 0));
    OK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(host[399] == 399 * 0.25 + 507);

    cudaLaunchConfig_t config = {0};
    cudaLaunchAttribute attribute;
    config.gridDim = dim3(1);
    config.blockDim = dim3(400);
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
    OK(cudaMemset(device, 0, sizeof host));
    OK(cudaLaunchKernelExC(&config, (const void *)take, arguments));
    OK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(host[399] == 399 * 0.25 + 507);
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 2;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1; /* a grid of one block */
    EXPECT(cudaErrorInvalidConfiguration, cudaLaunchKernelExC(&config, (const void *)take, arguments));
    OK(cudaLaunchCooperativeKernel((const void *)take, dim3(2), dim3(400), arguments, 0, 0));
    EXPECT(cudaErrorCooperativeLaunchTooLarge,
           cudaLaunchCooperativeKernel((const void *)take, dim3(1000000), dim3(400), arguments, 0, 0));
    cudaGetLastError();
    OK(cudaFree(device));
}

static void attributes(void) {
    struct cudaFuncAttributes attributes;
    struct cudaDeviceProp properties;
    int blocks, minimum, best, value;
    size_t shared;
    OK(cudaGetDeviceProperties(&properties, 0));
    OK(cudaFuncGetAttributes(&attributes, bounded));
    CHECK(attributes.numRegs >= 4 && attributes.numRegs < 64 && attributes.maxThreadsPerBlock == 128);
    OK(cudaFuncGetAttributes(&attributes, (tile<256, float>)));
    CHECK(attributes.sharedSizeBytes == 1024 && attributes.maxThreadsPerBlock == 1024);
    CHECK(attributes.maxDynamicSharedSizeBytes == 47 * 1024 && attributes.ptxVersion >= 50);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 128, 0));
    CHECK(blocks == properties.maxThreadsPerMultiProcessor / 128);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 128, 40 * 1024));
    CHECK(blocks >= 1 && (size_t)blocks * 40 * 1024 <= properties.sharedMemPerMultiprocessor);
    OK(cudaOccupancyMaxPotentialBlockSize(&minimum, &best, tile<256, float>, 0, 0));
    CHECK(best >= 128 && minimum >= properties.multiProcessorCount);
    OK(cudaOccupancyAvailableDynamicSMemPerBlock(&shared, bounded, 4, 128));
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 128, shared));
    CHECK(blocks >= 4);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    CHECK(value == properties.multiProcessorCount && value > 0);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 0));
    CHECK(value == properties.major);
    CHECK(properties.warpSize == 32 && properties.maxThreadsPerBlock == 1024 && properties.name[0]);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    CHECK((size_t)value == properties.sharedMemPerBlockOptin && value > 48 * 1024);
    int version, driver;
    OK(cudaRuntimeGetVersion(&version));
    OK(cudaDriverGetVersion(&driver));
    CHECK(version / 1000 == CUDART_VERSION / 1000 && driver >= version);
    size_t limit;
    OK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
    OK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    CHECK(limit == 4096);
    /* As on an H200. */
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxPersistingL2CacheSize, 0));
    CHECK(value == properties.persistingL2CacheMaxSize && value == 39321600);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxAccessPolicyWindowSize, 0));
    CHECK(value == properties.accessPolicyMaxWindowSize && value == 134217728);
    OK(cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize));
    CHECK(limit == 11796480);
    OK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 20));
    OK(cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize));
    CHECK(limit == 3932160);
    EXPECT(cudaErrorInvalidValue, cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 30));
    (void)cudaGetLastError();
}

int main(void) {
    float *out, host[256];
    parameters();
    attributes();
    OK(cudaMalloc(&out, sizeof host));
    tile<256, float><<<1, 256>>>(out);
    OK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(host[0] == 255 && host[255] == 0);
    printf("before\n");
    greet<<<1, 2>>>(2);
    printf("between\n"); /* what kernels print comes when the host waits */
    OK(cudaDeviceSynchronize());
    printf("ok\n");
    return 0;
}
