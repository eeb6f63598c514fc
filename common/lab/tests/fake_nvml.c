/* fake_nvml.c: a stand-in for NVIDIA's management library: it says what the test has told it. */
#include "fake_nvml.h"

#include <string.h>

static struct fake_nvml says = {.sm = {1000}, .count = 1, .memory = 3000};
static unsigned asked;

void fake_nvml_set(const struct fake_nvml *what) {
    says = *what;
    asked = 0;
}

int nvmlInit_v2(void);
int nvmlInit_v2(void) {
    return says.no_driver ? 9 : 0;
}

int nvmlShutdown(void);
int nvmlShutdown(void) {
    return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device);
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device) {
    *device = &says;
    return strcmp(bus, FAKE_NVML_BUS) == 0 ? 0 : 6;
}

int nvmlDeviceGetClockInfo(void *device, int which, unsigned *mhz);
int nvmlDeviceGetClockInfo(void *device, int which, unsigned *mhz) {
    if (device != &says || (which != 1 && which != 2))
        return 2;
    *mhz = which == 2 ? says.memory : says.sm[asked++ % says.count];
    return 0;
}

int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *degrees);
int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *degrees) {
    *degrees = says.temperature;
    return device == &says && sensor == 0 ? 0 : 2;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *bits);
int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *bits) {
    *bits = says.reasons;
    return device == &says ? 0 : 2;
}
