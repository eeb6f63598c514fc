// Task 8: two dimensions.
//
// Blocks and grids may have two dimensions, x and y. Memory has one: the rows of an image lie one after the other. Often
// each begins at a round address, so a row takes more room than its pixels:
//
//      <------- width 20 ------->
//     |x x x x x x x x x x x x x . . . . . . . |   row y = 0
//     |x x x x x x x x x x x x x . . . . . . . |   row y = 1
//      <-------------- pitch 32 -------------->

#include "check.h"

#define WIDTH 20
#define HEIGHT 10
#define PITCH 32

__global__ void paint(int *image, int width, int height, int pitch) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int i = x; // TASK: where pixel (x, y) lies, row y beginning `pitch` elements after row y - 1
    image[i] = 100 * y + x;
}

int main(void) {
    int *expected = host_ints(PITCH * HEIGHT), *row = expected;
    for (int y = 0; y < HEIGHT; y++, row += PITCH) // what lies between the rows stays NOT_WRITTEN
        for (int x = 0; x < WIDTH; x++)
            row[x] = 100 * y + x;

    int *image = device_ints(PITCH * HEIGHT), *got = host_ints(PITCH * HEIGHT);
    dim3 block(8, 8);
    dim3 grid((WIDTH + block.x - 1) / block.x, (HEIGHT + block.y - 1) / block.y);
    paint<<<grid, block>>>(image, WIDTH, HEIGHT, PITCH);
    MUST(cudaGetLastError());
    MUST(cudaMemcpy(got, image, PITCH * HEIGHT * sizeof *got, cudaMemcpyDeviceToHost));

    int status = check_rows("image", got, expected, PITCH * HEIGHT, PITCH);
    MUST(cudaFree(image));
    free(expected);
    free(got);
    return status;
}
