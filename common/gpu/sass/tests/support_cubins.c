/* support_cubins.c: the seeds as files. */
#include "gpu/sass/tests/support_cubins.h"
#include "base/test.h"

uint8_t *read_cubin(const char *name, size_t *size) {
    char path[256];
    snprintf(path, sizeof path, "%s/unpacked/seeds/sass/fuzz_kernel/%s.cubin", test_build(), name);
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
