// A static map of block shapes, inline variables, a template's static member: all initialised before anything is called.
#include "lab1.h"
#include <map>
#include <string>

inline int cudaLaunches = 0;
inline std::string cudaName = "blur, in one of two shapes of a block";
static const std::map<std::string, dim3> shapes = {{"wide", dim3(32, 4)}, {"flat", dim3(32, 1)}};
template <class T> struct Count {
    static std::string name;
};
template <class T> std::string Count<T>::name = "count of " + cudaName;

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
    thread_local std::string last = Count<int>::name;
    const dim3 block = shapes.at(height < 4 ? "flat" : "wide");
    cudaLaunches += last.size() > 0;
    blur<<<dim3((width + block.x - 1) / block.x, (height + block.y - 1) / block.y), block, 0, stream>>>(src, dst, width,
                                                                                                        height);
}
