/* support_cubins.c: the seeds as files. */
#include "gpu/sass/tests/support_cubins.h"

#include <stdio.h>
#include <stdlib.h>

uint8_t *read_cubin(const char *name, size_t *size) {
    const char *build = getenv("BUILD");
    char path[256];
    snprintf(path, sizeof path, "%s/unpacked/seeds/sass/fuzz_kernel/%s.cubin",
             build != NULL ? build : "build", name);
    FILE *file = fopen(path, "rb");
    enum { MOST = 1 << 20 };
    uint8_t *bytes = malloc(MOST);
    *size = file != NULL && bytes != NULL ? fread(bytes, 1, MOST, file) : 0;
    if (file != NULL)
        fclose(file);
    if (*size == 0)
        fprintf(stderr, "%s cannot be read\n", path);
    return bytes;
}
