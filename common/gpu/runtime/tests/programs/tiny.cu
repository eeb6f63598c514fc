/* tiny.cu [MODE]: the least that needs a GPU, built in many ways (compressed, several architectures, no PTX,
 * ...). MODE wait: says "ready" and waits for a line, then goes on; MODE hang: launches a kernel that does
 * not end; MODE dereference: the host reads a device pointer. */
#include "check.h"

#include <pthread.h>

__global__ void add(int *at, int amount) {
    atomicAdd(at, amount);
}
/* For as long as the budget lasts: what changes on each trip does not repeat. */
__global__ void endless(volatile int *counter) {
    while (*counter >= 0)
        *counter = *counter < 1000000000 ? *counter + 1 : 0;
}

static int *device;

static void *many(void *amount) {
    for (int i = 0; i < 50; i++)
        add<<<1, 32>>>(device, *(int *)amount);
    return NULL;
}

int main(int count, char **values) {
    const char *mode = count > 1 ? values[1] : "";
    int host = 0, amounts[4] = {1, 2, 3, 4};
    char line[16];
    OK(cudaMalloc(&device, sizeof(int)));
    OK(cudaMemset(device, 0, sizeof(int)));
    if (strcmp(mode, "wait") == 0) {
        puts("ready");
        fflush(stdout);
        CHECK(fgets(line, sizeof line, stdin) != NULL);
    }
    if (strcmp(mode, "dereference") == 0)
        return *device;
    if (strcmp(mode, "hang") == 0) {
        puts("ready");
        fflush(stdout);
        endless<<<1, 1>>>(device);
        OK(cudaDeviceSynchronize());
    }
    add<<<2, 32>>>(device, 1);
    EXPECT(cudaSuccess, cudaGetLastError());
    OK(cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(host == 64);
    if (strcmp(mode, "threads") == 0) {
        pthread_t threads[4];
        for (int i = 0; i < 4; i++)
            CHECK(pthread_create(&threads[i], NULL, many, &amounts[i]) == 0);
        for (int i = 0; i < 4; i++)
            pthread_join(threads[i], NULL);
        OK(cudaDeviceSynchronize());
        OK(cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost));
        CHECK(host == 64 + 50 * 32 * 10);
    }
    puts("ok");
    return 0;
}
