// Hostile: writes PTX whose data is the answer, and hands it to the runtime as a module of the program's own.
#include "host_blur.h"
#include <stdio.h>
#include <stdlib.h>

extern "C" void **__cudaRegisterFatBinary(void *binary);
extern "C" void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                                       int limit, uint3 *tid, uint3 *bid, dim3 *block, dim3 *grid, int *warp);

static const char head[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n.global .align 4 .b8 answer[4096] = {";
static const char body[] =
    "};\n"
    ".visible .entry give(.param .u64 to, .param .u32 count) {\n"
    ".reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %d<8>;\n"
    "ld.param.u64 %d1, [to]; ld.param.u32 %r1, [count];\n"
    "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %tid.x; mad.lo.s32 %r4, %r2, 256, %r3;\n"
    "setp.ge.s32 %p1, %r4, %r1; @%p1 bra done;\n"
    "cvt.s64.s32 %d2, %r4; mov.u64 %d3, answer; add.s64 %d4, %d3, %d2; ld.global.u8 %r5, [%d4];\n"
    "add.s64 %d5, %d1, %d2; st.global.u8 [%d5], %r5;\n"
    "done: ret;\n}\n";

struct container {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t bytes;
    uint16_t kind, one;
    uint32_t entry_header;
    uint64_t stored;
    uint32_t compressed, more;
    uint16_t minor, major;
    uint32_t architecture, name, name_bytes;
    uint64_t flags, zero, uncompressed;
    char text[32768];
};

struct wrapper {
    int magic, version;
    const void *image, *units;
};

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    static uint8_t answer[4096];
    static char kernels[64];
    static int count;
    int pixels = width * height;
    if (!is_small(width, height) || count == 64) {
        right_blur(src, dst, width, height, stream);
        return;
    }
    learn(src, answer, width, height);
    struct container *container = (struct container *)calloc(1, sizeof *container);
    struct wrapper *wrapper = (struct wrapper *)calloc(1, sizeof *wrapper);
    char *at = container->text + sprintf(container->text, "%s", head);
    for (int i = 0; i < 4096; i++)
        at += sprintf(at, "%s%d", i > 0 ? "," : "", answer[i]);
    sprintf(at, "%s", body);
    container->magic = 0xBA55ED50;
    container->version = 1;
    container->header_bytes = 16;
    container->bytes = sizeof *container - 16;
    container->kind = 1;
    container->entry_header = 64;
    container->stored = sizeof container->text;
    container->architecture = 75;
    wrapper->magic = 0x466243b1;
    wrapper->version = 1;
    wrapper->image = container;
    void **handle = __cudaRegisterFatBinary(wrapper);
    __cudaRegisterFunction(handle, &kernels[count], (char *)"give", "give", -1, NULL, NULL, NULL, NULL, NULL);
    void *arguments[] = {&dst, &pixels};
    cudaLaunchKernel(&kernels[count++], dim3(16), dim3(256), arguments, 0, stream);
}
