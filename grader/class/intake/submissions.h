/*
 * submissions.h: from a download to one kernel.cu for each student and lab. Only kernel.cu is taken; whatever
 * else was handed in is counted and ignored, and the notes say so.
 *
 * Several kernel.cu of one student and lab: the newest counts, by the platform's time and then by the file's
 * own; of equal ones that with the shortest path, then the first by name. The notes say which.
 */
#ifndef CLASS_SUBMISSIONS_H
#define CLASS_SUBMISSIONS_H

#include "class/intake/kernel_store.h"
#include "class/intake/layout.h"

struct submission {
    char *student; /* what the platform calls the student */
    char *name;    /* full name, "" where it is not told */
    char *email;   /* "" where it is not told */
    char lab[16];
    char sha256[KERNEL_SHA256]; /* "": there is no kernel to judge */
    uint32_t size;
    int64_t submitted; /* seconds since 1970 as the platform says, or the time of what was handed in; 0: not
                          known */
    bool late;         /* the platform calls it late */
    char *path;        /* of the kernel.cu, in the download */
    char *problem;     /* why there is no kernel, for the student; "" */
    char *notes;       /* what was ignored and why, sentences; "" */
};

struct submissions {
    struct submission *items; /* by student, then lab */
    size_t count;
    const struct layout *layout; /* how the download is laid out */
    char *ignored;               /* what belongs to no student, sentences; "" */
};

struct submissions_options {
    const char *lab;     /* "lab3"; NULL: as the folders say (lab1/..., lab3-float-fma/...) */
    const char *student; /* everything is this student's; NULL: a class */
    const char *store;   /* where kernels go, NULL: nowhere (a dry run) */
};

/* path: a folder or an archive. false and one line: it cannot be read at all. */
bool submissions_read(const char *path, const struct submissions_options *options,
                      struct submissions *submissions, char *error, size_t size);
void submissions_free(struct submissions *submissions);

#endif
