/* Any bytes as a quiz, which is drawn and exported, without a project. */
#include "lab/quiz/export.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void one_plain_line(const char *error) {
    for (const char *c = error; *c != '\0'; c++)
        if (*c < ' ' || *c > '~')
            __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct quiz quiz;
    static struct quiz_asked asked;
    static const struct gpu_model model = {.sm_count = 132,
                                           .max_warps_per_sm = 64,
                                           .max_blocks_per_sm = 32,
                                           .max_threads_per_sm = 2048,
                                           .max_threads_per_block = 1024,
                                           .registers_per_sm = 65536,
                                           .registers_per_block = 65536,
                                           .max_registers_per_thread = 255,
                                           .register_granularity = 256,
                                           .warp_granularity = 4,
                                           .shared_per_sm = 233472,
                                           .shared_per_block_optin = 232448,
                                           .shared_granularity = 128};
    char error[QUIZ_ERROR] = "";
    struct draw_key key;
    draw_key_of_seed(&key, size);
    if (!quiz_parse((const char *)data, size, "fuzz", &quiz, error, sizeof error)) {
        one_plain_line(error);
        return 0;
    }
    for (unsigned i = 0; i < quiz.count; i++)
        if (!quiz_make(&quiz, i, NULL, &model, &key, &asked, error, sizeof error))
            one_plain_line(error);
    struct quiz_export export = {.quizzes = &quiz, .count = 1, .model = &model, .key = key};
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL)
        return 0;
    (void)quiz_export_gift(&export, out, error, sizeof error);
    (void)quiz_export_page(&export, out, error, sizeof error);
    (void)quiz_write_qti(&export, &quiz, out, error, sizeof error);
    (void)fclose(out);
    free(text);
    return 0;
}
