/* repeat.c: recording and repeating a call: the judge's commands, and what the results mean. */
#include "lab/judge/calls/judge_parts.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

typedef unsigned long long number; /* what %llu prints */

bool repeat_begin(struct session *session, const struct runner_request *request,
                  const uint64_t address[RUNNER_BUFFERS], struct failure *failure) {
    if (!session_command(session, NULL, failure, "record 1"))
        return false;
    for (uint32_t i = 0; i < request->buffer_count; i++) {
        const struct runner_buffer *b = &request->buffer[i];
        if (!session_command(session, NULL, failure, "place %llu %llu %llu", (number)address[i],
                             (number)b->offset, (number)(b->bytes + 2 * (uint64_t)request->guard)))
            return false;
    }
    return true;
}

bool repeat_end(struct session *session, struct failure *failure) {
    return session_command(session, NULL, failure, "record 0");
}

bool repeat_release(struct session *session, struct failure *failure) {
    return session_command(session, NULL, failure, "release 1");
}

/* Lays out the inputs, and poison everywhere else. */
static void lay_out(const struct trial *t, const struct runner_request *request, uint8_t *memory) {
    for (uint32_t i = 0; i < request->buffer_count; i++) {
        const struct runner_buffer *b = &request->buffer[i];
        memset(memory + b->offset, (int)request->poison, b->bytes + 2 * (uint64_t)request->guard);
        if (!b->output)
            memcpy(memory + b->offset + request->guard, t->input[i], b->bytes);
    }
}

/* Orders in which a call can be repeated, and the answer where there is no order of that number
 * (gpu/runtime/judge/commands.c). */
enum { AS_GIVEN, AHEAD, LAGS, NO_SUCH_ORDER = 2, MOST_LATE = 8 };

/* right: the GPU's work alone gives the results of `t`; *verdict: what is wrong else. Where
 * there is no such order, *right is true and *there false. */
static bool try(struct session *session, const struct trial *t, const struct runner_request *request,
                unsigned order, bool *right, bool *there, struct problem_verdict *verdict,
                struct failure *failure) {
    uint8_t *memory = session_repeated(session);
    const void *got[PROBLEM_BUFFERS] = {NULL};
    uint64_t ended;
    *verdict = (struct problem_verdict){0};
    lay_out(t, request, memory);
    if (!session_command(session, &ended, failure, "repeat %u", order))
        return false;
    *there = ended != NO_SUCH_ORDER;
    for (unsigned i = 0; i < t->layout.output_count; i++)
        got[i] = memory + request->buffer[t->layout.input_count + i].offset + request->guard;
    if (ended == 1)
        t->problem->compare(&t->problem_case, (const void *const *)t->expected, got, (uint8_t)request->poison,
                            verdict);
    *right = !*there || (ended == 1 && verdict->passed);
    return true;
}

/* Tries other orders; many streams have many. *wrong: the first order with wrong results, or 0. */
static bool try_orders(struct session *session, const struct trial *t, const struct runner_request *request,
                       unsigned *wrong, struct problem_verdict *verdict, struct failure *failure) {
    bool right = true, there = true;
    *wrong = 0;
    for (unsigned order = AHEAD; right && there && order < LAGS + MOST_LATE; order++) {
        if (!try(session, t, request, order, &right, &there, verdict, failure))
            return false;
        *wrong = right ? 0 : order;
    }
    return true;
}

/* Says what is wrong in that order, and what nothing orders. */
static bool explain_order(struct session *session, const struct trial *t,
                          const struct runner_request *request, unsigned order,
                          const struct problem_verdict *verdict, struct trial_result *result,
                          struct failure *failure) {
    enum { SIZE = sizeof result->unordered };
    char *text = result->unordered;
    lay_out(t, request, session_repeated(session));
    if (!session_command(session, NULL, failure, "trace 1"))
        return false;
    const char *unordered = session_recorded(session)->unordered;
    int length = snprintf(text, SIZE, "%s differs when ",
                          verdict->listed > 0 ? verdict->first[0].where : "The result");
    length += order == AHEAD
                  ? snprintf(text + length, SIZE - (size_t)length, "each stream runs early: ")
                  : snprintf(text + length, SIZE - (size_t)length, "stream %u runs late: ", order - LAGS + 1);
    snprintf(text + length, SIZE - (size_t)length, "%s. A wait is missing%s",
             unordered[0] != '\0' ? unordered : "your streams, events and waits allow that",
             strstr(unordered, "returns") != NULL ? ": the host must wait for that stream."
             : strstr(unordered, "(default stream)") != NULL
                 ? ": give the one on the default stream the other's, or let it wait for an event."
             : unordered[0] != '\0'
                 ? ": let the second one's stream wait for an event that is recorded behind the first."
                 : ".");
    text[0] = (char)toupper((unsigned char)text[0]);
    snprintf(result->unpaid, sizeof result->unpaid,
             "right here, wrong in another order that streams, events and waits allow");
    return true;
}

bool repeat_call(struct session *session, const struct trial *called, const struct trial *other,
                 const struct runner_request *request, struct trial_result *result, double *more_us,
                 struct failure *failure) {
    enum { SIZE = sizeof result->unpaid };
    const struct session_recorded recorded = *session_recorded(session);
    struct problem_verdict verdict;
    char *unpaid = result->unpaid;
    bool right = true, there = true;
    unsigned wrong = 0;
    unpaid[0] = result->unordered[0] = '\0';
    *more_us = 0;
    if (memcmp(called->problem_case.size, other->problem_case.size, sizeof called->problem_case.size) != 0) {
        failure_set(failure, STAGE_MEASURE, "a call cannot be repeated with data of another size");
        return false;
    }
    if (recorded.failed[0] != '\0') {
        snprintf(unpaid, SIZE, "the run cannot be repeated: %s", recorded.failed);
        return true;
    }
    if (!try(session, other, request, AS_GIVEN, &right, &there, &verdict, failure))
        return false;
    if (session_recorded(session)->more_us > 0)
        *more_us = session_recorded(session)->more_us;
    if (!right)
        snprintf(
            unpaid, SIZE,
            "repeated with other data, the GPU's part of the run gives wrong results: a part of the results "
            "is the host's work");
    else if (!try_orders(session, other, request, &wrong, &verdict, failure))
        return false;
    return wrong == 0 || explain_order(session, other, request, wrong, &verdict, result, failure);
}
