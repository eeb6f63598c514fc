/* test_findings.c: each rule fires on a kernel with its fault, names the line, and is silent on one
 * without. */
#include "report/findings/findings.h"
#include "report/tests/support_analysis.h"

#include <math.h>

static struct gpu_model model_of(const char *id) {
    struct gpu_model model;
    char error[512];
    if (!gpu_model_load(NULL, id, &model, error, sizeof error))
        fail_msg("%s", error);
    return model;
}

static const struct finding *find(const struct findings *findings, const char *code) {
    for (uint32_t i = 0; i < findings->count; i++)
        if (strcmp(finding_code_name(findings->items[i].code), code) == 0)
            return &findings->items[i];
    return NULL;
}

/* The text of that finding; "": there is none. */
static const char *said(const struct finding *finding) {
    return finding != NULL ? finding->what : "";
}

static const struct finding *look(const struct kernel_report *kernel, const char *id, const char *code) {
    static struct findings findings; /* the pointer must outlive the call; each test reads it at once */
    struct gpu_model model = model_of(id);
    findings_from_report(kernel, &model, &findings);
    return find(&findings, code);
}

static void gaussian_reads_columns(void **state) {
    struct kernel_report kernel;
    test_gaussian(&kernel);
    struct gpu_model model = model_of("h200");
    struct findings findings;
    findings_from_report(&kernel, &model, &findings);
    assert_int_equal(findings.items[0].code, CODE_LIMITER);
    assert_non_null(strstr(findings.items[0].what, "L1"));
    /* Next the largest gain: line 14's loads, with the right figures. */
    const struct finding *loads = &findings.items[1];
    assert_int_equal(loads->code, CODE_COALESCING);
    assert_int_equal(loads->line, 14);
    assert_int_equal(loads->severity, FINDING_MAJOR);
    assert_non_null(strstr(said(loads), "touches 4.8 sectors of 32 bytes; its bytes would fit in 1.0."));
    assert_true(loads->gain > 0.3 && loads->gain < 0.8);
    /* in order of gain */
    for (uint32_t i = 2; i < findings.count; i++)
        assert_false(findings.items[i].gain > findings.items[i - 1].gain);
    /* Registers limit the occupancy, but more would not help: a note. */
    const struct finding *occupancy = find(&findings, "occupancy");
    assert_non_null(occupancy);
    if (occupancy == NULL) /* gcc does not know that the assertion leaves */
        return;
    assert_non_null(strstr(said(occupancy), "registers"));
    assert_int_equal(occupancy->severity, FINDING_NOTE);
    /* Without lines the sums give the finding, without a line. */
    kernel.line_count = 1, kernel.lines[0].requests = 0, kernel.lines[0].kind = LINE_BRANCH;
    const struct finding *total = look(&kernel, "h200", "coalescing");
    assert_non_null(total);
    assert_int_equal(total->line, 0);
    kernel.line_count = 3;
    kernel_report_free(&kernel);
}

static void coalesced_is_left_alone(void **state) {
    struct kernel_report kernel;
    test_gaussian(&kernel);
    kernel.lines[0].transactions = 11568392, kernel.lines[0].requests = 6265280,
    kernel.lines[0].ideal = 6265280;
    kernel.lines[1].transactions = kernel.lines[1].ideal = 128000;
    kernel.counters.global_load_sectors = 11568392;
    assert_null(look(&kernel, "h200", "coalescing")); /* rows that start anywhere: 1.85 for 1.0 is no fault */
    kernel_report_free(&kernel);
}

/* One change to a quiet kernel gives one finding. */
static void one_fault_one_finding(void **state) {
    static const char *const codes[] = {
        "bank-conflicts", "divergence",       "partial-warps", "local-memory",  "small-grid", "tail",
        "conversions",    "double-precision", "atomics",       "short-threads", "occupancy",  "reuse"};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        struct kernel_report kernel;
        test_gaussian(&kernel);
        kernel.line_count = 0;
        struct counters *c = &kernel.counters;
        *c = (struct counters){.warp_instructions = 30000000,
                               .thread_instructions = 32 * 30000000ull,
                               .inst_int = 5000000,
                               .inst_fp32_fma = 20000000,
                               .inst_memory = 1000000,
                               .global_load_requests = 500000,
                               .global_load_sectors = 2000000,
                               .global_load_bytes = 64000000,
                               .l2_read_sectors = 2000000,
                               .shared_load_requests = 500000,
                               .shared_load_wavefronts = 500000};
        kernel.occupancy_theoretical = 1, kernel.tail = 0, kernel.registers = 32;
        const double share[GPU_UNIT_COUNT] = {.5, .9, .2, 0, 0, .1, .1, .1, .1, .3, .1, .02};
        memcpy(kernel.unit_share, share, sizeof share);
        kernel.limiter = GPU_FMA;
        assert_null(look(&kernel, "h200", codes[i]));
        switch (i) {
        case 0: c->shared_bank_conflicts = 100000, kernel.unit_share[GPU_SHARED] = 0.8; break;
        case 1:
            c->thread_instructions = 16 * 30000000ull, c->branches = 100, c->divergent_branches = 50;
            break;
        case 2: c->thread_instructions = 20 * 30000000ull, kernel.block[0] = 10, kernel.block[1] = 2; break;
        case 3:
            c->local_load_requests = 500000, c->local_load_sectors = 2000000, kernel.unit_share[GPU_L1] = 0.8;
            break;
        case 4: kernel.grid[0] = 20, kernel.grid[1] = 1; break;
        case 5: kernel.tail = 0.3, kernel.waves = 1.4; break;
        case 6: kernel.unit_share[GPU_SPECIAL] = 0.95, c->inst_conversion = 10; break;
        case 7: kernel.unit_share[GPU_FP64] = 0.95, c->inst_fp64 = 10; break;
        case 8: c->atomics = 300000; break;
        case 9:
            c->warp_instructions = 1000000, kernel.unit_share[GPU_LATENCY] = 0.7;
            kernel.unit_share[GPU_FMA] = 0.4; /* a full unit would leave nothing to gain */
            break;
        case 10: kernel.occupancy_theoretical = 0.25, kernel.registers = 120; break;
        default: c->global_load_bytes = 49 * 64000000ull, kernel.unit_share[GPU_L1] = 0.9; break;
        }
        if (look(&kernel, "h200", codes[i]) == NULL)
            fail_msg("no finding \"%s\"", codes[i]);
        kernel.line_count = 3;
        kernel_report_free(&kernel);
    }
}

/* A line with an exact root, of 15 instructions each, that is 40 % of what is executed. */
static void slow_roots_are_told(void **state) {
    struct kernel_report kernel;
    test_gaussian(&kernel);
    kernel.lines[2].kind = LINE_SPECIAL;
    kernel.executed = (struct kernel_executed){.known = true, .count = 2};
    kernel.executed.lines = calloc(3, sizeof *kernel.executed.lines);
    assert_non_null(kernel.executed.lines);
    struct executed_line *root = &kernel.executed.lines[1], *other = &kernel.executed.lines[0];
    assert_true(report_set_text(&root->file, kernel.lines[2].file));
    assert_true(report_set_text(&other->file, kernel.lines[2].file));
    root->line = kernel.lines[2].line, other->line = 14;
    root->counts[0] = 15000, other->counts[0] = 22500;
    kernel.unit_share[GPU_L1] = 0.3;
    const struct finding *slow = look(&kernel, "h200", "special");
    assert_non_null(slow);
    assert_int_equal(slow->line, 12);
    assert_non_null(
        strstr(said(slow), "40 % of the executed instructions are of this line, 15 for each root"));
    other->counts[0] = 40000; /* 27 % */
    assert_null(look(&kernel, "h200", "special"));
    root->counts[0] = 5000, other->counts[0] = 5000; /* 5 for each: approximate ones and a little more */
    assert_null(look(&kernel, "h200", "special"));
    kernel_report_free(&kernel);
}

/* Integers that are the work itself have no advice on indices. */
static void indices_are_blamed_where_they_are(void **state) {
    struct kernel_report kernel;
    test_gaussian(&kernel);
    kernel.unit_share[GPU_ISSUE] = 0.9, kernel.unit_share[GPU_L1] = 0.3;
    kernel.counters.inst_int = 45000000;
    const struct finding *overhead = look(&kernel, "h200", "overhead");
    assert_non_null(overhead);
    assert_non_null(strstr(overhead->advice, "Where they compute indices"));
    kernel.counters.inst_memory = 400000;
    overhead = look(&kernel, "h200", "overhead");
    assert_non_null(overhead);
    assert_string_equal(overhead->advice, "");
    assert_true(isnan(overhead->gain)); /* nobody says that they can go */
    assert_non_null(strstr(said(overhead), "97 for each access to memory"));
    kernel.counters.inst_control = 12000000; /* but many branches are loops and borders */
    assert_non_null(strstr(look(&kernel, "h200", "overhead")->advice, "unroll the loops"));
    kernel_report_free(&kernel);
}

/* A finding and the time without its fault say the same. */
static void gain_is_as_timed(void **state) {
    struct kernel_report kernel;
    test_gaussian(&kernel);
    kernel.tail = 0.5, kernel.waves = 1.2;
    assert_non_null(look(&kernel, "h200", "tail"));
    const struct kernel_what_ifs as_it_is = kernel.what_ifs;
    const struct finding *loads = look(&kernel, "h200", "coalescing");
    double before = loads->gain;
    kernel.what_ifs = (struct kernel_what_ifs){3,
                                               {{GPU_LIFT_SECTORS, "", 0, 1.5},
                                                {GPU_LIFT_TAIL, "", 0, 1.01},
                                                {GPU_LIFT_SECTORS, kernel.lines[0].file, 14, 1.25}}};
    assert_null(look(&kernel, "h200", "tail"));
    loads = look(&kernel, "h200", "coalescing");
    assert_float_equal(loads->gain, 0.2, 1e-9);
    assert_true(before > 0.3);
    kernel.what_ifs.items[2].line = 15; /* no line gains more than all together */
    kernel.what_ifs.items[0].factor = 1.11;
    assert_true(look(&kernel, "h200", "coalescing")->gain < 0.1);
    kernel.what_ifs = as_it_is;
    kernel_report_free(&kernel);
}

/* Warps that wait for data nine tenths of the time, of local memory half of that, wait for local memory. */
static void local_memory_by_its_waits(void **state) {
    struct kernel_report kernel;
    test_gaussian(&kernel);
    kernel.counters.local_load_requests = kernel.counters.global_load_requests;
    kernel.counters.local_load_sectors = 8;
    kernel.unit_share[GPU_LATENCY] = 0.9, kernel.unit_share[GPU_L1] = 0.2;
    kernel.waits.known = false;
    assert_null(look(&kernel, "h200", "local-memory"));
    kernel.waits.known = true;
    kernel.waits.share[GPU_STALL_LONG_SCOREBOARD] = 0.9;
    const struct finding *local = look(&kernel, "h200", "local-memory");
    assert_non_null(local);
    assert_true(local->gain > 0.15);
    kernel.waits.known = false;
    kernel_report_free(&kernel);
}

/* A gain below 2 %, as of two local requests, is left out. */
static void what_changes_nothing_is_not_said(void **state) {
    struct kernel_report kernel;
    test_gaussian(&kernel);
    kernel.counters.local_load_requests = 2, kernel.counters.local_load_sectors = 8;
    assert_null(look(&kernel, "h200", "local-memory"));
    kernel.counters.local_load_requests = 2000000, kernel.counters.local_load_sectors = 8000000;
    assert_non_null(look(&kernel, "h200", "local-memory"));
    kernel_report_free(&kernel);
}

/* A launch measured by ncu: no lines, no instruction mix, no shares of latency and launch. Findings
 * print no unknown share, neither as 0 % nor as '-'. */
static void unknown_shares_are_not_said(void **state) {
    struct kernel_report kernel;
    test_gaussian(&kernel);
    kernel.line_count = 0;
    kernel.time_source = TIME_NCU;
    kernel.counters = (struct counters){.warp_instructions = 30000000,
                                        .thread_instructions = 20 * 30000000ull,
                                        .global_load_requests = 500000,
                                        .global_load_sectors = 2000000,
                                        .shared_load_requests = 5000000,
                                        .local_load_requests = 400000000,
                                        .local_store_requests = 4000000,
                                        .local_load_sectors = 1600000000,
                                        .divergent_branches = 1000,
                                        .atomics = 30000000};
    test_ncu_knows(kernel.known);
    kernel.known[COUNTER_shared_load_wavefronts] = false; /* not on every chip */
    assert_false(kernel.known[COUNTER_inst_memory] || kernel.known[COUNTER_branches]);
    kernel.waves = 30, kernel.tail = NAN, kernel.occupancy_theoretical = 0.25, kernel.registers = 0;
    const double share[GPU_UNIT_COUNT] = {.3, NAN, .2, 0, .45, .1, .4, .42, .4, .3, NAN, NAN};
    memcpy(kernel.unit_share, share, sizeof share);
    kernel.limiter = GPU_LATENCY;

    struct gpu_model model = model_of("h200");
    struct findings findings;
    findings_from_report(&kernel, &model, &findings);
    for (uint32_t i = 0; i < findings.count; i++) {
        const char *what = findings.items[i].what;
        if (strstr(what, " 0 ") != NULL || strstr(what, "(0 ") != NULL || strstr(what, " - ") != NULL ||
            strstr(what, "nan") != NULL)
            fail_msg("%s: %s", finding_code_name(findings.items[i].code), what);
    }
    assert_string_equal(said(find(&findings, "limiter")),
                        "The limit is waiting (too few warps or loads in flight); next is special "
                        "functions and conversions, 45 % of the time.");
    assert_string_equal(
        said(find(&findings, "local-memory")),
        "404 M requests go to local memory: registers spilled, or an array indexed by a variable.");
    assert_string_equal(said(find(&findings, "divergence")),
                        "On average 20 of 32 threads of a warp are active.");
    assert_string_equal(said(find(&findings, "atomics")), "30.0 M requests are atomics on global memory.");
    assert_non_null(strstr(said(find(&findings, "special")), "Conversions, roots, divisions and the like"));
    assert_non_null(find(&findings, "occupancy"));
    assert_null(find(&findings, "shared-reuse")); /* whether there are conflicts is unknown */

    kernel.unit_share[GPU_SPECIAL] = NAN; /* the next share is unknown, too */
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
        kernel.unit_share[unit] = NAN;
    findings_from_report(&kernel, &model, &findings);
    assert_string_equal(said(find(&findings, "limiter")),
                        "The limit is waiting (too few warps or loads in flight).");
    const struct finding *spills = find(&findings, "local-memory");
    assert_true(spills != NULL && isnan(spills->gain)); /* no share, no estimate */
    kernel.line_count = 3;
    kernel_report_free(&kernel);
}

/* At 60 % the busiest unit is named, and what warps wait for; from 80 % on it is the limit. */
static void a_limit_is_full(void **state) {
    struct kernel_report kernel;
    test_gaussian(&kernel);
    kernel.waits.known = false;
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
        kernel.unit_share[unit] = unit == GPU_DRAM ? 0.6 : unit == GPU_LAUNCH ? 0.3 : 0.1;
    kernel.limiter = GPU_DRAM;
    const struct finding *finding = look(&kernel, "h200", "limiter");
    assert_string_equal(said(finding), "No unit is full: the busiest is the device memory, 60 % of the time; "
                                       "next is starting and ending the kernel, 30 %.");
    assert_true(finding != NULL && strstr(finding->advice, "latency, occupancy") != NULL);
    kernel.waits.known = true;
    kernel.occupancy_theoretical = 0.5;
    memset(kernel.waits.share, 0, sizeof kernel.waits.share);
    kernel.waits.share[GPU_STALL_LONG_SCOREBOARD] = 0.9, kernel.waits.share[GPU_STALL_SELECTED] = 0.1;
    finding = look(&kernel, "h200", "limiter");
    assert_string_equal(
        said(finding),
        "No unit is full: the busiest is the device memory, 60 % of the time; next is starting "
        "and ending the kernel, 30 %. Warps wait for: data of global or local memory 90 %.");
    assert_true(finding != NULL && strstr(finding->advice, "More in flight") != NULL);
    assert_true(finding != NULL && strstr(finding->advice, "more warps") != NULL);
    kernel.occupancy_theoretical = 1; /* there is no room for more */
    finding = look(&kernel, "h200", "limiter");
    assert_true(finding != NULL && strstr(finding->advice, "more warps") == NULL);
    kernel.waits.share[GPU_STALL_LONG_SCOREBOARD] = 0;
    kernel.waits.share[GPU_STALL_LG] = 0.9; /* warps queue: more warps would queue, too */
    finding = look(&kernel, "h200", "limiter");
    assert_true(finding != NULL && *finding->advice == '\0');
    kernel.unit_share[GPU_DRAM] = 0.85;
    finding = look(&kernel, "h200", "limiter");
    assert_string_equal(said(finding), "The limit is the device memory: busy for 85 % of the time; next is "
                                       "starting and ending the kernel, 30 %.");

    kernel.unit_share[GPU_L2] =
        0.87; /* both are limits: moving fewer bytes helps, and not hits in L2 alone */
    kernel.limiter = GPU_L2;
    finding = look(&kernel, "h200", "limiter");
    assert_string_equal(said(finding),
                        "The limits are the L2 cache, busy for 87 % of the time, and the device "
                        "memory, 85 %.");
    assert_true(finding != NULL && strstr(finding->advice, "only moving fewer bytes") != NULL);
    kernel.unit_share[GPU_L2] = 0.1;

    kernel.unit_share[GPU_DRAM] = 0.4, kernel.unit_share[GPU_LATENCY] = 0.55;
    kernel.limiter = GPU_LATENCY;
    kernel.waits.share[GPU_STALL_NO_INSTRUCTION] = 0.95;
    finding = look(&kernel, "h200", "limiter");
    assert_non_null(strstr(said(finding), "No unit is full: most goes to waiting (too few warps or loads in "
                                          "flight), 55 % of the time; next is the device memory, 40 %. Warps "
                                          "wait for: the next instruction's code 95 %"));
    assert_true(finding != NULL && strstr(finding->advice, "Less code") != NULL);
    kernel.unit_share[GPU_LATENCY] = 0.9;
    assert_non_null(strstr(said(look(&kernel, "h200", "limiter")), "The limit is waiting"));

    kernel.unit_share[GPU_LATENCY] = 0.1, kernel.unit_share[GPU_LAUNCH] = 0.7;
    kernel.limiter = GPU_LAUNCH;
    assert_string_equal(said(look(&kernel, "h200", "limiter")),
                        "What takes longest is starting and ending the kernel, 70 % of the time; next is the "
                        "device memory, 40 %.");
    kernel_report_free(&kernel);
}

/* Conversions in the machine code of integer divisions are not the kernel's conversions. */
static void divisions_are_no_conversions(void **state) {
    struct kernel_report kernel;
    test_gaussian(&kernel);
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
        kernel.unit_share[unit] = unit == GPU_SPECIAL ? 0.9 : 0.1;
    kernel.counters.inst_conversion = 1000000, kernel.counters.inst_division = 10000;
    kernel.known[COUNTER_inst_conversion] = kernel.known[COUNTER_inst_division] = true;
    kernel.known[COUNTER_inst_special] = true;
    assert_non_null(look(&kernel, "h200", "conversions"));
    kernel.counters.inst_conversion = 1000, kernel.counters.inst_division = 1000000;
    assert_null(look(&kernel, "h200", "conversions"));
    kernel_report_free(&kernel);
}

/* 128 registers a thread are well spent if a unit is busy, and the fault if warps wait. */
static void low_occupancy_may_be_right(void **state) {
    struct kernel_report kernel;
    test_gaussian(&kernel);
    kernel.occupancy_theoretical = 0.125, kernel.registers = 242;
    const double busy[GPU_UNIT_COUNT] = {.9, .8, .2, 0, 0, .1, .1, .3, .1, .3, .5, .02};
    memcpy(kernel.unit_share, busy, sizeof busy);
    const struct finding *finding = look(&kernel, "h200", "occupancy");
    assert_non_null(strstr(said(finding), "12 % at most, limited by registers"));
    assert_non_null(strstr(said(finding), "no fault here"));
    if (finding != NULL) {
        assert_string_equal(finding->advice, "");
        assert_int_equal(finding->severity, FINDING_NOTE);
    }
    kernel.unit_share[GPU_LATENCY] = 0.95;
    finding = look(&kernel, "h200", "occupancy");
    assert_null(strstr(said(finding), "no fault"));
    if (finding != NULL) {
        assert_non_null(strstr(finding->advice, "Fewer registers"));
        assert_true(finding->gain > 0.05);
    }
    kernel_report_free(&kernel);
}

/* A block of 1024 with 40 registers: one fits, and 64 would, too. With 56 two blocks would spill. */
static void free_registers_are_told(void **state) {
    struct kernel_report kernel;
    test_gaussian(&kernel);
    kernel.block[0] = 1024, kernel.block[1] = kernel.block[2] = 1;
    kernel.occupancy_theoretical = 0.5, kernel.registers = 40, kernel.shared_bytes = 0;
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
        kernel.unit_share[unit] = unit == GPU_LATENCY ? 0.9 : 0.1;
    const struct finding *finding = look(&kernel, "h200", "occupancy");
    assert_non_null(finding);
    if (finding != NULL) {
        assert_null(strstr(finding->advice, "Fewer registers"));
        assert_non_null(strstr(finding->advice, "may have 64 registers"));
        assert_non_null(strstr(finding->advice, "__launch_bounds__(1024, 1)"));
    }
    for (kernel.registers = 56; kernel.registers <= 64; kernel.registers += 8) {
        finding = look(&kernel, "h200", "occupancy");
        assert_true(finding != NULL && strstr(finding->advice, "Fewer registers") == NULL);
        assert_true(finding != NULL && strstr(finding->advice, "could have 32, and would spill") != NULL);
        finding = look(&kernel, "h200", "limiter");
        assert_true(finding != NULL && strstr(finding->advice, "more warps") == NULL);
    }
    kernel_report_free(&kernel);
}

/* Where the busiest code exceeds the SM's cache and warps wait for it, no advice makes it larger. */
static void code_that_does_not_fit(void **state) {
    struct kernel_report kernel;
    test_gaussian(&kernel);
    kernel.code_known = true, kernel.code_bytes = 95616, kernel.hot_code_bytes = 62592;
    for (int unit = 0; unit < GPU_UNIT_COUNT; unit++)
        kernel.unit_share[unit] = 0.4;
    kernel.limiter = GPU_ISSUE;
    kernel.waits.known = true;
    memset(kernel.waits.share, 0, sizeof kernel.waits.share);
    kernel.waits.share[GPU_STALL_NO_INSTRUCTION] = 0.16, kernel.waits.share[GPU_STALL_WAIT] = 0.5;
    kernel.waits.share[GPU_STALL_SELECTED] = 0.34;
    struct kernel_wait lines[2] = {{"k.cu", 7, 0.5, GPU_STALL_WAIT, 0.4},
                                   {"k.cu", 31, 0.2, GPU_STALL_NO_INSTRUCTION, 0.1}};
    kernel.waits.count = 2, kernel.waits.lines = lines;
    const struct finding *finding = look(&kernel, "h200", "instruction-cache");
    assert_true(finding != NULL && finding->line == 31);
    kernel.waits.count = 0, kernel.waits.lines = NULL;
    assert_non_null(strstr(said(finding), "16 % of the time: 62592 bytes of it are in use at a time, and the "
                                          "SM keeps 32768."));
    finding = look(&kernel, "h200", "limiter");
    assert_true(finding != NULL && finding->advice[0] == '\0'); /* the finding has it */
    kernel.hot_code_bytes = 30000;
    assert_null(look(&kernel, "h200", "instruction-cache"));
    finding = look(&kernel, "h200", "limiter");
    assert_true(finding != NULL && strstr(finding->advice, "More in flight") != NULL);
    kernel_report_free(&kernel);
}

/* A shape that can be tried is advised with its measured gain, or not at all. */
static void only_what_helped_is_advised(void **state) {
    struct kernel_report kernel;
    struct kernel_tried shapes[KERNEL_TRIED];
    struct gpu_model model = model_of("h200");
    test_gaussian(&kernel);
    struct line_facts *facts = &kernel.lines[0].facts;
    facts->lanes = LANES_GROUPS;
    line_fact_set(facts, FACT_bytes, 1);
    line_fact_set(facts, FACT_stride, 1);
    line_fact_set(facts, FACT_group, 8);
    line_fact_set(facts, FACT_jump, 2560);
    strcpy(facts->array, "src");
    assert_int_equal(findings_shapes(&kernel, &model, shapes), 1);
    assert_int_equal(shapes[0].why, CODE_NARROW_BLOCK);
    assert_true(shapes[0].block[0] == 32 && shapes[0].block[1] == 2 && shapes[0].block[2] == 1);
    const struct finding *found = look(&kernel, "h200", "narrow-block");
    assert_true(found != NULL && !found->tried);

    kernel.tried[kernel.tried_count++] = shapes[0];
    kernel.tried[0].same = true, kernel.tried[0].time_us = kernel.time_us / 2;
    found = look(&kernel, "h200", "narrow-block");
    if (found == NULL)
        fail();
    else {
        assert_true(found->tried && fabs(found->gain - 0.5) < 1e-9);
        assert_string_equal(found->advice,
                            "Blocks of 32x2: 2.00 times as fast, tried on the simulator, and the "
                            "result is the same.");
    }
    kernel.tried[0].time_us = kernel.time_us * 1.01; /* slower: no advice */
    assert_null(look(&kernel, "h200", "narrow-block"));
    kernel.tried[0].same = false; /* the result depends on the block's width */
    found = look(&kernel, "h200", "narrow-block");
    assert_true(found != NULL && !found->tried && strstr(found->advice, "counts on 8x8 elsewhere") != NULL);
    kernel_report_free(&kernel);
}

/* For a partial last wave there is no advice if smaller blocks give wrong results; with a small
 * gain the finding is left out. */
static void a_tail_without_a_cure_is_advised_nothing(void **state) {
    struct kernel_report kernel;
    test_gaussian(&kernel);
    kernel.waves = 1.25, kernel.tail = 0.4;
    const struct finding *found = look(&kernel, "h200", "tail");
    assert_true(found != NULL && strstr(found->advice, "whole waves") != NULL);
    kernel.tail = 0.12; /* 9 % to be gained */
    assert_null(look(&kernel, "h200", "tail"));
    kernel.tail = 0.4;
    kernel.tried[kernel.tried_count++] =
        (struct kernel_tried){.why = CODE_TAIL, .block = {8, 4, 1}, .time_us = NAN};
    found = look(&kernel, "h200", "tail");
    assert_true(found != NULL && found->advice[0] == '\0');
    kernel_report_free(&kernel);
}

/* What makes a modelled time wrong is said first; of a measured time it is not said. */
static void spills_come_first(void **state) {
    struct kernel_report kernel;
    struct gpu_model model = model_of("h200");
    struct findings findings;
    test_gaussian(&kernel);
    kernel.spill_known = true, kernel.spill_bytes = 0;
    assert_null(look(&kernel, "h200", "spills"));
    kernel.spill_bytes = 64;
    kernel.time_source = TIME_MODEL;
    findings_from_report(&kernel, &model, &findings);
    assert_int_equal(findings.items[0].code, CODE_SPILLS);
    assert_int_equal(findings.items[1].code, CODE_LIMITER);
    assert_int_equal(findings.items[0].severity, FINDING_MAJOR);
    assert_non_null(strstr(findings.items[0].what, "64 bytes"));
    assert_non_null(strstr(findings.items[0].what, "do not believe"));
    assert_non_null(strstr(findings.items[0].advice, "Fewer values a thread"));
    kernel.waits.known = true; /* by machine code, which includes spills */
    findings_from_report(&kernel, &model, &findings);
    assert_null(strstr(findings.items[0].what, "do not believe"));
    kernel.waits.known = false;
    kernel.time_source = TIME_EVENT;
    findings_from_report(&kernel, &model, &findings);
    assert_null(strstr(findings.items[0].what, "do not believe"));
    kernel_report_free(&kernel);
}

/* Whatever the report holds, findings stay bounded and printable in 80 columns. */
static void anything_is_survived(void **state) {
    uint64_t random = 11;
    for (int round = 0; round < 300; round++) {
        struct report report = test_report(&random, 2);
        struct gpu_model model = model_of(round % 2 ? "h200" : "gtx980");
        for (int k = 0; k < 2; k++) {
            struct findings findings;
            findings_from_report(&report.runs[0].kernels[k], round % 3 ? &model : NULL, &findings);
            assert_true(findings.count <= FINDINGS_MAX);
            char *text = NULL;
            size_t size = 0;
            FILE *to = open_memstream(&text, &size);
            assert_non_null(to);
            findings_print(&(struct terminal){to, false, 0}, &findings, FINDINGS_MAX, "  * ");
            fclose(to);
            size_t column = 0;
            for (char *c = text; *c != '\0'; c++) {
                column = *c == '\n' ? 0 : column + 1;
                assert_true(column <= 80);
            }
            free(text);
        }
        report_free(&report);
    }
}

TESTS(UNIT(slow_roots_are_told), UNIT(indices_are_blamed_where_they_are), UNIT(gain_is_as_timed),
      UNIT(local_memory_by_its_waits), UNIT(gaussian_reads_columns), UNIT(coalesced_is_left_alone),
      UNIT(one_fault_one_finding), UNIT(what_changes_nothing_is_not_said), UNIT(unknown_shares_are_not_said),
      UNIT(a_limit_is_full), UNIT(divisions_are_no_conversions), UNIT(low_occupancy_may_be_right),
      UNIT(free_registers_are_told), UNIT(code_that_does_not_fit), UNIT(only_what_helped_is_advised),
      UNIT(a_tail_without_a_cure_is_advised_nothing), UNIT(spills_come_first), UNIT(anything_is_survived))
