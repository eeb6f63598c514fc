/* session.c: requests to a runner and its simulated GPU, and why one failed. */
#include "lab/judge/session/session.h"
#include "base/child.h"
#include "base/path.h"
#include "lab/judge/session/session_parts.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* How the runner ended, as child_wait says. CHILD_TIMEOUT: the runner closed its socket and
 * lives on. */
static int take_status(struct session *s) {
    int status = s->runner > 0 ? child_wait_fair(s->runner, 1) : CHILD_TIMEOUT;
    s->runner = 0;
    return status;
}

/* The signal that ended the runner, 0 for none. A wrapper reports its program's signal as shells
 * do. */
static int ending_signal(const struct session *s, int status) {
    enum { SHELL_SIGNAL = 128 };
    bool wrapped = s->options.runner_wrapper != NULL && status > SHELL_SIGNAL && status < CHILD_SIGNAL;
    return status >= CHILD_SIGNAL ? status - CHILD_SIGNAL : wrapped ? status - SHELL_SIGNAL : 0;
}

/* Whether the program failed in the system's loader or before main, by what it printed. A
 * program may print the same words; only the message depends on it. */
static void explain_start(const struct session *s, int signal_number, struct failure *failure) {
    static const struct {
        const char *sign, *reason;
    } signs[] = {
        {"ISA level", "It was built for instructions that this machine does not have: leave options such as "
                      "-march out, and asm that asks for them."},
        {"TLS data", "Its thread-local variables (thread_local, __thread) are larger than the memory."},
        {"cannot allocate memory", "Its variables are larger than the memory."},
        {"Cannot allocate memory", "Its variables are larger than the memory."},
    };
    const char *reason = signal_number != 0
                             ? "Likely a variable outside of functions is larger than the memory, or what "
                               "initialises one goes wrong: allocate large arrays with malloc or cudaMalloc. Or "
                               "memory is freed by another function than its own: cudaMallocHost's by "
                               "cudaFreeHost, malloc's by free."
                             : "The system did not load it.";
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strstr(s->kept, signs[i].sign) != NULL)
            reason = signs[i].reason;
    failure_set(failure, STAGE_START, "your program could not be started%s%s.\n%s%s%.1000s",
                signal_number != 0 ? ": the system ended it before its first call: " : "",
                signal_number != 0 ? strsignal(signal_number) : "", reason, s->kept[0] != '\0' ? "\n" : "",
                s->kept);
}

/* simgpu ends after the runner, and may have written its last lines in between. */
static void read_last_lines(struct session *s) {
    struct patience patience;
    patience_begin(&patience, 1);
    do {
        struct pollfd wait_for = {.fd = s->report, .events = POLLIN};
        if (s->report >= 0)
            poll(&wait_for, 1, patience_ms(&patience));
        session_read_sides(s);
    } while (s->report >= 0 && patience_look(&patience, &s->simgpu, 1) == PATIENCE_LASTS);
}

/* What a failed call of CUDA's means, by the words of its error. */
static const char *sentence_of(const char *error) {
    static const struct {
        const char *words, *sentence;
    } known[] = {
        {"unjoined work",
         "A stream that had joined the capture has work left: before the capture ends, the first stream must wait "
         "for an event that is recorded behind that work."},
        {"uncaptured work",
         "The event was recorded outside the capture: before it began, or on a stream that has not joined it. "
         "Leave out waits for earlier work, and let each stream first wait for an event of the capture."},
        {"legacy stream",
         "The default stream cannot be part of a capture: give this work one of the captured streams."},
        {"when stream is capturing",
         "Nothing may wait, allocate or free while a stream is captured: do that before or after the capture."},
        {"previous error during capture",
         "An earlier call has ended the capture: look at each call between its begin and this one."},
        {"same stream as it began", "End the capture on the stream on which it began."},
        {"resource handle", "The stream or event was never created, or it is destroyed already."},
        {"invalid argument", "Look at the call's sizes and pointers, and at the direction of a copy."},
        {"out of memory", "Look at the sizes that were asked for, and at memory that is never freed."},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strstr(error, known[i].words) != NULL)
            return known[i].sentence;
    return "";
}

/* Whether the last line that the program printed names a call of CUDA's that failed, as a lab's
 * CHECK does: "kernel.cu:93: cudaMemcpyAsync(...): invalid argument". */
static bool explain_call(const char *printed, struct failure *failure) {
    char line[512], place[160];
    size_t length = strlen(printed);
    while (length > 0 && printed[length - 1] == '\n')
        length--;
    const char *start = printed + length;
    while (start > printed && start[-1] != '\n')
        start--;
    snprintf(line, sizeof line, "%.*s", (int)(printed + length - start), start);
    char *call = strstr(line, ": cuda"), *error = NULL;
    for (char *at = call; at != NULL; at = strstr(at + 1, ": "))
        error = at;
    if (call == NULL || error == call)
        return false;
    *call = *error = '\0';
    const char *slash = strrchr(line, '/');
    snprintf(place, sizeof place, "%.159s", slash != NULL ? slash + 1 : line);
    failure_set_flag(failure, FLAG_EARLY_EXIT, STAGE_FAULT, "%.200s at %s failed: %.160s.\n%s", call + 2,
                     place, error + 2, sentence_of(error + 2));
    return true;
}

static void explain_end(struct session *s, struct failure *failure) {
    session_read_sides(s);
    int status = take_status(s), signal_number = ending_signal(s, status);
    read_last_lines(s);
    if (s->violation.flag != FLAG_NONE) {
        *failure = s->violation;
    } else if (s->fault[0] != '\0') {
        failure_set(failure, STAGE_FAULT, "%s", s->fault);
    } else if (status == CHILD_TIMEOUT) {
        failure_set_flag(failure, FLAG_RESULT_CHANNEL, STAGE_FAULT,
                         "the program closed a descriptor that is not its own.");
    } else if (signal_number == SIGSYS) {
        failure_set_flag(failure, FLAG_SYSTEM_CALL, STAGE_FAULT,
                         "your program was ended because it asked the operating system for something that no "
                         "kernel.cu needs:\nanother process or thread, the network, other programs' memory.");
    } else if (!s->ready &&
               (signal_number == SIGSEGV || signal_number == SIGBUS || signal_number == SIGKILL ||
                (signal_number == 0 && status == CHILD_NOT_STARTED))) {
        explain_start(s, signal_number, failure);
    } else if (signal_number != 0) {
        const char *likely = signal_number == SIGSEGV || signal_number == SIGBUS
                                 ? "\nHost code touched memory that is not its own. Device pointers cannot "
                                   "be dereferenced on the host."
                             : signal_number == SIGABRT
                                 ? "\nThe program stopped itself (abort or a failed assert)."
                             : signal_number == SIGFPE ? "\nHost code divided by zero."
                                                       : "";
        failure_set_flag(failure, FLAG_CRASH, STAGE_FAULT,
                         "your program was ended by signal %d (%s) outside a kernel.%s", signal_number,
                         strsignal(signal_number), likely);
    } else {
        s->exited = true;
        if (!explain_call(s->kept, failure))
            failure_set_flag(failure, FLAG_EARLY_EXIT, STAGE_FAULT,
                             "your program ended itself with exit status %d in the middle of a call.\n"
                             "The function must return; it must not call exit().",
                             status);
    }
}

/* A CUDA error, with what the simulator knows about it. */
static void explain_error(struct session *s, const struct runner_reply *reply, struct failure *failure) {
    session_read_sides(s);
    if (s->violation.flag != FLAG_NONE) {
        *failure = s->violation;
        return;
    }
    enum report_stage stage =
        reply->command == RUNNER_CALL || reply->command == RUNNER_CALL_CPU || reply->command == RUNNER_FETCH
            ? STAGE_FAULT
            : STAGE_START;
    if (s->fault[0] != '\0' && strcmp(reply->error_name, "cudaErrorLaunchTimeout") == 0)
        failure_set_flag(failure, FLAG_TIMEOUT, STAGE_TIMEOUT, "%s does not end:\n%s", reply->what, s->fault);
    else if (s->fault[0] != '\0')
        failure_set(failure, stage, "%s: %s\n%s", reply->what, reply->error_name, s->fault);
    else
        failure_set(failure, stage, "%s: %s (%s)%s", reply->what, reply->error_name, reply->error_text,
                    s->options.simgpu == NULL && reply->command == RUNNER_CALL
                        ? "\nDEVICE=sim names the line, the thread and the address."
                        : "");
}

bool session_waits(struct session *s, struct patience *patience, enum session_late late,
                   struct failure *failure) {
    enum patience_state state = patience_look(patience, (const pid_t[]){s->runner, s->simgpu, s->owner}, 3);
    if (state == PATIENCE_OVER && late == NO_ANSWER)
        failure_set_flag(
            failure, FLAG_TIMEOUT, STAGE_TIMEOUT,
            "no answer after %.0f seconds: the function or its kernel does not end.\n"
            "Look for a loop whose condition never becomes false; TIMEOUT=seconds allows longer.",
            patience->seconds);
    else if (state == PATIENCE_OVER)
        failure_set_flag(failure, FLAG_TIMEOUT, STAGE_TIMEOUT,
                         "the GPU is still busy %.0f seconds after the function returned.",
                         patience->seconds);
    else if (state == PATIENCE_BUSY)
        failure_set(
            failure, STAGE_BUSY,
            "the machine was too busy: in %.0f seconds the program had a processor for %.1f, and is not done.\n"
            "Try again when less runs beside it.",
            patience->elapsed, patience->ran);
    return state == PATIENCE_LASTS;
}

bool session_ready(struct session *s, struct failure *failure) {
    struct runner_request describe = {.command = RUNNER_DESCRIBE};
    struct runner_reply reply;
    return s->ready || session_exchange(s, &describe, &reply, failure);
}

static bool send_request(struct session *s, const struct runner_request *request) {
    struct runner_request numbered = *request;
    numbered.sequence = ++s->sequence;
    return s->runner > 0 &&
           send(s->socket, &numbered, sizeof numbered, MSG_NOSIGNAL) == (ssize_t)sizeof numbered;
}

/* Reads from the socket. True when it is the reply, without an error. */
static bool take_reply(struct session *s, const struct runner_request *request, struct runner_reply *reply,
                       ssize_t length, struct failure *failure) {
    if (length != (ssize_t)sizeof *reply || reply->command != request->command ||
        reply->sequence != s->sequence) {
        failure_set_flag(
            failure, FLAG_RESULT_CHANNEL, STAGE_FAULT,
            "the program sent something that is not a reply: it writes to descriptors that are not its "
            "own.");
        return false;
    }
    reply->what[sizeof reply->what - 1] = reply->error_name[sizeof reply->error_name - 1] = '\0';
    reply->error_text[sizeof reply->error_text - 1] = reply->gpu[sizeof reply->gpu - 1] = '\0';
    if (reply->error != 0) {
        explain_error(s, reply, failure);
        return false;
    }
    s->ready = true;
    session_read_sides(s); /* simgpu reports launches before the call that waits for them returns */
    if (s->violation.flag == FLAG_NONE)
        return true;
    *failure = s->violation;
    return false;
}

bool session_exchange(struct session *s, const struct runner_request *request, struct runner_reply *reply,
                      struct failure *failure) {
    struct patience patience;
    patience_begin(&patience, s->options.timeout_s);
    if (!send_request(s, request)) {
        explain_end(s, failure);
        return false;
    }
    for (;;) {
        struct pollfd wait_for[] = {
            {.fd = s->socket, .events = POLLIN},
            {.fd = s->runner_exit, .events = POLLIN},
            {.fd = s->output, .events = POLLIN},
            {.fd = s->report, .events = POLLIN},
        };
        poll(wait_for, 4, patience_ms(&patience));
        session_read_sides(s);
        ssize_t length =
            wait_for[0].revents & POLLIN ? recv(s->socket, reply, sizeof *reply, MSG_DONTWAIT) : 0;
        if (length > 0)
            return take_reply(s, request, reply, length, failure);
        if (wait_for[1].revents & POLLIN || wait_for[0].revents & (POLLHUP | POLLERR)) {
            explain_end(s, failure);
            return false;
        }
        if (!session_waits(s, &patience, NO_ANSWER, failure))
            return false;
    }
}

bool session_take_kernels(struct session *s, struct kernel_report **kernels, unsigned *count,
                          uint64_t *lines_left_out, struct failure *failure) {
    session_read_sides(s);
    bool too_many = s->launches.left_out > 0;
    *lines_left_out = s->launches.lines_left_out;
    *kernels = launches_take(&s->launches, count);
    if (s->report_error[0] != '\0')
        failure_set(failure, STAGE_MEASURE, "%s", s->report_error);
    else if (too_many)
        failure_set_flag(
            failure, FLAG_MANY_KERNELS, STAGE_MEASURE,
            "one call launches more than %d different kernels: nobody can read a report of them.",
            LAUNCHES_KERNELS);
    return s->report_error[0] == '\0' && !too_many;
}

const json_t *session_spans(const struct session *s) {
    return s->spans;
}

bool session_take_remarks(struct session *s, const char *name, struct report *report) {
    bool right = true;
    session_read_sides(s);
    for (size_t i = 0; i < json_array_size(s->remarks); i++) {
        const json_t *remark = json_array_get(s->remarks, i);
        const char *kind = json_string_value(json_object_get(remark, "kind"));
        if (s->exited && kind != NULL && strcmp(kind, "leak") == 0)
            continue; /* it did not come to where it frees its memory */
        right = report_add_remark_line(report, name, remark) && right;
    }
    json_decref(s->remarks);
    s->remarks = NULL;
    return right;
}

struct session_traffic session_take_traffic(struct session *s) {
    struct session_traffic traffic = s->traffic;
    s->traffic = (struct session_traffic){0};
    return traffic;
}

const char *session_missed(const struct session *s) {
    return s->missed;
}

const char *session_left(const struct session *s, unsigned number) {
    return number < s->left_count ? s->left[number] : NULL;
}

bool session_doubt(struct session *s, char *text, size_t size) {
    static const char *const kinds[] = {"unwritten", "absent-lane", "race", "early", "unordered"};
    session_read_sides(s);
    for (size_t i = 0; i < json_array_size(s->remarks); i++) {
        const json_t *remark = json_array_get(s->remarks, i);
        const char *kind = json_string_value(json_object_get(remark, "kind")),
                   *file = json_string_value(json_object_get(remark, "file")),
                   *message = json_string_value(json_object_get(remark, "message"));
        bool known = false;
        for (size_t k = 0; kind != NULL && k < sizeof kinds / sizeof *kinds; k++)
            known = known || strcmp(kind, kinds[k]) == 0;
        if (!known || file == NULL || message == NULL)
            continue;
        const char *name = path_name(file);
        long long line = (long long)json_integer_value(json_object_get(remark, "line"));
        if (line > 0)
            snprintf(text, size, "%s:%lld: %s", name, line, message);
        else
            snprintf(text, size, "%s", message);
        return true;
    }
    return false;
}

bool session_owns_memory(const struct session *s) {
    return s->options.simgpu != NULL && !s->options.share_memory;
}

static bool await_answer(struct session *s, const char *command, struct failure *failure) {
    struct patience patience;
    patience_begin(&patience, s->options.timeout_s);
    while (!s->answered) {
        struct pollfd wait_for[] = {{.fd = s->report, .events = POLLIN}, {.fd = s->output, .events = POLLIN}};
        if (s->report < 0) { /* simgpu ends with the runner, and never before */
            explain_end(s, failure);
            return false;
        }
        poll(wait_for, 2, patience_ms(&patience));
        session_read_sides(s);
        if (!s->answered && !session_waits(s, &patience, STILL_BUSY, failure))
            return false;
    }
    if (strcmp(s->answer_to, command) == 0)
        return true;
    failure_set(failure, STAGE_MEASURE, "simgpu answered '%s' to '%s'", s->answer_to, command);
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
    /* A command is far smaller than a socket's buffer, so it is sent whole or the other side has
     * ended. */
    if (s->report >= 0 && send(s->report, line, length, MSG_NOSIGNAL) != (ssize_t)length)
        session_close_descriptor(&s->report);
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
    failure_set(failure, STAGE_MEASURE, "the simulated GPU cannot: %s (CUDA error %llu)", command,
                (unsigned long long)s->answer_error);
    return false;
}

uint8_t *session_memory(struct session *s) {
    return s->memory;
}

uint8_t *session_repeated(struct session *s) {
    return s->repeated;
}

const struct session_recorded *session_recorded(const struct session *s) {
    return &s->recorded;
}

bool session_empty_grid(const struct session *s, uint32_t grid[3], uint32_t block[3]) {
    memcpy(grid, s->refused_grid, sizeof s->refused_grid);
    memcpy(block, s->refused_block, sizeof s->refused_block);
    return s->refused && (grid[0] == 0 || grid[1] == 0 || grid[2] == 0);
}

const char *session_output(const struct session *s, uint64_t *bytes) {
    *bytes = s->output_bytes;
    return s->kept;
}
