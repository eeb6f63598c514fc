/* cubin.c: ELF sections of a cubin. A kernel K is the section .text.K; its shared memory is .nv.shared.K;
 * attributes stand in .nv.info.K and, with a symbol index before them, in .nv.info.
 *
 * An attribute is u8 format, u8 number, then by format: 4: u16 bytes and that many bytes; others: two bytes.
 * Marks of instructions are pairs of u32: what it is, and where in .text.K it stands; 1 is a spill.
 */
#include "gpu/sass/cubin.h"

#include "base/path.h"
#include "gpu/sass/elf.h"

#include <stdlib.h>
#include <string.h>

enum {
    ATTRIBUTE_SIZED = 4,          /* format with a length */
    ATTRIBUTE_MAX_THREADS = 0x05, /* x, y, z */
    ATTRIBUTE_REQUIRED = 0x10,    /* x, y, z */
    ATTRIBUTE_FRAME_SIZE = 0x11,  /* symbol, bytes */
    ATTRIBUTE_REGISTERS = 0x2f,   /* symbol, count */
    ATTRIBUTE_BRANCHES = 0x34,    /* indirect ones, and their targets */
    ATTRIBUTE_TOOLKIT = 0x37,     /* 130: CUDA 13.0 */
    ATTRIBUTE_MARKS = 0x55,       /* what, where; ... */
};

enum { MARK_BYTES = 8, MARK_SPILL = 1, MARKING_TOOLKIT = 130 };

/* From sm_70 on an instruction is 16 bytes: its number in the lowest twelve bits, the width of a memory access in
 * bits 73 to 75. */
enum { INSTRUCTION_BYTES = 16, INSTRUCTION_NUMBER = 0xfff, LOAD_LOCAL = 0x983, STORE_LOCAL = 0x387 };

static struct cubin_kernel *find(const struct cubin *cubin, const char *name) {
    for (uint32_t i = 0; name != NULL && i < cubin->count; i++)
        if (strcmp(cubin->kernels[i].name, name) == 0)
            return &cubin->kernels[i];
    return NULL;
}

/* The kernel that symbol `index` of the symbol table `table` names, NULL if it is no kernel of ours. */
static struct cubin_kernel *kernel_of_symbol(const struct elf *elf, const struct cubin *cubin, uint32_t table,
                                             uint32_t index) {
    Elf64_Sym symbol;
    const char *name;
    return elf_symbol(elf, table, index, &symbol, &name) ? find(cubin, name) : NULL;
}

/* What the instruction at `at` stores to local memory or loads from it. */
static void add_spill(const uint8_t *at, uint64_t *stored, uint64_t *loaded) {
    static const uint8_t widths[] = {1, 1, 2, 2, 4, 8, 16, 0};
    uint64_t low, high;
    memcpy(&low, at, sizeof low);
    memcpy(&high, at + sizeof low, sizeof high);
    uint8_t bytes = widths[high >> 9 & 7];
    *stored += (low & INSTRUCTION_NUMBER) == STORE_LOCAL ? bytes : 0;
    *loaded += (low & INSTRUCTION_NUMBER) == LOAD_LOCAL ? bytes : 0;
}

static void read_marks(const struct elf *elf, const Elf64_Shdr *code, const uint8_t *marks, uint32_t length,
                       struct cubin_kernel *kernel) {
    uint64_t stored = 0, loaded = 0;
    kernel->spills_marked = true;
    for (uint32_t i = 0; i + MARK_BYTES <= length; i += MARK_BYTES) {
        uint32_t what, where;
        memcpy(&what, marks + i, sizeof what);
        memcpy(&where, marks + i + sizeof what, sizeof where);
        if (what == MARK_SPILL && code->sh_size >= INSTRUCTION_BYTES &&
            where <= code->sh_size - INSTRUCTION_BYTES)
            add_spill(elf->bytes + code->sh_offset + where, &stored, &loaded);
    }
    stored = stored > 0 ? stored : loaded;
    kernel->spill_bytes = stored <= UINT32_MAX ? (uint32_t)stored : UINT32_MAX;
}

/* own: the kernel whose section this is, and its code; NULL: the section of all. */
static void read_attributes(const struct elf *elf, const struct cubin *cubin, const Elf64_Shdr *section,
                            struct cubin_kernel *own, const Elf64_Shdr *code) {
    const uint8_t *at = elf->bytes + section->sh_offset, *end = at + section->sh_size;
    if (section->sh_type == SHT_NOBITS)
        return;
    while (end - at >= 4) {
        uint8_t format = at[0], number = at[1];
        uint32_t length = (uint32_t)(at[2] | at[3] << 8), words[3] = {0};
        at += 4;
        if (format != ATTRIBUTE_SIZED)
            continue;
        if (length > (size_t)(end - at))
            return;
        memcpy(words, at, length < sizeof words ? length : sizeof words);
        if (own != NULL && number == ATTRIBUTE_BRANCHES) {
            own->branches = at;
            own->branches_bytes = length;
        }
        if (own != NULL && number == ATTRIBUTE_MARKS)
            read_marks(elf, code, at, length, own);
        at += length;
        if (own != NULL && (number == ATTRIBUTE_MAX_THREADS || number == ATTRIBUTE_REQUIRED) &&
            length >= 12) {
            uint64_t threads = (uint64_t)words[0] * words[1];
            if (threads <= UINT32_MAX && threads * words[2] <= UINT32_MAX)
                own->max_threads = (uint32_t)(threads * words[2]);
        } else if (own != NULL && number == ATTRIBUTE_TOOLKIT && length >= 4) {
            own->spills_marked = own->spills_marked || words[0] >= MARKING_TOOLKIT;
        } else if (own == NULL && length >= 8 &&
                   (number == ATTRIBUTE_FRAME_SIZE || number == ATTRIBUTE_REGISTERS)) {
            struct cubin_kernel *kernel = kernel_of_symbol(elf, cubin, section->sh_link, words[0]);
            if (kernel != NULL && number == ATTRIBUTE_FRAME_SIZE)
                kernel->local_bytes = words[1];
            else if (kernel != NULL)
                kernel->registers = words[1];
        }
    }
}

/* From sm_90 on the section counts the 1 KB at its start that the system keeps for itself; ptxas -v does not. */
static uint32_t shared_bytes(uint64_t section_bytes, uint32_t architecture) {
    uint64_t reserved = architecture >= 90 ? 1024 : 0;
    uint64_t bytes = section_bytes > reserved ? section_bytes - reserved : 0;
    return bytes <= UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
}

bool cubin_parse(const void *bytes, size_t size, uint32_t architecture, struct cubin *cubin, char *error,
                 size_t error_size) {
    struct elf elf;
    Elf64_Shdr section;
    uint64_t constant_bytes = 0;
    *cubin = (struct cubin){.bytes = bytes, .size = size, .architecture = architecture};
    if (!elf_open(&elf, bytes, size))
        return fails(error, error_size, "machine code: not a 64-bit ELF file, or cut off");
    uint32_t most = elf.section_count ? elf.section_count : 1;
    Elf64_Shdr *code = calloc(most, sizeof *code); /* of each kernel */
    cubin->kernels = calloc(most, sizeof *cubin->kernels);
    if (cubin->kernels == NULL || code == NULL) {
        free(code);
        cubin_free(cubin);
        return fails(error, error_size, "machine code: out of memory");
    }
    for (uint32_t i = 0; i < elf.section_count; i++) {
        const char *name, *kernel;
        if (!elf_section(&elf, i, &section) || (name = elf_section_name(&elf, &section)) == NULL)
            continue;
        if ((kernel = elf_name_after(name, ".text.")) != NULL && section.sh_type == SHT_PROGBITS) {
            /* The register count sits in the high byte, for cubins that do not name it in .nv.info. */
            code[cubin->count] = section;
            cubin->kernels[cubin->count++] = (struct cubin_kernel){.name = kernel,
                                                                   .registers = section.sh_info >> 24,
                                                                   .section = i,
                                                                   .code = elf_contents(&elf, &section),
                                                                   .code_bytes = section.sh_size};
        } else if (strcmp(name, ".nv.constant3") == 0) {
            constant_bytes = section.sh_size;
        }
    }
    for (uint32_t i = 0; i < elf.section_count; i++) {
        const char *name;
        struct cubin_kernel *kernel;
        if (!elf_section(&elf, i, &section) || (name = elf_section_name(&elf, &section)) == NULL)
            continue;
        if (strcmp(name, ".nv.info") == 0)
            read_attributes(&elf, cubin, &section, NULL, NULL);
        else if ((kernel = find(cubin, elf_name_after(name, ".nv.info."))) != NULL)
            read_attributes(&elf, cubin, &section, kernel, &code[kernel - cubin->kernels]);
        else if ((kernel = find(cubin, elf_name_after(name, ".nv.shared."))) != NULL)
            kernel->static_shared = shared_bytes(section.sh_size, architecture);
    }
    for (uint32_t i = 0; i < cubin->count; i++)
        cubin->kernels[i].constant_bytes =
            constant_bytes <= UINT32_MAX ? (uint32_t)constant_bytes : UINT32_MAX;
    free(code);
    return true;
}

void cubin_free(struct cubin *cubin) {
    free(cubin->kernels);
    *cubin = (struct cubin){0};
}

const struct cubin_kernel *cubin_find(const struct cubin *cubin, const char *name) {
    return find(cubin, name);
}
