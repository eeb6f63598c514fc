/* problems.c: the problems there are, and what their verdicts share. */
#include "lab/problems/problem.h"

#include <math.h>
#include <string.h>

/* A line for each, by the student's function: problem_FUNCTION in FUNCTION.c. */
#define PROBLEMS(X)                                                                                          \
    X(gaussian_blur)                                                                                         \
    X(increment)                                                                                             \
    X(contrast)                                                                                              \
    X(edge_pipeline)                                                                                         \
    X(particles)                                                                                             \
    X(weighted_sums)                                                                                         \
    X(smith_waterman)                                                                                        \
    X(transpose)                                                                                             \
    X(gemm)

#define PROBLEM_DECLARATION(function) extern const struct problem problem_##function;
PROBLEMS(PROBLEM_DECLARATION)

static const struct problem *const problems[] = {
#define PROBLEM_ADDRESS(function) &problem_##function,
    PROBLEMS(PROBLEM_ADDRESS)};

const struct problem *problem_find(const char *function) {
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
        if (strcmp(problems[i]->function, function) == 0)
            return problems[i];
    return NULL;
}

uint8_t problem_poison(uint64_t number) {
    return (uint8_t)(0xa5 + number * 29 % 64); /* 165 .. 228 */
}

bool problem_near(double value, double bound, double got) {
    if (isnan(value) || isinf(value))
        return isnan(value) ? isnan(got) : got == value;
    return fabs(got - value) <= bound; /* false for NaN */
}

bool problem_same(float a, float b) {
    uint32_t bits[2];
    memcpy(&bits[0], &a, sizeof a);
    memcpy(&bits[1], &b, sizeof b);
    return bits[0] == bits[1] || (isnan(a) && isnan(b));
}

bool problem_is_poison(const void *element, size_t size, uint8_t poison) {
    const uint8_t *byte = element;
    for (size_t i = 0; i < size; i++)
        if (byte[i] != poison)
            return false;
    return true;
}

struct problem_wrong *problem_list(struct problem_verdict *v, uint64_t index) {
    v->wrong++;
    if (v->listed == PROBLEM_LISTED)
        return NULL;
    v->first[v->listed].index = index;
    return &v->first[v->listed++];
}
