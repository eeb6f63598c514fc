/* standing.h: where the learner stands in a lab, kept beside the kernel
 * (labs/labN-TOPIC/.progress.ini, not in the build folder): the best score, the last one,
 * whether the lab was ever passed, how many hints were shown. */
#pragma once

#include "lab/settings.h"
#include "report/document/report.h"

/* One run of the lab. */
struct standing_score {
    bool present;
    double points, max;
    char stage[16]; /* where it ended, as in a report: "build", "correctness"; "": it was measured */
    char gpu[128];
    bool modelled; /* on the simulated one */
};

struct standing {
    bool passed; /* once is enough */
    unsigned hints;
    uint64_t source; /* of the last run: standing_source; 0: none */
    struct standing_score best, last;
};

/* A number for the text of the student's file; 0 when it cannot be read. */
uint64_t standing_source(const struct settings *settings);

/* What is known, of settings->lab. Where nothing was kept, what an earlier kit left in the build
 * folder is taken over and kept. False and one line when the file is damaged or that cannot be
 * written. */
bool standing_load(const struct settings *settings, struct standing *standing, char *error, size_t size);
bool standing_save(const struct settings *settings, const struct standing *standing, char *error,
                   size_t size);

/* A run: it becomes the last one and, where it has more points, the best. */
void standing_take(struct standing *standing, const struct report *report, uint64_t source);

/* labs/labN-TOPIC/backups, where what a starter replaces is kept (base/starter.h). */
void standing_backups(const struct settings *settings, char path[PATH_SIZE]);
