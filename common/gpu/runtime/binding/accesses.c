/*
 * accesses.c: what the accesses of each machine instruction took, by the line of the PTX that it was made of. A line whose
 * machine instructions ran less often than it asked for memory leaves requests over. They belong to instructions of the same
 * kind that ran more often than their own lines asked: the compiler merged the lines.
 */
#include "gpu/runtime/binding/fill.h"

#include <math.h>
#include <stdlib.h>

enum binding_kind binding_ptx_kind(const struct ptx_instruction *in) {
    uint8_t memory = ptx_nature(in)->memory;
    if (memory == PTX_MEMORY_NONE ||
        ptx_nature(in)->class == PTX_CLASS_SYNCHRONISATION) /* an mbarrier is none */
        return NO_ACCESS;
    if (memory == PTX_MEMORY_ATOMIC)
        return ATOMICS;
    bool store = memory == PTX_MEMORY_STORE;
    switch (in->space) {
    case PTX_SHARED: return memory == PTX_MEMORY_COPY ? LOADS : store ? SHARED_STORES : SHARED_LOADS;
    case PTX_LOCAL: return store ? LOCAL_STORES : LOCAL_LOADS;
    case PTX_CONST: return CONSTANTS;
    case PTX_PARAM_ENTRY:
    case PTX_PARAM_FRAME: return NO_ACCESS;
    default: return store ? STORES : LOADS;
    }
}

uint32_t binding_ptx_bytes(const struct ptx_instruction *in) {
    if (ptx_nature(in)->memory == PTX_MEMORY_COPY)
        return 0;
    uint32_t count = in->opcode == PTX_ST ? in->sources - 1u : in->destinations;
    return ptx_type_bytes(in->type) * (count > 0 ? count : 1);
}

static enum binding_kind kind_of(const struct sass_instruction *in) {
    bool store = in->class == SASS_STORE;
    switch ((enum gpu_access)binding_access_of(in)) {
    case GPU_ACCESS_GLOBAL:
    case GPU_ACCESS_PREFETCH: return store ? STORES : LOADS;
    case GPU_ACCESS_SHARED: return store ? SHARED_STORES : SHARED_LOADS;
    case GPU_ACCESS_LOCAL: return store ? LOCAL_STORES : LOCAL_LOADS;
    case GPU_ACCESS_CONSTANT: return CONSTANTS;
    case GPU_ACCESS_ATOMIC:
    case GPU_ACCESS_SHARED_ATOMIC: return ATOMICS;
    default: return NO_ACCESS;
    }
}

/* ---- accesses of a line of the PTX, all those of one kind together */

/* The instructions of a line: executions [first, first + count), those between them in the text. Lines that an
 * instruction goes over are one. */
struct at_line {
    uint32_t first, count, accesses;
    double executed[BINDING_KINDS]; /* accesses of the machine code */
    /* The same by the kind of the line's: executions; requests, part of one where it became several; of those the ones
     * that are not under a predicate. */
    double runs[BINDING_KINDS], done[BINDING_KINDS], sure[BINDING_KINDS];
    double taken[BINDING_KINDS]; /* requests of other lines that these executions did */
};

/* What lines left over, and what they did for others: accesses of one kind and width. */
struct rest {
    struct simt_execution left; /* what the requests took */
    double requests, more;      /* left over; done beyond the own */
    double widened;             /* of those left over, done by wider accesses of neighbours */
};

/* All requests of a kind, and those that no machine instruction does, in sectors, wavefronts or passes. */
struct total {
    double asked, missing;
    bool any; /* the machine code has such accesses */
};

enum { WIDTHS = 6 };

/* Share of a line's requests, or of a kind's, that is no difference. */
static const double noise = 0.001, little = 0.01;

struct binding_accesses {
    const struct sass_kernel *kernel;
    const struct simt_result *result;
    const struct sass_line *ptx; /* of each line */
    uint32_t *first_line;        /* of each line the first one of its instruction */
    struct total totals[BINDING_KINDS];
    struct rest rests[BINDING_KINDS * WIDTHS]; /* by rest_of */
    uint32_t line_count;
    struct at_line lines[];
};

static uint32_t element_bytes(const struct simt_execution *execution) {
    return execution->instruction == NULL ? 0 : ptx_type_bytes(execution->instruction->type);
}

/* One execution more in a sum; what is an average, of as many requests. */
static void add_execution(struct simt_execution *sum, const struct simt_execution *one, uint32_t bytes) {
    double all = (double)(sum->requests + one->requests), part = (double)one->requests / all;
    sum->passes += (one->passes - sum->passes) * part;
    for (int i = 0; i < SIMT_WIDENED; i++)
        sum->widened[i] += (one->widened[i] - sum->widened[i]) * part;
    sum->beyond_known = one->beyond_known && (sum->requests == 0 || sum->beyond_known);
    sum->requests += one->requests;
    sum->transactions += one->transactions;
    sum->ideal += one->ideal;
    sum->lines += one->lines;
    sum->missed += one->missed;
    sum->waited += one->waited;
    sum->late += one->late;
    sum->joined += one->joined;
    sum->beyond += one->beyond;
    sum->banked += one->banked;
    sum->bytes += one->bytes;
    sum->runs = one->runs > sum->runs ? one->runs : sum->runs;
    /* the widest that is no wider than the machine's, or else the narrowest */
    uint32_t old = element_bytes(sum), new = element_bytes(one);
    bool nearer = old > bytes ? new < old : new <= bytes &&new > old;
    if (sum->instruction == NULL || nearer)
        sum->instruction = one->instruction;
}

/* The same of some of its requests. */
static void add_part(struct simt_execution *sum, const struct simt_execution *one, double requests,
                     uint32_t bytes) {
    double share = requests / (double)one->requests;
    struct simt_execution part = *one;
    part.requests = (uint64_t)llround(requests);
    part.transactions = (uint64_t)llround((double)one->transactions * share);
    part.ideal = (uint64_t)llround((double)one->ideal * share);
    part.lines = (uint64_t)llround((double)one->lines * share);
    part.missed = (uint64_t)llround((double)one->missed * share);
    part.waited = (uint64_t)llround((double)one->waited * share);
    part.late = (uint64_t)llround((double)one->late * share);
    part.joined = (uint64_t)llround((double)one->joined * share);
    part.beyond = (uint64_t)llround((double)one->beyond * share);
    part.banked = (uint64_t)llround((double)one->banked * share);
    part.bytes = (uint64_t)llround((double)one->bytes * share);
    if (part.requests > 0)
        add_execution(sum, &part, bytes);
}

/* Sums the accesses of a line of one kind that asked for memory; any: of all kinds. */
static void add_line(const struct simt_result *result, const struct at_line *at, enum binding_kind kind,
                     bool any, uint32_t bytes, struct simt_execution *sum) {
    for (uint32_t i = at->first; i < at->first + at->count; i++) {
        const struct simt_execution *one = &result->executions[i];
        enum binding_kind of = binding_ptx_kind(one->instruction);
        if (one->requests > 0 && (of == kind || any))
            add_execution(sum, one, bytes);
    }
}

/* The first access of a line of such a kind, or of any; NULL: the line has none. */
static const struct ptx_instruction *access_at(const struct simt_result *result, const struct at_line *at,
                                               enum binding_kind kind) {
    const struct ptx_instruction *found = NULL;
    for (uint32_t i = at->first; i < at->first + at->count; i++) {
        const struct ptx_instruction *in = result->executions[i].instruction;
        enum binding_kind of = binding_ptx_kind(in);
        if (of == kind)
            return in;
        found = found == NULL && of != NO_ACCESS ? in : found;
    }
    return found;
}

/* Part of a request of its line's that a machine instruction does; above 1: it does its neighbours', too. */
static double requests_done(const struct sass_instruction *in, const struct ptx_instruction *from) {
    uint32_t bytes = from != NULL ? binding_ptx_bytes(from) : 0;
    if (bytes == 0 || in->memory_bytes == 0 || kind_of(in) == ATOMICS)
        return 1;
    return in->memory_bytes / (double)bytes;
}

/* Of a kind and width of accesses. */
static uint32_t rest_of(const struct ptx_instruction *in) {
    uint32_t bytes = binding_ptx_bytes(in), width = 0;
    enum binding_kind kind = binding_ptx_kind(in);
    if (kind == ATOMICS)
        width = in->space == PTX_SHARED;
    else
        while (width + 1 < WIDTHS && 1u << width < bytes)
            width++;
    return kind * WIDTHS + width;
}

/* The kinds of a line's accesses that are told apart: of one access, which may have become several kinds, its own. */
static enum binding_kind told_apart(const struct simt_result *result, const struct at_line *at,
                                    enum binding_kind kind) {
    return at->accesses == 1 ? binding_ptx_kind(access_at(result, at, kind)) : kind;
}

/* Whether an instruction only stands beside a line's access: before an asynchronous copy ptxas puts loads of shared memory that
 * load nothing. They did none of its requests. */
static bool stands_beside(const struct ptx_instruction *access, enum binding_kind kind) {
    return access != NULL && ptx_nature(access)->memory == PTX_MEMORY_COPY && kind != LOADS;
}

static void take_machine_code(struct binding_accesses *accesses, const double *runs) {
    const struct sass_kernel *kernel = accesses->kernel;
    for (uint32_t b = 0; b < kernel->graph.block_count; b++)
        for (uint32_t i = kernel->graph.blocks[b].first; i < kernel->graph.blocks[b].end; i++) {
            const struct sass_instruction *in = &kernel->instructions[i];
            enum binding_kind kind = kind_of(in);
            if (kind == NO_ACCESS || kernel->copies[i].line >= accesses->line_count)
                continue;
            struct at_line *at = &accesses->lines[accesses->first_line[kernel->copies[i].line]];
            const struct ptx_instruction *from = access_at(accesses->result, at, kind);
            if (stands_beside(from, kind))
                continue;
            double requests = requests_done(in, from);
            at->executed[kind] += runs[b];
            if (from == NULL || kind == CONSTANTS)
                continue;
            enum binding_kind own = told_apart(accesses->result, at, kind);
            accesses->totals[own].any = true;
            at->runs[own] += runs[b];
            at->done[own] += runs[b] * fmin(requests, 1);
            at->sure[own] += in->guard == SASS_ALWAYS ? runs[b] * fmin(requests, 1) : 0;
            accesses->rests[rest_of(from)].widened += runs[b] * fmax(requests - 1, 0);
        }
}

/*
 * Requests that a line's machine instructions can have made. Under a predicate those that the line was not executed for are
 * made by nobody, unless like lines were merged into it.
 */
static double most_requests(const struct at_line *at, enum binding_kind kind, const struct sass_line *line) {
    return line->merged != 0 ? at->done[kind]
                             : fmax(at->sure[kind], fmin(at->done[kind], (double)line->runs));
}

/* Requests of a line that its machine instructions did not do. */
struct leftover {
    struct rest *rest;
    struct simt_execution own; /* all of the line's */
    double requests, cost;     /* those left over; sectors, wavefronts or passes of each */
    uint8_t kind;
};

/* Of each rest together; the costliest first. */
static int by_cost(const void *left, const void *right) {
    const struct leftover *a = left, *b = right;
    if (a->rest != b->rest)
        return a->rest < b->rest ? -1 : 1;
    if (a->cost != b->cost)
        return a->cost > b->cost ? -1 : 1;
    return (a->own.instruction > b->own.instruction) - (a->own.instruction < b->own.instruction);
}

/* What a line of the PTX asked for beside what its machine instructions did. True: some of it is left over. */
static bool compare_line(struct binding_accesses *accesses, uint32_t line, enum binding_kind kind,
                         struct leftover *over) {
    struct at_line *at = &accesses->lines[line];
    struct simt_execution own = {0};
    const struct ptx_instruction *in = access_at(accesses->result, at, kind);
    if (in == NULL || binding_ptx_kind(in) != kind || kind == CONSTANTS || binding_loops_inside(in))
        return false;
    add_line(accesses->result, at, kind, false, 0, &own);
    struct rest *rest = &accesses->rests[rest_of(in)];
    double requests = (double)own.requests, left = requests - at->runs[kind];
    double more = most_requests(at, kind, &accesses->ptx[line]) - requests;
    accesses->totals[kind].asked += (double)own.transactions;
    if (left > noise * requests) {
        *over = (struct leftover){rest, own, left, (double)own.transactions / requests, (uint8_t)kind};
        rest->requests += left;
        return true;
    }
    if (more > noise * at->done[kind]) {
        at->taken[kind] = more;
        rest->more += more;
    }
    return false;
}

/* What is left over of a kind and width goes to those who did more, as far as they did; then it is missing, but for what wider
 * accesses explain. */
static void share_out(struct binding_accesses *accesses, struct leftover *overs, uint32_t count) {
    qsort(overs, count, sizeof *overs, by_cost);
    for (uint32_t i = 0, end; i < count; i = end) {
        struct rest *rest = overs[i].rest;
        double unexplained = fmax(rest->requests - rest->widened, 0), room = fmin(unexplained, rest->more);
        double missing = unexplained - room;
        for (end = i; end < count && overs[end].rest == rest; end++) {
            double taken = fmin(overs[end].requests, room);
            double lost = fmin(overs[end].requests - taken, missing);
            if (taken > 0)
                add_part(&rest->left, &overs[end].own, taken, 0);
            accesses->totals[overs[end].kind].missing += lost * overs[end].cost;
            room -= taken;
            missing -= lost;
        }
    }
}

/* Compares all lines. False: out of memory. */
static bool compare(struct binding_accesses *accesses) {
    struct leftover *overs = calloc(accesses->result->execution_count + 1u, sizeof *overs);
    uint32_t count = 0;
    for (uint32_t l = 0; overs != NULL && l < accesses->line_count; l++)
        for (int kind = NO_ACCESS + 1; kind < BINDING_KINDS; kind++)
            count += compare_line(accesses, l, kind, &overs[count]);
    if (overs != NULL)
        share_out(accesses, overs, count);
    for (uint32_t l = 0; l < accesses->line_count; l++)
        for (int kind = NO_ACCESS + 1; kind < BINDING_KINDS; kind++) {
            struct at_line *at = &accesses->lines[l];
            if (at->taken[kind] <= 0)
                continue;
            const struct rest *rest = &accesses->rests[rest_of(access_at(accesses->result, at, kind))];
            at->taken[kind] *= (double)rest->left.requests / rest->more;
        }
    free(overs);
    return overs != NULL;
}

static void find_lines(struct binding_accesses *accesses) {
    const struct simt_result *result = accesses->result;
    for (uint32_t i = 0; i < result->execution_count; i++) {
        const struct ptx_instruction *in = result->executions[i].instruction;
        uint32_t first = accesses->first_line[in->ptx_line];
        first = first != 0 ? first : in->ptx_line;
        for (uint32_t line = in->ptx_line; line <= in->ptx_end; line++)
            accesses->first_line[line] = first;
        struct at_line *at = &accesses->lines[first];
        at->first = at->count == 0 ? i : at->first;
        at->count = i - at->first + 1;
        at->accesses += binding_ptx_kind(in) != NO_ACCESS;
    }
}

struct binding_accesses *binding_accesses_find(const struct sass_kernel *kernel,
                                               const struct simt_result *result,
                                               const struct sass_line *lines, const double *runs) {
    uint32_t count = binding_ptx_lines(result);
    struct binding_accesses *accesses = calloc(1, sizeof *accesses + count * sizeof *accesses->lines);
    uint32_t *first_line = calloc(count, sizeof *first_line);
    if (accesses == NULL || first_line == NULL) {
        free(accesses);
        free(first_line);
        return NULL;
    }
    accesses->kernel = kernel;
    accesses->result = result;
    accesses->ptx = lines;
    accesses->line_count = count;
    accesses->first_line = first_line;
    find_lines(accesses);
    take_machine_code(accesses, runs);
    if (!compare(accesses)) {
        binding_accesses_free(accesses);
        return NULL;
    }
    return accesses;
}

void binding_accesses_free(struct binding_accesses *accesses) {
    if (accesses != NULL)
        free(accesses->first_line);
    free(accesses);
}

/* Share of the requests of a kind that no machine instruction does. Arrays in local memory may be in registers, and words of
 * shared memory come along with wider neighbours: of these nothing is missing. */
static double missing_of(const struct total *total, int kind) {
    bool stays = kind == LOADS || kind == STORES || kind == ATOMICS;
    return !stays || !total->any || total->missing <= little * total->asked ? 0
                                                                            : total->missing / total->asked;
}

double binding_missing(const struct binding_accesses *accesses) {
    double most = 0;
    for (int kind = NO_ACCESS + 1; kind < BINDING_KINDS; kind++)
        most = fmax(most, missing_of(&accesses->totals[kind], kind));
    return most;
}

/* What no instruction does, all do together. */
static void scale(struct simt_execution *sum, double missing) {
    double factor = 1 / (1 - fmin(missing, 0.9));
    sum->transactions = (uint64_t)llround((double)sum->transactions * factor);
    sum->lines = (uint64_t)llround((double)sum->lines * factor);
    sum->missed = (uint64_t)llround((double)sum->missed * factor);
    sum->waited = (uint64_t)llround((double)sum->waited * factor);
    sum->beyond = (uint64_t)llround((double)sum->beyond * factor);
    sum->banked = (uint64_t)llround((double)sum->banked * factor);
    sum->passes *= factor;
    for (int i = 0; i < SIMT_WIDENED; i++)
        sum->widened[i] *= factor;
}

/*
 * Where several accesses stand in the line it is not known which of them an instruction is: it has its share of all of its
 * kind, of whatever kind where there is none. Of a line that has one, which may have become several kinds, all share.
 */
bool binding_access(const struct binding_accesses *accesses, uint32_t instruction, struct simt_execution *sum,
                    double *executed) {
    const struct sass_instruction *in = &accesses->kernel->instructions[instruction];
    uint32_t line = accesses->kernel->copies[instruction].line;
    enum binding_kind kind = kind_of(in);
    *sum = (struct simt_execution){0};
    *executed = 0;
    if (kind == NO_ACCESS || line >= accesses->line_count)
        return false;
    const struct at_line *at = &accesses->lines[accesses->first_line[line]];
    if (stands_beside(access_at(accesses->result, at, kind), kind))
        return false;
    for (int any = at->accesses == 1; any < 2 && sum->requests == 0; any++)
        add_line(accesses->result, at, kind, any, in->memory_bytes, sum);
    enum binding_kind own = at->accesses > 0 ? told_apart(accesses->result, at, kind) : NO_ACCESS;
    if (own != NO_ACCESS && at->taken[own] > 0) {
        const struct ptx_instruction *access = access_at(accesses->result, at, own);
        add_part(sum, &accesses->rests[rest_of(access)].left, at->taken[own], in->memory_bytes);
    }
    double missing = missing_of(&accesses->totals[own], own);
    if (missing > 0)
        scale(sum, missing);
    for (int of = NO_ACCESS + 1; of < BINDING_KINDS; of++)
        *executed += (at->accesses == 1 && of != CONSTANTS) || of == (int)kind ? at->executed[of] : 0;
    return sum->requests > 0;
}
