// NPP, NVIDIA's library of image operations, with the function of lab5.h: what the report sets beside yours.
//
// It is opened when the program runs, so nothing of it is needed to build. The three operations are those of
// the assignment: MinMax, SubC, MulC; their constants pass through the host. MulC multiplies by a whole
// number up to 255 and divides by a power of two, so its result is not that of lab5.h in every pixel: the
// report says in how many, and by how much.

#include "lab5.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

// As nppdefs.h has them.
struct size {
    int width, height;
};
struct context {
    cudaStream_t stream;
    int device, processors, threads_of_processor, threads_of_block;
    size_t shared_of_block;
    int compute_major, compute_minor;
    unsigned stream_flags;
    int reserved;
};

struct npp {
    int (*buffer_size)(struct size, size_t *, struct context);
    int (*buffer_size_old)(struct size, int *, struct context); // before release 12 the size is an int
    int (*min_max)(const uint8_t *, int, struct size, uint8_t *, uint8_t *, uint8_t *, struct context);
    int (*subtract)(const uint8_t *, int, uint8_t, uint8_t *, int, struct size, int, struct context);
    int (*multiply)(uint8_t, uint8_t *, int, struct size, int, struct context);
};

// The runner prints this and leaves the library out.
static void stop(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    fflush(stderr);
    _Exit(1);
}

static void *open_library(const char *name) {
    static const char *const releases[] = {".13", ".12", ".11", ""};
    char path[64];
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "lib%s.so%s", name, releases[i]);
        void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
        if (library != NULL)
            return library;
    }
    snprintf(path, sizeof path, "lib%s.so", name);
    stop(path, "NPP is not installed");
    return NULL;
}

static void *find(void *library, const char *name) {
    void *symbol = dlsym(library, name);
    if (symbol == NULL)
        stop(name, "not in this release of NPP");
    return symbol;
}

static struct npp load(void) {
    struct npp npp;
    (void)open_library("nppc");
    void *statistics = open_library("nppist"), *arithmetic = open_library("nppial");
    int version = 0;
    cudaRuntimeGetVersion(&version);
    void *size = find(statistics, "nppiMinMaxGetBufferHostSize_8u_C1R_Ctx");
    npp.buffer_size = version >= 12000 ? (int (*)(struct size, size_t *, struct context))size : NULL;
    npp.buffer_size_old = version < 12000 ? (int (*)(struct size, int *, struct context))size : NULL;
    npp.min_max = (int (*)(const uint8_t *, int, struct size, uint8_t *, uint8_t *, uint8_t *,
                           struct context))find(statistics, "nppiMinMax_8u_C1R_Ctx");
    npp.subtract = (int (*)(const uint8_t *, int, uint8_t, uint8_t *, int, struct size, int,
                            struct context))find(arithmetic, "nppiSubC_8u_C1RSfs_Ctx");
    npp.multiply = (int (*)(uint8_t, uint8_t *, int, struct size, int, struct context))find(
        arithmetic, "nppiMulC_8u_C1IRSfs_Ctx");
    return npp;
}

static struct context make_context(cudaStream_t stream) {
    struct context c = {stream};
    int shared = 0;
    cudaGetDevice(&c.device);
    cudaDeviceGetAttribute(&c.processors, cudaDevAttrMultiProcessorCount, c.device);
    cudaDeviceGetAttribute(&c.threads_of_processor, cudaDevAttrMaxThreadsPerMultiProcessor, c.device);
    cudaDeviceGetAttribute(&c.threads_of_block, cudaDevAttrMaxThreadsPerBlock, c.device);
    cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlock, c.device);
    cudaDeviceGetAttribute(&c.compute_major, cudaDevAttrComputeCapabilityMajor, c.device);
    cudaDeviceGetAttribute(&c.compute_minor, cudaDevAttrComputeCapabilityMinor, c.device);
    c.shared_of_block = shared;
    cudaStreamGetFlags(stream, &c.stream_flags);
    return c;
}

static void check(const char *what, int status) {
    char why[32];
    snprintf(why, sizeof why, "NPP status %d", status);
    if (status != 0)
        stop(what, why);
}

extern "C" void contrast(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch, int width,
                         int height, void *scratch, cudaStream_t stream) {
    static struct npp npp; // opened by the first call, which is not timed
    static struct context context;
    static uint8_t *buffer;
    static size_t buffer_bytes;
    struct size size = {width, height};
    if (npp.min_max == NULL) {
        npp = load();
        context = make_context(stream);
    }
    size_t needed = 0;
    int needed_old = 0;
    check("MinMaxGetBufferHostSize", npp.buffer_size != NULL
                                         ? npp.buffer_size(size, &needed, context)
                                         : npp.buffer_size_old(size, &needed_old, context));
    needed += needed_old;
    if (needed > buffer_bytes) {
        cudaFree(buffer);
        if (cudaMalloc((void **)&buffer, needed) != cudaSuccess)
            stop("cudaMalloc", "no memory for NPP's buffer");
        buffer_bytes = needed;
    }

    uint8_t *limits = (uint8_t *)scratch, found[2];
    check("MinMax", npp.min_max(src, (int)src_pitch, size, limits, limits + 1, buffer, context));
    cudaMemcpyAsync(found, limits, sizeof found, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);

    // The largest power of two with which the factor is still at most 255.
    int range = found[1] - found[0], shift = 0;
    if (range == 0) {
        check("SubC", npp.subtract(src, (int)src_pitch, 0, dst, (int)dst_pitch, size, 0, context));
        return;
    }
    while (((255 << (shift + 1)) + range / 2) / range <= 255)
        shift++;
    uint8_t factor = ((255 << shift) + range / 2) / range;
    check("SubC", npp.subtract(src, (int)src_pitch, found[0], dst, (int)dst_pitch, size, 0, context));
    check("MulC", npp.multiply(factor, dst, (int)dst_pitch, size, shift, context));
}
