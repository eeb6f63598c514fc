/* properties.cu: what the runtime says of the device, by the names of a model file. */
#include "calibration.h"

int main(void) {
    static const struct {
        const char *key;
        cudaDeviceAttr attribute;
        int divisor;
    } keys[] = {
        {"compute_major", cudaDevAttrComputeCapabilityMajor, 1},
        {"compute_minor", cudaDevAttrComputeCapabilityMinor, 1},
        {"sm_count", cudaDevAttrMultiProcessorCount, 1},
        {"max_warps_per_sm", cudaDevAttrMaxThreadsPerMultiProcessor, 32},
        {"max_blocks_per_sm", cudaDevAttrMaxBlocksPerMultiprocessor, 1},
        {"max_threads_per_sm", cudaDevAttrMaxThreadsPerMultiProcessor, 1},
        {"max_threads_per_block", cudaDevAttrMaxThreadsPerBlock, 1},
        {"registers_per_sm", cudaDevAttrMaxRegistersPerMultiprocessor, 1},
        {"registers_per_block", cudaDevAttrMaxRegistersPerBlock, 1},
        {"shared_per_sm", cudaDevAttrMaxSharedMemoryPerMultiprocessor, 1},
        {"shared_per_block", cudaDevAttrMaxSharedMemoryPerBlock, 1},
        {"shared_per_block_optin", cudaDevAttrMaxSharedMemoryPerBlockOptin, 1},
        {"shared_reserved", cudaDevAttrReservedSharedMemoryPerBlock, 1},
        {"l2_bytes", cudaDevAttrL2CacheSize, 1},
        {"l2_persisting_bytes", cudaDevAttrMaxPersistingL2CacheSize, 1},
        {"l2_window_bytes", cudaDevAttrMaxAccessPolicyWindowSize, 1},
        {"clock_mhz", cudaDevAttrClockRate, 1000},
        {"memory_clock_mhz", cudaDevAttrMemoryClockRate, 1000},
        {"memory_bus_bits", cudaDevAttrGlobalMemoryBusWidth, 1},
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        int value;
        check(cudaDeviceGetAttribute(&value, keys[i].attribute, 0), keys[i].key);
        printf("%s,%d,,as the runtime reports it\n", keys[i].key, value / keys[i].divisor);
    }
    size_t free_bytes, bytes;
    check(cudaMemGetInfo(&free_bytes, &bytes), "cudaMemGetInfo");
    printf("memory_bytes,%zu,,as the runtime reports it\n", bytes);
    return 0;
}
