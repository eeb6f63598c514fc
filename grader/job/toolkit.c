/* toolkit.c: asks common/tools/find-cuda. */
#include "job/toolkit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_line(FILE *from, char *text, size_t size) {
    if (fgets(text, (int)size, from) == NULL)
        return false;
    size_t length = strcspn(text, "\n");
    bool whole = text[length] == '\n';
    text[length] = '\0';
    return whole && length > 0;
}

bool toolkit_find(struct toolkit *t, const char *root, char *error, size_t size) {
    char command[TOOLKIT_PATH + 64];
    *t = (struct toolkit){.nvcc = ""};
    /* The path goes as a variable, so that no character in it means anything to the shell. */
    snprintf(command, sizeof command, "exec \"$GRADER_ROOT/common/tools/find-cuda\" all");
    if (setenv("GRADER_ROOT", root, 1) != 0) {
        snprintf(error, size, "out of memory");
        return false;
    }
    FILE *answer = popen(command, "re"); /* NOLINT(cert-env33-c): a script of ours, by its full path */
    bool right = answer != NULL && read_line(answer, t->nvcc, sizeof t->nvcc) &&
                 read_line(answer, t->release, sizeof t->release) &&
                 read_line(answer, t->library, sizeof t->library) &&
                 read_line(answer, t->architectures, sizeof t->architectures);
    if ((answer != NULL && pclose(answer) != 0) || !right) {
        snprintf(error, size, "the CUDA compiler cannot be used: see `make doctor`");
        return false;
    }
    strcpy(t->top, t->nvcc);
    for (int up = 0; up < 2; up++) /* TOP/bin/nvcc */
        if (strrchr(t->top, '/') != NULL)
            *strrchr(t->top, '/') = '\0';
    return true;
}
