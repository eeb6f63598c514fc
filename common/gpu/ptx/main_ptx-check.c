/* ptx-check: reads PTX files and prints what is in them, or why they cannot be run.
 *
 *     ptx-check [-d] [-q] [-t] [-l] FILE.ptx...        (-: standard input)
 *
 * -d also lists every instruction with its register slots and reconvergence point; -q prints errors
 * only; -t prints the time of reading; -l links the files to one program. Exit status 1: a file is
 * refused; 2: wrong usage. */
#include "base/clock.h"
#include "base/file.h"
#include "gpu/ptx/ptx.h"
#include <stdlib.h>
#include <string.h>

enum { LARGEST_FILE = 512 << 20 };

struct wanted {
    bool listing, quiet, timing;
};

/* Reads `count` files as one program. */
static bool check(char *const *paths, uint32_t count, const struct wanted *wanted) {
    struct ptx_text *texts = calloc(count, sizeof *texts);
    char **bytes = calloc(count, sizeof *bytes);
    char why[512] = "out of memory";
    bool read = texts != NULL && bytes != NULL;
    for (uint32_t i = 0; read && i < count; i++) {
        bytes[i] = file_read(strcmp(paths[i], "-") == 0 ? "/dev/stdin" : paths[i], LARGEST_FILE,
                             &texts[i].length, why, sizeof why);
        texts[i].text = bytes[i];
        read = bytes[i] != NULL;
    }
    struct ptx_error error;
    double start = clock_seconds();
    struct ptx_module *module = read ? ptx_link(texts, count, &error) : NULL;
    double taken = clock_seconds() - start;
    for (uint32_t i = 0; bytes != NULL && i < count; i++)
        free(bytes[i]);
    free(bytes);
    free(texts);
    if (module == NULL) {
        if (read)
            fprintf(stderr, "%s: %s\n", paths[0], error.message);
        else
            fprintf(stderr, "ptx-check: %s\n", why);
        return false;
    }
    if (!wanted->quiet)
        ptx_print_summary(stdout, module);
    for (uint32_t i = 0; wanted->listing && i < module->function_count; i++) {
        if (module->functions[i].defined) {
            fputc('\n', stdout);
            ptx_print_function(stdout, module, &module->functions[i]);
        }
    }
    if (wanted->timing)
        printf("read in %.3f ms\n", taken * 1e3);
    ptx_module_free(module);
    return true;
}

int main(int argc, char **argv) {
    struct wanted wanted = {0};
    bool right = true, link = false;
    int first = 1;
    for (; first < argc && argv[first][0] == '-' && argv[first][1]; first++) {
        if (strcmp(argv[first], "-d") == 0) {
            wanted.listing = true;
        } else if (strcmp(argv[first], "-q") == 0) {
            wanted.quiet = true;
        } else if (strcmp(argv[first], "-t") == 0) {
            wanted.timing = true;
        } else if (strcmp(argv[first], "-l") == 0) {
            link = true;
        } else {
            first = argc;
        }
    }
    if (first >= argc) {
        fprintf(stderr, "usage: ptx-check [-d] [-q] [-t] [-l] FILE.ptx...\n"
                        "(-d lists instructions, -q errors only, -t time, -l all files as one program)\n");
        return 2;
    }
    if (link)
        return check(argv + first, (uint32_t)(argc - first), &wanted) ? 0 : 1;
    for (int i = first; i < argc; i++)
        right &= check(argv + i, 1, &wanted);
    return right ? 0 : 1;
}
