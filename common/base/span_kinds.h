/* span_kinds.h: the kinds of a timeline's spans, named as in the launch report
 * (gpu/runtime/README.md). */
#pragma once

enum span_kind {
    SPAN_KIND_HOST, /* the host calls the runtime, or waits */
    SPAN_KIND_MARK, /* the host names a moment */
    SPAN_KIND_KERNEL,
    SPAN_KIND_FILL,
    SPAN_KIND_TO_DEVICE, /* a copy */
    SPAN_KIND_FROM_DEVICE,
    SPAN_KIND_IN_DEVICE,
    SPAN_KIND_GRAPH, /* a whole graph whose nodes are not known */
    SPAN_KIND_COUNT
};

const char *span_kind_name(enum span_kind kind); /* "HtoD"; NULL: no such kind */
/* Returns SPAN_KIND_COUNT for an unknown name. */
enum span_kind span_kind_find(const char *name);
