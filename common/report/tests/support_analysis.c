/* support_analysis.c: reports for tests: a small one, and the Gaussian of lab 1. */
#include "report/tests/support_analysis.h"

#include "report/ncu/ncu.h"

#include <math.h>

uint64_t test_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 24;
}

/* Values with six significant digits, as in a report; sometimes absent. */
static double number(uint64_t *state) {
    if (test_random(state) % 9 == 0)
        return NAN;
    char text[32];
    snprintf(text, sizeof text, "%.6g",
             (double)test_random(state) / (double)(1 + test_random(state) % 1000000));
    return strtod(text, NULL);
}

/* A share, sometimes a little above 1, or absent. */
static double share(uint64_t *state) {
    return test_random(state) % 9 == 0 ? NAN : (double)(test_random(state) % 1100) / 1000;
}

static void fill_kernel(struct kernel_report *kernel, uint64_t *state) {
    *kernel = (struct kernel_report){.registers = test_random(state) % 256,
                                     .shared_bytes = test_random(state) % 65536,
                                     .time_us = number(state),
                                     .waves = number(state),
                                     .tail = share(state),
                                     .occupancy_theoretical = share(state),
                                     .occupancy_achieved = share(state),
                                     .line_count = test_random(state) % 5};
    assert_true(report_set_text(&kernel->name, "blur(unsigned char const*, \"quoted\")"));
    kernel->time_source = TIME_MODEL;
    kernel->limiter = GPU_SHARED;
    for (int i = 0; i < 3; i++) {
        kernel->grid[i] =
            (uint32_t)test_random(state) & (i == 0 ? INT32_MAX : UINT16_MAX); /* as CUDA bounds them */
        kernel->block[i] = 1 + test_random(state) % 32;
    }
    for (int i = 0; i < GPU_UNIT_COUNT; i++)
        kernel->unit_share[i] = share(state);
    for (int i = 0; i < COUNTER_COUNT; i++) {
        kernel->known[i] = test_random(state) % 7 != 0;
        if (kernel->known[i])
            counter_set(&kernel->counters, (enum counter)i, test_random(state));
    }
    for (uint32_t i = 0; test_random(state) % 2 && i < KERNEL_TRIED; i++)
        kernel->tried[kernel->tried_count++] = (struct kernel_tried){.why = CODE_NARROW_BLOCK,
                                                                     .block = {32, 2, 1},
                                                                     .time_us = number(state),
                                                                     .same = test_random(state) % 2};
    kernel->executed.known = test_random(state) % 2;
    if (kernel->executed.known) {
        kernel->executed.lines = calloc(2, sizeof *kernel->executed.lines);
        assert_non_null(kernel->executed.lines);
        kernel->executed.count = 2;
        for (int i = 0; i < 2; i++) {
            struct executed_line *line = &kernel->executed.lines[i];
            assert_true(report_set_text(&line->file, i == 0 ? "labs/lab1/a-kernel-of-a-long-name.cu" : ""));
            line->line = i == 0 ? (uint32_t)(1 + test_random(state) % 200000) : 0;
            for (int k = 0; k < MACHINE_COUNTERS; k++)
                line->counts[k] = test_random(state);
        }
        kernel->executed.blocks = calloc(1, sizeof *kernel->executed.blocks);
        assert_non_null(kernel->executed.blocks);
        kernel->executed.block_count = 1;
        kernel->executed.blocks[0].first = (uint32_t)(test_random(state) % 200000);
        kernel->executed.blocks[0].instructions = (uint32_t)(1 + test_random(state) % 500);
        for (int k = 0; k < MACHINE_COUNTERS; k++)
            kernel->executed.blocks[0].counts[k] = test_random(state);
    }
    kernel->waits.known = test_random(state) % 2;
    for (int i = 0; kernel->waits.known && i < GPU_STALL_COUNT; i++)
        kernel->waits.share[i] = (double)(test_random(state) % 100) / 800;
    if (kernel->waits.known) {
        kernel->waits.lines = calloc(1, sizeof *kernel->waits.lines);
        assert_non_null(kernel->waits.lines);
        assert_true(report_set_text(&kernel->waits.lines[0].file, "labs/lab1/kernel.cu"));
        kernel->waits.count = 1;
        kernel->waits.lines[0].line = 12;
        kernel->waits.lines[0].share = 0.5;
        kernel->waits.lines[0].stall = GPU_STALL_BARRIER;
        kernel->waits.lines[0].stall_share = 0.25;
    }
    kernel->what_ifs.count = kernel->waits.known ? GPU_WHAT_IFS : 0;
    for (uint32_t i = 0; i < kernel->what_ifs.count; i++) {
        struct kernel_what_if *item = &kernel->what_ifs.items[i];
        assert_true(report_set_text(&item->file, "labs/lab1/a_kernel_whose_name_is_long.cu"));
        item->lift = (enum gpu_lift)(i % GPU_LIFT_COUNT);
        item->line = i < GPU_LIFT_COUNT ? 0 : 100000 + i;
        item->factor = 1 + 0.2 * i;
    }
    kernel->lines = calloc(kernel->line_count + 1, sizeof kernel->lines[0]);
    assert_non_null(kernel->lines);
    for (uint32_t i = 0; i < kernel->line_count; i++) {
        struct kernel_line *line = &kernel->lines[i];
        assert_true(report_set_text(&line->file, "labs/lab1/kernel.cu"));
        line->line = i + 10;
        line->kind = (enum line_kind)(i % LINE_KIND_COUNT);
        line->requests = test_random(state);
        line->transactions = test_random(state);
        line->ideal = test_random(state);
        line->threads = test_random(state);
        if (test_random(state) % 3 == 0)
            continue;
        strcpy(line->facts.array, test_random(state) % 2 ? "tile" : "");
        line->facts.lanes = (enum line_lanes)(test_random(state) % LANES_COUNT);
        for (int fact = 0; fact < LINE_FACT_COUNT; fact++)
            if (test_random(state) % 2)
                line_fact_set(&line->facts, (enum line_fact)fact, (int64_t)test_random(state) - 1000);
    }
}

static void fill_wrong(struct report_wrong *wrong, uint64_t *state) {
    *wrong = (struct report_wrong){.present = true,
                                   .name = "7 x 1, one bright pixel",
                                   .message = "5 of 7 pixels differ",
                                   .elements = test_random(state) % 20,
                                   .nondeterministic = test_random(state) % 2,
                                   .listed_count = (uint32_t)(test_random(state) % (REPORT_LISTED + 1))};
    if (test_random(state) % 2)
        strcpy(wrong->hint, "Shifted by one pixel right: is it x - 3, not x - 2? Look at the border, too.");
    if (test_random(state) % 2) {
        strcpy(wrong->cause, "centre");
        wrong->cause_cases = (uint32_t)(test_random(state) % 48) + 1;
    }
    if (test_random(state) % 2)
        strcpy(wrong->place, "(x, y)");
    for (uint32_t i = 0; i < wrong->listed_count; i++)
        wrong->listed[i] = (struct report_element){test_random(state) % 1000000, "(12, 4711)", "255", "-0.5"};
}

struct report test_report(uint64_t *state, int kernels) {
    struct report report;
    assert_true(report_init(&report, "lab1", "Memory layout: \xc3\xbc and <tags> & more"));
    assert_true(report_set_device(&report, DEVICE_SIM, "NVIDIA H200", test_random(state) % 2 ? "h200" : NULL,
                                  "13.0"));
    report.problem = (struct report_problem){2560, 1600, test_random(state) << 23, NULL};
    if (test_random(state) % 2)
        assert_true(report_set_failure(&report, STAGE_CORRECTNESS, "pixel 3: got 4, expected 5"));
    if (test_random(state) % 2)
        assert_true(report_set_text(&report.source, "labs/lab1-x/kernel.cu") &&
                    report_set_text(&report.output, "<printed>\nby the program") &&
                    report_set_text(&report.criterion, "bit for bit") &&
                    report_add_file(&report, "build/lab1/report.json") &&
                    report_add_file(&report, "build/lab1/difference.png"));
    if (test_random(state) % 2)
        assert_true(report_add_part(&report, "A", "the first", "8 x 8") &&
                    report_add_part(&report, "B", "the second", "9 x 9"));
    if (test_random(state) % 2)
        fill_wrong(&report.wrong, state);
    report.cpu_us = number(state);
    for (int i = 0; i < 5; i++)
        assert_true(report_add_case(&report, "1x1", test_random(state) % 2, "a\nb"));
    for (int r = 0; r < 2; r++) {
        struct report_run *run = report_add_run(&report, r == 0 ? "starter" : "yours");
        assert_non_null(run);
        run->time_source = TIME_MODEL;
        run->time_us = number(state);
        run->speedup = number(state);
        if (r == 1) {
            run->ci95_us[0] = 1.25;
            run->ci95_us[1] = 2.5;
        }
        for (int k = 0; k < kernels; k++) {
            struct kernel_report *kernel = report_run_add_kernel(run);
            assert_non_null(kernel);
            fill_kernel(kernel, state);
        }
    }
    assert_true(report_add_goal(&report, "speedup", number(state), 1, 1.8, 40, 60) &&
                report_add_goal(&report, "sectors per load request", number(state), 4.5, 2, 0, 40));
    assert_true(report_set_text(&report.goals[0].measure, "speedup_share"));
    report.score_pass = number(state);
    report.too_close = test_random(state) % 2;
    report.score_points = 78;
    report.score_max = 100;
    report.score_passed = test_random(state) % 2;
    return report;
}

static void add_line(struct kernel_report *kernel, uint32_t line, enum line_kind kind, uint64_t requests,
                     uint64_t transactions, uint64_t ideal) {
    struct kernel_line *to = &kernel->lines[kernel->line_count++];
    assert_true(report_set_text(&to->file, "kernel.cu"));
    to->line = line;
    to->kind = kind;
    to->requests = requests;
    to->transactions = transactions;
    to->ideal = ideal;
    to->threads = requests * 32;
}

void test_gaussian(struct kernel_report *kernel) {
    *kernel = (struct kernel_report){.grid = {320, 200, 1},
                                     .block = {8, 8, 1},
                                     .registers = 63,
                                     .time_us = 105.6,
                                     .waves = 30.3,
                                     .tail = 0.01,
                                     .occupancy_theoretical = 0.5,
                                     .occupancy_achieved = 0.458};
    assert_true(report_set_text(&kernel->name, "gaussian"));
    kernel->time_source = TIME_MODEL;
    kernel->limiter = GPU_L1;
    const double share[GPU_UNIT_COUNT] = {.44, .2, .25, 0, 0, .2, .95, 0, .05, .02, .2, .02};
    memcpy(kernel->unit_share, share, sizeof share);
    for (int i = 0; i < COUNTER_COUNT; i++)
        kernel->known[i] = true;
    kernel->counters = (struct counters){.warp_instructions = 60000000,
                                         .thread_instructions = 32 * 60000000ull,
                                         .global_load_requests = 6272000,
                                         .global_load_sectors = 30364232,
                                         .global_load_bytes = 6272000ull * 32,
                                         .global_store_requests = 128000,
                                         .global_store_sectors = 512000,
                                         .global_load_wavefronts = 26000000,
                                         .inst_int = 30000000,
                                         .inst_int_multiply = 6272000,
                                         .inst_memory = 6400000,
                                         .branches = 1000};
    kernel->lines = calloc(4, sizeof kernel->lines[0]);
    assert_non_null(kernel->lines);
    add_line(kernel, 14, LINE_GLOBAL_LOAD, 6272000, 30364232, 6272000);
    add_line(kernel, 18, LINE_GLOBAL_STORE, 128000, 512000, 128000);
    add_line(kernel, 12, LINE_BRANCH, 1000, 0, 0);
}

bool test_comes_back(const struct kernel_report *kernel, const char *from, const char *to,
                     struct kernel_report *again, char *error, size_t size) {
    json_auto_t *json = kernel_report_to_json(kernel);
    char *text = json_dumps(json, JSON_COMPACT | REPORT_JSON_FLAGS), changed[8192];
    assert_non_null(text);
    const char *at = from != NULL ? strstr(text, from) : NULL;
    assert_true(from == NULL || at != NULL);
    if (at != NULL)
        snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    json_auto_t *read = json_loads(at != NULL ? changed : text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(read);
    bool right = kernel_report_from_json(again, read, error, size);
    free(text);
    return right;
}

void test_ncu_knows(bool known[COUNTER_COUNT]) {
    char error[256], *text = NULL;
    size_t length;
    FILE *csv = open_memstream(&text, &length);
    assert_non_null(csv);
    fprintf(csv, "kernel,launch,grid,block,%s\nk,1,1 1 1,32 1 1", ncu_metrics());
    for (const char *at = ncu_metrics(); at != NULL; at = strchr(at + 1, ','))
        fputs(",1", csv);
    fputc('\n', csv);
    fclose(csv);
    ENDED(ncu_free) struct ncu_launches launches;
    if (!ncu_read(&launches, text, length, "metrics", error, sizeof error))
        fail_msg("%s", error);
    assert_int_equal(launches.count, 1);
    memcpy(known, launches.items[0].known, COUNTER_COUNT * sizeof *known);
    free(text);
}
