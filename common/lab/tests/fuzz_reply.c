/* fuzz_reply.c: any bytes as what a submission's process answers to the judge, message by message: each is a byte of the request that
 * it answers and two bytes of length, then so many bytes. The first five bytes of a reply that is long enough are made right when the
 * request's byte is even, so that what follows is looked at. */
#include "lab/judge/session/session_parts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_one_text(const char *text, size_t room) {
    return memchr(text, '\0', room) != NULL;
}

/* One exchange. False: the judge has ended the conversation. */
static bool exchange(struct session *s, int program, uint8_t kind, const uint8_t *bytes, size_t count) {
    struct runner_request request = {.command = kind % (RUNNER_QUIT + 1)};
    struct runner_reply reply;
    struct failure failure = {.stage = STAGE_NONE};
    uint8_t *message = calloc(1, count + 1);
    uint32_t right[2] = {request.command, s->sequence + 1};
    if (message == NULL)
        abort();
    memcpy(message, bytes, count);
    if (kind % 2 == 0 && count >= sizeof right)
        memcpy(message, right, sizeof right);
    (void)send(program, message, count, MSG_NOSIGNAL | MSG_DONTWAIT);
    free(message);
    bool taken = session_exchange(s, &request, &reply, &failure);
    if (!taken && (failure.message[0] == '\0' || !is_one_text(failure.message, sizeof failure.message)))
        abort(); /* failed without saying why */
    if (taken && (reply.error != 0 || reply.command != request.command ||
                  !is_one_text(reply.gpu, sizeof reply.gpu) || !is_one_text(reply.what, sizeof reply.what)))
        abort();
    char rest[4096];
    while (recv(program, rest, sizeof rest, MSG_DONTWAIT) > 0)
        continue;
    return taken;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct session *s = calloc(1, sizeof *s);
    int pair[2], ended = eventfd(0, EFD_CLOEXEC);
    if (s == NULL || ended < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        abort();
    /* no process of ours has this number: it is gone when it is asked for */
    *s = (struct session){.runner = INT32_MAX,
                          .socket = pair[1],
                          .runner_exit = ended,
                          .owner_socket = -1,
                          .report = -1,
                          .output = -1,
                          .log = -1,
                          .options.timeout_s = 0.001};
    while (size >= 3) {
        size_t count = (size_t)data[1] | (size_t)data[2] << 8;
        count = count < size - 3 ? count : size - 3;
        if (!exchange(s, pair[0], data[0], data + 3, count))
            break;
        data += 3 + count;
        size -= 3 + count;
    }
    close(pair[0]);
    close(pair[1]);
    close(ended);
    json_decref(s->remarks);
    free(s->pending);
    free(s);
    return 0;
}
