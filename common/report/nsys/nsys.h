/*
 * nsys.h: what happened when on a real GPU, as Nsight Systems recorded it: read from its export to
 * SQLite (`nsys export --type sqlite`), in the form in which the simulated GPU tells the same
 * (report/document/spans.h draws both).
 */
#ifndef NSYS_NSYS_H
#define NSYS_NSYS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NSYS_NAME = 128 };

struct nsys_recording {
    /* The launch report's "span" objects (gpu/runtime/README.md), by their begin: kind, name,
     * begin_us from the first's begin, time_us. Of the run alone: from the call that asked for
     * the GPU's first work until the last call that began before all of that work had ended.
     * Kinds besides those of the simulator: "graph", all of a graph in one. Calls of the host
     * have the simulator's names where it has them (LAUNCH, COPY, SYNCHRONISE, ...), else their
     * own. */
    json_t *spans;
    char gpu[NSYS_NAME];      /* "NVIDIA H200"; "": not said */
    char version[NSYS_NAME];  /* Nsight Systems'; "": not said */
    double first_us, last_us; /* from the first of the GPU's work to its last */
    uint32_t graphs;          /* how many graphs are told in one: what is in them is not known */
    uint32_t devices;         /* GPUs that worked */
    uint32_t unended;         /* entries without an end: left out */
    uint32_t other_copies;    /* copies from host to host, or of a kind that is not known: left out */
};

/* False and one line: no such file, no SQLite database, no export, one without CUDA, one with
 * other columns; out of memory. */
bool nsys_read(struct nsys_recording *recording, const char *path, char *error, size_t size);
void nsys_free(struct nsys_recording *recording);

/* What a reader has to know besides the drawing, a sentence each, "" where there is nothing:
 * what the rows leave out. */
void nsys_remarks(const struct nsys_recording *recording, char *text, size_t size);

#endif
