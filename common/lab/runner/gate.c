/* gate.c: finds the driver's functions, which the runtime has loaded. */
#include "gate.h"

#include <dlfcn.h>
#include <stddef.h>

/* As the driver's documentation gives them; what they return means the same as the runtime's errors of that number. */
typedef int stream_value(cudaStream_t stream, unsigned long long address, uint32_t value, unsigned flags);
enum { UNTIL_EQUAL = 1, ORDERED_WRITE = 0 };

static cudaError_t call(const char *name, cudaStream_t stream, void *word, uint32_t value, unsigned flags) {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    stream_value *function = driver != NULL ? (stream_value *)dlsym(driver, name) : NULL;
    cudaError_t error = function != NULL ? (cudaError_t)function(stream, (uintptr_t)word, value, flags)
                                         : cudaErrorNotSupported;
    if (driver != NULL)
        dlclose(driver);
    return error;
}

cudaError_t gate_wait(cudaStream_t stream, void *word, uint32_t value) {
    return call("cuStreamWaitValue32_v2", stream, word, value, UNTIL_EQUAL);
}

cudaError_t gate_set(cudaStream_t stream, void *word, uint32_t value) {
    return call("cuStreamWriteValue32_v2", stream, word, value, ORDERED_WRITE);
}
