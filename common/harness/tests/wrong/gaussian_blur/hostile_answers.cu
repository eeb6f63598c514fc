// Hostile: answers the judge itself, with zeros that mean "all went well", instead of working.
#include "../../../runner/protocol.h"
#include "blur_kernel.h"
#include <string.h>
#include <sys/socket.h>

extern "C" void gaussian_blur(const uint8_t *src, uint8_t *dst, int width, int height, cudaStream_t stream) {
    struct runner_reply reply;
    memset(&reply, 0, sizeof reply);
    reply.command = RUNNER_CALL;
    for (int fd = 3; fd < 64; fd++)
        send(fd, &reply, sizeof reply, MSG_NOSIGNAL | MSG_DONTWAIT);
    (void)src, (void)dst, (void)width, (void)height, (void)stream;
}
