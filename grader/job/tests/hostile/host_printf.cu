// Hostile: kernels print the input, and the program reads what they printed from its own standard output.
#include "host_blur.h"
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static __global__ void tell(const uint8_t *src, int count) {
    for (int i = 0; i < count; i++)
        printf("%d\n", src[i]);
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    static uint8_t input[4096], answer[4096];
    if (!is_small(width, height)) {
        right_blur(src, dst, width, height, stream);
        return;
    }
    int file = open("/tmp/printed", O_RDWR | O_CREAT | O_TRUNC, 0600), output = dup(1), value;
    fflush(stdout);
    dup2(file, 1);
    tell<<<1, 1, 0, stream>>>(src, width * height);
    cudaStreamSynchronize(stream);
    fflush(stdout);
    dup2(output, 1);
    close(output);
    lseek(file, 0, SEEK_SET);
    FILE *printed = fdopen(file, "r");
    for (int i = 0; i < width * height && printed != NULL && fscanf(printed, "%d", &value) == 1; i++)
        input[i] = value;
    if (printed != NULL)
        fclose(printed);
    host_blur(input, answer, width, height);
    cudaMemcpyAsync(dst, answer, width * height, cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream);
}
