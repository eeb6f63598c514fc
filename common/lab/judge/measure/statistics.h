/* statistics.h: medians and how sure they are. */
#ifndef LAB_STATISTICS_H
#define LAB_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

/* Sorts values (count >= 1) and returns the median. */
double statistics_median(double *values, size_t count);

/* Distribution-free 95 % confidence interval of the median, from order statistics of sorted values: the
 * narrowest symmetric pair that covers it with at least 95 % probability. False when there are too few values
 * (under 6). */
bool statistics_median_interval(const double *sorted, size_t count, double interval[2]);

#endif
