/* support_gpus.c: a model and its text, for the suites of this room. */
#include "gpu/time/tests/support_gpus.h"

#include "base/file.h"

struct gpu_model test_model(const char *id) {
    struct gpu_model model;
    char error[512];
    if (!gpu_model_load(NULL, id, &model, error, sizeof error))
        fail_msg("%s", error);
    return model;
}

char *test_model_text(const char *id) {
    char directory[PATH_SIZE], path[PATH_SIZE], error[512];
    assert_true(gpu_model_find_directory(directory));
    assert_true(path_print(path, "%s/%s.ini", directory, id));
    char *text = file_read(path, 1 << 16, NULL, error, sizeof error);
    if (text == NULL)
        fail_msg("%s", error);
    return text;
}
