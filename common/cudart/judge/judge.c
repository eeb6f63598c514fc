/*
 * judge.c: a judge between whose calls the program is nobody. It reads the launch report, and has
 * memory in common with this process alone. By commands on the report's socket it puts inputs into device
 * memory and takes results out of it; the program gets their addresses and never the bytes, unless it copies
 * them, which the report shows. Outside the judge's windows the program may allocate, load modules and make
 * streams, but no kernel, copy or fill of its runs; copies and fills do until the judge has given something. When a
 * window closes, what may follow from an input is forgotten (simt/memory/kept.c, judge/shared.c).
 *
 *   races 0|1, check 0|1, caches 0|1, timeline 0|1   any reader of the report may say this; the others need memory in common
 *   allocate BYTES                 value: the address
 *   allocate BYTES PAGES           the same, that many pages of 2 MiB further on than it would be
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
 *   everywhere 1, everywhere 0     the program may work at any time, windows or not: its calls are recorded and repeated
 *   record 1, record 0             a call in the host's memory begins, and ends: it is kept (judge/record.c)
 *   place ADDRESS OFFSET BYTES     once it has begun: a buffer of it lies there in the program; what stands for it, and is
 *                                  to be there when the call is repeated, lies at OFFSET of the memory in common
 *   repeat 0, repeat 1             the call once more, in its order; in another that its times allow, each stream as far ahead
 *   repeat 2, repeat 3, ...        as may be; its first stream, its second, ... as late as may be. Then the buffers are in the
 *                                  memory in common again. value: 1, it came to its end; 2, it has not so many streams
 *   release 1                      the recording is not needed any more
 *   shape N X Y                    launch N (from 0) of the next call gets blocks of X x Y threads, and as many of
 *                                  them as cover what its own did
 *
 * A judge gets an answer to each, in order with the launch reports.
 */
#include "cudart/server/server.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool server_judge_open(struct server *server, char *error, size_t size) {
    struct stat status;
    int descriptor = server->options.memory;
    if (descriptor < 0)
        return true;
    void *memory = MAP_FAILED;
    if (server->report.socket && fstat(descriptor, &status) == 0 && status.st_size > 0)
        memory = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (memory == MAP_FAILED) {
        snprintf(error, size, "--memory-fd is no memory, or --report-fd no socket for its commands");
        return false;
    }
    server->judge.memory = memory;
    server->judge.bytes = (uint64_t)status.st_size;
    return true;
}

void server_judge_close(struct server *server) {
    if (server->judge.memory != NULL)
        munmap(server->judge.memory, server->judge.bytes);
    server->judge.memory = NULL;
}

/* ---- what the program may do */

enum violation { OUTSIDE, FREED };

/* The first of each kind is told: a program that goes on cannot drown the report. */
static void tell(struct server *server, enum violation kind, const char *message) {
    static const char *const names[] = {[OUTSIDE] = "outside", [FREED] = "freed"};
    if (server->judge.violated & 1u << kind)
        return;
    server->judge.violated |= 1u << kind;
    pthread_mutex_lock(&server->reporting);
    launch_report_violation(&server->report, names[kind], message);
    pthread_mutex_unlock(&server->reporting);
}

/* Before the judge has given anything there is no input that a copy or a fill could be of: objects may clear their memory
 * where they are made. */
bool server_judge_allows(struct server *server, const char *work, bool kernel, struct reply *reply) {
    if (server->judge.memory == NULL || server->judge.window || server->judge.everywhere)
        return true;
    server_judge_obey(server); /* the window may have been opened meanwhile */
    if (server->judge.window || server->judge.everywhere || (!server->judge.begun && !kernel))
        return true;
    reply->error = ERROR_NOT_PERMITTED;
    tell(server, OUTSIDE, work);
    return false;
}

void server_judge_spend(struct server *server, uint64_t instructions) {
    uint64_t *left = &server->judge.left;
    if (*left) /* never 0 again: the next launch of the call stops at once */
        *left = *left > instructions ? *left - instructions : 1;
}

bool server_judge_owns(struct server *server, uint64_t address, const char *what) {
    for (unsigned i = 0; i < server->judge.owned_count; i++)
        if (server->judge.owned[i] == address) {
            tell(server, FREED, what);
            return true;
        }
    return false;
}

bool server_judge_reports(const struct server *server) {
    return server->judge.memory == NULL || server->judge.window;
}

/* ---- commands */

/* shape: NULL where nothing is said of it. */
static enum simt_status own(struct server *server, uint64_t bytes, uint64_t pages,
                            const struct buffer_shape *shape, uint64_t *address) {
    struct server_judge *judge = &server->judge;
    if (judge->owned_count == SERVER_OWNED)
        return SIMT_OUT_OF_MEMORY;
    simt_skip_addresses(server->device, pages);
    enum simt_status status = shape != NULL ? simt_allocate_shaped(server->device, bytes, shape, address)
                                            : simt_allocate(server->device, bytes, address);
    judge->begun = true;
    if (status == SIMT_OK) {
        judge->owned[judge->owned_count++] = *address;
        simt_keep_foreign(server->device, *address);
    }
    return status;
}

static enum simt_status disown(struct server *server, uint64_t address) {
    struct server_judge *judge = &server->judge;
    for (unsigned i = 0; i < judge->owned_count; i++)
        if (judge->owned[i] == address) {
            judge->owned[i] = judge->owned[--judge->owned_count];
            return simt_free(server->device, address);
        }
    return SIMT_INVALID_VALUE;
}

/* The range of the memory in common, NULL when it is not all there. */
static uint8_t *in_common(const struct server_judge *judge, uint64_t offset, uint64_t bytes) {
    return offset <= judge->bytes && bytes <= judge->bytes - offset ? judge->memory + offset : NULL;
}

static enum simt_status move(struct server *server, bool write, uint64_t address, uint64_t offset,
                             uint64_t bytes) {
    uint8_t *common = in_common(&server->judge, offset, bytes);
    if (common == NULL)
        return SIMT_INVALID_VALUE;
    return write ? simt_write(server->device, address, common, bytes)
                 : simt_read_judged(server->device, common, address, bytes);
}

/* What the judge fills a buffer with is nothing to compute with. */
static enum simt_status poison(struct server *server, uint64_t address, uint64_t bytes, uint32_t value) {
    enum simt_status status = simt_fill(server->device, address, value, 1, bytes);
    if (status == SIMT_OK)
        simt_forget(server->device, address, bytes);
    return status;
}

/* A program that does not find what it had left has to be told so. */
static void tell_missed(struct server *server) {
    const char *missed = simt_keep_missed(server->device);
    if (server->judge.missed || missed == NULL)
        return;
    server->judge.missed = true;
    pthread_mutex_lock(&server->reporting);
    launch_report_forgotten(&server->report, missed);
    pthread_mutex_unlock(&server->reporting);
}

static void open_window(struct server *server, bool open, uint64_t budget) {
    bool was_open = server->judge.window;
    server->judge.window = open;
    server->judge.left = budget;
    server->judge.begun = true;
    if (open) {
        server_host_begin(server);
        server_flow_begin_call(server);
    } else {
        server_host_end_of_call(server);
        tell_missed(server);
    }
    if (!open && was_open)
        server_flow_end_call(server);
    server->judge.launches = 0;
    server->judge.reshapes = server->judge.reshapes && open;
    memset(server->granted, 0, sizeof server->granted); /* no copy goes on from one call into the next */
    simt_device_flush_cache(server->device);
}

static bool shape_launch(struct server_judge *judge, const unsigned long long number[3]) {
    enum { MOST = 1024 };
    if (number[0] > UINT32_MAX || number[1] == 0 || number[1] > MOST || number[2] == 0 || number[2] > MOST)
        return false;
    judge->reshapes = true;
    judge->reshaped = (uint32_t)number[0];
    judge->shape[0] = (uint32_t)number[1];
    judge->shape[1] = (uint32_t)number[2];
    return true;
}

void server_judge_reshape(struct server *server, uint32_t grid[3], uint32_t block[3]) {
    struct server_judge *judge = &server->judge;
    if (judge->launches++ != judge->reshaped || !judge->reshapes)
        return;
    for (int i = 0; i < 2; i++) {
        uint64_t threads = (uint64_t)grid[i] * block[i];
        block[i] = judge->shape[i];
        grid[i] = (uint32_t)((threads + block[i] - 1) / block[i]);
    }
}

/* Commands of a call in the host's memory. False: it is none of them. */
static bool obey_recording(struct server *server, const char *name, int count,
                           const unsigned long long number[3], enum simt_status *status, uint64_t *value) {
    bool on = number[0] == 1, is_switch = count == 1 && number[0] <= 1, right = true;
    if (strcmp(name, "everywhere") == 0 && is_switch)
        server->judge.everywhere = on;
    else if (strcmp(name, "record") == 0 && is_switch && on)
        server_recording_begin(server);
    else if (strcmp(name, "record") == 0 && is_switch)
        server_recording_end(server);
    else if (strcmp(name, "place") == 0 && count == 3)
        right = server_recording_place(server, number[0], number[1], number[2]);
    else if (strcmp(name, "repeat") == 0 && count == 1 && number[0] <= SERVER_LAGS + SERVER_LANES)
        *value = server_repeat(server, number[0]);
    else if (strcmp(name, "release") == 0 && is_switch)
        server_recording_release(server);
    else
        return false;
    *status = right ? SIMT_OK : SIMT_INVALID_VALUE;
    return true;
}

static void obey(struct server *server, const char *line) {
    char name[16] = "";
    unsigned long long number[3] = {0};
    int end_of[4] = {0};
    struct buffer_shape shape;
    const char *as = strstr(line, " as ");
    bool shaped =
        as != NULL && strncmp(line, "allocate ", 9) == 0 && buffer_shape_parse(as + strlen(" as "), &shape);
    int count = sscanf(line, "%15s%n %llu%n %llu%n %llu%n", name, &end_of[0], &number[0], &end_of[1],
                       &number[1], &end_of[2], &number[2], &end_of[3]) -
                1;
    /* What is not all name and numbers is no command: it is answered as one that cannot be obeyed. */
    if (count < 1 || (line[end_of[count]] != '\0' && !(shaped && line + end_of[count] == as)))
        count = 0;
    enum simt_status status = SIMT_INVALID_VALUE;
    uint64_t value = 0;
    bool on = number[0] == 1, is_switch = count == 1 && number[0] <= 1;
    if (strcmp(name, "races") == 0 && is_switch) {
        simt_device_set_check_races(server->device, server->races = on);
        status = SIMT_OK;
    } else if (strcmp(name, "check") == 0 && is_switch) {
        simt_device_set_check(server->device, server->check = on);
        status = SIMT_OK;
    } else if (strcmp(name, "timeline") == 0 && is_switch) {
        server->timeline_told = on;
        status = SIMT_OK;
    } else if (strcmp(name, "caches") == 0 && is_switch) {
        simt_device_set_simulate_caches(server->device, server->caches = on);
        status = SIMT_OK;
    }
    if (server->judge.memory == NULL)
        return; /* a reader that is no judge */
    if (strcmp(name, "allocate") == 0 && (count == 1 || count == 2))
        status = own(server, number[0], number[1], shaped ? &shape : NULL, &value);
    else if (strcmp(name, "free") == 0 && count == 1)
        status = disown(server, number[0]);
    else if (strcmp(name, "write") == 0 && count == 3)
        status = move(server, true, number[0], number[1], number[2]);
    else if (strcmp(name, "read") == 0 && count == 3)
        status = move(server, false, number[0], number[1], number[2]);
    else if (strcmp(name, "fill") == 0 && count == 3)
        status = poison(server, number[0], number[1], number[2] & 0xff);
    else if (strcmp(name, "shape") == 0 && count == 3 && shape_launch(&server->judge, number))
        status = SIMT_OK;
    else if (strcmp(name, "host") == 0 && is_switch) {
        server->host.watched = on;
        status = SIMT_OK;
    } else if (strcmp(name, "keep") == 0 && is_switch) {
        server->judge.leaves = on;
        if (!on && !server->judge.window)
            server_flow_forget_all(server);
        status = SIMT_OK;
    } else if (strcmp(name, "forget") == 0 && count == 1 && !server->judge.window &&
               server_flow_forget(server, number[0])) {
        status = SIMT_OK;
    } else if (strcmp(name, "window") == 0 && (is_switch || (count == 2 && number[0] == 1 && number[1]))) {
        open_window(server, on, number[1]);
        status = SIMT_OK;
    } else {
        obey_recording(server, name, count, number, &status, &value);
    }
    server_take_remarks(server); /* of what was read */
    pthread_mutex_lock(&server->reporting);
    launch_report_answer(&server->report, line, server_error_of(status), value);
    pthread_mutex_unlock(&server->reporting);
}

void server_judge_obey(struct server *server) {
    char line[LAUNCH_REPORT_COMMAND_BYTES];
    while (launch_report_command(&server->report, line))
        obey(server, line);
}
