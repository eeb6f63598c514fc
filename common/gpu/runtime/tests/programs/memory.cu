/* memory.cu: allocation, copies of every kind and shape, symbols, fills, pointers' attributes. */
#include "check.h"

__constant__ int table[8];
__device__ int total;
__device__ short odd[3] = {1, 2, 3};

__global__ void add_table(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i] + table[i % 8];
        atomicAdd(&total, 1);
    }
}

static void linear(void) {
    enum { N = 3000 };
    static int in[N], out[N];
    int *a, *b, values[8], count = 0;
    for (int i = 0; i < N; i++)
        in[i] = 7 * i;
    for (int i = 0; i < 8; i++)
        values[i] = 100 * i;
    OK(cudaMalloc(&a, sizeof in));
    OK(cudaMalloc(&b, sizeof in));
    CHECK((size_t)a % 256 == 0);
    OK(cudaMemcpy(a, in, sizeof in, cudaMemcpyHostToDevice));
    OK(cudaMemcpyToSymbol(table, values, sizeof values));
    OK(cudaMemcpyToSymbol(total, &count, sizeof count));
    add_table<<<(N + 255) / 256, 256>>>(a, b, N);
    OK(cudaGetLastError());
    OK(cudaMemcpy(a, b, sizeof in, cudaMemcpyDeviceToDevice));
    OK(cudaMemcpy(out, a, sizeof in, cudaMemcpyDefault));
    for (int i = 0; i < N; i++)
        CHECK(out[i] == 7 * i + 100 * (i % 8));
    OK(cudaMemcpyFromSymbol(&count, total, sizeof count));
    CHECK(count == N);
    OK(cudaMemcpyToSymbol(table, &values[1], sizeof(int), 3 * sizeof(int)));
    OK(cudaMemcpyFromSymbol(values, table, sizeof values));
    CHECK(values[3] == 100 && values[4] == 400);
    EXPECT(cudaErrorInvalidValue, cudaMemcpyToSymbol(table, values, sizeof values, 4));
    EXPECT(cudaErrorInvalidSymbol, cudaMemcpyToSymbol((const void *)in, values, 4));
    void *address;
    size_t bytes;
    OK(cudaGetSymbolAddress(&address, odd));
    OK(cudaGetSymbolSize(&bytes, odd));
    CHECK(bytes == 6);
    short three[3];
    OK(cudaMemcpy(three, address, sizeof three, cudaMemcpyDeviceToHost));
    CHECK(three[0] == 1 && three[1] == 2 && three[2] == 3);
    cudaGetLastError();
    OK(cudaFree(a));
    OK(cudaFree(b));
}

/* Bigger than the buffer that copies go through, and odd. */
static void large(void) {
    size_t n = (9 << 20) + 77;
    unsigned char *host = (unsigned char *)malloc(n), *back = (unsigned char *)calloc(n, 1), *device;
    for (size_t i = 0; i < n; i++)
        host[i] = (unsigned char)(i * 31 + i / 1000);
    OK(cudaMalloc(&device, n));
    OK(cudaMemcpy(device, host, n, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(back, device, n, cudaMemcpyDeviceToHost));
    CHECK(memcmp(host, back, n) == 0);
    OK(cudaMemcpyAsync(back, device + 5, n - 5, cudaMemcpyDeviceToHost, 0));
    OK(cudaDeviceSynchronize());
    CHECK(memcmp(host + 5, back, n - 5) == 0);
    OK(cudaFree(device));
    free(host);
    free(back);
}

static void pitched(void) {
    enum { W = 301, H = 17 };
    static unsigned char in[H][W + 3], out[H][W];
    unsigned char *device;
    size_t pitch;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            in[y][x] = (unsigned char)(x + 3 * y);
    OK(cudaMallocPitch(&device, &pitch, W, H));
    CHECK(pitch >= W && pitch % 256 == 0);
    OK(cudaMemset2D(device, pitch, 9, W, H));
    OK(cudaMemcpy2D(device, pitch, in, sizeof in[0], W, H, cudaMemcpyHostToDevice));
    OK(cudaMemset2D(device + 10, pitch, 0xab, 4, 3));
    OK(cudaMemcpy2D(out, W, device, pitch, W, H, cudaMemcpyDeviceToHost));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            CHECK(out[y][x] == (y < 3 && x >= 10 && x < 14 ? 0xab : in[y][x]));
    EXPECT(cudaErrorInvalidPitchValue, cudaMemcpy2D(device, W - 1, in, W, W, H, cudaMemcpyHostToDevice));
    OK(cudaFree(device));

    struct cudaPitchedPtr box;
    OK(cudaMalloc3D(&box, make_cudaExtent(40, 5, 3)));
    OK(cudaMemset3D(box, 1, make_cudaExtent(40, 5, 3)));
    static unsigned char volume[3][5][40];
    struct cudaMemcpy3DParms copy = {0};
    copy.srcPtr = box;
    copy.dstPtr = make_cudaPitchedPtr(volume, 40, 40, 5);
    copy.extent = make_cudaExtent(40, 5, 3);
    copy.kind = cudaMemcpyDeviceToHost;
    OK(cudaMemcpy3D(&copy));
    CHECK(volume[0][0][0] == 1 && volume[2][4][39] == 1);
    OK(cudaFree(box.ptr));
}

static void information(void) {
    size_t free_before, free_after, total_bytes;
    char *device, *host = (char *)malloc(100);
    struct cudaPointerAttributes attributes;
    OK(cudaMemGetInfo(&free_before, &total_bytes));
    OK(cudaMalloc(&device, 64 << 20));
    OK(cudaMemGetInfo(&free_after, &total_bytes));
    CHECK(free_before <= total_bytes && free_before - free_after >= 64 << 20);
    OK(cudaPointerGetAttributes(&attributes, device + 1000));
    CHECK(attributes.type == cudaMemoryTypeDevice && attributes.device == 0);
    CHECK(attributes.devicePointer == device + 1000 && attributes.hostPointer == NULL);
    OK(cudaPointerGetAttributes(&attributes, host));
    CHECK(attributes.type == cudaMemoryTypeUnregistered);
    OK(cudaFree(device));
    EXPECT(cudaErrorMemoryAllocation, cudaMalloc(&device, total_bytes * 2));
    CHECK(device == NULL);
    EXPECT(cudaErrorMemoryAllocation, cudaGetLastError());
    OK(cudaMalloc(&device, 0));
    CHECK(device == NULL);
    OK(cudaFree(NULL));
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    OK(cudaMallocAsync(&device, 1000, stream));
    OK(cudaMemsetAsync(device, 7, 1000, stream));
    OK(cudaMemcpyAsync(host, device, 100, cudaMemcpyDeviceToHost, stream));
    OK(cudaFreeAsync(device, stream));
    OK(cudaStreamSynchronize(stream));
    CHECK(host[0] == 7 && host[99] == 7);
    OK(cudaStreamDestroy(stream));
    free(host);
}

/* The side that is said to be the device's must be something it can reach; the copy goes by the addresses. */
static void directions(void) {
    static int pageable[2];
    int *pinned, *device, host;
    OK(cudaMallocHost((void **)&pinned, 2 * sizeof *pinned));
    OK(cudaMalloc((void **)&device, 2 * sizeof *device));
    int *places[] = {pageable, pinned, device};
    for (int kind = cudaMemcpyHostToHost; kind <= cudaMemcpyDefault; kind++)
        for (int to = 0; to < 3; to++)
            for (int from = 0; from < 3; from++) {
                bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
                bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
                bool wrong = (to_device && to == 0) || (from_device && from == 0);
                int value = 100 * kind + 10 * to + from;
                OK(cudaMemcpy(&places[from][1], &value, sizeof value, cudaMemcpyDefault));
                EXPECT(wrong ? cudaErrorInvalidValue : cudaSuccess,
                       cudaMemcpy(places[to], &places[from][1], sizeof value, (enum cudaMemcpyKind)kind));
                OK(cudaMemcpy(&host, places[to], sizeof host, cudaMemcpyDefault));
                CHECK(wrong || host == value);
                cudaGetLastError();
            }
    OK(cudaFreeHost(pinned));
    OK(cudaFree(device));
}

int main(void) {
    linear();
    directions();
    large();
    pitched();
    information();
    puts("ok");
    return 0;
}
