/* fake_nvml.h: what the stand-in for NVIDIA's management library is told to say. */
#pragma once

#include <stdbool.h>

/* The one GPU that it knows: where the stand-in for the CUDA runtime says that its GPU sits. */
#define FAKE_NVML_BUS "00000000:00:00.0"

struct fake_nvml {
    unsigned sm[4], count; /* MHz, one after the other, from the first again */
    unsigned memory, temperature;
    unsigned long long reasons;
    bool no_driver;
};

typedef void fake_nvml_setter(const struct fake_nvml *what);
fake_nvml_setter fake_nvml_set;
