/* order.h: which work happens before which, by what the program says: streams, events, waits of the
 * host. Modelled times say nothing of it: that one piece ended before another began may be chance.
 *
 * Work of one stream is in order. So a number for each stream tells what comes before a piece of
 * work: the number of the last of its pieces that does. A piece that touches bytes of another,
 * where one of them writes and neither comes before the other, collides with it. */
#ifndef RUNTIME_SERVER_ORDER_H
#define RUNTIME_SERVER_ORDER_H

#include "base/footprint.h"

enum { ORDER_LANES = 32 }; /* streams that are told apart */

/* A vector clock: for each lane, the number (from 1; 0: none) of the last piece that happens
 * before. */
struct order_clock {
    uint32_t before[ORDER_LANES];
};

/* What an event stands for, if the program recorded it in this round. */
struct order_event {
    uint64_t round;
    struct order_clock after;
};

struct order_lane {
    uint32_t stream;
    bool non_blocking;
    bool kernel; /* its last piece is a kernel, and it has waited for nothing since */
    /* early: what happened before its last piece may have begun */
    struct order_clock clock, early;
};

/* A piece of work: a kernel, copy or fill. A kernel that may begin before the kernel before it has
 * ended (programmatic dependent launch) is two pieces of one number: what it does before
 * griddepcontrol.wait, after `early`, and the rest. */
struct order_piece {
    uint32_t lane, number;    /* number: from 1, over all lanes */
    struct order_clock after; /* what happens before it */
    struct order_clock early; /* what happens before it begins */
    uint32_t stream;          /* its number in the program; 0: the default stream */
    bool signals;             /* a kernel that may speak with others while it runs */
    bool told;                /* a touch of the host's was reported */
    char name[96], file[64];  /* "the copy", a kernel's; its source file, "": not known */
    uint32_t line;            /* of the kernel; 0: not known */
    uint64_t site;            /* where the program's code asked for it; 0: not known */
    struct footprint touched, touched_early;
};

struct order {
    uint64_t round; /* what was given in an earlier round is before all */
    uint32_t count; /* pieces in this round */
    uint32_t lane_count;
    bool full;     /* there are more streams than lanes: the order is not known */
    bool strict;   /* the host learns only by waiting, not from host functions and kernels */
    bool followed; /* footprints are kept in a judged call: in this call or one before, work could overlap */
    bool unseen;   /* in this call work could overlap whose footprints are not known */
    char found[512];         /* the first two pieces of a judged call that nothing orders; "": none */
    struct order_clock host; /* what the host has waited for */
    struct order_lane lanes[ORDER_LANES];
    struct order_piece *kept; /* pieces that may still collide, by number */
    size_t kept_count, kept_capacity, kept_ranges;
    uint64_t told[64]; /* hashes of pairs that were told */
    unsigned told_count;
};

struct server;
/* Forgets all: a new round. */
void order_begin(struct order *order);
void order_free(struct order *order);
/* The next piece, on that stream: its lane, number and clocks. programmatic: a kernel that may begin
 * before the kernel before it has ended. */
void order_next(struct server *server, uint32_t stream, bool kernel, bool programmatic,
                struct order_piece *piece);
/* An event is recorded, or a stream or the host waits (requests that were answered without an
 * error). */
void order_note(struct server *server, uint32_t operation, const void *request);
/* The host has waited for all work of a stream. */
void order_host_waits(struct server *server, uint32_t stream);
/* The host may learn, without waiting, that what happens before the piece is done. */
void order_host_hears(struct order *order, const struct order_piece *piece);

/* Two pieces that nothing orders; `second` NULL: the host. They touch this byte, the first one
 * so. */
typedef void order_tell(void *context, const struct order_piece *first, const struct order_piece *second,
                        uint64_t address, enum footprint_kind kind);
/* Whether the host has not waited for a piece, and may speak of it: a kernel that signals may
 * have told its end. */
bool order_may_run(const struct order *order, const struct order_piece *piece);
/* Takes over the piece, whose footprint is finished, and tells of each earlier one that it
 * collides with; alike pairs once. */
void order_keep(struct order *order, struct order_piece *piece, order_tell *tell, void *context);
/* The host touches bytes that it reads or writes: tells of each piece that still may touch them. */
void order_host_touches(struct order *order, uint64_t address, uint64_t bytes, bool is_store,
                        order_tell *tell, void *context);

#endif
