/* order.c: vector clocks over the program's work, and pieces of it that nothing orders. */
#include "gpu/runtime/server/order.h"

#include "base/hash.h"
#include "gpu/runtime/server/server.h"

#include <stdlib.h>
#include <string.h>

/* Pieces that are kept; ranges of their footprints. The oldest are dropped then: fewer collisions
 * are found. */
enum { KEPT_MOST = 1 << 14, RANGES_MOST = 1 << 22 };

static void drop(struct order *order, size_t count) {
    for (size_t i = 0; i < count; i++) {
        order->kept_ranges -= order->kept[i].touched.count;
        footprint_free(&order->kept[i].touched);
    }
    order->kept_count -= count;
    if (count > 0)
        memmove(order->kept, order->kept + count, order->kept_count * sizeof *order->kept);
}

void order_begin(struct order *order) {
    drop(order, order->kept_count);
    *order = (struct order){.round = order->round + 1,
                            .followed = order->followed,
                            .kept = order->kept,
                            .kept_capacity = order->kept_capacity};
}

void order_free(struct order *order) {
    drop(order, order->kept_count);
    free(order->kept);
    order->kept = NULL;
    order->kept_capacity = 0;
}

static void join(struct order_clock *clock, const struct order_clock *other) {
    for (int i = 0; i < ORDER_LANES; i++)
        if (other->before[i] > clock->before[i])
            clock->before[i] = other->before[i];
}

/* The lane of a stream that was destroyed: the next one's work counts as after its work. NULL:
 * there is none. */
static struct order_lane *free_lane(struct server *server) {
    struct order *order = &server->order;
    for (uint32_t i = 0; i < order->lane_count; i++)
        if (order->lanes[i].stream != 0 && handle_object(&server->streams, order->lanes[i].stream) == NULL)
            return &order->lanes[i];
    return NULL;
}

/* The lane of a stream, a new one where it has none; NULL: there are too many. */
static struct order_lane *lane_of(struct server *server, uint32_t stream) {
    struct order *order = &server->order;
    for (uint32_t i = 0; i < order->lane_count; i++)
        if (order->lanes[i].stream == stream)
            return &order->lanes[i];
    struct order_lane *lane = order->strict ? NULL : free_lane(server);
    if (lane == NULL && order->lane_count < ORDER_LANES)
        lane = &order->lanes[order->lane_count++];
    order->full = order->full || lane == NULL;
    const struct timeline_stream *object = stream != 0 ? handle_object(&server->streams, stream) : NULL;
    if (lane != NULL) {
        lane->stream = stream;
        lane->non_blocking = object != NULL && object->non_blocking;
    }
    return lane;
}

/* What comes before the next piece of work there. The default stream waits for those that wait
 * for it. */
static struct order_clock clock_of(const struct order *order, const struct order_lane *lane) {
    struct order_clock clock = lane->clock;
    join(&clock, &order->host);
    for (uint32_t i = 0; i < order->lane_count; i++) {
        const struct order_lane *other = &order->lanes[i];
        bool of_default = lane->stream == 0 && !other->non_blocking;
        bool of_other = other->stream == 0 && !lane->non_blocking;
        if (of_default || of_other)
            join(&clock, &other->clock);
    }
    return clock;
}

/* What happens before the kernel before it, where that is all that the lane waits for; else all. */
static struct order_clock early_of(const struct order *order, const struct order_lane *lane,
                                   const struct order_clock *after) {
    struct order_clock own = lane->clock, early = lane->early;
    join(&own, &order->host);
    join(&early, &order->host);
    return lane->kernel && memcmp(&own, after, sizeof own) == 0 ? early : *after;
}

void order_next(struct server *server, uint32_t stream, bool kernel, bool programmatic,
                struct order_piece *piece) {
    struct order *order = &server->order;
    struct order_lane *lane = lane_of(server, stream);
    if (lane == NULL)
        return;
    piece->stream = stream;
    piece->lane = (uint32_t)(lane - order->lanes);
    piece->number = ++order->count;
    piece->after = clock_of(order, lane);
    piece->early = lane->early = programmatic ? early_of(order, lane, &piece->after) : piece->after;
    lane->clock = piece->after;
    lane->kernel = kernel;
    lane->clock.before[piece->lane] = piece->number;
}

static void note_event(struct server *server, uint32_t id, uint32_t stream) {
    struct server_event *event = handle_object(&server->events, id);
    const struct order_lane *lane = lane_of(server, stream);
    struct order_event *noted = event->order != NULL ? event->order : calloc(1, sizeof *noted);
    event->order = noted;
    server->order.full = server->order.full || noted == NULL;
    if (noted == NULL || lane == NULL)
        return;
    noted->round = server->order.round;
    noted->after = clock_of(&server->order, lane);
}

/* What happens before an event of this round; nothing, where it was recorded before. */
static void join_event(const struct server *server, uint32_t id, struct order_clock *clock) {
    const struct server_event *event = handle_object(&server->events, id);
    const struct order_event *noted = event->order;
    if (noted != NULL && noted->round == server->order.round)
        join(clock, &noted->after);
}

void order_host_waits(struct server *server, uint32_t stream) {
    const struct order_lane *lane = lane_of(server, stream);
    if (lane == NULL)
        return;
    struct order_clock clock = clock_of(&server->order, lane);
    join(&server->order.host, &clock);
}

void order_host_hears(struct order *order, const struct order_piece *piece) {
    if (!order->strict)
        join(&order->host, &piece->after);
}

static void host_waits_for_all(struct order *order) {
    for (uint32_t i = 0; i < order->lane_count; i++)
        join(&order->host, &order->lanes[i].clock);
}

static void note_wait(struct server *server, const struct request_synchronise *request) {
    switch (request->what) {
    case PROTOCOL_HOST_FUNCTION:
        if (server->order.strict)
            break; /* else it may tell the host */
        /* fall through */
    case PROTOCOL_WAIT_STREAM: order_host_waits(server, request->id); break;
    case PROTOCOL_WAIT_EVENT: join_event(server, request->id, &server->order.host); break;
    default: host_waits_for_all(&server->order);
    }
}

void order_note(struct server *server, uint32_t operation, const void *request) {
    const struct request_pair *pair = request;
    struct order_lane *lane;
    switch (operation) {
    case PROTOCOL_EVENT_RECORD: note_event(server, pair->first, pair->second); break;
    case PROTOCOL_STREAM_WAIT:
        if ((lane = lane_of(server, pair->first)) != NULL) {
            join_event(server, pair->second, &lane->clock);
            lane->kernel = false;
        }
        break;
    case PROTOCOL_SYNCHRONISE: note_wait(server, request); break;
    case PROTOCOL_FREE:
        if (!((const struct request_free *)request)->ordered)
            host_waits_for_all(&server->order);
        break;
    case PROTOCOL_RESET: order_begin(&server->order); break;
    default: break;
    }
}

/* ---- collisions */

static bool is_before(const struct order_piece *piece, const struct order_clock *clock) {
    return piece->number <= clock->before[piece->lane];
}

bool order_may_run(const struct order *order, const struct order_piece *piece) {
    return !order->full && !piece->signals && !is_before(piece, &order->host);
}

static uint64_t hash_piece(uint64_t hash, const struct order_piece *piece) {
    return hash_bytes(hash_bytes(hash, piece->name, strlen(piece->name)), &piece->site, sizeof piece->site);
}

/* Whether a pair of this kind is new. */
static bool is_new(struct order *order, const struct order_piece *first, const struct order_piece *second) {
    enum { MOST = sizeof order->told / sizeof *order->told };
    uint64_t hash = hash_piece(hash_piece(HASH_START, first), second);
    for (unsigned i = 0; i < order->told_count; i++)
        if (order->told[i] == hash)
            return false;
    if (order->told_count == MOST)
        return false;
    order->told[order->told_count++] = hash;
    return true;
}

void order_keep(struct order *order, struct order_piece *piece, order_tell *tell, void *context) {
    size_t done = 0;
    while (done < order->kept_count && is_before(&order->kept[done], &order->host))
        done++;
    if (order->kept_count == KEPT_MOST || order->kept_ranges > RANGES_MOST)
        done = done > order->kept_count / 2 ? done : order->kept_count / 2;
    drop(order, done);
    uint64_t address;
    enum footprint_kind kind;
    for (size_t i = 0; i < order->kept_count && !order->full; i++) {
        const struct order_piece *earlier = &order->kept[i];
        if (earlier->number != piece->number && !is_before(earlier, &piece->after) &&
            (order->followed || !(earlier->signals && piece->signals)) &&
            footprint_collides(&earlier->touched, &piece->touched, &address, &kind) &&
            is_new(order, earlier, piece))
            tell(context, earlier, piece, address, kind);
    }
    if (order->kept_count == order->kept_capacity) {
        size_t capacity = order->kept_capacity > 0 ? 2 * order->kept_capacity : 64;
        struct order_piece *larger = realloc(order->kept, capacity * sizeof *larger);
        if (larger == NULL) {
            footprint_free(&piece->touched);
            return;
        }
        order->kept = larger;
        order->kept_capacity = capacity;
    }
    order->kept_ranges += piece->touched.count;
    order->kept[order->kept_count++] = *piece;
}

void order_host_touches(struct order *order, uint64_t address, uint64_t bytes, bool is_store,
                        order_tell *tell, void *context) {
    struct footprint touched = {0};
    uint64_t at;
    enum footprint_kind kind;
    footprint_add(&touched, is_store ? FOOTPRINT_WRITTEN : FOOTPRINT_READ, address, bytes);
    footprint_finish(&touched);
    for (size_t i = 0; i < order->kept_count && !order->full; i++) {
        struct order_piece *piece = &order->kept[i];
        if (piece->told || !order_may_run(order, piece) ||
            !footprint_collides(&piece->touched, &touched, &at, &kind))
            continue;
        piece->told = true;
        tell(context, piece, NULL, at, kind);
    }
    footprint_free(&touched);
}
