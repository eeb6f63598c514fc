/* graph.c: graphs by hand: nodes and edges, copies of graphs, and what a program may ask of them. */
#include "gpu/runtime/client/graph.h"

#include <stdlib.h>
#include <string.h>

enum { EDGE_DATA_BYTES = 8 };

/* ---- sets of nodes */

bool node_set_has(const struct node_set *set, const struct graph_node *node) {
    for (uint32_t i = set->count; i-- > 0;)
        if (set->nodes[i] == node)
            return true;
    return false;
}

static cudaError_t append(struct node_set *set, struct graph_node *node) {
    if (set->count == set->capacity) {
        uint32_t capacity = set->capacity > 0 ? 2 * set->capacity : 4;
        struct graph_node **larger = realloc(set->nodes, capacity * sizeof *larger);
        if (larger == NULL)
            return cudaErrorMemoryAllocation;
        set->nodes = larger;
        set->capacity = capacity;
    }
    set->nodes[set->count++] = node;
    return cudaSuccess;
}

cudaError_t node_set_add(struct node_set *set, struct graph_node *node) {
    return node_set_has(set, node) ? cudaSuccess : append(set, node);
}

cudaError_t node_set_add_all(struct node_set *set, const struct node_set *others) {
    cudaError_t error = cudaSuccess;
    for (uint32_t i = 0; error == cudaSuccess && i < others->count; i++)
        error = node_set_add(set, others->nodes[i]);
    return error;
}

static void remove_node(struct node_set *set, const struct graph_node *node) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < set->count; i++)
        if (set->nodes[i] != node)
            set->nodes[kept++] = set->nodes[i];
    set->count = kept;
}

void node_set_free(struct node_set *set) {
    free(set->nodes);
    *set = (struct node_set){0};
}

/* ---- nodes */

struct graph *graph_new(void) {
    return calloc(1, sizeof(struct graph));
}

static void free_node(struct client *client, struct graph_node *node) {
    node_work_free(client, &node->work);
    node_set_free(&node->before);
    free(node);
}

void graph_free(struct client *client, struct graph *graph) {
    if (graph == NULL)
        return;
    for (uint32_t i = 0; i < graph->nodes.count; i++)
        free_node(client, graph->nodes.nodes[i]);
    node_set_free(&graph->nodes);
    free(graph);
}

cudaError_t graph_add(struct client *client, struct graph *graph, struct graph_node *const *before,
                      size_t count, struct node_work *work, struct graph_node **added) {
    struct graph_node *node = calloc(1, sizeof *node);
    cudaError_t error = node != NULL ? cudaSuccess : cudaErrorMemoryAllocation;
    if (node == NULL) {
        node_work_free(client, work);
        return error;
    }
    *node = (struct graph_node){.number = ++client->graph_nodes, .work = *work, .graph = graph};
    for (size_t i = 0; error == cudaSuccess && i < count; i++)
        error = before[i] != NULL && before[i]->graph == graph && !node_set_has(&node->before, before[i])
                    ? append(&node->before, before[i])
                    : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = append(&graph->nodes, node);
    if (error == cudaSuccess)
        *added = node;
    else
        free_node(client, node);
    return error;
}

struct graph_node *graph_find(const struct graph *graph, uint64_t number) {
    for (uint32_t i = 0; i < graph->nodes.count; i++)
        if (graph->nodes.nodes[i]->number == number)
            return graph->nodes.nodes[i];
    return NULL;
}

enum { NOT_SEEN, OPEN, DONE };

static cudaError_t order_from(struct graph_node *node, struct node_set *order) {
    cudaError_t error = cudaSuccess;
    if (node->mark != NOT_SEEN)
        return node->mark == DONE ? cudaSuccess : cudaErrorInvalidValue;
    node->mark = OPEN;
    for (uint32_t i = 0; error == cudaSuccess && i < node->before.count; i++)
        error = order_from(node->before.nodes[i], order);
    node->mark = DONE;
    return error == cudaSuccess ? append(order, node) : error;
}

cudaError_t graph_order(const struct graph *graph, struct node_set *order) {
    cudaError_t error = cudaSuccess;
    for (uint32_t i = 0; i < graph->nodes.count; i++)
        graph->nodes.nodes[i]->mark = NOT_SEEN;
    for (uint32_t i = 0; error == cudaSuccess && i < graph->nodes.count; i++)
        error = order_from(graph->nodes.nodes[i], order);
    return error;
}

/* Nodes that no other node of the graph comes after. */
static cudaError_t ends_of(const struct graph *graph, struct node_set *ends) {
    cudaError_t error = cudaSuccess;
    for (uint32_t i = 0; i < graph->nodes.count; i++)
        graph->nodes.nodes[i]->mark = 0;
    for (uint32_t i = 0; i < graph->nodes.count; i++)
        for (uint32_t j = 0; j < graph->nodes.nodes[i]->before.count; j++)
            graph->nodes.nodes[i]->before.nodes[j]->mark = 1;
    for (uint32_t i = 0; error == cudaSuccess && i < graph->nodes.count; i++)
        if (!graph->nodes.nodes[i]->mark)
            error = append(ends, graph->nodes.nodes[i]);
    return error;
}

/* The copy of one node. A child graph's nodes, where it is to be flat, come first; an empty node that
 * follows them stands for it. `copies` are those of the nodes in `order` before this one. */
static cudaError_t add_copy(struct client *client, struct graph *graph, struct graph_node *node, bool flat,
                            bool renumber, const struct node_set *outer, const struct node_set *copies) {
    struct node_work work;
    struct node_set before = {0}, ends = {0};
    struct graph_node *added = NULL;
    cudaError_t error = node->before.count == 0 && outer != NULL ? node_set_add_all(&before, outer) : 0;
    for (uint32_t i = 0; error == cudaSuccess && i < node->before.count; i++)
        error = append(&before, copies->nodes[node->before.nodes[i]->place]);
    bool opens = flat && node->work.type == NODE_GRAPH;
    if (error == cudaSuccess && opens)
        error = graph_add_copy(client, graph, node->work.as.child, true, true, &before, &ends);
    if (error == cudaSuccess) {
        work = (struct node_work){.type = NODE_EMPTY};
        error = opens ? cudaSuccess : node_work_copy(client, &node->work, &work);
    }
    const struct node_set *last = opens && ends.count > 0 ? &ends : &before;
    if (error == cudaSuccess)
        error = graph_add(client, graph, last->nodes, last->count, &work, &added);
    if (added != NULL && !renumber)
        added->number = node->number;
    node_set_free(&before);
    node_set_free(&ends);
    return error;
}

cudaError_t graph_add_copy(struct client *client, struct graph *graph, const struct graph *from, bool flat,
                           bool renumber, const struct node_set *before, struct node_set *ends) {
    struct node_set order = {0}, copies = {0}, last = {0};
    cudaError_t error = graph_order(from, &order);
    for (uint32_t i = 0; error == cudaSuccess && i < order.count; i++) {
        order.nodes[i]->place = i;
        error = add_copy(client, graph, order.nodes[i], flat, renumber, before, &copies);
        if (error == cudaSuccess)
            error = append(&copies, graph->nodes.nodes[graph->nodes.count - 1]);
    }
    if (error == cudaSuccess)
        error = ends_of(from, &last);
    for (uint32_t i = 0; ends != NULL && error == cudaSuccess && i < last.count; i++)
        error = append(ends, copies.nodes[last.nodes[i]->place]);
    node_set_free(&order);
    node_set_free(&copies);
    node_set_free(&last);
    return error;
}

/* ---- functions of the runtime */

API cudaError_t cudaGraphCreate(struct graph **graph, unsigned flags) {
    if (graph == NULL || flags != 0)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE(error = (*graph = graph_new()) != NULL ? cudaSuccess : cudaErrorMemoryAllocation);
}

API cudaError_t cudaGraphDestroy(struct graph *graph) {
    struct client *client = client_acquire();
    graph_free(client, graph);
    client_release(client);
    return client_finish(graph != NULL ? cudaSuccess : cudaErrorInvalidValue);
}

API cudaError_t cudaGraphClone(struct graph **clone, struct graph *graph) {
    if (clone == NULL || graph == NULL)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE({
        struct graph *made = graph_new();
        error = made != NULL ? graph_add_copy(client, made, graph, false, false, NULL, NULL)
                             : cudaErrorMemoryAllocation;
        if (error == cudaSuccess)
            *clone = made;
        else
            graph_free(client, made);
    });
}

API cudaError_t cudaGraphNodeFindInClone(struct graph_node **found, const struct graph_node *original,
                                         const struct graph *clone) {
    if (found == NULL || original == NULL || clone == NULL)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE({
        *found = graph_find(clone, original->number);
        error = *found != NULL ? cudaSuccess : cudaErrorInvalidValue;
    });
}

API cudaError_t cudaGraphNodeGetType(const struct graph_node *node, int *type) {
    if (node == NULL || type == NULL)
        return client_finish(cudaErrorInvalidValue);
    *type = (int)node->work.type;
    return cudaSuccess;
}

API cudaError_t cudaGraphDestroyNode(struct graph_node *node) {
    if (node == NULL)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE({
        struct graph *graph = node->graph;
        remove_node(&graph->nodes, node);
        for (uint32_t i = 0; i < graph->nodes.count; i++)
            remove_node(&graph->nodes.nodes[i]->before, node);
        free_node(client, node);
    });
}

/* Pairs of nodes for the program: count alone where it gives no room; else as many as fit, then
 * NULL. */
struct answer {
    struct graph_node **from, **to;
    size_t room, count;
};

static void give(struct answer *answer, struct graph_node *from, struct graph_node *to) {
    if (answer->count < answer->room) {
        if (answer->from != NULL)
            answer->from[answer->count] = from;
        if (answer->to != NULL)
            answer->to[answer->count] = to;
    }
    answer->count++;
}

static struct answer answer_into(struct graph_node **from, struct graph_node **to, const size_t *count) {
    return (struct answer){from, to, from != NULL || to != NULL ? *count : 0, 0};
}

static void end_answer(struct answer *answer, void *data, size_t *count) {
    size_t given = answer->count < answer->room ? answer->count : answer->room;
    bool counts = answer->from == NULL && answer->to == NULL;
    *count = counts ? answer->count : given;
    if (data != NULL && !counts)
        memset(data, 0, EDGE_DATA_BYTES * given);
    while (answer->count < answer->room)
        give(answer, NULL, NULL);
}

static cudaError_t list_nodes(const struct graph *graph, struct graph_node **nodes, size_t *count,
                              bool roots) {
    if (graph == NULL || count == NULL)
        return client_finish(cudaErrorInvalidValue);
    struct answer answer = answer_into(nodes, NULL, count);
    for (uint32_t i = 0; i < graph->nodes.count; i++)
        if (!roots || graph->nodes.nodes[i]->before.count == 0)
            give(&answer, graph->nodes.nodes[i], NULL);
    end_answer(&answer, NULL, count);
    return cudaSuccess;
}

API cudaError_t cudaGraphGetNodes(const struct graph *graph, struct graph_node **nodes, size_t *count) {
    return list_nodes(graph, nodes, count, false);
}

API cudaError_t cudaGraphGetRootNodes(const struct graph *graph, struct graph_node **nodes, size_t *count) {
    return list_nodes(graph, nodes, count, true);
}

/* The edges of a graph; only those that begin at `first` or end at `last`, if one is given. */
static cudaError_t list_edges(const struct graph *graph, const struct graph_node *first,
                              const struct graph_node *last, struct graph_node **from, struct graph_node **to,
                              void *data, size_t *count) {
    if (count == NULL)
        return client_finish(cudaErrorInvalidValue);
    struct answer answer = answer_into(from, to, count);
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        struct graph_node *node = graph->nodes.nodes[i];
        for (uint32_t j = 0; j < node->before.count; j++)
            if ((first == NULL || node->before.nodes[j] == first) && (last == NULL || node == last))
                give(&answer, node->before.nodes[j], node);
    }
    end_answer(&answer, data, count);
    return cudaSuccess;
}

static cudaError_t get_edges(const struct graph *graph, struct graph_node **from, struct graph_node **to,
                             void *data, size_t *count) {
    bool valid = graph != NULL && (from == NULL) == (to == NULL);
    return valid ? list_edges(graph, NULL, NULL, from, to, data, count)
                 : client_finish(cudaErrorInvalidValue);
}

static cudaError_t get_before(const struct graph_node *node, struct graph_node **nodes, void *data,
                              size_t *count) {
    return node != NULL ? list_edges(node->graph, NULL, node, nodes, NULL, data, count)
                        : client_finish(cudaErrorInvalidValue);
}

static cudaError_t get_after(const struct graph_node *node, struct graph_node **nodes, void *data,
                             size_t *count) {
    return node != NULL ? list_edges(node->graph, node, NULL, NULL, nodes, data, count)
                        : client_finish(cudaErrorInvalidValue);
}

/* Adds edges, or removes them; all or, at the first that is wrong, those before it. */
static cudaError_t change_edges(const struct graph *graph, struct graph_node *const *from,
                                struct graph_node *const *to, size_t count, bool adds) {
    if (graph == NULL || (count > 0 && (from == NULL || to == NULL)))
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE(for (size_t i = 0; error == cudaSuccess && i < count; i++) {
        bool valid = from[i] != NULL && to[i] != NULL && from[i] != to[i] && from[i]->graph == graph &&
                     to[i]->graph == graph && node_set_has(&to[i]->before, from[i]) != adds;
        if (!valid)
            error = cudaErrorInvalidValue;
        else if (adds)
            error = append(&to[i]->before, from[i]);
        else
            remove_node(&to[i]->before, from[i]);
    });
}

/* The functions of edges have data of the edges from 13 on, and in 12 under a second name. The data
 * may say that a kernel begins before another has ended: a hint, which has no effect here. */
#define EDGES_13(name, parameters, data, last, call)                                                         \
    API cudaError_t name(parameters, data, last) {                                                           \
        return call;                                                                                         \
    }
#define EDGES_11(name, parameters, data, last, call)                                                         \
    API cudaError_t name(parameters, last) {                                                                 \
        void *edges = NULL;                                                                                  \
        return call;                                                                                         \
    }
#define EDGES_12(name, parameters, data, last, call)                                                         \
    API cudaError_t name(parameters, last) {                                                                 \
        void *edges = NULL;                                                                                  \
        return call;                                                                                         \
    }                                                                                                        \
    API cudaError_t name##_v2(parameters, data, last) {                                                      \
        return call;                                                                                         \
    }
#if CUDART_MAJOR == 11
#define EDGES EDGES_11
#elif CUDART_MAJOR == 12
#define EDGES EDGES_12
#else
#define EDGES EDGES_13
#endif
#define AND , /* between parameters */

EDGES(cudaGraphGetEdges, const struct graph *graph AND struct graph_node **from AND struct graph_node **to,
      void *edges, size_t *count, get_edges(graph, from, to, edges, count))
EDGES(cudaGraphNodeGetDependencies, const struct graph_node *node AND struct graph_node **nodes, void *edges,
      size_t *count, get_before(node, nodes, edges, count))
EDGES(cudaGraphNodeGetDependentNodes, const struct graph_node *node AND struct graph_node **nodes,
      void *edges, size_t *count, get_after(node, nodes, edges, count))
EDGES(cudaGraphAddDependencies,
      const struct graph *graph AND struct graph_node *const *from AND struct graph_node *const *to,
      const void *edges, size_t count, ((void)edges, change_edges(graph, from, to, count, true)))
EDGES(cudaGraphRemoveDependencies,
      const struct graph *graph AND struct graph_node *const *from AND struct graph_node *const *to,
      const void *edges, size_t count, ((void)edges, change_edges(graph, from, to, count, false)))
