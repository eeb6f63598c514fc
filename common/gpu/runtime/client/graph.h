/* graph.h: graphs, as their files share them. A graph is a set of nodes, each with its work and the
 * nodes that come before it. graph.c: nodes and edges; node.c: what nodes do; capture.c: graphs from
 * captured streams; graph_exec.c: graphs that are launched. All is used under the client's lock. */
#ifndef RUNTIME_CLIENT_GRAPH_H
#define RUNTIME_CLIENT_GRAPH_H

#include "gpu/runtime/client/client.h"

/* The numbers of cudaGraphNodeType. */
enum node_type {
    NODE_KERNEL,
    NODE_COPY,
    NODE_FILL,
    NODE_HOST,
    NODE_GRAPH,
    NODE_EMPTY,
    NODE_WAIT,
    NODE_RECORD,
    NODE_ALLOCATE = 10,
    NODE_FREE
};

/* Memory that nodes allocate. It has its address from the first node on, and is freed with the last
 * node: the launches of a graph find it where it was. */
struct graph_memory {
    struct cuda_memory_node asked;
    unsigned references; /* nodes */
    bool in_use;         /* a launch allocated it, and nothing has freed it */
    struct graph_memory *next;
};

struct node_work {
    enum node_type type;
    union {
        struct cuda_kernel_node kernel; /* for the program: its arguments lie in `arguments` */
        struct cuda_copy_3d copy;
        struct cuda_memset_node fill;
        struct cuda_host_node host;
        cudaEvent_t event;
        struct graph *child;
        struct graph_memory *memory;
        void *freed;
    } as;
    uint64_t site;
    /* A kernel's launch, without its stream; its parameter buffer, behind which lie the pointers to
     * each parameter. */
    struct request_launch launch;
    const struct cuda_kernel *kernel;
    uint8_t *arguments;
};

struct node_set {
    struct graph_node **nodes;
    uint32_t count, capacity;
};

struct graph_node {
    uint64_t number; /* a clone's node has that of its original */
    struct node_work work;
    struct node_set before;
    struct graph *graph;
    uint32_t mark, place; /* in the search and in the copy that are under way */
    uint32_t lane, event; /* graph_exec.c; event: the simulated GPU's, 0: none */
};

struct graph {
    struct node_set nodes; /* in the order in which they were added */
};

/* ---- graph.c */
/* Adds a node unless the set has it. */
cudaError_t node_set_add(struct node_set *set, struct graph_node *node);
bool node_set_has(const struct node_set *set, const struct graph_node *node);
cudaError_t node_set_add_all(struct node_set *set, const struct node_set *others);
void node_set_free(struct node_set *set);

struct graph *graph_new(void);
void graph_free(struct client *client, struct graph *graph);
/* Adds a node, which takes over `work` also when there is an error. */
cudaError_t graph_add(struct client *client, struct graph *graph, struct graph_node *const *before,
                      size_t count, struct node_work *work, struct graph_node **added);
/* Adds copies of another graph's nodes; of child graphs, their nodes (flat). They come after `before`,
 * and have numbers of their own where `renumber`. *ends: copies that no other copy comes after. */
cudaError_t graph_add_copy(struct client *client, struct graph *graph, const struct graph *from, bool flat,
                           bool renumber, const struct node_set *before, struct node_set *ends);
/* The nodes, each after those that come before it. cudaErrorInvalidValue: there is a cycle. */
cudaError_t graph_order(const struct graph *graph, struct node_set *order);
struct graph_node *graph_find(const struct graph *graph, uint64_t number);

/* ---- node.c */
cudaError_t node_work_copy(struct client *client, const struct node_work *from, struct node_work *to);
void node_work_free(struct client *client, struct node_work *work);
/* The work of a launch as it goes to simgpu. */
cudaError_t node_kernel_work(const struct cuda_kernel *kernel, const struct request_launch *launch,
                             const uint8_t *arguments, struct node_work *work);
cudaError_t node_child_work(struct client *client, const void *graph, struct node_work *work);
cudaError_t node_memory_work(struct client *client, void **pointer, size_t bytes, struct node_work *work);
/* Does a node's work on a stream. The lock is open while a host function runs. */
cudaError_t node_run(struct client *client, const struct node_work *work, uint32_t stream);

/* The memory of graphs that has this address; NULL: there is none. */
struct graph_memory *node_memory_at(struct client *client, const void *pointer);

/* ---- capture.c: a graph that is launched on a captured stream becomes a child graph. */
cudaError_t client_graph_takes_graph(struct client *client, uint32_t stream, const struct graph *graph);

/* ---- graph_exec.c */
struct graph_exec;
/* The flat graph of what can be launched. */
struct graph *graph_exec_graph(struct graph_exec *exec);

#endif
