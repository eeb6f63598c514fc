/* order.cu: work on several streams, as its argument says: a letter for what is done (do_one)
 * and the stream's number, 0 the default one, 3 non-blocking: "w1 e1 v2 r2". Between brackets
 * streams 1 and 2 are captured; the graph is launched on 3. */
#include "check.h"

enum { N = 1 << 14, BLOCK = 256, BYTES = N * sizeof(int), HALF = N / 2 };

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

static void set(void *flag) {
    *(volatile int *)flag = 1;
}

static int *data, *other, *sum, *host; /* on the device; host: pinned */
static cudaStream_t streams[4];
static cudaEvent_t event;

static void end_capture(void) {
    cudaGraph_t graph;
    cudaGraphExec_t run;
    OK(cudaEventRecord(event, streams[2]));
    OK(cudaStreamWaitEvent(streams[1], event, 0));
    OK(cudaStreamEndCapture(streams[1], &graph));
    OK(cudaGraphInstantiate(&run, graph, 0));
    for (int i = 0; i < 2; i++)
        OK(cudaGraphLaunch(run, streams[3]));
    OK(cudaStreamSynchronize(streams[3]));
}

static void do_one(char what, cudaStream_t stream) {
    volatile int done = 0;
    switch (what) {
    case 'w': add_one<<<N / BLOCK, BLOCK, 0, stream>>>(data); break;
    case 'r': take<<<N / BLOCK, BLOCK, 0, stream>>>(data, other); break;
    case 't': total<<<N / BLOCK, BLOCK, 0, stream>>>(data, sum); break;
    case 'z': OK(cudaMemsetAsync(sum, 0, sizeof(int), stream)); break;
    case 'b': OK(cudaMemcpyAsync(host, data, BYTES, cudaMemcpyDeviceToHost, stream)); break;
    case 'l': OK(cudaMemcpyAsync(data, host, BYTES / 2, cudaMemcpyHostToDevice, stream)); break;
    case 'h': OK(cudaMemcpyAsync(data + HALF, host, BYTES / 2, cudaMemcpyHostToDevice, stream)); break;
    case 'e': OK(cudaEventRecord(event, stream)); break;
    case 'v': OK(cudaStreamWaitEvent(stream, event, 0)); break;
    case 's': OK(cudaStreamSynchronize(stream)); break;
    case 'q': OK(cudaEventQuery(event)); break;
    case 'f':
        OK(cudaLaunchHostFunc(stream, set, (void *)&done));
        while (!done)
            continue;
        break;
    case 'p': CHECK(host[5] == 0); break;
    case '(':
        OK(cudaStreamBeginCapture(streams[1], cudaStreamCaptureModeGlobal));
        OK(cudaEventRecord(event, streams[1]));
        OK(cudaStreamWaitEvent(streams[2], event, 0));
        break;
    case ')': end_capture(); break;
    default: CHECK(!"a letter of the list");
    }
}

int main(int count, char **arguments) {
    OK(cudaMalloc(&data, BYTES));
    OK(cudaMalloc(&other, BYTES));
    OK(cudaMalloc(&sum, sizeof(int)));
    OK(cudaMallocHost(&host, BYTES));
    OK(cudaMemset(data, 0, BYTES));
    memset(host, 0, BYTES);
    for (int i = 1; i < 4; i++)
        OK(cudaStreamCreateWithFlags(&streams[i], i == 3 ? cudaStreamNonBlocking : cudaStreamDefault));
    OK(cudaEventCreate(&event));
    OK(cudaDeviceSynchronize());
    for (const char *at = count > 1 ? arguments[1] : ""; at[0] != '\0' && at[1] != '\0';
         at += at[2] == ' ' ? 3 : 2)
        do_one(at[0], streams[at[1] - '0']);
    OK(cudaDeviceSynchronize());
    OK(cudaFree(data));
    OK(cudaFree(other));
    OK(cudaFree(sum));
    OK(cudaFreeHost(host));
    return puts("ok") < 0;
}
