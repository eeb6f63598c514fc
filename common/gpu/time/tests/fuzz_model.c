/* fuzz_model.c: any bytes as a GPU's data file. */
#include "gpu/time/gpus.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct gpu_model model;
    char error[256] = "";
    if (!gpu_model_parse((const char *)data, size, "fuzz.ini", NULL, &model, error, sizeof error) &&
        *error == '\0')
        abort(); /* refused without saying why */
    if (strchr(error, '\n') != NULL)
        abort();
    return 0;
}
