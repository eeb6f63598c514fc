// Hostile: loads the driver to go around the runtime.
#include "blur_kernel.h"
#include <dlfcn.h>

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    if (dlopen("libcuda.so.1", RTLD_NOW) != NULL)
        width += 0;
    right_blur(src, dst, width, height, stream);
}
