/* programme.c: rows, columns and terms, and GLPK. */
#include "gpu/sass/statement.h"

#include <glpk.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 20000, MAX_COLUMNS = 100000, MAX_TERMS = 400000, MAX_ITERATIONS = 20000 };

/* The array with room for so many; NULL: there is none, and it stays. */
static void *resized(struct programme *programme, void *array, uint32_t room, size_t size) {
    void *larger = realloc(array, (size_t)room * size);
    programme->no_memory |= larger == NULL;
    return larger;
}

/* How much room there should be for one more. */
static uint32_t grown(uint32_t count, uint32_t room) {
    return count < room ? room : 2 * room + 256;
}

static bool has_room(const struct programme *programme) {
    return !programme->too_large && !programme->no_memory;
}

uint32_t programme_column(struct programme *programme, double cost) {
    uint32_t count = programme->column_count, room = grown(count, programme->column_room);
    programme->too_large |= count >= MAX_COLUMNS;
    if (has_room(programme) && room != programme->column_room) {
        void *columns = resized(programme, programme->columns, room, sizeof *programme->columns);
        if (columns == NULL)
            return 0;
        programme->columns = columns;
        programme->column_room = room;
    }
    if (!has_room(programme))
        return 0;
    programme->columns[programme->column_count++] = (struct programme_column){cost, false};
    return count;
}

void programme_zero(struct programme *programme, uint32_t column) {
    if (column < programme->column_count)
        programme->columns[column].zero = true;
}

uint32_t programme_row(struct programme *programme, enum programme_bound bound, double right) {
    uint32_t count = programme->row_count, room = grown(count, programme->row_room);
    programme->too_large |= count >= MAX_ROWS;
    if (has_room(programme) && room != programme->row_room) {
        void *rows = resized(programme, programme->rows, room, sizeof *programme->rows);
        if (rows == NULL)
            return 0;
        programme->rows = rows;
        programme->row_room = room;
    }
    if (!has_room(programme))
        return 0;
    programme->rows[programme->row_count++] = (struct programme_row){right, (uint8_t)bound};
    return count;
}

void programme_term(struct programme *programme, uint32_t row, uint32_t column, double value) {
    uint32_t count = programme->term_count, room = grown(count, programme->term_room);
    programme->too_large |= count >= MAX_TERMS;
    if (has_room(programme) && room != programme->term_room) {
        void *terms = resized(programme, programme->terms, room, sizeof *programme->terms);
        if (terms == NULL)
            return;
        programme->terms = terms;
        programme->term_room = room;
    }
    if (has_room(programme))
        programme->terms[programme->term_count++] = (struct programme_term){row, column, value};
}

void programme_short(struct programme *programme, uint32_t row, double cost) {
    programme_term(programme, row, programme_column(programme, cost), 1);
}

void programme_excess(struct programme *programme, uint32_t row, double cost) {
    programme_term(programme, row, programme_column(programme, cost), -1);
}

/* As GLPK has them, which counts all from 1. */
struct matrix {
    int *row, *column;
    double *value;
};

static void state(const struct programme *programme, const struct matrix *matrix, glp_prob *problem) {
    glp_set_obj_dir(problem, GLP_MIN);
    glp_add_rows(problem, (int)programme->row_count);
    glp_add_cols(problem, (int)programme->column_count);
    for (uint32_t i = 0; i < programme->column_count; i++) {
        glp_set_col_bnds(problem, (int)i + 1, programme->columns[i].zero ? GLP_FX : GLP_LO, 0, 0);
        glp_set_obj_coef(problem, (int)i + 1, programme->columns[i].cost);
    }
    for (uint32_t i = 0; i < programme->row_count; i++) {
        double right = programme->rows[i].right;
        glp_set_row_bnds(problem, (int)i + 1, programme->rows[i].bound == PROGRAMME_EQUAL ? GLP_FX : GLP_UP,
                         right, right);
    }
    for (uint32_t i = 0; i < programme->term_count; i++) {
        matrix->row[i + 1] = (int)programme->terms[i].row + 1;
        matrix->column[i + 1] = (int)programme->terms[i].column + 1;
        matrix->value[i + 1] = programme->terms[i].value;
    }
    glp_load_matrix(problem, (int)programme->term_count, matrix->row, matrix->column, matrix->value);
}

/* What GLPK does when it cannot go on: it would end the process. */
static void give_up(void *context) {
    longjmp(*(jmp_buf *)context, 1);
}

static bool solve(const struct programme *programme, const struct matrix *matrix, double *values,
                  uint32_t count) {
    jmp_buf out;
    glp_term_out(GLP_OFF);
    if (setjmp(out)) {
        glp_error_hook(NULL, NULL);
        glp_free_env(); /* and with it the problem */
        return false;
    }
    glp_error_hook(give_up, &out);
    glp_prob *problem = glp_create_prob();
    state(programme, matrix, problem);
    glp_smcp how;
    glp_init_smcp(&how);
    how.presolve = GLP_ON;
    how.it_lim = MAX_ITERATIONS; /* not a limit of time: the result must not depend on the machine */
    bool right = glp_simplex(problem, &how) == 0 && glp_get_status(problem) == GLP_OPT;
    for (uint32_t i = 0; right && i < count; i++)
        values[i] = glp_get_col_prim(problem, (int)i + 1);
    glp_delete_prob(problem);
    glp_error_hook(NULL, NULL);
    return right;
}

/* All that the solution follows from. */
static void describe(const struct programme *programme, uint32_t count, struct memo_key *key) {
    const uint32_t counts[] = {programme->column_count, programme->row_count, programme->term_count, count};
    memo_key_add(key, counts, sizeof counts);
    for (uint32_t i = 0; i < programme->column_count; i++)
        memo_key_add(key, (const double[]){programme->columns[i].cost, programme->columns[i].zero},
                     2 * sizeof(double));
    for (uint32_t i = 0; i < programme->row_count; i++)
        memo_key_add(key, (const double[]){programme->rows[i].right, programme->rows[i].bound},
                     2 * sizeof(double));
    memo_key_add(key, programme->terms, programme->term_count * sizeof *programme->terms);
}

/* The values from the solutions kept, else from GLPK. False: there is no solution. */
static bool find(const struct programme *programme, const struct matrix *matrix, struct memo *solved,
                 double *values, uint32_t count) {
    struct memo_key key = {0};
    size_t bytes = count * sizeof *values, found_bytes = 0;
    if (solved != NULL)
        describe(programme, count, &key);
    const void *found = memo_find(solved, &key, &found_bytes);
    bool right = found != NULL ? found_bytes == bytes : solve(programme, matrix, values, count);
    if (found != NULL && right)
        memcpy(values, found, bytes);
    else if (found == NULL)
        memo_keep(solved, &key, values, right ? bytes : 0);
    memo_key_free(&key);
    return right;
}

bool programme_solve(const struct programme *programme, struct memo *solved, double *values, uint32_t count,
                     char *error, size_t error_size) {
    size_t terms = programme->term_count + 1u;
    struct matrix matrix = {.row = calloc(terms, sizeof *matrix.row),
                            .column = calloc(terms, sizeof *matrix.column),
                            .value = calloc(terms, sizeof *matrix.value)};
    bool memory =
        !programme->no_memory && matrix.row != NULL && matrix.column != NULL && matrix.value != NULL;
    bool right = memory && !programme->too_large && find(programme, &matrix, solved, values, count);
    if (!right)
        snprintf(error, error_size, "machine code: %s",
                 !memory                ? "out of memory"
                 : programme->too_large ? "its flow is too large"
                                        : "its executions are not found");
    free(matrix.row);
    free(matrix.column);
    free(matrix.value);
    return right;
}

void programme_free(struct programme *programme) {
    free(programme->columns);
    free(programme->rows);
    free(programme->terms);
    *programme = (struct programme){0};
}
