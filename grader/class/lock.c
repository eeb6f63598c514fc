/* lock.c: the lock of OUT. It goes with the process, however that ends. */
#include "class/gradebook.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int gradebook_lock(const char *folder, char *error, size_t size) {
    char path[PATH_SIZE];
    if (!folder_make(folder, error, size))
        return -1;
    chmod(folder, 0700); /* grades and keys are nobody else's business */
    if (!path_join(path, folder, "lock")) {
        snprintf(error, size, "the path of OUT is too long");
        return -1;
    }
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        snprintf(error, size, "cannot write %.900s: %s", path, strerror(errno));
    for (int tries = 0; fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0; tries++) {
        if (tries < 20) {
            nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
            continue;
        }
        snprintf(error, size, "another grader is at work in %s", folder);
        close(fd);
        fd = -1;
    }
    return fd;
}
