/* kit.c: one hash of all that a result depends on. */
#include "job/job_result.h"

#include "lab/judge/measure/beside.h"

#include <errno.h>
#include <sha2.h>
#include <stdio.h>
#include <string.h>

bool kit_file_sha256(const char *path, char text[KIT_SHA256_TEXT]) {
    return SHA256File(path, text) != NULL;
}

static bool add_file(void *context, const char *path, char *error, size_t size) {
    char hash[KIT_SHA256_TEXT];
    if (!kit_file_sha256(path, hash))
        return fails(error, size, "%s: %s; build it by `make grade-programs` (DEVICE=cuda: for a real GPU)",
                     path, strerror(errno));
    SHA256Update(context, (const uint8_t *)hash, sizeof hash);
    return true;
}

bool kit_version(const struct settings *s, const char *toolkit_release, char version[KIT_TEXT], char *error,
                 size_t size) {
    static const char *const built[] = {"bin/grade-job", "kernels/runner/runner.o", "kernels/runner/gate.o"};
    char path[PATH_SIZE], hash[KIT_SHA256_TEXT];
    error[0] = '\0';
    SHA2_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, (const uint8_t *)toolkit_release, strlen(toolkit_release) + 1);
    for (size_t i = 0; i < sizeof built / sizeof *built; i++) {
        path_join(path, s->build, built[i]);
        if (!add_file(&context, path, error, size))
            return false;
    }
    settings_owner(s, path);
    if (s->device == DEVICE_CUDA && !add_file(&context, path, error, size))
        return false;
    bool right = depends_each(s, add_file, &context, error, size) &&
                 path_print(path, "%s/kernels/runner/nvcc-%u.flags", s->build, s->arch) &&
                 add_file(&context, path, error, size) && path_join(path, s->root, "grader/job/prelude.h") &&
                 add_file(&context, path, error, size) &&
                 path_print(path, "%s/labs/%s-%s/%s.h", s->root, s->lab.id, s->lab.topic, s->lab.id) &&
                 add_file(&context, path, error, size);
    if (!right && error[0] == '\0')
        snprintf(error, size, "%s: the path of the kit is too long", s->root);
    SHA256End(&context, hash);
    snprintf(version, KIT_TEXT, "%.16s", hash);
    return right;
}
