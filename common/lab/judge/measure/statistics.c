/* statistics.c: order statistics. */
#include "lab/judge/measure/measure.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double statistics_median(double *values, size_t count) {
    qsort(values, count, sizeof *values, compare);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

bool statistics_median_interval(const double *sorted, size_t count, double interval[2]) {
    /* How many of n values lie below the median is binomial(n, 1/2). The interval from the k-th smallest to
     * the k-th largest misses the median with probability 2 * P(B < k): the largest k for which that is at
     * most 5 %. */
    double below = 0;
    size_t k = 0;
    while (k < count) {
        below += exp(lgamma((double)count + 1) - lgamma((double)k + 1) - lgamma((double)(count - k) + 1) -
                     (double)count * log(2));
        if (2 * below > 0.05)
            break;
        k++;
    }
    if (k == 0)
        return false;
    interval[0] = sorted[k - 1];
    interval[1] = sorted[count - k];
    return true;
}
