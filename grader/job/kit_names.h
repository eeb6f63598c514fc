/*
 * kit_names.h: the names under which a submission sees the kit. Where a kit lies, and whose it is, is nobody's business: what
 * a sandbox shows of it is mounted below /kit, and where that cannot be done, what is told of a job has /kit in the
 * place of the real names. One table does both, so that results are the same in each sandbox.
 */
#ifndef JOB_KIT_NAMES_H
#define JOB_KIT_NAMES_H

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

/* A folder, and what it is called. Shorter names than two letters ("/") are nobody's. False: a name is too long, or one too
 * many. */
bool kit_names_add(struct kit_names *names, const char *real, const char *shown);
/* What a file is called: its own path where no folder of the list holds it. False: too long. */
bool kit_names_of(const struct kit_names *names, const char *real, char shown[PATH_SIZE]);
/* Show a file or folder in a sandbox: under its name of the list where the sandbox can, else under its own. */
bool kit_names_show(const struct kit_names *names, struct sandbox *sandbox, const char *real);
/* A text with all real names replaced, for the caller to free; NULL: there is none in it, or no memory. */
char *kit_names_replace(const struct kit_names *names, const char *text);

/* ---- where a diagnosis points, in one form, whichever compiler printed it */

/* nvcc's "kernel.cu(6): error" becomes "kernel.cu:6: error", as gcc says it and the feedback's own lines do; the sandbox's
 * "/submission/kernel.cu" becomes "kernel.cu"; and of the names between nvcc's steps, which have a process's number, the end
 * stays, "kernel.ptx". In place: nothing grows. */
void log_places(char *log);

#endif
