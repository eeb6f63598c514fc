/* fuzz_ncu.c: any bytes as a profiler's table. */
#include "report/ncu/ncu.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ncu_launches launches;
    char error[256] = "";
    if (ncu_read(&launches, (const char *)data, size, "fuzz.csv", error, sizeof error))
        ncu_free(&launches);
    else if (*error == '\0' || strchr(error, '\n') != NULL)
        abort(); /* refused without one line that says why */
    return 0;
}
