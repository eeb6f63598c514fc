/* graph_exec.c: graphs that are launched: their nodes in order, on streams of their own. A node follows
 * one of those before it on the same stream, and waits for the others by events. */
#include "gpu/runtime/client/graph.h"

#include <stdlib.h>

enum { LANES = 64 }; /* streams at most; more branches than these share them */
enum { FREE_AT_LAUNCH = 1, UPLOAD = 2, USE_PRIORITY = 8 };

struct graph_exec {
    struct graph *graph;
    struct node_set order;
    unsigned long long flags;
    uint32_t lane_count, stream[LANES]; /* numbers of the simulated GPU; the first is the launch's stream */
    struct graph_node *last[LANES];     /* of each stream */
    uint32_t start;                     /* event: the launch's stream has come to the graph */
};

struct graph *graph_exec_graph(struct graph_exec *exec) {
    return exec->graph;
}

static cudaError_t new_event(struct client *client, uint32_t *event) {
    enum { DISABLE_TIMING = 2 };
    struct request_id request = {DISABLE_TIMING};
    struct reply_value id = {0};
    cudaError_t error =
        *event == 0 ? CLIENT_CALL(client, PROTOCOL_EVENT_CREATE, request, &id, sizeof id) : cudaSuccess;
    if (*event == 0)
        *event = (uint32_t)id.value;
    return error;
}

static void destroy(struct client *client, enum protocol_operation operation, uint32_t number) {
    struct request_id id = {number};
    if (number != 0)
        (void)CLIENT_CALL(client, operation, id, NULL, 0);
}

static void destroy_exec(struct client *client, struct graph_exec *exec) {
    for (uint32_t i = 1; i < exec->lane_count; i++)
        destroy(client, PROTOCOL_STREAM_DESTROY, exec->stream[i]);
    for (uint32_t i = 0; i < exec->order.count; i++)
        destroy(client, PROTOCOL_EVENT_DESTROY, exec->order.nodes[i]->event);
    destroy(client, PROTOCOL_EVENT_DESTROY, exec->start);
    node_set_free(&exec->order);
    graph_free(client, exec->graph);
    free(exec);
}

/* The stream on which a node before this one is the last; else a new one. */
static uint32_t choose_lane(struct graph_exec *exec, const struct graph_node *node) {
    for (uint32_t i = 0; i < exec->lane_count; i++)
        if (node_set_has(&node->before, exec->last[i]))
            return i;
    return exec->lane_count < LANES ? exec->lane_count++ : (uint32_t)(node->number % LANES);
}

static cudaError_t place_nodes(struct client *client, struct graph_exec *exec) {
    cudaError_t error = graph_order(exec->graph, &exec->order);
    for (uint32_t i = 0; error == cudaSuccess && i < exec->order.count; i++) {
        struct graph_node *node = exec->order.nodes[i];
        node->lane = choose_lane(exec, node);
        exec->last[node->lane] = node;
        for (uint32_t j = 0; error == cudaSuccess && j < node->before.count; j++)
            if (node->before.nodes[j]->lane != node->lane)
                error = new_event(client, &node->before.nodes[j]->event);
    }
    if (error == cudaSuccess && exec->lane_count > 1)
        error = new_event(client, &exec->start);
    for (uint32_t i = 1; error == cudaSuccess && i < exec->lane_count; i++) {
        enum { NON_BLOCKING = 1 };
        struct request_stream_create request = {NON_BLOCKING, 0};
        struct reply_value id = {0};
        error = new_event(client, &exec->last[i]->event);
        if (error == cudaSuccess)
            error = CLIENT_CALL(client, PROTOCOL_STREAM_CREATE, request, &id, sizeof id);
        exec->stream[i] = (uint32_t)id.value;
    }
    return error;
}

/* A graph's copy with streams and events of its own. */
static cudaError_t make_exec(struct client *client, const struct graph *graph, struct graph_exec **made) {
    struct graph_exec *exec = calloc(1, sizeof *exec);
    cudaError_t error = cudaErrorMemoryAllocation;
    if (exec != NULL && (exec->graph = graph_new()) != NULL)
        error = graph_add_copy(client, exec->graph, graph, true, false, NULL, NULL);
    if (error == cudaSuccess)
        error = place_nodes(client, exec);
    if (error == cudaSuccess)
        *made = exec;
    else if (exec != NULL)
        destroy_exec(client, exec);
    return error;
}

static cudaError_t instantiate(struct graph_exec **exec, const struct graph *graph,
                               unsigned long long flags) {
    if (exec == NULL || graph == NULL)
        return client_finish(cudaErrorInvalidValue);
    *exec = NULL;
    WITH_DEVICE({
        if (flags & ~(unsigned long long)(FREE_AT_LAUNCH | UPLOAD | USE_PRIORITY)) {
            client_say("flags %llu of a graph are not simulated", flags);
            error = cudaErrorNotSupported;
        } else {
            error = make_exec(client, graph, exec);
        }
        if (error == cudaSuccess)
            (*exec)->flags = flags;
    });
}

#if CUDART_MAJOR < 12
API cudaError_t cudaGraphInstantiate(struct graph_exec **exec, const struct graph *graph, void **error_node,
                                     char *log, size_t log_bytes) {
    if (error_node != NULL)
        *error_node = NULL;
    if (log != NULL && log_bytes > 0)
        log[0] = '\0';
    return instantiate(exec, graph, 0);
}
#else
API cudaError_t cudaGraphInstantiate(struct graph_exec **exec, const struct graph *graph,
                                     unsigned long long flags) {
    return instantiate(exec, graph, flags);
}
#endif

API cudaError_t cudaGraphInstantiateWithFlags(struct graph_exec **exec, const struct graph *graph,
                                              unsigned long long flags) {
    return instantiate(exec, graph, flags);
}

API cudaError_t cudaGraphExecDestroy(struct graph_exec *exec) {
    if (exec == NULL)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE(destroy_exec(client, exec));
}

/* ---- update */

struct update_result {
    int result;
    const struct graph_node *node, *from;
};

enum { UPDATED, UPDATE_ERROR, TOPOLOGY_CHANGED, TYPE_CHANGED };

/* The first difference in form of two flat graphs, node by node. */
static struct update_result compare(const struct graph *old, const struct graph *new) {
    for (uint32_t i = 0; i < new->nodes.count; i++)
        new->nodes.nodes[i]->place = i;
    for (uint32_t i = 0; i < old->nodes.count; i++)
        old->nodes.nodes[i]->place = i;
    for (uint32_t i = 0; i < new->nodes.count &&i < old->nodes.count; i++) {
        const struct graph_node *one = old->nodes.nodes[i], *other = new->nodes.nodes[i];
        if (one->work.type != other->work.type)
            return (struct update_result){TYPE_CHANGED, other, NULL};
        bool same = one->before.count == other->before.count;
        for (uint32_t j = 0; same && j < one->before.count; j++)
            same = one->before.nodes[j]->place == other->before.nodes[j]->place;
        if (!same)
            return (struct update_result){TOPOLOGY_CHANGED, other, NULL};
    }
    return (struct update_result){old->nodes.count == new->nodes.count ? UPDATED : TOPOLOGY_CHANGED, NULL,
                                  NULL};
}

static cudaError_t update(struct client *client, struct graph_exec *exec, const struct graph *graph,
                          struct update_result *result) {
    struct graph *flat = graph_new();
    cudaError_t error = flat == NULL ? cudaErrorMemoryAllocation
                                     : graph_add_copy(client, flat, graph, true, false, NULL, NULL);
    if (error == cudaSuccess)
        *result = compare(exec->graph, flat);
    for (uint32_t i = 0; error == cudaSuccess && result->result == UPDATED && i < flat->nodes.count; i++) {
        struct node_work *old = &exec->graph->nodes.nodes[i]->work, *new = &flat->nodes.nodes[i]->work;
        struct node_work swapped = *old;
        *old = *new;
        *new = swapped;
    }
    if (result->node != NULL) /* the program's own node, not its copy */
        result->node = graph_find(graph, result->node->number);
    graph_free(client, flat);
    return error == cudaSuccess && result->result != UPDATED ? cudaErrorGraphExecUpdateFailure : error;
}

#if CUDART_MAJOR < 12
API cudaError_t cudaGraphExecUpdate(struct graph_exec *exec, const struct graph *graph,
                                    const struct graph_node **error_node, int *answer) {
    struct update_result result = {UPDATE_ERROR, NULL, NULL};
    if (exec == NULL || graph == NULL || answer == NULL)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE({
        error = update(client, exec, graph, &result);
        *answer = result.result;
        if (error_node != NULL)
            *error_node = result.node;
    });
}
#else
API cudaError_t cudaGraphExecUpdate(struct graph_exec *exec, const struct graph *graph,
                                    struct update_result *result) {
    if (exec == NULL || graph == NULL || result == NULL)
        return client_finish(cudaErrorInvalidValue);
    *result = (struct update_result){UPDATE_ERROR, NULL, NULL};
    WITH_DEVICE(error = update(client, exec, graph, result));
}
#endif

/* ---- a launch */

static cudaError_t pair_call(struct client *client, enum protocol_operation operation, uint32_t first,
                             uint32_t second) {
    struct request_pair pair = {first, second};
    return CLIENT_CALL(client, operation, pair, NULL, 0);
}

static cudaError_t launch_node(struct client *client, struct graph_exec *exec,
                               const struct graph_node *node) {
    uint32_t stream = exec->stream[node->lane];
    cudaError_t error = node->before.count == 0 && node->lane != 0
                            ? pair_call(client, PROTOCOL_STREAM_WAIT, stream, exec->start)
                            : cudaSuccess;
    for (uint32_t i = 0; error == cudaSuccess && i < node->before.count; i++)
        if (node->before.nodes[i]->lane != node->lane)
            error = pair_call(client, PROTOCOL_STREAM_WAIT, stream, node->before.nodes[i]->event);
    if (error == cudaSuccess)
        error = node_run(client, &node->work, stream);
    if (error == cudaSuccess && node->event != 0)
        error = pair_call(client, PROTOCOL_EVENT_RECORD, node->event, stream);
    return error;
}

static cudaError_t launch(struct client *client, struct graph_exec *exec, uint32_t stream) {
    struct request_id on = {1}, off = {0};
    cudaError_t error = CLIENT_CALL(client, PROTOCOL_GRAPH, on, NULL, 0);
    exec->stream[0] = stream;
    if (exec->flags & FREE_AT_LAUNCH)
        for (uint32_t i = 0; i < exec->order.count; i++)
            if (exec->order.nodes[i]->work.type == NODE_ALLOCATE)
                exec->order.nodes[i]->work.as.memory->in_use = false;
    if (error == cudaSuccess && exec->start != 0)
        error = pair_call(client, PROTOCOL_EVENT_RECORD, exec->start, stream);
    for (uint32_t i = 0; error == cudaSuccess && i < exec->order.count; i++)
        error = launch_node(client, exec, exec->order.nodes[i]);
    for (uint32_t i = 1; error == cudaSuccess && i < exec->lane_count; i++)
        error = pair_call(client, PROTOCOL_STREAM_WAIT, stream, exec->last[i]->event);
    (void)CLIENT_CALL(client, PROTOCOL_GRAPH, off, NULL, 0);
    return error;
}

API cudaError_t cudaGraphLaunch(struct graph_exec *exec, cudaStream_t stream) {
    uint32_t id;
    if (exec == NULL)
        return client_finish(cudaErrorInvalidValue);
    if (!client_stream_id(stream, &id))
        return client_finish(cudaErrorInvalidResourceHandle);
    WITH_DEVICE({
        error = client_graph_captures(client, id) ? client_graph_takes_graph(client, id, exec->graph)
                                                  : launch(client, exec, id);
    });
}

/* On hardware this brings the graph to the device, where it already is here. */
API cudaError_t cudaGraphUpload(struct graph_exec *exec, cudaStream_t stream) {
    uint32_t id;
    if (exec == NULL)
        return client_finish(cudaErrorInvalidValue);
    if (!client_stream_id(stream, &id))
        return client_finish(cudaErrorInvalidResourceHandle);
    return cudaSuccess;
}
