/* plot.h: a histogram drawn by gnuplot. */
#ifndef CLASS_PLOT_H
#define CLASS_PLOT_H

#include <stdbool.h>
#include <stddef.h>

/* folder/name, an SVG: how many kernels reached which speedup. false and one line: no gnuplot, or it failed.
 */
bool plot_speedups(const char *folder, const char *name, const char *lab, const double *speedups,
                   size_t count, char *error, size_t size);

#endif
