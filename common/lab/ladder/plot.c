/* Calling gnuplot. */
#include "lab/ladder/plot.h"
#include "base/child.h"

bool plot_draw(const struct settings *s, const char *script, const char *const arguments[]) {
    enum { MOST = 8 };
    char path[PATH_SIZE];
    const char *words[MOST + 4] = {"gnuplot", "-c", path};
    for (int i = 0; i < MOST && arguments[i] != NULL; i++)
        words[i + 3] = arguments[i];
    return path_join(path, s->root, script) && child_run(words, NULL, 0) == 0;
}
