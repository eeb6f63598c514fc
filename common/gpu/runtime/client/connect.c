/* connect.c: connects to a simulated GPU through a given socket, or starts its process. */
#include "gpu/runtime/client/client.h"

#include "gpu/runtime/protocol.h"
#include "gpu/simt/simt.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_ARGUMENTS = 32 };

/* Finds simgpu relative to the library: lib/cudart13/libcudart.so.13 and bin/simgpu have a
 * directory in common. */
static bool find_simgpu(char *path, size_t size) {
    const char *named = getenv("SIMGPU");
    if (named != NULL && named[0]) {
        snprintf(path, size, "%s", named);
        return true;
    }
    Dl_info info;
    char library[PATH_MAX];
    if (!dladdr((void *)find_simgpu, &info) || realpath(info.dli_fname, library) == NULL)
        return false;
    for (int up = 0; up < 3; up++) {
        char *slash = strrchr(library, '/');
        if (slash == NULL)
            return false;
        *slash = '\0';
        int length = snprintf(path, size, "%s/bin/simgpu", library);
        if (length > 0 && (size_t)length < size && access(path, X_OK) == 0)
            return true;
    }
    return false;
}

/* Turns environment variables into simgpu's options. */
static int build_arguments(const char *path, char *descriptor, char program[PATH_MAX],
                           const char *arguments[MAX_ARGUMENTS]) {
    static const char *const settings[][2] = {{"GPU", "--gpu"},
                                              {"SIMGPU_REPORT", "--report"},
                                              {"SIMGPU_THREADS", "--threads"},
                                              {"SIMGPU_BUDGET", "--budget"},
                                              {"STRICT", "--strict"},
                                              {"RACES", "--races"},
                                              {"CHECK", "--check"},
                                              {"CACHES", "--caches"},
                                              {"COLD", "--cold"},
                                              {"TIMELINE", "--timeline"},
                                              {"TIME_MODEL", "--time"},
                                              {"SIMGPU_PTXAS", "--ptxas"}};
    int count = 0;
    arguments[count++] = path;
    arguments[count++] = "--fd";
    arguments[count++] = descriptor;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const char *value = getenv(settings[i][0]);
        if (value != NULL && value[0]) {
            arguments[count++] = settings[i][1];
            arguments[count++] = value;
        }
    }
    ssize_t length = readlink("/proc/self/exe", program, PATH_MAX - 1);
    if (length > 0) {
        program[length] = '\0';
        arguments[count++] = "--program";
        arguments[count++] = program;
    }
    arguments[count] = NULL;
    return count;
}

/* In the child: keeps only the socket and the standard streams, with calls that are safe after fork
 * in a threaded program. A second fork makes simgpu nobody's child, so that a program that waits
 * for its children sees only its own. */
static void become_simgpu(int socket, const char *const arguments[]) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (fcntl(socket, F_SETFD, 0) < 0)
        _exit(127);
#ifdef SYS_close_range
    if (socket > 3)
        syscall(SYS_close_range, 3u, (unsigned)socket - 1, 0u);
    syscall(SYS_close_range, (unsigned)socket + 1, ~0u, 0u);
#endif
    pid_t child = fork();
    if (child != 0)
        _exit(child < 0 ? 127 : 0);
    execv(arguments[0], (char *const *)arguments);
    _exit(127);
}

static cudaError_t start_simgpu(struct client *client) {
    char path[PATH_MAX], program[PATH_MAX], descriptor[16];
    const char *arguments[MAX_ARGUMENTS];
    int pair[2], status = 0;
    if (!find_simgpu(path, sizeof path)) {
        client_say("the program simgpu is not where this library is; set SIMGPU to its path");
        return cudaErrorInitializationError;
    }
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) {
        client_say("no socket: %s", strerror(errno));
        return cudaErrorInitializationError;
    }
    snprintf(descriptor, sizeof descriptor, "%d", pair[1]);
    build_arguments(path, descriptor, program, arguments);
    pid_t child = fork();
    if (child == 0)
        become_simgpu(pair[1], arguments);
    close(pair[1]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (child < 0) {
        client_say("%s cannot be started: %s", path, strerror(errno));
        close(pair[0]);
        return cudaErrorInitializationError;
    }
    client->socket = pair[0];
    return cudaSuccess;
}

static bool given_socket(int *socket) {
    const char *text = getenv("SIMGPU_FD");
    if (text == NULL || !text[0])
        return false;
    char *end;
    long number = strtol(text, &end, 10);
    if (*end != '\0' || number < 0 || number > INT_MAX || fcntl((int)number, F_SETFD, FD_CLOEXEC) < 0) {
        client_say("SIMGPU_FD=%s is no open descriptor", text);
        *socket = -1;
        return true;
    }
    *socket = (int)number;
    return true;
}

/* Reserves device addresses, so that the host's use of one faults as on a machine with a GPU. If
 * that fails (a limit on address space), nothing lies there unless the program asks for it. */
static void reserve_device_addresses(void) {
    (void)mmap((void *)(uintptr_t)SIMT_ADDRESS_BASE, SIMT_ADDRESS_BYTES, PROT_NONE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
}

/* A forked child has no simulated GPU, and must not keep its parent's alive. */
static void before_fork(void) {
    (void)client_acquire();
}

static void after_fork(void) {
    client_release(client_state());
}

static void after_fork_in_child(void) {
    struct client *client = client_state();
    if (client->socket >= 0)
        close(client->socket);
    client->socket = -1;
    client_release(client);
}

static cudaError_t greet(struct client *client) {
    struct request_hello hello = {PROTOCOL_VERSION};
    void *bytes = NULL;
    size_t size = 0;
    int descriptor = -1;
    cudaError_t error =
        client_call_whole(client, PROTOCOL_HELLO, &hello, sizeof hello, NULL, 0, &bytes, &size, &descriptor);
    void *transfer = MAP_FAILED;
    if (error == cudaSuccess && size == sizeof client->device && descriptor >= 0)
        transfer = mmap(NULL, PROTOCOL_TRANSFER_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (transfer != MAP_FAILED) {
        memcpy(&client->device, bytes, sizeof client->device);
        client->device.name[sizeof client->device.name - 1] = '\0';
        client->transfer = transfer;
        client->stack = client->device.stack;
        client->heap = client->device.heap;
        client->print = client->device.print;
        client->persisting = client_default_persisting(&client->device);
    }
    free(bytes);
    if (descriptor >= 0)
        close(descriptor);
    return transfer != MAP_FAILED ? cudaSuccess : cudaErrorInitializationError;
}

static cudaError_t open_connection(struct client *client) {
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    if (visible != NULL && (visible[0] == '\0' || strcmp(visible, "-1") == 0))
        return cudaErrorNoDevice;
    client->given = given_socket(&client->socket);
    if (client->given) {
        if (client->socket < 0)
            return cudaErrorInitializationError;
    } else {
        cudaError_t error = start_simgpu(client);
        if (error != cudaSuccess)
            return error;
        client_early_listen();
    }
    client->process = getpid();
    reserve_device_addresses();
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
    return greet(client);
}

cudaError_t client_connect(struct client *client) {
    if (client->connection == NOT_CONNECTED) {
        client->failure = open_connection(client);
        client->connection = client->failure == cudaSuccess ? CONNECTED : CONNECTION_FAILED;
        if (client->connection == CONNECTION_FAILED)
            client->sticky = 0;
        else
            client_load_given(client);
    }
    if (client->connection == CONNECTION_FAILED)
        return client->failure;
    if (client->process != getpid())
        return cudaErrorInitializationError;
    return client->sticky ? (cudaError_t)client->sticky : cudaSuccess;
}
