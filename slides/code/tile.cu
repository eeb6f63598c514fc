// Around a fragment that fills or reads a tile: what a 7x7 filter of a block of 32x8 has at hand.
__global__ void kernel(const uint8_t *src, uint8_t *dst, int width, int height) {
    __shared__ uint8_t tile[14][38];
    int left = blockIdx.x * 32 - 3, top = blockIdx.y * 8 - 3;
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
FRAGMENT
    dst[0] = tile[0][0] + src[0] + left + top + x + y;
}
