/* span.c: reports pieces of the timeline as they are entered, and the host's times from the
 * program. */
#include "gpu/runtime/server/server.h"

#include <math.h>

void server_span(struct server *server, enum span_kind kind, int64_t stream, const char *name, uint64_t bytes,
                 double begin_us, double time_us) {
    if (!server->timeline_told)
        return;
    launch_report_span(&server->report, kind, stream, name, bytes, begin_us, time_us);
}

HANDLER(GRAPH, request_id) {
    if (request->id == 1 && !server->timeline.in_graph)
        timeline_host_spends(&server->timeline, server->options.model->graph_launch_us);
    server->timeline.in_graph = request->id != 0;
}

HANDLER(HOST, request_host) {
    enum { LONGEST_US = 1000000000 };
    char name[64];
    double before = server->timeline.host;
    if (!(request->microseconds >= 0 && request->microseconds <= LONGEST_US)) {
        reply->error = ERROR_INVALID_VALUE;
        return;
    }
    snprintf(name, sizeof name, "%s", (const char *)tail);
    timeline_host_spends(&server->timeline, request->microseconds);
    server_span(server, request->microseconds > 0 ? SPAN_KIND_HOST : SPAN_KIND_MARK, -1, name, 0, before,
                request->microseconds);
}
