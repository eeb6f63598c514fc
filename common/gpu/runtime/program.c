/* program.c: the sections and dynamic symbols of an ELF file. */
#include "gpu/runtime/program.h"

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct reader {
    const uint8_t *bytes;
    size_t size;
    Elf64_Ehdr header;
};

static bool inside(const struct reader *reader, uint64_t offset, uint64_t bytes) {
    return offset <= reader->size && bytes <= reader->size - offset;
}

static bool section_at(const struct reader *reader, uint32_t index, Elf64_Shdr *section) {
    uint64_t offset = reader->header.e_shoff + (uint64_t)index * sizeof *section;
    if (index >= reader->header.e_shnum || reader->header.e_shoff > reader->size ||
        !inside(reader, offset, sizeof *section))
        return false;
    memcpy(section, reader->bytes + offset, sizeof *section);
    return section->sh_type != SHT_NOBITS && inside(reader, section->sh_offset, section->sh_size);
}

/* A string of a table; "" where it is not whole. */
static const char *string_at(const struct reader *reader, const Elf64_Shdr *table, uint64_t offset) {
    const char *start = (const char *)reader->bytes + table->sh_offset + offset;
    bool whole = offset < table->sh_size && memchr(start, '\0', table->sh_size - offset) != NULL;
    return whole ? start : "";
}

/* Whether the dynamic symbols leave the registration of kernels to another file. */
static bool imports_runtime(const struct reader *reader, const Elf64_Shdr *symbols) {
    Elf64_Shdr strings;
    if (!section_at(reader, symbols->sh_link, &strings))
        return false;
    for (uint64_t i = 0; i < symbols->sh_size / sizeof(Elf64_Sym); i++) {
        Elf64_Sym symbol;
        memcpy(&symbol, reader->bytes + symbols->sh_offset + i * sizeof symbol, sizeof symbol);
        if (symbol.st_shndx == SHN_UNDEF &&
            strcmp(string_at(reader, &strings, symbol.st_name), "__cudaRegisterFatBinary") == 0)
            return true;
    }
    return false;
}

void program_examine(const void *bytes, size_t size, struct program_facts *facts) {
    struct reader reader = {.bytes = bytes, .size = size};
    Elf64_Shdr names, section;
    *facts = (struct program_facts){0};
    if (size < sizeof reader.header)
        return;
    memcpy(&reader.header, bytes, sizeof reader.header);
    const uint16_t one = 1;
    uint8_t order = *(const uint8_t *)&one ? ELFDATA2LSB : ELFDATA2MSB;
    if (memcmp(reader.header.e_ident, ELFMAG, SELFMAG) != 0 ||
        reader.header.e_ident[EI_CLASS] != ELFCLASS64 || reader.header.e_ident[EI_DATA] != order)
        return;
    facts->elf = true;
    facts->machine = reader.header.e_machine;
    if (!section_at(&reader, reader.header.e_shstrndx, &names))
        return;
    for (uint32_t i = 0; i < reader.header.e_shnum; i++) {
        if (!section_at(&reader, i, &section))
            continue;
        facts->dynamic |= section.sh_type == SHT_DYNAMIC;
        facts->kernels |= strcmp(string_at(&reader, &names, section.sh_name), ".nv_fatbin") == 0;
        if (section.sh_type == SHT_DYNSYM)
            facts->shared_runtime |= imports_runtime(&reader, &section);
    }
    /* nvcc puts a fat binary into every program, but errors have names only where a runtime is. */
    static const char error_name[] = "cudaErrorLaunchTimeout";
    facts->own_runtime = facts->kernels && !facts->shared_runtime &&
                         memmem(bytes, size, error_name, sizeof error_name) != NULL;
}

bool program_examine_file(const char *path, struct program_facts *facts) {
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    *facts = (struct program_facts){0};
    if (file < 0)
        return false;
    bool read = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    void *bytes = MAP_FAILED;
    if (read && status.st_size > 0) {
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        read = bytes != MAP_FAILED;
    }
    close(file);
    if (bytes != MAP_FAILED) {
        program_examine(bytes, (size_t)status.st_size, facts);
        munmap(bytes, (size_t)status.st_size);
    }
    return read;
}
