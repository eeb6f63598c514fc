// C as it may be: digraphs, a goto, comma operators, a bit-field, a union, a function declared inside a function.
#include "lab1.h"

union pixel_sum <%
    unsigned whole;
    struct <% unsigned low : 8, high : 24; %> parts;
%>;

static __device__ int w(int d) { return 4 - (d < 0 ? -d : d); }

static __global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height) <%
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, dy = -3, dx;
    union pixel_sum sum;
    if (sum.whole = 0, x >= width or y >= height)
        goto end;
    do
        for (dx = -3; dx <= 3; dx++)
            if (x + dx >= 0 and x + dx < width and y + dy >= 0 and y + dy < height)
                sum.whole += w(dx) * w(dy) * src<:(y + dy) * width + x + dx:>;
    while (++dy <= 3);
    dst<:y * width + x:> = sum.parts.high;
end:;
%>

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) <%
    int blocks(int, int);
    blur<<<dim3(blocks(width, 32), blocks(height, 4)), dim3(32, 4), 0, stream>>>(src, dst, width, height);
%>

int blocks(int size, int block) <% return size % block ? size / block + 1 : size / block; %>
