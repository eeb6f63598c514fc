/* progress.c: reports that a long launch still runs, to a judge or on standard error. */
#include "base/clock.h"
#include "gpu/runtime/server/server.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double SILENT_S = 2, BETWEEN_S = 0.5;               /* on a terminal, where a line is redrawn */
static const double FIRST_LINE_S = 5, MOST_BETWEEN_LINES_S = 60; /* elsewhere, where lines stay */

void server_progress_begin(struct server_progress *progress, struct server *server, const char *kernel) {
    *progress = (struct server_progress){
        .server = server, .kernel = kernel, .start = clock_seconds(), .terminal = isatty(STDERR_FILENO)};
}

/* Whether another line is due. */
static bool line_is_due(const struct server_progress *progress, double now) {
    double ran = now - progress->start, before = progress->shown - progress->start;
    if (progress->shown == 0)
        return ran >= FIRST_LINE_S;
    return ran >= 2 * before || ran - before >= MOST_BETWEEN_LINES_S;
}

static void write_line(const struct server_progress *progress, double now, uint64_t instructions) {
    uint64_t budget = progress->server->config.instruction_budget;
    fflush(stdout);
    fprintf(stderr,
            "simulated GPU: %.*s still runs after %.0f s\n"
            "  (%.0f M warp instructions; SIMGPU_BUDGET=n stops it after n, now %.0f M)\n",
            (int)strcspn(progress->kernel, "("), progress->kernel, now - progress->start,
            (double)instructions / 1e6, (double)(budget ? budget : SIMT_DEFAULT_BUDGET) / 1e6);
}

void server_progress_show(void *context, uint64_t instructions) {
    struct server_progress *progress = context;
    struct server *server = progress->server;
    double now = clock_seconds();
    bool judged = server->judged;
    if (!judged && !progress->terminal) {
        if (!line_is_due(progress, now))
            return;
        write_line(progress, now, instructions);
        progress->shown = now;
        return;
    }
    if (now - progress->start < SILENT_S || now - progress->shown < BETWEEN_S)
        return;
    progress->shown = now;
    if (judged) {
        launch_report_running(&server->report, instructions);
    } else {
        progress->drawn = true;
        fprintf(stderr, "\r\033[K%.40s still runs: %.0f M warp instructions", progress->kernel,
                (double)instructions / 1e6);
        fflush(stderr);
    }
}

void server_progress_end(struct server_progress *progress) {
    if (!progress->drawn)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
}
