/* depends.h: what a simulated result depends on besides the submission, GPU, size and seed. */
#ifndef LAB_DEPENDS_H
#define LAB_DEPENDS_H

#include "lab/settings.h"

/* Takes one of the files. False and one line: it cannot be read. */
typedef bool depends_take(void *context, const char *path, char *error, size_t size);

/* Hand over the path of each, always in the same order: the simulator, the runtime libraries, starter (or baseline) and
 * reference, the data of the lab and of the GPU. The settings are resolved. False and one line when one is not there, or
 * not taken. */
bool depends_each(const struct settings *settings, depends_take *take, void *context, char *error,
                  size_t size);

#endif
