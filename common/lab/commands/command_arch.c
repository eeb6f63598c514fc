/* Which architecture to compile for, and which device that is for: printed for the Makefile. */
#include "lab/commands/commands.h"

#include <stdio.h>

int command_arch(struct settings *s, const char *lab, int count, char **rest) {
    (void)lab;
    char error[SETTINGS_ERROR], supported[4096] = "";
    if (!settings_resolve_device(s, error, sizeof error))
        return command_refuse(error);
    size_t length = 0;
    for (int i = 0; i < count; i++)
        length += (size_t)snprintf(
            supported + length, length < sizeof supported ? sizeof supported - length : 0, "%.64s ", rest[i]);
    unsigned arch = settings_pick_arch(supported, s->arch);
    if (arch == 0)
        return command_refuse(
            "the CUDA compiler lists no architecture (nvcc --list-gpu-arch); see make doctor");
    printf("%u\n", arch);
    return 0;
}

int command_device(struct settings *s, const char *lab, int count, char **rest) {
    (void)lab, (void)count, (void)rest;
    char error[SETTINGS_ERROR];
    if (!settings_resolve_device(s, error, sizeof error))
        return command_refuse(error);
    puts(s->device == DEVICE_CUDA ? "cuda" : "sim");
    return 0;
}
