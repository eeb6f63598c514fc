#include "gpus/tests/support_gpus.h"

#include <stdio.h>
#include <stdlib.h>

struct gpu_model test_model(const char *id) {
    struct gpu_model model;
    char error[512];
    if (!gpu_model_load(NULL, id, &model, error, sizeof error))
        fail_msg("%s", error);
    return model;
}

char *test_model_text(const char *id) {
    char directory[4096], path[4200];
    assert_true(gpu_model_find_directory(directory, sizeof directory));
    snprintf(path, sizeof path, "%s/%s.ini", directory, id);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 16);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    return text;
}
