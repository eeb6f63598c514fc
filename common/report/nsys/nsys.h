/* nsys.h: the timeline of a run on a real GPU, from Nsight Systems (`nsys export --type sqlite`),
 * in the form of the simulated GPU's (report/document/spans.h). */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NSYS_NAME = 128 };

struct nsys_recording {
    /* The launch report's "span" objects (gpu/runtime/README.md), sorted by begin: kind, name,
     * begin_us from the first begin, time_us. They are the run alone, from the call that asked for
     * the GPU's first work to the last call that began before this work ended. Kind "graph" is a
     * whole graph. Host calls have the simulator's names (LAUNCH, COPY, SYNCHRONISE, ...) or, if it
     * has none, their own. */
    json_t *spans;
    char gpu[NSYS_NAME];      /* "NVIDIA H200"; "": unknown */
    char version[NSYS_NAME];  /* of Nsight Systems; "": unknown */
    double first_us, last_us; /* begin of the GPU's first work; end of its last */
    uint32_t graphs;          /* graphs that are one span, because their nodes were not recorded */
    uint32_t devices;         /* GPUs that worked */
    uint32_t unended;         /* entries without an end, which are left out */
    uint32_t other_copies;    /* left out: copies from host to host or of an unknown kind */
};

/* False and one line: no such file, no database, no export, no CUDA in it, other columns; out of
 * memory. */
bool nsys_read(struct nsys_recording *recording, const char *path, char *error, size_t size);
void nsys_free(struct nsys_recording *recording);

/* Says what the drawing leaves out, a sentence each; "": nothing. */
void nsys_remarks(const struct nsys_recording *recording, char *text, size_t size);
