/* launch_report.c: writes the lines of the launch report, and reads a judge's commands. */
#include "gpu/runtime/server/launch_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

void launch_report_open(struct launch_report *report, int descriptor) {
    struct stat status;
    *report = (struct launch_report){.descriptor = descriptor};
    report->socket = descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISSOCK(status.st_mode);
    report->commands = report->socket;
    pthread_mutex_init(&report->writing, NULL);
}

/* Takes a line from the input. A line that is too long, and its rest, are no command. */
static bool take_line(struct launch_report *report, char line[LAUNCH_REPORT_COMMAND_BYTES]) {
    char *newline;
    while ((newline = memchr(report->input, '\n', report->input_bytes)) != NULL) {
        size_t length = (size_t)(newline - report->input), rest = report->input_bytes - length - 1;
        bool whole = !report->overlong && length < LAUNCH_REPORT_COMMAND_BYTES;
        report->overlong = false;
        if (whole) {
            memcpy(line, report->input, length);
            line[length] = '\0';
        }
        memmove(report->input, newline + 1, rest);
        report->input_bytes = rest;
        if (whole)
            return true;
    }
    if (report->input_bytes == sizeof report->input) {
        report->overlong = true;
        report->input_bytes = 0;
    }
    return false;
}

bool launch_report_command(struct launch_report *report, char line[LAUNCH_REPORT_COMMAND_BYTES]) {
    while (!take_line(report, line)) {
        if (!report->commands)
            return false;
        ssize_t n = recv(report->descriptor, report->input + report->input_bytes,
                         sizeof report->input - report->input_bytes, MSG_DONTWAIT);
        if (n == 0)
            report->commands = false;
        if (n <= 0)
            return false;
        report->input_bytes += (size_t)n;
    }
    return true;
}

/* Writes a line by one call where the system permits, so that a reader never sees two lines mixed.
 * True if no report is wanted. */
static bool write_line(struct launch_report *report, json_t *object) {
    if (report->descriptor < 0) {
        json_decref(object);
        return true;
    }
    char *text = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;
    size_t size = text != NULL ? strlen(text) : 0;
    json_decref(object);
    if (text == NULL)
        return false;
    text[size++] = '\n'; /* replaces the NUL: from here on it is bytes */
    size_t done = 0;
    pthread_mutex_lock(&report->writing);
    while (done < size) {
        ssize_t n = report->socket ? send(report->descriptor, text + done, size - done, MSG_NOSIGNAL)
                                   : write(report->descriptor, text + done, size - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    pthread_mutex_unlock(&report->writing);
    free(text);
    return done == size;
}

/* JSON takes only UTF-8: other bytes of a name or path are left out. */
static json_t *text(const char *string) {
    json_t *value = json_string(string != NULL ? string : "");
    return value != NULL ? value : json_string("?");
}

bool launch_report_kernel(struct launch_report *report, const struct kernel_report *kernel) {
    if (report->descriptor < 0)
        return true;
    return write_line(report, json_pack("{s:o}", "launch", kernel_report_to_json(kernel)));
}

bool launch_report_copy(struct launch_report *report, enum span_kind direction, uint64_t bytes,
                        double time_us) {
    return write_line(report, json_pack("{s:{s:s,s:I,s:f}}", "copy", "direction", span_kind_name(direction),
                                        "bytes", (json_int_t)bytes, "time_us", time_us));
}

bool launch_report_fill(struct launch_report *report, uint64_t bytes, double time_us) {
    return write_line(report,
                      json_pack("{s:{s:I,s:f}}", "fill", "bytes", (json_int_t)bytes, "time_us", time_us));
}

bool launch_report_span(struct launch_report *report, enum span_kind kind, int64_t stream, const char *name,
                        uint64_t bytes, double begin_us, double time_us) {
    return write_line(report, json_pack("{s:{s:s,s:I,s:o,s:I,s:f,s:f}}", "span", "kind", span_kind_name(kind),
                                        "stream", (json_int_t)stream, "name", text(name), "bytes",
                                        (json_int_t)bytes, "begin_us", begin_us, "time_us", time_us));
}

bool launch_report_flow(struct launch_report *report, const struct server_flow *flow) {
    return write_line(report,
                      json_pack("{s:{s:I,s:I,s:I,s:I,s:f,s:f,s:b,s:o}}", "flow", "from_device",
                                (json_int_t)flow->from_device, "to_device", (json_int_t)flow->to_device,
                                "learned", (json_int_t)flow->learned, "carried", (json_int_t)flow->carried,
                                "time_us", flow->time_us, "idle_us", flow->idle_us, "unseen", flow->unseen,
                                "unordered", text(flow->unordered)));
}

bool launch_report_recorded(struct launch_report *report, double time_us, double pinned, const char *failed) {
    return write_line(report, json_pack("{s:{s:f,s:f,s:o}}", "recorded", "time_us", time_us, "pinned",
                                        pinned >= 0 ? pinned : 0, "failed", text(failed)));
}

bool launch_report_repeated(struct launch_report *report, double more_us) {
    return write_line(report, json_pack("{s:{s:f}}", "repeated", "more_us", more_us));
}

bool launch_report_unordered(struct launch_report *report, const char *message) {
    return write_line(report, json_pack("{s:{s:o}}", "unordered", "message", text(message)));
}

bool launch_report_forgotten(struct launch_report *report, const char *what) {
    return write_line(report, json_pack("{s:{s:o}}", "forgotten", "what", text(what)));
}

bool launch_report_left(struct launch_report *report, const char *const what[], unsigned count) {
    json_t *names = json_array();
    bool stored = names != NULL;
    for (unsigned i = 0; stored && i < count; i++)
        stored = json_array_append_new(names, text(what[i])) == 0;
    if (!stored) {
        json_decref(names);
        return false;
    }
    return write_line(report, json_pack("{s:{s:o}}", "left", "what", names));
}

bool launch_report_printed(struct launch_report *report, const char *printed, size_t bytes) {
    enum { PART = 4096 };
    static const char digits[] = "0123456789abcdef";
    bool written = true;
    for (size_t at = 0; written && at < bytes; at += PART) {
        char hex[2 * PART + 1];
        size_t length = bytes - at < PART ? bytes - at : PART;
        for (size_t i = 0; i < length; i++) {
            uint8_t byte = (uint8_t)printed[at + i];
            hex[2 * i] = digits[byte >> 4];
            hex[2 * i + 1] = digits[byte & 15];
        }
        hex[2 * length] = '\0';
        written = write_line(report, json_pack("{s:{s:s}}", "printed", "hex", hex));
    }
    return written;
}

bool launch_report_running(struct launch_report *report, uint64_t instructions) {
    return write_line(report,
                      json_pack("{s:{s:I}}", "running", "warp_instructions", (json_int_t)instructions));
}

bool launch_report_violation(struct launch_report *report, const char *kind, const char *message) {
    return write_line(report,
                      json_pack("{s:{s:s,s:o}}", "violation", "kind", kind, "message", text(message)));
}

bool launch_report_answer(struct launch_report *report, const char *command, uint32_t error, uint64_t value) {
    return write_line(report, json_pack("{s:{s:o,s:I,s:I}}", "answer", "command", text(command), "error",
                                        (json_int_t)error, "value", (json_int_t)value));
}

static json_t *position(const uint32_t at[3]) {
    return json_pack("[I,I,I]", (json_int_t)at[0], (json_int_t)at[1], (json_int_t)at[2]);
}

bool launch_report_fault(struct launch_report *report, int cuda_error, const struct simt_fault *fault) {
    char address[24];
    snprintf(address, sizeof address, "0x%llx", (unsigned long long)fault->address);
    return write_line(report, json_pack("{s:{s:s,s:i,s:o,s:o,s:I,s:o,s:o,s:o,s:o,s:s,s:o}}", "fault",
                                        "status", simt_status_name(fault->status), "cuda_error", cuda_error,
                                        "kernel", text(fault->kernel), "file", text(fault->file), "line",
                                        (json_int_t)fault->line, "block", position(fault->block), "thread",
                                        position(fault->thread), "grid", position(fault->grid), "block_size",
                                        position(fault->block_size), "address", address, "message",
                                        text(fault->message)));
}

bool launch_report_remark(struct launch_report *report, const struct simt_remark *remark) {
    bool of_kernel = remark->kernel[0] != '\0';
    return write_line(report, json_pack("{s:{s:s,s:o,s:o,s:I,s:o,s:o,s:o,s:I}}", "remark", "kind",
                                        remark->kind, "kernel", text(remark->kernel), "file",
                                        text(remark->file), "line", (json_int_t)remark->line, "block",
                                        of_kernel ? position(remark->block) : json_null(), "thread",
                                        of_kernel ? position(remark->thread) : json_null(), "message",
                                        text(remark->message), "count", (json_int_t)remark->count));
}
