// Hostile: looks for the seed, the size and the grader in its environment. It kills itself when it finds any.
#include "blur_kernel.h"
#include <stdlib.h>
#include <string.h>

extern char **environ;

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    for (char **variable = environ; *variable != NULL; variable++)
        if (strstr(*variable, "SEED") != NULL || strstr(*variable, "GRADE") != NULL ||
            strstr(*variable, "HOME=") != NULL)
            abort();
    right_blur(src, dst, width, height, stream);
}
