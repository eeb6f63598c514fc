/* fuzz_compiler_log.c: any bytes as what a compiler said of a student's file, most of which are the student's own words. */
#include "lab/compiler_log.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { MOST = 16, ROOM = 1536 };
    static const struct compiler_subject subject = {"/home/jane/labs/lab1/kernel.cu", "labs/lab1/lab1.h"};
    struct compiler_warning warnings[MOST];
    char *log = malloc(size + 1), *words = malloc(ROOM); /* of just this size, for the sanitizer */
    if (log == NULL || words == NULL)
        abort();
    memcpy(log, data, size);
    log[size] = '\0';
    compiler_log_failure(log, &subject, words, ROOM);
    uint32_t count = compiler_log_warnings(log, "kernel.cu", warnings, MOST);
    if (memchr(words, '\0', ROOM) == NULL || count > MOST)
        abort();
    for (uint32_t i = 0; i < count; i++)
        if (memchr(warnings[i].text, '\0', sizeof warnings[i].text) == NULL)
            abort();
    free(words);
    free(log);
    return 0;
}
