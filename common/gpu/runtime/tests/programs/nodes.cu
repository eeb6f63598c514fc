/* nodes.cu: graphs by hand: every kind of node, edges, clones, changes, and what programs ask of them. The names are those
 * before 13 (cuda12.cuh). */
#include "check.h"
#include <dlfcn.h>

enum { N = 256, WIDTH = 16, ROWS = 4, PITCH = 128 };

__global__ void add(int *to, const int *from, int value) {
    to[threadIdx.x] = from[threadIdx.x] + value;
}

static void CUDART_CB count_up(void *data) {
    ++*(int *)data;
}

static cudaGraphExec_t instantiate(cudaGraph_t graph) {
    cudaGraphExec_t exec;
    OK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    return exec;
}

static void run(cudaGraphExec_t exec) {
    OK(cudaGraphLaunch(exec, 0));
    OK(cudaDeviceSynchronize());
}

static cudaKernelNodeParams kernel_of(void **arguments) {
    cudaKernelNodeParams parameters = {};
    parameters.func = (void *)add;
    parameters.gridDim = dim3(1);
    parameters.blockDim = dim3(N);
    parameters.kernelParams = arguments;
    return parameters;
}

/* copy -> first, second -> (child) join -> back -> host: a diamond around a child graph. */
static void diamond(void) {
    int host[N], result[N], called = 0, three = 3, five = 5, seven = 7;
    int *device, *left, *right;
    cudaGraph_t graph, child, clone, inner;
    cudaGraphNode_t in, first, second, join, back, told, nodes[16], to[16], found;
    size_t count;
    OK(cudaMalloc(&device, N * sizeof(int)));
    OK(cudaMalloc(&left, N * sizeof(int)));
    OK(cudaMalloc(&right, N * sizeof(int)));
    for (int i = 0; i < N; i++)
        host[i] = i;

    OK(cudaGraphCreate(&child, 0));
    void *join_arguments[] = {&right, &left, &seven};
    cudaKernelNodeParams parameters = kernel_of(join_arguments);
    OK(cudaGraphAddKernelNode(&join, child, NULL, 0, &parameters));

    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddMemcpyNode1D(&in, graph, NULL, 0, device, host, sizeof host, cudaMemcpyHostToDevice));
    void *first_arguments[] = {&left, &device, &three}, *second_arguments[] = {&right, &device, &five};
    parameters = kernel_of(first_arguments);
    OK(cudaGraphAddKernelNode(&first, graph, &in, 1, &parameters));
    parameters = kernel_of(second_arguments);
    OK(cudaGraphAddKernelNode(&second, graph, &in, 1, &parameters));
    cudaGraphNode_t both[] = {first, second};
    OK(cudaGraphAddChildGraphNode(&join, graph, both, 2, child));
    OK(cudaGraphDestroy(child));
    cudaHostNodeParams host_parameters = {count_up, &called};
    OK(cudaGraphAddHostNode(&told, graph, NULL, 0, &host_parameters)); /* its edge follows */
    OK(cudaGraphAddMemcpyNode1D(&back, graph, &join, 1, result, right, sizeof result,
                                cudaMemcpyDeviceToHost));
    OK(cudaGraphAddDependencies(graph, &back, &told, 1));
    EXPECT(cudaErrorInvalidValue, cudaGraphAddDependencies(graph, &back, &told, 1));
    EXPECT(cudaErrorInvalidValue, cudaGraphAddDependencies(graph, &told, &told, 1));

    cudaGraphExec_t exec = instantiate(graph);
    run(exec);
    CHECK(called == 1 && result[9] == 9 + 3 + 7);

    /* Questions. */
    enum cudaGraphNodeType type;
    OK(cudaGraphGetNodes(graph, NULL, &count));
    CHECK(count == 6);
    OK(cudaGraphGetRootNodes(graph, nodes, &count));
    CHECK(count == 1 && nodes[0] == in && nodes[1] == NULL);
    OK(cudaGraphGetEdges(graph, NULL, NULL, &count));
    CHECK(count == 6);
    count = 2;
    OK(cudaGraphGetEdges(graph, nodes, to, &count));
    CHECK(count == 2 && nodes[0] == in && to[0] == first);
    count = 16;
    OK(cudaGraphNodeGetDependencies(join, nodes, &count));
    CHECK(count == 2 && nodes[0] == first && nodes[1] == second && nodes[2] == NULL);
    OK(cudaGraphNodeGetDependentNodes(in, NULL, &count));
    CHECK(count == 2);
    OK(cudaGraphNodeGetType(join, &type));
    CHECK(type == cudaGraphNodeTypeGraph);
    OK(cudaGraphChildGraphNodeGetGraph(join, &inner));
    OK(cudaGraphGetNodes(inner, NULL, &count));
    CHECK(count == 1);
    OK(cudaGraphKernelNodeGetParams(first, &parameters));
    CHECK(parameters.func == (void *)add && *(int *)parameters.kernelParams[2] == 3);
    EXPECT(cudaErrorInvalidValue, cudaGraphKernelNodeGetParams(in, &parameters));

    /* Another number for one launchable graph; for the graph and what is made of it later. */
    int eleven = 11;
    first_arguments[2] = &eleven;
    parameters = kernel_of(first_arguments);
    OK(cudaGraphExecKernelNodeSetParams(exec, first, &parameters));
    run(exec);
    CHECK(called == 2 && result[9] == 9 + 11 + 7);
    OK(cudaGraphClone(&clone, graph));
    OK(cudaGraphNodeFindInClone(&found, first, clone));
    OK(cudaGraphKernelNodeSetParams(found, &parameters));
    cudaGraphExec_t other = instantiate(clone);
    run(other);
    CHECK(result[9] == 9 + 11 + 7);
    OK(cudaGraphExecDestroy(other));
    other = instantiate(graph);
    run(other);
    CHECK(result[9] == 9 + 3 + 7);

    /* An update takes what does not change the form. */
    cudaGraphExecUpdateResult answer;
    OK(cudaGraphExecUpdate(other, clone, &found, &answer));
    run(other);
    CHECK(answer == cudaGraphExecUpdateSuccess && result[9] == 9 + 11 + 7);
    OK(cudaGraphNodeFindInClone(&found, told, clone));
    OK(cudaGraphDestroyNode(found));
    EXPECT(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(other, clone, &found, &answer));
    CHECK(answer == cudaGraphExecUpdateErrorTopologyChanged);
    run(other);
    CHECK(called == 6); /* as before the update */

    /* A circle. */
    OK(cudaGraphAddDependencies(graph, &told, &in, 1));
    cudaGraphExec_t none;
    EXPECT(cudaErrorInvalidValue, cudaGraphInstantiate(&none, graph, NULL, NULL, 0));
    OK(cudaGraphRemoveDependencies(graph, &told, &in, 1));
    OK(cudaGraphDestroy(clone));
    OK(cudaGraphDestroy(graph));
    run(exec); /* lives on */
    CHECK(called == 7);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphExecDestroy(other));
    OK(cudaFree(device));
    OK(cudaFree(left));
    OK(cudaFree(right));
}

/* Rows of 4-byte elements, whose bytes differ; a box of them; events of the program; empty nodes. */
static void rows_and_events(void) {
    unsigned host[WIDTH * ROWS];
    char *device;
    cudaEvent_t begun, ended;
    cudaGraph_t graph;
    cudaGraphNode_t start, fill, back, end, empty;
    float time;
    OK(cudaMalloc(&device, PITCH * ROWS));
    OK(cudaEventCreate(&begun));
    OK(cudaEventCreate(&ended));
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddEventRecordNode(&start, graph, NULL, 0, begun));
    cudaMemsetParams memset_parameters = {};
    memset_parameters.dst = device;
    memset_parameters.pitch = PITCH;
    memset_parameters.value = 0x01020304;
    memset_parameters.elementSize = 4;
    memset_parameters.width = WIDTH;
    memset_parameters.height = ROWS;
    OK(cudaGraphAddMemsetNode(&fill, graph, &start, 1, &memset_parameters));
    memset_parameters.elementSize = 3;
    EXPECT(cudaErrorInvalidValue, cudaGraphMemsetNodeSetParams(fill, &memset_parameters));
    cudaMemcpy3DParms box = {};
    box.srcPtr = make_cudaPitchedPtr(device, PITCH, WIDTH * 4, ROWS);
    box.dstPtr = make_cudaPitchedPtr(host, WIDTH * 4, WIDTH * 4, ROWS);
    box.extent = make_cudaExtent(WIDTH * 4, ROWS, 1);
    box.kind = cudaMemcpyDeviceToHost;
    OK(cudaGraphAddMemcpyNode(&back, graph, &fill, 1, &box));
    OK(cudaGraphAddEmptyNode(&empty, graph, &back, 1));
    OK(cudaGraphAddEventRecordNode(&end, graph, &empty, 1, ended));
    memset(host, 0, sizeof host);
    run(instantiate(graph));
    for (int i = 0; i < WIDTH * ROWS; i++)
        CHECK(host[i] == 0x01020304);
    OK(cudaEventElapsedTime(&time, begun, ended));
    CHECK(time > 0);
    OK(cudaGraphDestroy(graph));
    OK(cudaFree(device));
}

/* Memory of a graph keeps its address; it is free when a node or the program has freed it. */
static void memory(void) {
    int host[N], value = 4;
    cudaGraph_t graph;
    cudaGraphNode_t allocation, fill, kernel, back, freed;
    cudaMemAllocNodeParams asked = {};
    asked.poolProps.allocType = cudaMemAllocationTypePinned;
    asked.poolProps.location.type = cudaMemLocationTypeDevice;
    asked.bytesize = N * sizeof(int);
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddMemAllocNode(&allocation, graph, NULL, 0, &asked));
    CHECK(asked.dptr != NULL);
    cudaMemsetParams memset_parameters = {};
    memset_parameters.dst = asked.dptr;
    memset_parameters.elementSize = 1;
    memset_parameters.width = N * sizeof(int);
    memset_parameters.height = 1;
    OK(cudaGraphAddMemsetNode(&fill, graph, &allocation, 1, &memset_parameters));
    void *arguments[] = {&asked.dptr, &asked.dptr, &value};
    cudaKernelNodeParams parameters = kernel_of(arguments);
    OK(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &parameters));
    OK(cudaGraphAddMemcpyNode1D(&back, graph, &kernel, 1, host, asked.dptr, sizeof host,
                                cudaMemcpyDeviceToHost));
    cudaGraphExec_t exec = instantiate(graph);
    run(exec);
    CHECK(host[17] == 4);
    EXPECT(cudaErrorInvalidValue, cudaGraphLaunch(exec, 0)); /* it is still allocated */
    OK(cudaFree(asked.dptr));
    EXPECT(cudaErrorInvalidValue, cudaFree(asked.dptr));
    run(exec);
    OK(cudaFreeAsync(asked.dptr, 0));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphAddMemFreeNode(&freed, graph, &back, 1, asked.dptr));
    exec = instantiate(graph);
    run(exec);
    run(exec);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    EXPECT(cudaErrorInvalidValue, cudaFree(asked.dptr)); /* it went with the graph */
}

/* Branches that nothing orders run side by side: two chains take the time of one. */
static void times(void) {
    enum { BYTES = 1 << 24 };
    char *memory, *pinned;
    cudaEvent_t begun, ended;
    cudaStream_t stream;
    float time[2];
    OK(cudaMalloc(&memory, 2 * BYTES));
    OK(cudaMallocHost(&pinned, 2 * BYTES));
    OK(cudaEventCreate(&begun));
    OK(cudaEventCreate(&ended));
    OK(cudaStreamCreate(&stream));
    for (int chained = 0; chained < 2; chained++) {
        cudaGraph_t graph;
        cudaGraphNode_t to, from;
        OK(cudaGraphCreate(&graph, 0));
        OK(cudaGraphAddMemcpyNode1D(&to, graph, NULL, 0, memory, pinned, BYTES, cudaMemcpyHostToDevice));
        OK(cudaGraphAddMemcpyNode1D(&from, graph, &to, (size_t)chained, pinned + BYTES, memory + BYTES, BYTES,
                                    cudaMemcpyDeviceToHost));
        cudaGraphExec_t exec = instantiate(graph);
        OK(cudaEventRecord(begun, stream));
        OK(cudaGraphLaunch(exec, stream));
        OK(cudaEventRecord(ended, stream));
        OK(cudaEventSynchronize(ended));
        OK(cudaEventElapsedTime(&time[chained], begun, ended));
        OK(cudaGraphExecDestroy(exec));
        OK(cudaGraphDestroy(graph));
    }
    CHECK(time[1] > 1.8f * time[0] && time[1] < 2.1f * time[0]);
    OK(cudaFree(memory));
    OK(cudaFreeHost(pinned));
}

static void CUDART_CB work(void *data) {
    typedef void host_work(const char *what, double microseconds);
    host_work *tell = (host_work *)dlsym(RTLD_DEFAULT, "simulated_host_work");
    CHECK(tell != NULL);
    tell("work", 5000);
    ++*(int *)data;
}

/* What a graph's host function says of its time is time, as outside of graphs. */
static void host_time(void) {
    int called = 0;
    cudaEvent_t begun, ended;
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaHostNodeParams parameters = {work, &called};
    float time;
    OK(cudaEventCreate(&begun));
    OK(cudaEventCreate(&ended));
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddHostNode(&node, graph, NULL, 0, &parameters));
    OK(cudaEventRecord(begun, 0));
    run(instantiate(graph));
    OK(cudaEventRecord(ended, 0));
    OK(cudaEventElapsedTime(&time, begun, ended));
    CHECK(called == 1 && time >= 5);
    OK(cudaGraphDestroy(graph));
}

int main(void) {
    diamond();
    rows_and_events();
    memory();
    times();
    host_time();
    puts("ok");
    return 0;
}
