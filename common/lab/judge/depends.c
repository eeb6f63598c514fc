/* depends.c: the one list of the files that a simulated result depends on. */
#include "lab/judge/depends.h"

#include <glob.h>
#include <stdio.h>

static bool take_libraries(const struct settings *s, depends_take *take, void *context, char *error,
                           size_t size) {
    char path[PATH_SIZE];
    glob_t libraries;
    bool right = path_join(path, s->library, "libcudart.so.*");
    if (!right || glob(path, 0, NULL, &libraries) != 0) {
        snprintf(error, size, "%s: no libcudart.so is there", s->library);
        return false;
    }
    for (size_t i = 0; right && i < libraries.gl_pathc; i++)
        right = take(context, libraries.gl_pathv[i], error, size);
    globfree(&libraries);
    return right;
}

bool depends_each(const struct settings *s, depends_take *take, void *context, char *error, size_t size) {
    const char *const variants[] = {lab_baseline(&s->lab), "reference"};
    char path[PATH_SIZE], models[PATH_SIZE];
    bool right = take(context, s->simgpu, error, size) && take_libraries(s, take, context, error, size);
    for (size_t i = 0; right && i < sizeof variants / sizeof *variants; i++) {
        settings_program(s, variants[i], path);
        right = take(context, path, error, size);
    }
    if (right && !path_print(path, "%s/labs/%s-%s/lab.ini", s->root, s->lab.id, s->lab.topic)) {
        snprintf(error, size, "%s: the path of the kit is too long", s->root);
        return false;
    }
    right = right && take(context, path, error, size);
    if (right && !gpu_model_find_directory(models)) {
        snprintf(error, size, "the data of the GPU models are not there");
        return false;
    }
    return right && path_print(path, "%s/%s.ini", models, s->gpu) && take(context, path, error, size);
}
