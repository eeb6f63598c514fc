/*
 * bench-code KERNELS: what the analysis of a launch's machine code takes beside its simulation, by part. KERNELS.ptx and
 * KERNELS.cubin, made of it, for a launch of each kernel of gpu/simt/bench/kernels.cu; LARGE.ptx and LARGE.cubin likewise, of
 * bench/large.cu. Times are the process's own on one core, so what else the machine does counts for little; medians.
 *
 *     bench-code KERNELS LARGE REPORT.json [KERNEL]         one of them alone, by its first letters
 */
#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "gpu/ptx/ptx.h"
#include "gpu/runtime/binding/binding.h"
#include "gpu/runtime/server/launch_report.h"
#include "gpu/simt/bench/benches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS = 9, LARGE_THREADS = 256, LARGE_BLOCKS = 2112, LARGE_COUNT = 9, LARGEST_FILE = 64 << 20 };

#define LARGE(kernel)                                                                                        \
    {                                                                                                        \
        kernel, kernel, {LARGE_BLOCKS, 1, 1}, {LARGE_THREADS, 1, 1}, 4 * (LARGE_BLOCKS + 1) * LARGE_THREADS, \
            4 * LARGE_BLOCKS *LARGE_THREADS, LARGE_COUNT, 0, 1, FLOOR_INTEGERS                               \
    }
static const struct bench large[] = {LARGE("large_500"), LARGE("large_2000"), LARGE("large_8000")};
enum { LARGES = sizeof large / sizeof *large };

enum part { PART_SIMULATION, PART_READING, PART_EXECUTIONS, PART_TIME, PART_WAITS, PART_LINES, PART_COUNT };

/* Code as text and as machine code, on a device of one core. */
struct scene {
    const struct gpu_model *model;
    char *text, *code;
    size_t text_bytes, code_bytes;
    struct ptx_module *program;
    struct simt_device *device;
    struct simt_module *module;
};

static bool say(const char *name, const char *why) {
    fprintf(stderr, "bench-code: %s: %s\n", name, why);
    return false;
}

static void close_scene(struct scene *scene) {
    if (scene->module != NULL)
        simt_module_unload(scene->device, scene->module);
    if (scene->device != NULL)
        simt_device_destroy(scene->device);
    ptx_module_free(scene->program);
    free(scene->text);
    free(scene->code);
}

static bool open_scene(const struct gpu_model *model, const char *stem, struct scene *scene) {
    char path[PATH_SIZE], why[512] = "out of memory";
    struct ptx_error error = {0};
    struct simt_config config;
    *scene = (struct scene){.model = model};
    if (path_print(path, "%s.ptx", stem))
        scene->text = file_read(path, LARGEST_FILE, &scene->text_bytes, why, sizeof why);
    if (scene->text != NULL && path_print(path, "%s.cubin", stem))
        scene->code = file_read(path, LARGEST_FILE, &scene->code_bytes, why, sizeof why);
    if (scene->code == NULL)
        return say(stem, why);
    scene->program = ptx_parse(scene->text, scene->text_bytes, &error);
    if (scene->program == NULL)
        return say(stem, error.message);
    simulation_config(model, &config);
    config.host_threads = 1;
    scene->device = simt_device_create(&config);
    if (scene->device != NULL)
        scene->module = simt_module_load(scene->device, scene->program, why, sizeof why);
    return scene->module != NULL || say(stem, why);
}

/* The machine code as a module takes it over, nothing of it read yet. */
static bool take(const struct scene *scene, struct binding *binding) {
    struct cubin cubin;
    char why[256];
    char *text = malloc(scene->text_bytes + 1), *code = malloc(scene->code_bytes);
    if (text == NULL || code == NULL) {
        free(text);
        free(code);
        return say("machine code", "out of memory");
    }
    memcpy(text, scene->text, scene->text_bytes + 1);
    memcpy(code, scene->code, scene->code_bytes);
    uint32_t architecture = scene->model->compute_major * 10 + scene->model->compute_minor;
    if (!cubin_parse(code, scene->code_bytes, architecture, &cubin, why, sizeof why)) {
        free(text);
        free(code);
        return say("machine code", why);
    }
    binding_take(binding, code, &cubin, text, scene->text_bytes, &(struct ptxas_options){0},
                 scene->model->compute_major);
    return true;
}

static void describe(const struct simt_launch *launch, const struct simt_result *result,
                     const struct gpu_code *code, struct gpu_launch *how) {
    const struct simt_resources *resources = simt_kernel_resources(launch->kernel);
    *how = (struct gpu_launch){.registers = resources->registers,
                               .shared_bytes = resources->static_shared,
                               .counters = &result->counters,
                               .longest_warp_instructions = result->longest_warp_instructions,
                               .longest_warps_of_all_blocks = result->longest_warps_of_all_blocks,
                               .sm_count = result->sm_count,
                               .sms = result->sms,
                               .code = code};
    memcpy(how->grid, launch->grid, sizeof how->grid);
    memcpy(how->block, launch->block, sizeof how->block);
}

/* What has passed since *then, which is now. */
static double lap(double *then) {
    double now = clock_cpu_seconds(), passed = now - *then;
    *then = now;
    return passed;
}

/* One launch and its analysis, as a program's first of this kernel: how long each part took, in seconds. */
static bool turn(const struct scene *scene, const struct simt_launch *launch, double parts[PART_COUNT],
                 uint32_t *instructions, uint64_t *executed) {
    struct simt_result result = {0};
    struct binding binding;
    struct gpu_code code = {0};
    struct gpu_launch how;
    struct gpu_time time;
    struct kernel_waits waits = {0};
    struct kernel_executed lines = {0};
    char why[256] = "";
    const char *name = simt_kernel_function(launch->kernel)->name;
    double then = clock_cpu_seconds();
    if (simt_run(scene->device, launch, &result) != SIMT_OK) {
        say(name, result.fault.message);
        simt_result_free(&result);
        return false;
    }
    parts[PART_SIMULATION] = lap(&then);
    if (!take(scene, &binding)) {
        simt_result_free(&result);
        return false;
    }
    const struct sass_kernel *kernel = binding_find(&binding, name);
    parts[PART_READING] = lap(&then);
    bool made, right = binding_code(&binding, scene->program, scene->model, launch, &result, NULL, &code,
                                    &made, why, sizeof why);
    parts[PART_EXECUTIONS] = lap(&then);
    if (right) {
        describe(launch, &result, &code, &how);
        gpu_time_model(scene->model, &how, &time);
        parts[PART_TIME] = lap(&then);
        right = binding_waits(&binding, scene->program, name, &result, &code, &time, &waits);
        parts[PART_WAITS] = lap(&then);
        binding_count(&code, &result.counters);
        right = right &&
                binding_executed(&binding, scene->program, name, &result, &code, &result.counters, &lines);
        parts[PART_LINES] = lap(&then);
        *instructions = kernel->count;
        *executed = result.counters.inst_executed;
    }
    if (!right || !time.by_code)
        say(name, right ? "its time does not follow from its machine code" : why);
    right = right && time.by_code;
    kernel_executed_free(&lines);
    kernel_waits_free(&waits);
    gpu_code_free(&code);
    binding_free(&binding);
    simt_result_free(&result);
    return right;
}

static int by_size(const void *left, const void *right) {
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static double median(double values[TURNS]) {
    qsort(values, TURNS, sizeof *values, by_size);
    return values[TURNS / 2];
}

static void print(FILE *report, bool first, const struct bench *bench, uint32_t instructions,
                  uint64_t executed, const double ms[PART_COUNT]) {
    static const char *const names[PART_COUNT] = {"simulation_ms", "reading_ms", "executions_ms",
                                                  "time_ms",       "waits_ms",   "lines_ms"};
    double all = 0;
    printf("%-28s %6u", bench->name, instructions);
    fprintf(report, "%s\n  { \"name\": \"%s\", \"instructions\": %u, \"executed\": %llu", first ? "" : ",",
            bench->name, instructions, (unsigned long long)executed);
    for (int i = 0; i < PART_COUNT; i++) {
        all += i == PART_SIMULATION ? 0 : ms[i];
        fprintf(report, ", \"%s\": %.3f", names[i], ms[i]);
        if (i != PART_SIMULATION && i != PART_LINES)
            printf(" %6.1f", i == PART_WAITS ? ms[i] + ms[PART_LINES] : ms[i]);
    }
    printf(" %7.1f %8.0f %5.1f%%\n", all, ms[PART_SIMULATION], 100 * all / ms[PART_SIMULATION]);
    fprintf(report, ", \"analysis_ms\": %.3f }", all);
}

/* Warmed up, then so many turns. */
static bool run(const struct scene *scene, const struct bench *bench, FILE *report, bool first) {
    struct {
        uint64_t in, out;
        int32_t first, second;
    } parameters = {0, 0, bench->first, bench->second};
    double seconds[PART_COUNT][TURNS], parts[PART_COUNT], ms[PART_COUNT];
    struct simt_launch launch = {.kernel = simt_module_kernel(scene->module, bench->kernel),
                                 .resident_blocks = 8,
                                 .parameters = &parameters};
    uint32_t instructions = 0;
    uint64_t executed = 0;
    memcpy(launch.grid, bench->grid, sizeof launch.grid);
    memcpy(launch.block, bench->block, sizeof launch.block);
    bool right = launch.kernel != NULL &&
                 simt_allocate(scene->device, bench->in_bytes, &parameters.in) == SIMT_OK &&
                 simt_allocate(scene->device, bench->out_bytes, &parameters.out) == SIMT_OK;
    if (!right)
        return say(bench->name, "no such kernel, or no memory for it");
    simt_fill(scene->device, parameters.in, 0x3f, 1, bench->in_bytes);
    simt_fill(scene->device, parameters.out, 0, 1, bench->out_bytes);
    for (int i = -1; right && i < TURNS; i++) {
        right = turn(scene, &launch, parts, &instructions, &executed);
        for (int part = 0; i >= 0 && part < PART_COUNT; part++)
            seconds[part][i] = parts[part];
    }
    for (int part = 0; right && part < PART_COUNT; part++)
        ms[part] = 1e3 * median(seconds[part]);
    if (right)
        print(report, first, bench, instructions, executed, ms);
    simt_free(scene->device, parameters.in);
    simt_free(scene->device, parameters.out);
    return right;
}

static bool run_all(const struct gpu_model *model, const char *stem, const struct bench *list, size_t count,
                    FILE *report, const char *only, bool *first) {
    struct scene scene;
    bool right = open_scene(model, stem, &scene);
    for (size_t i = 0; right && i < count; i++) {
        if (strncmp(list[i].name, only, strlen(only)) != 0)
            continue;
        right = run(&scene, &list[i], report, *first);
        *first = false;
    }
    close_scene(&scene);
    return right;
}

int main(int count, char **arguments) {
    struct gpu_model model;
    char error[512];
    if (count != 4 && count != 5) {
        fprintf(stderr, "usage: bench-code KERNELS LARGE REPORT.json [KERNEL]\n");
        return 2;
    }
    if (!gpu_model_load(NULL, "h200", &model, error, sizeof error))
        return !say("h200", error);
    FILE *report = fopen(arguments[3], "w");
    if (report == NULL)
        return !say(arguments[3], "cannot be written");
    printf("milliseconds of one core, medians of %d: the analysis of a launch, and its simulation\n", TURNS);
    printf("%-28s %6s %6s %6s %6s %6s %7s %8s %6s\n", "kernel", "instr.", "read", "runs", "time", "lines",
           "all", "simul.", "share");
    fprintf(report, "{ \"kernels\": [");
    const char *only = count == 5 ? arguments[4] : "";
    bool first = true;
    bool right = run_all(&model, arguments[1], benches, BENCHES, report, only, &first) &&
                 run_all(&model, arguments[2], large, LARGES, report, only, &first);
    fprintf(report, "\n] }\n");
    if (fclose(report) != 0)
        right = say(arguments[3], "cannot be written");
    return right ? 0 : 1;
}
