/* Starting, talking to and ending a runner and its simulated GPU. */
#include "harness/session.h"
#include "harness/process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
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
    bool ready;     /* the program has answered once */
    unsigned calls; /* sent so far */
    uint32_t sequence;
    struct session_traffic traffic;
    uint64_t shared;          /* bytes that host and device have in common now */
    char fault[1024];         /* simgpu's message, "" none */
    struct failure violation; /* what the program did that it must not; flag FLAG_NONE: nothing */
    bool answered;            /* an answer has come: */
    char answer_to[64];
    uint64_t answer_error, answer_value;
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

static pid_t start_simgpu(const struct session_options *o, int client, int report, int memory, int output) {
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
                               o->share_memory ? NULL : "--memory-fd",
                               "5",
                               NULL};
    struct process process = {.wrapper = o->simgpu_wrapper,
                              .arguments = arguments,
                              .environment = environment,
                              .output = output,
                              .descriptors = (const int[]){client, report, memory},
                              .descriptor_count = o->share_memory ? 2 : 3};
    return process_start(&process);
}

/* What a program on a real GPU may look at; on the simulated one it needs nothing but our library. */
static const char *const kept_variables[] = {
    "PATH", "HOME", "TMPDIR", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "CUDA_HOME", "LANG"};

/* device, memory: -1 where there is none for the runner. */
static pid_t start_runner(const struct session_options *o, int socket, int device, int memory, int output) {
    enum { KEPT = sizeof kept_variables / sizeof *kept_variables, VARIABLE = 8192 };
    char *text = malloc((KEPT + 1) * VARIABLE);
    const char *environment[KEPT + 5], *old = getenv("LD_LIBRARY_PATH");
    int descriptors[3] = {socket};
    unsigned count = 0, written = 0, descriptor_count = 1;
    if (text == NULL)
        return -1;
    environment[count++] = RUNNER_SOCKET "=3";
    if (device >= 0) {
        environment[count++] = "SIMGPU_FD=4";
        descriptors[descriptor_count++] = device;
    }
    if (memory >= 0) {
        environment[count++] = device >= 0 ? RUNNER_MEMORY "=5" : RUNNER_MEMORY "=4";
        descriptors[descriptor_count++] = memory;
    }
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
                              .descriptors = descriptors,
                              .descriptor_count = descriptor_count};
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
        s->simgpu = start_simgpu(options, device[1], report[1], memory, output[1]);
        right = s->simgpu > 0;
    }
    if (right) {
        step = "the runner";
        s->runner = start_runner(options, judge[1], device[0], sim && !options->share_memory ? -1 : memory,
                                 output[1]);
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

static void take_launch(struct session *s, const json_t *launch) {
    struct kernel_report *grown = realloc(s->kernels, (s->kernel_count + 1) * sizeof *grown);
    if (grown == NULL) {
        snprintf(s->report_error, sizeof s->report_error, "out of memory");
        return;
    }
    s->kernels = grown;
    if (kernel_report_from_json(&s->kernels[s->kernel_count], launch, s->report_error,
                                sizeof s->report_error))
        s->kernel_count++;
}

static void take_copy(struct session *s, const json_t *copy) {
    const char *direction = json_string_value(json_object_get(copy, "direction"));
    uint64_t bytes = (uint64_t)json_integer_value(json_object_get(copy, "bytes"));
    if (direction != NULL && strcmp(direction, "DtoH") == 0)
        s->traffic.from_device += bytes;
    if (direction != NULL && strcmp(direction, "HtoD") == 0)
        s->traffic.to_device += bytes;
}

static void take_violation(struct session *s, const json_t *violation) {
    const char *kind = json_string_value(json_object_get(violation, "kind")),
               *message = json_string_value(json_object_get(violation, "message"));
    if (s->violation.flag != FLAG_NONE || kind == NULL || message == NULL)
        return;
    if (strcmp(kind, "freed") == 0)
        failure_set_flag(&s->violation, FLAG_FREED_BUFFER, "fault",
                         "%s on a buffer of the caller's: the function must leave the memory it is given.",
                         message);
    else
        failure_set_flag(&s->violation, FLAG_LAUNCH_OUTSIDE_CALL, "fault",
                         "work on the GPU outside the call (%s): everything the function starts must be "
                         "started before it returns, and nothing before it is called.",
                         message);
}

static void take_answer(struct session *s, const json_t *answer) {
    const char *command = json_string_value(json_object_get(answer, "command"));
    s->answered = true;
    snprintf(s->answer_to, sizeof s->answer_to, "%s", command != NULL ? command : "");
    s->answer_error = (uint64_t)json_integer_value(json_object_get(answer, "error"));
    s->answer_value = (uint64_t)json_integer_value(json_object_get(answer, "value"));
}

static uint64_t bytes_of(const json_t *object) {
    return (uint64_t)json_integer_value(json_object_get(object, "bytes"));
}

static void take_line(struct session *s, const char *line, size_t length) {
    json_error_t error;
    json_t *document = json_loadb(line, length, 0, &error), *object;
    if (document == NULL) {
        snprintf(s->report_error, sizeof s->report_error, "simgpu's report is not JSON: %.160s", error.text);
    } else if ((object = json_object_get(document, "launch")) != NULL) {
        take_launch(s, object);
    } else if ((object = json_object_get(document, "fault")) != NULL) {
        take_fault(s, object);
    } else if ((object = json_object_get(document, "copy")) != NULL) {
        take_copy(s, object);
        s->traffic.time_us += json_number_value(json_object_get(object, "time_us"));
    } else if ((object = json_object_get(document, "fill")) != NULL) {
        s->traffic.time_us += json_number_value(json_object_get(object, "time_us"));
    } else if ((object = json_object_get(document, "module")) != NULL) {
        s->traffic.modules += bytes_of(object);
    } else if ((object = json_object_get(document, "shared")) != NULL) {
        s->shared = bytes_of(object);
        s->traffic.shared = s->shared > s->traffic.shared ? s->shared : s->traffic.shared;
    } else if ((object = json_object_get(document, "violation")) != NULL) {
        take_violation(s, object);
    } else if ((object = json_object_get(document, "answer")) != NULL) {
        take_answer(s, object);
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

/* Wait for the runner's exit status. A process that has closed its socket and lives on is not waited for. */
static bool take_status(struct session *s, int *status) {
    struct pollfd ended = {.fd = s->runner_exit, .events = POLLIN};
    double until = now() + 1;
    while (now() < until && poll(&ended, 1, (int)((until - now()) * 1000) + 1) <= 0)
        continue;
    if (s->runner <= 0 || waitpid(s->runner, status, WNOHANG) != s->runner)
        return false;
    s->runner = 0;
    return true;
}

/* The signal that ended the runner, 0 for none; a wrapper reports its program's as shells do. */
static int ending_signal(const struct session *s, int status) {
    if (WIFSIGNALED(status))
        return WTERMSIG(status);
    bool wrapped = s->options.runner_wrapper != NULL && WEXITSTATUS(status) > 128;
    return wrapped ? WEXITSTATUS(status) - 128 : 0;
}

static void explain_end(struct session *s, struct failure *failure) {
    int status = 0;
    read_sides(s);
    bool ended = take_status(s, &status);
    /* simgpu may have written its last words after the runner was gone. */
    if (s->report >= 0) {
        struct pollfd wait_for = {.fd = s->report, .events = POLLIN};
        poll(&wait_for, 1, 200);
    }
    read_sides(s);
    if (s->violation.flag != FLAG_NONE) {
        *failure = s->violation;
    } else if (s->fault[0] != '\0') {
        failure_set(failure, "fault", "%s", s->fault);
    } else if (!ended) {
        failure_set_flag(failure, FLAG_RESULT_CHANNEL, "fault",
                         "the program closed a descriptor that is not its own.");
    } else if (ending_signal(s, status) == SIGSYS) {
        failure_set_flag(failure, FLAG_SYSTEM_CALL, "fault",
                         "your program was ended because it asked the operating system for something that no "
                         "kernel.cu needs:\nanother process or thread, the network, other programs' memory.");
    } else if (ending_signal(s, status) != 0) {
        int number = ending_signal(s, status);
        const char *likely = number == SIGSEGV || number == SIGBUS
                                 ? "\nHost code touched memory that is not its own. Device pointers cannot "
                                   "be dereferenced on the host."
                             : number == SIGABRT ? "\nThe program stopped itself (abort or a failed assert)."
                             : number == SIGFPE  ? "\nHost code divided by zero."
                                                 : "";
        failure_set_flag(failure, FLAG_CRASH, "fault",
                         "your program was ended by signal %d (%s) outside a kernel.%s", number,
                         strsignal(number), likely);
    } else if (WEXITSTATUS(status) == 127 && !s->ready) {
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
    if (s->violation.flag != FLAG_NONE) {
        *failure = s->violation;
        return;
    }
    const char *stage =
        reply->command == RUNNER_CALL || reply->command == RUNNER_CALL_CPU || reply->command == RUNNER_FETCH
            ? "fault"
            : "start";
    if (s->fault[0] != '\0')
        failure_set(failure, stage, "%s: %s\n%s", reply->what, reply->error_name, s->fault);
    else
        failure_set(failure, stage, "%s: %s (%s)%s", reply->what, reply->error_name, reply->error_text,
                    s->options.simgpu == NULL && reply->command == RUNNER_CALL
                        ? "\nDEVICE=sim names the line, the thread and the address."
                        : "");
}

bool session_ready(struct session *s, struct failure *failure) {
    struct runner_request describe = {.command = RUNNER_DESCRIBE};
    struct runner_reply reply;
    if (!s->ready)
        s->ready = session_exchange(s, &describe, &reply, failure);
    return s->ready;
}

static bool send_request(struct session *s, const struct runner_request *request) {
    struct runner_request numbered = *request;
    numbered.sequence = ++s->sequence;
    return s->runner > 0 &&
           send(s->socket, &numbered, sizeof numbered, MSG_NOSIGNAL) == (ssize_t)sizeof numbered;
}

bool session_exchange(struct session *s, const struct runner_request *request, struct runner_reply *reply,
                      struct failure *failure) {
    double deadline = now() + s->options.timeout_s;
    s->calls += request->command == RUNNER_CALL;
    if (!send_request(s, request)) {
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
            if (length == (ssize_t)sizeof *reply && reply->command == request->command &&
                reply->sequence == s->sequence) {
                reply->what[sizeof reply->what - 1] = reply->error_name[sizeof reply->error_name - 1] = '\0';
                reply->error_text[sizeof reply->error_text - 1] = reply->gpu[sizeof reply->gpu - 1] = '\0';
                if (reply->error == 0) {
                    read_sides(s); /* launches are reported before the call that waited for them returns */
                    if (s->violation.flag == FLAG_NONE)
                        return true;
                    *failure = s->violation;
                    return false;
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

struct session_traffic session_take_traffic(struct session *s) {
    struct session_traffic traffic = s->traffic;
    if (s->calls <= 1)
        traffic.modules = 0; /* a program's own module is loaded by its first call */
    s->traffic = (struct session_traffic){.shared = s->shared};
    return traffic;
}

bool session_owns_memory(const struct session *s) {
    return s->options.simgpu != NULL && !s->options.share_memory;
}

static bool await_answer(struct session *s, const char *command, struct failure *failure) {
    double deadline = now() + s->options.timeout_s;
    while (!s->answered) {
        struct pollfd wait_for[] = {{.fd = s->report, .events = POLLIN}, {.fd = s->output, .events = POLLIN}};
        if (s->report < 0) { /* simgpu ends with the runner, and never before */
            explain_end(s, failure);
            return false;
        }
        double left = deadline - now();
        int ready = left > 0 ? poll(wait_for, 2, (int)(left * 1000) + 1) : 0;
        if (ready == 0) {
            failure_set_flag(failure, FLAG_TIMEOUT, "timeout",
                             "the GPU is still busy %.0f seconds after the function returned.",
                             s->options.timeout_s);
            return false;
        }
        read_sides(s);
    }
    if (strcmp(s->answer_to, command) == 0)
        return true;
    failure_set(failure, "measure", "simgpu answered '%s' to '%s'", s->answer_to, command);
    return false;
}

bool session_command(struct session *s, uint64_t *value, struct failure *failure, const char *format, ...) {
    char command[sizeof s->answer_to], line[sizeof command + 1];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    size_t length = (size_t)snprintf(line, sizeof line, "%s\n", command);
    s->answered = false;
    /* A command is far smaller than a socket's buffer: it goes whole, or the other side is gone. */
    if (s->report >= 0 && send(s->report, line, length, MSG_NOSIGNAL) != (ssize_t)length)
        close_if_open(&s->report);
    if (!await_answer(s, command, failure))
        return false;
    if (s->violation.flag != FLAG_NONE) {
        *failure = s->violation;
        return false;
    }
    if (value != NULL)
        *value = s->answer_value;
    if (s->answer_error == 0)
        return true;
    failure_set(failure, "measure", "the simulated GPU cannot: %s (CUDA error %llu)", command,
                (unsigned long long)s->answer_error);
    return false;
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
