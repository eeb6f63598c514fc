/* fuzz_tokens.c: any bytes as a kernel whose likeness is looked for. */
#include "class/alike/tokens.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct token *tokens;
    struct fingerprint *prints = NULL;
    size_t count = tokens_read((const char *)data, size, &tokens), last = 0;
    if (tokens == NULL)
        return 0;
    for (size_t i = 0; i < count; i++) {
        if (tokens[i].begin < last || tokens[i].end <= tokens[i].begin || tokens[i].end > size)
            abort(); /* tokens that overlap, are empty, or lie outside */
        last = tokens[i].end;
    }
    size_t found = winnow(tokens, count, WINNOW_RUN, &prints);
    for (size_t i = 0; i < found; i++)
        if (prints[i].token + WINNOW_RUN > count || (i > 0 && prints[i].token <= prints[i - 1].token))
            abort(); /* a run that is not there, or twice */
    free(prints);
    free(tokens);
    return 0;
}
