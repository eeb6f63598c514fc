/*
 * report_fields.c: the keys of report.json, a row each, in the order of the document, and the texts of its enums. A key
 * that is added has its row here, its member in report.h or kernel_report.h, and its row in README.md.
 */
#include "analysis/report_fields.h"

#include "analysis/report.h"

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
                                              [STAGE_MEASURE] = "measure"};
    return TEXT_OF(texts, stage);
}

static const char *timed_by_name(int by) {
    static const char *const texts[TIMED_BY_COUNT] = {
        [TIMED_BY_CODE] = "code", [TIMED_BY_PTXAS] = "ptxas", [TIMED_BY_COUNTERS] = "counters"};
    return TEXT_OF(texts, by);
}

static const char *unit_name(int unit) {
    return gpu_unit_name((enum gpu_unit)unit);
}

/* Units that a report of the first kits has not. */
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

#define OF struct line_facts
static const struct field facts_fields[] = {
    FIELD("array", SHORT, array, .flags = FIELD_OMIT),
    FIELD("lanes", ENUM, lanes, .flags = FIELD_OMIT, .most = LANES_COUNT, .name = lanes_name),
    FIELD(NULL, INTEGER, value[0], .flags = FIELD_OMIT, .known = offsetof(OF, known),
          .repeat = LINE_FACT_COUNT, .name = fact_name),
};
static const struct record facts_record = RECORD(facts_fields, OF);
#undef OF

#define OF struct kernel_line
static const struct field line_fields[] = {
    FIELD("file", TEXT, file),
    FIELD("line", COUNT, line),
    FIELD("kind", ENUM, kind, .most = LINE_KIND_COUNT, .name = kind_name),
    FIELD("requests", COUNT, requests),
    FIELD("transactions", COUNT, transactions),
    FIELD("ideal", COUNT, ideal),
    FIELD("threads", COUNT, threads),
    FIELD("facts", RECORD, facts, .flags = FIELD_NULL | FIELD_YOUNG, .since = 2, .record = &facts_record),
};
static const struct record line_record = RECORD(line_fields, OF);
#undef OF

#define OF struct kernel_tried
static const struct field tried_fields[] = {
    FIELD("why", SHORT, why),
    FIELD("block", SHAPE, block),
    FIELD("time_us", NUMBER, time_us, .flags = FIELD_NULL),
    FIELD("same", BOOL, same),
};
static const struct record tried_record = RECORD(tried_fields, OF);
#undef OF

#define OF struct kernel_wait
static const struct field wait_fields[] = {
    FIELD("file", TEXT, file),
    FIELD("line", COUNT, line),
    FIELD("share", NUMBER, share),
    FIELD("stall", ENUM, stall, .most = GPU_STALL_COUNT, .name = stall_name),
    FIELD("stall_share", NUMBER, stall_share),
};
static const struct record wait_record = RECORD(wait_fields, OF);
#undef OF

#define OF struct executed_line
static const struct field executed_fields[] = {
    FIELD("file", TEXT, file),
    FIELD("line", COUNT, line),
    FIELD(NULL, COUNT, counts[0], .flags = FIELD_OMIT, .repeat = MACHINE_COUNTERS,
          .name = machine_counter_name),
};
static const struct record executed_record = RECORD(executed_fields, OF);
#undef OF

#define OF struct executed_block
static const struct field block_fields[] = {
    FIELD("first", COUNT, first),
    FIELD("length", COUNT, instructions),
    FIELD(NULL, COUNT, counts[0], .flags = FIELD_OMIT, .repeat = MACHINE_COUNTERS,
          .name = machine_counter_name),
};
static const struct record block_record = RECORD(block_fields, OF);
#undef OF

#define OF struct kernel_report
static const struct field unit_fields[] = {
    FIELD(NULL, NUMBER, unit_share[0], .flags = FIELD_NULL, .repeat = GPU_CONSTANT, .name = unit_name),
    FIELD(NULL, NUMBER, unit_share[GPU_CONSTANT], .flags = FIELD_NULL | FIELD_YOUNG,
          .repeat = GPU_UNIT_COUNT - GPU_CONSTANT, .name = younger_unit_name),
};
static const struct record unit_record = RECORD(unit_fields, OF);

/* struct counters holds nothing but its counters, in their order. */
_Static_assert(sizeof(struct counters) == COUNTER_COUNT * sizeof(uint64_t), "counters are no array");
static const struct field counter_fields[] = {
    {.type = FIELD_COUNT,
     .offset = offsetof(OF, counters),
     .size = sizeof(uint64_t),
     .flags = FIELD_NULL | FIELD_YOUNG,
     .known = offsetof(OF, known),
     .repeat = COUNTER_COUNT,
     .name = any_counter_name},
    FIELD("occupancy_theoretical", NUMBER, occupancy_theoretical, .flags = FIELD_NULL),
    FIELD("occupancy_achieved", NUMBER, occupancy_achieved, .flags = FIELD_NULL),
};
static const struct record counter_record = RECORD(counter_fields, OF);

static const struct field stall_fields[] = {
    FIELD(NULL, NUMBER, waits.share[0], .repeat = GPU_STALL_COUNT, .name = stall_name),
};
static const struct record stall_record = RECORD(stall_fields, OF);

static const struct field launches_fields[] = {
    FIELD("count", COUNT, launches, .least = 2),
    FIELD("longest_us", NUMBER, longest_us, .flags = FIELD_NULL),
    FIELD("other_shapes", BOOL, other_shapes),
};
static const struct record launches_record = RECORD(launches_fields, OF);

static const struct field kernel_fields[] = {
    FIELD("name", TEXT, name),
    FIELD("grid", SHAPE, grid),
    FIELD("block", SHAPE, block),
    FIELD("registers", COUNT, registers),
    FIELD("shared_bytes", COUNT, shared_bytes),
    FIELD("spill_bytes", COUNT, spill_bytes, .flags = FIELD_NULL | FIELD_YOUNG,
          .known = offsetof(OF, spill_known)),
    FIELD("code_bytes", COUNT, code_bytes, .flags = FIELD_NULL | FIELD_YOUNG | FIELD_WITH_NEXT,
          .known = offsetof(OF, code_known)),
    FIELD("hot_code_bytes", COUNT, hot_code_bytes,
          .flags = FIELD_NULL | FIELD_YOUNG | FIELD_WITH_LAST | FIELD_KNOWN_LAST,
          .known = offsetof(OF, code_known)),
    FIELD("time_us", NUMBER, time_us, .flags = FIELD_NULL),
    FIELD("time_source", ENUM, time_source, .most = TIME_SOURCES, .name = time_source_name),
    FIELD("timed_by", ENUM, timed_by, .flags = FIELD_OMIT, .since = 2, .most = TIMED_BY_COUNT,
          .name = timed_by_name),
    FIELD("timed_why", SHORT, timed_why, .flags = FIELD_OMIT, .since = 2),
    FIELD("limiter", ENUM, limiter, .most = GPU_UNIT_COUNT + 1, .name = unit_name),
    FIELD_GROUP("unit_share", unit_record),
    FIELD("waves", NUMBER, waves, .flags = FIELD_NULL),
    FIELD("tail", NUMBER, tail, .flags = FIELD_NULL),
    FIELD_GROUP("counters", counter_record),
    FIELD("lines", LIST, lines, .count = offsetof(OF, line_count), .record = &line_record),
    FIELD("tried", LIST, tried, .flags = FIELD_YOUNG, .since = 2, .count = offsetof(OF, tried_count),
          .most = KERNEL_TRIED, .record = &tried_record),
    FIELD_GROUP("stalls", stall_record, .flags = FIELD_OMIT, .since = 2, .known = offsetof(OF, waits.known)),
    FIELD("waits", LIST, waits.lines, .flags = FIELD_OMIT | FIELD_KNOWN_LAST, .since = 2,
          .known = offsetof(OF, waits.known), .count = offsetof(OF, waits.count), .record = &wait_record),
    FIELD("executed", LIST, executed.lines, .flags = FIELD_OMIT, .since = 2,
          .known = offsetof(OF, executed.known), .count = offsetof(OF, executed.count),
          .record = &executed_record),
    FIELD("blocks", LIST, executed.blocks, .flags = FIELD_OMIT | FIELD_KNOWN_LAST, .since = 2,
          .known = offsetof(OF, executed.known), .count = offsetof(OF, executed.block_count),
          .record = &block_record),
    FIELD_GROUP("launches", launches_record, .flags = FIELD_OMIT),
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

const struct record kernel_record = RECORD(kernel_fields, OF, .check = check_kernel);
#undef OF

/* ---- runs, goals and other items */

#define OF char *
static const struct field file_fields[] = {{.type = FIELD_TEXT, .size = sizeof(OF)}};
const struct record file_record = RECORD(file_fields, OF);
#undef OF

#define OF struct report_part
static const struct field part_fields[] = {
    FIELD("name", TEXT, name),
    FIELD("title", TEXT, title),
    FIELD("case", TEXT, timed),
};
const struct record part_record = RECORD(part_fields, OF);
#undef OF

#define OF struct report_case
static const struct field case_fields[] = {
    FIELD("name", TEXT, name),
    FIELD("passed", BOOL, passed),
    FIELD("message", TEXT, message),
};
const struct record case_record = RECORD(case_fields, OF);
#undef OF

#define OF struct report_element
static const struct field element_fields[] = {
    FIELD("index", COUNT, index),
    FIELD("where", SHORT, where),
    FIELD("got", SHORT, got),
    FIELD("expected", SHORT, expected),
};
static const struct record element_record = RECORD(element_fields, OF);
#undef OF

#define OF struct report_wrong
static const struct field cause_fields[] = {
    FIELD("kind", SHORT, cause),
    FIELD("cases", COUNT, cause_cases),
};
static const struct record cause_record = RECORD(cause_fields, OF);

static const struct field wrong_fields[] = {
    FIELD("case", SHORT, name),
    FIELD("message", SHORT, message),
    FIELD("hint", SHORT, hint),
    FIELD("place", SHORT, place),
    FIELD("elements", COUNT, elements),
    FIELD("nondeterministic", BOOL, nondeterministic),
    FIELD("listed", LIST, listed, .count = offsetof(OF, listed_count), .most = REPORT_LISTED,
          .record = &element_record),
    FIELD_GROUP("cause", cause_record, .flags = FIELD_OMIT),
};
static const struct record wrong_record = RECORD(wrong_fields, OF);
#undef OF

#define OF struct report_run
static const struct field run_fields[] = {
    FIELD("name", TEXT, name),
    FIELD("time_us", NUMBER, time_us, .flags = FIELD_NULL),
    FIELD("time_source", ENUM, time_source, .most = TIME_SOURCES, .name = time_source_name),
    FIELD("speedup", NUMBER, speedup, .flags = FIELD_NULL),
    FIELD("ci95_us", RANGE, ci95_us, .flags = FIELD_NULL),
    FIELD("kernels", LIST, kernels, .count = offsetof(OF, kernel_count), .record = &kernel_record),
    FIELD("unpaid", SHORT, unpaid, .flags = FIELD_OMIT, .since = 2),
    FIELD("note", SHORT, note, .flags = FIELD_OMIT),
    FIELD("measured_us", NUMBER, measured_us, .flags = FIELD_NULL | FIELD_OMIT | FIELD_WITH_NEXT, .since = 2),
    FIELD("contradicted", SHORT, contradicted, .flags = FIELD_OMIT | FIELD_WITH_LAST, .since = 2),
    FIELD("part", TEXT, part, .flags = FIELD_OMIT),
};
const struct record run_record = RECORD(run_fields, OF);
#undef OF

#define OF struct report_goal
static const struct field goal_fields[] = {
    FIELD("name", TEXT, name),
    FIELD("measure", TEXT, measure, .flags = FIELD_NULL, .since = 2),
    FIELD("value", NUMBER, value, .flags = FIELD_NULL),
    FIELD("zero", NUMBER, zero, .flags = FIELD_NULL),
    FIELD("full", NUMBER, full, .flags = FIELD_NULL),
    FIELD("points", NUMBER, points, .flags = FIELD_NULL),
    FIELD("max", NUMBER, max, .flags = FIELD_NULL),
    FIELD("barred", TEXT, barred, .flags = FIELD_OMIT),
    FIELD("part", TEXT, part, .flags = FIELD_OMIT),
};
const struct record goal_record = RECORD(goal_fields, OF);
#undef OF

#define OF struct report_flag
static const struct field flag_fields[] = {
    FIELD("name", TEXT, name),
    FIELD("message", TEXT, message),
};
const struct record flag_record = RECORD(flag_fields, OF);
#undef OF

#define OF struct report_remark
static const struct field remark_fields[] = {
    FIELD("kind", TEXT, kind),
    FIELD("case", TEXT, name),
    FIELD("file", TEXT, file),
    FIELD("line", COUNT, line),
    FIELD("message", TEXT, message),
    FIELD("count", COUNT, count),
    FIELD("cases", COUNT, cases, .flags = FIELD_OMIT, .least = 2),
};

static void check_remark(void *object, struct field_reader *reader) {
    struct report_remark *remark = object;
    (void)reader;
    if (remark->cases == 0)
        remark->cases = *remark->name != '\0';
}

const struct record remark_record = RECORD(remark_fields, OF, .check = check_remark);
#undef OF

#define OF struct report_prediction
static const struct field prediction_fields[] = {
    FIELD("key", SHORT, key),
    FIELD("unit", SHORT, unit),
    FIELD("predicted", SHORT, predicted),
    FIELD("measured", SHORT, measured),
    FIELD("tolerance", NUMBER, tolerance),
    FIELD("right", BOOL, right),
};
static const struct record prediction_record = RECORD(prediction_fields, OF);
#undef OF

#define OF struct report_clock
static const struct field clock_fields[] = {
    FIELD("least", NUMBER, least),
    FIELD("mean", NUMBER, mean),
    FIELD("most", NUMBER, most),
};
static const struct record clock_record = RECORD(clock_fields, OF);
#undef OF

#define OF struct report_clocks
static const struct field temperature_fields[] = {
    FIELD("least", NUMBER, coolest),
    FIELD("most", NUMBER, hottest),
};
static const struct record temperature_record = RECORD(temperature_fields, OF);

static const struct field clocks_fields[] = {
    FIELD("samples", COUNT, samples),
    FIELD("sm_mhz", RECORD, sm, .record = &clock_record),
    FIELD("memory_mhz", RECORD, memory, .record = &clock_record),
    FIELD_GROUP("temperature_c", temperature_record),
    FIELD("throttled", SHORT, throttled),
    FIELD("note", SHORT, note),
};
static const struct record clocks_record = RECORD(clocks_fields, OF);
#undef OF

#define OF struct report_steps
static const struct field steps_fields[] = {
    FIELD("count", COUNT, count),
    FIELD("reached", COUNT, reached),
    FIELD("title", SHORT, title),
    FIELD("next", SHORT, next),
};

static void check_steps(void *object, struct field_reader *reader) {
    const struct report_steps *steps = object;
    if (steps->count > REPORT_STEPS)
        field_fail(reader, "count", "number too large");
    if (steps->reached > steps->count)
        field_fail(reader, "reached", "number too large");
}

static const struct record steps_record = RECORD(steps_fields, OF, .check = check_steps);
#undef OF

#define OF struct report_device
static const struct field device_fields[] = {
    FIELD("kind", ENUM, kind, .flags = FIELD_NULL, .most = DEVICE_KINDS, .name = device_kind_name),
    FIELD("gpu", TEXT, gpu, .flags = FIELD_NULL),
    FIELD("model", TEXT, model, .flags = FIELD_NULL),
    FIELD("toolkit", TEXT, toolkit, .flags = FIELD_NULL),
};
static const struct record device_record = RECORD(device_fields, OF);
#undef OF

#define OF struct report_problem
static const struct field problem_fields[] = {
    FIELD("width", COUNT, width),
    FIELD("height", COUNT, height),
    FIELD("seed", INTEGER, seed), /* JSON's integers are signed here; a seed uses all 64 bits */
    FIELD("image", TEXT, image, .flags = FIELD_NULL),
};
static const struct record problem_record = RECORD(problem_fields, OF);
#undef OF

/* ---- the document */

#define OF struct report
static const struct field failure_fields[] = {
    FIELD("stage", ENUM, failure_stage, .most = STAGES, .name = report_stage_name),
    FIELD("message", TEXT, failure_message, .flags = FIELD_NULL),
};
static const struct record failure_record = RECORD(failure_fields, OF);

static const struct field correctness_fields[] = {
    FIELD("passed", COUNT, cases_passed),
    FIELD("failed", COUNT, cases_failed),
    FIELD("criterion", TEXT, criterion, .flags = FIELD_NULL, .since = 2),
    FIELD("cases", LIST, cases, .count = offsetof(OF, case_count), .record = &case_record),
    FIELD("wrong", RECORD, wrong, .flags = FIELD_NULL, .since = 2, .known = offsetof(OF, wrong.present),
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

static const struct record correctness_record = RECORD(correctness_fields, OF, .check = check_correctness);

static const struct field score_fields[] = {
    FIELD("points", NUMBER, score_points, .flags = FIELD_NULL),
    FIELD("max", NUMBER, score_max, .flags = FIELD_NULL),
    FIELD("pass", NUMBER, score_pass, .flags = FIELD_NULL, .since = 2),
    FIELD("passed", BOOL, score_passed),
    FIELD("too_close", BOOL, too_close, .since = 2),
};
static const struct record score_record = RECORD(score_fields, OF);

static const struct field report_fields[] = {
    {.key = "schema", .type = FIELD_SCHEMA},
    FIELD("lab", TEXT, lab, .flags = FIELD_NULL),
    FIELD("title", TEXT, title, .flags = FIELD_NULL),
    FIELD("source", TEXT, source, .flags = FIELD_NULL, .since = 2),
    FIELD("files", LIST, files, .since = 2, .count = offsetof(OF, file_count), .record = &file_record),
    FIELD("device", RECORD, device, .record = &device_record),
    FIELD("clocks", RECORD, clocks, .flags = FIELD_OMIT, .since = 2, .known = offsetof(OF, clocks.present),
          .record = &clocks_record),
    FIELD("problem", RECORD, problem, .record = &problem_record),
    FIELD("parts", LIST, parts, .since = 2, .count = offsetof(OF, part_count), .record = &part_record),
    FIELD_GROUP("failure", failure_record, .flags = FIELD_NULL),
    FIELD("output", TEXT, output, .flags = FIELD_NULL, .since = 2),
    FIELD("flags", LIST, flags, .flags = FIELD_OMIT, .count = offsetof(OF, flag_count),
          .record = &flag_record),
    FIELD("remarks", LIST, remarks, .flags = FIELD_OMIT, .since = 2, .count = offsetof(OF, remark_count),
          .record = &remark_record),
    FIELD_GROUP("correctness", correctness_record),
    FIELD("runs", LIST, runs, .count = offsetof(OF, run_count), .record = &run_record),
    FIELD("cpu_us", NUMBER, cpu_us, .flags = FIELD_NULL, .since = 2),
    FIELD("goals", LIST, goals, .count = offsetof(OF, goal_count), .record = &goal_record),
    FIELD_GROUP("score", score_record),
    FIELD("steps", RECORD, steps, .flags = FIELD_OMIT, .since = 2, .record = &steps_record),
    FIELD("predictions", LIST, predictions, .flags = FIELD_OMIT, .since = 2,
          .count = offsetof(OF, prediction_count), .most = REPORT_PREDICTIONS, .record = &prediction_record),
    FIELD("after", TEXT, after, .flags = FIELD_OMIT, .since = 2),
    FIELD("measured", TEXT, measured, .flags = FIELD_OMIT, .since = 2),
    FIELD("not_recorded", TEXT, not_recorded, .flags = FIELD_OMIT, .since = 2),
};
const struct record report_record = RECORD(report_fields, OF);
