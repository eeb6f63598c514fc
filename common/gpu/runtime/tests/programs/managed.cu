/* managed.cu: memory that both sides use at one address: managed, pinned, registered, and __managed__
 * variables. */
#include "check.h"

__managed__ int shared_counter = 41;
__managed__ float shared_array[3] = {1.5f, 2.5f, 3.5f};
__managed__ int *shared_pointer;

__global__ void twice(int *data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] *= 2;
}
__global__ void touch_variables(void) {
    shared_counter += 1;
    shared_array[1] *= 2;
    *shared_pointer = 99;
}

struct node {
    int value;
    struct node *next;
};
__global__ void sum_list(const struct node *list, int *sum) {
    for (*sum = 0; list; list = list->next)
        *sum += list->value;
}

int main(void) {
    enum { N = 5000 };
    int *managed, *pinned, *sum;
    struct cudaPointerAttributes attributes;
    OK(cudaMallocManaged(&managed, N * sizeof(int)));
    for (int i = 0; i < N; i++)
        managed[i] = i;
    twice<<<(N + 127) / 128, 128>>>(managed, N);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++)
        CHECK(managed[i] == 2 * i);
    OK(cudaPointerGetAttributes(&attributes, managed + 5));
    CHECK(attributes.type == cudaMemoryTypeManaged && attributes.devicePointer == managed + 5);
#if CUDART_VERSION >= 13000
    struct cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
    OK(cudaMemPrefetchAsync(managed, N * sizeof(int), here, 0, 0));
    OK(cudaMemAdvise(managed, N * sizeof(int), cudaMemAdviseSetReadMostly, here));
    EXPECT(cudaErrorInvalidValue, cudaMemPrefetchAsync(&here, 4, here, 0, 0));
#else
    OK(cudaMemPrefetchAsync(managed, N * sizeof(int), 0, 0));
    OK(cudaMemAdvise(managed, N * sizeof(int), cudaMemAdviseSetReadMostly, 0));
    EXPECT(cudaErrorInvalidValue, cudaMemPrefetchAsync(&attributes, 4, 0, 0));
#endif

    /* Pointers inside managed memory hold on both sides. */
    struct node *nodes;
    OK(cudaMallocManaged(&nodes, 10 * sizeof *nodes));
    OK(cudaMallocManaged(&sum, sizeof *sum));
    for (int i = 0; i < 10; i++) {
        nodes[i].value = i + 1;
        nodes[i].next = i < 9 ? &nodes[i + 1] : NULL;
    }
    sum_list<<<1, 1>>>(nodes, sum);
    OK(cudaDeviceSynchronize());
    CHECK(*sum == 55);
    int copied = 0;
    OK(cudaMemcpy(&copied, sum, sizeof copied, cudaMemcpyDeviceToHost));
    CHECK(copied == 55);

    /* Variables: the host sees the first value, the device the host's, the host the device's. */
    CHECK(shared_counter == 41 && shared_array[2] == 3.5f);
    shared_counter = 100;
    shared_pointer = sum;
    touch_variables<<<1, 1>>>();
    OK(cudaDeviceSynchronize());
    CHECK(shared_counter == 101 && shared_array[1] == 5.0f && *sum == 99);

    /* Pinned memory: by its own address and by the device's name for it. */
    OK(cudaHostAlloc(&pinned, N * sizeof(int), cudaHostAllocMapped));
    int *seen_by_device;
    unsigned flags;
    for (int i = 0; i < N; i++)
        pinned[i] = 3 * i;
    OK(cudaHostGetDevicePointer(&seen_by_device, pinned, 0));
    OK(cudaHostGetFlags(&flags, pinned));
    CHECK(flags & cudaHostAllocMapped);
    twice<<<(N + 127) / 128, 128>>>(seen_by_device, N);
    OK(cudaDeviceSynchronize());
    CHECK(pinned[N - 1] == 6 * (N - 1));
    OK(cudaPointerGetAttributes(&attributes, pinned));
    CHECK(attributes.type == cudaMemoryTypeHost);
    int *device;
    OK(cudaMalloc(&device, N * sizeof(int)));
    OK(cudaMemcpy(device, pinned, N * sizeof(int), cudaMemcpyHostToDevice));
    memset(pinned, 0, N * sizeof(int));
    OK(cudaMemcpy(pinned, device, N * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(pinned[7] == 42);

    /* Registered memory: what malloc gave, not at a page's start. */
    int *mine = (int *)malloc(40000) + 5;
    for (int i = 0; i < N; i++)
        mine[i] = i;
    OK(cudaHostRegister(mine, N * sizeof(int), cudaHostRegisterDefault));
    EXPECT(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(mine, 4, cudaHostRegisterDefault));
    CHECK(mine[N - 1] == N - 1);
    twice<<<(N + 127) / 128, 128>>>(mine, N);
    OK(cudaDeviceSynchronize());
    CHECK(mine[N - 1] == 2 * (N - 1));
    /* A copy that begins in registered memory and ends beyond it. */
    mine[N] = 77;
    OK(cudaMalloc(&device, 2 * N * sizeof(int)));
    OK(cudaMemcpy(device, mine, (N + 1) * sizeof(int), cudaMemcpyHostToDevice));
    mine[N] = 0;
    OK(cudaMemcpy(mine, device, (N + 1) * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(mine[N] == 77 && mine[1] == 2);
    OK(cudaHostUnregister(mine));
    CHECK(mine[N - 1] == 2 * (N - 1));
    EXPECT(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(mine));
    free(mine - 5);

    /* Small blocks of the heap: the allocator's own words, and both blocks, lie in the same page. */
    enum { SMALL = 200, ROUNDS = 20 };
    int *small[2];
    for (int i = 0; i < 2; i++)
        small[i] = (int *)malloc(SMALL * sizeof(int));
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < SMALL; j++)
                small[i][j] = 100 * i + j;
            OK(cudaHostRegister(small[i], SMALL * sizeof(int), cudaHostRegisterDefault));
            free(malloc(100 + 1000 * i));
        }
        for (int i = 0; i < 2; i++)
            twice<<<2, 128>>>(small[i], SMALL);
        OK(cudaDeviceSynchronize());
        CHECK(small[0][SMALL - 1] == 2 * (SMALL - 1) && small[1][0] == 200);
        OK(cudaHostUnregister(small[round % 2]));
        int *still =
            small[1 - round % 2]; /* the other is the device's as before, in the page they shared too */
        for (int j = 0; j < SMALL; j++)
            still[j] = j;
        twice<<<2, 128>>>(still, SMALL);
        OK(cudaDeviceSynchronize());
        for (int j = 0; j < SMALL; j++)
            CHECK(still[j] == 2 * j);
        OK(cudaHostUnregister(still));
    }
    for (int i = 0; i < 2; i++)
        free(small[i]);

    OK(cudaFreeHost(pinned));
    OK(cudaFree(managed));
    OK(cudaFree(nodes));
    EXPECT(cudaErrorInvalidValue, cudaFree(nodes));
    puts("ok");
    return 0;
}
