/* session_sides.c: the side channels: what the processes print, and simgpu's launch report, a
 * JSON object a line. */
#include "base/path.h"
#include "lab/judge/session/session_parts.h"
#include "lab/learner/progress.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 16 << 20 };
#define LOG_MAX_BYTES ((uint64_t)1 << 20)

static void keep_output(struct session *s, const char *text, size_t length) {
    s->output_bytes += length;
    size_t keep_now = OUTPUT_KEPT - 1 - s->kept_length;
    keep_now = keep_now < length ? keep_now : length;
    memcpy(s->kept + s->kept_length, text, keep_now);
    s->kept_length += keep_now;
    if (s->log >= 0 && s->log_bytes < LOG_MAX_BYTES && write(s->log, text, length) > 0)
        s->log_bytes += length;
}

static void read_output(struct session *s) {
    char buffer[4096];
    for (;;) {
        ssize_t length = read(s->output, buffer, sizeof buffer);
        if (length == 0)
            session_close_descriptor(&s->output);
        if (length <= 0)
            return;
        keep_output(s, buffer, (size_t)length);
    }
}

/* What a hexadecimal digit is worth, -1: it is none. */
static int digit_value(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Takes what kernels print, from simgpu, because the program must not read it: two hexadecimal
 * digits a byte, up to the first pair that is none. */
static void take_printed(struct session *s, const json_t *printed) {
    const char *hex = json_string_value(json_object_get(printed, "hex"));
    char text[4096];
    size_t length = 0;
    for (; hex != NULL && length < sizeof text && digit_value(hex[0]) >= 0 && digit_value(hex[1]) >= 0;
         hex += 2)
        text[length++] = (char)(digit_value(hex[0]) * 16 + digit_value(hex[1]));
    keep_output(s, text, length);
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

static bool read_triple(const json_t *triple, uint32_t to[3]) {
    for (size_t i = 0; i < 3; i++)
        to[i] = (uint32_t)json_integer_value(json_array_get(triple, i));
    return json_array_size(triple) == 3;
}

/* Removes the folder of the fault's file wherever the message names a file in it. */
static void shorten_paths(char *text, const char *file) {
    const char *name = file != NULL ? strrchr(file, '/') : NULL;
    size_t folder = name != NULL ? (size_t)(name - file) + 1 : 0;
    for (char *at = text; folder > 0 && (at = strstr(at, file)) != NULL;)
        memmove(at, at + folder, strlen(at + folder) + 1);
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
    shorten_paths(s->fault, file);
    const char *status = json_string_value(json_object_get(fault, "status"));
    s->refused = status != NULL && strcmp(status, "invalid configuration") == 0 &&
                 read_triple(json_object_get(fault, "grid"), s->refused_grid) &&
                 read_triple(json_object_get(fault, "block_size"), s->refused_block);
    char at[128];
    snprintf(at, sizeof at, ":%lld", line);
    /* The place is added unless the message has it. */
    if (file != NULL && *file != '\0' && line > 0 && strstr(s->fault, at) == NULL) {
        char where[512];
        const char *name = path_name(file);
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
    struct kernel_report kernel;
    if (kernel_report_from_json(&kernel, launch, s->report_error, sizeof s->report_error) &&
        !launches_add(&s->launches, &kernel))
        snprintf(s->report_error, sizeof s->report_error, "out of memory");
}

static uint64_t number(const json_t *object, const char *key) {
    return (uint64_t)json_integer_value(json_object_get(object, key));
}

static void take_time(struct session *s, const json_t *work) {
    s->traffic.time_us += json_number_value(json_object_get(work, "time_us"));
}

static void take_flow(struct session *s, const json_t *flow) {
    s->traffic.to_device += number(flow, "to_device");
    s->traffic.from_device += number(flow, "from_device");
    s->traffic.learned += number(flow, "learned");
    s->traffic.carried += number(flow, "carried");
    take_time(s, flow);
    const char *unordered = json_string_value(json_object_get(flow, "unordered"));
    s->traffic.idle_us += json_number_value(json_object_get(flow, "idle_us"));
    s->traffic.unseen = json_is_true(json_object_get(flow, "unseen"));
    snprintf(s->traffic.unordered, sizeof s->traffic.unordered, "%s", unordered != NULL ? unordered : "");
}

static void take_forgotten(struct session *s, const json_t *forgotten) {
    const char *what = json_string_value(json_object_get(forgotten, "what"));
    snprintf(s->missed, sizeof s->missed, "%s", what != NULL ? what : "");
}

static void take_left(struct session *s, const json_t *left) {
    const json_t *names = json_object_get(left, "what");
    for (s->left_count = 0; s->left_count < SESSION_LEFT && s->left_count < json_array_size(names);
         s->left_count++) {
        const char *name = json_string_value(json_array_get(names, s->left_count));
        snprintf(s->left[s->left_count], sizeof s->left[0], "%s", name != NULL ? name : "");
    }
}

static void take_recorded(struct session *s, const json_t *recorded) {
    const char *failed = json_string_value(json_object_get(recorded, "failed"));
    s->recorded =
        (struct session_recorded){.time_us = json_number_value(json_object_get(recorded, "time_us")),
                                  .pinned = json_number_value(json_object_get(recorded, "pinned"))};
    snprintf(s->recorded.failed, sizeof s->recorded.failed, "%s", failed != NULL ? failed : "");
}

static void take_violation(struct session *s, const json_t *violation) {
    const char *kind = json_string_value(json_object_get(violation, "kind")),
               *message = json_string_value(json_object_get(violation, "message"));
    if (s->violation.flag != FLAG_NONE || kind == NULL || message == NULL)
        return;
    if (strcmp(kind, "freed") == 0)
        failure_set_flag(&s->violation, FLAG_FREED_BUFFER, STAGE_FAULT,
                         "%s on a buffer of the caller's: the function must leave the memory it is given.",
                         message);
    else
        failure_set_flag(&s->violation, FLAG_LAUNCH_OUTSIDE_CALL, STAGE_FAULT,
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

/* Hostile programs may cause many remarks; the first are enough. */
static void keep(struct session *s, json_t **array, json_t *item, size_t most) {
    if (*array == NULL)
        *array = json_array();
    if (json_array_size(*array) < most && json_array_append(*array, item) != 0)
        snprintf(s->report_error, sizeof s->report_error, "out of memory");
}

static void take_line(struct session *s, const char *line, size_t length) {
    enum { MOST_REMARKS = 256, MOST_SPANS = 1 << 20 };
    json_error_t error;
    json_t *document = json_loadb(line, length, 0, &error), *object;
    if (document == NULL) {
        snprintf(s->report_error, sizeof s->report_error, "simgpu's report is not JSON: %.160s", error.text);
    } else if ((object = json_object_get(document, "launch")) != NULL) {
        take_launch(s, object);
    } else if ((object = json_object_get(document, "fault")) != NULL) {
        take_fault(s, object);
    } else if ((object = json_object_get(document, "copy")) != NULL ||
               (object = json_object_get(document, "fill")) != NULL) {
        take_time(s, object);
    } else if ((object = json_object_get(document, "running")) != NULL) {
        progress_running(json_number_value(json_object_get(object, "warp_instructions")));
    } else if ((object = json_object_get(document, "flow")) != NULL) {
        take_flow(s, object);
    } else if ((object = json_object_get(document, "printed")) != NULL) {
        take_printed(s, object);
    } else if ((object = json_object_get(document, "forgotten")) != NULL) {
        take_forgotten(s, object);
    } else if ((object = json_object_get(document, "left")) != NULL) {
        take_left(s, object);
    } else if ((object = json_object_get(document, "recorded")) != NULL) {
        take_recorded(s, object);
    } else if ((object = json_object_get(document, "unordered")) != NULL) {
        const char *message = json_string_value(json_object_get(object, "message"));
        snprintf(s->recorded.unordered, sizeof s->recorded.unordered, "%s", message != NULL ? message : "");
    } else if ((object = json_object_get(document, "repeated")) != NULL) {
        s->recorded.more_us = json_number_value(json_object_get(object, "more_us"));
    } else if ((object = json_object_get(document, "violation")) != NULL) {
        take_violation(s, object);
    } else if ((object = json_object_get(document, "remark")) != NULL) {
        keep(s, &s->remarks, object, MOST_REMARKS);
    } else if ((object = json_object_get(document, "span")) != NULL) {
        keep(s, &s->spans, object, MOST_SPANS);
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
                session_close_descriptor(&s->report);
                return;
            }
            s->pending = grown;
            s->pending_capacity = capacity;
        }
        ssize_t length = recv(s->report, s->pending + s->pending_length,
                              s->pending_capacity - s->pending_length, MSG_DONTWAIT);
        if (length == 0 || (length < 0 && errno != EAGAIN && errno != EINTR))
            session_close_descriptor(&s->report);
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

void session_read_sides(struct session *s) {
    if (s->output >= 0)
        read_output(s);
    if (s->report >= 0)
        read_report(s);
}
