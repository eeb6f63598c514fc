/* device.c: asks the driver, as a process of its own. */
#include "lab/settings.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The driver interface's few calls we need, as its documentation gives them: each returns 0 when all is well. */
typedef int driver_init(unsigned flags);
typedef int driver_count(int *count);
typedef int driver_device(int *device, int ordinal);
typedef int driver_name(char *name, int length, int device);
typedef int driver_attribute(int *value, int attribute, int device);
enum { ATTRIBUTE_COMPUTE_MAJOR = 75, ATTRIBUTE_COMPUTE_MINOR = 76 };

static bool ask_driver(struct device_found *found) {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (driver == NULL)
        return fails(found->why, sizeof found->why, "no driver (libcuda.so.1) is installed");
    if (dlsym(driver, "simulated_gpu_driver") != NULL) { /* build/lib/cuda, on somebody's LD_LIBRARY_PATH */
        return fails(found->why, sizeof found->why,
                     "the libcuda.so.1 that is found first is the simulated GPU's");
    }
    driver_init *init = (driver_init *)dlsym(driver, "cuInit");
    driver_count *count = (driver_count *)dlsym(driver, "cuDeviceGetCount");
    driver_device *get = (driver_device *)dlsym(driver, "cuDeviceGet");
    driver_name *name = (driver_name *)dlsym(driver, "cuDeviceGetName");
    driver_attribute *attribute = (driver_attribute *)dlsym(driver, "cuDeviceGetAttribute");
    int devices = 0, device = 0, major = 0, minor = 0, error = 0;
    if (init == NULL || count == NULL || get == NULL || name == NULL || attribute == NULL)
        return fails(found->why, sizeof found->why, "libcuda.so.1 is not a driver");
    if ((error = init(0)) != 0 || (error = count(&devices)) != 0 || devices < 1 ||
        (error = get(&device, 0)) != 0 || (error = name(found->name, sizeof found->name, device)) != 0 ||
        (error = attribute(&major, ATTRIBUTE_COMPUTE_MAJOR, device)) != 0 ||
        (error = attribute(&minor, ATTRIBUTE_COMPUTE_MINOR, device)) != 0)
        return fails(found->why, sizeof found->why, "the driver finds no GPU (error %d)", error);
    found->compute_major = (unsigned)major;
    found->compute_minor = (unsigned)minor;
    return true;
}

bool device_detect(struct device_found *found) {
    *found = (struct device_found){0};
    int answer[2];
    if (pipe(answer) != 0)
        return fails(found->why, sizeof found->why, "%s", strerror(errno));
    pid_t child = fork();
    if (child == 0) {
        close(answer[0]);
        struct device_found mine = {0};
        ask_driver(&mine);
        ssize_t written = write(answer[1], &mine, sizeof mine);
        _exit(written == (ssize_t)sizeof mine ? 0 : 1);
    }
    close(answer[1]);
    struct pollfd wait_for = {.fd = answer[0], .events = POLLIN};
    bool told = child > 0 && poll(&wait_for, 1, 20000) == 1 &&
                read(answer[0], found, sizeof *found) == (ssize_t)sizeof *found;
    close(answer[0]);
    if (child > 0) {
        if (!told)
            kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    if (!told)
        *found = (struct device_found){.why = "the driver does not answer"};
    return found->compute_major > 0;
}
