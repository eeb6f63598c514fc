#include "cudart/launch_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

void launch_report_open(struct launch_report *report, int descriptor) {
    struct stat status;
    *report = (struct launch_report){.descriptor = descriptor};
    report->commands = descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISSOCK(status.st_mode);
}

static bool obey(const char *line, struct launch_report_settings *settings) {
    if (strcmp(line, "races 0") == 0 || strcmp(line, "races 1") == 0)
        settings->races = line[6] == '1';
    else if (strcmp(line, "caches 0") == 0 || strcmp(line, "caches 1") == 0)
        settings->caches = line[7] == '1';
    else
        return false;
    return true;
}

bool launch_report_commands(struct launch_report *report, struct launch_report_settings *settings) {
    bool changed = false;
    char bytes[256];
    ssize_t n;
    if (!report->commands)
        return false;
    while ((n = recv(report->descriptor, bytes, sizeof bytes, MSG_DONTWAIT)) > 0) {
        for (ssize_t i = 0; i < n; i++) {
            if (bytes[i] == '\n') {
                report->line[report->line_bytes] = '\0';
                changed |= obey(report->line, settings);
                report->line_bytes = 0;
            } else if (report->line_bytes < sizeof report->line - 1) {
                report->line[report->line_bytes++] = bytes[i];
            }
        }
    }
    return changed;
}

/* One write per line where the system lets us, so that a reader never sees two lines mixed. */
static bool write_line(struct launch_report *report, json_t *object) {
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    size_t size = text ? strlen(text) : 0;
    json_decref(object);
    if (!text)
        return false;
    text[size++] = '\n'; /* over the NUL: from here on it is bytes */
    size_t done = 0;
    while (done < size) {
        ssize_t n = report->commands ? send(report->descriptor, text + done, size - done, MSG_NOSIGNAL)
                                     : write(report->descriptor, text + done, size - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    free(text);
    return done == size;
}

bool launch_report_kernel(struct launch_report *report, const struct kernel_report *kernel) {
    if (report->descriptor < 0)
        return true;
    return write_line(report, json_pack("{s:o}", "launch", kernel_report_to_json(kernel)));
}

bool launch_report_copy(struct launch_report *report, const char *direction, uint64_t bytes) {
    if (report->descriptor < 0)
        return true;
    return write_line(report,
                      json_pack("{s:{s:s,s:I}}", "copy", "direction", direction, "bytes", (json_int_t)bytes));
}

static json_t *position(const uint32_t at[3]) {
    return json_pack("[I,I,I]", (json_int_t)at[0], (json_int_t)at[1], (json_int_t)at[2]);
}

/* JSON holds no bytes that are not UTF-8; a name or path that has some is given without them. */
static json_t *text(const char *string) {
    json_t *value = json_string(string ? string : "");
    return value ? value : json_string("?");
}

bool launch_report_fault(struct launch_report *report, int cuda_error, const struct simt_fault *fault) {
    if (report->descriptor < 0)
        return true;
    char address[24];
    snprintf(address, sizeof address, "0x%llx", (unsigned long long)fault->address);
    return write_line(report, json_pack("{s:{s:s,s:i,s:o,s:o,s:I,s:o,s:o,s:s,s:o}}", "fault", "status",
                                        simt_status_name(fault->status), "cuda_error", cuda_error, "kernel",
                                        text(fault->kernel), "file", text(fault->file), "line",
                                        (json_int_t)fault->line, "block", position(fault->block), "thread",
                                        position(fault->thread), "address", address, "message",
                                        text(fault->message)));
}
