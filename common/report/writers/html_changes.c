/* html_changes.c: the changes of an edit, and earlier runs. */
#include "base/path.h"
#include "report/document/changes.h"
#include "report/writers/format.h"
#include "report/writers/html_escape.h"
#include "report/writers/html_parts.h"

#include <math.h>
#include <string.h>

static bool listed(const struct report_run *run, const struct change *change) {
    for (uint32_t k = 0; k < run->kernel_count; k++)
        for (uint32_t i = 0; i < run->kernels[k].line_count; i++) {
            const struct kernel_line *line = &run->kernels[k].lines[i];
            if (line->line == change->line && strcmp(path_name(line->file), change->file) == 0)
                return true;
        }
    return false;
}

static void runs_before(FILE *to, const struct changes *changes) {
    double longest = 0;
    for (uint32_t i = 0; i < changes->past_count; i++)
        longest = fmax(longest, changes->past[i].time_us); /* fmax ignores NAN */
    if (changes->past_count < 2 || longest <= 0)
        return;
    fputs("<h4>Your runs</h4>\n", to);
    for (uint32_t i = 0; i < changes->past_count; i++) {
        const struct past_run *past = &changes->past[i];
        char time[FORMAT_SIZE], points[FORMAT_SIZE], max[FORMAT_SIZE], words[4 * FORMAT_SIZE];
        snprintf(words, sizeof words, "%s, %s of %s points", format_time(time, past->time_us),
                 format_number(points, past->points), format_number(max, past->max));
        html_bar(to, past->when, "", past->time_us / longest, words,
                 i + 1 < changes->past_count ? "other" : "");
    }
}

void html_changes(FILE *to, const struct report_run *run, const struct changes *changes) {
    fputs("<h2 id=\"changes\">Since last time</h2>\n", to);
    if (changes->count > 0) {
        fputs("<p class=\"sub\">Compared with your run of ", to);
        html_escape(to, changes->since);
        fputs(", the last with another kernel, on the same GPU and problem.</p>\n<ul>\n", to);
        for (uint32_t i = 0; i < changes->count; i++) {
            const struct change *change = &changes->items[i];
            bool linked = run != NULL && change->line > 0 && listed(run, change);
            fputs("<li>", to);
            if (linked) {
                fputs("<a href=\"#", to);
                html_place(to, change->file, change->line);
                fputs("\">", to);
            }
            html_escape(to, change->text);
            fputs(linked ? "</a></li>\n" : "</li>\n", to);
        }
        fputs("</ul>\n", to);
    }
    runs_before(to, changes);
}
