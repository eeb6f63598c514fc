/*
 * unrolled.c: loops that the compiler unrolled. A loop of the PTX is then several of the machine code: one that makes most
 * trips at a time, and smaller ones, or code without a loop, for what it leaves over. How often each runs follows from
 * the trips that warps made each time (loop_trips.h).
 */
#include "gpu/sass/statement.h"

#include <stdlib.h>

/* What it costs for each run that a copy is off. */
static const double off_cost = 8;

/* Copies of a loop of the PTX: a loop of the machine code, or a block outside such loops. */
struct unit {
    uint32_t line;        /* of the PTX's branch back */
    uint32_t first, last; /* blocks */
    uint32_t copies;      /* trips at a time */
    bool loops;
};

static int compare(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

/* By line; then those of most copies first. */
static int by_copies(const void *left, const void *right) {
    const struct unit *a = left, *b = right;
    int order = compare(a->line, b->line);
    order = order ? order : -compare(a->copies, b->copies);
    order = order ? order : -compare(a->loops, b->loops);
    order = order ? order : compare(a->first, b->first);
    return order ? order : compare(a->last, b->last);
}

static int by_line(const void *left, const void *right) {
    const struct unit *a = left, *b = right;
    int order = compare(a->line, b->line);
    order = order ? order : compare(a->first, b->first);
    return order ? order : compare(a->last, b->last);
}

/* The power of two, LOOP_POWERS: it is none, or too large. */
static uint32_t power_of(uint32_t copies) {
    uint32_t power = 0;
    while (power < LOOP_POWERS && 1u << power != copies)
        power++;
    return power;
}

/* Loops of the machine code that branch back by such a branch of the PTX. */
static uint32_t find_loops(const struct statement *statement, struct unit *units) {
    const struct sass_graph *graph = statement->graph;
    uint32_t count = 0;
    for (uint32_t e = 0; e < graph->edge_count; e++) {
        const struct sass_edge *edge = &graph->edges[e];
        const struct sass_block *block = &graph->blocks[edge->from];
        if (edge->kind != SASS_EDGE_TAKEN || edge->to > edge->from || !block->reached)
            continue;
        const struct sass_line *line = last_line(statement, edge->from);
        if (line == NULL || line->loop == NULL || line->loop->entries == 0)
            continue;
        units[count] = (struct unit){(uint32_t)(line - statement->lines), edge->to, edge->from, 0, true};
        units[count++].copies = sass_groups_copies(&statement->groups, line->piece, edge->to, edge->from);
    }
    qsort(units, count, sizeof *units, by_line);
    return count;
}

static uint32_t all_copies(const struct sass_groups *groups, uint32_t piece) {
    uint32_t sum = 0;
    for (uint32_t i = sass_groups_usual(groups, piece);
         i < groups->usual_count && groups->usual[i].piece == piece; i++)
        sum += groups->usual[i].copies;
    return sum;
}

uint32_t statement_piece(const struct statement *statement, const struct sass_line *back) {
    uint32_t best = back->piece, most = all_copies(&statement->groups, best);
    uint32_t seen = best;
    for (const struct sass_line *line = &statement->lines[back->head]; line < back; line++) {
        if (!line->known || line->runs != back->runs || line->piece == seen || line->piece > back->piece)
            continue;
        seen = line->piece;
        uint32_t copies = all_copies(&statement->groups, line->piece);
        if (copies > most) {
            most = copies;
            best = line->piece;
        }
    }
    return best;
}

/* The blocks with copies of the line's piece that are in none of its loops, loops[0 .. count). */
static uint32_t find_straight(const struct statement *statement, uint32_t piece, const struct unit *loops,
                              uint32_t count, struct unit *units) {
    const struct sass_groups *groups = &statement->groups;
    uint32_t found = 0, loop = 0;
    for (uint32_t i = sass_groups_usual(groups, piece);
         i < groups->usual_count && groups->usual[i].piece == piece; i++) {
        uint32_t block = groups->usual[i].block;
        while (loop < count && loops[loop].last < block)
            loop++;
        if (loop == count || loops[loop].first > block)
            units[found++] = (struct unit){loops->line, block, block, groups->usual[i].copies, false};
    }
    return found;
}

/* What a class of units, all of so many copies, makes: their runs together; less than 0: not known. larger: the copies of
 * the next larger class, 0: there is none. */
static double runs_of(const struct loop_trips *trips, const struct unit *units, uint32_t larger) {
    uint32_t power = power_of(units->copies), above = power_of(larger);
    if (power == LOOP_POWERS)
        return -1;
    if (larger == 0)
        return units->loops ? (double)trips->whole[power] : -1;
    if (above == LOOP_POWERS)
        return -1;
    if (above == power + 1)
        return (double)trips->digit[power];
    if (power == 0)
        return (double)trips->rest[above];
    return (double)trips->whole[power] - (double)trips->whole[above] * (double)(1u << (above - power));
}

static void state_class(struct statement *statement, const struct unit *units, uint32_t count, double runs) {
    struct programme *programme = &statement->programme;
    uint32_t row = programme_row(programme, PROGRAMME_EQUAL, runs / statement->warps);
    for (uint32_t i = 0; i < count; i++)
        programme_term(programme, row, block_column(units[i].last), 1);
    programme_short(programme, row, off_cost);
    programme_excess(programme, row, off_cost);
}

/* Where threads leave at different times, all units together make more trips than the loop of the PTX: what its pieces
 * were copied to ran so much more often than they. */
static void expect_more(struct statement *statement, const struct sass_line *back, uint32_t copies,
                        double more) {
    struct sass_groups *groups = &statement->groups;
    double runs = (double)back->runs / statement->warps;
    for (uint32_t g = 0; g < groups->count; g++) {
        struct sass_group *group = &groups->groups[g];
        uint32_t sum = 0;
        if (group->piece > back->piece || group->piece < statement->lines[back->head].piece ||
            group->runs != runs)
            continue;
        for (uint32_t t = group->first_term; t < group->first_term + group->term_count; t++)
            sum += groups->terms[t].copies;
        if (sum == copies)
            group->runs += more / statement->warps;
    }
}

/* All units of one loop of the PTX, in order of their copies. */
static void state_units(struct statement *statement, const struct unit *units, uint32_t count) {
    const struct sass_line *back = &statement->lines[units->line];
    uint32_t larger = 0, copies = 0;
    double trips = 0;
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && units[end].copies == units[i].copies; end++)
            copies += units[i].copies;
        double runs = runs_of(back->loop, &units[i], larger);
        if (runs < 0)
            return;
        state_class(statement, &units[i], end - i, runs);
        trips += runs * units[i].copies;
        larger = units[i].copies;
    }
    if (trips > (double)back->loop->whole[0])
        expect_more(statement, back, copies, trips - (double)back->loop->whole[0]);
}

bool state_unrolled(struct statement *statement) {
    const struct sass_graph *graph = statement->graph;
    const struct sass_groups *groups = &statement->groups;
    struct unit *loops = calloc(graph->edge_count + 1u, sizeof *loops);
    struct unit *units = calloc((size_t)graph->edge_count + groups->usual_count + 1, sizeof *units);
    bool right = loops != NULL && units != NULL;
    uint32_t count = right ? find_loops(statement, loops) : 0;
    for (uint32_t i = 0, end; i < count; i = end) {
        bool apart = true; /* no loop in another */
        for (end = i + 1; end < count && loops[end].line == loops[i].line; end++)
            apart &= loops[end].first > loops[end - 1].last;
        if (!apart)
            continue;
        uint32_t piece = statement_piece(statement, &statement->lines[loops[i].line]), found = 0;
        for (uint32_t k = i; k < end; k++) {
            units[found] = loops[k];
            units[found++].copies = sass_groups_copies(groups, piece, loops[k].first, loops[k].last);
        }
        found += find_straight(statement, piece, &loops[i], end - i, units + found);
        qsort(units, found, sizeof *units, by_copies);
        if (units[0].copies > 1 && units[0].loops)
            state_units(statement, units, found);
    }
    free(loops);
    free(units);
    return right;
}
