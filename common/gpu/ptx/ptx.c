/* ptx.c: the functions of ptx.h, directives of a module, and errors. PTX ISA 9.0, section 11. */
#include "gpu/ptx/ptx.h"
#include "gpu/ptx/internal.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A module and the arenas that hold it. */
struct kept_module {
    struct ptx_module module;
    struct ptx_arena arena;
};

/* ---- memory */

static void *take(struct ptx_parser *parser, struct ptx_arena *arena, size_t bytes) {
    void *result = ptx_arena_take(arena, bytes);
    if (result == NULL)
        ptx_fail(parser, "not enough memory for this program");
    return result;
}

void *ptx_keep(struct ptx_parser *parser, size_t bytes) {
    return take(parser, &parser->kept, bytes);
}
void *ptx_work(struct ptx_parser *parser, size_t bytes) {
    return take(parser, &parser->work, bytes);
}
void *ptx_scratch(struct ptx_parser *parser, size_t bytes) {
    return take(parser, &parser->scratch, bytes);
}

char *ptx_keep_text(struct ptx_parser *parser, const char *text, size_t length) {
    char *copy = ptx_keep(parser, length + 1);
    memcpy(copy, text, length);
    return copy;
}

/* items: address of the list's pointer. Old arrays stay in the scratch arena: doubling wastes at
 * most as much again. */
void ptx_grow(struct ptx_parser *parser, void *items, uint32_t *capacity, uint32_t count, size_t item_bytes) {
    if (*capacity > UINT32_MAX / 2)
        ptx_fail(parser, "this program is too large");
    uint32_t larger = *capacity ? *capacity * 2 : 16;
    void *old, *new = ptx_scratch(parser, larger * item_bytes);
    memcpy(&old, items, sizeof old);
    if (count)
        memcpy(new, old, count * item_bytes);
    memcpy(items, &new, sizeof new);
    *capacity = larger;
}

/* ---- errors */

/* Finds the name of the text's .file `number`, which may come after the error. */
static void find_source_file(const struct ptx_parser *parser, uint32_t number, char *name, size_t size) {
    const char *at = parser->text;
    while ((at = memmem(at, (size_t)(parser->end - at), ".file", 5)) != NULL) {
        at += 5;
        const char *c = at;
        while (c < parser->end && (*c == ' ' || *c == '\t'))
            c++;
        uint64_t value = 0;
        for (; c < parser->end && *c >= '0' && *c <= '9' && value <= UINT32_MAX; c++)
            value = value * 10 + (uint64_t)(*c - '0');
        while (c < parser->end && (*c == ' ' || *c == '\t'))
            c++;
        if (value != number || c == parser->end || *c != '"')
            continue;
        const char *start = ++c;
        while (c < parser->end && *c != '"' && *c != '\n')
            c++;
        snprintf(name, size, "%.*s", (int)(c - start < 200 ? c - start : 200), start);
        return;
    }
}

/* Prints the instruction at `text` on one line, with blanks folded, cut to fit. */
static void quote_instruction(const struct ptx_parser *parser, const char *text, char *quote, size_t size) {
    size_t length = 0;
    bool blank = false;
    for (const char *c = text; c < parser->end && *c != ';' && length + 5 < size; c++) {
        if (*c == ' ' || *c == '\t' || *c == '\n' || *c == '\r') {
            blank = length > 0;
            continue;
        }
        if (blank)
            quote[length++] = ' ';
        blank = false;
        quote[length++] = *c >= ' ' && *c <= '~' ? *c : '?';
    }
    quote[length] = '\0';
    if (length + 5 >= size)
        memcpy(quote + length, "...", 4);
}

static void make_printable(char *text) {
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
            *c = '?';
}

static void report(struct ptx_parser *parser, uint32_t ptx_line, uint16_t file, uint32_t line,
                   const char *instruction, const char *format, va_list arguments) {
    struct ptx_error *error = parser->error;
    char reason[320];
    vsnprintf(reason, sizeof reason, format, arguments);
    *error = (struct ptx_error){.ptx_line = ptx_line};
    if (line && file < parser->file_numbers.count) {
        error->source_line = line;
        find_source_file(parser, parser->file_numbers.items[file], error->source_file,
                         sizeof error->source_file);
    }
    char where[300] = "";
    if (error->source_line)
        snprintf(where, sizeof where, " (%s:%u)", *error->source_file ? error->source_file : "source line",
                 error->source_line);
    char quote[100] = "";
    if (instruction != NULL)
        quote_instruction(parser, instruction, quote, sizeof quote);
    char unit[40] = "";
    if (parser->unit_count > 1)
        snprintf(unit, sizeof unit, " of text %u", parser->unit + 1);
    snprintf(error->message, sizeof error->message, "PTX line %u%s%.150s: %s%s%s", ptx_line, unit, where,
             quote, *quote ? ": " : "", reason);
    make_printable(error->message);
}

void ptx_fail(struct ptx_parser *parser, const char *format, ...) {
    uint32_t line = parser->instruction_text != NULL ? parser->instruction_line : parser->token.line;
    va_list arguments;
    va_start(arguments, format);
    report(parser, line, parser->body != NULL ? parser->body->file : 0,
           parser->body != NULL ? parser->body->line : 0, parser->instruction_text, format, arguments);
    va_end(arguments);
    longjmp(parser->failed, 1);
}

void ptx_fail_at(struct ptx_parser *parser, uint32_t ptx_line, uint16_t file, uint32_t line,
                 const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    report(parser, ptx_line, file, line, NULL, format, arguments);
    va_end(arguments);
    longjmp(parser->failed, 1);
}

void ptx_refuse_function(struct ptx_parser *parser, struct ptx_function *function,
                         const struct ptx_feature *feature, const char *word, size_t length) {
    if (function->refusal != NULL)
        return;
    const struct ptx_body *body = parser->body;
    size_t shown = 0;
    while (shown < length && shown < 60 && word[shown] > ' ')
        shown++;
    struct ptx_refusal *refusal = ptx_keep(parser, sizeof *refusal);
    *refusal = (struct ptx_refusal){
        .feature = feature->name,
        .several = feature->several,
        .advice = feature->advice,
        .word = ptx_keep_text(parser, word, shown),
        .file = body->outer_file,
        .line = body->outer_line,
        .ptx_line = parser->instruction_text != NULL ? parser->instruction_line : parser->token.line,
    };
    function->refusal = refusal;
}

void ptx_refuse(struct ptx_parser *parser, const struct ptx_feature *feature, const char *word,
                size_t length) {
    ptx_refuse_function(parser, &parser->functions.items[parser->body->function], feature, word, length);
    longjmp(parser->refused, 1);
}

void ptx_refusal_text(const struct ptx_module *module, const struct ptx_function *function, char *text,
                      size_t size) {
    const struct ptx_refusal *refusal = function->refusal;
    char where[300];
    if (refusal->line && *module->files[refusal->file])
        snprintf(where, sizeof where, "%.250s:%u", module->files[refusal->file], refusal->line);
    else
        snprintf(where, sizeof where, "PTX line %u", refusal->ptx_line);
    snprintf(text, size, "%s %.500s uses %s (%s, %s), which %s not simulated%s%s",
             function->entry ? "kernel" : "function", function->name, refusal->feature, refusal->word, where,
             refusal->several ? "are" : "is", refusal->advice != NULL ? "; " : "",
             refusal->advice != NULL ? refusal->advice : "");
    make_printable(text);
}

/* ---- module scope */

static void read_version(struct ptx_parser *parser) {
    /* The lexer reads a decimal number; 8.1 is not 8.10, so its text is taken apart here. */
    struct ptx_token token = parser->token;
    unsigned parts[2] = {0, 0};
    int part = 0;
    bool fits = token.kind == PTX_TOKEN_FLOAT64 && token.length < 8;
    for (uint32_t i = 0; fits && i < token.length; i++) {
        if (token.text[i] >= '0' && token.text[i] <= '9')
            parts[part] = parts[part] * 10 + (unsigned)(token.text[i] - '0');
        else
            fits = token.text[i] == '.' && part++ == 0;
    }
    if (!fits)
        ptx_fail(parser, ".version needs a number such as 8.0");
    unsigned major = parts[0], minor = parts[1];
    if (major < 3 || major > 9)
        ptx_fail(parser, "PTX version %u.%u is not simulated: 3.0 to 9.x are", major, minor);
    parser->module->version_major = major;
    parser->module->version_minor = minor;
    ptx_next(parser);
}

static void read_target(struct ptx_parser *parser) {
    parser->debug = false;
    do {
        struct ptx_token word = ptx_expect_name(parser, "a target such as sm_75");
        parser->debug |= word.length == strlen("debug") && memcmp(word.text, "debug", word.length) == 0;
        if (word.length < 4 || memcmp(word.text, "sm_", 3) != 0)
            continue; /* texmode_independent and others do not matter here */
        uint32_t number = 0;
        for (uint32_t i = 3; i < word.length && i < 9 && word.text[i] >= '0' && word.text[i] <= '9'; i++)
            number = number * 10 + (uint32_t)(word.text[i] - '0');
        if (number < 20)
            ptx_fail(parser, "target '%.*s' is not simulated: sm_20 and later are",
                     PTX_TOKEN_ARGUMENTS(&word));
        parser->module->target = number;
    } while (ptx_accept(parser, ','));
    if (!parser->module->target)
        ptx_fail(parser, ".target names no sm_NN");
}

static void read_address_size(struct ptx_parser *parser) {
    if (ptx_constant_unsigned(parser, "an address size", 64) != 64)
        ptx_fail(parser, "only 64-bit addresses are simulated: compile with -m64");
}

static void read_file(struct ptx_parser *parser) {
    uint64_t number = ptx_constant_unsigned(parser, "a file number", UINT32_MAX);
    struct ptx_token name = parser->token;
    if (name.kind != PTX_TOKEN_STRING)
        ptx_fail(parser, ".file needs a number and a name in quotes");
    parser->files.items[ptx_file_index(parser, number)] = ptx_keep_text(parser, name.text, name.length);
    ptx_next(parser);
    while (ptx_accept(parser, ',')) /* time stamp, size */
        ptx_constant_unsigned(parser, "a number", UINT64_MAX);
}

/* Skips .section .debug_info { ... }, which is for debuggers. */
static void skip_section(struct ptx_parser *parser) {
    if (parser->token.kind != PTX_TOKEN_DOTTED && parser->token.kind != PTX_TOKEN_NAME)
        ptx_fail(parser, ".section needs a name");
    ptx_next(parser);
    ptx_expect(parser, '{');
    while (!ptx_accept(parser, '}')) {
        if (parser->token.kind == PTX_TOKEN_END)
            ptx_fail(parser, "the text ends inside a .section");
        ptx_next(parser);
    }
}

static void read_pragma(struct ptx_parser *parser) {
    while (!ptx_accept(parser, ';')) {
        if (parser->token.kind != PTX_TOKEN_STRING && !ptx_at(parser, ','))
            ptx_fail(parser, ".pragma needs strings");
        ptx_next(parser);
    }
}

static void need_target(struct ptx_parser *parser) {
    if (!parser->module->version_major || !parser->module->target)
        ptx_fail(parser, "a PTX text starts with .version and .target");
}

static void read_declaration(struct ptx_parser *parser) {
    enum ptx_linkage linkage = PTX_LINKAGE_LOCAL;
    for (bool more = true; more;) {
        if (ptx_accept_word(parser, ".extern"))
            linkage = PTX_LINKAGE_EXTERN;
        else if (ptx_accept_word(parser, ".weak") || ptx_accept_word(parser, ".common"))
            linkage = PTX_LINKAGE_WEAK;
        else if (ptx_accept_word(parser, ".visible"))
            linkage = linkage == PTX_LINKAGE_LOCAL ? PTX_LINKAGE_VISIBLE : linkage;
        else
            more = false;
    }
    need_target(parser);
    if (ptx_accept_word(parser, ".entry"))
        ptx_parse_function(parser, true, linkage);
    else if (ptx_accept_word(parser, ".func"))
        ptx_parse_function(parser, false, linkage);
    else if (ptx_accept_word(parser, ".global"))
        ptx_parse_variable(parser, PTX_GLOBAL, linkage);
    else if (ptx_accept_word(parser, ".const"))
        ptx_parse_variable(parser, PTX_CONST, linkage);
    else if (ptx_accept_word(parser, ".shared"))
        ptx_parse_variable(parser, PTX_SHARED, linkage);
    else if (ptx_at_word(parser, ".tex"))
        ptx_fail(parser, "textures are not simulated; read the data with ordinary loads");
    else if (ptx_at_word(parser, ".alias"))
        ptx_fail(parser, ".alias is not run by this simulator");
    else
        ptx_fail(parser,
                 linkage != PTX_LINKAGE_LOCAL ? "expected a function or variable, found '%.*s'"
                                              : "'%.*s' is not known at module scope",
                 PTX_TOKEN_ARGUMENTS(&parser->token));
}

static void read_module(struct ptx_parser *parser) {
    while (parser->token.kind != PTX_TOKEN_END) {
        if (ptx_accept_word(parser, ".version"))
            read_version(parser);
        else if (ptx_accept_word(parser, ".target"))
            read_target(parser);
        else if (ptx_accept_word(parser, ".address_size"))
            read_address_size(parser);
        else if (ptx_accept_word(parser, ".file"))
            read_file(parser);
        else if (ptx_accept_word(parser, ".section"))
            skip_section(parser);
        else if (ptx_accept_word(parser, ".pragma"))
            read_pragma(parser);
        else if (ptx_at_word(parser, ".loc"))
            ptx_parse_loc(parser);
        else if (!ptx_accept(parser, ';'))
            read_declaration(parser);
    }
    need_target(parser);
}

/* A module's version is that of its newest text. */
static void read_unit(struct ptx_parser *parser, const struct ptx_text *text) {
    struct ptx_module *module = parser->module, before = *module;
    size_t length = text->length;
    while (length && text->text[length - 1] == '\0')
        length--;
    parser->text = parser->cursor = parser->end = text->text;
    if (length > PTX_MAX_TEXT)
        ptx_fail(parser, "a PTX text of more than %d bytes", PTX_MAX_TEXT);
    module->version_major = module->version_minor = module->target = 0;
    parser->unit_first_file = parser->files.count;
    ptx_lexer_start(parser, text->text, length);
    read_module(parser);
    ptx_forget_local_names(parser);
    if (before.version_major > module->version_major ||
        (before.version_major == module->version_major && before.version_minor > module->version_minor)) {
        module->version_major = before.version_major;
        module->version_minor = before.version_minor;
    }
    if (before.target > module->target)
        module->target = before.target;
}

/* Apart from ptx_link, so that no local variable changes after setjmp. */
static bool link_guarded(struct ptx_parser *parser, const struct ptx_text *texts) {
    if (setjmp(parser->failed))
        return false;
    parser->module = &((struct kept_module *)ptx_keep(parser, sizeof(struct kept_module)))->module;
    char *no_file = ptx_keep_text(parser, "", 0);
    PTX_APPEND(parser, &parser->files, no_file);
    PTX_APPEND(parser, &parser->file_numbers, UINT32_MAX);
    for (; parser->unit < parser->unit_count; parser->unit++)
        read_unit(parser, &texts[parser->unit]);
    ptx_finish_module(parser);
    return true;
}

struct ptx_module *ptx_parse(const char *text, size_t length, struct ptx_error *error) {
    const struct ptx_text one = {text, length};
    return ptx_link(&one, 1, error);
}

struct ptx_module *ptx_link(const struct ptx_text *texts, uint32_t count, struct ptx_error *error) {
    struct ptx_error ignored = {0};
    struct ptx_parser *parser = calloc(1, sizeof *parser);
    error = error != NULL ? error : &ignored;
    *error = (struct ptx_error){0};
    if (parser == NULL) {
        snprintf(error->message, sizeof error->message, "not enough memory to read a program");
        return NULL;
    }
    parser->error = error;
    parser->unit_count = count;
    parser->text = parser->cursor = parser->end = "";
    struct kept_module *kept = NULL;
    if (link_guarded(parser, texts)) {
        kept = (struct kept_module *)parser->module; /* the module is its first member */
        kept->arena = parser->kept;
    } else {
        ptx_arena_free(&parser->kept);
    }
    ptx_arena_free(&parser->work);
    ptx_arena_free(&parser->scratch);
    free(parser);
    return kept != NULL ? &kept->module : NULL;
}

void ptx_module_free(struct ptx_module *module) {
    if (module == NULL)
        return;
    struct ptx_arena arena = ((struct kept_module *)module)->arena;
    ptx_arena_free(&arena);
}

int ptx_find_function(const struct ptx_module *module, const char *name) {
    for (uint32_t i = 0; i < module->function_count; i++)
        if (strcmp(module->functions[i].name, name) == 0)
            return (int)i;
    return -1;
}

int ptx_find_symbol(const struct ptx_module *module, const char *name) {
    for (uint32_t i = 0; i < module->symbol_count; i++)
        if (strcmp(module->symbols[i].name, name) == 0)
            return (int)i;
    return -1;
}
