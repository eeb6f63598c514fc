/* graphs.cu: two streams captured, launched again and again; and what a capture refuses. */
#include "check.h"

enum { N = 256 };

__global__ void add(int *to, const int *from, int value) {
    to[threadIdx.x] = from[threadIdx.x] + value;
}

static void CUDART_CB count_up(void *data) {
    ++*(int *)data;
}

static enum cudaStreamCaptureStatus status_of(cudaStream_t stream) {
    enum cudaStreamCaptureStatus status;
    OK(cudaStreamIsCapturing(stream, &status));
    return status;
}

/* A capture that something makes void. */
static void begin(cudaStream_t stream) {
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(status_of(stream) == cudaStreamCaptureStatusActive);
}
static void end_is(cudaStream_t stream, cudaError_t error) {
    cudaGraph_t graph;
    EXPECT(error, cudaStreamEndCapture(stream, &graph));
    CHECK(graph == NULL && status_of(stream) == cudaStreamCaptureStatusNone);
}

static cudaGraphExec_t instantiate(cudaGraph_t graph) {
    cudaGraphExec_t exec;
    OK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    return exec;
}

int main(void) {
    int *host, *result, *device, *other, *third, called = 0, pageable[N] = {0};
    cudaStream_t one, two;
    cudaEvent_t forth, back;
    cudaGraph_t graph, outer;
    cudaGraphExec_t exec, outer_exec;
    OK(cudaMallocHost(&host, N * sizeof(int)));
    OK(cudaMallocHost(&result, N * sizeof(int)));
    OK(cudaMalloc(&device, N * sizeof(int)));
    OK(cudaMalloc(&other, N * sizeof(int)));
    OK(cudaMalloc(&third, N * sizeof(int)));
    OK(cudaStreamCreate(&one));
    OK(cudaStreamCreate(&two));
    OK(cudaEventCreateWithFlags(&forth, cudaEventDisableTiming));
    OK(cudaEventCreateWithFlags(&back, cudaEventDisableTiming));
    memset(result, 0, N * sizeof(int));

    begin(one);
    OK(cudaMemcpyAsync(device, host, N * sizeof(int), cudaMemcpyHostToDevice, one));
    OK(cudaEventRecord(forth, one));
    OK(cudaStreamWaitEvent(two, forth, 0));
    CHECK(status_of(two) == cudaStreamCaptureStatusActive);
    OK(cudaMemsetAsync(other, 0, N * sizeof(int), two));
    add<<<1, N, 0, two>>>(other, device, 3);
    OK(cudaEventRecord(back, two));
    add<<<1, N, 0, one>>>(third, device, 5); /* both read it: in any order */
    OK(cudaStreamWaitEvent(one, back, 0));
    add<<<1, N, 0, one>>>(device, other, 10);
    OK(cudaMemcpyAsync(result, device, N * sizeof(int), cudaMemcpyDeviceToHost, one));
    OK(cudaStreamEndCapture(one, &graph));
    CHECK(result[7] == 0); /* nothing has run */
    exec = instantiate(graph);
    OK(cudaGraphDestroy(graph));
    OK(cudaGraphUpload(exec, one));
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < N; i++)
            host[i] = 100 * round + i;
        OK(cudaGraphLaunch(exec, one));
        OK(cudaStreamSynchronize(one));
        for (int i = 0; i < N; i++)
            CHECK(result[i] == host[i] + 13);
    }
    OK(cudaGraphExecDestroy(exec));

    void *memory;
    begin(one); /* host functions, pageable memory, memory of the graph, and a graph in a graph */
    OK(cudaMallocAsync(&memory, sizeof pageable, one));
    OK(cudaMemcpyAsync(memory, pageable, sizeof pageable, cudaMemcpyHostToDevice, one));
    add<<<1, N, 0, one>>>((int *)memory, (int *)memory, 2);
    OK(cudaMemcpyAsync(pageable, memory, sizeof pageable, cudaMemcpyDeviceToHost, one));
    OK(cudaLaunchHostFunc(one, count_up, &called));
    OK(cudaFreeAsync(memory, one));
    OK(cudaStreamEndCapture(one, &graph));
    CHECK(called == 0 && pageable[3] == 0);
    exec = instantiate(graph);
    begin(two);
    OK(cudaGraphLaunch(exec, two));
    OK(cudaStreamEndCapture(two, &outer));
    outer_exec = instantiate(outer);
    for (int round = 1; round <= 3; round++) {
        OK(cudaGraphLaunch(round == 3 ? outer_exec : exec, one));
        OK(cudaStreamSynchronize(one));
        CHECK(called == round && pageable[3] == 2 * round);
    }
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphExecDestroy(outer_exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaGraphDestroy(outer));

    begin(one);
    EXPECT(cudaErrorStreamCaptureUnsupported, cudaMalloc(&memory, 4));
    EXPECT(cudaErrorStreamCaptureInvalidated, cudaMemsetAsync(device, 0, 4, one));
    end_is(one, cudaErrorStreamCaptureInvalidated);

    begin(one);
    EXPECT(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(one));
    end_is(one, cudaErrorStreamCaptureInvalidated);

    begin(one);
    EXPECT(cudaErrorStreamCaptureIsolation, cudaStreamWaitEvent(one, back, 0));
    end_is(one, cudaErrorStreamCaptureInvalidated);

    begin(one); /* the other stream is not brought back */
    OK(cudaEventRecord(forth, one));
    OK(cudaStreamWaitEvent(two, forth, 0));
    OK(cudaMemsetAsync(other, 0, 4, two));
    end_is(one, cudaErrorStreamCaptureUnjoined);

    EXPECT(cudaErrorIllegalState, cudaStreamEndCapture(one, &graph));
    EXPECT(cudaErrorInvalidValue, cudaGraphLaunch(NULL, one));
    add<<<1, N, 0, one>>>(device, other, 1); /* and all works as before */
    OK(cudaStreamSynchronize(one));
    puts("ok");
    return 0;
}
