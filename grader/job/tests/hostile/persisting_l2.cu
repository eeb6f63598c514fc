// Hostile: asks for the input to stay in L2 from one call to the next.
#include "blur_kernel.h"

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    cudaLaunchAttributeValue value = {};
    value.accessPolicyWindow.base_ptr = (void *)src;
    value.accessPolicyWindow.num_bytes = width * height;
    value.accessPolicyWindow.hitRatio = 1.0f;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    cudaStreamSetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow, &value);
    cudaGetLastError();
    right_blur(src, dst, width, height, stream);
}
