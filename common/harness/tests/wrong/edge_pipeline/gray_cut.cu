// Wrong: gray is cut and not rounded.
#include "parts.h"

static __global__ void cut_gray(struct picture p) {
    int x, y;
    if (!own_pixel(p, &x, &y))
        return;
    uchar4 c = p.src[y * p.width + x];
    p.gray[y * p.width + x] = (298839 * c.x + 586811 * c.y + 114350 * c.z) / 1000000;
}

EDGES_OF(cut_gray, right_blur, right_sobel)
