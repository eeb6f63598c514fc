/* demangle.c: the part of the Itanium C++ ABI's name mangling that C-style kernels use. A name is
 * [length text] or N (name)+ E. Each may have template arguments I ... E of built-in types,
 * pointers and literals. */
#include "base/demangle.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct reader {
    const char *at;
    char *text;
    size_t size, used;
    int depth;
};

static void put(struct reader *reader, const char *string, size_t length) {
    for (size_t i = 0; i < length && reader->used + 1 < reader->size; i++)
        reader->text[reader->used++] = string[i];
}

static void put_string(struct reader *reader, const char *string) {
    put(reader, string, strlen(string));
}

static bool take(struct reader *reader, char c) {
    if (*reader->at != c)
        return false;
    reader->at++;
    return true;
}

static bool take_length(struct reader *reader, size_t *length) {
    if (*reader->at < '1' || *reader->at > '9')
        return false;
    *length = 0;
    while (*reader->at >= '0' && *reader->at <= '9' && *length < 100000)
        *length = *length * 10 + (size_t)(*reader->at++ - '0');
    return strnlen(reader->at, *length) == *length;
}

static bool read_source_name(struct reader *reader) {
    size_t length;
    if (!take_length(reader, &length))
        return false;
    /* Unnamed namespaces and nvcc's namespaces for static functions are left out. */
    if (strncmp(reader->at, "_GLOBAL__N_", 11) == 0)
        put_string(reader, "(anonymous namespace)");
    else if (strncmp(reader->at, "_INTERNAL_", 10) == 0)
        put_string(reader, "(file)");
    else
        put(reader, reader->at, length);
    reader->at += length;
    return true;
}

static const char *builtin_type(char code) {
    switch (code) {
    case 'v': return "void";
    case 'b': return "bool";
    case 'c': return "char";
    case 'a': return "signed char";
    case 'h': return "unsigned char";
    case 's': return "short";
    case 't': return "unsigned short";
    case 'i': return "int";
    case 'j': return "unsigned int";
    case 'l': return "long";
    case 'm': return "unsigned long";
    case 'x': return "long long";
    case 'y': return "unsigned long long";
    case 'f': return "float";
    case 'd': return "double";
    default: return NULL;
    }
}

static bool read_name(struct reader *reader);

static bool read_type(struct reader *reader) {
    if (++reader->depth > 32)
        return false;
    bool pointer = take(reader, 'P'), constant = take(reader, 'K');
    const char *builtin = builtin_type(*reader->at);
    bool done = builtin != NULL;
    if (builtin != NULL) {
        put_string(reader, builtin);
        reader->at++;
    } else if (*reader->at == 'P' && !constant) {
        done = read_type(reader);
    } else {
        done = read_name(reader);
    }
    if (constant)
        put_string(reader, " const");
    if (pointer)
        put_string(reader, "*");
    reader->depth--;
    return done;
}

static bool read_literal(struct reader *reader) {
    char type = *reader->at++;
    if (builtin_type(type) == NULL || type == 'f' || type == 'd')
        return false;
    if (take(reader, 'n'))
        put_string(reader, "-");
    const char *digits = reader->at;
    while (*reader->at >= '0' && *reader->at <= '9')
        reader->at++;
    if (reader->at == digits)
        return false;
    if (type == 'b')
        put_string(reader, *digits == '1' ? "true" : "false");
    else
        put(reader, digits, (size_t)(reader->at - digits));
    return take(reader, 'E');
}

static bool read_arguments(struct reader *reader) {
    put_string(reader, "<");
    for (bool first = true; !take(reader, 'E'); first = false) {
        if (!first)
            put_string(reader, ", ");
        if (!(take(reader, 'L') ? read_literal(reader) : read_type(reader)))
            return false;
    }
    put_string(reader, ">");
    return true;
}

static bool read_part(struct reader *reader) {
    (void)take(reader, 'L'); /* internal linkage */
    return read_source_name(reader) && (!take(reader, 'I') || read_arguments(reader));
}

static bool read_name(struct reader *reader) {
    if (!take(reader, 'N'))
        return read_part(reader);
    for (bool first = true; !take(reader, 'E'); first = false) {
        if (!first)
            put_string(reader, "::");
        if (!read_part(reader))
            return false;
    }
    return true;
}

/* "__nv_static_20__1234abcd_4_a_cu_f__Z1kv": a static kernel of a file compiled with -rdc=true. 20
 * is the number of characters that identify the file. */
static const char *without_file(const char *mangled) {
    static const char prefix[] = "__nv_static_";
    struct reader reader = {.at = mangled + sizeof prefix - 1};
    size_t length;
    bool is_static = strncmp(mangled, prefix, sizeof prefix - 1) == 0 && take_length(&reader, &length) &&
                     strlen(reader.at) > length + 2 && reader.at[0] == '_' && reader.at[length + 1] == '_';
    return is_static ? reader.at + length + 2 : mangled;
}

/* The last two names of a nested one, "for_each::static_kernel<...>": what a reader needs of a library's. */
static bool read_end(struct reader *reader) {
    const char *last = NULL, *before = NULL;
    size_t length = 0, before_length = 0;
    if (!take(reader, 'N'))
        return false;
    for (;;) {
        (void)take(reader, 'L');
        size_t next;
        if (!take_length(reader, &next))
            break;
        before = last, before_length = length;
        last = reader->at, length = next;
        reader->at += next;
    }
    if (before == NULL || *reader->at != 'I')
        return false;
    put(reader, before, before_length);
    put_string(reader, "::");
    put(reader, last, length);
    put_string(reader, "<...>");
    return true;
}

void demangle_kernel(const char *mangled, char *text, size_t size) {
    mangled = without_file(mangled);
    bool is_mangled = strncmp(mangled, "_Z", 2) == 0;
    struct reader whole = {.at = mangled + 2, .text = text, .size = size}, end = whole;
    if (is_mangled && read_name(&whole))
        text[whole.used] = '\0';
    else if (is_mangled && read_end(&end))
        text[end.used] = '\0';
    else
        snprintf(text, size, "%s", mangled);
}
