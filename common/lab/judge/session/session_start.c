/* session_start.c: starting and ending a runner and its simulated GPU. */
#include "base/child.h"
#include "base/path.h"
#include "lab/judge/session/session_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

void session_close_descriptor(int *descriptor) {
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

static pid_t start_simgpu(const struct session_options *o, int client, int report, int memory, int output) {
    char models[PATH_SIZE];
    const char *environment[] = {NULL, NULL}, *elsewhere = getenv("GPU_MODELS");
    if (elsewhere != NULL) {
        if (!path_print(models, "GPU_MODELS=%s", elsewhere)) {
            errno = ENAMETOOLONG;
            return -1;
        }
        environment[0] = models;
    }
    // clang-format off
    const char *arguments[] = {o->simgpu,
                               "--fd", "3",
                               "--report-fd", "4",
                               "--gpu", o->gpu,
                               "--races", o->races ? "1" : "0",
                               "--check", o->check ? "1" : "0",
                               "--counts", o->counts ? "1" : "0",
                               "--strict", o->strict ? "1" : "0",
                               NULL, NULL,
                               NULL, NULL,
                               NULL, NULL,
                               NULL};
    // clang-format on
    unsigned n = 0;
    while (arguments[n] != NULL)
        n++;
    if (memory >= 0) {
        arguments[n++] = "--memory-fd";
        arguments[n++] = "5";
    }
    if (o->compiled != NULL) {
        arguments[n++] = "--compiled";
        arguments[n++] = o->compiled;
    }
    if (o->names_calls) {
        arguments[n++] = "--program";
        arguments[n++] = o->program;
    }
    struct child simgpu = {.wrapper = o->simgpu_wrapper,
                           .arguments = arguments,
                           .environment = environment,
                           .input = CHILD_NOTHING,
                           .output = output,
                           .errors = output,
                           .descriptors = (const int[]){client, report, memory},
                           .descriptor_count = memory < 0 ? 2 : 3};
    return child_start(&simgpu);
}

/* Variables that a program on a real GPU may see; on the simulated GPU it needs only the kit's
 * own. */
static const char *const kept_variables[] = {
    "PATH", "HOME", "TMPDIR", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "CUDA_HOME", "LANG"};

/* Starts a program that takes requests from `socket`. device, memory: descriptors, -1: none. */
static pid_t start_program(const struct session_options *o, const char *program, const char *const *wrapper,
                           int socket, int device, int memory, int output) {
    enum { KEPT = sizeof kept_variables / sizeof *kept_variables, VARIABLE = 8192 };
    char *text = malloc((KEPT + 1) * VARIABLE);
    const char *environment[KEPT + 6], *old = getenv("LD_LIBRARY_PATH");
    int descriptors[3] = {socket};
    unsigned count = 0, written = 0, descriptor_count = 1;
    if (text == NULL)
        return -1;
    environment[count++] = RUNNER_SOCKET "=3";
    if (device >= 0) {
        environment[count++] = "SIMGPU_FD=4";
        if (o->check)
            environment[count++] = "CHECK=1"; /* our library looks after the host's memory itself */
        descriptors[descriptor_count++] = device;
    }
    if (memory >= 0) {
        environment[count++] = device >= 0 ? RUNNER_MEMORY "=5" : RUNNER_MEMORY "=4";
        descriptors[descriptor_count++] = memory;
    }
    char *path = text + VARIABLE * written++;
    int length = snprintf(path, VARIABLE, "LD_LIBRARY_PATH=%s%s%s", o->library != NULL ? o->library : "",
                          o->library != NULL && old != NULL && *old ? ":" : "", old != NULL ? old : "");
    if (length >= VARIABLE) {
        free(text);
        errno = ENAMETOOLONG;
        return -1;
    }
    if (o->library != NULL || old != NULL)
        environment[count++] = path;
    for (unsigned i = 0; device < 0 && i < KEPT; i++) {
        const char *value = getenv(kept_variables[i]);
        char *variable = text + VARIABLE * written;
        if (value == NULL || snprintf(variable, VARIABLE, "%s=%s", kept_variables[i], value) >= VARIABLE)
            continue;
        environment[count++] = variable;
        written++;
    }
    environment[count] = NULL;
    struct child child = {.wrapper = wrapper,
                          .arguments = (const char *const[]){program, NULL},
                          .environment = environment,
                          .input = CHILD_NOTHING,
                          .output = output,
                          .errors = output,
                          .descriptors = descriptors,
                          .descriptor_count = descriptor_count};
    pid_t process = child_start(&child);
    free(text);
    return process;
}

/* Creates memory of the session's size: a descriptor to pass on, and its mapping here. It is
 * sealed, so nobody can take pages away. */
static bool open_memory(const struct session *s, int *descriptor, uint8_t **memory) {
    *descriptor = memfd_create("lab", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (*descriptor < 0 || ftruncate(*descriptor, (off_t)s->options.memory_bytes) != 0 ||
        fcntl(*descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        return false;
    void *mapped = mmap(NULL, s->options.memory_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, *descriptor, 0);
    *memory = mapped != MAP_FAILED ? mapped : NULL;
    return *memory != NULL;
}

struct session *session_open(const struct session_options *options, struct failure *failure) {
    struct session *s = calloc(1, sizeof *s);
    int judge[2] = {-1, -1}, device[2] = {-1, -1}, report[2] = {-1, -1}, output[2] = {-1, -1},
        owner[2] = {-1, -1}, memory = -1, repeated = -1;
    if (s == NULL) {
        failure_set(failure, STAGE_START, "out of memory");
        return NULL;
    }
    s->options = *options;
    s->socket = s->owner_socket = s->report = s->output = s->log = s->runner_exit = -1;
    bool sim = options->simgpu != NULL;
    const char *step = "a shared memory file";
    bool right =
        open_memory(s, &memory, &s->memory) && (!options->records || open_memory(s, &repeated, &s->repeated));
    if (right) {
        step = "sockets";
        right =
            socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, judge) == 0 &&
            pipe2(output, O_CLOEXEC) == 0 &&
            (options->owner == NULL || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, owner) == 0) &&
            (!sim || (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, device) == 0 &&
                      socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, report) == 0));
    }
    s->options.log_path = NULL; /* the caller's; it is not needed again */
    if (right && options->log_path != NULL) {
        step = options->log_path;
        s->log = open(options->log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        right = s->log >= 0;
    }
    if (right && sim) {
        step = "simgpu";
        s->simgpu =
            start_simgpu(options, device[1], report[1], options->share_memory ? repeated : memory, output[1]);
        right = s->simgpu > 0;
    }
    if (right && options->owner != NULL) {
        step = "the owner of the buffers";
        s->owner = start_program(options, options->owner, NULL, owner[1], -1, memory, CHILD_NOTHING);
        right = s->owner > 0;
    }
    if (right) {
        step = "the runner";
        s->runner =
            start_program(options, options->program, options->runner_wrapper, judge[1], device[0],
                          options->share_memory || (!sim && options->owner == NULL) ? memory : -1, output[1]);
        right = s->runner > 0 && (s->runner_exit = child_end(s->runner)) >= 0;
    }
    if (!right)
        failure_set(failure, STAGE_START, "%s cannot be set up: %s", step, strerror(errno));
    s->socket = judge[0];
    s->owner_socket = owner[0];
    s->report = report[0];
    s->output = output[0];
    session_close_descriptor(&judge[1]);
    session_close_descriptor(&owner[1]);
    session_close_descriptor(&device[0]);
    session_close_descriptor(&device[1]);
    session_close_descriptor(&report[1]);
    session_close_descriptor(&output[1]);
    session_close_descriptor(&memory);
    session_close_descriptor(&repeated);
    if (s->output >= 0)
        fcntl(s->output, F_SETFL, O_NONBLOCK);
    if (!right) {
        session_close(s);
        return NULL;
    }
    return s;
}

void session_end(struct session *s) {
    struct runner_request quit = {.command = RUNNER_QUIT};
    bool asked = s->runner > 0 && s->socket >= 0 &&
                 send(s->socket, &quit, sizeof quit, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)sizeof quit;
    session_close_descriptor(&s->socket);
    child_wait(s->runner, asked ? 1.0 : 0.0);
    session_read_sides(s);
    child_wait(s->simgpu, 0.5);
    s->runner = s->simgpu = 0;
    session_read_sides(s);
}

void session_close(struct session *s) {
    if (s == NULL)
        return;
    session_end(s);
    session_close_descriptor(&s->owner_socket);
    child_wait(s->owner, 0); /* it may be waiting for the other's work */
    session_close_descriptor(&s->report);
    session_close_descriptor(&s->output);
    session_close_descriptor(&s->log);
    session_close_descriptor(&s->runner_exit);
    launches_free(&s->launches);
    json_decref(s->remarks);
    json_decref(s->spans);
    free(s->pending);
    if (s->memory != NULL)
        munmap(s->memory, s->options.memory_bytes);
    if (s->repeated != NULL)
        munmap(s->repeated, s->options.memory_bytes);
    free(s);
}
