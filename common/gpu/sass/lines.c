/* lines.c: the reader of .nv_debug_line_sass. Its section is a row of units, each with a header and a program; each
 * program sets an address, which a relocation ties to a kernel's section, and says line after line from there on. */
#include "gpu/sass/cubin.h"

#include "base/path.h"
#include "gpu/sass/elf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char section_name[] = ".nv_debug_line_sass", relocations_name[] = ".rela.nv_debug_line_sass",
                  older_relocations_name[] = ".rel.nv_debug_line_sass", text_name[] = ".nv_debug_ptx_txt";

enum { INSTRUCTION_BYTES = 16, MAX_SEARCHED = 10000000 /* relocations looked at, for one kernel */ };

/* DWARF 2, figures 37 and 38. */
enum {
    EXTENDED = 0,
    COPY = 1,
    ADVANCE_ADDRESS = 2,
    ADVANCE_LINE = 3,
    CONST_ADD_ADDRESS = 8,
    FIXED_ADVANCE_ADDRESS = 9,
    EXTENDED_END_SEQUENCE = 1,
    EXTENDED_SET_ADDRESS = 2
};

/* Bytes that are read from the front; `whole` is false from the first that was not there. */
struct cursor {
    const uint8_t *at, *end;
    bool whole;
};

static uint64_t number(struct cursor *cursor, uint32_t bytes) {
    uint64_t value = 0;
    if (bytes > (size_t)(cursor->end - cursor->at)) {
        cursor->whole = false;
        cursor->at = cursor->end;
        return 0;
    }
    for (uint32_t i = 0; i < bytes; i++)
        value |= (uint64_t)cursor->at[i] << (8 * i);
    cursor->at += bytes;
    return value;
}

/* Seven bits a byte, the lowest first; signed or not, the sign of what is negative fills the bits above. */
static uint64_t leb128(struct cursor *cursor, bool is_signed) {
    uint64_t value = 0;
    uint32_t shift = 0;
    for (;;) {
        uint8_t byte = (uint8_t)number(cursor, 1);
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
        if (byte & 0x80 && cursor->whole)
            continue;
        if (is_signed && byte & 0x40 && shift < 64)
            value |= ~UINT64_C(0) << shift;
        return value;
    }
}

/* What is asked: the lines of one kernel. */
struct wanted {
    const struct elf *elf;
    const uint8_t *section; /* its first byte */
    uint32_t kernel;        /* index of its section */
    uint32_t count;
    uint32_t *lines;
    bool *ends; /* a program ends before this instruction */
    bool found;
    Elf64_Shdr relocations;
    bool relocated;
    uint64_t searched;
};

/* The relocation of the address at `offset` of the section: which section it is of, and what is added. For chips before
 * sm_90 what is added stands in place. */
static bool relocate(struct wanted *wanted, uint64_t offset, uint32_t *section, uint64_t *addend) {
    const uint8_t *contents = elf_contents(wanted->elf, &wanted->relocations);
    bool explicit = wanted->relocations.sh_type == SHT_RELA;
    size_t bytes = explicit ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
    for (uint64_t i = 0; contents != NULL && i < wanted->relocations.sh_size / bytes; i++) {
        Elf64_Rela entry = {0};
        Elf64_Sym symbol;
        const char *name;
        if (++wanted->searched > MAX_SEARCHED)
            return false;
        memcpy(&entry, contents + i * bytes, bytes);
        if (entry.r_offset != offset)
            continue;
        if (!elf_symbol(wanted->elf, wanted->relocations.sh_link, ELF64_R_SYM(entry.r_info), &symbol, &name))
            return false;
        *section = symbol.st_shndx;
        *addend = symbol.st_value + (uint64_t)entry.r_addend;
        return true;
    }
    return false;
}

/* Where a program has come to. */
struct row {
    bool ours; /* it is in the wanted kernel */
    uint64_t address, line;
};

static void emit(struct wanted *wanted, const struct row *row, bool end) {
    uint64_t index = row->address / INSTRUCTION_BYTES;
    if (!row->ours)
        return;
    wanted->found = true;
    if (end) {
        if (index <= wanted->count)
            wanted->ends[index] = true;
    } else if (index < wanted->count && row->line > 0 && row->line <= UINT32_MAX) {
        wanted->lines[index] = (uint32_t)row->line;
    }
}

static void extended(struct wanted *wanted, struct cursor *cursor, struct row *row) {
    uint64_t length = leb128(cursor, false);
    if (length == 0 || length > (size_t)(cursor->end - cursor->at)) {
        cursor->whole = length == 0 && cursor->whole;
        return;
    }
    struct cursor inside = {cursor->at, cursor->at + length, true};
    cursor->at += length;
    uint8_t opcode = (uint8_t)number(&inside, 1);
    if (opcode == EXTENDED_END_SEQUENCE) {
        emit(wanted, row, true);
        *row = (struct row){.line = 1};
    } else if (opcode == EXTENDED_SET_ADDRESS && length == 9) {
        uint32_t section = 0;
        uint64_t addend = 0, offset = (uint64_t)(inside.at - wanted->section);
        row->address = number(&inside, 8);
        row->ours =
            wanted->relocated && relocate(wanted, offset, &section, &addend) && section == wanted->kernel;
        row->address += addend;
    }
}

/* The head of a unit, by which its program is read. */
struct unit {
    uint8_t instruction_bytes, line_range, opcode_base;
    int8_t line_base;
    uint8_t operands[256];
};

static bool read_head(struct cursor *cursor, struct unit *unit) {
    uint64_t version = number(cursor, 2), length = number(cursor, 4);
    if (version < 2 || version > 4 || length > (size_t)(cursor->end - cursor->at))
        return false;
    const uint8_t *program = cursor->at + length;
    struct cursor head = {cursor->at, program, cursor->whole};
    unit->instruction_bytes = (uint8_t)number(&head, 1);
    if (version == 4)
        number(&head, 1); /* operations per instruction: 1 */
    number(&head, 1);     /* whether rows begin as statements */
    unit->line_base = (int8_t)number(&head, 1);
    unit->line_range = (uint8_t)number(&head, 1);
    unit->opcode_base = (uint8_t)number(&head, 1);
    for (uint32_t i = 1; i < unit->opcode_base; i++)
        unit->operands[i] = (uint8_t)number(&head, 1);
    cursor->at = program; /* folders and files follow; they mean nothing here */
    return head.whole && unit->line_range > 0 && unit->opcode_base > 0;
}

static bool read_unit(struct wanted *wanted, struct cursor *cursor) {
    struct unit unit = {0};
    struct row row = {.line = 1};
    if (!read_head(cursor, &unit))
        return false;
    while (cursor->at < cursor->end && cursor->whole) {
        uint8_t opcode = (uint8_t)number(cursor, 1);
        if (opcode >= unit.opcode_base) {
            uint8_t special = (uint8_t)(opcode - unit.opcode_base);
            row.address += (uint64_t)(special / unit.line_range) * unit.instruction_bytes;
            row.line += (uint64_t)(int64_t)(unit.line_base + special % unit.line_range);
            emit(wanted, &row, false);
            continue;
        }
        switch (opcode) {
        case EXTENDED: extended(wanted, cursor, &row); break;
        case COPY: emit(wanted, &row, false); break;
        case ADVANCE_ADDRESS: row.address += leb128(cursor, false) * unit.instruction_bytes; break;
        case ADVANCE_LINE: row.line += leb128(cursor, true); break;
        case CONST_ADD_ADDRESS:
            row.address +=
                (uint64_t)((uint8_t)(255 - unit.opcode_base) / unit.line_range) * unit.instruction_bytes;
            break;
        case FIXED_ADVANCE_ADDRESS: row.address += number(cursor, 2); break;
        default:
            for (uint32_t i = 0; i < unit.operands[opcode]; i++)
                leb128(cursor, false);
        }
    }
    return cursor->whole;
}

static bool read_units(struct wanted *wanted, const Elf64_Shdr *section) {
    struct cursor all = {wanted->section, wanted->section + section->sh_size, true};
    while (all.end - all.at >= 4) {
        uint64_t length = number(&all, 4);
        if (length > (size_t)(all.end - all.at))
            return false;
        struct cursor unit = {all.at, all.at + length, true};
        all.at += length;
        if (length > 0 && !read_unit(wanted, &unit))
            return false;
    }
    return true;
}

/* Where other functions begin in the kernel's section. The compiler's own routines have no lines, and come behind the kernel. */
static void end_functions(const struct elf *elf, uint32_t section, uint32_t count, bool *ends) {
    Elf64_Shdr table;
    Elf64_Sym symbol;
    uint32_t index;
    const char *name;
    if (!elf_find(elf, ".symtab", &index, &table))
        return;
    for (uint64_t s = 0; elf_symbol(elf, index, s, &symbol, &name); s++)
        if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx == section &&
            symbol.st_value / INSTRUCTION_BYTES < count)
            ends[symbol.st_value / INSTRUCTION_BYTES] = true;
}

bool sass_read_lines(const struct cubin *cubin, const struct cubin_kernel *kernel, uint32_t count,
                     uint32_t *lines, char *error, size_t error_size) {
    struct elf elf;
    Elf64_Shdr section;
    uint32_t index;
    memset(lines, 0, count * sizeof *lines);
    if (!elf_open(&elf, cubin->bytes, cubin->size) || !elf_find(&elf, section_name, &index, &section) ||
        elf_contents(&elf, &section) == NULL)
        return fails(error, error_size, "machine code: no table of lines (compile with -lineinfo)");
    struct wanted wanted = {.elf = &elf,
                            .section = elf_contents(&elf, &section),
                            .kernel = kernel->section,
                            .count = count,
                            .lines = lines,
                            .ends = calloc(count + 1u, sizeof *wanted.ends)};
    wanted.relocated = elf_find(&elf, relocations_name, &index, &wanted.relocations) ||
                       elf_find(&elf, older_relocations_name, &index, &wanted.relocations);
    bool right = wanted.ends != NULL && read_units(&wanted, &section);
    if (!right || !wanted.found) {
        snprintf(error, error_size, "machine code: %s",
                 wanted.ends == NULL ? "out of memory"
                 : right             ? "its table of lines has nothing of this kernel"
                                     : "its table of lines is malformed");
        memset(lines, 0, count * sizeof *lines);
        free(wanted.ends);
        return false;
    }
    end_functions(&elf, kernel->section, count, wanted.ends);
    /* A line holds until the next one, in its function. */
    for (uint32_t i = 0, line = 0; i < count; i++) {
        line = lines[i] ? lines[i] : wanted.ends[i] ? 0 : line;
        lines[i] = line;
    }
    free(wanted.ends);
    return true;
}

/* ---- the text */

struct piece {
    const char *start;
    size_t length;
};

/* A text without comments, each line ended by a newline, and which of its lines each line became. */
struct plain {
    char *text;
    size_t length;
    uint32_t *line_of; /* from 1 to `lines`; 0 has none */
    uint32_t lines;
};

static void plain_free(struct plain *plain) {
    free(plain->text);
    free(plain->line_of);
}

/* How long the comment or string at `at` is, up to `end`; 0: there is none. Its lines end with `separator`. */
static size_t skipped(const char *at, const char *end, char separator, bool *comment) {
    *comment = *at == '/' && at + 1 < end && (at[1] == '/' || at[1] == '*');
    const char *from = at;
    if (*comment && at[1] == '*') {
        for (at += 2; at < end && !(*at == '*' && at + 1 < end && at[1] == '/'); at++)
            ;
        at = end - at > 2 ? at + 2 : end;
    } else if (*comment) {
        while (at < end && *at != separator)
            at++;
    } else if (*at == '"') {
        for (at++; at < end && *at != '"' && *at != separator; at++)
            ;
    }
    return (size_t)(at - from);
}

/* joined: what stands on both sides of a comment over several lines is one line then, as nvcc has it in what it hands on. */
static bool make_plain(const char *text, size_t length, char separator, bool joined, struct plain *plain) {
    uint32_t most = 2, line = 1;
    *plain = (struct plain){0};
    for (size_t i = 0; i < length && most < UINT32_MAX / 2; i++)
        most += text[i] == separator;
    plain->text = calloc(length + 1, 1);
    plain->line_of = calloc(most + 1u, sizeof *plain->line_of);
    if (plain->text == NULL || plain->line_of == NULL)
        return false;
    plain->line_of[++plain->lines] = line;
    for (size_t i = 0; i < length;) {
        bool comment;
        size_t skip = skipped(text + i, text + length, separator, &comment);
        for (size_t end = i + (skip ? skip : 1); i < end; i++) {
            bool ends = text[i] == separator, kept = !comment || (ends && !joined);
            if (kept)
                plain->text[plain->length++] = ends ? '\n' : text[i];
            if (ends && plain->lines < most)
                plain->line_of[++plain->lines] = kept ? ++line : line;
        }
    }
    return true;
}

static struct piece trimmed(const char *start, size_t length) {
    while (length > 0 && (*start == ' ' || *start == '\t'))
        start++, length--;
    while (length > 0 && (start[length - 1] == ' ' || start[length - 1] == '\t' || start[length - 1] == '\r'))
        length--;
    return (struct piece){start, length};
}

/* Blanks aside: the text in the fat binary has fewer of them. */
static bool is_same(const struct piece *a, const struct piece *b) {
    size_t i = 0, j = 0;
    for (;;) {
        while (i < a->length && (a->start[i] == ' ' || a->start[i] == '\t'))
            i++;
        while (j < b->length && (b->start[j] == ' ' || b->start[j] == '\t'))
            j++;
        if (i == a->length || j == b->length)
            return i == a->length && j == b->length;
        if (a->start[i++] != b->start[j++])
            return false;
    }
}

static struct piece *split(const struct plain *plain, uint32_t *count) {
    struct piece *lines = calloc(plain->lines + 1u, sizeof *lines);
    *count = 0;
    for (size_t i = 0; lines != NULL && i < plain->length && *count < plain->lines;) {
        const char *end = memchr(plain->text + i, '\n', plain->length - i);
        size_t bytes = end != NULL ? (size_t)(end - plain->text) - i : plain->length - i;
        lines[(*count)++] = trimmed(plain->text + i, bytes);
        i += bytes + 1;
    }
    return lines;
}

/* Whether it is of places in sources or of debug sections, which the cubin's own text leaves out: no statement ends in it. */
static bool is_left_out(const struct piece *line) {
    static const char *const begin[] = {".loc", ".file", ".section", ".b8",  ".b16", ".b32",
                                        ".b64", "{",     "}",        "$L__", ".L_"};
    for (size_t i = 0; i < sizeof begin / sizeof *begin; i++) {
        size_t length = strlen(begin[i]);
        if (line->length >= length && memcmp(line->start, begin[i], length) == 0)
            return memchr(line->start, ';', line->length) == NULL;
    }
    return false;
}

/* The lines, if the cubin's own text, `kept`, is the given one, line by line. */
static bool translate(const struct plain *kept, const struct plain *given, uint32_t *lines, uint32_t count) {
    uint32_t kept_count = 0, given_count = 0;
    struct piece *a = split(kept, &kept_count), *b = split(given, &given_count);
    bool same = a != NULL && b != NULL;
    for (uint32_t i = 0; same && i < kept_count && i < given_count; i++)
        same = is_same(&a[i], &b[i]) || (a[i].length == 0 && is_left_out(&b[i]));
    for (uint32_t i = 0; same && i < count; i++)
        same = lines[i] <= kept->lines && kept->line_of[lines[i]] <= kept_count &&
               kept->line_of[lines[i]] <= given_count;
    for (uint32_t i = 0; same && i < count; i++)
        lines[i] = kept->line_of[lines[i]];
    free(a);
    free(b);
    return same;
}

bool sass_lines_in(const struct cubin *cubin, const char *text, size_t length, uint32_t *lines,
                   uint32_t count) {
    struct elf elf;
    Elf64_Shdr section;
    uint32_t index;
    struct plain given;
    if (!elf_open(&elf, cubin->bytes, cubin->size) || !elf_find(&elf, text_name, &index, &section) ||
        elf_contents(&elf, &section) == NULL)
        return false;
    const char *own = (const char *)elf_contents(&elf, &section);
    bool right = make_plain(text, length, '\n', false, &given), found = false;
    for (int joined = 1; right && !found && joined >= 0; joined--) {
        struct plain kept;
        right = make_plain(own, section.sh_size, '\0', joined, &kept);
        found = right && translate(&kept, &given, lines, count);
        plain_free(&kept);
    }
    plain_free(&given);
    return found;
}
