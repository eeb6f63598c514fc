/* streams.cu: streams, events and callbacks. Times are modelled: the same on every run, so they are printed.
 */
#include "check.h"

__global__ void work(float *data, int n) {
    float x = data[blockIdx.x * blockDim.x + threadIdx.x];
    for (int i = 0; i < n; i++)
        x = x * 1.0001f + 0.5f;
    data[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

static int called;
static void note(void *data) {
    called += *(int *)data;
}
static void CUDART_CB old_note(cudaStream_t stream, cudaError_t status, void *data) {
    CHECK(stream && status == cudaSuccess);
    called += *(int *)data;
}

static float between(cudaEvent_t a, cudaEvent_t b) {
    float milliseconds = -1;
    OK(cudaEventSynchronize(b));
    OK(cudaEventElapsedTime(&milliseconds, a, b));
    return milliseconds;
}

int main(void) {
    enum { BLOCKS = 4, THREADS = 64 };
    float *data;
    cudaStream_t one, two;
    cudaEvent_t start, middle, end, untimed;
    int least, greatest, priority, amount = 5;
    unsigned flags;
    OK(cudaMalloc(&data, 2 * BLOCKS * THREADS * sizeof(float)));
    OK(cudaMemset(data, 0, 2 * BLOCKS * THREADS * sizeof(float)));
    OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CHECK(greatest < least);
    OK(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithPriority(&two, cudaStreamNonBlocking, greatest));
    OK(cudaStreamGetPriority(two, &priority));
    OK(cudaStreamGetFlags(two, &flags));
    CHECK(priority == greatest && flags == cudaStreamNonBlocking);
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&middle));
    OK(cudaEventCreate(&end));
    OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    float none;
    EXPECT(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&none, start, end)); /* never recorded */

    /* One after the other in one stream. */
    OK(cudaDeviceSynchronize());
    OK(cudaEventRecord(start, one));
    work<<<BLOCKS, THREADS, 0, one>>>(data, 300000);
    OK(cudaEventRecord(middle, one));
    work<<<BLOCKS, THREADS, 0, one>>>(data, 300000);
    OK(cudaEventRecord(end, one));
    float single = between(start, middle), both = between(start, end);
    CHECK(single > 0 && both > 1.99f * single && both < 2.01f * single);

    /* Side by side in two. */
    OK(cudaDeviceSynchronize());
    OK(cudaEventRecord(start, one));
    work<<<BLOCKS, THREADS, 0, one>>>(data, 300000);
    work<<<BLOCKS, THREADS, 0, two>>>(data + BLOCKS * THREADS, 300000);
    OK(cudaEventRecord(middle, two));
    OK(cudaStreamWaitEvent(one, middle, 0));
    OK(cudaEventRecord(end, one));
    both = between(start, end);
    CHECK(both < 1.5f * single);

    /* The second waits for the first through an event. */
    OK(cudaDeviceSynchronize());
    OK(cudaEventRecord(start, one));
    work<<<BLOCKS, THREADS, 0, one>>>(data, 300000);
    OK(cudaEventRecord(untimed, one));
    OK(cudaStreamWaitEvent(two, untimed, 0));
    work<<<BLOCKS, THREADS, 0, two>>>(data, 300000);
    OK(cudaEventRecord(end, two));
    both = between(start, end);
    CHECK(both > 1.99f * single);
    EXPECT(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&none, start, untimed));

    /* Copies take time by their bytes. */
    char *host = (char *)calloc(1 << 20, 1), *buffer;
    OK(cudaMalloc(&buffer, 1 << 20));
    OK(cudaEventRecord(start));
    OK(cudaMemcpyAsync(buffer, host, 1 << 20, cudaMemcpyHostToDevice));
    OK(cudaEventRecord(end));
    float copy = between(start, end);
    CHECK(copy > 0.005f && copy < 1.0f);

    OK(cudaLaunchHostFunc(one, note, &amount));
    OK(cudaStreamAddCallback(one, old_note, &amount, 0));
    OK(cudaStreamSynchronize(one));
    CHECK(called == 10);
    OK(cudaStreamQuery(two));
    OK(cudaEventQuery(end));
    OK(cudaEventDestroy(start));
    EXPECT(cudaErrorInvalidResourceHandle, cudaEventRecord(start, one));
    OK(cudaStreamDestroy(two));
    EXPECT(cudaErrorInvalidResourceHandle, cudaStreamQuery(two));
    printf("ok: one %.6f ms, copy %.6f ms\n", single, copy);
    return 0;
}
