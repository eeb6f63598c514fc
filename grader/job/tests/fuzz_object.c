/* fuzz_object.c: any bytes as the object file that a compiler made of a submission. */
#include "job/object.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const struct object_names none;
    static const struct object_rules rules = {.function = "gaussian_blur", .taken = &none};
    struct object_verdict verdict;
    object_check(data, size, &rules, &verdict);
    if (memchr(verdict.message, '\0', sizeof verdict.message) == NULL ||
        strchr(verdict.message, '\n') != NULL || (verdict.flag != FLAG_NONE && verdict.message[0] == '\0'))
        abort(); /* refused without saying why, in one line */
    return 0;
}
