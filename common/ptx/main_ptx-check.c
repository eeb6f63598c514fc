/*
 * ptx-check: read PTX files, print what is in them, or why they cannot be run.
 *
 *     ptx-check [-d] [-q] [-t] FILE.ptx...        (-: standard input)
 *
 * -d also lists every instruction with its register slots and the place where diverged threads meet again; -q prints
 * errors only; -t prints how long reading took. Exits 1 when a file is refused, 2 on wrong usage.
 */
#include "base/clock.h"
#include "base/file.h"
#include "ptx/print.h"
#include "ptx/ptx.h"
#include <stdlib.h>
#include <string.h>

enum { LARGEST_FILE = 512 << 20 };

static bool check(const char *path, bool listing, bool quiet, bool timing) {
    size_t length;
    char why[512];
    char *text =
        file_read(strcmp(path, "-") == 0 ? "/dev/stdin" : path, LARGEST_FILE, &length, why, sizeof why);
    if (text == NULL) {
        fprintf(stderr, "ptx-check: %s\n", why);
        return false;
    }
    struct ptx_error error;
    double start = clock_seconds();
    struct ptx_module *module = ptx_parse(text, length, &error);
    double taken = clock_seconds() - start;
    free(text);
    if (module == NULL) {
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
        printf("read in %.3f ms\n", taken * 1e3);
    ptx_module_free(module);
    return true;
}

int main(int argc, char **argv) {
    bool listing = false, quiet = false, timing = false, right = true;
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
        fprintf(stderr, "usage: ptx-check [-d] [-q] [-t] FILE.ptx...\n"
                        "(-d lists instructions, -q errors only, -t time)\n");
        return 2;
    }
    for (int i = first; i < argc; i++)
        right &= check(argv[i], listing, quiet, timing);
    return right ? 0 : 1;
}
