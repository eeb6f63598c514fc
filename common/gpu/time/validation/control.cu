/* control.cu: threads of a warp that go different ways. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

KERNEL divergent_switch(const uint32_t *x, float *y, int rounds) {
    uint32_t state = x[INDEX];
    float value = 1;
    for (int k = 0; k < rounds; k++) {
        switch (state % 5) {
        case 0: value = value * 1.01f + 0.5f; break;
        case 1: value = value > 3 ? value - 2 : value * value; break;
        case 2: state = state * 7 + 3; break;
        case 3: value = 1 / (value + 1); break;
        default: state ^= __float_as_uint(value) >> 9; break;
        }
        state = state * 1664525 + 1013904223;
    }
    y[INDEX] = value;
}

/* Every thread goes its own number of rounds. */
KERNEL divergent_loop(const uint32_t *x, float *y, uint32_t most) {
    uint32_t rounds = x[INDEX] % most;
    float sum = 0;
    for (uint32_t k = 0; k < rounds; k++)
        sum = sum * 0.99f + k;
    y[INDEX] = sum;
}

KERNEL mandelbrot(uint8_t *image, int width, int height, int most) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, k = 0;
    float cr = -2.2f + 3.2f * x / width, ci = -1.2f + 2.4f * y / height, re = 0, im = 0;
    while (k < most && re * re + im * im < 4) {
        float next = re * re - im * im + cr;
        im = 2 * re * im + ci;
        re = next;
        k++;
    }
    image[y * width + x] = (uint8_t)k;
}

KERNEL collatz(uint32_t *steps, uint32_t first) {
    uint64_t value = first + INDEX;
    uint32_t count = 0;
    while (value > 1) {
        value = value & 1 ? 3 * value + 1 : value >> 1;
        count++;
    }
    steps[INDEX] = count;
}

KERNEL game_of_life(const uint8_t *old, uint8_t *next, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, alive = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx != 0 || dy != 0)
                alive += old[(y + dy + height) % height * width + (x + dx + width) % width] & 1;
    next[y * width + x] = alive == 3 || (alive == 2 && (old[y * width + x] & 1));
}

/* Where an eight-letter word begins: most threads leave at the first letter. */
KERNEL string_search(const uint8_t *text, uint32_t *found, int n, uint64_t word) {
    int i = INDEX, k = 0;
    if (i >= n - 8)
        return;
    while (k < 8 && (text[i + k] & 3) == (word >> 8 * k & 3))
        k++;
    if (k == 8)
        atomicAdd(found, 1u);
}

/* Half of the blocks end at once. */
KERNEL uneven_blocks(const float *x, float *y, int rounds) {
    if (blockIdx.x % 2 == 0)
        return;
    float a = x[INDEX], sum = 0;
    for (int k = 0; k < rounds; k++)
        sum = sum * a + 1;
    y[INDEX] = sum;
}

/* One lane of each warp works. */
KERNEL one_lane(const float *x, float *y, int rounds) {
    if (threadIdx.x % 32 != 0)
        return;
    float a = x[INDEX], b = a, c = 1;
    for (int k = 0; k < rounds; k++) {
        b = b * a + 0.5f;
        c = c * a - 0.5f;
    }
    y[INDEX] = b + c;
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 22;
    uint32_t *x = random_words(n, 0xffffffff), *y = (uint32_t *)zeros(n);
    float *floats = random_floats(n);
    VALIDATE(divergent_switch, 2048, 256, x, (float *)y, 32);
    VALIDATE(divergent_loop, 2048, 256, x, (float *)y, 256);
    VALIDATE(mandelbrot, dim3(64, 128), dim3(32, 8), (uint8_t *)y, 2048, 1024, 200);
    VALIDATE(collatz, 1024, 256, y, 1000000);
    VALIDATE(game_of_life, dim3(64, 256), dim3(32, 8), (uint8_t *)x, (uint8_t *)y, 2048, 2048);
    VALIDATE(string_search, 4 * n / 256, 256, (uint8_t *)x, y, 4 * n, 0x0102030201000302ull);
    VALIDATE(uneven_blocks, 8192, 128, floats, (float *)y, 512);
    VALIDATE(one_lane, 2048, 256, floats, (float *)y, 256);
    return 0;
}
