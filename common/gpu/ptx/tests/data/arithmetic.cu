// Integer arithmetic of every width, with the intrinsics that have an instruction of their own.
#include <stdint.h>

extern "C" __global__ void integers(const int *a, const int *b, int *out, long long *wide,
                                    unsigned long long *uwide) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = a[i], y = b[i];
    unsigned ux = x, uy = y;
    long long lx = wide[i], ly = wide[i + 1];
    unsigned long long ulx = uwide[i], uly = uwide[i + 1];
    out[0 + i] = x / y + x % y;
    out[1 + i] = ux / uy - ux % uy;
    out[2 + i] = min(x, y) + max(x, y) + abs(x);
    out[3 + i] = min(ux, uy) ^ max(ux, uy);
    out[4 + i] = __mul24(x, y) + __umul24(ux, uy);
    out[5 + i] = __mulhi(x, y) + __umulhi(ux, uy);
    out[6 + i] = __sad(x, y, ux) + __usad(ux, uy, 3u);
    out[7 + i] = __hadd(x, y) + __rhadd(x, y) + __uhadd(ux, uy);
    wide[i] = lx * ly + lx / ly + lx % ly + __mul64hi(lx, ly) + llabs(lx) + (long long)x * y;
    uwide[i] = ulx * uly + ulx / uly + ulx % uly + __umul64hi(ulx, uly) + (unsigned long long)ux * uy;
    wide[i + 2] = min(lx, ly) - max(lx, ly);
}

extern "C" __global__ void narrow(const int8_t *a, const uint8_t *b, int16_t *c, uint16_t *d) {
    int i = threadIdx.x;
    int8_t x = a[i];
    uint8_t y = b[i];
    c[i] = (int16_t)(x * y + c[i] / 3);
    d[i] = (uint16_t)(d[i] * d[i + 1] + y);
    c[i + 1] = (int16_t)(c[i] >> 2 | d[i] << 3);
    d[i + 1] = (uint16_t)(d[i] >> 1 & 0x55);
}

extern "C" __global__ void bits(const unsigned *a, const unsigned long long *b, unsigned *out,
                                unsigned long long *wide) {
    int i = threadIdx.x;
    unsigned x = a[i], y = a[i + 1], z = a[i + 2];
    unsigned long long v = b[i];
    out[0] = __popc(x) + __popcll(v) + __clz(x) + __clzll(v) + __ffs(x) + __ffsll(v);
    out[1] = __brev(x);
    wide[0] = __brevll(v);
    out[2] = __byte_perm(x, y, z) ^ __byte_perm(x, y, 0x5410);
    out[3] = __funnelshift_l(x, y, z) + __funnelshift_r(x, y, z) + __funnelshift_lc(x, y, z) +
             __funnelshift_rc(x, y, 5);
    out[4] = (x & y) | (~x & z);
    out[5] = (x ^ y ^ z) & 0xff00ff00;
    out[6] = x << (y & 31) | x >> (z & 31) | (unsigned)((int)x >> 3);
    wide[1] = v << y | v >> z | (unsigned long long)((long long)v >> 7);
    out[7] = (x >> 5) & 0x3f;
    out[8] = __dp4a((int)x, (int)y, (int)z) + __dp4a(x, y, z) + __dp2a_lo(x, y, z) +
             __dp2a_hi((int)x, (int)y, (int)z);
    out[9] = __vadd2(x, y) + __vsub4(x, y) + __vmaxs2(x, y) + __vabsdiffu4(x, y) + __vcmpeq4(x, y);
    out[10] = !x + (x ? 4 : 9) + (v != 0);
}
