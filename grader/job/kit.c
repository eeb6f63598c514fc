/* kit.c: one hash of all that a result depends on. */
#include "job/kit.h"

#include <errno.h>
#include <sha2.h>
#include <stdio.h>
#include <string.h>

bool kit_file_sha256(const char *path, char text[KIT_SHA256_TEXT]) {
    return SHA256File(path, text) != NULL;
}

bool kit_version(const struct settings *s, const char *toolkit_release, char version[KIT_TEXT], char *error,
                 size_t size) {
    char path[PATH_SIZE], hash[KIT_SHA256_TEXT];
    const char *const files[][2] = {
        {s->build, "bin/simgpu"},
        {s->build, "bin/grade-job"},
        {s->build, "lib/cuda/libcudart.so.11.0"},
        {s->build, "lib/cuda/libcudart.so.12"},
        {s->build, "lib/cuda/libcudart.so.13"},
        {s->build, "kernels/runner/runner.o"},
        {s->root, "common/harness/runner/nvcc.flags"},
    };
    SHA2_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, (const uint8_t *)toolkit_release, strlen(toolkit_release) + 1);
    for (size_t i = 0; i < sizeof files / sizeof *files + 4; i++) {
        size_t more = i - sizeof files / sizeof *files;
        if (i < sizeof files / sizeof *files)
            path_print(path, "%s/%s", files[i][0], files[i][1]);
        else if (more < 2)
            settings_program(s, more == 0 ? lab_baseline(&s->lab) : "reference", path);
        else if (more == 2)
            path_print(path, "%s/labs/%s-%s/lab.ini", s->root, s->lab.id, s->lab.topic);
        else
            path_print(path, "%s/common/gpus/%s.ini", s->root, s->gpu);
        if (!kit_file_sha256(path, hash)) {
            snprintf(error, size, "%s: %s; build it by `make grade-programs`", path, strerror(errno));
            return false;
        }
        SHA256Update(&context, (const uint8_t *)hash, sizeof hash);
    }
    SHA256End(&context, hash);
    snprintf(version, KIT_TEXT, "%.16s", hash);
    return true;
}
