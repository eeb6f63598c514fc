/*
 * elf.h: the sections, symbols and relocations of an ELF file in memory. Private to sass/. Every field is checked
 * against the bytes that are there; any byte string is safe.
 */
#pragma once

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf {
    const uint8_t *bytes;
    size_t size;
    uint64_t section_offset;
    uint32_t section_count;
    Elf64_Shdr names;
};

/* False: not a 64-bit little-endian ELF file, or its table of sections is cut off. */
bool elf_open(struct elf *elf, const void *bytes, size_t size);
/* False: there is no such section, or its contents are cut off. */
bool elf_section(const struct elf *elf, uint32_t index, Elf64_Shdr *section);
/* The contents of a section that was read so; NULL of one that has none in the file. */
const uint8_t *elf_contents(const struct elf *elf, const Elf64_Shdr *section);
/* NULL: it runs out of the table of names. */
const char *elf_section_name(const struct elf *elf, const Elf64_Shdr *section);
/* What follows the prefix in the section's name, NULL if there is nothing or another prefix. */
const char *elf_name_after(const char *name, const char *prefix);
/* The first section of this name. */
bool elf_find(const struct elf *elf, const char *name, uint32_t *index, Elf64_Shdr *section);
/* Symbol `index` of the symbol table that is section `table`, and its name (NULL: none). */
bool elf_symbol(const struct elf *elf, uint32_t table, uint64_t index, Elf64_Sym *symbol, const char **name);
