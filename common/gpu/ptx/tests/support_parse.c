/* support_parse.c: small programs for the tests of this room. */
#include "support_parse.h"
#include "base/test.h"
#include "check_module.h"

struct ptx_module *parse(const char *text) {
    struct ptx_error error;
    struct ptx_module *module = ptx_parse(text, strlen(text), &error);
    if (module == NULL)
        fail_msg("%s", error.message);
    const char *wrong = module != NULL ? check_module(module) : "no program";
    if (wrong != NULL)
        fail_msg("%s", wrong);
    return module;
}

void refuse(const char *text, ...) {
    struct ptx_error error;
    struct ptx_module *module = ptx_parse(text, strlen(text), &error);
    ptx_module_free(module);
    if (module != NULL)
        fail_msg("this should have been refused:\n%s", text);
    assert_null(strchr(error.message, '\n'));
    va_list words;
    va_start(words, text);
    for (const char *word; (word = va_arg(words, const char *)) != NULL;)
        if (strstr(error.message, word) == NULL)
            fail_msg("\"%s\" is not in \"%s\"; the text was:\n%s", word, error.message, text);
    va_end(words);
}

void refuse_kernel(const char *text, ...) {
    struct ptx_module *module = parse(text);
    int index = ptx_find_function(module, "k");
    assert_true(index >= 0);
    for (uint32_t i = 0; i < module->function_count; i++)
        if ((module->functions[i].refusal != NULL) != (i == (uint32_t)index))
            fail_msg("%s is %srefused; the text was:\n%s", module->functions[i].name,
                     i == (uint32_t)index ? "not " : "", text);
    char why[1024];
    ptx_refusal_text(module, &module->functions[index], why, sizeof why);
    va_list words;
    va_start(words, text);
    for (const char *word; (word = va_arg(words, const char *)) != NULL;)
        if (strstr(why, word) == NULL)
            fail_msg("\"%s\" is not in \"%s\"; the text was:\n%s", word, why, text);
    va_end(words);
    ptx_module_free(module);
}

const struct ptx_function *kernel(const struct ptx_module *module) {
    int index = ptx_find_function(module, "k");
    assert_true(index >= 0);
    return &module->functions[index];
}

const struct ptx_instruction *find(const struct ptx_module *module, enum ptx_opcode opcode, int n) {
    const struct ptx_function *function = kernel(module);
    for (uint32_t i = 0; i < function->instruction_count; i++)
        if (function->instructions[i].opcode == opcode && n-- == 0)
            return &function->instructions[i];
    fail_msg("no such instruction: %s", ptx_natures[opcode].mnemonic);
    return NULL;
}

const struct ptx_operand *operand(const struct ptx_module *module, const struct ptx_instruction *instruction,
                                  int n) {
    assert_true(n < instruction->destinations + instruction->sources);
    return &kernel(module)->operands[instruction->operand + (uint32_t)n];
}

char *read_text(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    enum { LARGEST = 4 << 20 };
    char *text = malloc(LARGEST);
    *length = text != NULL ? fread(text, 1, LARGEST, file) : 0;
    fclose(file);
    return text;
}

const char *compiled_path(const char *name) {
    static char path[512];
    snprintf(path, sizeof path, "%s/unpacked/compiled-ptx/%s", test_build(), name);
    return path;
}
