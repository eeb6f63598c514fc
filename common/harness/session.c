/* Starting, talking to and ending a runner and its simulated GPU. */
#include "harness/session.h"
#include "harness/process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { OUTPUT_KEPT = 4096, LINE_MAX_BYTES = 16 << 20 };
#define LOG_MAX_BYTES ((uint64_t)1 << 20)

struct session {
    struct session_options options;
    pid_t runner, simgpu; /* 0: not running */
    int runner_exit;      /* pidfd */
    int socket;           /* to the runner */
    int report;           /* from simgpu, -1 without */
    int output;           /* what both print */
    int log;
    uint64_t log_bytes, output_bytes;
    char kept[OUTPUT_KEPT];
    size_t kept_length;
    uint8_t *memory;
    char *pending; /* an incomplete report line */
    size_t pending_length, pending_capacity;
    struct kernel_report *kernels;
    unsigned kernel_count;
    uint64_t copied_to_host;
    char fault[1024];       /* simgpu's message, "" none */
    char report_error[256]; /* a report line that made no sense */
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- starting */

static void close_if_open(int *descriptor) {
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

static pid_t start_simgpu(const struct session_options *o, int client, int report, int output) {
    char models[PATH_MAX + 16];
    const char *environment[] = {NULL, NULL}, *elsewhere = getenv("GPU_MODELS");
    if (elsewhere != NULL) {
        snprintf(models, sizeof models, "GPU_MODELS=%s", elsewhere);
        environment[0] = models;
    }
    const char *arguments[] = {o->simgpu,
                               "--fd",
                               "3",
                               "--report-fd",
                               "4",
                               "--gpu",
                               o->gpu,
                               "--races",
                               o->races ? "1" : "0",
                               "--caches",
                               o->caches ? "1" : "0",
                               "--strict",
                               o->strict ? "1" : "0",
                               NULL};
    struct process process = {.wrapper = o->simgpu_wrapper,
                              .arguments = arguments,
                              .environment = environment,
                              .output = output,
                              .descriptors = (const int[]){client, report},
                              .descriptor_count = 2};
    return process_start(&process);
}

/* What a program on a real GPU may look at; on the simulated one it needs nothing but our library. */
static const char *const kept_variables[] = {
    "PATH", "HOME", "TMPDIR", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "CUDA_HOME", "LANG"};

static pid_t start_runner(const struct session_options *o, int socket, int memory, int device, int output) {
    enum { KEPT = sizeof kept_variables / sizeof *kept_variables, VARIABLE = 8192 };
    char *text = malloc((KEPT + 1) * VARIABLE);
    const char *environment[KEPT + 5], *old = getenv("LD_LIBRARY_PATH");
    unsigned count = 0, written = 0;
    if (text == NULL)
        return -1;
    environment[count++] = RUNNER_SOCKET "=3";
    environment[count++] = RUNNER_MEMORY "=4";
    if (device >= 0)
        environment[count++] = "SIMGPU_FD=5";
    char *path = text + VARIABLE * written++;
    snprintf(path, VARIABLE, "LD_LIBRARY_PATH=%s%s%s", o->library != NULL ? o->library : "",
             o->library != NULL && old != NULL && *old ? ":" : "", old != NULL ? old : "");
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
    struct process process = {.wrapper = o->runner_wrapper,
                              .arguments = (const char *const[]){o->program, NULL},
                              .environment = environment,
                              .output = output,
                              .descriptors = (const int[]){socket, memory, device},
                              .descriptor_count = device >= 0 ? 3 : 2};
    pid_t child = process_start(&process);
    free(text);
    return child;
}

struct session *session_open(const struct session_options *options, struct failure *failure) {
    struct session *s = calloc(1, sizeof *s);
    int judge[2] = {-1, -1}, device[2] = {-1, -1}, report[2] = {-1, -1}, output[2] = {-1, -1}, memory = -1;
    if (s == NULL) {
        failure_set(failure, "start", "out of memory");
        return NULL;
    }
    s->options = *options;
    s->socket = s->report = s->output = s->log = s->runner_exit = -1;
    bool sim = options->simgpu != NULL;
    const char *step = "a shared memory file";
    memory = memfd_create("lab", MFD_CLOEXEC);
    bool right = memory >= 0 && ftruncate(memory, (off_t)options->memory_bytes) == 0;
    if (right) {
        void *mapped = mmap(NULL, options->memory_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
        s->memory = mapped != MAP_FAILED ? mapped : NULL;
        right = s->memory != NULL;
    }
    if (right) {
        step = "sockets";
        right = socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, judge) == 0 &&
                pipe2(output, O_CLOEXEC) == 0 &&
                (!sim || (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, device) == 0 &&
                          socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, report) == 0));
    }
    if (right && options->log_path != NULL) {
        step = options->log_path;
        s->log = open(options->log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        right = s->log >= 0;
    }
    if (right && sim) {
        step = "simgpu";
        s->simgpu = start_simgpu(options, device[1], report[1], output[1]);
        right = s->simgpu > 0;
    }
    if (right) {
        step = "the runner";
        s->runner = start_runner(options, judge[1], memory, device[0], output[1]);
        right = s->runner > 0 && (s->runner_exit = pidfd_open(s->runner, 0)) >= 0;
    }
    if (!right)
        failure_set(failure, "start", "%s cannot be set up: %s", step, strerror(errno));
    s->socket = judge[0];
    s->report = report[0];
    s->output = output[0];
    close_if_open(&judge[1]);
    close_if_open(&device[0]);
    close_if_open(&device[1]);
    close_if_open(&report[1]);
    close_if_open(&output[1]);
    close_if_open(&memory);
    if (s->output >= 0)
        fcntl(s->output, F_SETFL, O_NONBLOCK);
    if (!right) {
        session_close(s);
        return NULL;
    }
    return s;
}

/* ---- what the processes say on the side */

static void read_output(struct session *s) {
    char buffer[4096];
    for (;;) {
        ssize_t length = read(s->output, buffer, sizeof buffer);
        if (length == 0)
            close_if_open(&s->output);
        if (length <= 0)
            return;
        s->output_bytes += (uint64_t)length;
        size_t keep_now = OUTPUT_KEPT - 1 - s->kept_length;
        keep_now = keep_now < (size_t)length ? keep_now : (size_t)length;
        memcpy(s->kept + s->kept_length, buffer, keep_now);
        s->kept_length += keep_now;
        if (s->log >= 0 && s->log_bytes < LOG_MAX_BYTES && write(s->log, buffer, (size_t)length) > 0)
            s->log_bytes += (uint64_t)length;
    }
}

/* Sizes of a launch's part of a fault, e.g. "block (3, 0, 0)". */
static void append_triple(char *text, size_t size, const char *what, const json_t *triple) {
    size_t at = strlen(text);
    if (json_array_size(triple) == 3 && at < size)
        snprintf(text + at, size - at, ", %s (%lld, %lld, %lld)", what,
                 (long long)json_integer_value(json_array_get(triple, 0)),
                 (long long)json_integer_value(json_array_get(triple, 1)),
                 (long long)json_integer_value(json_array_get(triple, 2)));
}

static void take_fault(struct session *s, const json_t *fault) {
    const char *message = json_string_value(json_object_get(fault, "message")),
               *file = json_string_value(json_object_get(fault, "file"));
    const char *kernel = json_string_value(json_object_get(fault, "kernel"));
    long long line = (long long)json_integer_value(json_object_get(fault, "line"));
    if (s->fault[0] != '\0')
        return; /* the first one is the cause */
    snprintf(s->fault, sizeof s->fault, "%s",
             message != NULL ? message : "the simulated GPU stopped the kernel");
    char at[128];
    snprintf(at, sizeof at, ":%lld", line);
    /* The message may say where itself; then it is not said twice. */
    if (file != NULL && *file != '\0' && line > 0 && strstr(s->fault, at) == NULL) {
        char where[512];
        const char *name = strrchr(file, '/') != NULL ? strrchr(file, '/') + 1 : file;
        snprintf(where, sizeof where, "\nat %s:%lld", name, line);
        if (kernel != NULL) {
            size_t end = strlen(where);
            snprintf(where + end, sizeof where - end, " in %s", kernel);
        }
        append_triple(where, sizeof where, "block", json_object_get(fault, "block"));
        append_triple(where, sizeof where, "thread", json_object_get(fault, "thread"));
        size_t end = strlen(s->fault);
        snprintf(s->fault + end, sizeof s->fault - end, "%s", where);
    }
}

static void take_line(struct session *s, const char *line, size_t length) {
    json_error_t error;
    json_t *document = json_loadb(line, length, 0, &error);
    json_t *launch = json_object_get(document, "launch"), *fault = json_object_get(document, "fault");
    json_t *copy = json_object_get(document, "copy");
    if (document == NULL) {
        snprintf(s->report_error, sizeof s->report_error, "simgpu's report is not JSON: %.160s", error.text);
    } else if (launch != NULL) {
        struct kernel_report *grown = realloc(s->kernels, (s->kernel_count + 1) * sizeof *grown);
        if (grown == NULL) {
            snprintf(s->report_error, sizeof s->report_error, "out of memory");
        } else {
            s->kernels = grown;
            if (kernel_report_from_json(&s->kernels[s->kernel_count], launch, s->report_error,
                                        sizeof s->report_error))
                s->kernel_count++;
        }
    } else if (fault != NULL) {
        take_fault(s, fault);
    } else if (copy != NULL) {
        const char *direction = json_string_value(json_object_get(copy, "direction"));
        if (direction != NULL && strcmp(direction, "DtoH") == 0)
            s->copied_to_host += (uint64_t)json_integer_value(json_object_get(copy, "bytes"));
    }
    json_decref(document);
}

static void read_report(struct session *s) {
    for (;;) {
        if (s->pending_capacity - s->pending_length < 65536) {
            size_t capacity = s->pending_capacity + (1 << 18);
            char *grown = capacity <= LINE_MAX_BYTES ? realloc(s->pending, capacity) : NULL;
            if (grown == NULL) {
                snprintf(s->report_error, sizeof s->report_error, "a line of simgpu's report is too long");
                close_if_open(&s->report);
                return;
            }
            s->pending = grown;
            s->pending_capacity = capacity;
        }
        ssize_t length = recv(s->report, s->pending + s->pending_length,
                              s->pending_capacity - s->pending_length, MSG_DONTWAIT);
        if (length == 0 || (length < 0 && errno != EAGAIN && errno != EINTR))
            close_if_open(&s->report);
        if (length <= 0)
            return;
        s->pending_length += (size_t)length;
        char *start = s->pending, *newline;
        while ((newline = memchr(start, '\n', s->pending_length - (size_t)(start - s->pending))) != NULL) {
            take_line(s, start, (size_t)(newline - start));
            start = newline + 1;
        }
        s->pending_length -= (size_t)(start - s->pending);
        memmove(s->pending, start, s->pending_length);
    }
}

/* Everything that is waiting on the side channels, without blocking. */
static void read_sides(struct session *s) {
    if (s->output >= 0)
        read_output(s);
    if (s->report >= 0)
        read_report(s);
}

/* ---- talking */

static void explain_end(struct session *s, struct failure *failure) {
    int status = 0;
    read_sides(s);
    if (s->runner > 0 && waitpid(s->runner, &status, 0) == s->runner)
        s->runner = 0;
    /* simgpu may have written its last words after the runner was gone. */
    if (s->report >= 0) {
        struct pollfd wait_for = {.fd = s->report, .events = POLLIN};
        poll(&wait_for, 1, 200);
    }
    read_sides(s);
    if (s->fault[0] != '\0') {
        failure_set(failure, "fault", "%s", s->fault);
    } else if (WIFSIGNALED(status)) {
        int number = WTERMSIG(status);
        const char *likely = number == SIGSEGV || number == SIGBUS
                                 ? "\nHost code touched memory that is not its own. Device pointers cannot "
                                   "be dereferenced on the host."
                             : number == SIGABRT ? "\nThe program stopped itself (abort or a failed assert)."
                             : number == SIGFPE  ? "\nHost code divided by zero."
                                                 : "";
        failure_set_flag(failure, FLAG_CRASH, "fault",
                         "your program was ended by signal %d (%s) outside a kernel.%s", number,
                         strsignal(number), likely);
    } else if (WEXITSTATUS(status) == 127) {
        failure_set(failure, "start", "the program could not be started:\n%.1200s", s->kept);
    } else {
        failure_set_flag(failure, FLAG_EARLY_EXIT, "fault",
                         "your program ended itself with exit status %d in the middle of a call.\n"
                         "The function must return; it must not call exit().",
                         WEXITSTATUS(status));
    }
}

/* A CUDA error, with what the simulator knows about it. */
static void explain_error(struct session *s, const struct runner_reply *reply, struct failure *failure) {
    read_sides(s);
    const char *stage = reply->command == RUNNER_CALL || reply->command == RUNNER_FETCH ? "fault" : "start";
    if (s->fault[0] != '\0')
        failure_set(failure, stage, "%s: %s\n%s", reply->what, reply->error_name, s->fault);
    else
        failure_set(failure, stage, "%s: %s (%s)%s", reply->what, reply->error_name, reply->error_text,
                    s->options.simgpu == NULL && reply->command == RUNNER_CALL
                        ? "\nDEVICE=sim names the line, the thread and the address."
                        : "");
}

bool session_exchange(struct session *s, const struct runner_request *request, struct runner_reply *reply,
                      struct failure *failure) {
    double deadline = now() + s->options.timeout_s;
    if (s->runner == 0 ||
        send(s->socket, request, sizeof *request, MSG_NOSIGNAL) != (ssize_t)sizeof *request) {
        explain_end(s, failure);
        return false;
    }
    for (;;) {
        double left = deadline - now();
        struct pollfd wait_for[] = {
            {.fd = s->socket, .events = POLLIN},
            {.fd = s->runner_exit, .events = POLLIN},
            {.fd = s->output, .events = POLLIN},
            {.fd = s->report, .events = POLLIN},
        };
        int ready = left > 0 ? poll(wait_for, 4, (int)(left * 1000) + 1) : 0;
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready == 0) {
            failure_set_flag(
                failure, FLAG_TIMEOUT, "timeout",
                "no answer after %.0f seconds: the function or its kernel does not end.\n"
                "Look for a loop whose condition never becomes false; TIMEOUT=seconds allows longer.",
                s->options.timeout_s);
            return false;
        }
        read_sides(s);
        if (wait_for[0].revents & POLLIN) {
            ssize_t length = recv(s->socket, reply, sizeof *reply, MSG_DONTWAIT);
            if (length == (ssize_t)sizeof *reply && reply->command == request->command) {
                reply->what[sizeof reply->what - 1] = reply->error_name[sizeof reply->error_name - 1] = '\0';
                reply->error_text[sizeof reply->error_text - 1] = reply->gpu[sizeof reply->gpu - 1] = '\0';
                if (reply->error == 0) {
                    read_sides(s); /* launches are reported before the call that waited for them returns */
                    return true;
                }
                explain_error(s, reply, failure);
                return false;
            }
            if (length > 0) {
                failure_set_flag(
                    failure, FLAG_RESULT_CHANNEL, "fault",
                    "the program sent something that is not a reply: it writes to descriptors that "
                    "are not its own.");
                return false;
            }
        }
        if (wait_for[1].revents & POLLIN || wait_for[0].revents & (POLLHUP | POLLERR)) {
            explain_end(s, failure);
            return false;
        }
    }
}

bool session_take_kernels(struct session *s, struct kernel_report **kernels, unsigned *count,
                          struct failure *failure) {
    read_sides(s);
    *kernels = s->kernels;
    *count = s->kernel_count;
    s->kernels = NULL;
    s->kernel_count = 0;
    if (s->report_error[0] == '\0')
        return true;
    failure_set(failure, "measure", "%s", s->report_error);
    return false;
}

uint64_t session_take_copied(struct session *s) {
    uint64_t bytes = s->copied_to_host;
    s->copied_to_host = 0;
    return bytes;
}

uint8_t *session_memory(struct session *s) {
    return s->memory;
}

const char *session_output(const struct session *s, uint64_t *bytes) {
    *bytes = s->output_bytes;
    return s->kept;
}

/* ---- ending */

void session_close(struct session *s) {
    if (s == NULL)
        return;
    struct runner_request quit = {.command = RUNNER_QUIT};
    bool asked = s->runner > 0 && s->socket >= 0 &&
                 send(s->socket, &quit, sizeof quit, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)sizeof quit;
    close_if_open(&s->socket);
    process_end(&s->runner, asked ? 1.0 : 0.0);
    if (s->output >= 0)
        read_output(s);
    process_end(&s->simgpu, 0.5);
    close_if_open(&s->report);
    close_if_open(&s->output);
    close_if_open(&s->log);
    close_if_open(&s->runner_exit);
    for (unsigned i = 0; i < s->kernel_count; i++)
        kernel_report_free(&s->kernels[i]);
    free(s->kernels);
    free(s->pending);
    if (s->memory != NULL)
        munmap(s->memory, s->options.memory_bytes);
    free(s);
}
