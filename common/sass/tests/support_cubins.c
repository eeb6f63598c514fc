/* support_cubins.c: the seeds as files, and their text. */
#include "sass/tests/support_cubins.h"

#include "sass/elf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint8_t *read_cubin(const char *name, size_t *size) {
    const char *build = getenv("BUILD");
    char path[256];
    snprintf(path, sizeof path, "%s/seeds/sass/fuzz_kernel/%s.cubin", build != NULL ? build : "build", name);
    FILE *file = fopen(path, "rb");
    enum { MOST = 1 << 20 };
    uint8_t *bytes = malloc(MOST);
    *size = file != NULL && bytes != NULL ? fread(bytes, 1, MOST, file) : 0;
    if (file != NULL)
        fclose(file);
    if (*size == 0)
        fprintf(stderr, "%s cannot be read\n", path);
    return bytes;
}

char *text_of(const struct cubin *cubin, size_t *length) {
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
