/* ncu.c: the table of metrics to ask for, and ncu's answer as kernel reports. */
#include "report/ncu/ncu.h"

#include "base/file.h"
#include "report/ncu/csv.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NCU_FILE_LIMIT = 256 << 20 };

/* Every metric once, in the order of the request, and the field for its value. */
// clang-format off
#define LAUNCH_METRICS(X)                                                                                              \
    X(time_sum, "gpu__time_duration.sum")                                                                              \
    X(registers, "launch__registers_per_thread")                                                                       \
    X(shared_static, "launch__shared_mem_per_block_static")                                                            \
    X(shared_dynamic, "launch__shared_mem_per_block_dynamic")                                                          \
    X(waves, "launch__waves_per_multiprocessor")                                                                       \
    X(occupancy_most, "sm__maximum_warps_per_active_cycle_pct")                                                        \
    X(occupancy_active, "sm__warps_active.avg.pct_of_peak_sustained_active")

/* A counter is one metric, the sum of two, or a metric of another counter. */
#define COUNTER_METRICS(ONE, SUM, SAME)                                                                                      \
    ONE(warp_instructions, "smsp__inst_executed.sum")                                                                  \
    SAME(inst_executed, "smsp__inst_executed.sum")                                                                     \
    ONE(pipe_fma, "smsp__inst_executed_pipe_fma.sum")                                                                  \
    ONE(pipe_alu, "smsp__inst_executed_pipe_alu.sum")                                                                  \
    ONE(pipe_fp64, "smsp__inst_executed_pipe_fp64.sum")                                                                \
    ONE(pipe_xu, "smsp__inst_executed_pipe_xu.sum")                                                                    \
    ONE(pipe_lsu, "smsp__inst_executed_pipe_lsu.sum")                                                                  \
    ONE(pipe_uniform, "smsp__inst_executed_pipe_uniform.sum")                                                          \
    ONE(pipe_adu, "smsp__inst_executed_pipe_adu.sum")                                                                  \
    ONE(pipe_cbu, "smsp__inst_executed_pipe_cbu.sum")                                                                  \
    ONE(pipe_tensor, "sm__inst_executed_pipe_tensor.sum")                                                              \
    ONE(thread_instructions, "smsp__thread_inst_executed.sum")                                                         \
    ONE(global_load_requests, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum")                                       \
    ONE(global_load_sectors, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum")                                         \
    ONE(global_store_requests, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum")                                      \
    ONE(global_store_sectors, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum")                                        \
    ONE(shared_load_requests, "smsp__inst_executed_op_shared_ld.sum")                                                  \
    ONE(shared_store_requests, "smsp__inst_executed_op_shared_st.sum")                                                 \
    ONE(shared_load_wavefronts, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum")                                \
    ONE(shared_store_wavefronts, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum")                               \
    SUM(shared_bank_conflicts, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",                             \
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum")                                                    \
    ONE(local_load_requests, "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum")                                         \
    ONE(local_load_sectors, "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum")                                           \
    ONE(local_store_requests, "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum")                                        \
    ONE(local_store_sectors, "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum")                                          \
    SAME(machine_shared_loads, "smsp__inst_executed_op_shared_ld.sum")                                                 \
    SAME(machine_shared_stores, "smsp__inst_executed_op_shared_st.sum")                                                \
    ONE(machine_matrix_loads, "smsp__inst_executed_op_ldsm.sum")                                                       \
    SAME(machine_matrix_stores, "smsp__inst_executed_op_shared_stsm.sum")                                               \
    SAME(machine_local_loads, "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum")                                        \
    SAME(machine_local_stores, "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum")                                       \
    ONE(l1_hit_sectors, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum")                                   \
    ONE(l2_read_sectors, "lts__t_sectors_srcunit_tex_op_read.sum")                                                     \
    ONE(l2_write_sectors, "lts__t_sectors_srcunit_tex_op_write.sum")                                                   \
    ONE(dram_read_bytes, "dram__bytes_read.sum")                                                                       \
    ONE(dram_write_bytes, "dram__bytes_write.sum")                                                                     \
    ONE(divergent_branches, "smsp__sass_branch_targets_threads_divergent.sum")                                         \
    SUM(atomics, "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",                                                  \
        "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum")                                                            \
    SUM(atomic_sectors, "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",                                            \
        "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum")

/* In percent. */
#define SHARE_METRICS(X)                                                                                               \
    X(GPU_ISSUE, "smsp__issue_active.avg.pct_of_peak_sustained_active")                                                \
    X(GPU_FMA, "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active")                                          \
    X(GPU_ALU, "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active")                                          \
    X(GPU_FP64, "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active")                                        \
    X(GPU_TENSOR, "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active")                                    \
    X(GPU_SPECIAL, "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active")                                       \
    X(GPU_LSU, "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active")                                          \
    X(GPU_L2, "lts__t_sectors.avg.pct_of_peak_sustained_elapsed")                                                      \
    X(GPU_DRAM, "dram__throughput.avg.pct_of_peak_sustained_elapsed")

/* L1 and shared memory share one data stage: its busy share, passes, shared memory's passes. */
#define STAGE_METRICS(X)                                                                                               \
    X(wavefronts_share, "l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed")                           \
    X(wavefronts_sum, "l1tex__data_pipe_lsu_wavefronts.sum")                                                           \
    X(wavefronts_shared, "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum")

/* Warps in each state per issued instruction. */
#define STALL_METRICS(X)                                                                                               \
    X(GPU_STALL_SELECTED, "smsp__average_warps_issue_stalled_selected_per_issue_active.ratio") \
    X(GPU_STALL_NOT_SELECTED, "smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio") \
    X(GPU_STALL_WAIT, "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio") \
    X(GPU_STALL_LONG_SCOREBOARD, "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio") \
    X(GPU_STALL_SHORT_SCOREBOARD, "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio") \
    X(GPU_STALL_BARRIER, "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio") \
    X(GPU_STALL_MEMBAR, "smsp__average_warps_issue_stalled_membar_per_issue_active.ratio") \
    X(GPU_STALL_MATH_PIPE, "smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio") \
    X(GPU_STALL_LG, "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio") \
    X(GPU_STALL_MIO, "smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio") \
    X(GPU_STALL_CONSTANT, "smsp__average_warps_issue_stalled_imc_miss_per_issue_active.ratio") \
    X(GPU_STALL_NO_INSTRUCTION, "smsp__average_warps_issue_stalled_no_instruction_per_issue_active.ratio") \
    X(GPU_STALL_BRANCH, "smsp__average_warps_issue_stalled_branch_resolving_per_issue_active.ratio") \
    X(GPU_STALL_DRAIN, "smsp__average_warps_issue_stalled_drain_per_issue_active.ratio") \
    X(GPU_STALL_DISPATCH, "smsp__average_warps_issue_stalled_dispatch_stall_per_issue_active.ratio")
// clang-format on

#define NAMED(name, metric) static const char name[] = metric;
LAUNCH_METRICS(NAMED)
STAGE_METRICS(NAMED)

#define ONE_ROW(counter, metric) {COUNTER_##counter, metric, NULL},
#define SUM_ROW(counter, metric, plus) {COUNTER_##counter, metric, plus},
static const struct {
    enum counter counter;
    const char *metric, *plus;
} counter_metrics[] = {COUNTER_METRICS(ONE_ROW, SUM_ROW, ONE_ROW)};
enum { METRIC_COUNT = sizeof counter_metrics / sizeof counter_metrics[0] };

#define SHARE_ROW(unit, metric) {unit, metric},
static const struct {
    enum gpu_unit unit;
    const char *metric;
} share_metrics[] = {SHARE_METRICS(SHARE_ROW)};
enum { SHARE_COUNT = sizeof share_metrics / sizeof share_metrics[0] };

static const struct {
    enum gpu_stall stall;
    const char *metric;
} stall_metrics[GPU_STALL_COUNT] = {STALL_METRICS(SHARE_ROW)};

const char *ncu_metrics(void) {
#define LISTED(name, metric) "," metric
#define SUM_LISTED(name, metric, plus) "," metric "," plus
#define NOT_LISTED(name, metric)
    static const char list[] = LAUNCH_METRICS(LISTED) COUNTER_METRICS(LISTED, SUM_LISTED, NOT_LISTED)
        SHARE_METRICS(LISTED) STAGE_METRICS(LISTED) STALL_METRICS(LISTED);
    return list + 1;
}

bool ncu_options(char *options, size_t size, const char *kernel) {
    if (kernel != NULL)
        for (const char *c = kernel; *c != '\0'; c++)
            if (!isalnum((unsigned char)*c) && *c != '_')
                return false;
    int length =
        snprintf(options, size, "--csv --page raw --print-units base --clock-control none --metrics %s%s%s",
                 ncu_metrics(), kernel != NULL ? " -k " : "", kernel != NULL ? kernel : "");
    return length > 0 && (size_t)length < size;
}

/* Factor of a unit: times become ns, sizes become bytes, all else is unchanged. */
static double unit_factor(const char *unit) {
    static const struct {
        const char *name;
        double factor;
    } units[] = {{"us", 1e3},
                 {"usecond", 1e3},
                 {"ms", 1e6},
                 {"msecond", 1e6},
                 {"s", 1e9},
                 {"second", 1e9},
                 {"Kbyte", 1e3},
                 {"Mbyte", 1e6},
                 {"Gbyte", 1e9},
                 {"Kbyte/block", 1e3},
                 {"Mbyte/block", 1e6},
                 {"Kibyte", 1024.0},
                 {"Mibyte", 1048576.0},
                 {"Gibyte", 1073741824.0}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(units[i].name, unit) == 0)
            return units[i].factor;
    return 1;
}

struct table {
    struct csv csv;
    uint32_t units_row; /* 0: none */
};

static bool value_of(const struct table *table, uint32_t row, const char *metric, double *value) {
    int column = csv_column(&table->csv, metric);
    if (column < 0 || !csv_number(csv_cell(&table->csv, row, (uint32_t)column), value))
        return false;
    if (table->units_row != 0)
        *value *= unit_factor(csv_cell(&table->csv, table->units_row, (uint32_t)column));
    return isfinite(*value);
}

static double number_or_nan(const struct table *table, uint32_t row, const char *metric) {
    double value;
    return value_of(table, row, metric, &value) ? value : NAN;
}

static uint32_t count_or_zero(const struct table *table, uint32_t row, const char *metric) {
    double value = number_or_nan(table, row, metric);
    return value >= 0 && value < 4294967295.0 ? (uint32_t)(value + 0.5) : 0;
}

/* Reads "(8, 8, 1)" or "8 8 1". */
static bool read_shape(const char *text, uint32_t shape[3]) {
    unsigned long long value[3] = {0};
    int found = 0;
    while (*text != '\0' && found < 3) {
        if (isdigit((unsigned char)*text)) {
            char *end;
            errno = 0;
            value[found] = strtoull(text, &end, 10);
            if (errno != 0 || value[found] > UINT32_MAX)
                return false;
            shape[found] = (uint32_t)value[found];
            found++;
            text = end;
        } else {
            text++;
        }
    }
    return found == 3;
}

static void read_counters(const struct table *table, uint32_t row, struct kernel_report *kernel) {
    for (int i = 0; i < METRIC_COUNT; i++) {
        double value = 0, more = 0;
        bool have = value_of(table, row, counter_metrics[i].metric, &value);
        if (have && counter_metrics[i].plus != NULL)
            have = value_of(table, row, counter_metrics[i].plus, &more);
        value += more;
        if (!have || value < 0 || value > 9e18)
            continue;
        kernel->known[counter_metrics[i].counter] = true;
        counter_set(&kernel->counters, counter_metrics[i].counter, (uint64_t)(value + 0.5));
    }
}

static void read_shares(const struct table *table, uint32_t row, struct kernel_report *kernel) {
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
        kernel->unit_share[unit] = NAN;
    for (int i = 0; i < SHARE_COUNT; i++)
        kernel->unit_share[share_metrics[i].unit] = number_or_nan(table, row, share_metrics[i].metric) / 100;
    /* The use of the shared data stage is divided by passes. */
    double stage = number_or_nan(table, row, wavefronts_share) / 100,
           all = number_or_nan(table, row, wavefronts_sum);
    double shared = number_or_nan(table, row, wavefronts_shared);
    if (isfinite(stage) && all > 0 && shared >= 0 && shared <= all) {
        kernel->unit_share[GPU_SHARED] = stage * shared / all;
        kernel->unit_share[GPU_L1] = stage * (all - shared) / all;
    }
    int most = -1;
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
        if (isfinite(kernel->unit_share[unit]) &&
            (most < 0 || kernel->unit_share[unit] > kernel->unit_share[most]))
            most = unit;
    /* No unit is half busy: the kernel waits. */
    kernel->limiter = most < 0                         ? GPU_UNIT_COUNT
                      : kernel->unit_share[most] < 0.5 ? GPU_LATENCY
                                                       : (enum gpu_unit)most;
}

/* Shares of all warps' time. If one is missing, as in older recordings, all are unknown. */
static void read_waits(const struct table *table, uint32_t row, struct kernel_report *kernel) {
    double sum = 0, warps[GPU_STALL_COUNT];
    for (int i = 0; i < GPU_STALL_COUNT; i++) {
        warps[stall_metrics[i].stall] = number_or_nan(table, row, stall_metrics[i].metric);
        sum += warps[stall_metrics[i].stall];
    }
    kernel->waits.known = sum > 0; /* false for NAN */
    for (int i = 0; kernel->waits.known && i < GPU_STALL_COUNT; i++)
        kernel->waits.share[i] = warps[i] / sum;
}

static bool read_launch(const struct table *table, uint32_t row, int name_column,
                        struct kernel_report *kernel) {
    *kernel = (struct kernel_report){.name = strdup(csv_cell(&table->csv, row, (uint32_t)name_column))};
    if (kernel->name == NULL)
        return false;
    static const char *const grids[] = {"Grid Size", "grid"}, *const blocks[] = {"Block Size", "block"};
    for (int i = 0; i < 2; i++) {
        int grid = csv_column(&table->csv, grids[i]), block = csv_column(&table->csv, blocks[i]);
        if (grid >= 0 && !read_shape(csv_cell(&table->csv, row, (uint32_t)grid), kernel->grid))
            memset(kernel->grid, 0, sizeof kernel->grid);
        if (block >= 0 && !read_shape(csv_cell(&table->csv, row, (uint32_t)block), kernel->block))
            memset(kernel->block, 0, sizeof kernel->block);
    }
    kernel->time_source = TIME_NCU;
    kernel->time_us = number_or_nan(table, row, time_sum) / 1e3;
    kernel->registers = count_or_zero(table, row, registers);
    kernel->shared_bytes =
        count_or_zero(table, row, shared_static) + count_or_zero(table, row, shared_dynamic);
    kernel->waves = number_or_nan(table, row, waves);
    kernel->tail = NAN;
    kernel->occupancy_theoretical = number_or_nan(table, row, occupancy_most) / 100;
    kernel->occupancy_achieved = number_or_nan(table, row, occupancy_active) / 100;
    read_counters(table, row, kernel);
    read_shares(table, row, kernel);
    read_waits(table, row, kernel);
    return true;
}

void ncu_free(struct ncu_launches *launches) {
    for (uint32_t i = 0; i < launches->count; i++)
        kernel_report_free(&launches->items[i]);
    free(launches->items);
    *launches = (struct ncu_launches){0};
}

bool ncu_read(struct ncu_launches *launches, const char *text, size_t length, const char *file, char *error,
              size_t size) {
    *launches = (struct ncu_launches){0};
    struct table table = {0};
    if (!csv_parse(&table.csv, text, length, file, error, size))
        return false;
    int name = csv_column(&table.csv, "Kernel Name");
    if (name < 0)
        name = csv_column(&table.csv, "kernel");
    if (name < 0) {
        csv_free(&table.csv);
        return fails(error, size, "%s: no column \"Kernel Name\": run ncu with --csv --page raw", file);
    }
    launches->items = calloc((size_t)table.csv.row_count + 1, sizeof launches->items[0]);
    bool right = launches->items != NULL;
    for (uint32_t row = 1; right && row < table.csv.row_count; row++) {
        const char *kernel = csv_cell(&table.csv, row, (uint32_t)name);
        if (*kernel == '\0' || strcmp(kernel, "unit") == 0) {
            if (table.units_row == 0)
                table.units_row = row;
            continue;
        }
        right = read_launch(&table, row, name, &launches->items[launches->count]);
        launches->count += right;
    }
    csv_free(&table.csv);
    if (!right) {
        ncu_free(launches);
        snprintf(error, size, "%s: out of memory", file);
    }
    return right;
}

bool ncu_read_file(struct ncu_launches *launches, const char *path, char *error, size_t size) {
    *launches = (struct ncu_launches){0};
    size_t length;
    char *text = file_read(path, NCU_FILE_LIMIT, &length, error, size);
    bool right = text != NULL && ncu_read(launches, text, length, path, error, size);
    free(text);
    return right;
}

static int by_value(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

/* NAN if any value is: a median of the known values would hide missing ones. */
static double median_of(double *values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return NAN;
    qsort(values, count, sizeof *values, by_value);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

bool ncu_median(const struct ncu_launches *launches, const char *name, struct kernel_report *median) {
    *median = (struct kernel_report){0};
    const struct kernel_report **chosen = calloc((size_t)launches->count + 1, sizeof *chosen);
    double *values = calloc((size_t)launches->count + 1, sizeof *values);
    uint32_t count = 0;
    for (uint32_t i = 0; chosen != NULL && i < launches->count; i++)
        if (strcmp(launches->items[i].name, name) == 0)
            chosen[count++] = &launches->items[i];
    bool right = count > 0 && values != NULL && (median->name = strdup(name)) != NULL;
    if (right) {
        char *kept = median->name;
        *median = *chosen[0];
        median->name = kept;
        median->lines = NULL;
        median->line_count = 0;
#define MEDIAN(field)                                                                                        \
    do {                                                                                                     \
        for (uint32_t i = 0; i < count; i++)                                                                 \
            values[i] = chosen[i]->field;                                                                    \
        median->field = median_of(values, count);                                                            \
    } while (0)
        MEDIAN(time_us);
        MEDIAN(waves);
        MEDIAN(occupancy_theoretical);
        MEDIAN(occupancy_achieved);
        for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
            MEDIAN(unit_share[unit]);
        for (uint32_t i = 0; i < count; i++)
            median->waits.known = median->waits.known && chosen[i]->waits.known;
        for (int stall = 0; stall < GPU_STALL_COUNT; stall++)
            MEDIAN(waits.share[stall]);
#undef MEDIAN
        for (int c = 0; c < COUNTER_COUNT; c++) {
            for (uint32_t i = 0; i < count; i++) {
                median->known[c] = median->known[c] && chosen[i]->known[c];
                values[i] = (double)counter_value(&chosen[i]->counters, (enum counter)c);
            }
            counter_set(&median->counters, (enum counter)c,
                        median->known[c] ? (uint64_t)(median_of(values, count) + 0.5) : 0);
        }
    }
    free(chosen);
    free(values);
    return right;
}
