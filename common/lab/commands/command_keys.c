/* Every step of a lab under many keys: its points must not hang on what the key draws. */
#include "lab/commands/commands.h"
#include "lab/judge/goals.h"
#include "lab/judge/run.h"
#include "lab/ladder/ladder.h"
#include "report/writers/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 20, KEYS_MOST = 1000 };
static const double most_apart = 3; /* points */

/* What one step got under the keys so far. */
struct spread {
    double points[2], time_us[2]; /* least, most */
};

static void widen(double range[2], double value) {
    range[0] = fmin(range[0], value);
    range[1] = fmax(range[1], value);
}

/* Measures the steps of each part beside baseline and reference. */
static bool measure_all(const struct settings *s, const struct ladder *ladder,
                        const struct measure_results *to) {
    struct run run;
    run_init(&run, s);
    for (unsigned part = 0; part < s->lab.part_count; part++) {
        struct measure_variant variants[MEASURE_VARIANTS + 2] = {run.variants[0]};
        unsigned count = 1;
        for (unsigned i = 0; i < ladder->count; i++)
            if (ladder->step[i].part == part)
                variants[count++] = ladder->variant[i];
        variants[count++] = run.variants[2];
        if (!measure_variants(s, part, variants, count, -1, to))
            return false;
    }
    return true;
}

/* The points of a run, were it the student's. `runs` is left as it was. False: out of memory. */
static bool points_of(const struct settings *s, struct report *runs, struct report_run *run, double *points) {
    struct report scored;
    struct failure failure;
    char yours[] = RUN_YOURS, *name = run->name;
    if (!report_init(&scored, s->lab.id, s->lab.title))
        return false;
    run->name = yours;
    scored.runs = runs->runs;
    scored.run_count = runs->run_count;
    bool right = goals_score_timed(s, &scored, &failure);
    *points = scored.score_points;
    run->name = name;
    scored.runs = NULL; /* they are the other report's */
    scored.run_count = 0;
    report_free(&scored);
    return right;
}

/* Adds what the steps get under the settings' key. False and *failure. */
static bool add_key(const struct settings *s, const struct ladder *ladder, struct spread *spreads,
                    struct failure *failure) {
    struct report report;
    struct judge_wrong wrong = {0};
    failure_set(failure, STAGE_MEASURE, "out of memory");
    if (!run_report_begin(&report, s))
        return false;
    bool right = measure_all(s, ladder, &(struct measure_results){&report, &wrong, failure});
    for (uint32_t i = 0; right && i < report.run_count; i++)
        for (unsigned step = 0; right && step < ladder->count; step++) {
            double points = 0;
            if (strcmp(report.runs[i].name, ladder->variant[step].name) != 0)
                continue;
            right = points_of(s, &report, &report.runs[i], &points);
            widen(spreads[step].points, points);
            widen(spreads[step].time_us, report.runs[i].time_us);
        }
    report_free(&report);
    return right;
}

static bool show(const struct ladder *ladder, const struct spread *spreads) {
    bool within = true;
    printf("  %-12s %18s %7s   %20s %7s\n", "step", "points", "apart", "modelled us", "apart");
    for (unsigned i = 0; i < ladder->count; i++) {
        const double *points = spreads[i].points, *time = spreads[i].time_us;
        bool apart = points[1] - points[0] > most_apart;
        within = within && !apart;
        printf("  %-12s %7.1f .. %7.1f %7.1f   %8.2f .. %8.2f %5.1f %%%s\n", ladder->step[i].name, points[0],
               points[1], points[1] - points[0], time[0], time[1], 100 * (time[1] / time[0] - 1),
               apart ? "  !" : "");
    }
    return within;
}

int command_keys(struct settings *s, const char *lab, int count, char **rest) {
    char error[SETTINGS_ERROR], *end = "";
    static struct ladder ladder;
    struct spread spreads[MEASURE_VARIANTS];
    struct failure failure;
    unsigned long keys = count > 0 ? strtoul(rest[0], &end, 10) : KEYS;
    if (keys < 2 || keys > KEYS_MOST || *end != '\0')
        return command_refuse("KEYS is a whole number, 2 to 1000");
    if (!settings_resolve(s, lab, error, sizeof error) ||
        !ladder_add(&ladder, s, (unsigned)strtoul(s->lab.id + 3, NULL, 10), error, sizeof error) ||
        !ladder_built(&ladder, error, sizeof error))
        return command_refuse(error);
    if (s->device != DEVICE_SIM)
        return command_refuse("a real GPU's times vary by themselves: keys are compared with DEVICE=sim");
    for (unsigned i = 0; i < ladder.count; i++)
        spreads[i] = (struct spread){{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
    for (unsigned long key = 1; key <= keys; key++) {
        s->seed = key;
        draw_key_of_seed(&s->key, key);
        if (!add_key(s, &ladder, spreads, &failure))
            return command_refuse(failure.message);
    }
    printf("%s, %u x %u, under %lu keys: each step's points of %g, and its modelled time\n", s->lab.id,
           s->width, s->height, keys, lab_points_most(&s->lab));
    if (show(&ladder, spreads))
        return 0;
    printf("  ! More than %g points apart: the key decides.\n", most_apart);
    return 1;
}
