/* Preparing a case, having it computed, judging it. */
#include "lab/judge/calls/trial.h"
#include "base/clock.h"
#include "base/parallel.h"
#include "lab/judge/calls/judge_parts.h"
#include "lab/judge/session/session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A case is copied into a request unchanged. */
static_assert((int)PROBLEM_BUFFERS == (int)RUNNER_BUFFERS && (int)PROBLEM_SIZES == (int)RUNNER_SIZES,
              "problem.h and runner/protocol.h disagree");

static uint64_t round_up(uint64_t bytes) {
    return (bytes + 4095) / 4096 * 4096;
}

/* Number of buffers that start with the content of fill: inputs, and outputs that are changed in
 * place. */
static unsigned copied_buffers(const struct problem_layout *l) {
    return l->input_count + (l->in_place ? l->output_count : 0);
}

bool trial_create(struct trial *t, const struct problem *problem, const struct problem_case *problem_case) {
    *t = (struct trial){.problem = problem, .problem_case = *problem_case};
    problem->layout(problem_case, &t->layout);
    bool right = true;
    for (unsigned i = 0; i < copied_buffers(&t->layout); i++)
        right = (t->input[i] = malloc(t->layout.bytes[i])) != NULL && right;
    for (unsigned i = 0; i < t->layout.output_count - t->layout.scratch; i++) {
        size_t bytes = i == 0 && t->layout.expected_bytes != 0 ? t->layout.expected_bytes
                                                               : t->layout.bytes[t->layout.input_count + i];
        right = (t->expected[i] = malloc(bytes)) != NULL && right;
    }
    if (right) {
        problem->fill(problem_case, t->input);
        right = problem->solve(problem_case, (const void *const *)t->input, t->expected);
    }
    if (!right)
        trial_free(t);
    return right;
}

void trial_free(struct trial *t) {
    for (unsigned i = 0; i < PROBLEM_BUFFERS; i++) {
        free(t->input[i]);
        free(t->expected[i]);
        t->input[i] = t->expected[i] = NULL;
    }
}

uint64_t trial_memory(const struct problem *problem, const struct problem_case *problem_case) {
    struct problem_layout layout;
    problem->layout(problem_case, &layout);
    uint64_t bytes = 0;
    for (unsigned i = 0; i < layout.input_count + layout.output_count; i++)
        bytes += round_up(layout.bytes[i] + 2 * RUNNER_GUARD_BYTES);
    return bytes;
}

uint8_t trial_poison(const struct draw_key *key) {
    return problem_poison(draw_for(key, "poison").bytes[0]);
}

void trial_request(const struct trial *t, const struct trial_options *o, struct runner_request *request) {
    *request = (struct runner_request){.command = RUNNER_PREPARE};
    request->buffer_count = t->layout.input_count + t->layout.output_count;
    request->guard = o->guard ? RUNNER_GUARD_BYTES : 0;
    request->poison = trial_poison(&o->key);
    memcpy(request->size, t->problem_case.size, sizeof request->size);
    uint64_t offset = 0;
    for (unsigned i = 0; i < request->buffer_count; i++) {
        request->buffer[i].offset = offset;
        request->buffer[i].bytes = t->layout.bytes[i];
        request->buffer[i].output = i >= copied_buffers(&t->layout);
        offset += round_up(t->layout.bytes[i] + 2 * RUNNER_GUARD_BYTES);
    }
}

/* Looks for a write outside a buffer, and says which buffer, which side, how far off. */
static bool check_guards(const struct trial *t, const struct runner_request *request, const uint8_t *memory,
                         bool on_host, struct problem_verdict *verdict) {
    for (unsigned i = 0; i < request->buffer_count; i++) {
        const uint8_t *before = memory + request->buffer[i].offset,
                      *after = before + request->guard + request->buffer[i].bytes;
        for (uint64_t g = 0; g < request->guard; g++) {
            bool low = before[request->guard - 1 - g] != request->poison;
            if (!low && after[g] == request->poison)
                continue;
            *verdict = (struct problem_verdict){.total = verdict->total, .wrong = verdict->wrong};
            snprintf(verdict->message, sizeof verdict->message, "a write outside %s: %llu byte%s %s its %s",
                     t->layout.shape[i].name, (unsigned long long)g + 1, g == 0 ? "" : "s",
                     low ? "before" : "past", low ? "start" : "end");
            snprintf(verdict->hint, sizeof verdict->hint, "%s writes although %s%s before the store.",
                     on_host ? "Your function for the host" : "Some thread", on_host ? "" : "its ",
                     t->problem->outside != NULL ? t->problem->outside
                     : t->problem->picture != NULL
                         ? "x or y is outside the image: check x < width and y < height"
                         : "row or column is outside the matrix: check row < m and column < n");
            return false;
        }
    }
    return true;
}

static bool check_inputs(const struct trial *t, const struct runner_request *request, const uint8_t *memory,
                         struct problem_verdict *verdict) {
    for (unsigned i = 0; i < t->layout.input_count; i++) {
        if (parallel_same(memory + request->buffer[i].offset + request->guard, t->input[i],
                          t->layout.bytes[i]))
            continue;
        *verdict = (struct problem_verdict){.total = verdict->total};
        snprintf(verdict->message, sizeof verdict->message, "%s was changed", t->layout.shape[i].name);
        snprintf(verdict->hint, sizeof verdict->hint, "%s is read only: write to %s.",
                 t->layout.shape[i].name, t->layout.shape[t->layout.input_count].name);
        return false;
    }
    return true;
}

static bool judge(const struct trial *t, const struct runner_request *request, const uint8_t *memory,
                  bool on_host, bool keep_output, struct trial_result *result, struct failure *failure) {
    const void *got[PROBLEM_BUFFERS] = {NULL};
    for (unsigned i = 0; i < t->layout.output_count; i++)
        got[i] = memory + request->buffer[t->layout.input_count + i].offset + request->guard;
    if (keep_output) {
        result->output = malloc(t->layout.bytes[t->layout.input_count]);
        if (result->output == NULL) {
            failure_set(failure, STAGE_MEASURE, "out of memory");
            return false;
        }
        memcpy(result->output, got[0], t->layout.bytes[t->layout.input_count]);
    }
    t->problem->compare(&t->problem_case, (const void *const *)t->expected, got, (uint8_t)request->poison,
                        &result->verdict);
    if (!check_guards(t, request, memory, on_host, &result->verdict))
        result->flag = FLAG_GUARD_BAND;
    else if (!check_inputs(t, request, memory, &result->verdict))
        result->flag = FLAG_INPUT_CHANGED;
    return true;
}

/* The bytes of the inputs, and of the answer. */
static void count_bytes(const struct problem_layout *l, uint64_t *input, uint64_t *answer) {
    *input = *answer = 0;
    for (unsigned i = 0; i < copied_buffers(l); i++)
        *input += l->bytes[i];
    for (unsigned i = 0; i < l->output_count - l->scratch; i++)
        *answer += l->bytes[l->input_count + i];
}

/*
 * A program that computes on the host must learn the input first, and carry the answer to the
 * device afterwards. So either much moves one way, or a fair part of this case's input and answer
 * moves both ways. These are no answer from the host: a few bytes (a minimum, a flag, a table of
 * weights), a result that is copied back at the end, and memory of both sides that only kernels
 * touch.
 */
static bool check_traffic(const struct trial *t, const struct session_traffic *traffic,
                          struct failure *failure) {
    enum { LITTLE = 64 << 10, LARGE_PART = 4, FAIR_PART = 16, LEARNED_LITTLE = 64, CARRIED_LITTLE = 256 };
    uint64_t input, answer, table = t->problem->table_bytes;
    count_bytes(&t->layout, &input, &answer);
    const struct {
        uint64_t bytes, all;
        const char *what;
    } ways[] = {
        {traffic->carried > 0 ? traffic->from_device : 0, input,
         "copies %llu bytes from the GPU to the host"},
        {traffic->to_device, answer, "brings %llu bytes from the host to the GPU"},
    };
    char what[160] = "";
    for (size_t i = 0; i < sizeof ways / sizeof *ways && what[0] == '\0'; i++)
        if (ways[i].bytes > LITTLE && ways[i].bytes >= ways[i].all / LARGE_PART)
            snprintf(what, sizeof what, ways[i].what, (unsigned long long)ways[i].bytes);
    if (what[0] == '\0' && traffic->learned >= LEARNED_LITTLE && traffic->learned >= input / FAIR_PART &&
        traffic->carried >= CARRIED_LITTLE + table && traffic->carried >= answer / FAIR_PART)
        snprintf(what, sizeof what,
                 "shows the host %llu bytes of GPU memory and then brings %llu bytes to the GPU",
                 (unsigned long long)traffic->learned, (unsigned long long)traffic->carried);
    if (what[0] == '\0')
        return true;
    failure_set_flag(failure, FLAG_HOST_ANSWER, STAGE_MEASURE,
                     "%s %s: the result is to be computed by kernels, on the GPU.", t->problem->function,
                     what);
    return false;
}

static void copy_inputs(const struct trial *t, const struct runner_request *request, uint8_t *memory) {
    for (unsigned i = 0; i < copied_buffers(&t->layout); i++)
        parallel_copy(memory + request->buffer[i].offset + request->guard, t->input[i], t->layout.bytes[i]);
}

/* ---- the ways in which a call is made */

/* One call. request: PREPARE, with the places of the buffers; reply, result, failure: the
 * outcome. */
struct call {
    const struct trial *trial;
    struct session *session;
    const struct trial_options *options;
    struct runner_request *request;
    struct runner_reply reply;
    struct trial_result *result;
    struct failure *failure;
};

/* Times a plain copy of the first buffer of the last case, where one is wanted. `called` has its
 * place, where the runner does not know it. */
static bool time_copy(struct call *c, const struct runner_request *called) {
    struct runner_request copy = *called;
    struct runner_reply copied;
    if (!c->options->copy)
        return true;
    copy.command = RUNNER_COPY;
    copy.flush_bytes = c->options->flush_bytes;
    bool right = session_exchange(c->session, &copy, &copied, c->failure);
    c->result->copy_us = right ? copied.time_us : 0;
    return right;
}

static bool take_kernels(struct call *c) {
    return session_take_kernels(c->session, &c->result->kernels, &c->result->kernel_count,
                                &c->result->lines_left_out, c->failure);
}

/* An owner has the buffers; inputs and results pass between the owner and the judge. */
static bool call_by_owner(struct call *c) {
    const struct trial_options *o = c->options;
    struct trial_result *result = c->result;
    struct session_call called;
    if (!session_owner_call(c->session, c->request, o->wait || !o->timed, o->timed, o->flush_bytes, &called,
                            c->failure))
        return false;
    c->reply = called.reply;
    result->wall_us = called.wall_us;
    result->window_us = called.window_us;
    result->again_us = called.again_us;
    result->late = called.late;
    return time_copy(c, c->request);
}

/* Fills the outputs and their guard bands with a byte that is neither the poison nor left by an
 * earlier call. */
static void overwrite(const struct call *c, bool outputs_only) {
    const struct runner_request *request = c->request;
    for (unsigned i = 0; i < request->buffer_count; i++)
        if (!outputs_only || request->buffer[i].output)
            parallel_fill(session_memory(c->session) + request->buffer[i].offset,
                          (int)(request->poison ^ 0xff),
                          request->buffer[i].bytes + 2 * (uint64_t)request->guard);
}

/* The runner owns the buffers and copies both ways. */
static bool call_by_runner(struct call *c) {
    struct runner_request fetch = {.command = RUNNER_FETCH}, call = {.command = RUNNER_CALL,
                                                                     .timed = c->options->timed,
                                                                     .flush_bytes = c->options->flush_bytes};
    struct runner_reply fetched;
    if (!session_exchange(c->session, c->request, &c->reply, c->failure))
        return false;
    double begin = clock_seconds();
    if (!session_exchange(c->session, &call, &c->reply, c->failure))
        return false;
    c->result->wall_us = 1e6 * (clock_seconds() - begin);
    if (!time_copy(c, &call))
        return false;
    overwrite(c, false); /* what the runner does not bring back */
    return session_exchange(c->session, &fetch, &fetched, c->failure);
}

/* The budget of a call in warp instructions on the simulated GPU, more than any kernel needs
 * that ends. One careless thread that does all the work needs about eight for each operation and
 * one for each byte; a warp needs a thirtieth. */
static uint64_t budget(const struct trial *t) {
    const double least = 1 << 25, each = 16;
    struct problem_work work;
    t->problem->work(&t->problem_case, &work);
    return (uint64_t)(least + each * (work.operations + work.bytes));
}

/* A call with a kernel that has no time has none, and earns nothing: its counters cannot show. */
static void miss_time(struct trial_result *result) {
    for (unsigned i = 0; i < result->kernel_count; i++) {
        const struct kernel_report *kernel = &result->kernels[i];
        if (isfinite(kernel->time_us))
            continue;
        result->device_us = (double)NAN;
        if (result->unpaid[0] == '\0')
            snprintf(result->unpaid, sizeof result->unpaid, "%.60s: %.90s", kernel->name, kernel->timed_why);
    }
}

/* A result that depends on which of two pieces of work is first is right by chance. */
static bool check_order(const struct session_traffic *traffic, struct failure *failure) {
    if (traffic->unordered[0] != '\0')
        failure_set(failure, STAGE_FAULT, "%s", traffic->unordered);
    return traffic->unordered[0] == '\0';
}

/* One call in a window of its own. */
static bool call_in_window(struct call *c, struct session_traffic *traffic) {
    const struct trial *t = c->trial;
    struct session *session = c->session;
    if (!device_memory_prepare(session, c->request, t->layout.shape, &c->options->key, c->failure))
        return false;
    struct runner_request call = *c->request;
    call.command = RUNNER_CALL;
    if (c->options->leave && !device_memory_keep(session, true, c->failure))
        return false;
    if (!device_memory_open_window(session, budget(t), c->failure) ||
        !session_exchange(session, &call, &c->reply, c->failure) ||
        !device_memory_close_window(session, c->failure))
        return false;
    *traffic = session_take_traffic(session);
    return take_kernels(c) && check_traffic(t, traffic, c->failure) && check_order(traffic, c->failure);
}

/* The judge owns the buffers; the runner's process may use the GPU in its window only. A call whose
 * work could overlap, as the first of its process, is made again: then its footprints are known. */
static bool call_by_judge(struct call *c) {
    struct session *session = c->session;
    struct trial_result *result = c->result;
    struct session_traffic traffic;
    if (!session_ready(session, c->failure) || !call_in_window(c, &traffic))
        return false;
    if (traffic.unseen && !c->options->leave) {
        trial_result_free(result);
        if (!call_in_window(c, &traffic))
            return false;
    }
    result->device_us = traffic.time_us;
    result->idle_us = traffic.idle_us;
    for (unsigned i = 0; i < result->kernel_count; i++)
        result->device_us += result->kernels[i].time_us;
    miss_time(result);
    return device_memory_fetch(session, c->request, c->failure);
}

/* A recorded call in the host's memory, timed by the simulated GPU's clock over the run alone,
 * and perhaps repeated. */
static bool call_recorded(struct call *c) {
    struct runner_request run = {.command = RUNNER_RUN_HOST}, end = {.command = RUNNER_CLOSE_HOST};
    struct runner_reply opened;
    struct session *session = c->session;
    const struct trial *other = c->options->repeat;
    c->request->command = RUNNER_OPEN_HOST;
    if (!session_command(session, NULL, c->failure, "everywhere 1") ||
        !session_exchange(session, c->request, &opened, c->failure) || !take_kernels(c))
        return false;
    trial_result_free(c->result); /* work before the run does not count */
    if (!repeat_begin(session, c->request, opened.address, c->failure) ||
        !session_exchange(session, &run, &c->reply, c->failure) || !repeat_end(session, c->failure))
        return false;
    double more_us = 0;
    c->reply.time_us = session_recorded(session)->time_us;
    c->result->pinned = session_recorded(session)->pinned;
    if (!take_kernels(c) || (other != NULL && !repeat_call(session, c->trial, other, c->request, c->result,
                                                           &more_us, c->failure)))
        return false;
    c->reply.time_us += more_us; /* no kernel may save work by knowing the data */
    return repeat_release(session, c->failure) && session_exchange(session, &end, &opened, c->failure);
}

/* A call in the host's memory that is not recorded; its kernels are reported. */
static bool call_on_host(struct call *c) {
    bool records = session_repeated(c->session) != NULL;
    c->request->command = RUNNER_CALL_HOST;
    c->request->timed = c->options->timed && !records;
    overwrite(c, true);
    double begin = clock_seconds();
    if (!(records ? call_recorded(c) : session_exchange(c->session, c->request, &c->reply, c->failure)))
        return false;
    c->result->wall_us = 1e6 * (clock_seconds() - begin);
    c->result->device_us = c->reply.time_us;
    if (!records && !take_kernels(c))
        return false;
    miss_time(c->result);
    return true;
}

static bool is_on_host(const struct call *c) {
    return c->trial->problem->on_host;
}

static bool judge_owns(const struct call *c) {
    return session_owns_memory(c->session);
}

static bool owner_owns(const struct call *c) {
    return session_has_owner(c->session);
}

/* The ways in order; the first that fits the session makes the call. */
static const struct way {
    bool (*holds)(const struct call *c); /* NULL: always */
    bool (*make)(struct call *c);
} ways[] = {{is_on_host, call_on_host},
            {judge_owns, call_by_judge},
            {owner_owns, call_by_owner},
            {NULL, call_by_runner}};

static bool make_call(struct call *c) {
    const struct way *way = ways;
    while (way->holds != NULL && !way->holds(c))
        way++;
    return way->make(c);
}

/* Explains a grid without blocks by the case's sizes. */
static void explain_empty_grid(const struct trial *t, const struct session *session,
                               struct failure *failure) {
    uint32_t grid[3], block[3];
    const struct problem *p = t->problem;
    char sizes[160] = "", small[96] = "";
    bool nothing = false;
    if (failure->stage != STAGE_FAULT || !session_empty_grid(session, grid, block))
        return;
    int axis = grid[0] == 0 ? 0 : grid[1] == 0 ? 1 : 2;
    for (unsigned i = 0; i < PROBLEM_SIZES; i++) {
        long long size = (long long)t->problem_case.size[i];
        size_t length = strlen(sizes);
        if (p->size_names[i] == NULL)
            continue;
        snprintf(sizes + length, sizeof sizes - length, "%s%s is %lld", length > 0 ? ", " : "",
                 p->size_names[i], size);
        nothing = nothing || size == 0;
        if (size > 0 && size < block[axis] && small[0] == '\0')
            snprintf(small, sizeof small, ", and in whole numbers %lld / %u is 0", size, block[axis]);
    }
    size_t length = strlen(failure->message);
    snprintf(failure->message + length, sizeof failure->message - length, "\nIn this case %s%s.%s", sizes,
             nothing ? "" : small,
             nothing ? " Where there is nothing to compute, return before the launch." : "");
}

bool trial_run(const struct trial *t, struct session *session, const struct trial_options *o,
               struct trial_result *result, struct failure *failure) {
    *result = (struct trial_result){0};
    uint8_t *memory = session_memory(session);
    struct runner_request prepare;
    struct call call = {t, session, o, &prepare, {0}, result, failure};
    trial_request(t, o, &prepare);
    copy_inputs(t, &prepare, memory);
    bool right = make_call(&call);
    result->event_us = right && o->timed ? call.reply.time_us : 0;
    result->after_us = right && o->timed ? call.reply.after_us : 0;
    if (!right)
        explain_empty_grid(t, session, failure);
    right = right && judge(t, &prepare, memory, t->problem->on_host, o->keep_output, result, failure);
    if (!right)
        trial_result_free(result);
    return right;
}

void trial_explain_missed(const struct session *session, struct problem_verdict *verdict) {
    const char *missed = session_missed(session);
    size_t length = strlen(verdict->hint);
    if (missed[0] != '\0')
        snprintf(verdict->hint + length, sizeof verdict->hint - length,
                 "%sAs a process's first call it is right. What an earlier call left in %s is forgotten when "
                 "that call ends: each call must compute everything that depends on its input.",
                 length > 0 ? " " : "", missed);
}

bool trial_run_cpu(const struct trial *t, struct session *session, const struct draw_key *key,
                   struct trial_result *result, struct failure *failure) {
    *result = (struct trial_result){0};
    uint8_t *memory = session_memory(session);
    struct trial_options options = {.key = *key, .guard = true};
    struct runner_request request;
    struct runner_reply reply;
    trial_request(t, &options, &request);
    request.command = RUNNER_CALL_CPU;
    for (unsigned i = 0; i < request.buffer_count; i++)
        memset(memory + request.buffer[i].offset, (int)request.poison,
               request.buffer[i].bytes + 2 * (uint64_t)request.guard);
    copy_inputs(t, &request, memory);
    if (!session_exchange(session, &request, &reply, failure) ||
        !judge(t, &request, memory, true, true, result, failure)) {
        trial_result_free(result);
        return false;
    }
    result->event_us = reply.time_us;
    return true;
}

void trial_result_free(struct trial_result *result) {
    for (unsigned i = 0; i < result->kernel_count; i++)
        kernel_report_free(&result->kernels[i]);
    free(result->kernels);
    free(result->output);
    *result = (struct trial_result){0};
}
