/*
 * commands.c: what the reader of the launch report says on its socket, a command a line.
 *
 *   races 0|1, check 0|1, counts 0|1, timeline 0|1   any reader of the report may say this; the others need memory in common
 *   allocate BYTES                 value: the address
 *   allocate BYTES PAGES           the same, at a page of 2 MiB, that many pages further on than the next one
 *   allocate ... as SHAPE          the same; what it is, for messages (base/buffer_shape.h)
 *   free ADDRESS
 *   write ADDRESS OFFSET BYTES     from OFFSET of the memory in common
 *   read ADDRESS OFFSET BYTES      to there
 *   fill ADDRESS BYTES VALUE
 *   window 1, window 0             a call begins, with cold caches; it ends
 *   window 1 BUDGET                kernels of the call may execute that many warp instructions, together
 *   keep 1                         when the next window closes nothing is forgotten: the call after it finds all that
 *                                  this one left; it is reported by name
 *   keep 0                         it is forgotten when that one closes; or at once, where it is left already
 *   forget N                       of what was left, number N alone (from 0)
 *   host 1, host 0                 remarks on what the calls from here on ask of the host (judge/host.c)
 *   what-if 1, what-if 0           launches are reported with how much faster they would be without one limit
 *   everywhere 1, everywhere 0     the program may work at any time, windows or not: its calls are recorded and repeated
 *   record 1, record 0             a call in the host's memory begins, and ends: it is kept (judge/record.c)
 *   place ADDRESS OFFSET BYTES     once it has begun: a buffer of it lies there in the program; what stands for it, and is
 *                                  to be there when the call is repeated, lies at OFFSET of the memory in common
 *   repeat 0, repeat 1             the call once more, in its order; in another that its times allow, each stream as far ahead
 *   repeat 2, repeat 3, ...        as may be; its first stream, its second, ... as late as may be. Then the buffers are in the
 *                                  memory in common again. value: 1, it came to its end; 2, it has not so many streams
 *   trace 1                        the call once more, in its order: {"unordered"} names the first two pieces of work that
 *                                  nothing orders, or the first that the call's end does not wait for
 *   release 1                      the recording is not needed any more
 *   shape N X Y                    launch N (from 0) of the next call gets blocks of X x Y threads, and as many of
 *                                  them as cover what its own did
 *
 * A judge gets an answer to each, in order with the launch reports.
 */
#include "gpu/runtime/judge/judge.h"

#include <stdio.h>
#include <string.h>

/* A command as it was said. */
struct said {
    unsigned long long number[3];
    int count; /* of numbers; 0: the line is not all name and numbers */
    bool shaped;
    struct buffer_shape shape;
    uint64_t value; /* the answer's */
};

/* ---- of any reader of the report */

static enum simt_status obey_races(struct judge *judge, struct said *said) {
    simt_device_set_check_races(judge->server->device, judge->server->races = said->number[0]);
    return SIMT_OK;
}

static enum simt_status obey_check(struct judge *judge, struct said *said) {
    order_begin(&judge->server->order);
    simt_device_set_check(judge->server->device, judge->server->check = said->number[0]);
    return SIMT_OK;
}

static enum simt_status obey_counts(struct judge *judge, struct said *said) {
    judge->server->results_alone = !said->number[0];
    simt_device_set_results_alone(judge->server->device, judge->server->results_alone);
    return SIMT_OK;
}

static enum simt_status obey_timeline(struct judge *judge, struct said *said) {
    judge->server->timeline_told = said->number[0];
    return SIMT_OK;
}

/* ---- the judge's memory */

static enum simt_status obey_allocate(struct judge *judge, struct said *said) {
    struct simt_device *device = judge->server->device;
    if (judge->owned_count == JUDGE_OWNED)
        return SIMT_OUT_OF_MEMORY;
    simt_skip_addresses(device, said->number[1]);
    enum simt_status status = said->shaped
                                  ? simt_allocate_shaped(device, said->number[0], &said->shape, &said->value)
                                  : simt_allocate(device, said->number[0], &said->value);
    judge->begun = true;
    if (status == SIMT_OK) {
        judge->owned[judge->owned_count++] = said->value;
        simt_keep_foreign(device, said->value);
    }
    return status;
}

static enum simt_status obey_free(struct judge *judge, struct said *said) {
    for (unsigned i = 0; i < judge->owned_count; i++)
        if (judge->owned[i] == said->number[0]) {
            judge->owned[i] = judge->owned[--judge->owned_count];
            return simt_free(judge->server->device, said->number[0]);
        }
    return SIMT_INVALID_VALUE;
}

/* The range of the memory in common; NULL: it is not all there. */
static uint8_t *in_common(const struct judge *judge, uint64_t offset, uint64_t bytes) {
    return offset <= judge->bytes && bytes <= judge->bytes - offset ? judge->memory + offset : NULL;
}

static enum simt_status obey_write(struct judge *judge, struct said *said) {
    const uint8_t *common = in_common(judge, said->number[1], said->number[2]);
    return common != NULL ? simt_write(judge->server->device, said->number[0], common, said->number[2])
                          : SIMT_INVALID_VALUE;
}

static enum simt_status obey_read(struct judge *judge, struct said *said) {
    uint8_t *common = in_common(judge, said->number[1], said->number[2]);
    return common != NULL ? simt_read_judged(judge->server->device, common, said->number[0], said->number[2])
                          : SIMT_INVALID_VALUE;
}

/* What the judge fills a buffer with is nothing to compute with. */
static enum simt_status obey_fill(struct judge *judge, struct said *said) {
    struct simt_device *device = judge->server->device;
    enum simt_status status = simt_fill(device, said->number[0], said->number[2] & 0xff, 1, said->number[1]);
    if (status == SIMT_OK)
        simt_forget(device, said->number[0], said->number[1]);
    return status;
}

/* ---- its calls */

/* A program that does not find what it had left has to be told so. */
static void tell_missed(struct judge *judge) {
    const char *missed = simt_keep_missed(judge->server->device);
    if (judge->missed || missed == NULL)
        return;
    judge->missed = true;
    launch_report_forgotten(&judge->server->report, missed);
}

static enum simt_status obey_window(struct judge *judge, struct said *said) {
    struct server *server = judge->server;
    bool open = said->number[0], was_open = judge->window;
    judge->window = open;
    server->quiet = !open;
    judge->left = said->number[1];
    judge->begun = true;
    server->follows = server->queries_wait = open;
    simt_device_set_sample_races(server->device, open);
    if (open) {
        order_begin(&server->order);
        judge_host_begin(judge);
        judge_flow_begin_call(judge);
    } else {
        judge_host_end_of_call(judge);
        tell_missed(judge);
    }
    if (!open && was_open)
        judge_flow_end_call(judge);
    judge->launches = 0;
    judge->reshapes = judge->reshapes && open;
    memset(server->granted, 0, sizeof server->granted); /* no copy goes on from one call into the next */
    simt_device_flush_cache(server->device);
    return SIMT_OK;
}

static enum simt_status obey_shape(struct judge *judge, struct said *said) {
    enum { MOST = 1024 };
    const unsigned long long *number = said->number;
    if (number[0] > UINT32_MAX || number[1] == 0 || number[1] > MOST || number[2] == 0 || number[2] > MOST)
        return SIMT_INVALID_VALUE;
    judge->reshapes = true;
    judge->reshaped = (uint32_t)number[0];
    judge->shape[0] = (uint32_t)number[1];
    judge->shape[1] = (uint32_t)number[2];
    return SIMT_OK;
}

static enum simt_status obey_host(struct judge *judge, struct said *said) {
    judge->host.watched = said->number[0];
    return SIMT_OK;
}

static enum simt_status obey_what_if(struct judge *judge, struct said *said) {
    judge->server->what_ifs = said->number[0];
    return SIMT_OK;
}

static enum simt_status obey_keep(struct judge *judge, struct said *said) {
    judge->leaves = said->number[0];
    if (!judge->leaves && !judge->window)
        judge_flow_forget_all(judge);
    return SIMT_OK;
}

static enum simt_status obey_forget(struct judge *judge, struct said *said) {
    return !judge->window && judge_flow_forget(judge, said->number[0]) ? SIMT_OK : SIMT_INVALID_VALUE;
}

/* ---- calls in the host's memory */

static enum simt_status obey_everywhere(struct judge *judge, struct said *said) {
    judge->everywhere = said->number[0];
    return SIMT_OK;
}

static enum simt_status obey_record(struct judge *judge, struct said *said) {
    if (said->number[0])
        judge_recording_begin(judge);
    else
        judge_recording_end(judge);
    return SIMT_OK;
}

static enum simt_status obey_place(struct judge *judge, struct said *said) {
    return judge_recording_place(judge, said->number[0], said->number[1], said->number[2])
               ? SIMT_OK
               : SIMT_INVALID_VALUE;
}

static enum simt_status obey_repeat(struct judge *judge, struct said *said) {
    if (said->number[0] > JUDGE_LAGS + ORDER_LANES)
        return SIMT_INVALID_VALUE;
    said->value = judge_repeat(judge, said->number[0]);
    return SIMT_OK;
}

static enum simt_status obey_trace(struct judge *judge, struct said *said) {
    said->value = judge_trace(judge);
    return SIMT_OK;
}

static enum simt_status obey_release(struct judge *judge, struct said *said) {
    (void)said;
    judge_recording_release(judge);
    return SIMT_OK;
}

/* ---- which is which */

enum form {
    SWITCH, /* 0 or 1 */
    WINDOW, /* 0, 1, or 1 and a budget */
    ONE,    /* number */
    ONE_OR_TWO,
    THREE
};

static const struct command {
    const char *name;
    enum form form;
    enum simt_status (*obey)(struct judge *judge, struct said *said);
    bool anyone; /* may say it: the reader need not be a judge */
} commands[] = {
    {"races", SWITCH, obey_races, true},
    {"check", SWITCH, obey_check, true},
    {"counts", SWITCH, obey_counts, true},
    {"timeline", SWITCH, obey_timeline, true},
    {"allocate", ONE_OR_TWO, obey_allocate, false},
    {"free", ONE, obey_free, false},
    {"write", THREE, obey_write, false},
    {"read", THREE, obey_read, false},
    {"fill", THREE, obey_fill, false},
    {"window", WINDOW, obey_window, false},
    {"shape", THREE, obey_shape, false},
    {"host", SWITCH, obey_host, false},
    {"what-if", SWITCH, obey_what_if, false},
    {"keep", SWITCH, obey_keep, false},
    {"forget", ONE, obey_forget, false},
    {"everywhere", SWITCH, obey_everywhere, false},
    {"record", SWITCH, obey_record, false},
    {"place", THREE, obey_place, false},
    {"repeat", ONE, obey_repeat, false},
    {"trace", SWITCH, obey_trace, false},
    {"release", SWITCH, obey_release, false},
};

static bool fits(enum form form, const struct said *said) {
    bool is_switch = said->count == 1 && said->number[0] <= 1;
    switch (form) {
    case SWITCH: return is_switch;
    case WINDOW: return is_switch || (said->count == 2 && said->number[0] == 1 && said->number[1]);
    case ONE: return said->count == 1;
    case ONE_OR_TWO: return said->count == 1 || said->count == 2;
    case THREE: break;
    }
    return said->count == 3;
}

/* The command of a line and its numbers; NULL: it is none. */
static const struct command *parse(const char *line, struct said *said) {
    char name[16] = "";
    int end_of[4] = {0};
    const char *as = strstr(line, " as ");
    *said = (struct said){0};
    said->shaped = as != NULL && strncmp(line, "allocate ", 9) == 0 &&
                   buffer_shape_parse(as + strlen(" as "), &said->shape);
    said->count = sscanf(line, "%15s%n %llu%n %llu%n %llu%n", name, &end_of[0], &said->number[0], &end_of[1],
                         &said->number[1], &end_of[2], &said->number[2], &end_of[3]) -
                  1;
    if (said->count < 1 ||
        (line[end_of[said->count]] != '\0' && !(said->shaped && line + end_of[said->count] == as)))
        said->count = 0;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, name) == 0 && fits(commands[i].form, said))
            return &commands[i];
    return NULL;
}

static void obey(struct judge *judge, const char *line) {
    struct said said;
    const struct command *command = parse(line, &said);
    bool is_judge = judge->memory != NULL;
    enum simt_status status = SIMT_INVALID_VALUE;
    if (command != NULL && (is_judge || command->anyone))
        status = command->obey(judge, &said);
    if (!is_judge)
        return;                         /* nobody waits for an answer */
    server_take_remarks(judge->server); /* of what was read */
    launch_report_answer(&judge->server->report, line, server_error_of(status), said.value);
}

void judge_obey(struct judge *judge) {
    char line[LAUNCH_REPORT_COMMAND_BYTES];
    while (launch_report_command(&judge->server->report, line))
        obey(judge, line);
}
