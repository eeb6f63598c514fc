/* server_progress.c: a kernel that runs for long says so: to a judge, else on a terminal. */
#include "base/clock.h"
#include "cudart/server.h"

#include <stdio.h>
#include <unistd.h>

static const double SILENT_S = 2, BETWEEN_S = 0.5;

void server_progress_begin(struct server_progress *progress, struct server *server, const char *kernel) {
    *progress = (struct server_progress){.server = server, .kernel = kernel, .start = clock_seconds()};
}

void server_progress_show(void *context, uint64_t instructions) {
    struct server_progress *progress = context;
    struct server *server = progress->server;
    double now = clock_seconds();
    if (now - progress->start < SILENT_S || now - progress->shown < BETWEEN_S)
        return;
    progress->shown = now;
    if (server->judge.memory != NULL) {
        pthread_mutex_lock(&server->reporting);
        launch_report_running(&server->report, instructions);
        pthread_mutex_unlock(&server->reporting);
    } else if (isatty(STDERR_FILENO)) {
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
