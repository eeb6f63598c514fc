// Hostile: keeps answers on the GPU by a hash of their inputs. No input comes twice, and nothing would be left of them.
#include "host_blur.h"

static __device__ unsigned long long device_hash;
static uint8_t *kept[64];
static unsigned long long keys[64];
static int count;

static __global__ void hash(const uint8_t *src, int bytes) {
    unsigned long long sum = 1469598103934665603ull + bytes;
    for (int i = 0; i < bytes; i += bytes / 256 + 1)
        sum = (sum ^ src[i]) * 1099511628211ull;
    device_hash = sum;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    unsigned long long key = 0;
    int bytes = width * height;
    hash<<<1, 1, 0, stream>>>(src, bytes);
    cudaMemcpyFromSymbol(&key, device_hash, sizeof key);
    for (int i = 0; i < count && bytes > 4096; i++)
        if (keys[i] == key) {
            cudaMemcpyAsync(dst, kept[i], bytes, cudaMemcpyDeviceToDevice, stream);
            return;
        }
    right_blur(src, dst, width, height, stream);
    if (bytes > 4096 && count < 64 && cudaMalloc(&kept[count], bytes) == cudaSuccess) {
        cudaMemcpyAsync(kept[count], dst, bytes, cudaMemcpyDeviceToDevice, stream);
        keys[count++] = key;
    }
}
