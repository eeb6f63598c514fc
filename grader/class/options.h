/* options.h: grade's options, its help, and the paths and the zone that they come with. */
#pragma once

#include "class/plan.h"

enum { EXIT_TROUBLE = 1, EXIT_USAGE = 2, EXIT_UNFINISHED = 3 };

struct options {
    struct plan_options plan;
    const char *out, *executor, *results, *slurm_options, *look, *scores;
    unsigned jobs;
    bool rehearse, unsafe, quiet, dump, list_devices, help;
};

/* Wrong usage, in two lines on stderr: EXIT_USAGE. */
int options_refuse(const char *text, const char *what);

/* 0: go on; else leave with the status less one. */
int options_read(int count, char **arguments, struct options *o);

enum { OPTIONS_PATHS = 8 };
/* "~/class": a shell leaves the ~ of SUBMISSIONS=~/class alone. False: a path is too long. */
bool options_expand_home(struct options *o, char paths[OPTIONS_PATHS][PATH_SIZE]);
/* Is TZ a zone that is known? The C library takes another for UTC, and says nothing. */
bool options_has_zone(void);
