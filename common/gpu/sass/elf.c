/* elf.c: ELF sections, names, symbols. */
#include "gpu/sass/elf.h"

#include <string.h>

bool elf_section(const struct elf *elf, uint32_t index, Elf64_Shdr *section) {
    if (index >= elf->section_count)
        return false;
    memcpy(section, elf->bytes + elf->section_offset + (uint64_t)index * sizeof *section, sizeof *section);
    return section->sh_type == SHT_NOBITS ||
           (section->sh_offset <= elf->size && section->sh_size <= elf->size - section->sh_offset);
}

const uint8_t *elf_contents(const struct elf *elf, const Elf64_Shdr *section) {
    return section->sh_type != SHT_NOBITS ? elf->bytes + section->sh_offset : NULL;
}

/* A NUL-terminated string at `offset` of a string table, NULL if it runs out of it. */
static const char *string_at(const struct elf *elf, const Elf64_Shdr *table, uint64_t offset) {
    if (table->sh_type == SHT_NOBITS || offset >= table->sh_size)
        return NULL;
    const char *start = (const char *)elf->bytes + table->sh_offset + offset;
    return memchr(start, '\0', table->sh_size - offset) != NULL ? start : NULL;
}

const char *elf_section_name(const struct elf *elf, const Elf64_Shdr *section) {
    return string_at(elf, &elf->names, section->sh_name);
}

const char *elf_name_after(const char *name, const char *prefix) {
    size_t length = strlen(prefix);
    return name != NULL && strncmp(name, prefix, length) == 0 && name[length] != '\0' ? name + length : NULL;
}

bool elf_find(const struct elf *elf, const char *name, uint32_t *index, Elf64_Shdr *section) {
    for (*index = 0; *index < elf->section_count; ++*index) {
        const char *found = elf_section(elf, *index, section) ? elf_section_name(elf, section) : NULL;
        if (found != NULL && strcmp(found, name) == 0)
            return true;
    }
    return false;
}

bool elf_symbol(const struct elf *elf, uint32_t table, uint64_t index, Elf64_Sym *symbol, const char **name) {
    Elf64_Shdr symbols, strings;
    if (!elf_section(elf, table, &symbols) || symbols.sh_type != SHT_SYMTAB ||
        index >= symbols.sh_size / sizeof *symbol)
        return false;
    memcpy(symbol, elf->bytes + symbols.sh_offset + index * sizeof *symbol, sizeof *symbol);
    *name = elf_section(elf, symbols.sh_link, &strings) ? string_at(elf, &strings, symbol->st_name) : NULL;
    return true;
}

bool elf_open(struct elf *elf, const void *bytes, size_t size) {
    Elf64_Ehdr header;
    if (size < sizeof header)
        return false;
    memcpy(&header, bytes, sizeof header);
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_shentsize != sizeof(Elf64_Shdr) ||
        header.e_shoff > size || header.e_shnum > (size - header.e_shoff) / sizeof(Elf64_Shdr))
        return false;
    *elf = (struct elf){bytes, size, header.e_shoff, header.e_shnum, {0}};
    return elf_section(elf, header.e_shstrndx, &elf->names);
}
