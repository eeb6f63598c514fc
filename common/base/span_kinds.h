/* span_kinds.h: what a span of a timeline is, by the words of the launch report (gpu/runtime/README.md). */
#ifndef BASE_SPAN_KINDS_H
#define BASE_SPAN_KINDS_H

enum span_kind {
    SPAN_KIND_HOST, /* a call of the host's, or its waiting */
    SPAN_KIND_MARK, /* a moment that the host names */
    SPAN_KIND_KERNEL,
    SPAN_KIND_FILL,
    SPAN_KIND_TO_DEVICE, /* a copy */
    SPAN_KIND_FROM_DEVICE,
    SPAN_KIND_IN_DEVICE,
    SPAN_KIND_GRAPH, /* all of a graph in one, where nobody knows what is in it */
    SPAN_KIND_COUNT
};

const char *span_kind_name(enum span_kind kind); /* "HtoD"; NULL: no such kind */
/* SPAN_KIND_COUNT: no such name. */
enum span_kind span_kind_find(const char *name);

#endif
