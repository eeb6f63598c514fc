/* Lab 8. */
#include "adapter.h"
#include "lab/problems/weighted_sums.h"

void weighted_sums(const double *weights, const double *values, double *sums, int sets, int terms, int points,
                   struct CUstream_st *stream);

const char adapter_function[] = "weighted_sums";

void adapter_call(void *const buffer[], const int64_t size[], struct CUstream_st *stream) {
    const double *weights = buffer[WEIGHTED_WEIGHTS], *values = buffer[WEIGHTED_VALUES];
    double *sums = buffer[WEIGHTED_SUMS];
    weighted_sums(weights + size[WEIGHTED_SHIFT_WEIGHTS], values + size[WEIGHTED_SHIFT_VALUES],
                  sums + size[WEIGHTED_SHIFT_SUMS], (int)size[WEIGHTED_SETS], (int)size[WEIGHTED_TERMS],
                  (int)size[WEIGHTED_POINTS], stream);
}
