/* support_cubins.h: the cubins of fuzz_kernel's seeds. lines-75, lines-90: seed_kernels.cu with -lineinfo, for these
 * architectures; plain-90: without. Made by nvcc 13.0 -O3 -cubin; the folder's name was exchanged for another. */
#pragma once

#include "gpu/sass/cubin.h"
#include "gpu/sass/elf.h"

#include <stdlib.h>

/* The bytes of a cubin, to be freed. */
uint8_t *read_cubin(const char *name, size_t *size);
/* The PTX text that a cubin says it was made of, to be freed; "" where it has none. Here, since the fuzzer has no support. */
static inline char *text_of(const struct cubin *cubin, size_t *length) {
    struct elf elf;
    Elf64_Shdr section;
    uint32_t index;
    *length = 0;
    if (!elf_open(&elf, cubin->bytes, cubin->size) ||
        !elf_find(&elf, ".nv_debug_ptx_txt", &index, &section) || elf_contents(&elf, &section) == NULL)
        return calloc(1, 1);
    char *text = calloc(section.sh_size + 1, 1);
    for (size_t i = 0; text != NULL && i < section.sh_size; i++) {
        char byte = (char)elf_contents(&elf, &section)[i];
        text[i] = byte != '\0' ? byte : '\n';
    }
    *length = text != NULL ? section.sh_size : 0;
    return text;
}
