/* order.cu: work on several streams, whose order its argument says. What nothing orders is remarked; "right" comes first where
 * something does. */
#include "check.h"

enum { N = 1 << 14, BLOCK = 256 };

__global__ void add_one(int *data) {
    data[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

__global__ void take(const int *data, int *to) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = data[i];
}

__global__ void total(const int *data, int *sum) {
    atomicAdd(sum, data[blockIdx.x * blockDim.x + threadIdx.x]);
}

static struct {
    int *data, *other, *sum; /* on the device */
    int *host;               /* pinned */
    cudaStream_t first, second, apart;
    cudaEvent_t event;
} the;

static void write_first(cudaStream_t stream) {
    add_one<<<N / BLOCK, BLOCK, 0, stream>>>(the.data);
}

static void read_second(cudaStream_t stream) {
    take<<<N / BLOCK, BLOCK, 0, stream>>>(the.data, the.other);
}

/* ---- each case gives its work; afterwards the device is waited for */

static void no_event(void) {
    write_first(the.first);
    read_second(the.second);
}

static void right_event(void) {
    write_first(the.first);
    OK(cudaEventRecord(the.event, the.first));
    OK(cudaStreamWaitEvent(the.second, the.event, 0));
    read_second(the.second);
}

static void event_too_early(void) {
    OK(cudaEventRecord(the.event, the.first));
    write_first(the.first);
    OK(cudaStreamWaitEvent(the.second, the.event, 0));
    read_second(the.second);
}

static void event_of_the_reader(void) {
    write_first(the.first);
    OK(cudaEventRecord(the.event, the.second));
    OK(cudaStreamWaitEvent(the.second, the.event, 0));
    read_second(the.second);
}

/* The second round's write does not wait for the first round's read. */
static void one_way(void) {
    for (int round = 0; round < 2; round++)
        right_event();
}

static void right_both_ways(void) {
    for (int round = 0; round < 2; round++) {
        right_event();
        OK(cudaEventRecord(the.event, the.second));
        OK(cudaStreamWaitEvent(the.first, the.event, 0));
    }
}

/* The default stream waits for blocking streams, and they for it. */
static void right_default(void) {
    write_first(the.first);
    read_second(0);
    write_first(the.second);
}

static void non_blocking(void) {
    write_first(the.apart);
    read_second(0);
}

static void right_synchronised(void) {
    write_first(the.apart);
    OK(cudaStreamSynchronize(the.apart));
    read_second(0);
}

static void right_queried(void) {
    write_first(the.first);
    OK(cudaEventRecord(the.event, the.first));
    while (cudaEventQuery(the.event) == cudaErrorNotReady)
        continue;
    read_second(the.second);
}

static void right_atomics(void) {
    total<<<N / BLOCK, BLOCK, 0, the.first>>>(the.data, the.sum);
    total<<<N / BLOCK, BLOCK, 0, the.second>>>(the.data, the.sum);
}

static void fill_and_atomics(void) {
    OK(cudaMemsetAsync(the.sum, 0, sizeof(int), the.second));
    total<<<N / BLOCK, BLOCK, 0, the.first>>>(the.data, the.sum);
}

static void right_halves(void) {
    OK(cudaMemcpyAsync(the.data, the.host, N / 2 * sizeof(int), cudaMemcpyHostToDevice, the.first));
    OK(cudaMemcpyAsync(the.data + N / 2, the.host, N / 2 * sizeof(int), cudaMemcpyHostToDevice, the.second));
}

static void copy_back(void) {
    write_first(the.first);
    OK(cudaMemcpyAsync(the.host, the.data, N * sizeof(int), cudaMemcpyDeviceToHost, the.second));
}

/* The host waits for the wrong stream. */
static void wrong_stream(void) {
    OK(cudaMemcpyAsync(the.host, the.data, N * sizeof(int), cudaMemcpyDeviceToHost, the.first));
    read_second(the.second);
    OK(cudaStreamSynchronize(the.second));
    CHECK(the.host[5] == 0);
}

static void right_stream(void) {
    OK(cudaMemcpyAsync(the.host, the.data, N * sizeof(int), cudaMemcpyDeviceToHost, the.first));
    OK(cudaMemsetAsync(the.other, 0, N * sizeof(int), the.second));
    OK(cudaStreamSynchronize(the.first));
    CHECK(the.host[5] == 0);
}

static void after_the_copy(void *flag) {
    *(volatile int *)flag = 1;
}

static void right_host_function(void) {
    volatile int done = 0;
    OK(cudaMemcpyAsync(the.host, the.data, N * sizeof(int), cudaMemcpyDeviceToHost, the.first));
    OK(cudaLaunchHostFunc(the.first, after_the_copy, (void *)&done));
    while (!done)
        continue;
    CHECK(the.host[5] == 0);
}

/* In a graph of two branches; `orders`: the reader's waits for the writer. */
static void graph(bool orders) {
    cudaGraph_t graph;
    cudaGraphExec_t run;
    cudaEvent_t fork, join;
    OK(cudaEventCreate(&fork));
    OK(cudaEventCreate(&join));
    OK(cudaStreamBeginCapture(the.first, cudaStreamCaptureModeGlobal));
    OK(cudaEventRecord(fork, the.first));
    OK(cudaStreamWaitEvent(the.second, fork, 0));
    if (orders)
        right_event();
    else
        no_event();
    OK(cudaEventRecord(join, the.second));
    OK(cudaStreamWaitEvent(the.first, join, 0));
    OK(cudaStreamEndCapture(the.first, &graph));
    OK(cudaGraphInstantiate(&run, graph, 0));
    OK(cudaGraphLaunch(run, the.apart));
    OK(cudaGraphLaunch(run, the.apart));
    OK(cudaStreamSynchronize(the.apart));
}

static void graph_of_two(void) {
    graph(false);
}

static void right_graph(void) {
    graph(true);
}

static const struct {
    const char *name;
    void (*give)(void);
} cases[] = {
    {"no-event", no_event},
    {"right-event", right_event},
    {"event-too-early", event_too_early},
    {"event-of-the-reader", event_of_the_reader},
    {"one-way", one_way},
    {"right-both-ways", right_both_ways},
    {"right-default", right_default},
    {"non-blocking", non_blocking},
    {"right-synchronised", right_synchronised},
    {"right-queried", right_queried},
    {"right-atomics", right_atomics},
    {"fill-and-atomics", fill_and_atomics},
    {"right-halves", right_halves},
    {"copy-back", copy_back},
    {"wrong-stream", wrong_stream},
    {"right-stream", right_stream},
    {"right-host-function", right_host_function},
    {"graph-of-two", graph_of_two},
    {"right-graph", right_graph},
};

int main(int count, char **arguments) {
    OK(cudaMalloc(&the.data, N * sizeof(int)));
    OK(cudaMalloc(&the.other, N * sizeof(int)));
    OK(cudaMalloc(&the.sum, sizeof(int)));
    OK(cudaMallocHost(&the.host, N * sizeof(int)));
    OK(cudaMemset(the.data, 0, N * sizeof(int)));
    OK(cudaMemset(the.sum, 0, sizeof(int)));
    memset(the.host, 0, N * sizeof(int));
    OK(cudaStreamCreate(&the.first));
    OK(cudaStreamCreate(&the.second));
    OK(cudaStreamCreateWithFlags(&the.apart, cudaStreamNonBlocking));
    OK(cudaEventCreate(&the.event));
    OK(cudaDeviceSynchronize());
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (count > 1 && strcmp(arguments[1], cases[i].name) == 0)
            cases[i].give();
    OK(cudaDeviceSynchronize());
    OK(cudaFree(the.data));
    OK(cudaFree(the.other));
    OK(cudaFree(the.sum));
    OK(cudaFreeHost(the.host));
    return puts("ok") < 0;
}
