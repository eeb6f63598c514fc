// Task 9: a gray picture.
//
// A pixel of a colour picture is four bytes: red, green, blue, and how opaque it is. CUDA has a type for them, uchar4,
// with members x, y, z and w. The eye sees green best and blue least, so the gray of a pixel is
//
//     0.298839 * red + 0.586811 * green + 0.114350 * blue        rounded to the nearest whole number
//
// Write 0.298839f: without the f the GPU computes in double precision, which is slower.

#include "gray.h"

#define WIDTH 61
#define HEIGHT 37

__global__ void to_gray(const uchar4 *rgba, unsigned char *gray, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    uchar4 pixel = rgba[y * width + x];
    gray[y * width + x] = pixel.x; // TASK: the gray of this pixel
}

int main(void) {
    uchar4 rgba[WIDTH * HEIGHT], *device_rgba = NULL;
    unsigned char gray[WIDTH * HEIGHT], *device_gray = NULL;
    draw_picture(rgba, WIDTH, HEIGHT);

    MUST(cudaMalloc(&device_rgba, sizeof rgba));
    MUST(cudaMalloc(&device_gray, sizeof gray));
    MUST(cudaMemcpy(device_rgba, rgba, sizeof rgba, cudaMemcpyHostToDevice));
    MUST(cudaMemset(device_gray, 0, sizeof gray));

    dim3 block(32, 4);
    dim3 grid((WIDTH + block.x - 1) / block.x, (HEIGHT + block.y - 1) / block.y);
    to_gray<<<grid, block>>>(device_rgba, device_gray, WIDTH, HEIGHT);
    MUST(cudaGetLastError());
    MUST(cudaMemcpy(gray, device_gray, sizeof gray, cudaMemcpyDeviceToHost));

    int status = check_gray(gray, rgba, WIDTH, HEIGHT);
    MUST(cudaFree(device_rgba));
    MUST(cudaFree(device_gray));
    return status;
}
