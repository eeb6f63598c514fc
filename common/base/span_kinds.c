/* span_kinds.c: looks up the kinds of spans by name. */
#include "base/span_kinds.h"

#include <stddef.h>
#include <string.h>

static const char *const names[SPAN_KIND_COUNT] = {
    [SPAN_KIND_HOST] = "host",      [SPAN_KIND_MARK] = "mark",      [SPAN_KIND_KERNEL] = "kernel",
    [SPAN_KIND_FILL] = "fill",      [SPAN_KIND_TO_DEVICE] = "HtoD", [SPAN_KIND_FROM_DEVICE] = "DtoH",
    [SPAN_KIND_IN_DEVICE] = "DtoD", [SPAN_KIND_GRAPH] = "graph"};

const char *span_kind_name(enum span_kind kind) {
    return (unsigned)kind < SPAN_KIND_COUNT ? names[kind] : NULL;
}

enum span_kind span_kind_find(const char *name) {
    int kind = 0;
    while (kind < SPAN_KIND_COUNT && strcmp(names[kind], name) != 0)
        kind++;
    return (enum span_kind)kind;
}
