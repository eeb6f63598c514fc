/* sandbox_choose.c: which rung works here is tried, not looked for. */
#include "base/child.h"
#include "base/file.h"
#include "job/rung.h"
#include "job/sandbox.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Its scratch folder can be written, a file beside it cannot be read. */
static const char attempt[] =
    "echo 1 > \"$TMPDIR/file\" || exit 3; cat \"$0\" 2> /dev/null && exit 4; exit 0";

static void explain(int status, char *said, char *error, size_t size) {
    said[strcspn(said, "\n")] = '\0';
    if (status == 3)
        snprintf(error, size, "its scratch folder cannot be written");
    else if (status == 4)
        snprintf(error, size, "what is in it can read files that it must not");
    else
        snprintf(error, size, "%s", said[0] != '\0' ? said : "the sandbox's launcher does not start");
}

bool sandbox_works(const char *launcher, enum sandbox_rung rung, char *error, size_t size) {
    struct sandbox sandbox;
    struct sandbox_wrapper wrapper = {.count = 0};
    char said[256], folder[] = "/tmp/sandbox.XXXXXX", secret[PATH_SIZE];
    sandbox_init(&sandbox, SANDBOX_COMPILE);
    sandbox.rung = rung;
    if (rung == SANDBOX_NONE)
        return true;
    if (mkdtemp(folder) == NULL || !path_join(secret, folder, "secret") ||
        !path_join(sandbox.scratch, folder, "scratch") || !folder_make(sandbox.scratch, error, size) ||
        !file_write(secret, "secret\n", 7, error, size))
        return fails(error, size, "nothing can be written to /tmp");
    sandbox_wrapper(&sandbox, launcher, &wrapper);
    const char *const command[] = {"/bin/sh", "-c", attempt, secret, NULL};
    memcpy(wrapper.arguments + wrapper.count, command, sizeof command);
    int status = child_run(wrapper.arguments, said, sizeof said);
    folder_remove(folder);
    if (status != 0)
        explain(status, said, error, size);
    return status == 0;
}

/* What a rung is, and what it does not cover. */
static void describe(enum sandbox_rung rung, char *line, size_t size) {
    if (rung == SANDBOX_BUBBLEWRAP)
        snprintf(line, size, "bubblewrap: files, processes and network of its own");
    else if (rung == SANDBOX_LANDLOCK)
        snprintf(
            line, size,
            "landlock: Landlock version %d, %s, a filter of system calls. Not covered: that files exist, their "
            "sizes and times can be seen; reading a secret is refused but not flagged",
            landlock_version(),
            other_user_pick() != geteuid() ? "another user" : "the grader's own user without root");
    else
        snprintf(line, size, "none: submissions can do whatever you can");
}

bool sandbox_choose(const char *launcher, const char *wanted, enum sandbox_rung *rung, char *line,
                    size_t size) {
    char why[SANDBOX_RUNGS][256] = {""}, what[512];
    wanted = wanted != NULL ? wanted : getenv("SANDBOX");
    if (wanted != NULL && wanted[0] != '\0') {
        if (!sandbox_rung_named(wanted, rung))
            return fails(line, size, "there is no sandbox '%.40s': bubblewrap, landlock or none", wanted);
        if (sandbox_works(launcher, *rung, why[0], sizeof why[0]))
            describe(*rung, line, size);
        else
            snprintf(line, size, "%s does not work here: %s", wanted, why[0]);
        return why[0][0] == '\0';
    }
    for (int r = SANDBOX_BUBBLEWRAP; r > SANDBOX_NONE; r--) {
        *rung = (enum sandbox_rung)r;
        if (!sandbox_works(launcher, *rung, why[r], sizeof why[r]))
            continue;
        describe(*rung, what, sizeof what);
        if (r == SANDBOX_BUBBLEWRAP)
            snprintf(line, size, "%s", what);
        else
            snprintf(line, size, "%s (bubblewrap does not work here: %s)", what, why[SANDBOX_BUBBLEWRAP]);
        return true;
    }
    return fails(line, size, "no sandbox works here. bubblewrap: %s; landlock: %s", why[SANDBOX_BUBBLEWRAP],
                 why[SANDBOX_LANDLOCK]);
}
