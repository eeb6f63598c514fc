/* toolkit.c: asks common/tools/find-cuda. */
#include "job/build.h"

#include "base/child.h"

#include <string.h>

/* The next whole line of *text, which moves behind it. False when there is none or it is too long. */
static bool next_line(const char **text, char *line, size_t size) {
    size_t length = strcspn(*text, "\n");
    if (length == 0 || length >= size || (*text)[length] != '\n')
        return false;
    memcpy(line, *text, length);
    line[length] = '\0';
    *text += length + 1;
    return true;
}

bool toolkit_find(struct toolkit *t, const char *root, char *error, size_t size) {
    char script[PATH_SIZE], answer[4 * PATH_SIZE];
    /* its words to a person are not for us */
    const char *const arguments[] = {"/bin/sh", "-c", "exec \"$0\" all 2>/dev/null", script, NULL},
                      *at = answer;
    *t = (struct toolkit){.nvcc = ""};
    if (!path_join(script, root, "common/tools/find-cuda") ||
        child_run(arguments, answer, sizeof answer) != 0 || !next_line(&at, t->nvcc, sizeof t->nvcc) ||
        !next_line(&at, t->release, sizeof t->release) || !next_line(&at, t->library, sizeof t->library) ||
        !next_line(&at, t->architectures, sizeof t->architectures))
        return fails(error, size, "the CUDA compiler cannot be used: see `make doctor`");
    strcpy(t->top, t->nvcc);
    for (int up = 0; up < 2; up++) /* TOP/bin/nvcc */
        if (strrchr(t->top, '/') != NULL)
            *strrchr(t->top, '/') = '\0';
    return true;
}
