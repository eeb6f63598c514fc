/*
 * occupancy: how many warps of a kernel an SM holds, what limits it, and what would change it.
 *   occupancy [--gpu h200] THREADS [REGISTERS [SHARED_BYTES]]
 */
#include "gpu/time/gpus.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
    struct gpu_model model;
    uint32_t threads, registers, shared;
};

static int usage(FILE *to) {
    fputs("usage: occupancy [--gpu MODEL] THREADS [REGISTERS [SHARED_BYTES]]\n"
          "  THREADS       of a block (8x8 and 8x8x2 work too)\n"
          "  REGISTERS     of a thread, as `nvcc -Xptxas -v` prints them (default 32)\n"
          "  SHARED_BYTES  of a block, static and dynamic together (default 0); 48K works too\n"
          "  MODEL         a data file of common/gpu/models, default h200\n",
          to);
    return to == stderr ? 2 : 0;
}

/* One value that is none: what it has to be. */
static int refuse(const char *name, const char *form, const char *value) {
    fprintf(stderr, "occupancy: %s is %s; '%s' is not\n", name, form, value);
    return 2;
}

/* "256", "32x8", "32x8x2" */
static bool read_threads(const char *text, uint32_t *threads) {
    uint64_t product = 1;
    for (int dimensions = 1; dimensions <= 3; dimensions++) {
        char *end;
        errno = 0;
        unsigned long value = strtoul(text, &end, 10);
        if (end == text || *text == '-' || *text == '+' || errno != 0 || value > 1u << 20)
            return false;
        product *= value;
        if (*end == '\0' && product > 0 && product <= UINT32_MAX) {
            *threads = (uint32_t)product;
            return true;
        }
        if (*end != 'x' && *end != ',')
            return false;
        text = end + 1;
    }
    return false;
}

static bool read_bytes(const char *text, uint32_t *bytes) {
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (end == text || *text == '-' || errno != 0)
        return false;
    if (*end == 'K' || *end == 'k') {
        value *= 1024;
        end++;
    }
    *bytes = (uint32_t)value;
    return *end == '\0' && value <= UINT32_MAX;
}

/* No "K" here: 32 K registers are an SM's, not a thread's. */
static bool read_registers(const char *text, uint32_t *registers) {
    return strspn(text, "0123456789") == strlen(text) && read_bytes(text, registers);
}

/* Why not even one block fits, by the limits of a block, which come before those of an SM. */
static void print_misfit(const struct request *request, enum gpu_limit limit) {
    const struct gpu_model *model = &request->model;
    if (request->threads > model->max_threads_per_block)
        printf("  does not fit: %u threads; a block has at most %u\n", request->threads,
               model->max_threads_per_block);
    else if (request->registers > model->max_registers_per_thread)
        printf("  does not fit: %u registers a thread; at most %u\n", request->registers,
               model->max_registers_per_thread);
    else if (request->shared > model->shared_per_block_optin)
        printf("  does not fit: %u bytes of shared memory; a block has at most %u\n", request->shared,
               model->shared_per_block_optin);
    else
        printf("  does not fit: one block alone needs more %s than there are\n", gpu_limit_name(limit));
}

static void print_share(const struct gpu_occupancy *fit) {
    enum { WIDTH = 24 };
    char bar[WIDTH + 1];
    int filled = (int)(fit->fraction * WIDTH + 0.5);
    memset(bar, '.', WIDTH);
    memset(bar, '#', (size_t)filled);
    bar[WIDTH] = '\0';
    printf("%5.0f %%  %s  %3u  %s\n", fit->fraction * 100,
           fit->blocks_per_sm > 0 ? bar : "does not fit            ", fit->blocks_per_sm,
           gpu_limit_name(fit->limit));
}

static void print_head(const char *what) {
    printf("\n  %-23s  occupancy                          blocks  limited by\n", what);
}

static void sweep_threads(const struct request *request) {
    static const uint32_t sizes[] = {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024};
    print_head("threads of a block");
    bool shown = false;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        uint32_t next[2] = {request->threads, sizes[i]};
        for (int own = !shown && request->threads <= sizes[i] ? 0 : 1; own < 2; own++) {
            if (own == 0)
                shown = true;
            else if (shown && sizes[i] == request->threads)
                continue;
            struct gpu_occupancy fit =
                gpu_occupancy(&request->model, next[own], request->registers, request->shared);
            printf("%c %-23u  ", own == 0 ? '>' : ' ', next[own]);
            print_share(&fit);
        }
    }
}

/* Ranges of one resource with the same occupancy, as the old calculator's curves, one line a
 * step. */
static void sweep_range(const struct request *request, const char *what, bool shared) {
    uint32_t unit = shared ? request->model.shared_granularity : 1;
    uint32_t last = shared ? request->model.shared_per_block_optin : request->model.max_registers_per_thread;
    uint32_t own = shared ? request->shared : request->registers;
    print_head(what);
    uint32_t shown =
        shared ? 0 : 1; /* a range starts one after the last, wherever the granularity looks next */
    for (uint32_t at = shown; at <= last;) {
        struct gpu_occupancy fit =
            gpu_occupancy(&request->model, request->threads, shared ? request->registers : at,
                          shared ? at : request->shared);
        uint32_t end = at;
        for (uint32_t next = at; next <= last; next += unit) {
            struct gpu_occupancy then =
                gpu_occupancy(&request->model, request->threads, shared ? request->registers : next,
                              shared ? next : request->shared);
            if (then.blocks_per_sm != fit.blocks_per_sm || then.limit != fit.limit)
                break;
            end = next;
        }
        char range[32];
        snprintf(range, sizeof range, "%u to %u", shown, end);
        printf("%c %-23s  ", own >= shown && own <= end ? '>' : ' ', range);
        print_share(&fit);
        at = end + unit;
        shown = end + 1;
        if (fit.blocks_per_sm == 0)
            break;
    }
}

int main(int count, char **arguments) {
    struct request request = {.registers = 32};
    const char *id = getenv("GPU"), *values[3] = {0};
    int given = 0;
    if (id == NULL || *id == '\0')
        id = "h200";
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--help") == 0 || strcmp(arguments[i], "-h") == 0)
            return usage(stdout);
        if (strcmp(arguments[i], "--gpu") == 0 && i + 1 < count)
            id = arguments[++i];
        else if (arguments[i][0] != '-' && given < 3)
            values[given++] = arguments[i];
        else
            return usage(stderr);
    }
    if (given == 0)
        return usage(stderr);
    char error[512];
    if (!gpu_model_load(NULL, id, &request.model, error, sizeof error)) {
        fprintf(stderr, "occupancy: %s\n", error);
        return 1;
    }
    const struct gpu_model *model = &request.model;
    if (!read_threads(values[0], &request.threads))
        return refuse("THREADS", "the threads of a block, as 256 or 32x8", values[0]);
    if (given > 1 && !read_registers(values[1], &request.registers))
        return refuse("REGISTERS", "a whole number of registers a thread, as 40", values[1]);
    if (given > 2 && !read_bytes(values[2], &request.shared))
        return refuse("SHARED", "bytes of a block, as 8192 or 8K", values[2]);
    struct gpu_occupancy fit = gpu_occupancy(model, request.threads, request.registers, request.shared);
    printf("%s (compute capability %u.%u)\n", model->name, model->compute_major, model->compute_minor);
    printf("%u threads a block, %u registers a thread, %u B of shared memory a block\n\n", request.threads,
           request.registers, request.shared);
    if (fit.blocks_per_sm == 0)
        print_misfit(&request, fit.limit);
    else
        printf("  occupancy %.1f %%: %u blocks, %u of %u warps an SM; limited by: %s\n", fit.fraction * 100,
               fit.blocks_per_sm, fit.warps_per_sm, model->max_warps_per_sm, gpu_limit_name(fit.limit));
    printf("  blocks by each resource alone: warps %u, registers %u, shared %u; at most %u\n",
           fit.blocks_by[GPU_LIMIT_WARPS], fit.blocks_by[GPU_LIMIT_REGISTERS],
           fit.blocks_by[GPU_LIMIT_SHARED], model->max_blocks_per_sm);
    printf("\nWhat would change it (> is this kernel):\n");
    sweep_threads(&request);
    sweep_range(&request, "registers of a thread", false);
    sweep_range(&request, "shared bytes of a block", true);
    return 0;
}
