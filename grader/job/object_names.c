/* object_names.c: symbol tables, as a sorted list of names. */
#include "base/file.h"
#include "job/object.h"

#include <elf.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_LIMIT = 256 << 20 };

bool object_names_add(struct object_names *names, const char *name) {
    if (names->count == names->room) {
        size_t room = names->room == 0 ? 512 : names->room * 2;
        char **grown = realloc(names->list, room * sizeof *grown);
        if (grown == NULL)
            return false;
        names->list = grown;
        names->room = room;
    }
    names->list[names->count] = strdup(name);
    return names->list[names->count] != NULL && ++names->count > 0;
}

/* `count` things of `size` bytes at an offset of the file; NULL when they do not lie in it. */
static const void *part(const char *bytes, size_t length, uint64_t offset, uint64_t count, size_t size) {
    return offset <= length && count <= (length - offset) / size && offset % 8 == 0 ? bytes + offset : NULL;
}

/* A library's table of what it defines and wants; an object's has what is its own as well. */
static bool add_table(struct object_names *names, bool all, const char *bytes, size_t length,
                      const Elf64_Shdr *table, const Elf64_Shdr *texts) {
    uint64_t count = table->sh_size / sizeof(Elf64_Sym);
    const Elf64_Sym *symbols = part(bytes, length, table->sh_offset, count, sizeof *symbols);
    if (symbols == NULL || texts->sh_offset > length || texts->sh_size > length - texts->sh_offset)
        return false;
    const char *text = bytes + texts->sh_offset;
    bool library = table->sh_type == SHT_DYNSYM;
    for (uint64_t i = 1; i < count; i++) {
        const Elf64_Sym *s = &symbols[i];
        unsigned binding = ELF64_ST_BIND(s->st_info);
        bool wanted = s->st_shndx == SHN_UNDEF;
        if (binding == STB_LOCAL || (wanted && (library || binding == STB_WEAK)) ||
            s->st_name >= texts->sh_size || (!all && !wanted) ||
            memchr(text + s->st_name, '\0', texts->sh_size - s->st_name) == NULL)
            continue;
        if (!object_names_add(names, text + s->st_name))
            return false;
    }
    return true;
}

static bool add_tables(struct object_names *names, bool all, const char *bytes, size_t length) {
    const Elf64_Ehdr *header = part(bytes, length, 0, 1, sizeof *header);
    if (header == NULL || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_shentsize != sizeof(Elf64_Shdr))
        return false;
    const Elf64_Shdr *sections = part(bytes, length, header->e_shoff, header->e_shnum, sizeof *sections);
    uint32_t kind = header->e_type == ET_DYN ? SHT_DYNSYM : SHT_SYMTAB;
    bool found = false;
    for (unsigned i = 0; sections != NULL && i < header->e_shnum; i++)
        if (sections[i].sh_type == kind && sections[i].sh_link < header->e_shnum)
            found = add_table(names, all, bytes, length, &sections[i], &sections[sections[i].sh_link]);
    return found;
}

/* all: also what it defines, beside what it wants. */
static bool read_names(struct object_names *names, bool all, const char *path) {
    char error[PATH_SIZE + 128];
    size_t length;
    char *bytes = file_read(path, FILE_LIMIT, &length, error, sizeof error);
    if (bytes == NULL)
        return false;
    bool right = add_tables(names, all, bytes, length);
    free(bytes);
    if (!right)
        errno = ENOEXEC;
    return right;
}

bool object_names_read(struct object_names *names, const char *path) {
    return read_names(names, true, path);
}

bool object_names_asked(struct object_names *names, const char *path, const char *function) {
    struct object_names wanted = {0};
    size_t length = strlen(function);
    bool right = read_names(&wanted, false, path);
    object_names_sort(&wanted);
    for (size_t i = 0; right && i < wanted.count; i++)
        if (strncmp(wanted.list[i], function, length) == 0 && wanted.list[i][length] == '_')
            right = object_names_add(names, wanted.list[i]);
    if (right && (names->count == 0 || object_names_have(&wanted, function))) {
        object_names_free(names);
        right = object_names_add(names, function);
    }
    object_names_sort(names);
    object_names_free(&wanted);
    return right;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void object_names_sort(struct object_names *names) {
    if (names->count > 0)
        qsort(names->list, names->count, sizeof *names->list, by_text);
}

bool object_names_have(const struct object_names *names, const char *name) {
    return names->count > 0 &&
           bsearch(&name, names->list, names->count, sizeof *names->list, by_text) != NULL;
}

void object_names_free(struct object_names *names) {
    for (size_t i = 0; i < names->count; i++)
        free(names->list[i]);
    free(names->list);
    *names = (struct object_names){0};
}
