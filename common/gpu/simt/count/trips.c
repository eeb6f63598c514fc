/* trips.c: finds a function's loops, and counts how often warps go round them. */
#include "gpu/simt/count/count.h"

#include <stdlib.h>

/* A function with more loops is not counted: the search takes the square of their number. */
enum { MOST_LOOPS = 1000 };

/* ---- loops */

static bool is_in(const struct code_loop *loop, uint32_t at) {
    return loop->head <= at && at <= loop->last;
}

/* The smallest loop other than `not` that holds [first, last]. */
static uint32_t smallest(const struct code *code, uint32_t first, uint32_t last, uint32_t not ) {
    uint32_t best = TRIPS_NO_LOOP;
    for (uint32_t i = 0; i < code->loop_count; i++) {
        const struct code_loop *loop = &code->loops[i];
        if (i != not &&is_in(loop, first) && is_in(loop, last) &&
            (best == TRIPS_NO_LOOP ||
             loop->last - loop->head < code->loops[best].last - code->loops[best].head))
            best = i;
    }
    return best;
}

static bool is_back(const struct ptx_instruction *instruction, uint32_t at) {
    return instruction->opcode == PTX_BRA && instruction->target >= 0 && (uint32_t)instruction->target <= at;
}

/* Finds the loop with this head, or adds it. */
static uint32_t loop_at(struct code *code, uint32_t head) {
    uint32_t i = 0;
    while (i < code->loop_count && code->loops[i].head != head)
        i++;
    if (i == code->loop_count)
        code->loops[code->loop_count++] = (struct code_loop){head, head, TRIPS_NO_LOOP};
    return i;
}

bool simt_trips_find(struct code *code) {
    const struct ptx_instruction *instructions = code->function->instructions;
    uint32_t backs = 0;
    for (uint32_t i = 0; i < code->count; i++)
        backs += is_back(&instructions[i], i);
    if (backs > MOST_LOOPS)
        backs = 0;
    code->loops = calloc(backs + 1u, sizeof *code->loops);
    code->trip_marks = calloc(code->count + 1u, sizeof *code->trip_marks);
    if (code->loops == NULL || code->trip_marks == NULL)
        return false;
    for (uint32_t i = 0; backs && i < code->count; i++)
        if (is_back(&instructions[i], i)) {
            uint32_t loop = loop_at(code, (uint32_t)instructions[i].target);
            code->loops[loop].last = i;
            code->trip_marks[i].back = loop + 1;
        }
    for (uint32_t i = 0; i < code->loop_count; i++)
        code->loops[i].outer = smallest(code, code->loops[i].head, code->loops[i].last, i);
    for (uint32_t i = 0; i < code->count; i++) {
        struct trip_mark *mark = &code->trip_marks[i];
        mark->inner = TRIPS_NO_LOOP;
        if (instructions[i].opcode == PTX_BRA)
            mark->inner = smallest(code, i, i, TRIPS_NO_LOOP);
        if (mark->inner == TRIPS_NO_LOOP)
            continue;
        const struct code_loop *inner = &code->loops[mark->inner];
        mark->leaves = (uint8_t)((is_in(inner, (uint32_t)instructions[i].target) ? 0 : TRIPS_TAKEN) |
                                 (is_in(inner, i + 1) ? 0 : TRIPS_FALL));
    }
    return true;
}

/* ---- counting */

/* Threads leave the loop after `trips` trips. Calls come with rising `trips`. */
static void note(struct warp_trips *warp, uint32_t trips) {
    for (uint32_t j = 0; j < LOOP_POWERS; j++)
        warp->leave[j] += trips >> j != warp->last >> j;
    warp->last = trips;
    warp->digits |= trips;
    warp->rests |= (uint64_t)1 << trips % 64;
}

/* As bits: T % k for each of these T, with k = 1 << power. */
static uint64_t rests_of(uint64_t rests, uint32_t power) {
    for (uint32_t bits = 32; bits >= 1u << power; bits /= 2)
        rests = (rests | rests >> bits) & (((uint64_t)1 << bits) - 1);
    return rests;
}

/* Adds `times` entries whose threads have all left. */
static void add_sums(struct loop_trips *sums, const struct warp_trips *warp, uint64_t times) {
    sums->entries += times;
    for (uint32_t j = 0; j < LOOP_POWERS; j++) {
        uint64_t rests = rests_of(warp->rests, j), left = rests & ~(uint64_t)1;
        sums->whole[j] += (warp->last >> j) * times;
        sums->some[j] += warp->last >> j ? times : 0;
        sums->leave[j] += warp->leave[j] * times;
        sums->rest[j] += left ? (63 - (uint32_t)__builtin_clzll(left)) * times : 0;
        sums->some_rest[j] += left ? times : 0;
        sums->leave_rest[j] += (uint64_t)__builtin_popcountll(left) * times;
        sums->digit[j] += warp->digits >> j & 1 ? times : 0;
    }
}

/* The last threads of the warp leave the loop. */
static void leave_last(struct worker *worker, struct warp_trips *warp, uint32_t loop) {
    uint32_t trips = warp->backs + 1;
    struct worker_trips *counts = &worker->trips[loop];
    if (warp->last == 0 && trips < TRIPS_FEW) {
        counts->few[trips]++;
    } else {
        note(warp, trips);
        add_sums(&counts->sums, warp, 1);
    }
    *warp = (struct warp_trips){0};
}

/* Lanes of the branch at `at` go on at `to`, and leave all loops that do not hold `to`. */
static void leave(struct worker *worker, struct warp *warp, const struct code *code, uint32_t at, uint32_t to,
                  bool all) {
    for (uint32_t i = code->trip_marks[at].inner; i != TRIPS_NO_LOOP && !is_in(&code->loops[i], to);
         i = code->loops[i].outer) {
        struct warp_trips *trips = &warp->file->trips[code->first_loop + i];
        if (all)
            leave_last(worker, trips, code->first_loop + i);
        else
            note(trips, trips->backs + 1);
    }
}

void simt_trips_leave(struct worker *worker, struct warp *warp, const struct code *code, uint32_t at,
                      uint32_t taken, uint32_t mask) {
    uint8_t leaves = code->trip_marks[at].leaves;
    if (leaves & TRIPS_TAKEN && taken)
        leave(worker, warp, code, at, (uint32_t)code->function->instructions[at].target, taken == mask);
    if (leaves & TRIPS_FALL && taken != mask)
        leave(worker, warp, code, at, at + 1, taken == 0);
}

static void end_function(struct worker *worker, struct warp *warp, const struct code *code) {
    for (uint32_t i = code->first_loop; i < code->first_loop + code->loop_count; i++)
        if (warp->file->trips[i].backs || warp->file->trips[i].last)
            leave_last(worker, &warp->file->trips[i], i);
}

void simt_trips_end(struct worker *worker, struct warp *warp) {
    const struct launch *launch = worker->launch;
    end_function(worker, warp, launch->code);
    for (uint32_t i = 0; launch->code->function->uses_calls && i < launch->module->program->function_count;
         i++)
        end_function(worker, warp, &launch->module->codes[i]);
}

struct loop_trips simt_trips_total(const struct launch *launch, uint32_t loop) {
    struct loop_trips sum = {0};
    for (uint32_t w = 0; w < launch->worker_count; w++) {
        const struct worker_trips *counts = &launch->workers[w].trips[loop];
        for (uint32_t t = 0; t < TRIPS_FEW; t++) {
            struct warp_trips together = {0};
            note(&together, t);
            if (counts->few[t])
                add_sums(&sum, &together, counts->few[t]);
        }
        sum.entries += counts->sums.entries;
        for (uint32_t j = 0; j < LOOP_POWERS; j++) {
            sum.whole[j] += counts->sums.whole[j];
            sum.some[j] += counts->sums.some[j];
            sum.leave[j] += counts->sums.leave[j];
            sum.rest[j] += counts->sums.rest[j];
            sum.some_rest[j] += counts->sums.some_rest[j];
            sum.leave_rest[j] += counts->sums.leave_rest[j];
            sum.digit[j] += counts->sums.digit[j];
        }
    }
    return sum;
}
