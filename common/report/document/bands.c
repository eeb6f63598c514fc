/* bands.c: how far modelled times may be off, and which are too near for an order. */
#include "base/path.h"
#include "report/document/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Copies, fills and the host have no band: they may take this share of a run. */
static const double other_share = 0.1;

double kernel_band(const struct kernel_report *report) {
    return report->band_known ? report->band : (double)NAN;
}

bool kernel_what_if_counts(const struct kernel_report *report, const struct kernel_what_if *what_if) {
    const double least = 1.05, all = 0.98;
    for (uint32_t i = 0; what_if->line == 0 && i < report->what_ifs.count; i++) {
        const struct kernel_what_if *line = &report->what_ifs.items[i];
        if (line->line > 0 && line->lift == what_if->lift && line->factor >= all * what_if->factor)
            return false; /* the line says it */
    }
    return what_if->factor >= least && !(what_if->factor < 1 + kernel_band(report)); /* NAN: no band */
}

void kernel_what_if_words(const struct kernel_what_if *what_if, char *text, size_t size) {
    int length = snprintf(text, size, "%s", gpu_lift_meaning(what_if->lift));
    if (what_if->line > 0)
        snprintf(text + length, size - (size_t)length, " at %.24s:%u", path_name(what_if->file),
                 what_if->line);
}

void run_set_band(struct report_run *run) {
    double sum = 0, kernels_us = 0;
    run->band = (double)NAN;
    for (uint32_t i = 0; i < run->kernel_count; i++) {
        const struct kernel_report *kernel = &run->kernels[i];
        kernels_us += kernel->time_us;
        sum += kernel->time_us * kernel_band(kernel); /* kernels of one program are off the same way */
    }
    if (run->time_source == TIME_MODEL && kernels_us > 0 && kernels_us >= (1 - other_share) * run->time_us)
        run->band = sum / kernels_us;
}

void run_note_untimed(struct report_run *run) {
    const struct kernel_report *first = NULL;
    uint32_t more = 0;
    for (uint32_t i = 0; i < run->kernel_count; i++) {
        const struct kernel_report *kernel = &run->kernels[i];
        if (isfinite(kernel->time_us) || kernel->timed_why[0] == '\0')
            continue;
        more += first != NULL && strcmp(kernel->name, first->name) != 0;
        first = first != NULL ? first : kernel;
    }
    if (first == NULL)
        return;
    char others[24] = "";
    if (more > 0)
        snprintf(others, sizeof others, " and %u more", more);
    snprintf(run->note, sizeof run->note, "%.*s%s: %.75s", (int)fmin((double)strcspn(first->name, "("), 26),
             first->name, others, first->timed_why);
}

/*
 * The threshold is that of a ratio, not of both bands: the model is off alike for kernels that do
 * the same work, so their ratio is known better than either time.
 */
bool report_not_apart(const struct report *report, const struct report_run *a, const struct report_run *b) {
    if (a->time_source != TIME_MODEL || b->time_source != TIME_MODEL)
        return false;
    double ratio = a->time_us > b->time_us ? a->time_us / b->time_us : b->time_us / a->time_us;
    return ratio < 1 + report->device.apart; /* NAN: no */
}
