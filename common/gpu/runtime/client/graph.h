/*
 * graph.h: stream capture and graphs. While a stream is captured, what would be sent to the simulated GPU is kept instead:
 * kernels, copies, fills, and the events between streams. A graph is that list; to launch it is to send it, on streams of
 * its own. What else a capture may hold (host functions, allocations, graphs in graphs, pageable memory) is refused by name.
 */
#ifndef RUNTIME_CLIENT_GRAPH_H
#define RUNTIME_CLIENT_GRAPH_H

#include "gpu/runtime/client/client.h"

/* Whether the stream of this number is being captured. */
bool client_graph_captures(const struct client *client, uint32_t stream);
/* Called with every request before it is sent. True: the capture has taken it, or refuses it: *error says. */
bool client_graph_takes(struct client *client, enum protocol_operation operation, const void *request,
                        size_t request_bytes, const void *tail, size_t tail_bytes, cudaError_t *error);
/* A capture cannot hold this; it is void from here on. What is asked for, for a person. */
cudaError_t client_graph_refuses(struct client *client, const char *what);

#endif
