/* spans.h: the timeline of one run, simulated or recorded, with a row for each unit that works in
 * parallel. A terminal shows a part of the run, a picture also the whole run. */
#pragma once

#include "report/writers/terminal.h"

#include <jansson.h>
#include <stdint.h>

/* A row for graphs is drawn only if there are any: a graph is one span of unknown content. */
enum span_lane { SPAN_HOST, SPAN_TO_DEVICE, SPAN_KERNELS, SPAN_FROM_DEVICE, SPAN_GRAPHS, SPAN_LANES };
enum { SPAN_NAME = 64 };

struct span {
    enum span_lane lane;
    bool waits;           /* the host only waits */
    bool unordered;       /* nothing orders it and another such span */
    char name[SPAN_NAME]; /* of a kernel; else "" */
    double begin_us, time_us;
};

struct spans {
    uint32_t count;
    struct span *list;     /* sorted by begin */
    double from_us, to_us; /* of the whole run */
};

/* Reads an array of the launch report's "span" objects (gpu/runtime/README.md). Kinds without a
 * lane are left out. run_us is the length of the run, outside of which spans are left out; NAN:
 * there is no bound. False: out of memory, or an element is no span. */
bool spans_read(struct spans *spans, const json_t *array, double run_us);
void spans_free(struct spans *spans);

/* Share of the run, 0..1, overlaps counted once, in which a lane works or waits. Fills and copies in
 * the device are drawn among the kernels; SPAN_FILLS are they alone. */
enum span_what { SPAN_WORKS, SPAN_WAITS, SPAN_FILLS };
double spans_share(const struct spans *spans, enum span_lane lane, enum span_what what);

/* Whether the lane has a row: graphs only where there are any. */
bool spans_has_row(const struct spans *spans, enum span_lane lane);

/* Finds a part worth showing: what lies around unordered spans; else two rounds from the middle,
 * where a round is the time between two launches of a kernel. Fewer than four rounds: the whole
 * run. *rounds: their number, else 0. */
void spans_middle(const struct spans *spans, double *from_us, double *to_us, uint32_t *rounds);

/* Prints the rows in at most 80 columns, and a legend. */
void spans_print(const struct terminal *terminal, const struct spans *spans);
/* Draws the rows as SVG. how: "modelled", "measured". */
void spans_svg(FILE *to, const struct spans *spans, const char *title, const char *how);
