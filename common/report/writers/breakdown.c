/* breakdown.c: memory levels, instruction classes, roofline and ranking, from counters and the
 * model's peaks. */
#include "report/writers/breakdown.h"

#include "report/writers/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SECTOR = 32, PASS = 128 };

static const char *const level_names[MEMORY_LEVELS] = {"shared", "local", "L1", "L2", "DRAM"};

const char *memory_level_name(enum memory_level level) {
    return (unsigned)level < MEMORY_LEVELS ? level_names[level] : "";
}

static bool knows(const struct kernel_report *kernel, const enum counter *counters, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!kernel->known[counters[i]])
            return false;
    return true;
}

#define KNOWS(kernel, ...)                                                                                   \
    knows(kernel, (const enum counter[]){__VA_ARGS__},                                                       \
          sizeof((enum counter[]){__VA_ARGS__}) / sizeof(enum counter))

/* Peak in 10^9 bytes a second. */
static double peak_of(const struct gpu_model *model, enum memory_level level) {
    double sm = model->sm_count * model->clock_mhz / 1000;
    switch (level) {
    case MEMORY_SHARED: return sm * model->shared_wavefront_rate * PASS;
    case MEMORY_LOCAL:
    case MEMORY_L1: return sm * model->l1_sectors_per_cycle * SECTOR;
    case MEMORY_L2: return model->l2_sectors_per_cycle * SECTOR * model->clock_mhz / 1000;
    case MEMORY_DRAM: return model->dram_gbs;
    case MEMORY_LEVELS: break;
    }
    return NAN;
}

static void fill(struct memory_use *use, const char *unit, bool known, uint64_t requests,
                 uint64_t transactions, double bytes) {
    use->unit = unit;
    use->used = known && (requests > 0 || bytes > 0);
    use->requests = known ? requests : 0;
    use->transactions = known ? transactions : 0;
    use->bytes = known ? bytes : 0;
}

void memory_use(const struct kernel_report *kernel, const struct gpu_model *model,
                struct memory_use levels[MEMORY_LEVELS]) {
    const struct counters *c = &kernel->counters;
    uint64_t passes = c->shared_load_wavefronts + c->shared_store_wavefronts;
    uint64_t local = c->local_load_sectors + c->local_store_sectors;
    uint64_t global = c->global_load_sectors + c->global_store_sectors + c->atomic_sectors;
    uint64_t l2 = c->l2_read_sectors + c->l2_write_sectors;
    fill(&levels[MEMORY_SHARED], "passes",
         KNOWS(kernel, COUNTER_shared_load_requests, COUNTER_shared_store_requests,
               COUNTER_shared_load_wavefronts, COUNTER_shared_store_wavefronts),
         c->shared_load_requests + c->shared_store_requests, passes, (double)passes * PASS);
    fill(&levels[MEMORY_LOCAL], "sectors",
         KNOWS(kernel, COUNTER_local_load_requests, COUNTER_local_store_requests, COUNTER_local_load_sectors,
               COUNTER_local_store_sectors),
         c->local_load_requests + c->local_store_requests, local, (double)local * SECTOR);
    fill(&levels[MEMORY_L1], "sectors",
         KNOWS(kernel, COUNTER_global_load_requests, COUNTER_global_store_requests,
               COUNTER_global_load_sectors, COUNTER_global_store_sectors),
         c->global_load_requests + c->global_store_requests + c->atomics, global, (double)global * SECTOR);
    fill(&levels[MEMORY_L2], "sectors", KNOWS(kernel, COUNTER_l2_read_sectors, COUNTER_l2_write_sectors), 0,
         l2, (double)l2 * SECTOR);
    fill(&levels[MEMORY_DRAM], "", KNOWS(kernel, COUNTER_dram_read_bytes, COUNTER_dram_write_bytes), 0, 0,
         (double)(c->dram_read_bytes + c->dram_write_bytes));
    for (int level = 0; level < MEMORY_LEVELS; level++) {
        struct memory_use *use = &levels[level];
        bool timed = isfinite(kernel->time_us) && kernel->time_us > 0;
        use->name = level_names[level];
        use->gbs = use->used && timed ? use->bytes / kernel->time_us / 1000 : NAN;
        use->peak_gbs = model != NULL ? peak_of(model, (enum memory_level)level) : NAN;
        use->hits = NAN;
    }
    levels[MEMORY_L1].name = "global, L1";
    uint64_t loads = c->global_load_sectors + c->local_load_sectors;
    if (levels[MEMORY_L1].used && KNOWS(kernel, COUNTER_l1_hit_sectors) && loads > 0)
        levels[MEMORY_L1].hits = fmin((double)c->l1_hit_sectors / (double)loads, 1);
    if (levels[MEMORY_L2].used && KNOWS(kernel, COUNTER_l2_read_hit_sectors) && c->l2_read_sectors > 0)
        levels[MEMORY_L2].hits = fmin((double)c->l2_read_hit_sectors / (double)c->l2_read_sectors, 1);
}

static void put(struct table_row *row, unsigned cell, const char *text) {
    snprintf(row->cell[cell], sizeof row->cell[cell], "%s", text);
}

/* Every digit, for columns with room. */
static const char *whole(char text[FORMAT_SIZE], uint64_t count) {
    return count < 1000000000 ? format_grouped(text, count) : format_count(text, count);
}

static void put_rate(struct table_row *row, unsigned cell, double gbs) {
    char text[FORMAT_SIZE];
    bool digits = isfinite(gbs) && gbs < 99999.5;
    put(row, cell, digits ? format_grouped(text, (uint64_t)llround(gbs)) : format_number(text, gbs));
}

void memory_row(struct table_row *row, const struct memory_use *use) {
    char text[FORMAT_SIZE];
    *row = (struct table_row){0};
    put(row, MEMORY_CELL_NAME, use->name);
    put(row, MEMORY_CELL_REQUESTS, use->requests > 0 ? whole(text, use->requests) : "-");
    if (use->transactions > 0)
        snprintf(row->cell[MEMORY_CELL_TRANSACTIONS], TABLE_CELL, "%s %s", whole(text, use->transactions),
                 use->unit);
    else
        put(row, MEMORY_CELL_TRANSACTIONS, "-");
    put(row, MEMORY_CELL_BYTES, use->used ? format_bytes(text, (uint64_t)use->bytes) : "-");
    put_rate(row, MEMORY_CELL_RATE, use->gbs);
    put_rate(row, MEMORY_CELL_PEAK, use->peak_gbs);
    double share = use->gbs / use->peak_gbs;
    put(row, MEMORY_CELL_SHARE, format_share(text, share < 10 ? share : NAN)); /* more is no share */
    put(row, MEMORY_CELL_HITS, format_share(text, use->hits));
}

bool memory_table(const struct table *table, const struct kernel_report *kernel,
                  const struct gpu_model *model, const char *before) {
    struct memory_use levels[MEMORY_LEVELS];
    bool any = false;
    memory_use(kernel, model, levels);
    for (int level = 0; level < MEMORY_LEVELS; level++) {
        struct table_row row;
        if (!levels[level].used)
            continue;
        if (!any) {
            fputs(before, table->terminal.out);
            table_begin(table);
        }
        any = true;
        memory_row(&row, &levels[level]);
        table_row(table, &row);
    }
    return any;
}

/* ---- instructions */

bool instruction_mix(const struct kernel_report *kernel, struct mix *mix) {
    static const struct {
        enum counter counter;
        const char *name, *meaning;
    } classes[] = {
        {COUNTER_inst_int, "integer", "arithmetic, logic, shifts, compares; also of indices and addresses"},
        {COUNTER_inst_fp32_fma, "float FMA", "a multiply and an add in one"},
        {COUNTER_inst_fp32, "float", "add, multiply, compare, without FMA"},
        {COUNTER_inst_fp64, "double", "double-precision arithmetic"},
        {COUNTER_inst_fp16, "half", "half-precision arithmetic"},
        {COUNTER_inst_special, "special", "reciprocal, root, sine, exponent, logarithm"},
        {COUNTER_inst_conversion, "conversion", "between integer and float, or between widths"},
        {COUNTER_inst_memory, "memory", "loads, stores, atomics"},
        {COUNTER_inst_control, "control", "branches, calls, returns"},
        {COUNTER_inst_move, "move", "copies and selections, of which a compiler removes most"},
        {COUNTER_inst_matrix, "matrix", "products of matrices by tensor cores"},
        {COUNTER_inst_shuffle, "shuffle", "exchange within a warp: shuffles, votes"},
        {COUNTER_inst_synchronisation, "barrier", "barriers and fences"},
    };
    *mix = (struct mix){0};
    uint64_t all = kernel->counters.warp_instructions, named = 0;
    if (!kernel->known[COUNTER_warp_instructions] || all == 0)
        return false;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        uint64_t value = counter_value(&kernel->counters, classes[i].counter);
        if (!kernel->known[classes[i].counter] || value == 0)
            continue;
        named += value;
        uint32_t at = mix->count++;
        for (; at > 0 && mix->classes[at - 1].instructions < value; at--)
            mix->classes[at] = mix->classes[at - 1];
        mix->classes[at].name = classes[i].name;
        mix->classes[at].meaning = classes[i].meaning;
        mix->classes[at].instructions = value;
    }
    if (named < all && mix->count > 0) {
        mix->classes[mix->count].name = "other";
        mix->classes[mix->count].meaning = "what is in none of these";
        mix->classes[mix->count++].instructions = all - named;
    }
    for (uint32_t i = 0; i < mix->count; i++)
        mix->classes[i].share = (double)mix->classes[i].instructions / (double)(named > all ? named : all);
    return mix->count > 0;
}

/* ---- roofline */

bool roofline_of(const struct report_run *run, const struct gpu_model *model, struct roofline *roofline) {
    uint64_t flops, threads;
    *roofline = (struct roofline){0};
    if (model == NULL || !report_run_counter(run, COUNTER_warp_instructions, &threads))
        return false;
    if (report_run_counter(run, COUNTER_fp32_flops, &flops) &&
        report_run_counter(run, COUNTER_thread_instructions, &threads))
        roofline->flops = (double)flops >= 0.2 * (double)threads && flops > 0;
    double cycles = model->sm_count * model->clock_mhz / 1000;
    roofline->peak = roofline->flops ? cycles * model->fma_rate * 64 : cycles * model->issue_rate;
    roofline->bandwidth[MEMORY_L1] = peak_of(model, MEMORY_L1);
    roofline->bandwidth[MEMORY_L2] = peak_of(model, MEMORY_L2);
    roofline->bandwidth[MEMORY_DRAM] = peak_of(model, MEMORY_DRAM);
    return true;
}

/* A run's work: single-precision operations, or machine instructions, for which the roof is; PTX
 * instructions if only these are known. */
static bool work_of(const struct roofline *roofline, const struct report_run *run, uint64_t *work) {
    if (roofline->flops)
        return report_run_counter(run, COUNTER_fp32_flops, work);
    return (report_run_counter(run, COUNTER_inst_executed, work) && *work > 0) ||
           report_run_counter(run, COUNTER_warp_instructions, work);
}

bool roofline_point(const struct roofline *roofline, const struct report_run *run,
                    struct roofline_point *point) {
    uint64_t work;
    double time = run_kernels_us(run);
    *point = (struct roofline_point){.roof = MEMORY_LEVELS};
    if (!(time > 0) || !work_of(roofline, run, &work) || work == 0)
        return false;
    point->work = (double)work / time / 1000;
    double lowest = roofline->peak;
    for (int level = MEMORY_L1; level < MEMORY_LEVELS; level++) {
        double bytes = 0;
        for (uint32_t k = 0; k < run->kernel_count; k++) {
            struct memory_use levels[MEMORY_LEVELS];
            memory_use(&run->kernels[k], NULL, levels);
            bytes += levels[level].bytes + (level == MEMORY_L1 ? levels[MEMORY_LOCAL].bytes : 0);
        }
        if (bytes <= 0)
            continue;
        point->intensity[level] = (double)work / bytes;
        double roof = roofline->bandwidth[level] * point->intensity[level];
        if (roof < lowest) {
            lowest = roof;
            point->roof = (enum memory_level)level;
        }
    }
    point->reached = point->work / lowest;
    return true;
}

const char *roofline_work(const struct roofline *roofline) {
    return roofline->flops ? "single-precision operations" : "warp instructions";
}

void roofline_row(struct table_row *row, const struct roofline *roofline, const char *name,
                  const struct roofline_point *point) {
    static const unsigned cells[MEMORY_LEVELS] = {0, 0, ROOFLINE_CELL_L1, ROOFLINE_CELL_L2,
                                                  ROOFLINE_CELL_DRAM};
    char text[FORMAT_SIZE];
    *row = (struct table_row){0};
    put(row, ROOFLINE_CELL_NAME, name);
    put(row, ROOFLINE_CELL_WORK, format_number(text, point->work));
    for (int level = MEMORY_L1; level < MEMORY_LEVELS; level++) {
        double intensity = point->intensity[level];
        if (intensity > 0 && intensity < 0.01)
            snprintf(row->cell[cells[level]], TABLE_CELL, "%.2g", intensity);
        else
            put(row, cells[level], intensity > 0 ? format_number(text, intensity) : "-");
    }
    put(row, ROOFLINE_CELL_ROOF,
        point->roof < MEMORY_LEVELS ? memory_level_name(point->roof)
        : roofline->flops           ? "arithmetic"
                                    : "issue slots");
    put(row, ROOFLINE_CELL_REACHED, format_share(text, point->reached < 10 ? point->reached : NAN));
}

/* ---- ranking */

static int by_time(const void *left, const void *right) {
    const struct ranked *a = left, *b = right;
    return a->time_us != b->time_us ? (a->time_us < b->time_us ? 1 : -1) : strcmp(a->name, b->name);
}

uint32_t rank_kernels(const struct report_run *run, struct ranked ranked[RANKED_MOST]) {
    struct ranked *all = calloc((size_t)run->kernel_count + 1, sizeof *all);
    uint32_t count = 0;
    double sum = 0;
    if (all == NULL)
        return 0;
    for (uint32_t k = 0; k < run->kernel_count; k++) {
        const struct kernel_report *kernel = &run->kernels[k];
        uint32_t at = 0;
        if (!isfinite(kernel->time_us))
            continue;
        while (at < count && strcmp(all[at].name, kernel->name) != 0)
            at++;
        if (at == count)
            all[count++] = (struct ranked){.name = kernel->name, .longest = k};
        all[at].launches += kernel_launches(kernel);
        all[at].time_us += kernel->time_us;
        if (kernel->time_us > run->kernels[all[at].longest].time_us)
            all[at].longest = k;
        sum += kernel->time_us;
    }
    qsort(all, count, sizeof *all, by_time);
    count = count < RANKED_MOST ? count : RANKED_MOST;
    for (uint32_t i = 0; i < count; i++) {
        all[i].share = sum > 0 ? all[i].time_us / sum : NAN;
        all[i].limit = all[i].time_us < sum ? sum / (sum - all[i].time_us) : (double)INFINITY;
        ranked[i] = all[i];
    }
    free(all);
    return count;
}

void ranked_row(struct table_row *row, const struct ranked *ranked) {
    char text[FORMAT_SIZE];
    *row = (struct table_row){0};
    put(row, RANKED_CELL_NAME, ranked->name);
    put(row, RANKED_CELL_LAUNCHES, whole(text, ranked->launches));
    put(row, RANKED_CELL_TIME, format_time(text, ranked->time_us));
    put(row, RANKED_CELL_SHARE, format_share(text, ranked->share));
    put(row, RANKED_CELL_LIMIT, isfinite(ranked->limit) ? format_ratio(text, ranked->limit) : "no limit");
}
