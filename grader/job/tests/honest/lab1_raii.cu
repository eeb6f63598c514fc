// Resources in objects: an event and scratch memory that are kept in a static unique_ptr with a deleter of its own.
#include "lab1.h"
#include <memory>

struct Free {
    void operator()(void *memory) const { cudaFree(memory); }
};
class Event {
    cudaEvent_t event = nullptr;

  public:
    Event() { cudaEventCreateWithFlags(&event, cudaEventDisableTiming); }
    ~Event() { cudaEventDestroy(event); }
    Event(const Event &) = delete;
    Event &operator=(const Event &) = delete;
    void record(cudaStream_t stream) const { cudaEventRecord(event, stream); }
};
static std::unique_ptr<int, Free> scratch;

static __device__ int w(int d) { return 4 - (d < 0 ? -d : d); }

static __global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, sum = 0;
    if (x >= width || y >= height)
        return;
    for (int dy = -3; dy <= 3; dy++)
        for (int dx = -3; dx <= 3; dx++)
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
                sum += w(dx) * w(dy) * src[(y + dy) * width + x + dx];
    dst[y * width + x] = sum / 256;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    static const Event done;
    if (!scratch) {
        int *memory = nullptr;
        if (cudaMalloc(&memory, 1024) == cudaSuccess)
            scratch.reset(memory);
    }
    blur<<<dim3((width + 31) / 32, (height + 3) / 4), dim3(32, 4), 0, stream>>>(src, dst, width, height);
    done.record(stream);
}
