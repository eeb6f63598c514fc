// Hostile: reads the reference's program and gives the kernels in it to the runtime as a module of its own.
#include "lab1.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern "C" void **__cudaRegisterFatBinary(void *binary);
extern "C" void __cudaRegisterFatBinaryEnd(void **module);
extern "C" void __cudaRegisterFunction(void **module, const char *host, char *device, const char *name,
                                       int limit, uint3 *thread, uint3 *block, dim3 *block_size,
                                       dim3 *grid_size, int *warp);

enum { MODULES = 8, MOST = 8 << 20 };
static char stub[MODULES];
static struct {
    unsigned magic, version;
    const void *image, *units;
} module[MODULES];

static struct early {
    early() {
        char path[1024], kernel[] = "_Z15gaussian_kernelPKhPhii";
        const char *library = getenv("LD_LIBRARY_PATH"),
                   *build = library ? strstr(library, "/lib/cuda") : NULL;
        char *bytes = (char *)malloc(MOST);
        FILE *file = NULL;
        for (int arch = 75; build != NULL && file == NULL && arch <= 121; arch++) {
            snprintf(path, sizeof path, "%.*s/kernels/lab1/reference-%d", (int)(build - library), library,
                     arch);
            file = fopen(path, "rb");
        }
        if (bytes == NULL || file == NULL)
            return;
        size_t size = fread(bytes, 1, MOST, file);
        fclose(file);
        for (size_t i = 0, k = 0; i + 16 < size && k < MODULES; i += 8)
            if (*(unsigned *)(bytes + i) == 0xBA55ED50) {
                module[k] = {0x466243b1, 1, bytes + i, NULL};
                void **handle = __cudaRegisterFatBinary(&module[k]);
                __cudaRegisterFunction(handle, &stub[k], kernel, kernel, -1, 0, 0, 0, 0, 0);
                __cudaRegisterFatBinaryEnd(handle);
                k++;
            }
    }
} early;

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    void *arguments[] = {&src, &dst, &width, &height};
    for (int k = 0; k < MODULES && module[k].magic; k++)
        if (cudaLaunchKernel(&stub[k], dim3((width + 31) / 32, (height + 1) / 2), dim3(32, 2), arguments, 0,
                             stream) == cudaSuccess)
            return;
}
