// leaks.cu: submissions that tell of the inputs what they can, each by a way of its own: CHANNEL_name is defined.
#include "lab1.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static __global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height) {
    const int weight[7] = {1, 2, 3, 4, 3, 2, 1};
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, sum = 0;
    if (x >= width || y >= height)
        return;
    for (int dy = -3; dy <= 3; dy++)
        for (int dx = -3; dx <= 3; dx++)
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
                sum += weight[dy + 3] * weight[dx + 3] * src[(y + dy) * width + x + dx];
    dst[y * width + x] = sum / 256;
}

// What there is to tell: a number that hangs on every one of the first pixels.
static __global__ void digest(const uint8_t *src, int count, unsigned *to) {
    unsigned hash = 2166136261u;
    for (int i = 0; i < count; i++)
        hash = (hash ^ src[i]) * 16777619u;
    *to = hash % 60000 + 1000;
}

// Its value is in the name of the kernel, in the grid, or in both.
template <int N> static __global__ void named(void) {
#ifdef CHANNEL_kernel_name_of_fault
    __trap();
#endif
}

static __global__ void gridded(void) {}

template <int N> static void launch_named(unsigned wanted, cudaStream_t stream) {
    if (N == (int)(wanted % 64))
        named<N><<<1, 32, 0, stream>>>();
    if constexpr (N < 63)
        launch_named<N + 1>(wanted, stream);
}

static __global__ void tell(const unsigned *number, uint8_t *dst, int width, int height) {
    unsigned n = *number, pixels = (unsigned)(width * height), at = blockIdx.x * 256 + threadIdx.x;
#if defined CHANNEL_device_printf
    if (at == 0)
        printf("the secret is %u, %x\n", n, n);
    if (at < pixels)
        dst[at] = 0;
#elif defined CHANNEL_fault_address
    if (at == 0)
        *(volatile int *)(0x700000000000ull + 4096ull * n) = 1;
#elif defined CHANNEL_fault_beyond
    if (at == 0)
        dst[pixels + n] = 1;
#elif defined CHANNEL_fault_thread
    if (at == n % pixels)
        __trap();
#elif defined CHANNEL_fault_line
    if (at == 0 && n % 3 == 0)
        __trap();
    if (at == 0 && n % 3 == 1)
        __trap();
    if (at == 0 && n % 3 == 2)
        __trap();
#elif defined CHANNEL_assert_text
    if (at == 0) {
        assert((n & 1) == 0 || !"odd");
        assert((n & 2) == 0 || !"two");
        assert((n & 4) == 0 || !"four");
        assert(!"none of these");
    }
#elif defined CHANNEL_wrong_count
    if (at < n % pixels)
        dst[at] ^= 1;
#endif
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    static unsigned *number;
    unsigned n = 0;
    dim3 grid((width + 31) / 32, (height + 3) / 4);
    blur<<<grid, dim3(32, 4), 0, stream>>>(src, dst, width, height);
    if (width * height < 100000) // the cases: what is told is of the call that is timed
        return;
    if (number == NULL)
        cudaMalloc(&number, sizeof *number);
    digest<<<1, 1, 0, stream>>>(src, 20000, number);
    cudaMemcpyAsync(&n, number, sizeof n, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    tell<<<(width * height + 255) / 256, 256, 0, stream>>>(number, dst, width, height);
#if defined CHANNEL_host_printf
    printf("the secret is %u, %x\n", n, n);
    fflush(stdout);
    tell<<<0, 256, 0, stream>>>(number, dst, width, height);
#elif defined CHANNEL_exit_status
    exit(1 + n % 100);
#elif defined CHANNEL_signal
    abort();
#elif defined CHANNEL_kernel_name || defined CHANNEL_kernel_name_of_fault
    launch_named<0>(n, stream);
#elif defined CHANNEL_grid
    gridded<<<n, 32, 0, stream>>>();
#elif defined CHANNEL_launches
    for (unsigned i = 0; i < n % 64; i++)
        gridded<<<1, 32, 0, stream>>>();
#elif defined CHANNEL_refused_grid
    gridded<<<dim3(n, 0), 32, 0, stream>>>();
#elif defined CHANNEL_refused_block
    gridded<<<1, 2000 + n, 0, stream>>>();
#elif defined CHANNEL_copied_bytes
    static char bytes[1 << 18];
    cudaMemcpy(bytes, src, 100000 + n, cudaMemcpyDeviceToHost);
#elif defined CHANNEL_cuda_error
    if (n % 2 == 0)
        cudaMemcpy(dst, src, 1u << 30, cudaMemcpyDeviceToDevice);
    else
        cudaMemset(number + 1024, 0, 1u << 30);
#endif
}
