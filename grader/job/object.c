/* object.c: the object file's sections and symbols, as ELF tells them. */
#include "job/object.h"
#include "base/demangle.h"

#include <elf.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct object {
    const unsigned char *bytes;
    size_t size;
    Elf64_Ehdr header;
    Elf64_Shdr names;   /* of sections */
    Elf64_Shdr symbols; /* the one symbol table, and its names */
    Elf64_Shdr symbol_names;
    const struct object_rules *rules;
    struct object_verdict *verdict;
    size_t asked_found; /* functions that it must define, and does */
};

/* Keep the first thing that is wrong. Always false. */
__attribute__((format(printf, 3, 4))) static bool refuse(const struct object *o, enum flag flag,
                                                         const char *format, ...) {
    if (o->verdict->flag != FLAG_NONE)
        return false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(o->verdict->message, sizeof o->verdict->message, format, arguments);
    va_end(arguments);
    for (char *c = o->verdict->message; *c != '\0'; c++) /* names are the file's own, and hold any bytes */
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    o->verdict->flag = flag;
    return false;
}

/* ---- reading: every offset is checked before it is followed */

static bool read_at(const struct object *o, uint64_t offset, void *to, size_t bytes) {
    if (offset > o->size || bytes > o->size - offset)
        return false;
    memcpy(to, o->bytes + offset, bytes);
    return true;
}

static bool section_at(const struct object *o, uint64_t index, Elf64_Shdr *section) {
    return index < o->header.e_shnum &&
           read_at(o, o->header.e_shoff + index * sizeof *section, section, sizeof *section) &&
           (section->sh_type == SHT_NOBITS ||
            (section->sh_offset <= o->size && section->sh_size <= o->size - section->sh_offset));
}

/* A name of a string table; "" when it does not lie whole in there. */
static const char *text_at(const struct object *o, const Elf64_Shdr *table, uint64_t offset) {
    if (table->sh_type != SHT_STRTAB || offset >= table->sh_size)
        return "";
    const char *text = (const char *)o->bytes + table->sh_offset + offset;
    return memchr(text, '\0', table->sh_size - offset) != NULL ? text : "";
}

static bool symbol_at(const struct object *o, uint64_t index, Elf64_Sym *symbol) {
    return index < o->symbols.sh_size / sizeof *symbol &&
           read_at(o, o->symbols.sh_offset + index * sizeof *symbol, symbol, sizeof *symbol);
}

static bool open_object(struct object *o) {
    static const unsigned char magic[] = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB};
    if (!read_at(o, 0, &o->header, sizeof o->header) || memcmp(o->header.e_ident, magic, sizeof magic) != 0 ||
        o->header.e_type != ET_REL || o->header.e_shentsize != sizeof(Elf64_Shdr) ||
        !section_at(o, o->header.e_shstrndx, &o->names))
        return refuse(o, FLAG_OBJECT, "the compiler's result is not an object file");
    unsigned tables = 0;
    for (unsigned i = 0; i < o->header.e_shnum; i++) {
        Elf64_Shdr section;
        if (!section_at(o, i, &section))
            return refuse(o, FLAG_OBJECT, "the object file's section %u is damaged", i);
        if (section.sh_type == SHT_SYMTAB && section.sh_entsize == sizeof(Elf64_Sym) && tables++ == 0)
            o->symbols = section;
    }
    if (tables != 1 || !section_at(o, o->symbols.sh_link, &o->symbol_names))
        return refuse(o, FLAG_OBJECT, "the object file has no symbol table, or several");
    return true;
}

/* ---- sections */

/* What gcc makes of what nvcc makes of C and C++. */
// clang-format off
static const char *const known_sections[] = {
    "", ".group", ".text", ".text.*", ".data", ".data.*", ".bss", ".bss.*", ".rodata", ".rodata.*", ".tdata",
    ".tdata.*", ".tbss", ".tbss.*", ".gcc_except_table", ".gcc_except_table.*", ".init_array", ".eh_frame",
    ".comment", ".note.GNU-stack", ".note.gnu.property", ".symtab", ".symtab_shndx", ".strtab", ".shstrtab",
    ".debug_*", ".nv_fatbin", ".nvFatBinSegment", "__nv_module_id", "__nv_managed_data__", "__nv_relfatbin",
    ".gnu.lto_.debug*"};
// clang-format on

static bool is_known(const char *name) {
    if (strncmp(name, ".rela.", 6) == 0 || strncmp(name, ".rela__", 7) == 0)
        name += 5;
    for (size_t i = 0; i < sizeof known_sections / sizeof *known_sections; i++)
        if (fnmatch(known_sections[i], name, 0) == 0)
            return true;
    return false;
}

static bool check_sections(const struct object *o) {
    for (unsigned i = 0; i < o->header.e_shnum; i++) {
        Elf64_Shdr section;
        if (!section_at(o, i, &section))
            continue; /* open_object has looked at every one */
        const char *name = text_at(o, &o->names, section.sh_name);
        bool writable = section.sh_flags & SHF_WRITE, runs = section.sh_flags & SHF_EXECINSTR;
        if (!is_known(name) || section.sh_type == SHT_PREINIT_ARRAY || section.sh_type == SHT_FINI_ARRAY ||
            (section.sh_type == SHT_INIT_ARRAY && strcmp(name, ".init_array") != 0))
            return refuse(o, FLAG_OBJECT, "kernel.cu makes a section '%.64s': nothing in a lab needs it",
                          name);
        if (runs && (writable || strncmp(name, ".text", 5) != 0))
            return refuse(o, FLAG_OBJECT, "kernel.cu puts code into the section '%.64s'", name);
    }
    return true;
}

/* ---- variables */

static void measure_variables(const struct object *o) {
    struct object_verdict *v = o->verdict;
    const char *largest = "";
    Elf64_Sym symbol;
    for (unsigned i = 0; i < o->header.e_shnum; i++) {
        Elf64_Shdr section;
        if (section_at(o, i, &section) && (section.sh_flags & SHF_WRITE) != 0)
            v->variable_bytes = section.sh_size < UINT64_MAX - v->variable_bytes
                                    ? v->variable_bytes + section.sh_size
                                    : UINT64_MAX;
    }
    for (uint64_t i = 1; symbol_at(o, i, &symbol); i++)
        if (ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_size > v->largest_bytes) {
            v->largest_bytes = symbol.st_size;
            largest = text_at(o, &o->symbol_names, symbol.st_name);
        }
    demangle_kernel(largest, v->largest, sizeof v->largest);
}

/* ---- what runs before main */

/* All initialisation of C++ variables is one entry, nvcc's registration of its kernels another; a constructor is one
 * more. Names say nothing: whoever writes a constructor also writes its name. */
static bool check_constructors(const struct object *o) {
    enum { REGISTRATION = 24 }; /* bytes of what nvcc registers */
    uint64_t entries = 0, expected = o->rules->initialisers, registrations = 0;
    for (unsigned i = 0; i < o->header.e_shnum; i++) {
        Elf64_Shdr section;
        if (!section_at(o, i, &section))
            continue; /* open_object has looked at every one */
        if (section.sh_type == SHT_INIT_ARRAY)
            entries += section.sh_size / sizeof(uint64_t);
        if (strcmp(text_at(o, &o->names, section.sh_name), ".nvFatBinSegment") != 0)
            continue;
        expected++;
        if (++registrations > 1 || section.sh_size != REGISTRATION)
            return refuse(o, FLAG_OBJECT,
                          "kernel.cu adds to the section '.nvFatBinSegment', which is nvcc's");
    }
    if (entries == expected)
        return true;
    return refuse(o, FLAG_CONSTRUCTOR,
                  "kernel.cu has code that is to run before main: initialise variables, leave constructor "
                  "functions out");
}

/* ---- names */

/* Functions whose only use here would be mischief. A program that makes the system calls by itself meets the
 * sandbox. dlopen is not among them: the headers of Thrust and CUB bring it along. */
static const struct {
    enum flag flag;
    const char *names;
} not_called[] = {
    {FLAG_PROCESS, " fork vfork _Fork clone execl execle execlp execv execve execveat execvp execvpe fexecve "
                   "posix_spawn posix_spawnp system popen daemon "},
    {FLAG_THREAD, " pthread_create thrd_create timer_create"
                  " _ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE "},
    {FLAG_NETWORK, " socket socketpair connect bind listen accept accept4 sendto sendmsg recvmsg getaddrinfo "
                   "gethostbyname "},
    {FLAG_TRACE, " ptrace process_vm_readv process_vm_writev mprotect pkey_mprotect syscall prctl setns "
                 "unshare mount umount personality memfd_create shm_open shmget userfaultfd "},
};

/* An alias of the C library's own: "__fork" and "__libc_fork" are fork. */
static const char *common_name(const char *name) {
    static const char *const prefixes[] = {"__libc_", "__"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return name + strlen(prefixes[i]);
    return name;
}

static bool in_list(const char *list, const char *name) {
    char word[128];
    return snprintf(word, sizeof word, " %s ", name) < (int)sizeof word && strstr(list, word) != NULL;
}

/* Can it be called under its name? */
static bool is_code(const struct object *o, const Elf64_Sym *symbol) {
    Elf64_Shdr section;
    return ELF64_ST_TYPE(symbol->st_info) == STT_FUNC || !section_at(o, symbol->st_shndx, &section) ||
           (section.sh_flags & SHF_EXECINSTR) != 0;
}

/* gcc's own: a reference to the personality routine that every object with exceptions brings along. */
static bool is_compilers_data(const char *name) {
    return strcmp(name, "DW.ref.__gxx_personality_v0") == 0;
}

/* The name without a version: "fork@GLIBC_2.2.5" is fork. What does not fit is none that anybody looks for. */
struct plain_name {
    char text[256];
};

static struct plain_name plain_name(const char *name) {
    struct plain_name plain;
    size_t length = strcspn(name, "@");
    snprintf(plain.text, sizeof plain.text, "%.*s",
             length < sizeof plain.text ? (int)length : (int)sizeof plain.text - 1, name);
    return plain;
}

static bool is_asked(const struct object *o, const char *name) {
    return o->rules->asked != NULL ? object_names_have(o->rules->asked, name)
                                   : strcmp(name, o->rules->function) == 0;
}

static bool check_defined(struct object *o, const Elf64_Sym *symbol, const char *name) {
    unsigned type = ELF64_ST_TYPE(symbol->st_info);
    if (type == STT_GNU_IFUNC)
        return refuse(o, FLAG_OBJECT, "%.80s is chosen while the program loads (ifunc)", name);
    unsigned binding = ELF64_ST_BIND(symbol->st_info);
    if (binding == STB_LOCAL || is_compilers_data(name))
        return true;
    /* the linker makes the others local (build.c); the compiler is told not to make such */
    if (binding != STB_GLOBAL && binding != STB_WEAK)
        return refuse(o, FLAG_OBJECT, "%.80s is to be the only one of its name in the program (unique)",
                      name);
    if (type == STT_FUNC && is_asked(o, name)) {
        o->asked_found++;
        return true;
    }
    if (strcmp(name, "main") == 0) { /* left in from a test of one's own: a mistake, no attack */
        snprintf(o->verdict->message, sizeof o->verdict->message,
                 "kernel.cu defines main(): leave it out, the lab brings its own");
        o->verdict->defines_main = true;
        return true;
    }
    /* It would be made local and gain nothing; but it is one that the judge's side calls, or is called by. */
    if (is_code(o, symbol) && object_names_have(o->rules->taken, plain_name(name).text))
        return refuse(
            o, FLAG_OVERRIDE,
            "kernel.cu defines %.80s(), which is not its own: give it another name or make it static", name);
    return true;
}

static bool check_wanted(const struct object *o, const char *name) {
    struct plain_name plain = plain_name(name);
    const char *common = common_name(plain.text);
    for (size_t i = 0; i < sizeof not_called / sizeof *not_called; i++)
        if (in_list(not_called[i].names, plain.text) || in_list(not_called[i].names, common))
            return refuse(o, not_called[i].flag,
                          "kernel.cu calls %.80s(): a lab's function only works on the GPU", plain.text);
    return true;
}

static void check_symbols(struct object *o) {
    Elf64_Sym symbol;
    bool right = true;
    for (uint64_t i = 1; right && symbol_at(o, i, &symbol); i++) {
        const char *name = text_at(o, &o->symbol_names, symbol.st_name);
        right = symbol.st_shndx == SHN_UNDEF ? check_wanted(o, name) : check_defined(o, &symbol, name);
    }
}

void object_check(const unsigned char *bytes, size_t size, const struct object_rules *rules,
                  struct object_verdict *verdict) {
    *verdict = (struct object_verdict){.flag = FLAG_NONE};
    struct object o = {.bytes = bytes, .size = size, .rules = rules, .verdict = verdict};
    size_t asked = rules->asked != NULL ? rules->asked->count : 1;
    if (open_object(&o) && check_sections(&o) && check_constructors(&o)) {
        measure_variables(&o);
        check_symbols(&o);
    }
    verdict->defines_function = o.asked_found >= asked;
    if (verdict->flag != FLAG_NONE || verdict->defines_main || verdict->defines_function)
        return;
    if (asked > 1)
        snprintf(
            verdict->message, sizeof verdict->message,
            "kernel.cu defines %zu of the %zu functions %.80s_...: they must be extern \"C\", as the lab's "
            "header declares them",
            o.asked_found, asked, rules->function);
    else
        snprintf(verdict->message, sizeof verdict->message,
                 "kernel.cu does not define %s: it must be extern \"C\", as the lab's header declares it",
                 rules->asked != NULL ? rules->asked->list[0] : rules->function);
}
