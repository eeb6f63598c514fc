/* fuzz_sides.c: any bytes as what simgpu reports to a judge (launches, copies, faults, answers) and as what a program prints.
 * simgpu reads what students wrote, so it is not to be believed either. */
#include "lab/judge/session/session_parts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_one_text(const char *text, size_t room) {
    return memchr(text, '\0', room) != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct session *s = calloc(1, sizeof *s);
    struct report report;
    struct kernel_report *kernels = NULL;
    struct failure failure = {.stage = STAGE_NONE};
    unsigned count = 0;
    uint64_t left_out;
    int pair[2], room = 4 << 20;
    if (s == NULL || !report_init(&report, "lab1", "fuzz") ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0)
        abort();
    (void)setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    s->report = pair[1];
    s->output = s->log = -1;
    bool sent = size == 0 || send(pair[0], data, size, MSG_NOSIGNAL) == (ssize_t)size;
    close(pair[0]);
    if (sent)
        (void)session_take_kernels(s, &kernels, &count, &left_out, &failure);
    /* what others print */
    if (count > LAUNCHES_KERNELS || !is_one_text(s->fault, sizeof s->fault) ||
        !is_one_text(s->report_error, sizeof s->report_error) ||
        !is_one_text(s->violation.message, sizeof s->violation.message) ||
        !is_one_text(s->answer_to, sizeof s->answer_to))
        abort();
    (void)session_take_remarks(s, "case", &report);
    (void)session_take_traffic(s);
    for (unsigned i = 0; i < count; i++)
        kernel_report_free(&kernels[i]);
    free(kernels);
    launches_free(&s->launches);
    json_decref(s->remarks);
    free(s->pending);
    session_close_descriptor(&s->report);
    report_free(&report);
    free(s);
    return 0;
}
