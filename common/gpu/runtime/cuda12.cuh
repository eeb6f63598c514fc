/* cuda12.cuh: what CUDA 13 took from its headers and older programs still use, for
 * nvcc -include cuda12.cuh (make run PROG=file.cu COMPAT=12). With an older toolkit it adds
 * nothing. Texture references went before CUDA 12 did; texture objects took their place. */
#ifndef RUNTIME_CUDA12_CUH
#define RUNTIME_CUDA12_CUH

#include <cuda_runtime.h>

#if defined(__cplusplus) && CUDART_VERSION >= 13000
#include <string.h>

/* ---- Managed memory: the device by its number; cudaCpuDeviceId is the host. */

static inline cudaMemLocation cuda12_location(int device) {
    cudaMemLocation location = {};
    location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    location.id = device == cudaCpuDeviceId ? 0 : device;
    return location;
}

static inline cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device,
                                               cudaStream_t stream = 0) {
    return cudaMemPrefetchAsync(pointer, bytes, cuda12_location(device), 0, stream);
}

static inline cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, cudaMemoryAdvise advice,
                                        int device) {
    return cudaMemAdvise(pointer, bytes, advice, cuda12_location(device));
}

/* The names in 12 of what 13 has under these. */
#define cudaMemPrefetchAsync_v2 cudaMemPrefetchAsync
#define cudaMemAdvise_v2 cudaMemAdvise

/* ---- cudaDeviceProp: the members that went, from the attributes that stayed. */

struct cuda12_properties : cudaDeviceProp {
    int clockRate, memoryClockRate, deviceOverlap, kernelExecTimeoutEnabled, computeMode;
    int maxTexture1DLinear, singleToDoublePrecisionPerfRatio, cooperativeMultiDeviceLaunch;
};

static inline cudaError_t cudaGetDeviceProperties(cuda12_properties *properties, int device) {
    const struct {
        int *member;
        cudaDeviceAttr attribute;
    } members[] = {
        {&properties->clockRate, cudaDevAttrClockRate},
        {&properties->memoryClockRate, cudaDevAttrMemoryClockRate},
        {&properties->deviceOverlap, cudaDevAttrGpuOverlap},
        {&properties->kernelExecTimeoutEnabled, cudaDevAttrKernelExecTimeout},
        {&properties->computeMode, cudaDevAttrComputeMode},
        {&properties->maxTexture1DLinear, cudaDevAttrMaxTexture1DLinearWidth},
        {&properties->singleToDoublePrecisionPerfRatio, cudaDevAttrSingleToDoublePrecisionPerfRatio},
    };
    cudaError_t error = cudaGetDeviceProperties(static_cast<cudaDeviceProp *>(properties), device);
    properties->cooperativeMultiDeviceLaunch = 0;
    for (const auto &member : members)
        if (error == cudaSuccess)
            error = cudaDeviceGetAttribute(member.member, member.attribute, device);
    return error;
}

#define cudaDeviceProp cuda12_properties

/* ---- The old names of the functions of a device. */

static inline cudaError_t cudaThreadSynchronize(void) {
    return cudaDeviceSynchronize();
}

static inline cudaError_t cudaThreadExit(void) {
    return cudaDeviceReset();
}

/* ---- Graphs: edges without data. */

static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                   const cudaGraphNode_t *to, size_t count) {
    return cudaGraphAddDependencies(graph, from, to, NULL, count);
}

static inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                      const cudaGraphNode_t *to, size_t count) {
    return cudaGraphRemoveDependencies(graph, from, to, NULL, count);
}

static inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                            size_t *count) {
    return cudaGraphGetEdges(graph, from, to, NULL, count);
}

static inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                                       size_t *count) {
    return cudaGraphNodeGetDependencies(node, nodes, NULL, count);
}

static inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                                         size_t *count) {
    return cudaGraphNodeGetDependentNodes(node, nodes, NULL, count);
}

/* ---- Warps: shuffles and votes without a mask, between the threads that are together. */

#ifdef __CUDACC__
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
#define CUDA12_SHUFFLE(name, argument)                                                                       \
    template <typename T> static __device__ __forceinline__ T name(T value, argument, int width = 32) {      \
        return name##_sync(__activemask(), value, lane, width);                                              \
    }
CUDA12_SHUFFLE(__shfl, int lane)
CUDA12_SHUFFLE(__shfl_up, unsigned lane)
CUDA12_SHUFFLE(__shfl_down, unsigned lane)
CUDA12_SHUFFLE(__shfl_xor, int lane)
#undef CUDA12_SHUFFLE
#endif
/* The compiler knows these by name, so nothing but a macro comes before it. A file of the library
 * has a function of one of these names: it is read first. */
#if __cplusplus >= 201703L
#include <cuda/std/functional>
#endif
#define __any(predicate) __any_sync(__activemask(), predicate)
#define __all(predicate) __all_sync(__activemask(), predicate)
#define __ballot(predicate) __ballot_sync(__activemask(), predicate)
#endif

/* ---- Thrust: the bases that functors were derived from. */

namespace thrust {
template <typename Argument, typename Result> struct unary_function {
    typedef Argument argument_type;
    typedef Result result_type;
};
template <typename First, typename Second, typename Result> struct binary_function {
    typedef First first_argument_type;
    typedef Second second_argument_type;
    typedef Result result_type;
};
} // namespace thrust

#endif
#endif
