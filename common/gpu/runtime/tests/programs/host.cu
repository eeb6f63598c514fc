/* host.cu: what host code does to memory; its argument says what. The simulated GPU remarks on some of it. */
#include "check.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { N = 5000 };

__global__ void count_up(int *data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] += 1;
}

__global__ void sum_up(const int *data, int n, int *sum) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(sum, data[i]);
}

/* One that may speak with the host: it is watched for what it is, and its neighbours as ever. */
__global__ void signals(volatile int *flag, int *data) {
    data[0] += 1;
    __threadfence_system();
    *flag = 1;
}

static void on_device(const char *what) {
    int *first, *second, *pinned;
    OK(cudaMalloc(&first, N * sizeof(int)));
    OK(cudaMalloc(&second, 2 * N * sizeof(int)));
    OK(cudaMallocHost(&pinned, N * sizeof(int)));
    OK(cudaMemset(first, 0, N * sizeof(int)));
    count_up<<<(N + 127) / 128, 128>>>(first, N);
    OK(cudaDeviceSynchronize()); /* a program may wait as it likes */
    OK(cudaMemcpy(pinned, first, N * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(pinned[N - 1] == 1);
    if (strcmp(what, "beyond") == 0) {
        EXPECT(cudaErrorInvalidValue, cudaMemcpy(pinned, second + 1, 8 * N, cudaMemcpyDeviceToHost));
        EXPECT(cudaErrorInvalidValue, cudaMemset(first, 0, 4 * N + 1));
    }
    OK(cudaFree(first));
    if (strcmp(what, "leak") == 0)
        return;
    if (strcmp(what, "reset") == 0) {
        OK(cudaDeviceReset());
        return;
    }
    OK(cudaFree(second));
    OK(cudaFreeHost(pinned));
}

/* The system reads into `to`, and writes what is there, in each way that a C program has, while a kernel may be writing to
 * `working`; all of it has to go well. */
static void through_the_system(char *to, int *working) {
    enum { BYTES = 40, HALF = BYTES / 2 };
    int pipes[2], sockets[2];
    char sent[BYTES], back[BYTES];
    struct iovec halves[] = {{to, HALF}, {to + HALF, HALF}};
    struct msghdr message = {};
    FILE *file = tmpfile();
    for (int i = 0; i < BYTES; i++)
        sent[i] = (char)(i + 1);
    CHECK(file != NULL && pipe(pipes) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
    setvbuf(file, NULL, _IONBF, 0);
    message.msg_iov = halves;
    message.msg_iovlen = 2;
#define MEANWHILE(call)                                                                                      \
    do {                                                                                                     \
        count_up<<<1, 1>>>(working, 1);                                                                      \
        CHECK((call) == BYTES);                                                                              \
    } while (0)
    MEANWHILE(write(pipes[1], sent, BYTES));
    MEANWHILE(read(pipes[0], to, BYTES));
    MEANWHILE(writev(pipes[1], halves, 2));
    MEANWHILE(readv(pipes[0], halves, 2));
    MEANWHILE(send(sockets[0], to, BYTES, 0));
    MEANWHILE(recv(sockets[1], to, BYTES, 0));
    MEANWHILE(sendto(sockets[0], to, BYTES, 0, NULL, 0));
    MEANWHILE(recvfrom(sockets[1], to, BYTES, 0, NULL, NULL));
    MEANWHILE(sendmsg(sockets[0], &message, 0));
    MEANWHILE(recvmsg(sockets[1], &message, 0));
    MEANWHILE(fwrite(to, 1, BYTES, file));
    rewind(file);
    MEANWHILE(fread(to, 1, BYTES, file));
    MEANWHILE(pwrite(fileno(file), to, BYTES, 0));
    MEANWHILE(pread(fileno(file), to, BYTES, 0));
    CHECK(pread(fileno(file), back, BYTES, 0) == BYTES);
    CHECK(memcmp(back, sent, BYTES) == 0 && memcmp(to, sent, BYTES) == 0);
    fclose(file);
    for (int i = 0; i < 2; i++) {
        close(pipes[i]);
        close(sockets[i]);
    }
}

static volatile sig_atomic_t caught;
static void own_handler(int number) {
    (void)number;
    caught = 1;
    signal(SIGSEGV, SIG_DFL);
    exit(puts("ok, caught") < 0);
}

/* Managed memory, which the host looks at early or in time. */
static void managed(const char *what) {
    int *data, *other, *sum, seen = 0;
    cudaEvent_t event;
    OK(cudaEventCreate(&event));
    OK(cudaMallocManaged(&data, N * sizeof(int)));
    OK(cudaMallocManaged(&other, N * sizeof(int)));
    OK(cudaMallocManaged(&sum, sizeof(int)));
    for (int i = 0; i < N; i++)
        data[i] = other[i] = i;
    *sum = 0;
    if (strcmp(what, "handler") == 0)
        signal(SIGSEGV, own_handler);
    count_up<<<(N + 127) / 128, 128>>>(data, N);
    if (strcmp(what, "early-read") == 0 || strcmp(what, "handler") == 0) {
        seen = data[2000];
    } else if (strcmp(what, "early-write") == 0) {
        data[2000] = 7;
        data[2001] = 8;
    } else if (strncmp(what, "system", 6) == 0) { /* beside what the kernel writes, and into it */
        OK(cudaDeviceSynchronize());
        if (strcmp(what, "system") == 0) {
            through_the_system((char *)(data + 100), data);
        } else {
            count_up<<<1, 1>>>(data, 1);
            CHECK(read(open("/dev/zero", O_RDONLY), data, 8) == 8);
        }
    } else if (strcmp(what, "signal") == 0) {
        OK(cudaDeviceSynchronize());
        other[0] = 0;
        signals<<<1, 1>>>(other, data);
        while (*(volatile int *)other == 0)
            continue;
        seen = data[0];
    } else if (strcmp(what, "early-second") == 0) { /* a launch is no wait */
        count_up<<<(N + 127) / 128, 128>>>(other, N);
        seen = data[N - 1];
    } else if (strcmp(what, "never") == 0) { /* not a single wait follows */
        seen = data[0];
        exit(puts("ok") < 0);
    } else if (strcmp(what, "other") == 0) { /* of the host's own alone */
        for (int i = 0; i < N; i++)
            seen += other[i]++;
    } else if (strcmp(what, "read-only") == 0) { /* both read */
        OK(cudaDeviceSynchronize());
        sum_up<<<(N + 127) / 128, 128>>>(data, N, sum);
        for (int i = 0; i < N; i++)
            seen += data[i];
    } else if (strcmp(what, "event") == 0) {
        OK(cudaEventRecord(event));
        OK(cudaEventSynchronize(event));
        seen = data[0];
    } else if (strcmp(what, "query") == 0) {
        while (cudaStreamQuery(0) == cudaErrorNotReady)
            continue;
        seen = data[0];
    } else if (strcmp(what, "copy") == 0) {
        OK(cudaMemcpy(&seen, data, sizeof seen, cudaMemcpyDeviceToHost));
        seen = data[0];
    } else if (strcmp(what, "copy-async") == 0) { /* the library's own touches count for nothing */
        int *device, *mine = (int *)malloc(N * sizeof(int));
        OK(cudaMalloc(&device, N * sizeof(int)));
        OK(cudaMemcpyAsync(device, data, N * sizeof(int), cudaMemcpyDefault, 0));
        OK(cudaMemcpyAsync(mine, data, N * sizeof(int), cudaMemcpyDefault, 0));
        OK(cudaStreamSynchronize(0));
        CHECK(mine[5] == 6);
        OK(cudaFree(device));
        free(mine);
    }
    if (seen < 0)
        puts("never");
    OK(cudaDeviceSynchronize());
    OK(cudaFree(data));
    OK(cudaFree(other));
    OK(cudaFree(sum));
}

/* Asynchronous copies to pinned memory. */
static void pinned(const char *what) {
    int *device, *host, seen;
    OK(cudaMalloc(&device, N * sizeof(int)));
    OK(cudaMallocHost(&host, 2 * N * sizeof(int)));
    OK(cudaMemset(device, 0, N * sizeof(int)));
    for (int i = 0; i < 2 * N; i++)
        host[i] = i;
    if (strncmp(what, "pinned-source", 13) ==
        0) { /* what is copied is read later, and so is not to be changed */
        volatile int *source = host;
        OK(cudaMemcpyAsync(device, host, N * sizeof(int), cudaMemcpyHostToDevice, 0));
        if (strcmp(what, "pinned-source") == 0)
            OK(cudaStreamSynchronize(0));
        if (strcmp(what, "pinned-source-half") == 0)
            source[N] = source[N - 1];
        else
            source[N - 1] = 5;
        OK(cudaDeviceSynchronize());
    }
    OK(cudaMemcpyAsync(host, device, N * sizeof(int), cudaMemcpyDeviceToHost, 0));
    if (strcmp(what, "pinned-half") != 0 && strcmp(what, "pinned-early") != 0 &&
        strcmp(what, "pinned-system") != 0)
        OK(cudaStreamSynchronize(0));
    if (strcmp(what, "pinned-system") == 0) {
        CHECK(read(open("/dev/zero", O_RDONLY), host + N, 8) == 8);
        OK(cudaStreamSynchronize(0));
    }
    seen = strcmp(what, "pinned-half") == 0 ? host[N] : host[N - 1];
    OK(cudaDeviceSynchronize());
    if (strncmp(what, "pinned-source", 13) != 0)
        CHECK(seen == (strcmp(what, "pinned-half") == 0 ? N : 0));
    OK(cudaFree(device));
    OK(cudaFreeHost(host));
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "freed";
    if (strcmp(what, "freed") == 0 || strcmp(what, "leak") == 0 || strcmp(what, "reset") == 0 ||
        strcmp(what, "beyond") == 0)
        on_device(what);
    else if (strncmp(what, "pinned", 6) == 0)
        pinned(what);
    else
        managed(what);
    puts("ok");
    return 0;
}
