// Hostile: reads what it is not to see: others' environment, users, sources, answers, grades. It kills itself
// when it finds any.
#include "blur_kernel.h"
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const secrets[] = {"/proc/self/environ",
                                      "/proc/1/environ",
                                      "/proc/1/cmdline",
                                      "/etc/passwd",
                                      "/etc/shadow",
                                      "/etc/hostname",
                                      "/root",
                                      "/home",
                                      "/var",
                                      "/sys",
                                      "/run",
                                      "/usr/bin/env",
                                      "/dev/mem",
                                      "/dev/shm",
                                      "/dev/tty",
                                      "PROJECT_ROOT/Makefile",
                                      "PROJECT_ROOT/solutions",
                                      "PROJECT_ROOT/common/problems",
                                      "PROJECT_ROOT/build/bin",
                                      "PROJECT_ROOT/build/grades",
                                      "PROJECT_ROOT/.git"};

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++)
        if (open(secrets[i], O_RDONLY) >= 0)
            abort();
    right_blur(src, dst, width, height, stream);
}
