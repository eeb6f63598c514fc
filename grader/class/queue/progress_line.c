/* progress_line.c: how far, how fast, how long still. */
#include "base/clock.h"
#include "class/queue/queue.h"

#include <unistd.h>

static void time_left(char *text, size_t size, double seconds) {
    if (seconds < 90)
        snprintf(text, size, "%.0f s", seconds);
    else if (seconds < 5400)
        snprintf(text, size, "%.0f min", seconds / 60);
    else
        snprintf(text, size, "%.1f h", seconds / 3600);
}

void progress_line_text(char *text, size_t size, const struct queue_counts *counts, unsigned done_before,
                        double seconds, double still) {
    unsigned done = counts->done + counts->trouble, now = done > done_before ? done - done_before : 0;
    double rate = seconds > 0 ? now / seconds : 0;
    char left[32] = "";
    int length = snprintf(text, size, "%u of %u judged  %u %%", done, counts->wanted,
                          counts->wanted > 0 ? (unsigned)(100.0 * done / counts->wanted) : 100);
    if (length < 0 || (size_t)length >= size || done >= counts->wanted)
        return;
    if (still > 20 && still * rate > 2) { /* the usual time says nothing of these */
        time_left(left, sizeof left, still);
        snprintf(text + length, size - (size_t)length, "  none since %s: what runs may use its whole limit",
                 left);
    } else if (rate > 0) {
        time_left(left, sizeof left, (counts->wanted - done) / rate);
        snprintf(text + length, size - (size_t)length, "  %.1f a minute  %s left", rate * 60, left);
    }
}

void progress_line_begin(struct progress_line *progress, FILE *to, const struct queue_counts *counts) {
    *progress = (struct progress_line){.to = to, .terminal = to != NULL && isatty(fileno(to)) == 1};
    progress->started = progress->shown = progress->since = clock_seconds();
    progress->done_before = progress->done = counts->done + counts->trouble;
}

bool progress_line_due(const struct progress_line *progress) {
    return progress->to != NULL && clock_seconds() - progress->shown >= (progress->terminal ? 0.1 : 30);
}

void progress_line_show(struct progress_line *progress, const struct queue_counts *counts) {
    char text[128];
    if (!progress_line_due(progress))
        return;
    progress->shown = clock_seconds();
    if (counts->done + counts->trouble != progress->done) {
        progress->done = counts->done + counts->trouble;
        progress->since = progress->shown;
    }
    progress_line_text(text, sizeof text, counts, progress->done_before, progress->shown - progress->started,
                       progress->shown - progress->since);
    fprintf(progress->to, progress->terminal ? "\r\033[K%s" : "%s\n", text);
    fflush(progress->to);
}

void progress_line_end(struct progress_line *progress, const struct queue_counts *counts) {
    double seconds = clock_seconds() - progress->started;
    unsigned now = counts->done + counts->trouble - progress->done_before;
    if (progress->to == NULL)
        return;
    fprintf(progress->to, "%s%u kernels judged in %.1f s", progress->terminal ? "\r\033[K" : "", now,
            seconds);
    if (now > 0 && seconds > 0)
        fprintf(progress->to, " (%.0f an hour)", now / seconds * 3600);
    fprintf(progress->to, "\n");
    fflush(progress->to);
}
