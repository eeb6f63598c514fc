/* plot.h: a picture by gnuplot. A nicety: what it shows stands as text too, and without gnuplot nothing
 * fails. */
#ifndef LAB_PLOT_H
#define LAB_PLOT_H

#include "lab/settings.h"

/* gnuplot -c SCRIPT with these arguments (at most 8, ended by NULL); the script's path is from the project's folder.
 * False when there is no picture. */
bool plot_draw(const struct settings *settings, const char *script, const char *const arguments[]);

#endif
