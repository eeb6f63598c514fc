/*
 * judge_again.c: a function that is called twice in one process, with other inputs, must be right
 * twice. The simulated GPU forgets what follows from an input when its call ends, so that nothing
 * can be replayed. A kernel that relies on that (a counter that is never reset, say) would be right
 * here and wrong everywhere else. So a few small cases are called again, and the second call finds
 * what the first one left.
 *
 * From such a pair a program learns only that it is in one: its memory still holds what it left.
 * Both results are judged in every element, the second input says nothing of any other, and all is
 * forgotten when the second call ends. So nothing can be carried to a timed call.
 */
#include "lab/judge/calls/judge_parts.h"
#include "lab/judge/session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- which cases */

void judge_get_second(const struct settings *s, unsigned index, const struct problem_case *first,
                      struct problem_case *second) {
    struct draw_key key = settings_key(s, "case %u, second input", index);
    s->lab.problem->draw_case(&key, second);
    memcpy(second->size, first->size, sizeof second->size);
    second->number = first->number;
    snprintf(second->name, sizeof second->name, "%.33s, called again", first->name);
}

/* Whether the two calls of a case have different inputs. False also when out of memory. */
static bool varies(const struct settings *s, unsigned index) {
    const struct problem *problem = s->lab.problem;
    struct problem_case c[2];
    struct problem_layout layout;
    void *input[2][PROBLEM_BUFFERS] = {{NULL}};
    bool room = true, differs = false;
    judge_get_case(s, index, 0, &c[0]);
    judge_get_second(s, index, &c[0], &c[1]);
    problem->layout(&c[0], &layout);
    unsigned filled = layout.input_count + (layout.in_place ? layout.output_count : 0);
    for (unsigned call = 0; call < 2; call++) {
        for (unsigned i = 0; i < filled; i++)
            room = (input[call][i] = calloc(1, layout.bytes[i] + 1)) != NULL && room;
        if (room)
            problem->fill(&c[call], input[call]);
    }
    for (unsigned i = 0; i < filled; i++) {
        differs = differs || (room && memcmp(input[0][i], input[1][i], layout.bytes[i]) != 0);
        free(input[0][i]);
        free(input[1][i]);
    }
    return differs;
}

/* The work of a case, and its number of buffers, which tells a lab's functions apart. */
struct size {
    double work;
    unsigned buffers;
    bool small;
};

static struct size size_of(const struct settings *s, unsigned index) {
    const struct problem *problem = s->lab.problem;
    struct problem_case c;
    struct problem_layout layout;
    struct problem_work work;
    judge_get_case(s, index, 0, &c);
    problem->layout(&c, &layout);
    problem->work(&c, &work);
    return (struct size){.work = work.elements > 0 ? work.bytes + work.operations : 0,
                         .buffers = layout.input_count + layout.output_count,
                         .small = trial_memory(problem, &c) <= JUDGE_SMALL};
}

void judge_choose_again(const struct settings *s, bool again[JUDGE_CASES]) {
    enum { EACH = 3, APART = 64 };
    struct size size[JUDGE_CASES] = {{.work = 0}};
    unsigned own = s->lab.problem->case_count, count = judge_case_count(s);
    memset(again, 0, JUDGE_CASES * sizeof *again);
    if (count > JUDGE_CASES)
        return;
    for (unsigned i = 0; i < count; i++) {
        size[i] = size_of(s, i);
        /* When grading, of the drawn ones every second. */
        again[i] = i >= own && size[i].small && settings_key(s, "case %u again", i).bytes[1] % 2 == 0;
    }
    for (unsigned buffers = 1; buffers <= PROBLEM_BUFFERS; buffers++) {
        double least = 1;
        for (unsigned k = 0; k < EACH; k++) {
            unsigned best = own;
            for (unsigned i = 0; i < own; i++)
                if (size[i].buffers == buffers && size[i].small && size[i].work >= least &&
                    (best == own || size[i].work < size[best].work) && varies(s, i))
                    best = i;
            if (best == own)
                break;
            again[best] = true;
            least = APART * size[best].work;
        }
    }
}

/* ---- why the second call is wrong */

/* What becomes of what the first call leaves. */
enum { ALL_STAYS = -1, ALL_IS_FORGOTTEN = -2 }; /* or a number: that alone is forgotten */

/* Repeats the two calls in a process that makes no others. Whether the second is right; false
 * also when unknown. */
static bool is_right(struct session *session, const struct judge_second *calls, int forgotten) {
    struct trial_options first = *calls->first_options;
    struct trial_result result = {0};
    struct failure ignored = {0};
    first.leave = forgotten != ALL_IS_FORGOTTEN;
    bool right = trial_run(calls->first, session, &first, &result, &ignored);
    trial_result_free(&result);
    if (right && forgotten >= 0)
        right = device_memory_forget(session, (unsigned)forgotten, &ignored);
    right = right && trial_run(calls->second, session, calls->second_options, &result, &ignored) &&
            result.verdict.passed;
    trial_result_free(&result);
    return right;
}

/* Finds the memory of the program whose content alone makes the second call wrong. The name
 * stays where there is none. */
static void find_kept(struct session *session, const struct judge_second *calls, char name[64]) {
    for (unsigned i = 0; session_left(session, i) != NULL; i++) {
        char one[64];
        snprintf(one, sizeof one, "%s", session_left(session, i));
        if (!is_right(session, calls, (int)i))
            continue;
        memcpy(name, one, sizeof one);
        return;
    }
}

bool judge_explain_again(const struct settings *s, const char *program, const struct judge_second *calls,
                         struct diagnosis *d, enum flag *flag) {
    struct judge_session how = {
        .memory_bytes = trial_memory(calls->second->problem, &calls->second->problem_case), .unlogged = true};
    struct failure ignored = {0};
    char name[64] = "memory of the program on the GPU";
    *d = (struct diagnosis){.proven = false};
    *flag = FLAG_NONE;
    if (!judge_right_when_first(s, program, false, calls->second, calls->second_options))
        return false;
    struct session *session = judge_open_session(s, program, &how, &ignored);
    bool by_device = session != NULL && session_owns_memory(session) &&
                     !is_right(session, calls, ALL_STAYS) && is_right(session, calls, ALL_IS_FORGOTTEN);
    /* The name reveals what to change, so it is not for graded calls with secret inputs. */
    if (by_device && !s->grading)
        find_kept(session, calls, name);
    session_close(session);
    d->proven = by_device;
    d->cases = by_device;
    if (by_device) {
        snprintf(d->kind, sizeof d->kind, "kept from call to call");
        snprintf(d->text, sizeof d->text,
                 "When it is called again, %s still holds what the call before left there. With what it held "
                 "when the program began, this case is right. On a GPU nothing restores that between two "
                 "calls: set it in every call.",
                 name);
    } else {
        snprintf(d->text, sizeof d->text, "%s", JUDGE_RIGHT_ALONE);
        *flag = s->grading ? FLAG_WRONG_LATER : FLAG_NONE;
    }
    return true;
}
