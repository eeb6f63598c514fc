/* errors.c: names and texts of errors. */
#include "gpu/runtime/client/client.h"

static const char *name_of(cudaError_t error) {
    switch (error) {
#define CUDA_ERROR(name, number, text)                                                                       \
    case number:                                                                                             \
        return #name;
#include "errors.inc"
#undef CUDA_ERROR
    default: return "unrecognized error code";
    }
}

static const char *text_of(cudaError_t error) {
    switch (error) {
#define CUDA_ERROR(name, number, text)                                                                       \
    case number:                                                                                             \
        return text;
#include "errors.inc"
#undef CUDA_ERROR
    default: return "unrecognized error code";
    }
}

API const char *cudaGetErrorName(cudaError_t error) {
    return name_of(error);
}

API const char *cudaGetErrorString(cudaError_t error) {
    return text_of(error);
}
