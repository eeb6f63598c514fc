/*
 * launch_report.h: the launch report: JSON lines on a file or socket, one object a line, each written whole
 * by one write. On a socket the other side may also send commands, one a line: "races 0", "races 1", "caches
 * 0", "caches 1".
 */
#ifndef CUDART_LAUNCH_REPORT_H
#define CUDART_LAUNCH_REPORT_H

#include "analysis/kernel_report.h"

struct launch_report {
    int descriptor; /* -1: no report is wanted */
    bool commands;  /* it is a socket */
    char line[64];  /* a command that has not yet come whole */
    size_t line_bytes;
};

struct launch_report_settings {
    bool races, caches;
};

/* Take over a descriptor. */
void launch_report_open(struct launch_report *report, int descriptor);
/* Take the commands that have come; returns true when they changed the settings. */
bool launch_report_commands(struct launch_report *report, struct launch_report_settings *settings);
/* {"launch": ...}. False when it cannot be written: the reader is gone or the disk is full. */
bool launch_report_kernel(struct launch_report *report, const struct kernel_report *kernel);
/* {"copy": {"direction": "HtoD" | "DtoH" | "DtoD", "bytes": n}}: what the program moved. */
bool launch_report_copy(struct launch_report *report, const char *direction, uint64_t bytes);
/* {"fault": ...}, with the CUDA error by number and the fault as the simulator describes it. */
bool launch_report_fault(struct launch_report *report, int cuda_error, const struct simt_fault *fault);

#endif
