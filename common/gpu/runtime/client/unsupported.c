/* unsupported.c: the answer of every exported function that is not implemented (called by
 * build/gen/cudartN/stubs.c). */
#include "gpu/runtime/client/client.h"

#include <string.h>

cudaError_t cudart_not_supported(const char *name, int *said);

/* What to do instead, by a part of the function's name; the first that fits. */
static const struct {
    const char *part, *instead;
} advice[] = {
    {"Graphics", "copy the result to the host, and draw it there"},
    {"cudaGL", "copy the result to the host, and draw it there"},
    {"EGL", "copy the result to the host, and draw it there"},
    {"Array", "arrays and textures are missing; cudaMallocPitch and const __restrict__ pointers do without"},
    {"Texture", "arrays and textures are missing; const __restrict__ pointers do without"},
    {"Surface", "arrays and surfaces are missing; pointers do without"},
    {"Ipc", "processes can share data by the host's memory"},
    {"Conditional", "let the host decide which graph it launches"},
    {"cudaLibrary", "link the kernels into the program"},
    {"MemPool", "cudaMallocAsync takes the default pool"},
};

cudaError_t cudart_not_supported(const char *name, int *said) {
    const char *instead = NULL;
    for (size_t i = 0; instead == NULL && i < sizeof advice / sizeof *advice; i++)
        if (strstr(name, advice[i].part) != NULL)
            instead = advice[i].instead;
    if (!__atomic_exchange_n(said, 1, __ATOMIC_RELAXED))
        client_say("%s is not simulated (cudaErrorNotSupported)%s%s", name, instead != NULL ? ": " : "",
                   instead != NULL ? instead : "");
    return client_finish(cudaErrorNotSupported);
}
