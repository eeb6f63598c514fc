/*
 * spans.h: what happened when in one run, simulated or recorded, drawn: a row for each of the
 * things that can work at the same time, on one line of time. On a terminal a part of the run, as a
 * picture all of it and that part.
 */
#ifndef REPORT_SPANS_H
#define REPORT_SPANS_H

#include "report/writers/terminal.h"

#include <jansson.h>
#include <stdint.h>

/* Graphs: all of one in one, where nobody knows what is in it; the row is drawn where there are
 * any. */
enum span_lane { SPAN_HOST, SPAN_TO_DEVICE, SPAN_KERNELS, SPAN_FROM_DEVICE, SPAN_GRAPHS, SPAN_LANES };
enum { SPAN_NAME = 64 };

struct span {
    enum span_lane lane;
    bool waits;           /* the host does nothing but wait */
    char name[SPAN_NAME]; /* of a kernel; "" */
    double begin_us, time_us;
};

struct spans {
    uint32_t count;
    struct span *list;     /* by their begin */
    double from_us, to_us; /* of the whole run */
};

/* From an array of the launch report's "span" objects (gpu/runtime/README.md). What no lane has
 * is left out. run_us: how long the run took that ends with the GPU's last work and the host's
 * wait for it; what lies outside is left out, too. NAN: all of it is the run. False: out of
 * memory, or one is no span. */
bool spans_read(struct spans *spans, const json_t *array, double run_us);
void spans_free(struct spans *spans);

/* In how much of the run a lane works, 0..1, what overlaps counted once; `waits`: waits instead. */
double spans_share(const struct spans *spans, enum span_lane lane, bool waits);

/* Whether the lane has a row: each does but graphs, who have one where there are any. */
bool spans_has_row(const struct spans *spans, enum span_lane lane);

/* A part worth looking at: two rounds from the middle, a round lasting from a kernel's launch to
 * its next. The whole run where there are fewer than four. *rounds: how many rounds the run has,
 * 0 in that case. */
void spans_middle(const struct spans *spans, double *from_us, double *to_us, uint32_t *rounds);

/* The rows, at most 80 columns, and what the signs mean. */
void spans_print(const struct terminal *terminal, const struct spans *spans);
/* The same as a picture. how: "modelled", "measured". */
void spans_svg(FILE *to, const struct spans *spans, const char *title, const char *how);

#endif
