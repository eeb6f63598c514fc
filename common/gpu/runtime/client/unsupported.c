/* unsupported.c: the answer of every exported function that is not implemented (called by
 * build/gen/cudartN/stubs.c). */
#include "gpu/runtime/client/client.h"

cudaError_t cudart_not_supported(const char *name, int *said);

cudaError_t cudart_not_supported(const char *name, int *said) {
    if (!__atomic_exchange_n(said, 1, __ATOMIC_RELAXED))
        client_say("%s is not simulated (cudaErrorNotSupported)", name);
    return client_finish(cudaErrorNotSupported);
}
