/* node.c: what the nodes of a graph do: from a program's parameters to work, and the work itself. */
#include "gpu/runtime/client/graph.h"

#include <stdlib.h>
#include <string.h>

/* ---- from parameters to work: a node's, or one that takes its place */

cudaError_t node_kernel_work(const struct cuda_kernel *kernel, const struct request_launch *launch,
                             const uint8_t *arguments, struct node_work *work) {
    uint32_t bytes = (kernel->info.parameter_bytes + 7) / 8 * 8, count = kernel->info.parameter_count;
    *work = (struct node_work){.type = NODE_KERNEL, .launch = *launch, .kernel = kernel};
    void **pointers;
    work->arguments = calloc(1, bytes + count * sizeof *pointers + 1);
    if (work->arguments == NULL)
        return cudaErrorMemoryAllocation;
    memcpy(work->arguments, arguments, kernel->info.parameter_bytes);
    pointers = (void **)(void *)(work->arguments + bytes);
    for (uint32_t i = 0; i < count; i++)
        pointers[i] = work->arguments + kernel->parameters[i].offset;
    work->as.kernel = (struct cuda_kernel_node){
        .function = (void *)(uintptr_t)kernel->host,
        .grid = {launch->grid[0], launch->grid[1], launch->grid[2]},
        .block = {launch->block[0], launch->block[1], launch->block[2]},
        .shared = (unsigned)launch->dynamic_shared,
        .arguments = pointers,
    };
    return cudaSuccess;
}

static cudaError_t kernel_work(struct client *client, const void *parameters, struct node_work *work) {
    const struct cuda_kernel_node *asked = parameters;
    cudaError_t error = asked != NULL && asked->extra == NULL ? cudaSuccess : cudaErrorInvalidValue;
    struct cuda_kernel *kernel = error == cudaSuccess ? client_kernel(client, asked->function, &error) : NULL;
    if (kernel == NULL)
        return error;
    struct request_launch launch = {.kernel = kernel->info.id,
                                    .grid = {asked->grid.x, asked->grid.y, asked->grid.z},
                                    .block = {asked->block.x, asked->block.y, asked->block.z},
                                    .dynamic_shared = asked->shared};
    uint8_t *arguments = calloc(1, kernel->info.parameter_bytes + 1);
    if (arguments == NULL)
        return cudaErrorMemoryAllocation;
    error = client_arguments(kernel, asked->arguments, arguments);
    if (error == cudaSuccess)
        error = client_managed_variables(client, kernel->module);
    if (error == cudaSuccess)
        error = node_kernel_work(kernel, &launch, arguments, work);
    free(arguments);
    return error;
}

static cudaError_t copy_work(struct client *client, const void *parameters, struct node_work *work) {
    const struct cuda_copy_3d *asked = parameters;
    (void)client;
    if (asked == NULL || asked->kind < COPY_HOST_TO_HOST || asked->kind > COPY_DEFAULT)
        return cudaErrorInvalidValue;
    *work = (struct node_work){.type = NODE_COPY, .as.copy = *asked};
    return client_box_arrays(asked);
}

static cudaError_t fill_work(struct client *client, const void *parameters, struct node_work *work) {
    const struct cuda_memset_node *asked = parameters;
    (void)client;
    bool valid = asked != NULL && asked->to != NULL &&
                 (asked->element_bytes == 1 || asked->element_bytes == 2 || asked->element_bytes == 4) &&
                 asked->width <= SIZE_MAX / 4 &&
                 (asked->height <= 1 || asked->pitch >= asked->width * asked->element_bytes);
    if (valid)
        *work = (struct node_work){.type = NODE_FILL, .as.fill = *asked};
    return valid ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t host_work(struct client *client, const void *parameters, struct node_work *work) {
    const struct cuda_host_node *asked = parameters;
    (void)client;
    if (asked == NULL || asked->function == NULL)
        return cudaErrorInvalidValue;
    *work = (struct node_work){.type = NODE_HOST, .as.host = *asked};
    return cudaSuccess;
}

/* The event itself is the parameter. */
static cudaError_t record_work(struct client *client, const void *event, struct node_work *work) {
    uint32_t id;
    (void)client;
    *work = (struct node_work){.type = NODE_RECORD, .as.event = (cudaEvent_t)(uintptr_t)event};
    return client_event_id(work->as.event, &id) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

static cudaError_t wait_work(struct client *client, const void *event, struct node_work *work) {
    cudaError_t error = record_work(client, event, work);
    work->type = NODE_WAIT;
    return error;
}

static cudaError_t empty_work(struct client *client, const void *nothing, struct node_work *work) {
    (void)client;
    (void)nothing;
    *work = (struct node_work){.type = NODE_EMPTY};
    return cudaSuccess;
}

cudaError_t node_child_work(struct client *client, const void *asked, struct node_work *work) {
    struct graph *child = asked != NULL ? graph_new() : NULL;
    cudaError_t error = asked != NULL ? cudaErrorMemoryAllocation : cudaErrorInvalidValue;
    *work = (struct node_work){.type = NODE_GRAPH, .as.child = child};
    return child != NULL ? graph_add_copy(client, child, asked, false, true, NULL, NULL) : error;
}

cudaError_t node_memory_work(struct client *client, void **pointer, size_t bytes, struct node_work *work) {
    struct graph_memory *memory = calloc(1, sizeof *memory);
    if (memory == NULL)
        return cudaErrorMemoryAllocation;
    struct client_capture *capture = client->capture;
    client->capture = NULL; /* the memory is there from now on */
    cudaError_t error = client_allocate(client, pointer, bytes);
    client->capture = capture;
    if (error != cudaSuccess) {
        free(memory);
        return error;
    }
    *memory = (struct graph_memory){{.bytes = bytes, .pointer = *pointer}, 1, false, client->graph_memory};
    client->graph_memory = memory;
    *work = (struct node_work){.type = NODE_ALLOCATE, .as.memory = memory};
    return cudaSuccess;
}

/* The address is written into the parameters. */
static cudaError_t allocation_work(struct client *client, const void *parameters, struct node_work *work) {
    struct cuda_memory_node *asked = (struct cuda_memory_node *)(uintptr_t)parameters;
    if (asked == NULL || asked->bytes == 0)
        return cudaErrorInvalidValue;
    cudaError_t error = node_memory_work(client, &asked->pointer, asked->bytes, work);
    if (error == cudaSuccess)
        work->as.memory->asked = *asked;
    return error;
}

struct graph_memory *node_memory_at(struct client *client, const void *pointer) {
    struct graph_memory *memory = client->graph_memory;
    while (memory != NULL && memory->asked.pointer != pointer)
        memory = memory->next;
    return memory;
}

static cudaError_t free_work(struct client *client, const void *pointer, struct node_work *work) {
    *work = (struct node_work){.type = NODE_FREE, .as.freed = (void *)(uintptr_t)pointer};
    return node_memory_at(client, pointer) != NULL ? cudaSuccess : cudaErrorInvalidValue;
}

/* Bytes of all memory of graphs, which is reserved and in use as long as they live. */
API cudaError_t cudaDeviceGetGraphMemAttribute(int device, int attribute, uint64_t *value) {
    if (value == NULL || attribute < 0 || attribute > 3)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE({
        error = device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
        *value = 0;
        for (const struct graph_memory *memory = client->graph_memory; memory != NULL; memory = memory->next)
            *value += memory->asked.bytes;
    });
}

API cudaError_t cudaDeviceGraphMemTrim(int device) {
    WITH_DEVICE(error = device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

bool client_graph_frees(struct client *client, const void *pointer, cudaError_t *error) {
    struct graph_memory *memory = node_memory_at(client, pointer);
    if (memory == NULL)
        return false;
    *error = memory->in_use ? cudaSuccess : cudaErrorInvalidValue;
    memory->in_use = false;
    return true;
}

void client_graph_forgets(struct client *client) {
    for (struct graph_memory *memory = client->graph_memory; memory != NULL; memory = memory->next)
        memory->asked.pointer = NULL;
}

static cudaError_t run_free(struct client *client, const void *pointer) {
    cudaError_t error = cudaErrorInvalidValue;
    (void)client_graph_frees(client, pointer, &error);
    return error;
}

cudaError_t node_work_copy(struct client *client, const struct node_work *from, struct node_work *to) {
    *to = *from;
    if (from->type == NODE_KERNEL)
        return node_kernel_work(from->kernel, &from->launch, from->arguments, to);
    if (from->type == NODE_ALLOCATE)
        to->as.memory->references++;
    if (from->type == NODE_GRAPH)
        return node_child_work(client, from->as.child, to);
    return cudaSuccess;
}

void node_work_free(struct client *client, struct node_work *work) {
    free(work->arguments);
    if (work->type == NODE_GRAPH)
        graph_free(client, work->as.child);
    if (work->type != NODE_ALLOCATE || --work->as.memory->references > 0)
        return;
    struct graph_memory *memory = work->as.memory, **link = &client->graph_memory;
    while (*link != memory)
        link = &(*link)->next;
    *link = memory->next;
    struct client_capture *capture = client->capture;
    client->capture = NULL; /* it is freed now, whatever is captured */
    if (memory->asked.pointer != NULL)
        client_free_ordered(client, memory->asked.pointer);
    client->capture = capture;
    free(memory);
}

/* ---- the work */

static cudaError_t run_kernel(struct client *client, const struct node_work *work, uint32_t stream) {
    struct request_launch request = work->launch;
    request.stream = stream;
    return client_call(client, PROTOCOL_LAUNCH, &request, sizeof request, work->arguments,
                       work->kernel->info.parameter_bytes, NULL, 0);
}

static cudaError_t run_fill(struct client *client, const struct node_work *work, uint32_t stream) {
    const struct cuda_memset_node *fill = &work->as.fill;
    uint64_t width = fill->width * fill->element_bytes;
    struct request_fill request = {.address = (uintptr_t)fill->to,
                                   .pitch = fill->height > 1 ? fill->pitch : width,
                                   .width = width,
                                   .height = fill->height,
                                   .site = work->site,
                                   .value = fill->value,
                                   .element_bytes = fill->element_bytes,
                                   .stream = stream};
    return CLIENT_CALL(client, PROTOCOL_FILL, request, NULL, 0);
}

static cudaError_t run_host(struct client *client, const struct node_work *work, uint32_t stream) {
    struct request_synchronise request = {PROTOCOL_HOST_FUNCTION, stream, true};
    struct request_id off = {0}, on_again = {2};
    cudaError_t error = CLIENT_CALL(client, PROTOCOL_SYNCHRONISE, request, NULL, 0);
    if (error == cudaSuccess) /* what the host does takes its time */
        error = CLIENT_CALL(client, PROTOCOL_GRAPH, off, NULL, 0);
    if (error != cudaSuccess)
        return error;
    client_release(client);
    work->as.host.function(work->as.host.data);
    (void)client_acquire();
    return CLIENT_CALL(client, PROTOCOL_GRAPH, on_again, NULL, 0);
}

static cudaError_t run_event(struct client *client, const struct node_work *work, uint32_t stream) {
    uint32_t event;
    if (!client_event_id(work->as.event, &event))
        return cudaErrorInvalidResourceHandle;
    bool waits = work->type == NODE_WAIT;
    struct request_pair pair = {waits ? stream : event, waits ? event : stream};
    return CLIENT_CALL(client, waits ? PROTOCOL_STREAM_WAIT : PROTOCOL_EVENT_RECORD, pair, NULL, 0);
}

/* Memory that a launch allocated and nothing freed cannot be allocated again. */
static cudaError_t run_allocation(struct graph_memory *memory) {
    if (memory->in_use)
        client_say("a graph is launched again whose memory the last launch allocated and nothing has freed");
    cudaError_t error = memory->in_use ? cudaErrorInvalidValue : cudaSuccess;
    memory->in_use = true;
    return error;
}

cudaError_t node_run(struct client *client, const struct node_work *work, uint32_t stream) {
    switch (work->type) {
    case NODE_KERNEL: return run_kernel(client, work, stream);
    case NODE_COPY: return client_copy_box(client, &work->as.copy, stream, false, work->site);
    case NODE_FILL: return run_fill(client, work, stream);
    case NODE_HOST: return run_host(client, work, stream);
    case NODE_WAIT:
    case NODE_RECORD: return run_event(client, work, stream);
    case NODE_ALLOCATE: return run_allocation(work->as.memory);
    case NODE_FREE: return run_free(client, work->as.freed);
    case NODE_GRAPH: /* of a flat graph no node is one */
    case NODE_EMPTY: break;
    }
    return cudaSuccess;
}

/* ---- functions of the runtime */

typedef cudaError_t (*make_work)(struct client *, const void *parameters, struct node_work *);
static const make_work makers[] = {
    [NODE_KERNEL] = kernel_work, [NODE_COPY] = copy_work,        [NODE_FILL] = fill_work,
    [NODE_HOST] = host_work,     [NODE_GRAPH] = node_child_work, [NODE_EMPTY] = empty_work,
    [NODE_WAIT] = wait_work,     [NODE_RECORD] = record_work,    [NODE_ALLOCATE] = allocation_work,
    [NODE_FREE] = free_work,
};

static cudaError_t add(struct graph_node **node, struct graph *graph, struct graph_node *const *before,
                       size_t count, enum node_type type, const void *parameters) {
    if (node == NULL || graph == NULL || (count > 0 && before == NULL))
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE({
        struct node_work work = {.type = NODE_EMPTY};
        error = makers[type](client, parameters, &work);
        if (error == cudaSuccess)
            error = graph_add(client, graph, before, count, &work, node);
        else
            node_work_free(client, &work);
    });
}

/* Gives a node other work of its type. */
static cudaError_t set(struct graph_node *node, enum node_type type, const void *parameters) {
    if (node == NULL || node->work.type != type)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE({
        struct node_work work = {.type = NODE_EMPTY};
        error = makers[type](client, parameters, &work);
        struct node_work unused = error == cudaSuccess ? node->work : work;
        if (error == cudaSuccess)
            node->work = work;
        node_work_free(client, &unused);
    });
}

/* Gives it to the node's copy in what can be launched. */
static cudaError_t set_exec(struct graph_exec *exec, const struct graph_node *node, enum node_type type,
                            const void *parameters) {
    bool valid = exec != NULL && node != NULL;
    return set(valid ? graph_find(graph_exec_graph(exec), node->number) : NULL, type, parameters);
}

static cudaError_t get(const struct graph_node *node, enum node_type type, void *parameters, size_t bytes) {
    if (node == NULL || node->work.type != type || parameters == NULL)
        return client_finish(cudaErrorInvalidValue);
    const void *all = &node->work.as;
    memcpy(parameters, type == NODE_ALLOCATE ? &node->work.as.memory->asked : all, bytes);
    return cudaSuccess;
}

/* The four functions of a kind of node. */
#define NODE(kind, what, type, value, parameter)                                                             \
    API cudaError_t cudaGraphAdd##kind##Node(struct graph_node **node, struct graph *graph,                  \
                                             struct graph_node *const *before, size_t count,                 \
                                             parameter asked) {                                              \
        return add(node, graph, before, count, type, asked);                                                 \
    }                                                                                                        \
    API cudaError_t cudaGraph##kind##NodeSet##what(struct graph_node *node, parameter asked) {               \
        return set(node, type, asked);                                                                       \
    }                                                                                                        \
    API cudaError_t cudaGraphExec##kind##NodeSet##what(struct graph_exec *exec,                              \
                                                       const struct graph_node *node, parameter asked) {     \
        return set_exec(exec, node, type, asked);                                                            \
    }                                                                                                        \
    API cudaError_t cudaGraph##kind##NodeGet##what(const struct graph_node *node, value *asked) {            \
        return get(node, type, asked, sizeof *asked);                                                        \
    }

NODE(Kernel, Params, NODE_KERNEL, struct cuda_kernel_node, const struct cuda_kernel_node *)
NODE(Memcpy, Params, NODE_COPY, struct cuda_copy_3d, const struct cuda_copy_3d *)
NODE(Memset, Params, NODE_FILL, struct cuda_memset_node, const struct cuda_memset_node *)
NODE(Host, Params, NODE_HOST, struct cuda_host_node, const struct cuda_host_node *)
NODE(EventRecord, Event, NODE_RECORD, cudaEvent_t, cudaEvent_t)
NODE(EventWait, Event, NODE_WAIT, cudaEvent_t, cudaEvent_t)

API cudaError_t cudaGraphAddEmptyNode(struct graph_node **node, struct graph *graph,
                                      struct graph_node *const *before, size_t count) {
    return add(node, graph, before, count, NODE_EMPTY, NULL);
}

API cudaError_t cudaGraphAddChildGraphNode(struct graph_node **node, struct graph *graph,
                                           struct graph_node *const *before, size_t count,
                                           const struct graph *child) {
    return add(node, graph, before, count, NODE_GRAPH, child);
}

API cudaError_t cudaGraphChildGraphNodeGetGraph(const struct graph_node *node, struct graph **child) {
    return get(node, NODE_GRAPH, child, sizeof *child);
}

API cudaError_t cudaGraphAddMemAllocNode(struct graph_node **node, struct graph *graph,
                                         struct graph_node *const *before, size_t count,
                                         struct cuda_memory_node *asked) {
    return add(node, graph, before, count, NODE_ALLOCATE, asked);
}

API cudaError_t cudaGraphMemAllocNodeGetParams(const struct graph_node *node,
                                               struct cuda_memory_node *asked) {
    return get(node, NODE_ALLOCATE, asked, sizeof *asked);
}

API cudaError_t cudaGraphAddMemFreeNode(struct graph_node **node, struct graph *graph,
                                        struct graph_node *const *before, size_t count, void *pointer) {
    return add(node, graph, before, count, NODE_FREE, pointer);
}

API cudaError_t cudaGraphMemFreeNodeGetParams(const struct graph_node *node, void *pointer) {
    return get(node, NODE_FREE, pointer, sizeof(void *));
}

static struct cuda_copy_3d flat_copy(void *to, const void *from, size_t bytes, int kind) {
    return (struct cuda_copy_3d){.from = {(void *)(uintptr_t)from, bytes, bytes, 1},
                                 .to = {to, bytes, bytes, 1},
                                 .extent = {bytes, 1, 1},
                                 .kind = kind};
}

API cudaError_t cudaGraphAddMemcpyNode1D(struct graph_node **node, struct graph *graph,
                                         struct graph_node *const *before, size_t count, void *to,
                                         const void *from, size_t bytes, int kind) {
    struct cuda_copy_3d copy = flat_copy(to, from, bytes, kind);
    return add(node, graph, before, count, NODE_COPY, &copy);
}

API cudaError_t cudaGraphMemcpyNodeSetParams1D(struct graph_node *node, void *to, const void *from,
                                               size_t bytes, int kind) {
    struct cuda_copy_3d copy = flat_copy(to, from, bytes, kind);
    return set(node, NODE_COPY, &copy);
}

API cudaError_t cudaGraphExecMemcpyNodeSetParams1D(struct graph_exec *exec, const struct graph_node *node,
                                                   void *to, const void *from, size_t bytes, int kind) {
    struct cuda_copy_3d copy = flat_copy(to, from, bytes, kind);
    return set_exec(exec, node, NODE_COPY, &copy);
}
