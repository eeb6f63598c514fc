// Hostile: a thread that goes on when the call has returned.
#include "blur_kernel.h"
#include <thread>
#include <unistd.h>

static void go_on(void) {
    for (int i = 0; i < 100; i++)
        usleep(10000);
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    std::thread(go_on).detach();
    right_blur(src, dst, width, height, stream);
}
