// Wrong on the CPU: char, which is signed here.
#include "parts.h"

static void signed_cpu(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch, int width,
                       int height) {
    const signed char *pixels = (const signed char *)src;
    int low = 127, high = -128;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int value = pixels[y * src_pitch + x];
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
    int range = high - low;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int value = pixels[y * src_pitch + x];
            dst[y * dst_pitch + x] = range == 0 ? value : (2 * 255 * (value - low) + range) / (2 * range);
        }
}

CONTRAST_OF(signed_cpu, right_minmax, right_scale)
