/* fuzz_opcodes.c: any bytes as the PTX of a submission. */
#include "prints/opcodes.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct token *tokens;
    size_t count = opcodes_read((const char *)data, size, size % 2 == 0, &tokens), last = 0;
    if (tokens == NULL)
        return 0;
    for (size_t i = 0; i < count; i++) {
        if (tokens[i].begin < last || tokens[i].end <= tokens[i].begin || tokens[i].end > size)
            abort(); /* opcodes that overlap, are empty, or lie outside */
        last = tokens[i].end;
    }
    free(tokens);
    char *text = opcodes_prints_text((const char *)data, size, 16);
    struct fingerprint *prints;
    if (text != NULL && (!opcodes_prints_parse(text, &prints, &count) || (free(prints), count > 2 * 16)))
        abort();
    free(text);
    return 0;
}
