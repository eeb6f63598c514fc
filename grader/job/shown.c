/* shown.c: the same program, with inputs that are nobody's secret. */
#include "job/shown.h"
#include "lab/judge/run.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { SEEDS = SHOWN_RUNS, PRINTED_LINES = 10, LISTED_LENGTH = 1024 };

/* ---- words */

/* Addresses say nothing that a place in a buffer does not, and are not the same at home: "0x7f0012340000" is "0x...". What
 * is as short as a mask stays. */
static void hide_addresses(char *text) {
    enum { LONGEST_MASK = 8 };
    char *to = text;
    for (const char *from = text; *from != '\0';) {
        size_t digits = 0;
        if (from[0] == '0' && (from[1] == 'x' || from[1] == 'X'))
            while (isxdigit((unsigned char)from[2 + digits]))
                digits++;
        if (digits > LONGEST_MASK) {
            memcpy(to, "0x...", 5); /* shorter than what it replaces */
            to += 5;
            from += 2 + digits;
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
}

/* In which way a program failed, of a few. */
static const char *kind_of(const struct failure *failure) {
    static const char *const kinds[STAGES] = {[STAGE_START] = "does not start",
                                              [STAGE_FAULT] = "stops with an error",
                                              [STAGE_TIMEOUT] = "does not end",
                                              [STAGE_CORRECTNESS] = "computes something else",
                                              [STAGE_MEASURE] = "cannot be measured"};
    if (failure->flag != FLAG_NONE)
        return flag_meaning(failure->flag);
    return kinds[failure->stage] != NULL ? kinds[failure->stage] : "fails";
}

static bool fails_the_same_way(const struct failure *a, const struct failure *b) {
    return a->flag == b->flag && a->stage == b->stage;
}

/* The first lines of what the program printed. */
static void add_printed(char *detail, size_t size, const char *printed) {
    size_t length = 0;
    for (unsigned lines = 0; printed[length] != '\0' && lines < PRINTED_LINES; lines++) {
        length += strcspn(printed + length, "\n");
        length += printed[length] == '\n';
    }
    size_t used = strlen(detail);
    if (length > 0 && used < size)
        snprintf(detail + used, size - used, "\nIt printed:\n%.*s", (int)length, printed);
}

/* The first elements of the wrong case that are wrong, as `make labN` lists them; "": none is. */
static void list_elements(const struct report_wrong *wrong, char listed[LISTED_LENGTH]) {
    size_t used = 0;
    char place[sizeof wrong->place + 4];
    listed[0] = '\0';
    if (!wrong->present || wrong->listed_count == 0)
        return;
    snprintf(place, sizeof place, "at %s", wrong->place);
    used += (size_t)snprintf(listed, LISTED_LENGTH, "\n%s:\n  %10s  %-16s %8s %9s\n", wrong->name, "index",
                             wrong->place[0] != '\0' ? place : "at", "got", "expected");
    for (uint32_t i = 0; i < wrong->listed_count && used < LISTED_LENGTH; i++) {
        const struct report_element *element = &wrong->listed[i];
        used += (size_t)snprintf(listed + used, LISTED_LENGTH - used, "  %10llu  %-16s %8s %9s\n",
                                 (unsigned long long)element->index, element->where, element->got,
                                 element->expected);
    }
    if (wrong->elements > wrong->listed_count && used < LISTED_LENGTH)
        snprintf(listed + used, LISTED_LENGTH - used, "  and %llu more\n",
                 (unsigned long long)(wrong->elements - wrong->listed_count));
}

/* ---- runs */

/* A run that is not right, as it may be told. */
struct failed_run {
    struct failure failure;
    char printed[4096];
    char listed[LISTED_LENGTH];
};

/* The lab as a student has it. */
static struct settings public_settings(const struct shown_run *run, uint64_t seed) {
    struct settings s = *run->settings;
    s.grading = false;
    s.seed = seed;
    draw_key_of_seed(&s.key, seed); /* and not what all of the grader's follows from */
    path_print(s.folder, "%s", run->folder);
    return s;
}

static struct measure_variant variant_of(const struct shown_run *run) {
    struct measure_variant variant = {.name = RUN_YOURS};
    path_print(variant.program, "%s", run->program);
    return variant;
}

/* Judged and measured with the inputs of a seed. False and *failed: it is not right. */
static bool is_right(const struct shown_run *run, uint64_t seed, struct failed_run *failed) {
    struct settings s = public_settings(run, seed);
    struct report report;
    struct judge_wrong wrong = {.present = false};
    struct run alone = {.settings = &s, .count = 1, .judged = 0, .variants = {variant_of(run)}};
    *failed = (struct failed_run){.failure.stage = STAGE_NONE};
    if (!run_report_begin(&report, &s)) {
        failure_set(&failed->failure, STAGE_START, "out of memory");
        return false;
    }
    bool right =
        run_judge(&alone, &report, &wrong, failed->printed, sizeof failed->printed, &failed->failure);
    if (wrong.present && run_report_judged(&report, &s, &wrong, ""))
        list_elements(&report.wrong, failed->listed);
    report_free(&report);
    return right;
}

void shown_nothing(const struct shown_run *run, const struct failure *failure, bool busy,
                   struct job_result *result) {
    char detail[256];
    if (result->have_shown)
        report_free(&result->shown);
    result->have_shown = false;
    if (failure != NULL)
        job_result_set(result, JOB_FAILED, "it %s", kind_of(failure));
    snprintf(detail, sizeof detail, "More is not shown: with the inputs of `make %s` %s.",
             run->settings->lab.id,
             busy ? "the machine was too busy" : "it went beyond the limits of memory or time");
    job_result_detail(result, detail);
}

void shown_kernels(const struct shown_run *run, struct job_result *result) {
    struct settings s = public_settings(run, SETTINGS_SEED);
    struct measure_variant variant = variant_of(run);
    struct judge_wrong wrong = {.present = false};
    struct failure failure = {.stage = STAGE_NONE};
    bool right = run_report_begin(&result->shown, &s);
    result->have_shown = right;
    for (unsigned part = 0; right && part < s.lab.part_count; part++)
        right = measure_variants(&s, part, &variant, 1, -1,
                                 &(struct measure_results){&result->shown, &wrong, &failure});
    if (right || !result->have_shown)
        return;
    if (failure.stage == STAGE_BUSY) {
        shown_nothing(run, NULL, true, result);
        return;
    }
    char detail[JOB_RESULT_DETAIL];
    hide_addresses(failure.message);
    snprintf(detail, sizeof detail, "With the inputs of `make %s` it is not right:\n%s", s.lab.id,
             failure.message);
    job_result_detail(result, detail);
    report_free(&result->shown);
    result->have_shown = false;
}

/* As the student types it. */
static void print_command(const struct shown_run *run, uint64_t seed, char *text, size_t size) {
    const struct settings *s = run->settings;
    char seeded[32] = "", sized[32] = "";
    if (seed != SETTINGS_SEED)
        snprintf(seeded, sizeof seeded, " SEED=%u", (unsigned)seed);
    if (s->sized)
        snprintf(sized, sizeof sized, " SIZE=%ux%u", s->width, s->height);
    snprintf(text, size, "make %s%s%s", s->lab.id, seeded, sized);
}

static void show(struct job_result *result, const struct shown_run *run, uint64_t seed,
                 const struct failure *secret, const struct failed_run *failed) {
    const struct failure *failure = &failed->failure;
    char message[sizeof failure->message], detail[JOB_RESULT_DETAIL], command[96];
    bool same = fails_the_same_way(secret, failure);
    print_command(run, seed, command, sizeof command);
    snprintf(message, sizeof message, "%s", failure->message);
    snprintf(detail, sizeof detail, "%s\n%s\nThat is what `%s` shows.%s%s%s", failure->message,
             failed->listed, command, same ? "" : " With the grader's own inputs it ",
             same ? "" : kind_of(secret), same ? "" : ".");
    add_printed(detail, sizeof detail, failed->printed);
    hide_addresses(message);
    hide_addresses(detail);
    job_result_set(result, JOB_FAILED, "%s", message);
    job_result_detail(result, detail);
}

void shown_failure(const struct shown_run *run, const struct failure *secret, struct job_result *result) {
    struct failed_run failed, other;
    uint64_t other_seed = 0;
    for (uint64_t seed = SETTINGS_SEED; seed < SETTINGS_SEED + SEEDS; seed++) {
        if (is_right(run, seed, &failed))
            continue;
        if (failed.failure.stage == STAGE_BUSY) {
            shown_nothing(run, secret, true, result);
            return;
        }
        if (fails_the_same_way(secret, &failed.failure)) {
            show(result, run, seed, secret, &failed);
            return;
        }
        if (other_seed == 0) {
            other_seed = seed;
            other = failed;
        }
    }
    if (other_seed != 0) {
        show(result, run, other_seed, secret, &other);
        return;
    }
    const char *lab = run->settings->lab.id;
    job_result_set(result, JOB_FAILED,
                   "it is right with the inputs of `make %s`, and with others that only the grader has it %s",
                   lab, kind_of(secret));
    char detail[1024];
    snprintf(detail, sizeof detail,
             "Tried with `make %s SEED=1` to SEED=%d, where every case is right. Which of\n"
             "the grader's cases it is is not told: they are of the same kinds, with other\n"
             "values and some other sizes. Look for what hangs on values (an overflow, a\n"
             "level that never came), on sizes (the last row, the last block), or on what\n"
             "came before (memory that nobody wrote, something kept from call to call).\n"
             "`make %s SEED=n` with other numbers may show it.",
             lab, SEEDS, lab);
    job_result_detail(result, detail);
}
