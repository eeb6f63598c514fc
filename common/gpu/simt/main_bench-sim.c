/* bench-sim KERNELS.ptx RESULT.csv HISTORY.csv [KERNEL]: measures the simulator in PTX warp
 * instructions a second, with counters and caches, on one core and on all; as a share of what the
 * same machine does without an interpreter, and of that share in the last row of the history. */
#include "base/clock.h"
#include "base/clones.h"
#include "base/file.h"
#include "gpu/ptx/ptx.h"
#include "gpu/simt/bench/benches.h"
#include "gpu/simt/simt.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Processor time if one core is measured, so that other load does not count; else elapsed time. */
static double seconds(bool one_core) {
    return one_core ? clock_cpu_seconds() : clock_seconds();
}

/* 32 integer multiply-adds, or double ones, at a time on data in L1; 32 loads at places like random
 * numbers. */
enum { PASSES = 100000, SLOTS = 48, LANES = 32 };
#define MULTIPLY_ADDS(slots)                                                                                 \
    for (int pass = 0; pass < PASSES; pass++)                                                                \
        for (int i = 0; i < SLOTS; i++)                                                                      \
            for (int lane = 0; lane < LANES; lane++)                                                         \
    slots[i + 2][lane] = slots[i][lane] * slots[i + 1][lane] + slots[i + 2][lane]
static uint32_t integers[SLOTS + 2][LANES], places[LANES], sums[LANES], words[SAXPY_COUNT];
static double doubles[SLOTS + 2][LANES];

CLONES static void floor_of_integers(void) {
    MULTIPLY_ADDS(integers);
}

CLONES static void floor_of_doubles(void) {
    MULTIPLY_ADDS(doubles);
}

CLONES static void floor_of_random_loads(void) {
    for (int pass = 0; pass < PASSES; pass++)
        for (int lane = 0; lane < LANES; lane++) {
            places[lane] = places[lane] * 1664525 + 1013904223 + (uint32_t)lane;
            sums[lane] += words[places[lane] >> 8 & (SAXPY_COUNT - 1)];
        }
}

/* Warp operations a second, the best of a few rounds. */
static double measure_floor(enum floor floor) {
    static const struct {
        void (*pass)(void);
        double operations;
    } floors[FLOORS] = {[FLOOR_INTEGERS] = {floor_of_integers, (double)PASSES * SLOTS},
                        [FLOOR_DOUBLES] = {floor_of_doubles, (double)PASSES * SLOTS},
                        [FLOOR_RANDOM_LOADS] = {floor_of_random_loads, PASSES}};
    double best = 0;
    memset(words, 1, sizeof words);
    for (int round = 0; round < ROUNDS; round++) {
        double start = seconds(true);
        floors[floor].pass();
        double rate = floors[floor].operations / (seconds(true) - start);
        best = rate > best ? rate : best;
    }
    return best;
}

/* The kernel's share of its floor in the last row of the history that has it; 0: none has. */
static double share_before(const char *history, const char *kernel) {
    char line[256], name[64];
    double share = 0, found;
    FILE *file = fopen(history, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "%*[^,],%*[^,],\"%63[^\"]\",%*f,%lf", name, &found) == 2 &&
            strcmp(name, kernel) == 0)
            share = found;
    if (file != NULL)
        fclose(file);
    return share;
}

/* Runs a few launches. Returns the best in warp instructions a second; 0: failure. */
static double run_bench(const struct bench *bench, const struct ptx_module *program, uint32_t threads,
                        uint64_t *instructions, double *best_seconds) {
    struct simt_config config;
    char message[512];
    simt_config_default(&config);
    config.host_threads = threads;
    struct simt_device *device = simt_device_create(&config);
    struct simt_module *module =
        device != NULL ? simt_module_load(device, program, message, sizeof message) : NULL;
    struct {
        uint64_t in, out;
        int32_t first, second;
    } parameters = {0, 0, bench->first, bench->second};
    *best_seconds = 0;
    if (module != NULL && simt_allocate(device, bench->in_bytes, &parameters.in) == SIMT_OK &&
        simt_allocate(device, bench->out_bytes, &parameters.out) == SIMT_OK) {
        simt_fill(device, parameters.in, 0x3f, 1, bench->in_bytes);
        simt_fill(device, parameters.out, 0, 1, bench->out_bytes);
        struct simt_launch launch = {.kernel = simt_module_kernel(module, bench->kernel),
                                     .resident_blocks = 8,
                                     .parameters = &parameters};
        memcpy(launch.grid, bench->grid, sizeof launch.grid);
        memcpy(launch.block, bench->block, sizeof launch.block);
        for (int round = 0; launch.kernel != NULL && round < ROUNDS; round++) {
            struct simt_result result;
            enum simt_status status = SIMT_OK;
            double start = seconds(threads == 1);
            *instructions = 0;
            for (uint32_t i = 0; status == SIMT_OK && i < bench->launches; i++) {
                status = simt_run(device, &launch, &result);
                if (status != SIMT_OK)
                    fprintf(stderr, "bench-sim: %s\n", result.fault.message);
                *instructions += result.counters.warp_instructions;
                simt_result_free(&result);
            }
            double taken = seconds(threads == 1) - start;
            if (status == SIMT_OK && (*best_seconds == 0 || taken < *best_seconds))
                *best_seconds = taken;
        }
    }
    if (module != NULL)
        simt_module_unload(device, module);
    simt_device_destroy(device);
    return *best_seconds > 0 ? (double)*instructions / *best_seconds : 0;
}

int main(int argc, char **argv) {
    if (argc != 4 && argc != 5) {
        fprintf(stderr,
                "usage: bench-sim KERNELS.ptx RESULT.csv HISTORY.csv [KERNEL, by its first letters]\n");
        return 2;
    }
    size_t length = 0;
    struct ptx_error error = {0};
    (void)mallopt(M_TRIM_THRESHOLD, 64 << 20); /* as simgpu does */
    (void)mallopt(M_MMAP_THRESHOLD, 32 << 20);
    char *text = file_read(argv[1], 64 << 20, &length, error.message, sizeof error.message);
    struct ptx_module *program = text != NULL ? ptx_parse(text, length, &error) : NULL;
    free(text);
    if (program == NULL) {
        fprintf(stderr, "bench-sim: %s\n", error.message);
        return 1;
    }
    FILE *result = fopen(argv[2], "w");
    if (result == NULL) {
        fprintf(stderr, "bench-sim: %s: cannot be written\n", argv[2]);
        ptx_module_free(program);
        return 1;
    }
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t all = processors > 0 ? (uint32_t)processors : 1;
    double floors[FLOORS];
    for (enum floor floor = 0; floor < FLOORS; floor++)
        floors[floor] = measure_floor(floor);
    bool failed = false;
    printf("PTX warp instructions a second, counters and caches on, best of %d\n", ROUNDS);
    printf("%-30s %12s %8s %10s %10s %9s %8s\n", "kernel", "instructions", "seconds", "one core", "all cores",
           "of floor", "of last");
    for (size_t i = 0; i < BENCHES; i++) {
        if (argc == 5 && strncmp(benches[i].name, argv[4], strlen(argv[4])) != 0)
            continue;
        uint64_t instructions = 0;
        double taken = 0, taken_all = 0;
        double one = run_bench(&benches[i], program, 1, &instructions, &taken);
        double many = all > 1 ? run_bench(&benches[i], program, all, &instructions, &taken_all) : one;
        double share = one / floors[benches[i].floor], before = share_before(argv[3], benches[i].name);
        printf("%-30s %12llu %8.3f %8.1f M %8.1f M %9.3f", benches[i].name, (unsigned long long)instructions,
               taken, one / 1e6, many / 1e6, share);
        printf(" %8.2f\n", before > 0 ? share / before : 1.0);
        fprintf(result, "\"%s\",%.2f,%.4f\n", benches[i].name, one / 1e6, share);
        failed |= one == 0 || many == 0;
    }
    printf("floors: %.0f M integer and %.0f M double multiply-adds, %.1f M random loads of 32 lanes\n",
           floors[FLOOR_INTEGERS] / 1e6, floors[FLOOR_DOUBLES] / 1e6, floors[FLOOR_RANDOM_LOADS] / 1e6);
    if (fclose(result) != 0) {
        fprintf(stderr, "bench-sim: %s: cannot be written\n", argv[2]);
        failed = true;
    }
    ptx_module_free(program);
    return failed ? 1 : 0;
}
