/*
 * ptx-check: read PTX files, print what is in them, or why they cannot be run.
 *
 *     ptx-check [-d] [-q] [-t] FILE.ptx...
 *
 * -d also lists every instruction with its register slots and the place where diverged threads meet again;
 * -q prints errors only; -t prints how long reading took. Exits 1 when a file is refused, 2 on wrong usage.
 */
#include "ptx/print.h"
#include "ptx/ptx.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char *read_whole(const char *path, size_t *length) {
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (!file) {
        perror(path);
        return NULL;
    }
    size_t size = 1 << 16, used = 0;
    char *text = malloc(size);
    while (text) {
        used += fread(text + used, 1, size - used, file);
        if (used < size)
            break;
        char *larger = realloc(text, size *= 2);
        if (!larger)
            free(text);
        text = larger;
    }
    if (!text || ferror(file)) {
        fprintf(stderr, "%s: cannot be read\n", path);
        free(text);
        text = NULL;
    }
    if (file != stdin)
        fclose(file);
    *length = used;
    return text;
}

static bool check(const char *path, bool listing, bool quiet, bool timing) {
    size_t length;
    char *text = read_whole(path, &length);
    if (!text)
        return false;
    struct ptx_error error;
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    struct ptx_module *module = ptx_parse(text, length, &error);
    clock_gettime(CLOCK_MONOTONIC, &end);
    free(text);
    if (!module) {
        fprintf(stderr, "%s: %s\n", path, error.message);
        return false;
    }
    if (!quiet)
        ptx_print_summary(stdout, module);
    for (uint32_t i = 0; listing && i < module->function_count; i++) {
        if (module->functions[i].defined) {
            fputc('\n', stdout);
            ptx_print_function(stdout, module, &module->functions[i]);
        }
    }
    if (timing)
        printf("read in %.3f ms\n",
               (double)(end.tv_sec - start.tv_sec) * 1e3 + (double)(end.tv_nsec - start.tv_nsec) * 1e-6);
    ptx_module_free(module);
    return true;
}

int main(int argc, char **argv) {
    bool listing = false, quiet = false, timing = false, ok = true;
    int first = 1;
    for (; first < argc && argv[first][0] == '-' && argv[first][1]; first++) {
        if (strcmp(argv[first], "-d") == 0) {
            listing = true;
        } else if (strcmp(argv[first], "-q") == 0) {
            quiet = true;
        } else if (strcmp(argv[first], "-t") == 0) {
            timing = true;
        } else {
            first = argc;
        }
    }
    if (first >= argc) {
        fprintf(stderr, "usage: ptx-check [-d] [-q] [-t] FILE.ptx...   (-d lists instructions, -q errors "
                        "only, -t time)\n");
        return 2;
    }
    for (int i = first; i < argc; i++)
        ok &= check(argv[i], listing, quiet, timing);
    return ok ? 0 : 1;
}
