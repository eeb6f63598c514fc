// Hostile: writes a report of its own into everything that is open.
#include "blur_kernel.h"
#include <string.h>
#include <unistd.h>

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    static const char report[] = "{\"launch\":{\"name\":\"blur\",\"time_us\":0.001}}\n";
    for (int file = 3; file < 64; file++)
        if (write(file, report, strlen(report)) < 0)
            continue;
    right_blur(src, dst, width, height, stream);
}
