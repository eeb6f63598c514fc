/* stencils.cu: neighbours in one, two and three dimensions. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

/* Seven points of a volume of `edge` cubed. */
KERNEL stencil_volume(const float *x, float *y, int edge) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z;
    if (i < 1 || j < 1 || k < 1 || i >= edge - 1 || j >= edge - 1 || k >= edge - 1)
        return;
    const float *at = x + (k * edge + j) * edge + i;
    y[(k * edge + j) * edge + i] =
        0.4f * at[0] + 0.1f * (at[-1] + at[1] + at[-edge] + at[edge] + at[-edge * edge] + at[edge * edge]);
}

/* The same, plane by plane: the column in registers, the plane in shared memory. */
KERNEL stencil_march(const float *x, float *y, int edge) {
    __shared__ float plane[10][34];
    int i = blockIdx.x * 32 + threadIdx.x + 1, j = blockIdx.y * 8 + threadIdx.y + 1, tx = threadIdx.x + 1,
        ty = threadIdx.y + 1;
    int size = edge * edge, at = j * edge + i;
    bool inside = i < edge - 1 && j < edge - 1;
    float below = inside ? x[at] : 0, here = inside ? x[at + size] : 0;
    for (int k = 1; k < edge - 1; k++) {
        at += size;
        float above = inside ? x[at + size] : 0;
        plane[ty][tx] = here;
        if (inside && tx == 1) {
            plane[ty][0] = x[at - 1];
            plane[ty][33] = x[at + 32 < (k + 1) * size ? at + 32 : at];
        }
        if (inside && ty == 1) {
            plane[0][tx] = x[at - edge];
            plane[9][tx] = x[at + 8 * edge < (k + 2) * size ? at + 8 * edge : at];
        }
        __syncthreads();
        if (inside)
            y[at] = 0.4f * here + 0.1f * (plane[ty][tx - 1] + plane[ty][tx + 1] + plane[ty - 1][tx] +
                                          plane[ty + 1][tx] + below + above);
        __syncthreads();
        below = here, here = above;
    }
}

__constant__ float taps[33];

/* 33 taps from constant memory. */
KERNEL convolution_line(const float *x, float *y, int n) {
    int i = INDEX;
    float sum = 0;
    if (i >= n - 33)
        return;
    for (int k = 0; k < 33; k++)
        sum += taps[k] * x[i + k];
    y[i] = sum;
}

/* The same from a line in shared memory. */
KERNEL convolution_shared(const float *x, float *y, int n) {
    __shared__ float line[256 + 32];
    int i = INDEX, t = threadIdx.x;
    line[t] = x[i];
    if (t < 32)
        line[256 + t] = x[i + 256];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 33; k++)
        sum += taps[k] * line[t + (k < 32 ? k : 31)];
    y[i] = sum;
}

/* The largest of 5 x 5 bytes. */
KERNEL dilation(const uint8_t *x, uint8_t *y, int width, int height) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, most = 0;
    for (int dj = -2; dj <= 2; dj++)
        for (int di = -2; di <= 2; di++)
            most =
                max(most, (int)x[min(max(j + dj, 0), height - 1) * width + min(max(i + di, 0), width - 1)]);
    y[j * width + i] = most;
}

/* The middle of 3 x 3, by exchanges. */
KERNEL median_nine(const float *x, float *y, int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1;
    float v[9];
    for (int k = 0; k < 9; k++)
        v[k] = x[(j + k / 3 - 1) * width + i + k % 3 - 1];
#pragma unroll
    for (int a = 0; a < 5; a++)
#pragma unroll
        for (int b = a + 1; b < 9; b++) {
            float low = fminf(v[a], v[b]);
            v[b] = fmaxf(v[a], v[b]);
            v[a] = low;
        }
    y[j * width + i] = v[4];
}

/* A wave on a lattice: nine populations a cell, each in an array of its own, moved and mixed. */
KERNEL lattice_step(const float *x, float *y, int width, int cells) {
    const int dx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, dy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    int i = INDEX;
    float f[9], density = 0, u = 0, v = 0;
#pragma unroll
    for (int k = 0; k < 9; k++) {
        f[k] = x[k * cells + (i - dy[k] * width - dx[k] + cells) % cells];
        density += f[k], u += dx[k] * f[k], v += dy[k] * f[k];
    }
    u /= density, v /= density;
#pragma unroll
    for (int k = 0; k < 9; k++) {
        float c = 3 * (dx[k] * u + dy[k] * v), weight = k == 0 ? 4 / 9.0f : k < 5 ? 1 / 9.0f : 1 / 36.0f;
        float calm = weight * density * (1 + c + 0.5f * c * c - 1.5f * (u * u + v * v));
        y[k * cells + i] = f[k] + 0.6f * (calm - f[k]);
    }
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 23;
    float *x = random_floats(2 * n + 4096), *y = zeros(2 * n + 4096), host[33];
    for (int k = 0; k < 33; k++)
        host[k] = 1.0f / (k + 30);
    check(cudaMemcpyToSymbol(taps, host, sizeof host), "cudaMemcpyToSymbol");
    VALIDATE(stencil_volume, dim3(8, 32, 192), dim3(32, 8), x, y, 192);
    VALIDATE(stencil_march, dim3(8, 32), dim3(32, 8), x, y, 192);
    VALIDATE(convolution_line, n / 4 / 256, 256, x, y, n / 4);
    VALIDATE(convolution_shared, n / 2 / 256, 256, x, y, n / 2);
    VALIDATE(dilation, dim3(64, 256), dim3(32, 8), (uint8_t *)x, (uint8_t *)y, 2048, 2048);
    VALIDATE(median_nine, dim3(64, 256), dim3(32, 8), x, y, 2100);
    VALIDATE(lattice_step, 4096, 256, x, y, 1024, 1 << 20);
    return 0;
}
