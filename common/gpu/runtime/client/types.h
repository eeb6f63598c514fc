/* types.h: the CUDA runtime API's types, for builds without a toolkit. Layouts and numbers are
 * those of driver_types.h of 11.8, 12.9 and 13.0; tests/test_layout.c compares them with the
 * installed toolkit. CUDART_MAJOR (11, 12, 13) is the release that this library stands for. */
#ifndef RUNTIME_CLIENT_TYPES_H
#define RUNTIME_CLIENT_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifndef CUDART_MAJOR
#define CUDART_MAJOR 13
#endif

// clang-format off
typedef int cudaError_t;

/* errors.inc has X(name, number, text of cudaGetErrorString). */
enum cuda_error {
#define CUDA_ERROR(name, number, text) name = (number),
#include "errors.inc"
#undef CUDA_ERROR
};

struct cuda_dim3 { unsigned x, y, z; };

typedef struct cuda_stream *cudaStream_t;
typedef struct cuda_event *cudaEvent_t;
typedef struct cuda_pool *cudaMemPool_t;
typedef struct cuda_kernel *cudaKernel_t; /* also cudaFunction_t */

enum cuda_copy_kind { COPY_HOST_TO_HOST, COPY_HOST_TO_DEVICE, COPY_DEVICE_TO_HOST, COPY_DEVICE_TO_DEVICE, COPY_DEFAULT };

struct cuda_pitched { void *pointer; size_t pitch, width, height; };
struct cuda_extent { size_t width, height, depth; };
struct cuda_position { size_t x, y, z; };

struct cuda_copy_3d {
    void *from_array;
    struct cuda_position from_position;
    struct cuda_pitched from;
    void *to_array;
    struct cuda_position to_position;
    struct cuda_pitched to;
    struct cuda_extent extent;
    int kind;
};

struct cuda_function_attributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes;
    int preferredShmemCarveout;
#if CUDART_MAJOR >= 12
    int clusterDimMustBeSet, requiredClusterWidth, requiredClusterHeight, requiredClusterDepth;
    int clusterSchedulingPolicyPreference, nonPortableClusterSizeAllowed;
    int reserved[16];
#endif
};

enum cuda_memory_type { MEMORY_UNREGISTERED, MEMORY_HOST, MEMORY_DEVICE, MEMORY_MANAGED };

struct cuda_pointer_attributes {
    int type, device;
    void *devicePointer, *hostPointer;
#if CUDART_MAJOR >= 13
    long reserved[8];
#endif
};

struct cuda_launch_attribute {
    int id;
    char pad[4];
    union {
        char bytes[64];
        int cooperative, programmatic;
        struct cuda_dim3 cluster;
    } value;
};

enum cuda_launch_attribute_id { LAUNCH_COOPERATIVE = 2, LAUNCH_CLUSTER = 4, LAUNCH_PROGRAMMATIC = 6 };

struct cuda_launch_config {
    struct cuda_dim3 grid, block;
    size_t dynamic_shared;
    cudaStream_t stream;
    struct cuda_launch_attribute *attributes;
    unsigned attribute_count;
};

/* Parameters of a graph's nodes. */
struct cuda_kernel_node {
    void *function;
    struct cuda_dim3 grid, block;
    unsigned shared;
    void **arguments, **extra;
};
struct cuda_memset_node { void *to; size_t pitch; unsigned value, element_bytes; size_t width, height; }; /* width: elements */
struct cuda_host_node { void (*function)(void *); void *data; };
struct cuda_memory_node { char pool[88]; const void *access; size_t access_count, bytes; void *pointer; };
struct cuda_channel_format { int x, y, z, w, kind; };

struct cuda_memory_location { int type, id; };

struct cuda_uuid { char bytes[16]; };

/* cudaDeviceProp: the same fields in the same order in all releases, except D11_12(x) (before 13),
 * D12(x) (from 12 on) and D13(x) (from 13 on). */
#define DEVICE_PROPERTIES_BODY(D11_12, D12, D13)                                                                       \
    char name[256];                                                                                                    \
    struct cuda_uuid uuid;                                                                                             \
    char luid[8];                                                                                                      \
    unsigned luidDeviceNodeMask;                                                                                       \
    size_t totalGlobalMem, sharedMemPerBlock;                                                                          \
    int regsPerBlock, warpSize;                                                                                        \
    size_t memPitch;                                                                                                   \
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];                                                          \
    D11_12(int clockRate;)                                                                                             \
    size_t totalConstMem;                                                                                              \
    int major, minor;                                                                                                  \
    size_t textureAlignment, texturePitchAlignment;                                                                    \
    D11_12(int deviceOverlap;)                                                                                         \
    int multiProcessorCount;                                                                                           \
    D11_12(int kernelExecTimeoutEnabled;)                                                                              \
    int integrated, canMapHostMemory;                                                                                  \
    D11_12(int computeMode;)                                                                                           \
    int maxTexture1D, maxTexture1DMipmap;                                                                              \
    D11_12(int maxTexture1DLinear;)                                                                                    \
    int maxTexture2D[2], maxTexture2DMipmap[2], maxTexture2DLinear[3], maxTexture2DGather[2];                          \
    int maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap, maxTexture1DLayered[2], maxTexture2DLayered[3];        \
    int maxTextureCubemapLayered[2], maxSurface1D, maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2];           \
    int maxSurface2DLayered[3], maxSurfaceCubemap, maxSurfaceCubemapLayered[2];                                        \
    size_t surfaceAlignment;                                                                                           \
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount;                \
    int unifiedAddressing;                                                                                             \
    D11_12(int memoryClockRate;)                                                                                       \
    int memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor;                            \
    int streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;                                      \
    size_t sharedMemPerMultiprocessor;                                                                                 \
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported;        \
    D11_12(int singleToDoublePrecisionPerfRatio;)                                                                      \
    int pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported;                                     \
    int canUseHostPointerForRegisteredMem, cooperativeLaunch;                                                          \
    D11_12(int cooperativeMultiDeviceLaunch;)                                                                          \
    size_t sharedMemPerBlockOptin;                                                                                     \
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor;            \
    int accessPolicyMaxWindowSize;                                                                                     \
    size_t reservedSharedMemPerBlock;                                                                                  \
    D12(int hostRegisterSupported; int sparseCudaArraySupported; int hostRegisterReadOnlySupported;                    \
        int timelineSemaphoreInteropSupported; int memoryPoolsSupported; int gpuDirectRDMASupported;                   \
        unsigned gpuDirectRDMAFlushWritesOptions; int gpuDirectRDMAWritesOrdering;                                     \
        unsigned memoryPoolSupportedHandleTypes; int deferredMappingCudaArraySupported; int ipcEventSupported;         \
        int clusterLaunch; int unifiedFunctionPointers;)                                                               \
    D13(int deviceNumaConfig; int deviceNumaId; int mpsEnabled; int hostNumaId; unsigned gpuPciDeviceID;               \
        unsigned gpuPciSubsystemID; int hostNumaMultinodeIpcSupported;)

#define THERE(...) __VA_ARGS__
#define ABSENT(...)

struct cuda_properties_11 { DEVICE_PROPERTIES_BODY(THERE, ABSENT, ABSENT) };
struct cuda_properties_12 { DEVICE_PROPERTIES_BODY(THERE, THERE, ABSENT) int reserved[63]; };
struct cuda_properties_13 { DEVICE_PROPERTIES_BODY(ABSENT, THERE, THERE) int reserved[56]; };

// clang-format on

#endif
