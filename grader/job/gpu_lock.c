/* gpu_lock.c: the file, the wait, and which GPU it is. */
#include "job/gpu_lock.h"
#include "base/clock.h"
#include "base/path.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

const char *gpu_lock_folder(void) {
    const char *own = getenv("GPU_LOCKS");
    struct stat status;
    if (own != NULL && *own != '\0')
        return own;
    bool shared =
        stat("/var/lock", &status) == 0 && S_ISDIR(status.st_mode) && (status.st_mode & 01002) == 01002;
    return shared ? "/var/lock" : "/tmp";
}

/* ---- which GPU */

/* By the driver's own functions: they need no context, and the library comes with the driver. */
static bool ask_driver(char place[GPU_LOCK_NAME]) {
    int (*initialise)(unsigned), (*get)(int *, int), (*bus)(char *, int, int);
    int device;
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (driver == NULL)
        return false;
    *(void **)&initialise = dlsym(driver, "cuInit");
    *(void **)&get = dlsym(driver, "cuDeviceGet");
    *(void **)&bus = dlsym(driver, "cuDeviceGetPCIBusId");
    return initialise != NULL && get != NULL && bus != NULL && initialise(0) == 0 && get(&device, 0) == 0 &&
           bus(place, GPU_LOCK_NAME, device) == 0;
}

void gpu_lock_name(char name[GPU_LOCK_NAME]) {
    char place[GPU_LOCK_NAME] = "";
    int answer[2];
    ssize_t length = 0;
    snprintf(name, GPU_LOCK_NAME, "gpu");
    if (pipe2(answer, O_CLOEXEC) != 0)
        return;
    fflush(NULL);
    pid_t child = fork(); /* what the driver starts and maps ends with it */
    if (child == 0) {
        bool known = ask_driver(place);
        _exit(known && write(answer[1], place, strlen(place)) > 0 ? 0 : 1);
    }
    close(answer[1]);
    if (child > 0) {
        length = read(answer[0], place, sizeof place - 1);
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    close(answer[0]);
    if (length <= 0)
        return;
    place[length] = '\0';
    for (char *c = place; *c != '\0'; c++)
        if (strchr("0123456789abcdefABCDEF", *c) == NULL)
            *c = '-';
    snprintf(name, GPU_LOCK_NAME, "%s", place);
}

/* ---- the lock */

/* The file, whoever made it: to lock it nobody needs to write. In a folder that all may write to, one that is there is opened
 * first: there the system refuses to create over another's. No link is followed. */
static int open_file(const char *path) {
    for (int i = 0; i < 2; i++) {
        int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        if (file >= 0 || errno != ENOENT)
            return file;
        file = open(path, O_RDONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

int gpu_lock_take(const char *folder, const char *name, double seconds, char *error, size_t size) {
    char path[PATH_SIZE];
    struct stat status;
    double end = clock_seconds() + seconds;
    int file = path_print(path, "%s/gpu-performance-labs-%s.lock", folder, name) ? open_file(path) : -1;
    if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        snprintf(error, size, "%.300s: %s", path,
                 file < 0 ? strerror(errno) : "the lock of a GPU is to be a file");
        if (file >= 0)
            close(file);
        return -1;
    }
    while (flock(file, LOCK_EX | LOCK_NB) != 0) {
        const struct timespec nap = {.tv_nsec = 100000000};
        bool taken = errno == EWOULDBLOCK || errno == EINTR;
        if (taken && clock_seconds() < end) {
            nanosleep(&nap, NULL);
            continue;
        }
        if (taken)
            snprintf(error, size, "another job has had the GPU for %.0f seconds (%.300s)", seconds, path);
        else
            snprintf(error, size, "%.300s: %s", path, strerror(errno));
        close(file);
        return -1;
    }
    return file;
}
