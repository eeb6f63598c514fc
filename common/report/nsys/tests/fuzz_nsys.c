/* fuzz_nsys.c: any bytes as an export, through a file, because SQLite opens files by name. */
#include "report/nsys/nsys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct nsys_recording recording;
    char error[256] = "", remarks[512], path[] = "/tmp/fuzz_nsys.XXXXXX";
    int file = mkstemp(path);
    if (file < 0 || (size > 0 && write(file, data, size) != (ssize_t)size) || close(file) != 0)
        abort();
    if (nsys_read(&recording, path, error, sizeof error)) {
        nsys_remarks(&recording, remarks, sizeof remarks);
        nsys_free(&recording);
    } else if (*error == '\0' || strchr(error, '\n') != NULL)
        abort(); /* refused without one line that says why */
    unlink(path);
    return 0;
}
