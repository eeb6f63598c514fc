/* Any bytes as a data file: each key's value is tried as everything it may be. */
#include "base/ini.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool section(struct ini *ini, const char *name) {
    return *name != '!' || ini_refuse(ini, "%s", name);
}

static bool key(struct ini *ini, const char *key, const char *value) {
    double number;
    uint64_t count;
    const char *rest;
    if (*key == 'c')
        return ini_count(ini, value, 1, 1000, &count);
    return ini_number(ini, value, -1e9, 1e9, &number, &rest) &&
           (*rest == '\0' || ini_number(ini, rest, -1e9, 1e9, &number, NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char error[256];
    struct ini ini = {
        .file = "fuzz", .error = error, .error_size = sizeof error, .section = section, .key = key};
    if (!ini_read(&ini, (const char *)data, size))
        for (const char *c = error; *c != '\0'; c++)
            if (*c < ' ' || *c > '~')
                __builtin_trap(); /* an error is one plain line */
    return 0;
}
