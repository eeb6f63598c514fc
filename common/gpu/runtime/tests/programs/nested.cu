/* nested.cu: a kernel that launches a kernel is refused by name; the others of the program run. Compiled with -rdc=true. */
#include "check.h"

__global__ void inner(int *value) {
    *value = 1;
}
__global__ void outer(int *value) {
    inner<<<1, 1>>>(value);
}
__global__ void plain(int *value) {
    *value = 2;
}

int main() {
    int *device, host = 0;
    OK(cudaMalloc(&device, sizeof host));
    outer<<<1, 1>>>(device);
    EXPECT(cudaErrorNotSupported, cudaGetLastError());
    plain<<<1, 1>>>(device);
    OK(cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(host == 2);
    puts("ok");
    return 0;
}
