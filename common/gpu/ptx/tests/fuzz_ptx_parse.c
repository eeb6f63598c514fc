/* fuzz_ptx_parse.c: any bytes as PTX text. The parser must refuse them with a message or give a
 * program in which everything is in range. Built with libFuzzer by `make fuzz`; test_corpus.c
 * replays the seeds in `make test`. */
#include "check_module.h"
#include <stdio.h>
#include <stdlib.h>

enum { BETWEEN_TEXTS = 0x1e }; /* a byte that no text has: two texts to link */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ptx_error error;
    const uint8_t *cut = size ? memchr(data, BETWEEN_TEXTS, size) : NULL;
    size_t first = cut != NULL ? (size_t)(cut - data) : size;
    const struct ptx_text texts[] = {
        {(const char *)data, first},
        {cut != NULL ? (const char *)cut + 1 : "", cut != NULL ? size - first - 1 : 0}};
    struct ptx_module *module = ptx_link(texts, cut != NULL ? 2 : 1, &error);
    const char *wrong = module != NULL ? check_module(module) : NULL;
    if (module == NULL && (!*error.message || memchr(error.message, '\0', sizeof error.message) == NULL))
        wrong = "refused without a message";
    if (wrong != NULL) {
        fprintf(stderr, "%s\n", wrong);
        abort();
    }
    ptx_module_free(module);
    return 0;
}
