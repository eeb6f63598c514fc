/*
 * compiler_log.c: the lines of a compiler's log, one after the other. A diagnosis of nvcc's is a line "FILE(LINE):
 * error: ..." and, up to an empty line, the source with a caret; ptxas and ld say one line each, some with a line of
 * context before. The recipe adds "defines: NAME" for what the object file defines when it could not be linked.
 */
#include "lab/compiler_log.h"

#include "base/demangle.h"
#include "base/file.h"
#include "base/path.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { COLUMNS = 78, LINE_MOST = 1024, NAME_MOST = 256 };

/* ---- lines */

struct lines {
    const char *next;
    char text[LINE_MOST], before[LINE_MOST]; /* a line, cut where it is too long; the one before it */
};

static bool take_line(struct lines *lines) {
    if (*lines->next == '\0')
        return false;
    size_t length = strcspn(lines->next, "\n"), kept = length < LINE_MOST ? length : LINE_MOST - 1;
    memcpy(lines->before, lines->text, sizeof lines->before);
    memcpy(lines->text, lines->next, kept);
    lines->text[kept] = '\0';
    lines->next += length + (lines->next[length] == '\n');
    return true;
}

/* To the end of the diagnosis whose first line was taken. */
static void skip_excerpt(struct lines *lines) {
    while (*lines->next == ' ' || *lines->next == '\t')
        take_line(lines);
}

/* ---- words */

struct words {
    char *text;
    size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void add(struct words *w, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(w->text + w->used, w->size - w->used, format, arguments);
    va_end(arguments);
    if (length > 0)
        w->used += (size_t)length < w->size - w->used ? (size_t)length : w->size - w->used - 1;
}

/* Text broken at blanks, its first line after `indent` blanks, the others after `more`. */
static void add_broken(struct words *w, const char *text, unsigned indent, unsigned more) {
    unsigned column = indent;
    bool first = true;
    add(w, "%*s", (int)indent, "");
    for (const char *at = text; *at != '\0';) {
        unsigned length = (unsigned)strcspn(at, " \n");
        if (!first && column + 1 + length > COLUMNS) {
            add(w, "\n%*s", (int)more, "");
            column = more;
            first = true;
        }
        add(w, "%s%.*s", first ? "" : " ", (int)length, at);
        column += length + !first;
        first = false;
        at += length;
        at += strspn(at, " \n");
    }
    add(w, "\n");
}

/* A paragraph of our own. */
__attribute__((format(printf, 2, 3))) static void add_paragraph(struct words *w, const char *format, ...) {
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    add_broken(w, text, 0, 0);
}

/* "104,864" */
static const char *grouped(uint64_t number, char text[32]) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, number), used = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            text[used++] = ',';
        text[used++] = digits[i];
    }
    text[used] = '\0';
    return text;
}

/* A tool's own line, with its mangled names and hexadecimal sizes as people write them. */
static void add_plain(struct words *w, const char *line) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    bool sizes = strstr(line, " max") != NULL;
    for (const char *at = line; *at != '\0';) {
        size_t length = strspn(at, letters);
        char name[NAME_MOST], plain[NAME_MOST], number[32];
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (length > 2 && length < sizeof name && strncmp(name, "_Z", 2) == 0) {
            demangle_kernel(name, plain, sizeof plain);
            add(w, "%s", plain);
        } else if (sizes && length > 2 && length <= 18 && strncmp(name, "0x", 2) == 0) {
            add(w, "%s", grouped(strtoull(name, NULL, 16), number));
        } else {
            length = length > 0 ? length : 1;
            add(w, "%.*s", (int)length, at);
        }
        at += length;
    }
    add(w, "\n");
}

/* What stands between two marks; false when they are not there. */
static bool between(const char *line, const char *begin, const char *end, char *text, size_t size) {
    const char *from = strstr(line, begin);
    const char *to = from != NULL ? strstr(from + strlen(begin), end) : NULL;
    if (to == NULL)
        return false;
    from += strlen(begin);
    snprintf(text, size, "%.*s", (int)(to - from), from);
    return true;
}

/* ---- what the lab's header declares, and what the file defines */

/* The declaration of a function in a header, as it stands there; NULL: none. The caller frees it. */
static char *declaration(const char *header, const char *function) {
    enum { HEADER_MOST = 1 << 20 };
    char error[256], *text = file_read(header, HEADER_MOST, NULL, error, sizeof error), *found = NULL;
    size_t length = strlen(function);
    for (char *line = text; line != NULL && *line != '\0' && found == NULL;) {
        size_t end = strcspn(line, "\n");
        char *name = memmem(line, end, function, length), *stop = name != NULL ? strchr(name, ';') : NULL;
        bool comment = *line == ' ' || *line == '/' || *line == '*';
        if (stop != NULL && !comment && name > line && name[length] == '(' &&
            (name[-1] == ' ' || name[-1] == '*'))
            found = strndup(line, (size_t)(stop - line) + 1);
        line += end + (line[end] == '\n');
    }
    free(text);
    return found;
}

static void add_declaration(struct words *w, const struct compiler_subject *subject, const char *function) {
    char *text = declaration(subject->header, function);
    if (text == NULL)
        return;
    enum { TOGETHER = '\x01' }; /* a parameter is not broken */
    for (char *blank = text; (blank = strpbrk(blank, " \n")) != NULL; blank++)
        if (blank > text && strchr(", \n", blank[-1]) == NULL)
            *blank = TOGETHER;
    add(w, "\n");
    size_t begin = w->used;
    add_broken(w, text, 4, 8);
    for (char *at = w->text + begin; (at = strchr(at, TOGETHER)) != NULL;)
        *at = ' ';
    add(w, "\n");
    free(text);
}

static bool includes(const struct compiler_subject *subject) {
    enum { SOURCE_MOST = 4 << 20 };
    char error[256], name[NAME_MOST];
    char *text = file_read(subject->source, SOURCE_MOST, NULL, error, sizeof error);
    snprintf(name, sizeof name, "\"%s\"", path_name(subject->header));
    bool found = text != NULL && strstr(text, name) != NULL;
    free(text);
    return found;
}

/* Whether the log says that this name is a kernel's: nvcc makes a stub for each. */
static bool is_kernel(const char *log, const char *name) {
    static const char mark[] = "defines: __device_stub_";
    for (const char *at = log; (at = strstr(at, mark)) != NULL; at += strlen(mark)) {
        char mangled[NAME_MOST], plain[NAME_MOST];
        size_t length = strcspn(at + strlen(mark), "(\n");
        snprintf(mangled, sizeof mangled, "%.*s", (int)length, at + strlen(mark));
        demangle_kernel(mangled, plain, sizeof plain);
        if (strcmp(plain, name) == 0)
            return true;
    }
    return false;
}

/* The functions that the file defines for others, but its kernels. `same`: one with the name that is wanted, and its
 * parameters; "": none. */
static void defined(const char *log, const char *wanted, char *same, char *names, size_t size) {
    static const char mark[] = "defines: ";
    struct lines lines = {.next = log};
    same[0] = names[0] = '\0';
    for (unsigned count = 0; take_line(&lines);) {
        char name[NAME_MOST];
        if (strncmp(lines.text, mark, strlen(mark)) != 0 || strstr(lines.text, "__device_stub_") != NULL)
            continue;
        const char *all = lines.text + strlen(mark);
        snprintf(name, sizeof name, "%.*s", (int)strcspn(all, "("), all);
        if (strcmp(name, wanted) == 0)
            snprintf(same, size, "%.900s", all);
        size_t used = strlen(names);
        if (!is_kernel(log, name) && count++ < 4)
            snprintf(names + used, size - used, "%s%s", used > 0 ? ", " : "", name);
    }
}

/* ---- what is explained: a sign in a line, and who turns it into words */

struct place {
    const char *log, *line, *before, *said; /* said: what is told already */
    const struct compiler_subject *subject;
};

static void explain_missing(struct words *w, const struct place *p, const char *function) {
    char same[LINE_MOST], names[LINE_MOST];
    struct stat status;
    const char *header = path_name(p->subject->header), *source = path_name(p->subject->source);
    defined(p->log, function, same, names, sizeof names);
    add_paragraph(w, "%s defines no %s as %s declares it:", source, function, header);
    add_declaration(w, p->subject, function);
    if (same[0] != '\0' && includes(p->subject))
        add_paragraph(w,
                      "It defines %s: with other parameters it is another function. Write them as above, and "
                      "extern \"C\" before it.",
                      same);
    else if (same[0] != '\0')
        add_paragraph(w, "It defines %s as a C++ function: #include \"%s\", or write extern \"C\" before it.",
                      same, header);
    else if (names[0] != '\0')
        add_paragraph(w, "It defines %s. Is the name misspelled?", names);
    else if (stat(p->subject->source, &status) == 0 && status.st_size < 2)
        add_paragraph(w, "It is empty: make %.*s-reset brings back what was handed out.",
                      (int)strcspn(header, "."), header);
    else
        add_paragraph(w, "It defines no function that another file can call: a static one cannot be.");
}

static bool explain_undefined(struct words *w, const struct place *p) {
    char name[LINE_MOST], caller[LINE_MOST] = "";
    if (!between(p->line, "undefined reference to `", "'", name, sizeof name))
        return false;
    if (strstr(p->line, "adapter_") != NULL || strstr(p->before, "adapter_") != NULL) {
        explain_missing(w, p, name);
        return true;
    }
    if (between(p->before, "in function `", "'", caller, sizeof caller))
        caller[strcspn(caller, "(")] = '\0';
    add_paragraph(w, "%s calls %s%s%s, and nothing defines it.", path_name(p->subject->source), name,
                  caller[0] != '\0' ? " in " : "", caller);
    bool library = strncmp(name, "cu", 2) == 0 || strncmp(name, "npp", 3) == 0;
    if (library && strchr(name, '(') == NULL) /* a name of C's */
        add_paragraph(w, "Of CUDA's libraries a lab's program has the runtime alone.");
    return true;
}

static bool explain_multiple(struct words *w, const struct place *p) {
    char name[LINE_MOST];
    if (!between(p->line, "multiple definition of `", "'", name, sizeof name))
        return false;
    if (strcmp(name, "main") == 0)
        add_paragraph(
            w, "%s defines main, and the lab's program has its own, which calls your function: take it out.",
            path_name(p->subject->source));
    else
        add_paragraph(
            w,
            "%s defines %s, a name that the lab's program has already: make it static, or call it otherwise.",
            path_name(p->subject->source), name);
    return true;
}

static const char shared_advice[] =
    "\nMake the tile smaller, or the array dynamic:\n\n"
    "    extern __shared__ float tile[];   // its bytes: the launch's third parameter\n"
    "    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,\n"
    "                         bytes);      // before the launch\n\n";

static bool explain_shared(struct words *w, const struct place *p) {
    static const char sign[] = "uses too much shared data (";
    char mangled[NAME_MOST], name[NAME_MOST], bytes[32], most[32];
    const char *sizes = strstr(p->line, sign);
    uint64_t used, limit;
    if (sizes == NULL || !between(p->line, "function '", "'", mangled, sizeof mangled) ||
        sscanf(sizes + strlen(sign), "%" SCNx64 " bytes, %" SCNx64 " max", &used, &limit) != 2)
        return false;
    demangle_kernel(mangled, name, sizeof name);
    add_paragraph(w,
                  "Kernel %s has %s bytes of __shared__ arrays; arrays of a fixed size may take %s at most.",
                  name, grouped(used, bytes), grouped(limit, most));
    if (strstr(p->said, shared_advice) == NULL)
        add(w, "%s", shared_advice);
    return true;
}

/* Two functions of one name, both extern "C": the header's and another. The compiler says it first. */
static bool explain_overload(struct words *w, const struct place *p) {
    char name[NAME_MOST];
    if (!between(p->line, "overloaded function \"", "\" has \"C\" linkage", name, sizeof name))
        return false;
    add_plain(w, p->line);
    add_paragraph(w, "Its parameters are not those that %s declares:", path_name(p->subject->header));
    add_declaration(w, p->subject, name);
    return true;
}

/* Inline assembly: the file that ptxas names is gone. */
static bool explain_assembly(struct words *w, const struct place *p) {
    char line[32];
    const char *error = strstr(p->line, "error   : ");
    if (strncmp(p->line, "ptxas /", 7) != 0 || error == NULL ||
        !between(p->line, ".ptx, line ", ";", line, sizeof line))
        return false;
    add_paragraph(w, "ptxas: line %s of the PTX (of an asm statement?): %s", line, error + 10);
    return true;
}

static bool explain_extern(struct words *w, const struct place *p) {
    char mangled[NAME_MOST], name[NAME_MOST];
    if (!between(p->line, "Unresolved extern function '", "'", mangled, sizeof mangled))
        return false;
    demangle_kernel(mangled, name, sizeof name);
    add_paragraph(
        w,
        "A kernel calls %s, which is declared for the GPU and defined nowhere: define it, __device__, in %s.",
        name, path_name(p->subject->source));
    return true;
}

static bool explain(struct words *w, const struct place *p) {
    static bool (*const explanations[])(struct words *, const struct place *) = {
        explain_undefined, explain_multiple, explain_shared,
        explain_extern,    explain_overload, explain_assembly};
    for (size_t i = 0; i < sizeof explanations / sizeof *explanations; i++)
        if (explanations[i](w, p))
            return true;
    return false;
}

/* ---- warnings */

/* "FILE(12): warning #177-D: TEXT", gcc's "FILE:12:5: warning: TEXT", "ptxas warning : TEXT". */
static const char *warning_text(const char *line) {
    const char *at = strstr(line, "warning");
    if (at == NULL || strstr(line, "error") != NULL)
        return NULL;
    const char *text = strstr(at, ": ");
    bool placed = at > line + 1 && at[-1] == ' ' && at[-2] == ':';
    return text != NULL && (placed || strncmp(line, "ptxas warning", 13) == 0) ? text + 2 : NULL;
}

/* The line number that a warning names in the student's file; false: it is of another file. */
static bool warning_line(const char *text, const char *source, uint32_t *line) {
    const char *name = path_name(source), *end = text + strcspn(text, "(:");
    size_t length = strlen(name);
    *line = 0;
    if (strncmp(text, "ptxas", 5) == 0)
        return true;
    if ((size_t)(end - text) < length || strncmp(end - length, name, length) != 0 || *end == '\0')
        return false;
    *line = (uint32_t)strtoul(end + 1, NULL, 10);
    return true;
}

uint32_t compiler_log_warnings(const char *log, const char *source, struct compiler_warning *warnings,
                               uint32_t most) {
    struct lines lines = {.next = log};
    uint32_t count = 0;
    while (take_line(&lines)) {
        const char *text = warning_text(lines.text);
        char plain[sizeof warnings->text];
        struct words words = {plain, sizeof plain, 0};
        uint32_t line, i = 0;
        if (text == NULL || !warning_line(lines.text, source, &line))
            continue;
        add_plain(&words, text);
        plain[strcspn(plain, "\n")] = '\0';
        while (i < count && (warnings[i].line != line || line == 0) && strcmp(warnings[i].text, plain) != 0)
            i++;
        if (i == count && count == most)
            break;
        if (i == count) {
            warnings[count] = (struct compiler_warning){.line = line};
            memcpy(warnings[count++].text, plain, sizeof plain);
        } else if (strstr(warnings[i].text, plain) == NULL) {
            size_t used = strlen(warnings[i].text);
            snprintf(warnings[i].text + used, sizeof warnings[i].text - used, "; %.300s", plain);
        }
    }
    return count;
}

/* ---- failures */

/* Words of the tools' that say nothing to a reader of the rest. */
static bool is_noise(const char *line) {
    static const char *const signs[] = {"Remark: The warnings can be suppressed",
                                        "collect2: ", "defines: ", ": in function `"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strstr(line, signs[i]) != NULL)
            return true;
    return false;
}

static void add_warnings(struct words *w, const char *log, const struct compiler_subject *subject) {
    struct compiler_warning warnings[8];
    uint32_t count = compiler_log_warnings(log, subject->source, warnings, 8);
    if (count > 0 && w->used > 0)
        add(w, "\n");
    for (uint32_t i = 0; i < count; i++)
        if (warnings[i].line > 0)
            add_paragraph(w, "%s:%u: warning: %s", path_name(subject->source), warnings[i].line,
                          warnings[i].text);
        else
            add_paragraph(w, "warning: %s", warnings[i].text);
}

void compiler_log_failure(const char *log, const struct compiler_subject *subject, char *text, size_t size) {
    struct words words = {text, size, 0};
    struct lines lines = {.next = log};
    text[0] = '\0';
    while (take_line(&lines)) {
        char said[2048];
        struct words one = {said, sizeof said, 0};
        struct place place = {log, lines.text, lines.before, text, subject};
        said[0] = '\0';
        if (is_noise(lines.text))
            continue;
        if (warning_text(lines.text) != NULL) {
            skip_excerpt(&lines);
            continue;
        }
        bool empty = lines.text[0] == '\0';
        if (empty && (words.used < 2 || strcmp(text + words.used - 2, "\n\n") == 0))
            continue;
        bool explained = explain(&one, &place);
        if (!explained)
            add_plain(&one, lines.text);
        if (!empty && said[0] != ' ' && strstr(text, said) != NULL) {
            skip_excerpt(&lines); /* told before, for the host or for the GPU */
            continue;
        }
        add(&words, "%s", said);
        if (explained)
            skip_excerpt(&lines);
    }
    while (words.used > 1 && strcmp(text + words.used - 2, "\n\n") == 0)
        text[--words.used] = '\0';
    add_warnings(&words, log, subject);
    while (words.used > 0 && text[words.used - 1] == '\n')
        text[--words.used] = '\0';
}
