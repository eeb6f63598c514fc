/* compare.c: the table of compared counters, and the Markdown around it. */
#include "report/ncu/compare.h"

#include "report/writers/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KERNELS_MAX = 256 };

/* How much a counter may differ, as a share; gpu/simt/README.md says why. Below zero: for
 * information only. A row is the sum of its counters, minus one if given; COUNTER_COUNT: none. */
static const struct row {
    const char *label;
    double bound;
    enum counter counter, plus, less;
} rows[] = {
    {"global load requests", 0, COUNTER_global_load_requests, COUNTER_COUNT, COUNTER_COUNT},
    {"global load sectors", 0, COUNTER_global_load_sectors, COUNTER_COUNT, COUNTER_COUNT},
    {"global store requests", 0, COUNTER_global_store_requests, COUNTER_COUNT, COUNTER_COUNT},
    {"global store sectors", 0.01, COUNTER_global_store_sectors, COUNTER_COUNT, COUNTER_COUNT},
    {"shared load requests", 0, COUNTER_shared_load_requests, COUNTER_COUNT, COUNTER_COUNT},
    {"shared store requests", 0, COUNTER_shared_store_requests, COUNTER_COUNT, COUNTER_COUNT},
    {"shared load wavefronts", 0.02, COUNTER_shared_load_wavefronts, COUNTER_COUNT, COUNTER_COUNT},
    {"shared store wavefronts", 0.02, COUNTER_shared_store_wavefronts, COUNTER_COUNT, COUNTER_COUNT},
    {"shared bank conflicts", -1, COUNTER_shared_bank_conflicts, COUNTER_COUNT, COUNTER_COUNT},
    {"shared wavefronts less conflicts", 0.02, COUNTER_shared_load_wavefronts,
     COUNTER_shared_store_wavefronts, COUNTER_shared_bank_conflicts},
    {"L1 hit sectors", -1, COUNTER_l1_hit_sectors, COUNTER_COUNT, COUNTER_COUNT},
    {"L2 read sectors", 0.1, COUNTER_l2_read_sectors, COUNTER_COUNT, COUNTER_COUNT},
    {"L2 write sectors", 0.1, COUNTER_l2_write_sectors, COUNTER_COUNT, COUNTER_COUNT},
    {"DRAM bytes, read + written", 0.1, COUNTER_dram_read_bytes, COUNTER_dram_write_bytes, COUNTER_COUNT},
    {"machine instructions", 0.1, COUNTER_inst_executed, COUNTER_COUNT, COUNTER_COUNT},
    {"machine code's shared loads", 0, COUNTER_machine_shared_loads, COUNTER_COUNT, COUNTER_COUNT},
    {"machine code's shared stores", 0, COUNTER_machine_shared_stores, COUNTER_COUNT, COUNTER_COUNT},
    {"machine code's local loads", 0, COUNTER_machine_local_loads, COUNTER_COUNT, COUNTER_COUNT},
    {"machine code's local stores", 0, COUNTER_machine_local_stores, COUNTER_COUNT, COUNTER_COUNT},
    {"instructions (PTX : machine)", -1, COUNTER_warp_instructions, COUNTER_COUNT, COUNTER_COUNT},
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

struct pair {
    char name[64];
    struct kernel_report measured;
    const struct kernel_report *simulated; /* NULL: in no report */
};

static bool counter_of(const struct kernel_report *kernel, const struct row *row, uint64_t *value) {
    *value = counter_value(&kernel->counters, row->counter) + counter_value(&kernel->counters, row->plus);
    uint64_t less = counter_value(&kernel->counters, row->less);
    *value -= less < *value ? less : *value;
    return kernel->known[row->counter] && (row->plus == COUNTER_COUNT || kernel->known[row->plus]) &&
           (row->less == COUNTER_COUNT || kernel->known[row->less]);
}

/* "step-0": the only kernel of the run "step 0"; "step-5a.2": the second kernel of "step 5a". */
static const struct kernel_report *find_simulated(const struct report *reports, uint32_t count,
                                                  const char *name) {
    char run_name[64];
    snprintf(run_name, sizeof run_name, "%s", name);
    char *dash = strchr(run_name, '-'), *dot = strrchr(run_name, '.');
    unsigned long number = 0;
    if (dash != NULL)
        *dash = ' ';
    if (dot != NULL) {
        *dot = '\0';
        number = strtoul(dot + 1, NULL, 10);
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct report_run *run = report_find_run(&reports[i], run_name);
        if (run != NULL && dot == NULL && run->kernel_count == 1)
            return &run->kernels[0];
        if (run != NULL && number >= 1 && number <= run->kernel_count)
            return &run->kernels[number - 1];
    }
    return NULL;
}

static void print_row(FILE *to, const struct row *row, const struct pair *pair,
                      struct compare_summary *summary) {
    uint64_t ours, theirs;
    bool have = counter_of(pair->simulated, row, &ours), measured = counter_of(&pair->measured, row, &theirs);
    if (!measured || !have || (ours == 0 && theirs == 0))
        return;
    char ratio[FORMAT_SIZE] = "-";
    const char *verdict = "";
    if (theirs > 0)
        snprintf(ratio, sizeof ratio, "%.4f", (double)ours / (double)theirs);
    if (row->bound >= 0) {
        double off = theirs > 0 ? fabs((double)ours / (double)theirs - 1) : INFINITY;
        bool right = ours == theirs || off <= row->bound + 1e-9;
        verdict = right            ? (row->bound > 0 ? "within" : "equal")
                  : row->bound > 0 ? "**outside**"
                                   : "**not equal**";
        summary->unequal += !right && !(row->bound > 0);
        summary->unequal_global += !right && !(row->bound > 0) && strncmp(row->label, "global", 6) == 0;
        summary->outside += !right && row->bound > 0;
    }
    char bound[16] = "";
    if (row->bound > 0)
        snprintf(bound, sizeof bound, " %.0f %%", 100 * row->bound);
    fprintf(to, "| %s | %llu | %llu | %s | %s%s |\n", row->label, (unsigned long long)ours,
            (unsigned long long)theirs, ratio, verdict, bound);
}

static void print_pair(FILE *to, const struct pair *pair, struct compare_summary *summary) {
    fprintf(to, "\n### %s\n\n", pair->name);
    if (pair->simulated == NULL) {
        fprintf(to, "No report of the simulator has this kernel.\n");
        return;
    }
    summary->kernels++;
    fprintf(to, "| counter | simulator | ncu | ratio | bound |\n|---|--:|--:|--:|---|\n");
    for (int i = 0; i < ROW_COUNT; i++)
        print_row(to, &rows[i], pair, summary);
    fprintf(to, "| registers | %u | %u | | |\n", pair->simulated->registers, pair->measured.registers);
    fprintf(to, "| occupancy, achieved | %.1f %% | %.1f %% | | modelled |\n",
            100 * pair->simulated->occupancy_achieved, 100 * pair->measured.occupancy_achieved);
    fprintf(to, "| time, us | %.1f | %.1f | %.3f | modelled |\n", pair->simulated->time_us,
            pair->measured.time_us, pair->simulated->time_us / pair->measured.time_us);
}

/* Counts every pair of kernels that model and measurement order differently, however close. */
static void print_swapped(FILE *to, const struct pair *pairs, uint32_t count,
                          struct compare_summary *summary) {
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++) {
            const struct kernel_report *a = &pairs[i].measured, *b = &pairs[j].measured;
            if (pairs[i].simulated == NULL || pairs[j].simulated == NULL)
                continue;
            double measured = b->time_us / a->time_us - 1;
            double modelled = pairs[j].simulated->time_us / pairs[i].simulated->time_us - 1;
            if (!(measured * modelled < 0))
                continue;
            fprintf(to, "%s%s to %s: measured %+.1f %%, modelled %+.1f %%",
                    summary->swapped > 0 ? "; " : "\nIn another order than measured: ", pairs[i].name,
                    pairs[j].name, 100 * measured, 100 * modelled);
            summary->swapped++;
        }
    fputs(summary->swapped > 0 ? ".\n" : "\nAll pairs come in the measured order.\n", to);
}

static void print_times(FILE *to, const struct pair *pairs, uint32_t count, struct compare_summary *summary) {
    double sum = 0;
    uint32_t compared = 0;
    fputs("| kernel | measured, us | modelled, us | error | the model's limit |\n|---|--:|--:|--:|---|\n",
          to);
    for (uint32_t i = 0; i < count; i++) {
        const struct kernel_report *ours = pairs[i].simulated, *theirs = &pairs[i].measured;
        if (ours == NULL || !isfinite(theirs->time_us) || !isfinite(ours->time_us))
            continue;
        double error = ours->time_us / theirs->time_us - 1;
        sum += fabs(error);
        compared++;
        fprintf(to, "| %s | %.1f | %.1f | %+.0f %% | %s |\n", pairs[i].name, theirs->time_us, ours->time_us,
                100 * error, gpu_unit_name(ours->limiter));
    }
    if (compared == 0)
        return;
    summary->mean_error = sum / compared;
    fprintf(to, "\nMean error of the modelled time: %.1f %% over %u kernels.\n", 100 * summary->mean_error,
            compared);
    print_swapped(to, pairs, count, summary);
}

void compare_print_heading(FILE *to) {
    fputs(
        "# The simulator's counters beside Nsight Compute's\n"
        "\n"
        "Written by `make compare-counters`. Each figure of ncu is the median over the recorded launches. Requests and the\n"
        "sectors of loads must be equal; the sectors of stores within 1 % (ncu's own launches differ by as much); shared\n"
        "wavefronts within 2 %; L2 and DRAM traffic within 10 %. ncu counts a little arbitration noise as conflicts and as\n"
        "wavefronts: \"less conflicts\" is without it. The simulator counts PTX instructions, ncu machine instructions: they are\n"
        "shown, not compared. Time and achieved occupancy of the simulator are modelled, everything else is counted.\n"
        "Where ptxas merges shared loads of neighbouring words (lab 6, steps 6c and 6d), and where it counts asynchronous\n"
        "copies elsewhere (6h), the machine code's shared requests are not the PTX's: the table says \"not equal\", and below\n"
        "it what the machine code does, spilled registers with it.\n"
        "common/gpu/time/README.md says on which of these kernels the model was fitted: for those the error is a fit's, for the\n"
        "others a prediction's.\n",
        to);
}

void compare_print(FILE *to, const char *title, const struct ncu_launches *recording, const char *about,
                   const struct report *reports, uint32_t report_count, struct compare_summary *summary) {
    *summary = (struct compare_summary){.mean_error = NAN};
    struct pair *pairs = calloc(KERNELS_MAX, sizeof *pairs);
    uint32_t count = 0;
    for (uint32_t i = 0; pairs != NULL && i < recording->count && count < KERNELS_MAX; i++) {
        const char *name = recording->items[i].name;
        bool seen = strncmp(name, "copy-", 5) == 0; /* plain copies are the floor, not steps */
        for (uint32_t j = 0; j < count; j++)
            seen |= strncmp(pairs[j].name, name, sizeof pairs[j].name - 1) == 0;
        if (seen || !ncu_median(recording, name, &pairs[count].measured))
            continue;
        snprintf(pairs[count].name, sizeof pairs[count].name, "%s", name);
        pairs[count].simulated = find_simulated(reports, report_count, name);
        count++;
    }
    fprintf(to, "\n## %s\n\nThe measured side:\n\n", title);
    for (const char *line = about; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        fprintf(to, "> %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    fputc('\n', to);
    print_times(to, pairs, count, summary);
    for (uint32_t i = 0; i < count; i++)
        print_pair(to, &pairs[i], summary);
    for (uint32_t i = 0; i < count; i++)
        kernel_report_free(&pairs[i].measured);
    free(pairs);
}
