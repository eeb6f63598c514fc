// What people write inside asm: scopes, predicates, carries, every operand class.
#include <stdint.h>

__device__ __forceinline__ unsigned clamp_byte(int v) {
    unsigned r;
    asm("{ .reg .pred p, q;\n\t"
        "  .reg .s32 t;\n\t"
        "  setp.lt.s32 p|q, %1, 0;\n\t"
        "  mov.s32 t, %1;\n\t"
        "  @p mov.s32 t, 0;\n\t"
        "  @!p min.s32 t, t, 255;\n\t"
        "  mov.b32 %0, t; }"
        : "=r"(r)
        : "r"(v));
    return r;
}

extern "C" __global__ void carries(const uint32_t *a, const uint32_t *b, uint32_t *c) {
    asm volatile("add.cc.u32 %0, %4, %8;\n\taddc.cc.u32 %1, %5, %9;\n\taddc.cc.u32 %2, %6, %10;\n\taddc.u32 "
                 "%3, %7, %11;"
                 : "=r"(c[0]), "=r"(c[1]), "=r"(c[2]), "=r"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]));
    asm volatile("sub.cc.u32 %0, %2, %4;\n\tsubc.u32 %1, %3, %5;"
                 : "=r"(c[4]), "=r"(c[5])
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]));
    asm volatile("mad.lo.cc.u32 %0, %2, %3, %4;\n\tmadc.hi.u32 %1, %2, %3, %5;"
                 : "=r"(c[6]), "=r"(c[7])
                 : "r"(a[0]), "r"(b[0]), "r"(a[2]), "r"(b[2]));
}

extern "C" __global__ void scoped(int *a, uint64_t *l, float *f, double *d) {
    int i = threadIdx.x;
    a[i] = (int)clamp_byte(a[i]) + (int)clamp_byte(a[i + 1]);
    uint32_t lo, hi;
    asm("mov.b64 {%0, %1}, %2;" : "=r"(lo), "=r"(hi) : "l"(l[i]));
    asm("mov.b64 %0, {%1, %2};" : "=l"(l[i + 1]) : "r"(hi), "r"(lo));
    unsigned short h0, h1;
    asm("mov.b32 {%0, %1}, %2;" : "=h"(h0), "=h"(h1) : "r"(lo));
    a[i + 2] = h0 * h1;
    asm("{\n\t.reg .u32 n;\n\tmov.u32 n, 0;\n\tAGAIN:\n\tadd.u32 n, n, 1;\n\t.reg .pred more;\n\tsetp.lo.u32 "
        "more, n, %1;\n\t"
        "@more bra AGAIN;\n\tmov.u32 %0, n;\n\t}"
        : "=r"(lo)
        : "r"(hi));
    a[i + 3] = (int)lo;
    asm("bfe.u32 %0, %1, 3, 5;" : "=r"(lo) : "r"(hi));
    asm("bfi.b32 %0, %1, %2, 3, 5;" : "=r"(hi) : "r"(lo), "r"(hi));
    asm("bfind.u32 %0, %1;" : "=r"(hi) : "r"(lo));
    asm("lop3.b32 %0, %1, %2, %3, 0xE8;" : "=r"(lo) : "r"(hi), "r"(lo), "r"(a[9]));
    asm("szext.clamp.s32 %0, %1, %2;" : "=r"(hi) : "r"(lo), "r"(hi));
    asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(hi) : "r"(lo), "r"(hi));
    asm("slct.s32.f32 %0, %1, %2, %3;" : "=r"(lo) : "r"(hi), "r"(lo), "f"(f[1]));
    asm("set.gt.u32.f32 %0, %1, %2;" : "=r"(lo) : "f"(f[2]), "f"(f[1]));
    a[i + 4] = (int)(lo ^ hi);
    asm volatile("prefetch.global.L1 [%0];" ::"l"(f));
    asm volatile("prefetch.global.L2 [%0];" ::"l"(f));
    asm volatile("st.global.v2.f32 [%0+8], {%1, 0f3F800000};" ::"l"(f), "f"(f[5]) : "memory");
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(f[6]) : "f"(f[7]));
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(d[6]) : "d"(d[7]));
    asm volatile("ld.global.L1::no_allocate.L2::128B.f32 %0, [%1];" : "=f"(f[8]) : "l"(f + 9));
    asm volatile("red.global.add.u32 [%0], 3;" ::"l"(a));
    asm volatile("exit;");
}
