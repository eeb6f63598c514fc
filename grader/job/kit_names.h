/*
 * kit_names.h: the names under which a submission sees the kit. A submission must not learn where the kit lies, or whose it
 * is. A sandbox mounts the kit below /kit; where it cannot, /kit replaces the real names in what is told of a job. One
 * table does both, so that results are the same in each sandbox.
 */
#pragma once

#include "base/path.h"
#include "job/sandbox.h"

#include <stdbool.h>
#include <stddef.h>

#define KIT_FOLDER "/kit"

struct kit_names {
    struct {
        char real[PATH_SIZE], shown[PATH_SIZE];
    } list[8]; /* longest real name first: folders lie in one another */
    unsigned count;
};

/* Add a folder and its shown name; a real name of one letter ("/") is ignored. False: a name is too long, or one too many. */
bool kit_names_add(struct kit_names *names, const char *real, const char *shown);
/* A file's shown name; its own path if no folder of the list holds it. False: too long. */
bool kit_names_of(const struct kit_names *names, const char *real, char shown[PATH_SIZE]);
/* Show a file or folder in a sandbox, under its shown name if the rung can do that, else under its own. */
bool kit_names_show(const struct kit_names *names, struct sandbox *sandbox, const char *real);
/* The text with all real names replaced, for the caller to free; NULL: it has none, or no memory. */
char *kit_names_replace(const struct kit_names *names, const char *text);

/* ---- where a diagnosis points, in one form, whichever compiler printed it */

/* Changes in place, and the text never grows: nvcc's "kernel.cu(6): error" to gcc's form, "kernel.cu:6: error";
 * "/submission/kernel.cu" to "kernel.cu"; nvcc's temporary names, which contain a process number, to their end,
 * "kernel.ptx". */
void log_places(char *log);
