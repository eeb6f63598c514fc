/* int128.cu: 128-bit integers in a kernel: the compiler's own division depends on every carry. */
#include "check.h"
#include <stdint.h>

typedef unsigned __int128 wide;
enum { PAIRS = 4096, RESULTS = 7 };

__global__ void compute(const wide *in, wide *out) {
    int pair = blockIdx.x * blockDim.x + threadIdx.x;
    wide a = in[2 * pair], b = in[2 * pair + 1] | 1, *to = out + RESULTS * pair;
    to[0] = a + b;
    to[1] = a - b;
    to[2] = a * b;
    to[3] = a / b;
    to[4] = a % b;
    to[5] = (wide)((__int128)a / (__int128)b);
    to[6] = (wide)((__int128)a % (__int128)b);
}

/* Numbers of every length, edge cases among them. */
static wide number(uint64_t *state) {
    static const uint64_t edges[] = {0, 1, 3, ~0ull, 1ull << 63, 0x7fffffffffffffff, 0xffffffff, 1ull << 32};
    uint64_t parts[2], random = 0;
    for (int i = 0; i < 2; i++) {
        random = *state = *state * 6364136223846793005u + 1442695040888963407u;
        parts[i] = random >> 62 ? edges[random >> 32 & 7] : random ^ random >> 29;
    }
    return ((wide)parts[0] << 64 | parts[1]) >> (random >> 40 & 127);
}

int main(void) {
    static wide in[2 * PAIRS], out[RESULTS * PAIRS];
    uint64_t state = 1;
    for (int i = 0; i < 2 * PAIRS; i++)
        in[i] = number(&state);
    wide *device_in, *device_out;
    OK(cudaMalloc(&device_in, sizeof in));
    OK(cudaMalloc(&device_out, sizeof out));
    OK(cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice));
    compute<<<PAIRS / 128, 128>>>(device_in, device_out);
    OK(cudaGetLastError());
    OK(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost));
    for (int pair = 0; pair < PAIRS; pair++) {
        wide a = in[2 * pair], b = in[2 * pair + 1] | 1;
        __int128 x = (__int128)a, y = (__int128)b;
        bool overflows = a == (wide)1 << 127 && y == -1;
        wide expected[RESULTS] = {
            a + b, a - b, a * b, a / b, a % b, overflows ? a : (wide)(x / y), overflows ? 0 : (wide)(x % y)};
        for (int i = 0; i < RESULTS; i++)
            CHECK(out[RESULTS * pair + i] == expected[i]);
    }
    puts("ok");
    return 0;
}
