/* beside.c: starter and reference measured and kept as a report; the files that a simulated
 * result depends on. */
#include "lab/judge/measure/beside.h"
#include "base/hash.h"
#include "lab/judge/run.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- what a result depends on */

static bool take_libraries(const struct settings *s, depends_take *take, void *context, char *error,
                           size_t size) {
    char path[PATH_SIZE];
    glob_t libraries;
    bool right = path_join(path, s->library, "libcudart.so.*");
    if (!right || glob(path, 0, NULL, &libraries) != 0)
        return fails(error, size, "%s: no libcudart.so is there", s->library);
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
    if (right && !path_print(path, "%s/labs/%s-%s/lab.ini", s->root, s->lab.id, s->lab.topic))
        return fails(error, size, "%s: the path of the kit is too long", s->root);
    right = right && take(context, path, error, size);
    if (right && !gpu_model_find_directory(models))
        return fails(error, size, "the data of the GPU models are not there");
    return right && path_print(path, "%s/%s.ini", models, s->gpu) && take(context, path, error, size);
}

static bool add_file(void *context, const char *path, char *error, size_t size) {
    uint64_t *hash = context;
    char block[1 << 16];
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return fails(error, size, "%s: %s", path, strerror(errno));
    for (size_t count; (count = fread(block, 1, sizeof block, file)) > 0;)
        *hash = hash_bytes(*hash, block, count);
    bool right = !ferror(file);
    if (!right)
        snprintf(error, size, "%s cannot be read", path);
    fclose(file);
    *hash = hash_bytes(*hash, path, strlen(path) + 1);
    return right;
}

bool beside_key(const struct settings *s, char key[BESIDE_KEY], char *error, size_t size) {
    uint64_t hash = HASH_START;
    hash = hash_bytes(hash, &s->strict, sizeof s->strict);
    if (s->image[0] != '\0')
        hash = hash_bytes(hash, s->picture.pixels,
                          (size_t)s->picture.width * s->picture.height * s->picture.channels);
    bool right =
        add_file(&hash, "/proc/self/exe", error, size) && depends_each(s, add_file, &hash, error, size);
    snprintf(key, BESIDE_KEY, "%016llx", (unsigned long long)hash);
    return right;
}

/* ---- measuring */

static bool measure(const struct settings *s, struct report *beside, char *error, size_t size) {
    struct run run;
    struct judge_wrong unused = {.present = false};
    struct failure failure = {.stage = STAGE_NONE};
    if (!run_report_begin(beside, s))
        return fails(error, size, "out of memory");
    run_init(&run, s);
    run.variants[1] = run.variants[2]; /* all but yours */
    run.judged = run.count = 2;
    if (run_measure(&run, beside, &unused, &failure))
        return true;
    snprintf(error, size, "%s and reference cannot be measured: %.600s", lab_baseline(&s->lab),
             failure.message);
    report_free(beside);
    return false;
}

/* What an earlier kit left under another key. */
static void remove_older(const char *start, const char *path) {
    char pattern[PATH_SIZE];
    glob_t files;
    if (!path_print(pattern, "%s-????????????????.json", start) || glob(pattern, 0, NULL, &files) != 0)
        return;
    for (size_t i = 0; i < files.gl_pathc; i++)
        if (strcmp(files.gl_pathv[i], path) != 0)
            (void)unlink(files.gl_pathv[i]);
    globfree(&files);
}

bool beside_load(const struct settings *s, const char *key, const char *folder, struct report *beside,
                 char *error, size_t size) {
    char start[PATH_SIZE], path[PATH_SIZE];
    char drawn[SETTINGS_KEY_NAME];
    settings_key_name(s, drawn);
    if (!path_print(start, "%s/beside-%s-%s-%ux%u-%s", folder, s->lab.id, s->gpu, s->width, s->height,
                    drawn) ||
        !path_print(path, "%s-%s.json", start, key))
        return fails(error, size, "%s: the path is too long", folder);
    if (access(path, R_OK) == 0 && report_read(beside, path, error, size))
        return true;
    if (!measure(s, beside, error, size))
        return false;
    /* Read back, so that the first run has the same digits as later ones. */
    bool written = report_write(beside, path, error, size);
    report_free(beside);
    remove_older(start, path);
    return written && report_read(beside, path, error, size);
}
