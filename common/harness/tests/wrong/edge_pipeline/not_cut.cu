// Wrong: what is above 255 loses its upper bits.
#include "parts.h"

static __global__ void wrapping_sobel(struct picture p) {
    int x, y, n[9], gx, gy;
    if (!own_pixel(p, &x, &y))
        return;
    for (int i = 0; i < 9; i++)
        n[i] = value_at(p.blur, p, x + i % 3 - 1, y + i / 3 - 1);
    gradient(n, &gx, &gy);
    p.dst[y * p.width + x] = (int)sqrtf(gx * gx + gy * gy);
}

EDGES_OF(right_gray, right_blur, wrapping_sobel)
