/* gpu_state.c: NVML's few functions that tell of clocks. Their types and numbers are those of its public header. */
#include "lab/judge/measure/measure_parts.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NVML_SUCCESS = 0, NVML_CLOCK_SM = 1, NVML_CLOCK_MEM = 2, NVML_TEMPERATURE_GPU = 0 };

typedef struct nvmlDevice_st *nvml_device;
typedef int nvml_plain(void);
typedef int nvml_by_bus(const char *bus, nvml_device *device);
typedef int nvml_number(nvml_device device, int which, unsigned *value);
typedef int nvml_bits(nvml_device device, unsigned long long *bits);

struct gpu_state {
    void *library;
    nvml_device device;
    nvml_plain *shut_down;
    nvml_number *clock, *temperature;
    nvml_bits *reasons;        /* NULL: it does not tell */
    struct report_clocks seen; /* the means are sums */
    unsigned long long reason_bits;
};

/* Bits of nvmlClocksEventReasons, by the names that nvidia-smi has for them. */
static const struct {
    unsigned long long bit;
    const char *name;
} reason_names[] = {{0x002, "applications_clocks_setting"},
                    {0x004, "sw_power_cap"},
                    {0x008, "hw_slowdown"},
                    {0x010, "sync_boost"},
                    {0x020, "sw_thermal_slowdown"},
                    {0x040, "hw_thermal_slowdown"},
                    {0x080, "hw_power_brake_slowdown"},
                    {0x100, "display_clock_setting"}};

/* A function of the library; a function pointer has the size of any other here, which POSIX says and C does not. */
static bool find(void *library, const char *name, void *function, size_t size) {
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, size);
    return symbol != NULL;
}
#define FIND(library, name, function) find(library, name, &(function), sizeof(function))

struct gpu_state *gpu_state_open(const char *library, const char *bus, char *why, size_t size) {
    nvml_plain *begin;
    nvml_by_bus *by_bus;
    unsigned mhz;
    struct gpu_state *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(why, size, "out of memory");
        return NULL;
    }
    s->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (s->library == NULL) {
        snprintf(why, size, "the driver's %s is not there", library);
        free(s);
        return NULL;
    }
    if (!FIND(s->library, "nvmlInit_v2", begin) || !FIND(s->library, "nvmlShutdown", s->shut_down) ||
        !FIND(s->library, "nvmlDeviceGetHandleByPciBusId_v2", by_bus) ||
        !FIND(s->library, "nvmlDeviceGetClockInfo", s->clock) ||
        !FIND(s->library, "nvmlDeviceGetTemperature", s->temperature)) {
        snprintf(why, size, "%s lacks functions: another version", library);
    } else if (begin() != NVML_SUCCESS) {
        snprintf(why, size, "%s does not find its driver", library);
    } else {
        if (!FIND(s->library, "nvmlDeviceGetCurrentClocksEventReasons", s->reasons))
            (void)FIND(s->library, "nvmlDeviceGetCurrentClocksThrottleReasons", s->reasons);
        if (by_bus(bus, &s->device) == NVML_SUCCESS &&
            s->clock(s->device, NVML_CLOCK_SM, &mhz) == NVML_SUCCESS &&
            s->clock(s->device, NVML_CLOCK_MEM, &mhz) == NVML_SUCCESS)
            return s;
        snprintf(why, size, "%s does not tell the clocks of GPU %s", library, bus);
        s->shut_down();
    }
    dlclose(s->library);
    free(s);
    return NULL;
}

static void note(struct report_clock *clock, double mhz, bool first) {
    clock->least = first ? mhz : fmin(clock->least, mhz);
    clock->most = first ? mhz : fmax(clock->most, mhz);
    clock->mean += mhz;
}

void gpu_state_look(struct gpu_state *s) {
    unsigned sm, memory, degrees = 0;
    unsigned long long bits = 0;
    if (s == NULL || s->clock(s->device, NVML_CLOCK_SM, &sm) != NVML_SUCCESS ||
        s->clock(s->device, NVML_CLOCK_MEM, &memory) != NVML_SUCCESS)
        return;
    bool first = s->seen.samples++ == 0;
    note(&s->seen.sm, sm, first);
    note(&s->seen.memory, memory, first);
    if (s->temperature(s->device, NVML_TEMPERATURE_GPU, &degrees) == NVML_SUCCESS) {
        s->seen.coolest = s->seen.coolest == 0 ? degrees : fmin(s->seen.coolest, degrees);
        s->seen.hottest = fmax(s->seen.hottest, degrees);
    }
    if (s->reasons != NULL && s->reasons(s->device, &bits) == NVML_SUCCESS)
        s->reason_bits |= bits;
}

void gpu_state_tell(const struct gpu_state *s, const char *why, struct report_clocks *clocks) {
    *clocks = (struct report_clocks){.present = true};
    if (s == NULL || s->seen.samples == 0) {
        snprintf(clocks->note, sizeof clocks->note, "clocks are not known: %.200s",
                 s == NULL ? why : "the driver did not answer");
        return;
    }
    *clocks = s->seen;
    clocks->present = true;
    clocks->sm.mean /= s->seen.samples;
    clocks->memory.mean /= s->seen.samples;
    for (size_t i = 0; i < sizeof reason_names / sizeof *reason_names; i++) {
        size_t used = strlen(clocks->throttled);
        if (s->reason_bits & reason_names[i].bit)
            snprintf(clocks->throttled + used, sizeof clocks->throttled - used, "%s%s", used > 0 ? " " : "",
                     reason_names[i].name);
    }
}

void gpu_state_close(struct gpu_state *s) {
    if (s == NULL)
        return;
    s->shut_down();
    dlclose(s->library);
    free(s);
}
