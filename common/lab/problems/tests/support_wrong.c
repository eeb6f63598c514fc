/* support_wrong.c: what the judge does, without a device. */
#include "support_wrong.h"

#include "base/test.h"

#include <time.h>

uint32_t wrong_scatter(uint32_t value) {
    value = (value ^ value >> 16) * 0x7feb352du;
    value = (value ^ value >> 15) * 0x846ca68bu;
    return value ^ value >> 16;
}

/* A case's inputs and right answer: the same for every mistake, and drawn once. */
struct drawn {
    struct problem_case problem_case;
    struct problem_layout layout;
    void *input[PROBLEM_BUFFERS], *expected[PROBLEM_BUFFERS];
};

static struct drawn *drawn;
static const struct problem *drawn_of;

static void draw_case(unsigned i, struct drawn *d) {
    const struct problem *problem = drawn_of;
    problem->get_case(i, &(struct draw_key){{1}}, &d->problem_case);
    problem->layout(&d->problem_case, &d->layout);
    const struct problem_layout *l = &d->layout;
    for (unsigned b = 0; b < l->input_count + l->output_count; b++)
        assert_non_null(d->input[b] = malloc(l->bytes[b]));
    problem->fill(&d->problem_case, d->input);
    unsigned first = l->input_count;
    assert_non_null(d->expected[0] = malloc(l->expected_bytes != 0 ? l->expected_bytes : l->bytes[first]));
    for (unsigned b = 1; b < l->output_count; b++)
        d->expected[b] = d->input[first + b];
    assert_true(problem->solve(&d->problem_case, (const void *const *)d->input, d->expected));
}

static void draw_cases(const struct problem *problem) {
    if (drawn_of == problem)
        return;
    assert_null(drawn_of); /* a suite is about one problem */
    assert_non_null(drawn = calloc(problem->case_count, sizeof *drawn));
    drawn_of = problem;
    for (unsigned i = 0; i < problem->case_count; i++)
        draw_case(i, &drawn[i]);
}

static unsigned wrong_diagnose(const struct problem *problem, wrong_function *function, unsigned which,
                               struct diagnosis *diagnosis) {
    struct diagnosis_case *cases = calloc(problem->case_count, sizeof *cases);
    unsigned failing = 0;
    assert_non_null(cases);
    draw_cases(problem);
    for (unsigned i = 0; i < problem->case_count; i++) {
        const struct drawn *d = &drawn[i];
        const void *const *input = (const void *const *)d->input;
        unsigned first = d->layout.input_count;
        struct problem_verdict verdict;
        cases[i].problem_case = d->problem_case;
        cases[i].poison = problem_poison(i);
        uint8_t *output = malloc(d->layout.bytes[first]);
        assert_non_null(output);
        if (d->layout.in_place)
            memcpy(output, input[first], d->layout.bytes[first]);
        else
            memset(output, cases[i].poison, d->layout.bytes[first]);
        function(which, &d->problem_case, input, output);
        const void *got[PROBLEM_BUFFERS] = {output, input[first + 1 < PROBLEM_BUFFERS ? first + 1 : first]};
        problem->compare(&d->problem_case, (const void *const *)d->expected, got, cases[i].poison, &verdict);
        cases[i].passed = verdict.passed;
        cases[i].output = output;
        failing += !verdict.passed;
    }
    clock_t start = clock();
    (void)diagnose(problem, cases, problem->case_count, true, diagnosis);
    if (getenv("SHOW") != NULL)
        print_message("%.3f s: ", (double)(clock() - start) / CLOCKS_PER_SEC);
    for (unsigned i = 0; i < problem->case_count; i++)
        free((void *)(uintptr_t)cases[i].output);
    free(cases);
    return failing;
}

/* Built with sanitisers, which look at the code and not at its words, a suite would take minutes: every fourth mistake is
 * tried, and those that no kind explains, which are compared with every kind and described. */
static bool wrong_is_left_out(unsigned i, const struct wrong_row *row) {
    return getenv("SANITIZED") != NULL && i % 4 != 0 && row->kind != NULL;
}

static void wrong_check(const struct problem *problem, wrong_function *function, const struct wrong_row *rows,
                        unsigned count) {
    unsigned bad = 0;
    for (unsigned i = 0; i < count; i++) {
        struct diagnosis d;
        if (rows[i].name == NULL || wrong_is_left_out(i, &rows[i]))
            continue; /* the right one is another test's */
        unsigned failing = wrong_diagnose(problem, function, i, &d);
        bool expected = failing > 0 && d.proven == (rows[i].kind != NULL) &&
                        (rows[i].kind == NULL || strcmp(d.kind, rows[i].kind) == 0) &&
                        strstr(d.text, rows[i].says) != NULL;
        if (expected && getenv("SHOW") == NULL)
            continue;
        bad += !expected;
        print_message("%s%s: %u cases fail; kind '%s': %s\n",
                      expected ? "" : "NOT AS EXPECTED: ", rows[i].name, failing, d.kind, d.text);
    }
    assert_int_equal(bad, 0);
}

static struct suite {
    const struct problem *problem;
    wrong_function *function;
    const struct wrong_row *rows;
    unsigned count;
} suite;

static void test_kinds(void **state) {
    wrong_check(suite.problem, suite.function, suite.rows, suite.count);
}

/* Number 0 is the right one. */
static void test_right(void **state) {
    struct diagnosis d;
    assert_int_equal(wrong_diagnose(suite.problem, suite.function, 0, &d), 0);
    assert_false(d.proven);
    assert_string_equal(d.text, "");
}

int wrong_suite(const struct problem *problem, wrong_function *function, const struct wrong_row *rows,
                unsigned count) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_right), cmocka_unit_test(test_kinds)};
    suite = (struct suite){problem, function, rows, count};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
