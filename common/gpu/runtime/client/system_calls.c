/* system_calls.c: with CHECK=1, opens pages that early.c has closed before the system accesses
 * them; a system call would fail there with EFAULT. The functions of the C library that pass a
 * buffer to the system are defined here too, in the C library's version. They come before it in the
 * search order, open the pages, and call the C library. */
#include "gpu/runtime/client/client.h"

#include <dlfcn.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/uio.h>

/* The version in which all programs ask for these functions; the linker's version script
 * (exports.awk) has it too. */
#if defined(__x86_64__)
#define C_LIBRARY "GLIBC_2.2.5"
#else
#define C_LIBRARY "GLIBC_2.17"
#endif

/* Not the default version, so that programs linked with this library do not use it. */
#define OURS(name) __asm__(".symver client_early_" #name ", " #name "@" C_LIBRARY)

static void vectors(const struct iovec *pieces, size_t count, bool is_store) {
    for (size_t i = 0; i < count; i++)
        client_early_system_call(pieces[i].iov_base, pieces[i].iov_len, is_store);
}

/* result name(parameters): opens the buffers' pages, then calls the C library's function. */
#define CALL(result, name, parameters, arguments, ...)                                                       \
    OURS(name);                                                                                              \
    __attribute__((visibility("default"))) result client_early_##name parameters;                            \
    result client_early_##name parameters {                                                                  \
        static result(*next) parameters;                                                                     \
        if (next == NULL)                                                                                    \
            *(void **)&next = dlsym(RTLD_NEXT, #name);                                                       \
        __VA_ARGS__;                                                                                         \
        return next arguments;                                                                               \
    }

CALL(ssize_t, read, (int file, void *buffer, size_t bytes), (file, buffer, bytes),
     client_early_system_call(buffer, bytes, true))
CALL(ssize_t, pread, (int file, void *buffer, size_t bytes, off_t at), (file, buffer, bytes, at),
     client_early_system_call(buffer, bytes, true))
CALL(ssize_t, pread64, (int file, void *buffer, size_t bytes, off64_t at), (file, buffer, bytes, at),
     client_early_system_call(buffer, bytes, true))
CALL(ssize_t, readv, (int file, const struct iovec *pieces, int count), (file, pieces, count),
     vectors(pieces, count > 0 ? (size_t)count : 0, true))
CALL(ssize_t, recv, (int socket, void *buffer, size_t bytes, int flags), (socket, buffer, bytes, flags),
     client_early_system_call(buffer, bytes, true))
CALL(ssize_t, recvfrom,
     (int socket, void *buffer, size_t bytes, int flags, struct sockaddr *from, socklen_t *length),
     (socket, buffer, bytes, flags, from, length), client_early_system_call(buffer, bytes, true))
CALL(ssize_t, recvmsg, (int socket, struct msghdr *message, int flags), (socket, message, flags),
     vectors(message->msg_iov, message->msg_iovlen, true))
CALL(ssize_t, write, (int file, const void *buffer, size_t bytes), (file, buffer, bytes),
     client_early_system_call(buffer, bytes, false))
CALL(ssize_t, pwrite, (int file, const void *buffer, size_t bytes, off_t at), (file, buffer, bytes, at),
     client_early_system_call(buffer, bytes, false))
CALL(ssize_t, pwrite64, (int file, const void *buffer, size_t bytes, off64_t at), (file, buffer, bytes, at),
     client_early_system_call(buffer, bytes, false))
CALL(ssize_t, writev, (int file, const struct iovec *pieces, int count), (file, pieces, count),
     vectors(pieces, count > 0 ? (size_t)count : 0, false))
CALL(ssize_t, send, (int socket, const void *buffer, size_t bytes, int flags), (socket, buffer, bytes, flags),
     client_early_system_call(buffer, bytes, false))
CALL(ssize_t, sendto,
     (int socket, const void *buffer, size_t bytes, int flags, const struct sockaddr *to, socklen_t length),
     (socket, buffer, bytes, flags, to, length), client_early_system_call(buffer, bytes, false))
CALL(ssize_t, sendmsg, (int socket, const struct msghdr *message, int flags), (socket, message, flags),
     vectors(message->msg_iov, message->msg_iovlen, false))
CALL(size_t, fread, (void *buffer, size_t size, size_t count, FILE *file), (buffer, size, count, file),
     client_early_system_call(buffer, size *count, true))
CALL(size_t, fread_unlocked, (void *buffer, size_t size, size_t count, FILE *file),
     (buffer, size, count, file), client_early_system_call(buffer, size *count, true))
CALL(size_t, fwrite, (const void *buffer, size_t size, size_t count, FILE *file), (buffer, size, count, file),
     client_early_system_call(buffer, size *count, false))
CALL(size_t, fwrite_unlocked, (const void *buffer, size_t size, size_t count, FILE *file),
     (buffer, size, count, file), client_early_system_call(buffer, size *count, false))

bool client_early_has_system_calls(void) {
    ssize_t (*ours)(int, void *, size_t) = client_early_read;
    return dlvsym(RTLD_DEFAULT, "read", C_LIBRARY) == *(void **)&ours;
}
