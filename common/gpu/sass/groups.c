/* groups.c: the copies of each PTX line, block by block. */
#include "gpu/sass/statement.h"

#include <stdlib.h>
#include <string.h>

/* How much a line is believed. Accesses and barriers stay what and where they are; arithmetic on floats nearly so;
 * integers are folded into addresses and carried out of loops; moves are anywhere, and parameters more so. A branch that the compiler unrolled
 * runs less often than its line. */
static const double weights[SASS_WORK_COUNT] = {
    [SASS_WORK_OTHER] = 1,      [SASS_WORK_COMPLEX] = 1, [SASS_WORK_MOVE] = 0.1, [SASS_WORK_PARAMETER] = 1e-5,
    [SASS_WORK_CONTROL] = 0.25, [SASS_WORK_FLOAT] = 4,   [SASS_WORK_DOUBLE] = 4, [SASS_WORK_SHUFFLE] = 8,
    [SASS_WORK_BARRIER] = 8,    [SASS_WORK_ATOMIC] = 8,  [SASS_WORK_LOAD] = 8,   [SASS_WORK_STORE] = 8,
    [SASS_WORK_NONE] = 0,
};
/* Of what runs under a predicate where the PTX branched: it may run more often than its line, not less. */
static const double guarded_excess = 0.05;

/* Of a line that has other numbers of copies than most of its neighbours: a counter that is stepped once where a loop was
 * unrolled, an address that another one takes along. Below what code costs that runs without need. */
static const double unlike_neighbours = 1e-5;
/* Of a line that has copies also where its neighbours have none. */
static const double stray = 0.05;

/* A machine instruction, in the order by line. */
struct place {
    uint32_t line, block, signature, instruction;
};

static int compare(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

static int by_line(const void *left, const void *right) {
    const struct place *a = left, *b = right;
    int order = compare(a->line, b->line);
    order = order ? order : compare(a->block, b->block);
    order = order ? order : compare(a->signature, b->signature);
    return order ? order : compare(a->instruction, b->instruction);
}

/* Whether a machine instruction can be the PTX instruction's own. */
static bool is_own(uint8_t ptx_work, uint8_t work) {
    return ptx_work >= SASS_WORK_FLOAT && ptx_work == work;
}

/*
 * The same of a line of several instructions: an access, shuffle or barrier is there at most as often in a copy as the line has such;
 * where there is none of these, the rarest of all as often as the line has any that may become one another.
 */
static uint32_t copies_of_several(const struct place *places, uint32_t count, const struct sass_copy *copies,
                                  const struct sass_line *line) {
    uint32_t least = UINT32_MAX, sure = UINT32_MAX, alike = 1;
    for (int work = 0; work < SASS_WORK_COUNT; work++)
        alike = line->count[work] > alike ? line->count[work] : alike;
    for (uint32_t i = 0, run; i < count; i += run) {
        for (run = 1; i + run < count && places[i + run].signature == places[i].signature; run++)
            ;
        uint8_t work = copies[places[i].instruction].work;
        uint32_t stand = work >= SASS_WORK_SHUFFLE && work < SASS_WORK_NONE ? line->count[work] : 0;
        least = run < least ? run : least;
        if (stand > 0 && run / stand < sure)
            sure = run / stand;
    }
    uint32_t number = sure < UINT32_MAX ? sure : least / alike;
    return number > 1 ? number : 1;
}

/* Copies of a line in one block, whose instructions are places[0 .. count). anchored: by the instructions that are the
 * line's own. Else by those that are alike: of a line that becomes one instruction, or one of two spellings of it, there
 * are as many copies as of the commonest; of one that becomes many, as of the rarest. */
static uint32_t copies_of(const struct place *places, uint32_t count, const struct sass_copy *copies,
                          const struct sass_line *line, bool anchored) {
    if (line->several)
        return copies_of_several(places, count, copies, line);
    uint32_t own = 0, most = 0, least = UINT32_MAX;
    for (uint32_t i = 0, run; i < count; i += run) {
        for (run = 1; i + run < count && places[i + run].signature == places[i].signature; run++)
            ;
        own += is_own(line->work, copies[places[i].instruction].work) ? run : 0;
        most = run > most ? run : most;
        least = run < least ? run : least;
    }
    if (anchored)
        return own;
    uint32_t number = line->work == SASS_WORK_COMPLEX ? least : most;
    if (line->parts <= 1)
        return number;
    return number > line->parts ? number / line->parts : 1;
}

/* That a line of a piece has so many copies in a block; block SASS_NOWHERE: that it is one of the piece's. */
struct claim {
    uint32_t piece, block, copies, group;
    double weight;
};

static int by_piece(const void *left, const void *right) {
    const struct claim *a = left, *b = right;
    int order = compare(a->piece, b->piece);
    order = order ? order : compare(a->block + 1, b->block + 1); /* SASS_NOWHERE first */
    order = order ? order : compare(a->copies, b->copies);
    return order ? order : compare(a->group, b->group);
}

/* What is doubted of a line. */
struct doubts {
    uint32_t mark;
    bool usual, unlike, stray;
    uint32_t copies, piece_copies; /* in all blocks: its own, and what most lines of its piece have */
};

/* Claims of one piece, whose lines are the first `lines` of them: where more than half of the lines, by weight, have one
 * number of copies in a block, those that have another, or none, are doubted; less so those that have copies elsewhere. */
static void doubt_piece(struct sass_groups *groups, const struct claim *claims, uint32_t lines,
                        uint32_t count, struct doubts *doubts) {
    double all = 0;
    uint32_t usual = 0;
    for (uint32_t i = 0; i < lines; i++)
        all += claims[i].weight;
    for (uint32_t first = lines, end; first < count; first = end) {
        double sum = 0;
        for (end = first; end < count && claims[end].block == claims[first].block &&
                          claims[end].copies == claims[first].copies;
             end++)
            sum += claims[end].weight;
        bool most = sum > all / 2;
        for (uint32_t i = first; i < end; i++) {
            struct doubts *line = &doubts[claims[i].group];
            line->mark = first + 1;
            line->usual |= most;
            line->stray |= !most;
        }
        for (uint32_t i = 0; most && i < lines; i++)
            doubts[claims[i].group].unlike |= doubts[claims[i].group].mark != first + 1;
        if (most)
            groups->usual[groups->usual_count++] =
                (struct sass_usual){claims[first].piece, claims[first].block, claims[first].copies};
        usual += most ? claims[first].copies : 0;
        for (uint32_t i = first; i < end; i++)
            doubts[claims[i].group].copies += claims[i].copies;
    }
    for (uint32_t i = 0; i < lines; i++)
        doubts[claims[i].group].piece_copies = usual;
}

/* The lines of a straight piece of PTX were copied together, most of them: those that were not are hardly believed.
 * Each group is one line's yet. */
static bool doubt(struct sass_groups *groups) {
    struct claim *claims = calloc((size_t)groups->term_count + groups->count + 1, sizeof *claims);
    struct doubts *doubts = calloc(groups->count + 1u, sizeof *doubts);
    uint32_t count = 0;
    groups->usual = calloc(groups->term_count + 1u, sizeof *groups->usual);
    bool right = claims != NULL && doubts != NULL && groups->usual != NULL;
    for (uint32_t g = 0; right && g < groups->count; g++) {
        const struct sass_group *group = &groups->groups[g];
        claims[count++] = (struct claim){group->piece, SASS_NOWHERE, 0, g, group->less};
        for (uint32_t t = group->first_term; t < group->first_term + group->term_count; t++)
            claims[count++] =
                (struct claim){group->piece, groups->terms[t].block, groups->terms[t].copies, g, group->less};
    }
    if (right)
        qsort(claims, count, sizeof *claims, by_piece);
    for (uint32_t first = 0, end; right && first < count; first = end) {
        uint32_t lines = 0;
        for (end = first; end < count && claims[end].piece == claims[first].piece; end++)
            lines += claims[end].block == SASS_NOWHERE;
        doubt_piece(groups, claims + first, lines, end - first, doubts);
    }
    for (uint32_t g = 0; right && g < groups->count; g++) {
        /* where slow paths cut the piece, its lines follow one another in several blocks: as many copies, elsewhere */
        bool moved = doubts[g].copies == doubts[g].piece_copies;
        double belief = moved                                ? 1
                        : doubts[g].unlike                   ? unlike_neighbours
                        : doubts[g].usual && doubts[g].stray ? stray
                                                             : 1;
        groups->groups[g].less *= belief;
        groups->groups[g].greater *= belief;
    }
    free(claims);
    free(doubts);
    return right;
}

uint32_t sass_groups_usual(const struct sass_groups *groups, uint32_t piece) {
    uint32_t first = 0, end = groups->usual_count;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (groups->usual[middle].piece < piece)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

uint32_t sass_groups_copies(const struct sass_groups *groups, uint32_t piece, uint32_t first, uint32_t last) {
    uint32_t sum = 0;
    for (uint32_t i = sass_groups_usual(groups, piece);
         i < groups->usual_count && groups->usual[i].piece == piece && groups->usual[i].block <= last; i++)
        sum += groups->usual[i].block >= first ? groups->usual[i].copies : 0;
    return sum;
}

/* Whether all copies in a block, places[0 .. count), are done under a predicate. */
static bool all_guarded(const struct place *places, uint32_t count, const struct sass_copy *copies) {
    uint32_t guarded = 0;
    for (uint32_t i = 0; i < count; i++)
        guarded += copies[places[i].instruction].guarded;
    return guarded == count;
}

/* How many of places[0 .. count), one at least, are in the first's block. */
static uint32_t in_block(const struct place *places, uint32_t count) {
    uint32_t run = 1;
    while (run < count && places[run].block == places->block)
        run++;
    return run;
}

/*
 * A line of several instructions that did not run equally often: which of them a machine instruction is of is not known. Where a
 * block has any, it is taken to have run as often as the busiest of them, at least.
 */
static void add_uneven(struct sass_groups *groups, const struct place *places, uint32_t count,
                       const struct sass_copy *copies, const struct sass_line *line, uint64_t warps) {
    for (uint32_t i = 0, run; i < count; i += run) {
        run = in_block(places + i, count - i);
        uint32_t number = copies_of(places + i, run, copies, line, false);
        groups->groups[groups->count++] = (struct sass_group){.first_term = groups->term_count,
                                                              .term_count = 1,
                                                              .piece = line->piece,
                                                              .merged = line->lost ? 0 : line->merged,
                                                              .runs = (double)line->runs / (double)warps,
                                                              .less = weights[SASS_WORK_LOAD]};
        groups->terms[groups->term_count++] = (struct sass_term){places[i].block, number};
    }
}

static void add_line(struct sass_groups *groups, const struct place *places, uint32_t count,
                     const struct sass_copy *copies, const struct sass_line *line, uint64_t warps) {
    bool anchored = false, guarded = false, plain = false;
    for (uint32_t i = 0; i < count; i++) {
        const struct sass_copy *copy = &copies[places[i].instruction];
        anchored |= is_own(line->work, copy->work);
        guarded |= copy->guarded;
    }
    for (uint32_t i = 0, run; i < count; i += run) {
        run = in_block(places + i, count - i);
        plain |= !all_guarded(places + i, run, copies);
    }
    struct sass_group *group = &groups->groups[groups->count];
    bool unlike = line->work >= SASS_WORK_FLOAT && !anchored;
    double weight = unlike ? weights[SASS_WORK_MOVE] : weights[line->work];
    *group = (struct sass_group){.first_term = groups->term_count,
                                 .piece = line->piece,
                                 .merged = line->lost ? 0 : line->merged,
                                 .runs = (double)line->runs / (double)warps,
                                 .less = weight,
                                 .greater = guarded && !line->guarded ? weight * guarded_excess : weight};
    for (uint32_t i = 0, run; i < count; i += run) {
        run = in_block(places + i, count - i);
        uint32_t number = copies_of(places + i, run, copies, line, anchored);
        /* a copy that is all done under predicates, beside others that are not, is one that is done or not */
        if (number > 0 && !(plain && all_guarded(places + i, run, copies)))
            groups->terms[groups->term_count++] = (struct sass_term){places[i].block, number};
    }
    group->term_count = groups->term_count - group->first_term;
    groups->count += group->term_count > 0;
}

/* ---- those that say the same */

struct order {
    const struct sass_groups *groups;
    uint32_t index;
};

static int compare_double(double a, double b) {
    return (a > b) - (a < b);
}

static int by_saying(const void *left, const void *right) {
    const struct order *first = left, *second = right;
    const struct sass_group *a = &first->groups->groups[first->index],
                            *b = &second->groups->groups[second->index];
    const struct sass_term *terms = first->groups->terms;
    int order = compare(a->term_count, b->term_count);
    for (uint32_t i = 0; !order && i < a->term_count; i++) {
        order = compare(terms[a->first_term + i].block, terms[b->first_term + i].block);
        order = order ? order : compare(terms[a->first_term + i].copies, terms[b->first_term + i].copies);
    }
    order = order ? order : compare_double(a->runs, b->runs);
    order = order ? order : compare(a->merged, b->merged);
    return order ? order : compare(a->piece, b->piece);
}

static bool merge(struct sass_groups *groups) {
    struct order *orders = calloc(groups->count + 1u, sizeof *orders);
    struct sass_group *merged = calloc(groups->count + 1u, sizeof *merged);
    uint32_t count = 0;
    if (orders == NULL || merged == NULL) {
        free(orders);
        free(merged);
        return false;
    }
    for (uint32_t i = 0; i < groups->count; i++)
        orders[i] = (struct order){groups, i};
    qsort(orders, groups->count, sizeof *orders, by_saying);
    for (uint32_t i = 0; i < groups->count; i++) {
        const struct sass_group *group = &groups->groups[orders[i].index];
        if (i > 0 && by_saying(&orders[i - 1], &orders[i]) == 0) {
            merged[count - 1].less += group->less;
            merged[count - 1].greater += group->greater;
        } else {
            merged[count++] = *group;
        }
    }
    free(orders);
    free(groups->groups);
    groups->groups = merged;
    groups->count = count;
    return true;
}

/* Code around the call of a routine: not what every execution does. */
static bool is_slow_way(const struct sass_graph *graph, uint32_t block) {
    return sass_block_calls(graph, block) || (block > 0 && sass_block_calls(graph, block - 1));
}

/* Whether an instruction calls a routine. */
static bool calls(const struct sass_graph *graph, uint32_t instruction) {
    uint32_t block = graph->block_of[instruction];
    return instruction + 1 == graph->blocks[block].end && sass_block_calls(graph, block);
}

/* Whether an instruction says how often its line ran. Of what always is a routine's call, only the call does: operands are
 * brought before it, far before it too, and results taken after it. */
static bool speaks(const struct sass_graph *graph, const struct sass_copy *copies,
                   const struct sass_line *lines, uint32_t line_count, const bool *called, uint32_t i) {
    const struct sass_block *block = &graph->blocks[graph->block_of[i]];
    uint32_t line = copies[i].line;
    if (line == 0 || line >= line_count || !lines[line].known || !block->reached ||
        copies[i].work == SASS_WORK_NONE)
        return false;
    if (lines[line].may_be_slow)
        return !is_slow_way(graph, graph->block_of[i]);
    return !called[line] || calls(graph, i);
}

bool sass_groups_build(struct sass_groups *groups, const struct sass_graph *graph,
                       const struct sass_copy *copies, const struct sass_line *lines, uint32_t line_count,
                       uint64_t warps) {
    uint32_t total = graph->blocks[graph->block_count - 1].end, count = 0;
    struct place *places = calloc(total, sizeof *places);
    *groups = (struct sass_groups){.groups = calloc(total + 1u, sizeof *groups->groups),
                                   .terms = calloc(total + 1u, sizeof *groups->terms)};
    bool *called = calloc(line_count + 1u, sizeof *called); /* lines that call a routine */
    bool right = places != NULL && groups->groups != NULL && groups->terms != NULL && called != NULL;
    for (uint32_t i = 0; right && i < total; i++)
        if (copies[i].line < line_count && lines[copies[i].line].work == SASS_WORK_COMPLEX && calls(graph, i))
            called[copies[i].line] = true;
    for (uint32_t i = 0; right && i < total; i++)
        if (speaks(graph, copies, lines, line_count, called, i))
            places[count++] = (struct place){copies[i].line, graph->block_of[i], copies[i].signature, i};
    if (right)
        qsort(places, count, sizeof *places, by_line);
    for (uint32_t i = 0, run; right && i < count; i += run) {
        for (run = 1; i + run < count && places[i + run].line == places[i].line; run++)
            ;
        const struct sass_line *at = &lines[places[i].line];
        (at->uneven ? add_uneven : add_line)(groups, places + i, run, copies, at, warps);
    }
    free(places);
    free(called);
    right = right && doubt(groups) && merge(groups);
    if (!right)
        sass_groups_free(groups);
    return right;
}

void sass_groups_free(struct sass_groups *groups) {
    free(groups->groups);
    free(groups->terms);
    free(groups->usual);
    *groups = (struct sass_groups){0};
}
