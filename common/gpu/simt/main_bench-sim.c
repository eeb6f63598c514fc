/* bench-sim KERNELS.ptx REPORT.json [KERNEL]: measures the simulator in PTX warp instructions a second, with
 * counters and caches, on one core and on all. For comparison it times the same machine on the
 * arithmetic alone. */
#include "base/clock.h"
#include "base/file.h"
#include "gpu/ptx/ptx.h"
#include "gpu/simt/bench/benches.h"
#include "gpu/simt/simt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Processor time if one core is measured, so that other load does not count; else elapsed time. */
static double seconds(bool one_core) {
    return one_core ? clock_cpu_seconds() : clock_seconds();
}

/* The floor: 32 integer multiply-adds at a time on data in L1, without an interpreter. (gcc 11 has
 * no clones for x86-64-v3.) */
#ifdef __x86_64__
#define CLONES __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define CLONES
#endif
CLONES static void floor_pass(uint32_t (*slots)[32], int passes) {
    for (int pass = 0; pass < passes; pass++)
        for (int i = 0; i < 48; i++)
            for (int lane = 0; lane < 32; lane++)
                slots[i + 2][lane] = slots[i][lane] * slots[i + 1][lane] + slots[i + 2][lane];
}

static double measure_floor(void) {
    static uint32_t slots[64][32];
    double best = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double start = seconds(true);
        floor_pass(slots, 200000);
        double rate = 48.0 * 200000 / (seconds(true) - start);
        best = rate > best ? rate : best;
    }
    return best;
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
    if (argc != 3 && argc != 4) {
        fprintf(stderr, "usage: bench-sim KERNELS.ptx REPORT.json [KERNEL, by its first letters]\n");
        return 2;
    }
    size_t length = 0;
    struct ptx_error error = {0};
    char *text = file_read(argv[1], 64 << 20, &length, error.message, sizeof error.message);
    struct ptx_module *program = text != NULL ? ptx_parse(text, length, &error) : NULL;
    free(text);
    if (program == NULL) {
        fprintf(stderr, "bench-sim: %s\n", error.message);
        return 1;
    }
    FILE *report = fopen(argv[2], "w");
    if (report == NULL) {
        fprintf(stderr, "bench-sim: %s: cannot be written\n", argv[2]);
        ptx_module_free(program);
        return 1;
    }
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t all = processors > 0 ? (uint32_t)processors : 1;
    double floor_rate = measure_floor();
    const char *comma = "";
    bool failed = false;
    fprintf(report, "{ \"floor_warp_operations_per_second\": %.0f, \"cores\": %u, \"kernels\": [", floor_rate,
            all);
    printf("PTX warp instructions a second, counters and caches on, best of %d\n", ROUNDS);
    printf("%-30s %14s %10s %12s %12s\n", "kernel", "instructions", "seconds", "one core", "all cores");
    for (size_t i = 0; i < BENCHES; i++) {
        if (argc == 4 && strncmp(benches[i].name, argv[3], strlen(argv[3])) != 0)
            continue;
        uint64_t instructions = 0;
        double taken = 0, taken_all = 0;
        double one = run_bench(&benches[i], program, 1, &instructions, &taken);
        double many = all > 1 ? run_bench(&benches[i], program, all, &instructions, &taken_all) : one;
        printf("%-30s %14llu %10.3f %10.1f M %10.1f M\n", benches[i].name, (unsigned long long)instructions,
               taken, one / 1e6, many / 1e6);
        fprintf(report,
                "%s\n  { \"name\": \"%s\", \"warp_instructions\": %llu, \"seconds\": %.6f, "
                "\"warp_instructions_per_second\": %.0f, \"warp_instructions_per_second_all_cores\": %.0f }",
                comma, benches[i].name, (unsigned long long)instructions, taken, one, many);
        comma = ",";
        failed |= one == 0 || many == 0;
    }
    printf("%-30s %14s %10s %10.1f M\n", "floor: plain vector code", "", "", floor_rate / 1e6);
    fprintf(report, "\n] }\n");
    if (fclose(report) != 0) {
        fprintf(stderr, "bench-sim: %s: cannot be written\n", argv[2]);
        failed = true;
    }
    ptx_module_free(program);
    return failed ? 1 : 0;
}
