/* The problems there are. */
#include "problems/contrast.h"
#include "problems/gaussian.h"
#include "problems/gemm.h"
#include "problems/increment.h"
#include "problems/problem.h"

#include <string.h>

static const struct problem *const problems[] = {&problem_gaussian_7x7, &problem_increment, &problem_contrast,
                                                 &problem_gemm};

const struct problem *problem_find(const char *function) {
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
        if (strcmp(problems[i]->function, function) == 0)
            return problems[i];
    return NULL;
}

uint8_t problem_poison(uint64_t call) {
    return (uint8_t)(0xa5 + call * 29 % 64); /* 165 .. 228 */
}
