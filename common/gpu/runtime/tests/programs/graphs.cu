/* graphs.cu: two streams captured, launched again and again; and what a capture refuses. */
#include "check.h"

enum { N = 256 };

__global__ void add(int *to, const int *from, int value) {
    to[threadIdx.x] = from[threadIdx.x] + value;
}

static void CUDART_CB never(void *data) {
    *(int *)data = 1;
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

int main(void) {
    int *host, *result, *device, *other, *third, called = 0, pageable[N] = {0};
    cudaStream_t one, two;
    cudaEvent_t forth, back;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
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
#if CUDART_VERSION < 12000
    OK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
#else
    OK(cudaGraphInstantiate(&exec, graph, 0));
#endif
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

    begin(one);
    EXPECT(cudaErrorNotSupported, cudaLaunchHostFunc(one, never, &called));
    EXPECT(cudaErrorStreamCaptureInvalidated, cudaMemsetAsync(device, 0, 4, one));
    end_is(one, cudaErrorStreamCaptureInvalidated);
    CHECK(called == 0);

    begin(one);
    EXPECT(cudaErrorNotSupported,
           cudaMemcpyAsync(device, pageable, sizeof pageable, cudaMemcpyHostToDevice, one));
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
