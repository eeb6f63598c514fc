/* report_fields.c: a row for each key of report.json, in the document's order, and the texts of its
 * enums. A new key needs a row here and in README.md, and a member in report.h or
 * kernel_report.h. */
#include "report/document/fields.h"

#include "report/document/flags.h"
#include "report/document/report.h"

/* ---- the texts of enums */

#define TEXT_OF(texts, index) ((unsigned)(index) < sizeof(texts) / sizeof *(texts) ? (texts)[index] : NULL)

const char *time_source_name(int source) {
    static const char *const texts[TIME_SOURCES] = {
        [TIME_UNKNOWN] = "",  [TIME_MODEL] = "model", [TIME_EVENT] = "event", [TIME_WINDOW] = "window",
        [TIME_WALL] = "wall", [TIME_NCU] = "ncu",     [TIME_CLOCK] = "clock"};
    return TEXT_OF(texts, source);
}

const char *device_kind_name(int kind) {
    static const char *const texts[DEVICE_KINDS] = {[DEVICE_CUDA] = "cuda", [DEVICE_SIM] = "sim"};
    return TEXT_OF(texts, kind);
}

const char *report_stage_name(int stage) {
    static const char *const texts[STAGES] = {[STAGE_BUILD] = "build",
                                              [STAGE_START] = "start",
                                              [STAGE_FAULT] = "fault",
                                              [STAGE_TIMEOUT] = "timeout",
                                              [STAGE_CORRECTNESS] = "correctness",
                                              [STAGE_MEASURE] = "measure",
                                              [STAGE_BUSY] = "busy"};
    return TEXT_OF(texts, stage);
}

const char *finding_code_name(int code) {
    static const char *const texts[CODE_COUNT] = {
#define FINDING_CODE_TEXT(enumerator, text) [CODE_##enumerator] = text,
        FINDING_CODES(FINDING_CODE_TEXT)
#undef FINDING_CODE_TEXT
    };
    return TEXT_OF(texts, code);
}

const char *flag_name(enum flag flag) {
    static const char *const names[FLAG_COUNT] = {"",
#define FLAG_NAME(identifier, name, meaning) name,
                                                  FLAGS(FLAG_NAME)
#undef FLAG_NAME
    };
    return names[flag];
}

const char *flag_meaning(enum flag flag) {
    static const char *const meanings[FLAG_COUNT] = {"",
#define FLAG_MEANING(identifier, name, meaning) meaning,
                                                     FLAGS(FLAG_MEANING)
#undef FLAG_MEANING
    };
    return meanings[flag];
}

static const char *timed_by_name(int by) {
    static const char *const texts[TIMED_BY_COUNT] = {
        [TIMED_BY_CODE] = "code", [TIMED_BY_PTXAS] = "ptxas", [TIMED_BY_COUNTERS] = "counters"};
    return TEXT_OF(texts, by);
}

static const char *gpu_kind_text(int kind) {
    return kind < GPU_KIND_COUNT ? gpu_kind_name((enum gpu_kind)kind) : NULL;
}

static const char *unit_name(int unit) {
    return gpu_unit_name((enum gpu_unit)unit);
}

static const char *unit_name_from_special(int i) {
    return gpu_unit_name((enum gpu_unit)(GPU_SPECIAL + i));
}

/* Units that the first kits' reports do not have. */
static const char *younger_unit_name(int unit) {
    return unit_name(GPU_CONSTANT + unit);
}

static const char *stall_name(int stall) {
    return gpu_stall_name((enum gpu_stall)stall);
}

static const char *any_counter_name(int counter) {
    return counter_name((enum counter)counter);
}

static const char *machine_counter_name(int counter) {
    return any_counter_name(FIRST_MACHINE_COUNTER + counter);
}

static const char *kind_name(int kind) {
    return line_kind_name((enum line_kind)kind);
}

static const char *lanes_name(int lanes) {
    return line_lanes_name((enum line_lanes)lanes);
}

static const char *fact_name(int fact) {
    return line_fact_name((enum line_fact)fact);
}

/* ---- a kernel */

static const struct field facts_fields[] = {
    FIELD(line_facts, "array", SHORT, array, .flags = FIELD_OMIT),
    FIELD(line_facts, "lanes", ENUM, lanes, .flags = FIELD_OMIT, FIELD_TEXTS(LANES_COUNT, lanes_name)),
    FIELD(line_facts, NULL, INTEGER, value[0], .flags = FIELD_OMIT, FIELD_KNOWN(line_facts, known),
          FIELD_REPEAT(LINE_FACT_COUNT, fact_name)),
};
static const struct record facts_record = RECORD(facts_fields, struct line_facts);

static const struct field line_fields[] = {
    FIELD(kernel_line, "file", TEXT, file),
    FIELD(kernel_line, "line", COUNT, line),
    FIELD(kernel_line, "kind", ENUM, kind, FIELD_TEXTS(LINE_KIND_COUNT, kind_name)),
    FIELD(kernel_line, "requests", COUNT, requests),
    FIELD(kernel_line, "transactions", COUNT, transactions),
    FIELD(kernel_line, "ideal", COUNT, ideal),
    FIELD(kernel_line, "threads", COUNT, threads),
    FIELD(kernel_line, "facts", RECORD, facts, .flags = FIELD_NULL | FIELD_YOUNG, .since = 2,
          .record = &facts_record),
};
static const struct record line_record = RECORD(line_fields, struct kernel_line);

static const struct field tried_fields[] = {
    FIELD(kernel_tried, "why", ENUM, why, FIELD_TEXTS(CODE_COUNT, finding_code_name)),
    FIELD(kernel_tried, "block", SHAPE, block),
    FIELD(kernel_tried, "time_us", NUMBER, time_us, .flags = FIELD_NULL),
    FIELD(kernel_tried, "same", BOOL, same),
};
static const struct record tried_record = RECORD(tried_fields, struct kernel_tried);

static const char *lift_name(int lift) {
    return lift < GPU_LIFT_COUNT ? gpu_lift_name((enum gpu_lift)lift) : NULL;
}

static const struct field what_if_fields[] = {
    FIELD(kernel_what_if, "lift", ENUM, lift, FIELD_TEXTS(GPU_LIFT_COUNT, lift_name)),
    FIELD(kernel_what_if, "file", TEXT, file),
    FIELD(kernel_what_if, "line", COUNT, line),
    FIELD(kernel_what_if, "factor", NUMBER, factor),
};
static const struct record what_if_record = RECORD(what_if_fields, struct kernel_what_if);

static const struct field wait_fields[] = {
    FIELD(kernel_wait, "file", TEXT, file),
    FIELD(kernel_wait, "line", COUNT, line),
    FIELD(kernel_wait, "share", NUMBER, share),
    FIELD(kernel_wait, "stall", ENUM, stall, FIELD_TEXTS(GPU_STALL_COUNT, stall_name)),
    FIELD(kernel_wait, "stall_share", NUMBER, stall_share),
};
static const struct record wait_record = RECORD(wait_fields, struct kernel_wait);

static const struct field executed_fields[] = {
    FIELD(executed_line, "file", TEXT, file),
    FIELD(executed_line, "line", COUNT, line),
    FIELD(executed_line, NULL, COUNT, counts[0], .flags = FIELD_OMIT,
          FIELD_REPEAT(MACHINE_COUNTERS, machine_counter_name)),
};
static const struct record executed_record = RECORD(executed_fields, struct executed_line);

static const struct field block_fields[] = {
    FIELD(executed_block, "first", COUNT, first),
    FIELD(executed_block, "length", COUNT, instructions),
    FIELD(executed_block, NULL, COUNT, counts[0], .flags = FIELD_OMIT,
          FIELD_REPEAT(MACHINE_COUNTERS, machine_counter_name)),
};
static const struct record block_record = RECORD(block_fields, struct executed_block);

static const struct field unit_fields[] = {
    FIELD(kernel_report, NULL, NUMBER, unit_share[0], .flags = FIELD_NULL,
          FIELD_REPEAT(GPU_TENSOR, unit_name)),
    FIELD(kernel_report, "tensor", NUMBER, unit_share[GPU_TENSOR], .flags = FIELD_NULL | FIELD_YOUNG),
    FIELD(kernel_report, NULL, NUMBER, unit_share[GPU_SPECIAL], .flags = FIELD_NULL,
          FIELD_REPEAT(GPU_CONSTANT - GPU_SPECIAL, unit_name_from_special)),
    FIELD(kernel_report, NULL, NUMBER, unit_share[GPU_CONSTANT], .flags = FIELD_NULL | FIELD_YOUNG,
          FIELD_REPEAT(GPU_UNIT_COUNT - GPU_CONSTANT, younger_unit_name)),
};
static const struct record unit_record = RECORD(unit_fields, struct kernel_report);

/* struct counters holds only its counters, in their order. */
_Static_assert(sizeof(struct counters) == COUNTER_COUNT * sizeof(uint64_t), "counters are no array");
static const struct field counter_fields[] = {
    {.type = FIELD_COUNT,
     .offset = offsetof(struct kernel_report, counters),
     .size = sizeof(uint64_t),
     .flags = FIELD_NULL | FIELD_YOUNG,
     FIELD_KNOWN(kernel_report, known),
     .repeat = COUNTER_COUNT,
     .name = any_counter_name},
    FIELD(kernel_report, "occupancy_theoretical", NUMBER, occupancy_theoretical, .flags = FIELD_NULL),
    FIELD(kernel_report, "occupancy_achieved", NUMBER, occupancy_achieved, .flags = FIELD_NULL),
};
static const struct record counter_record = RECORD(counter_fields, struct kernel_report);

static const struct field stall_fields[] = {
    FIELD(kernel_report, NULL, NUMBER, waits.share[0], FIELD_REPEAT(GPU_STALL_COUNT, stall_name)),
};
static const struct record stall_record = RECORD(stall_fields, struct kernel_report);

static const struct field launches_fields[] = {
    FIELD(kernel_report, "count", COUNT, launches, .least = 2),
    FIELD(kernel_report, "longest_us", NUMBER, longest_us, .flags = FIELD_NULL),
    FIELD(kernel_report, "other_shapes", BOOL, other_shapes),
};
static const struct record launches_record = RECORD(launches_fields, struct kernel_report);

static const struct field kernel_fields[] = {
    FIELD(kernel_report, "name", TEXT, name),
    FIELD(kernel_report, "grid", SHAPE, grid),
    FIELD(kernel_report, "block", SHAPE, block),
    FIELD(kernel_report, "registers", COUNT, registers),
    FIELD(kernel_report, "shared_bytes", COUNT, shared_bytes),
    FIELD(kernel_report, "spill_bytes", COUNT, spill_bytes, .flags = FIELD_NULL | FIELD_YOUNG,
          FIELD_KNOWN(kernel_report, spill_known)),
    FIELD(kernel_report, "code_bytes", COUNT, code_bytes, .flags = FIELD_NULL | FIELD_YOUNG | FIELD_WITH_NEXT,
          FIELD_KNOWN(kernel_report, code_known)),
    FIELD(kernel_report, "hot_code_bytes", COUNT, hot_code_bytes,
          .flags = FIELD_NULL | FIELD_YOUNG | FIELD_WITH_LAST | FIELD_KNOWN_LAST,
          FIELD_KNOWN(kernel_report, code_known)),
    FIELD(kernel_report, "time_us", NUMBER, time_us, .flags = FIELD_NULL),
    FIELD(kernel_report, "time_source", ENUM, time_source, FIELD_TEXTS(TIME_SOURCES, time_source_name)),
    FIELD(kernel_report, "timed_by", ENUM, timed_by, .flags = FIELD_OMIT, .since = 2,
          FIELD_TEXTS(TIMED_BY_COUNT, timed_by_name)),
    FIELD(kernel_report, "timed_why", SHORT, timed_why, .flags = FIELD_OMIT, .since = 2),
    FIELD(kernel_report, "band", NUMBER, band, .flags = FIELD_OMIT | FIELD_WITH_NEXT, .since = 2,
          FIELD_KNOWN(kernel_report, band_known)),
    FIELD(kernel_report, "kind", ENUM, kind, .flags = FIELD_OMIT | FIELD_WITH_LAST, .since = 2,
          FIELD_TEXTS(GPU_KIND_COUNT, gpu_kind_text)),
    FIELD(kernel_report, "limiter", ENUM, limiter, FIELD_TEXTS(GPU_UNIT_COUNT + 1, unit_name)),
    FIELD_GROUP("unit_share", unit_record),
    FIELD(kernel_report, "waves", NUMBER, waves, .flags = FIELD_NULL),
    FIELD(kernel_report, "tail", NUMBER, tail, .flags = FIELD_NULL),
    FIELD_GROUP("counters", counter_record),
    FIELD_LIST_OF(kernel_report, "lines", lines, line_count, line_record),
    FIELD_LIST_OF(kernel_report, "tried", tried, tried_count, tried_record, .flags = FIELD_YOUNG, .since = 2,
                  .most = KERNEL_TRIED),
    FIELD_LIST_OF(kernel_report, "what_if", what_ifs.items, what_ifs.count, what_if_record,
                  .flags = FIELD_OMIT, .since = 2, .most = GPU_WHAT_IFS),
    FIELD_GROUP("stalls", stall_record, .flags = FIELD_OMIT, .since = 2,
                FIELD_KNOWN(kernel_report, waits.known)),
    FIELD_LIST_OF(kernel_report, "waits", waits.lines, waits.count, wait_record,
                  .flags = FIELD_OMIT | FIELD_KNOWN_LAST, .since = 2,
                  FIELD_KNOWN(kernel_report, waits.known)),
    FIELD_LIST_OF(kernel_report, "executed", executed.lines, executed.count, executed_record,
                  .flags = FIELD_OMIT, .since = 2, FIELD_KNOWN(kernel_report, executed.known)),
    FIELD_LIST_OF(kernel_report, "blocks", executed.blocks, executed.block_count, block_record,
                  .flags = FIELD_OMIT | FIELD_KNOWN_LAST, .since = 2,
                  FIELD_KNOWN(kernel_report, executed.known)),
    FIELD_GROUP("launches", launches_record, .flags = FIELD_OMIT),
    FIELD(kernel_report, NULL, OWNED, findings),
};

static void check_kernel(void *object, struct field_reader *reader) {
    struct kernel_report *kernel = object;
    (void)reader;
    if (kernel->launches == 0) {
        kernel->launches = 1;
        kernel->longest_us = kernel->time_us;
    }
    kernel_executed_trim(&kernel->executed);
}

const struct record kernel_record = RECORD(kernel_fields, struct kernel_report, .check = check_kernel);

/* ---- runs, goals and other items */

static const struct field file_fields[] = {{.type = FIELD_TEXT, .size = sizeof(char *)}};
const struct record file_record = RECORD(file_fields, char *);

static const struct field part_fields[] = {
    FIELD(report_part, "name", TEXT, name),
    FIELD(report_part, "title", TEXT, title),
    FIELD(report_part, "case", TEXT, timed),
};
const struct record part_record = RECORD(part_fields, struct report_part);

static const struct field case_fields[] = {
    FIELD(report_case, "name", TEXT, name),
    FIELD(report_case, "passed", BOOL, passed),
    FIELD(report_case, "message", TEXT, message),
};
const struct record case_record = RECORD(case_fields, struct report_case);

static const struct field element_fields[] = {
    FIELD(report_element, "index", COUNT, index),
    FIELD(report_element, "where", SHORT, where),
    FIELD(report_element, "got", SHORT, got),
    FIELD(report_element, "expected", SHORT, expected),
};
static const struct record element_record = RECORD(element_fields, struct report_element);

static const struct field cause_fields[] = {
    FIELD(report_wrong, "kind", SHORT, cause),
    FIELD(report_wrong, "cases", COUNT, cause_cases),
};
static const struct record cause_record = RECORD(cause_fields, struct report_wrong);

static const struct field wrong_fields[] = {
    FIELD(report_wrong, "case", SHORT, name),
    FIELD(report_wrong, "message", SHORT, message),
    FIELD(report_wrong, "hint", SHORT, hint),
    FIELD(report_wrong, "place", SHORT, place),
    FIELD(report_wrong, "elements", COUNT, elements),
    FIELD(report_wrong, "nondeterministic", BOOL, nondeterministic),
    FIELD_LIST_OF(report_wrong, "listed", listed, listed_count, element_record, .most = REPORT_LISTED),
    FIELD_GROUP("cause", cause_record, .flags = FIELD_OMIT),
};
static const struct record wrong_record = RECORD(wrong_fields, struct report_wrong);

static const struct field run_fields[] = {
    FIELD(report_run, "name", TEXT, name),
    FIELD(report_run, "time_us", NUMBER, time_us, .flags = FIELD_NULL),
    FIELD(report_run, "time_source", ENUM, time_source, FIELD_TEXTS(TIME_SOURCES, time_source_name)),
    FIELD(report_run, "speedup", NUMBER, speedup, .flags = FIELD_NULL),
    FIELD(report_run, "ci95_us", RANGE, ci95_us, .flags = FIELD_NULL),
    FIELD(report_run, "band", NUMBER, band, .flags = FIELD_OMIT, .since = 2),
    FIELD_LIST_OF(report_run, "kernels", kernels, kernel_count, kernel_record),
    FIELD(report_run, "unpaid", SHORT, unpaid, .flags = FIELD_OMIT, .since = 2),
    FIELD(report_run, "pinned", NUMBER, pinned, .flags = FIELD_OMIT, .since = 2),
    FIELD(report_run, "unordered", SHORT, unordered, .flags = FIELD_OMIT, .since = 2),
    FIELD(report_run, "note", SHORT, note, .flags = FIELD_OMIT),
    FIELD(report_run, "measured_us", NUMBER, measured_us, .flags = FIELD_NULL | FIELD_OMIT | FIELD_WITH_NEXT,
          .since = 2),
    FIELD(report_run, "contradicted", SHORT, contradicted, .flags = FIELD_OMIT | FIELD_WITH_LAST, .since = 2),
    FIELD(report_run, "part", TEXT, part, .flags = FIELD_OMIT),
};
const struct record run_record = RECORD(run_fields, struct report_run);

static const struct field goal_fields[] = {
    FIELD(report_goal, "name", TEXT, name),
    FIELD(report_goal, "measure", TEXT, measure, .flags = FIELD_NULL, .since = 2),
    FIELD(report_goal, "value", NUMBER, value, .flags = FIELD_NULL),
    FIELD(report_goal, "zero", NUMBER, zero, .flags = FIELD_NULL),
    FIELD(report_goal, "full", NUMBER, full, .flags = FIELD_NULL),
    FIELD(report_goal, "points", NUMBER, points, .flags = FIELD_NULL),
    FIELD(report_goal, "max", NUMBER, max, .flags = FIELD_NULL),
    FIELD(report_goal, "benefit", NUMBER, benefit, .flags = FIELD_OMIT, .since = 2),
    FIELD(report_goal, "kept", NUMBER, kept, .flags = FIELD_OMIT, .since = 2),
    FIELD(report_goal, "barred", TEXT, barred, .flags = FIELD_OMIT),
    FIELD(report_goal, "part", TEXT, part, .flags = FIELD_OMIT),
};
const struct record goal_record = RECORD(goal_fields, struct report_goal);

static const struct field flag_fields[] = {
    FIELD(report_flag, "name", TEXT, name),
    FIELD(report_flag, "message", TEXT, message),
};
const struct record flag_record = RECORD(flag_fields, struct report_flag);

static const struct field remark_fields[] = {
    FIELD(report_remark, "kind", TEXT, kind),
    FIELD(report_remark, "case", TEXT, name),
    FIELD(report_remark, "file", TEXT, file),
    FIELD(report_remark, "line", COUNT, line),
    FIELD(report_remark, "message", TEXT, message),
    FIELD(report_remark, "count", COUNT, count),
    FIELD(report_remark, "cases", COUNT, cases, .flags = FIELD_OMIT, .least = 2),
    FIELD(report_remark, NULL, OWNED, met),
};

static void check_remark(void *object, struct field_reader *reader) {
    struct report_remark *remark = object;
    (void)reader;
    if (remark->cases == 0)
        remark->cases = *remark->name != '\0';
}

const struct record remark_record = RECORD(remark_fields, struct report_remark, .check = check_remark);

static const struct field prediction_fields[] = {
    FIELD(report_prediction, "key", SHORT, key),
    FIELD(report_prediction, "unit", SHORT, unit),
    FIELD(report_prediction, "predicted", SHORT, predicted),
    FIELD(report_prediction, "measured", SHORT, measured),
    FIELD(report_prediction, "tolerance", NUMBER, tolerance),
    FIELD(report_prediction, "right", BOOL, right),
};
static const struct record prediction_record = RECORD(prediction_fields, struct report_prediction);

static const struct field clock_fields[] = {
    FIELD(report_clock, "least", NUMBER, least),
    FIELD(report_clock, "mean", NUMBER, mean),
    FIELD(report_clock, "most", NUMBER, most),
};
static const struct record clock_record = RECORD(clock_fields, struct report_clock);

static const struct field temperature_fields[] = {
    FIELD(report_clocks, "least", NUMBER, coolest),
    FIELD(report_clocks, "most", NUMBER, hottest),
};
static const struct record temperature_record = RECORD(temperature_fields, struct report_clocks);

static const struct field clocks_fields[] = {
    FIELD(report_clocks, "samples", COUNT, samples),
    FIELD(report_clocks, "sm_mhz", RECORD, sm, .record = &clock_record),
    FIELD(report_clocks, "memory_mhz", RECORD, memory, .record = &clock_record),
    FIELD_GROUP("temperature_c", temperature_record),
    FIELD(report_clocks, "throttled", SHORT, throttled),
    FIELD(report_clocks, "note", SHORT, note),
};
static const struct record clocks_record = RECORD(clocks_fields, struct report_clocks);

static const struct field steps_fields[] = {
    FIELD(report_steps, "count", COUNT, count),
    FIELD(report_steps, "reached", COUNT, reached),
    FIELD(report_steps, "title", SHORT, title),
    FIELD(report_steps, "next", SHORT, next),
};

static void check_steps(void *object, struct field_reader *reader) {
    const struct report_steps *steps = object;
    if (steps->count > REPORT_STEPS)
        field_fail(reader, "count", "number too large");
    if (steps->reached > steps->count)
        field_fail(reader, "reached", "number too large");
}

static const struct record steps_record = RECORD(steps_fields, struct report_steps, .check = check_steps);

static const struct field device_fields[] = {
    FIELD(report_device, "kind", ENUM, kind, .flags = FIELD_NULL,
          FIELD_TEXTS(DEVICE_KINDS, device_kind_name)),
    FIELD(report_device, "gpu", TEXT, gpu, .flags = FIELD_NULL),
    FIELD(report_device, "model", TEXT, model, .flags = FIELD_NULL),
    FIELD(report_device, "toolkit", TEXT, toolkit, .flags = FIELD_NULL),
    FIELD(report_device, "apart", NUMBER, apart, .flags = FIELD_OMIT, .since = 2),
};
static const struct record device_record = RECORD(device_fields, struct report_device);

static const struct field problem_fields[] = {
    FIELD(report_problem, "width", COUNT, width),
    FIELD(report_problem, "height", COUNT, height),
    FIELD(report_problem, "seed", INTEGER, seed), /* signed: a seed uses all 64 bits */
    FIELD(report_problem, "image", TEXT, image, .flags = FIELD_NULL),
};
static const struct record problem_record = RECORD(problem_fields, struct report_problem);

/* ---- the document */

static const struct field failure_fields[] = {
    FIELD(report, "stage", ENUM, failure_stage, FIELD_TEXTS(STAGES, report_stage_name)),
    FIELD(report, "message", TEXT, failure_message, .flags = FIELD_NULL),
};
static const struct record failure_record = RECORD(failure_fields, struct report);

static const struct field correctness_fields[] = {
    FIELD(report, "passed", COUNT, cases_passed),
    FIELD(report, "failed", COUNT, cases_failed),
    FIELD(report, "criterion", TEXT, criterion, .flags = FIELD_NULL, .since = 2),
    FIELD_LIST_OF(report, "cases", cases, case_count, case_record),
    FIELD(report, "wrong", RECORD, wrong, .flags = FIELD_NULL, .since = 2, FIELD_KNOWN(report, wrong.present),
          .record = &wrong_record),
};

static void check_correctness(void *object, struct field_reader *reader) {
    const struct report *report = object;
    uint32_t passed = 0;
    for (uint32_t i = 0; i < report->case_count; i++)
        passed += report->cases[i].passed;
    if (report->cases_passed != passed || report->cases_failed != report->case_count - passed)
        field_fail(reader, "cases", "their number is not passed + failed");
}

static const struct record correctness_record =
    RECORD(correctness_fields, struct report, .check = check_correctness);

static const struct field score_fields[] = {
    FIELD(report, "points", NUMBER, score_points, .flags = FIELD_NULL),
    FIELD(report, "max", NUMBER, score_max, .flags = FIELD_NULL),
    FIELD(report, "pass", NUMBER, score_pass, .flags = FIELD_NULL, .since = 2),
    FIELD(report, "passed", BOOL, score_passed),
    FIELD(report, "too_close", BOOL, too_close, .since = 2),
};
static const struct record score_record = RECORD(score_fields, struct report);

static const struct field report_fields[] = {
    {.key = "schema", .type = FIELD_SCHEMA},
    FIELD(report, "lab", TEXT, lab, .flags = FIELD_NULL),
    FIELD(report, "title", TEXT, title, .flags = FIELD_NULL),
    FIELD(report, "source", TEXT, source, .flags = FIELD_NULL, .since = 2),
    FIELD_LIST_OF(report, "files", files, file_count, file_record, .since = 2),
    FIELD(report, "device", RECORD, device, .record = &device_record),
    FIELD(report, "clocks", RECORD, clocks, .flags = FIELD_OMIT, .since = 2,
          FIELD_KNOWN(report, clocks.present), .record = &clocks_record),
    FIELD(report, "problem", RECORD, problem, .record = &problem_record),
    FIELD_LIST_OF(report, "parts", parts, part_count, part_record, .since = 2),
    FIELD_GROUP("failure", failure_record, .flags = FIELD_NULL),
    FIELD(report, "output", TEXT, output, .flags = FIELD_NULL, .since = 2),
    FIELD_LIST_OF(report, "flags", flags, flag_count, flag_record, .flags = FIELD_OMIT),
    FIELD_LIST_OF(report, "remarks", remarks, remark_count, remark_record, .flags = FIELD_OMIT, .since = 2),
    FIELD_GROUP("correctness", correctness_record),
    FIELD_LIST_OF(report, "runs", runs, run_count, run_record),
    FIELD(report, "cpu_us", NUMBER, cpu_us, .flags = FIELD_NULL, .since = 2),
    FIELD_LIST_OF(report, "goals", goals, goal_count, goal_record),
    FIELD_GROUP("score", score_record),
    FIELD(report, "steps", RECORD, steps, .flags = FIELD_OMIT, .since = 2, .record = &steps_record),
    FIELD_LIST_OF(report, "predictions", predictions, prediction_count, prediction_record,
                  .flags = FIELD_OMIT, .since = 2, .most = REPORT_PREDICTIONS),
    FIELD(report, "after", TEXT, after, .flags = FIELD_OMIT, .since = 2),
    FIELD(report, "not_here", TEXT, not_here, .flags = FIELD_OMIT, .since = 2),
    FIELD(report, "measured", TEXT, measured, .flags = FIELD_OMIT, .since = 2),
    FIELD(report, "not_recorded", TEXT, not_recorded, .flags = FIELD_OMIT, .since = 2),
};
const struct record report_record = RECORD(report_fields, struct report);
