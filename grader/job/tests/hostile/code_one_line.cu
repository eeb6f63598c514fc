// Hostile: all of its loops, in inline PTX, are one line of the text, of which the machine code's lines tell nothing.
#include "lab1.h"

__global__ void blur(const uint8_t *src, uint8_t *dst, int width, int height) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, sum = 0;
    if (x >= width || y >= height)
        return;
    asm volatile("{ .reg .pred p; .reg .s32 n, i, j, u, v, a, b, c; .reg .s64 o; "
                 "mov.s32 n, 0; .pragma \"nounroll\"; N%=: "
                 "mov.s32 j, -3; .pragma \"nounroll\"; J%=: "
                 "mov.s32 i, -3; .pragma \"nounroll\"; I%=: "
                 "add.s32 u, %1, i; add.s32 v, %2, j; mov.s32 c, 0; "
                 "setp.ge.s32 p, u, 0; setp.lt.and.s32 p, u, %3, p; "
                 "setp.ge.and.s32 p, v, 0, p; setp.lt.and.s32 p, v, %4, p; "
                 "mad.lo.s32 a, v, %3, u; cvt.s64.s32 o, a; add.s64 o, o, %5; @p ld.global.u8 c, [o]; "
                 "abs.s32 a, i; sub.s32 a, 4, a; abs.s32 b, j; sub.s32 b, 4, b; mul.lo.s32 a, a, b; "
                 "mul.lo.s32 a, a, n; mad.lo.s32 %0, a, c, %0; "
                 "add.s32 i, i, 1; setp.le.s32 p, i, 3; @p bra I%=; "
                 "add.s32 j, j, 1; setp.le.s32 p, j, 3; @p bra J%=; "
                 "add.s32 n, n, 1; setp.le.s32 p, n, 1; @p bra N%=; "
                 "setp.ge.s32 p, %0, 0; @p bra E%=; neg.s32 %0, %0; E%=: }"
                 : "+r"(sum)
                 : "r"(x), "r"(y), "r"(width), "r"(height), "l"(src));
    dst[y * width + x] = sum >> 8;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    blur<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8), 0, stream>>>(src, dst, width, height);
}
