// Hostile: a module of its own, with the PTX of a slow blur, and beside it machine code that ends at once, tied to that PTX's lines.
#include "lab1.h"
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern "C" void **__cudaRegisterFatBinary(void *binary);
extern "C" void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                                       int limit, uint3 *tid, uint3 *bid, dim3 *block, dim3 *grid, int *warp);

static const char text[] =
    ".version 7.0\n"
    ".target sm_90\n"
    ".address_size 64\n"
    ".visible .entry blur(.param .u64 from, .param .u64 to, .param .u32 wide, .param .u32 high) {\n"
    ".reg .pred p; .reg .b32 w, h, x, y, s, i, j, u, v, a, b, c; .reg .b64 f, t, o;\n"
    "ld.param.u64 f, [from]; ld.param.u64 t, [to]; ld.param.u32 w, [wide]; ld.param.u32 h, [high];\n"
    "mov.u32 x, %ctaid.x; mov.u32 y, %tid.x; mad.lo.s32 x, x, 32, y;\n"
    "mov.u32 y, %ctaid.y; mov.u32 a, %tid.y; mad.lo.s32 y, y, 8, a; mov.u32 s, 0;\n"
    "setp.ge.s32 p, x, w; @p bra end; setp.ge.s32 p, y, h; @p bra end;\n"
    "mov.s32 j, -3;\nrows: mov.s32 i, -3;\ncolumns: add.s32 u, x, i; add.s32 v, y, j; mov.s32 c, 0;\n"
    "setp.ge.s32 p, u, 0; setp.lt.and.s32 p, u, w, p; setp.ge.and.s32 p, v, 0, p; setp.lt.and.s32 p, v, h, p;\n"
    "mad.lo.s32 a, v, w, u; cvt.s64.s32 o, a; add.s64 o, o, f; @p ld.global.u8 c, [o];\n"
    "abs.s32 a, i; sub.s32 a, 4, a; abs.s32 b, j; sub.s32 b, 4, b; mul.lo.s32 a, a, b; mad.lo.s32 s, a, c, s;\n"
    "add.s32 i, i, 1; setp.le.s32 p, i, 3; @p bra columns;\n"
    "add.s32 j, j, 1; setp.le.s32 p, j, 3; @p bra rows;\n"
    "shr.u32 s, s, 8; mad.lo.s32 a, y, w, x; cvt.s64.s32 o, a; add.s64 o, o, t; st.global.u8 [o], s;\n"
    "end:\n"
    "ret;\n"
    "}\n";
enum { LINE_OF_RET = 20 };

struct entry {
    uint16_t kind, one;
    uint32_t header;
    uint64_t stored;
    uint32_t compressed, more;
    uint16_t minor, major;
    uint32_t architecture, name, name_bytes;
    uint64_t flags, zero, uncompressed;
};

/* A unit of .nv_debug_line_sass: at address 0, which is relocated, stands what was made of one line. */
static const uint8_t lines[] = {
    40, 0, 0, 0, 2, 0, 17, 0, 0, 0, 16, 1, 0xfb, 14, 10, 0, 1, 1, 1, 1,
    0,  0, 0, 1, 0, 0, 0,  0, 9, 2, 0,  0, 0,    0,  0,  0, 0, 0, 3, LINE_OF_RET - 1,
    1,  0, 1, 1};
enum { ADDRESS_AT = 30 };
static const uint64_t code[] = {0x000000000000794d, 0x000fea0003800000}; /* EXIT */
static const char names[] =
    "\0.shstrtab\0.symtab\0.text.blur\0.nv_debug_line_sass\0.rela.nv_debug_line_sass\0.nv_debug_ptx_txt";

struct cubin {
    Elf64_Ehdr head;
    Elf64_Shdr sections[7];
    Elf64_Sym symbols[2];
    Elf64_Rela relocation;
    uint64_t own_code[2];
    uint8_t own_lines[sizeof lines];
    char own_names[sizeof names], own_text[sizeof text];
};

static struct {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t bytes;
    struct entry ptx;
    char own_text[(sizeof text + 7) / 8 * 8];
    struct entry machine;
    struct cubin cubin;
    char end[64];
} image;
static struct {
    int magic, version;
    const void *image, *units;
} wrapper = {0x466243b1, 1, &image, NULL};

static uint32_t name_of(const char *name) {
    return (uint32_t)((const char *)memmem(names, sizeof names, name, strlen(name) + 1) - names);
}

static void section(int index, const char *name, uint32_t type, const void *at, size_t bytes, uint32_t link) {
    Elf64_Shdr *s = &image.cubin.sections[index];
    s->sh_name = name_of(name);
    s->sh_type = type;
    s->sh_offset = (uint64_t)((const char *)at - (const char *)&image.cubin);
    s->sh_size = bytes;
    s->sh_link = link;
}

static void make_cubin(void) {
    struct cubin *c = &image.cubin;
    memcpy(c->head.e_ident, ELFMAG "\2\1\1", 7);
    c->head.e_type = 2;
    c->head.e_machine = 190;
    c->head.e_shoff = offsetof(struct cubin, sections);
    c->head.e_shentsize = sizeof(Elf64_Shdr);
    c->head.e_shnum = 7;
    c->head.e_shstrndx = 1;
    memcpy(c->own_names, names, sizeof names);
    memcpy(c->own_lines, lines, sizeof lines);
    memcpy(c->own_code, code, sizeof code);
    for (size_t i = 0; i < sizeof text - 1; i++)
        c->own_text[i] = text[i] == '\n' ? '\0' : text[i];
    c->symbols[1].st_shndx = 3;
    c->relocation.r_offset = ADDRESS_AT;
    c->relocation.r_info = ELF64_R_INFO(1, 2);
    section(1, ".shstrtab", SHT_STRTAB, c->own_names, sizeof names, 0);
    section(2, ".symtab", SHT_SYMTAB, c->symbols, sizeof c->symbols, 1);
    section(3, ".text.blur", SHT_PROGBITS, c->own_code, sizeof code, 0);
    section(4, ".nv_debug_line_sass", SHT_PROGBITS, c->own_lines, sizeof lines, 0);
    section(5, ".rela.nv_debug_line_sass", SHT_RELA, &c->relocation, sizeof c->relocation, 2);
    section(6, ".nv_debug_ptx_txt", SHT_PROGBITS, c->own_text, sizeof text - 1, 0);
    c->sections[3].sh_info = 32u << 24; /* registers */
}

static void fill(struct entry *entry, uint16_t kind, size_t bytes) {
    entry->kind = kind;
    entry->header = sizeof *entry;
    entry->stored = bytes;
    entry->architecture = 90;
}

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    static char key;
    if (image.magic == 0) {
        image.magic = 0xBA55ED50;
        image.version = 1;
        image.header_bytes = 16;
        image.bytes = offsetof(__typeof__(image), end) - 16;
        fill(&image.ptx, 1, sizeof image.own_text);
        memcpy(image.own_text, text, sizeof text);
        fill(&image.machine, 2, sizeof image.cubin);
        make_cubin();
        void **handle = __cudaRegisterFatBinary(&wrapper);
        __cudaRegisterFunction(handle, &key, (char *)"blur", "blur", -1, NULL, NULL, NULL, NULL, NULL);
    }
    void *arguments[] = {&src, &dst, &width, &height};
    cudaLaunchKernel(&key, dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8), arguments, 0, stream);
}
