/* fuzz_kernel.c: any bytes as a cubin, read into kernels whose executions are worked out. libFuzzer's entry. */
#include "gpu/sass/kernel.h"
#include "gpu/sass/tests/support_cubins.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    LINES = 512,
    MOST = 600 /* instructions whose executions are worked out: more takes the fuzzer's time */
};

static void solve(const struct sass_kernel *kernel, const uint8_t *data, size_t size) {
    static struct sass_line lines[LINES];
    char error[256];
    double *runs = calloc(kernel->graph.block_count, sizeof *runs);
    double *traversals = calloc(kernel->graph.edge_count + 1u, sizeof *traversals);
    for (uint32_t i = 0; i < LINES; i++) {
        uint8_t byte = data[i % size];
        lines[i] = (struct sass_line){.known = byte & 1,
                                      .guarded = byte & 2,
                                      .work = byte % SASS_WORK_COUNT,
                                      .runs = byte,
                                      .piece = i / 4,
                                      .trips = byte & 4 ? byte / 8. : 0,
                                      .splits = byte & 8};
    }
    if (runs != NULL && traversals != NULL)
        (void)sass_solve_executions(&kernel->graph, kernel->copies, lines, LINES, 3, NULL, runs, traversals,
                                    error, sizeof error);
    free(runs);
    free(traversals);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct cubin cubin;
    char error[256];
    static const uint32_t architectures[] = {90, 75};
    for (int a = 0; a < 2; a++) {
        if (!cubin_parse(data, size, architectures[a], &cubin, error, sizeof error))
            return 0;
        size_t length;
        char *text = text_of(&cubin, &length);
        for (uint32_t k = 0; text != NULL && k < cubin.count; k++) {
            struct sass_kernel kernel;
            if (!sass_kernel_read(&kernel, &cubin, &cubin.kernels[k], text, length, error, sizeof error))
                continue;
            if (kernel.count <= MOST)
                solve(&kernel, data, size);
            sass_kernel_free(&kernel);
        }
        free(text);
        cubin_free(&cubin);
    }
    return 0;
}
