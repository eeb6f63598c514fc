/* plot.c: a script for gnuplot, with its data in it, and its run. */
#include "class/export/page.h"

#include "base/child.h"
#include "base/path.h"
#include "class/text.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* About twenty bars of a round width. */
static double bar_width(const double *speedups, size_t count) {
    static const double widths[] = {0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100};
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = speedups[i] > most ? speedups[i] : most;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (most / widths[i] <= 20)
            return widths[i];
    return most / 20;
}

static void write_script(FILE *to, const char *svg, const char *lab, const double *speedups, size_t count) {
    double width = bar_width(speedups, count);
    fprintf(to,
            "set terminal svg size 720,360 font 'sans,13' background '#ffffff'\n"
            "set output '%s'\n"
            "set title 'Speedup over the starter, %s'\n"
            "set xlabel 'speedup'\nset ylabel 'kernels'\n"
            "set xrange [0:*]\nset yrange [0:*]\nset style fill solid 0.8\nset boxwidth %g\nunset key\n"
            "bin(x) = %g * floor(x / %g) + %g\n"
            "$speedups << end_of_data\n",
            svg, lab, width * 0.9, width, width, width / 2);
    for (size_t i = 0; i < count; i++)
        fprintf(to, "%.4f\n", speedups[i]);
    fputs("end_of_data\nplot $speedups using (bin($1)):(1) smooth frequency with boxes linecolor '#5b8def'\n",
          to);
}

bool plot_speedups(const char *folder, const char *name, const char *lab, const double *speedups,
                   size_t count, char *error, size_t size) {
    char script[PATH_SIZE], svg[PATH_SIZE];
    if (!path_join(svg, folder, name) || !path_print(script, "%s.gp", svg)) {
        snprintf(error, size, "the path of OUT is too long");
        return false;
    }
    if (strchr(svg, '\'') != NULL) {
        snprintf(error, size, "gnuplot cannot write to a folder with an apostrophe in its name");
        return false;
    }
    FILE *file = fopen(script, "w");
    if (file == NULL) {
        snprintf(error, size, "cannot write %s: %s", script, strerror(errno));
        return false;
    }
    write_script(file, svg, lab, speedups, count);
    bool right = fclose(file) == 0;
    const char *const arguments[] = {"gnuplot", script, NULL};
    char output[256];
    right = right && child_run(arguments, output, sizeof output) == 0 && access(svg, R_OK) == 0;
    if (!right)
        snprintf(error, size, "gnuplot is not here, or failed: %.160s", output);
    unlink(script);
    return right;
}
