/* device.h: is there a usable GPU? */
#ifndef LAB_DEVICE_H
#define LAB_DEVICE_H

#include <stdbool.h>

struct device_found {
    unsigned compute_major, compute_minor;
    char name[128];
    char why[160]; /* when there is none */
};

/* Ask the driver (libcuda.so.1), in a process of its own so that a broken driver cannot take us with it. */
bool device_detect(struct device_found *found);

#endif
