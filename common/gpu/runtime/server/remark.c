/* remark.c: enters remarks in the report as they are found, and prints them at the end. */
#include "base/demangle.h"
#include "base/wrap.h"
#include "gpu/runtime/server/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Keeps a remark. The same line again, or one too many, is only counted. */
static void keep(struct server *server, const struct simt_remark *remark) {
    if (server->remarks == NULL)
        server->remarks = calloc(SERVER_REMARKS, sizeof *server->remarks);
    if (server->remarks == NULL)
        return;
    for (uint32_t i = 0; i < server->remark_count; i++) {
        struct simt_remark *known = &server->remarks[i];
        if (known->line == remark->line && strcmp(known->kind, remark->kind) == 0 &&
            strcmp(known->file, remark->file) == 0 &&
            (known->line || strcmp(known->message, remark->message) == 0)) {
            known->count += remark->count;
            return;
        }
    }
    if (server->remark_count == SERVER_REMARKS)
        server->remarks_left_out++;
    else
        server->remarks[server->remark_count++] = *remark;
}

void server_remark(struct server *server, const struct simt_remark *remark) {
    struct simt_remark named = *remark;
    if (remark->kernel[0] != '\0')
        demangle_kernel(remark->kernel, named.kernel, sizeof named.kernel);
    pthread_mutex_lock(&server->report.writing);
    keep(server, &named);
    pthread_mutex_unlock(&server->report.writing);
    if (!launch_report_remark(&server->report, &named))
        server->report.descriptor = -1;
}

void server_take_remarks(struct server *server) {
    struct simt_remark *found = malloc(SIMT_REMARKS * sizeof *found);
    uint32_t count = found != NULL ? simt_take_remarks(server->device, found) : 0;
    for (uint32_t i = 0; i < count; i++)
        server_remark(server, &found[i]);
    free(found);
}

void server_say_remarks(struct server *server) {
    if (!server->options.say_remarks)
        return;
    server->options.say_remarks = false;
    fflush(stdout);
    static const char races[] = " (RACES=1 looks for races on shared memory in all blocks)";
    bool passed = false;
    const char *head = server->check ? "check: " : "remark: ";
    char text[2 * sizeof(struct simt_remark)];
    for (uint32_t i = 0; i < server->remark_count; i++) {
        const struct simt_remark *remark = &server->remarks[i];
        const char *slash = strrchr(remark->file, '/');
        bool race = strcmp(remark->kind, "shared-race") == 0; /* found in two blocks of many */
        passed |= strcmp(remark->kind, "barrier") == 0 || strcmp(remark->kind, "members") == 0 ||
                  strcmp(remark->kind, "stray") == 0;
        char place[sizeof remark->file + 16] = "", times[32] = "";
        if (remark->line)
            snprintf(place, sizeof place, "%s:%u: ", slash != NULL ? slash + 1 : remark->file, remark->line);
        if (remark->count > 1 && !race)
            snprintf(times, sizeof times, " (%llu times)", (unsigned long long)remark->count);
        snprintf(text, sizeof text, "%s%s%s", place, remark->message, race ? races : times);
        wrap_message(head, text);
    }
    if (server->remarks_left_out)
        fprintf(stderr, "%sand %u more\n", head, server->remarks_left_out);
    if (passed)
        wrap_message("  (",
                     "a GPU goes on there, and so did this run; STRICT=1 stops there, as the labs do)");
    if (server->check && server->remark_count == 0 && !server->faulted) {
        snprintf(text, sizeof text, "nothing found%s", server->races ? "" : races);
        wrap_message("check: ", text);
    } else if (server->check && !server->races) {
        fprintf(stderr, "%s\n", races);
    }
}
