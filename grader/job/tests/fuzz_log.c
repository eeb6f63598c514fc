/* fuzz_log.c: any bytes as what a compiler and a program say, with the kit's names taken out of it, and as the libraries whose names
 * the object file is held against. */
#include "job/kit_names.h"
#include "job/object.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_names(const uint8_t *data, size_t size) {
    struct object_names names = {0};
    char path[64];
    int file = memfd_create("library", MFD_CLOEXEC);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (object_names_read(&names, path)) {
        object_names_sort(&names);
        for (size_t i = 0; i < names.count; i++)
            if (!object_names_have(&names, names.list[i]))
                abort(); /* a name that is not found */
    }
    object_names_free(&names);
    close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct kit_names names = {.count = 0};
    char *text = malloc(size + 1);
    if (text == NULL || !kit_names_add(&names, "/a", "/kit") ||
        !kit_names_add(&names, "/a/long/folder", "/kit/long") || !kit_names_add(&names, "/usr", "/u"))
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    char *replaced = kit_names_replace(&names, text);
    if (replaced != NULL && strstr(replaced, "/a/long/folder") != NULL &&
        strstr(text, "/a/long/folder") == NULL)
        abort();
    free(replaced);
    size_t before = strlen(text);
    log_places(text);
    if (strlen(text) > before)
        abort(); /* it only gets shorter */
    free(text);
    read_names(data, size);
    return 0;
}
