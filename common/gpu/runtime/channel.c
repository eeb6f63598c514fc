/* channel.c: sends and receives until all is through; interrupted calls begin again. */
#include "gpu/runtime/protocol.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Room for one descriptor, aligned as the kernel wants it. */
union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
};

bool channel_send(int socket, const void *bytes, size_t size, int descriptor) {
    const char *at = bytes;
    while (size > 0) {
        struct iovec vector = {(void *)at, size};
        struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
        union control control = {0};
        if (descriptor >= 0) {
            message.msg_control = control.bytes;
            message.msg_controllen = sizeof control.bytes;
            control.header = (struct cmsghdr){
                .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
            memcpy(CMSG_DATA(&control.header), &descriptor, sizeof descriptor);
        }
        ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        descriptor = -1;
        at += sent;
        size -= (size_t)sent;
    }
    return true;
}

static void take_descriptor(struct msghdr *message, int *descriptor) {
    for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header != NULL;
         header = CMSG_NXTHDR(message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
            continue;
        for (size_t i = 0; CMSG_LEN((i + 1) * sizeof(int)) <= header->cmsg_len; i++) {
            int received;
            memcpy(&received, CMSG_DATA(header) + i * sizeof received, sizeof received);
            if (descriptor != NULL && *descriptor < 0)
                *descriptor = received;
            else
                close(received);
        }
    }
}

bool channel_receive(int socket, void *bytes, size_t size, int *descriptor) {
    char *at = bytes;
    while (size > 0) {
        struct iovec vector = {at, size};
        union control control;
        struct msghdr message = {.msg_iov = &vector,
                                 .msg_iovlen = 1,
                                 .msg_control = control.bytes,
                                 .msg_controllen = sizeof control.bytes};
        ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
        if (received < 0 && errno == EINTR)
            continue;
        if (received <= 0)
            return false;
        take_descriptor(&message, descriptor);
        at += received;
        size -= (size_t)received;
    }
    return true;
}
