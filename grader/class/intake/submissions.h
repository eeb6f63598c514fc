/*
 * submissions.h: from a download to one kernel.cu for each student and lab. Only kernel.cu is taken; whatever
 * else was handed in is counted and ignored, and the notes say so.
 *
 * Several kernel.cu of one student and lab: the place decides first. In a copy of the kit it is labs/labN-TOPIC/kernel.cu,
 * and never one below solutions/ or grader/, which come last elsewhere, too. Then the newest counts, by the platform's
 * order and then by the file's own time, which a clone has not; of equal ones that with the shortest path, then the first
 * by name. The notes say which.
 *
 * Two parts of a download that claim one student are two submissions, with two claims: the plan leaves them to a human.
 */
#ifndef CLASS_SUBMISSIONS_H
#define CLASS_SUBMISSIONS_H

#include "class/intake/kernel_file.h"
#include "class/intake/layout.h"

/* What a platform says of the time, where it does not tell the time. */
enum submission_word { SUBMISSION_NO_WORD, SUBMISSION_LATE, SUBMISSION_ON_TIME };

struct submission {
    char *student; /* what the platform calls the student */
    char *claim;   /* the part of the download that says so: two that name one student are two claims */
    char *name;    /* full name, "" where it is not told */
    char *email;   /* "" where it is not told */
    char lab[16];
    char sha256[KERNEL_SHA256]; /* "": there is no kernel to judge */
    uint32_t size;
    /* Seconds since 1970 as the platform says; where there is none, and a folder was read, as the file system says; 0: not
     * known. What an archive says is not looked at: it is the time of the download, or the student's own word. */
    int64_t submitted;
    bool from_file; /* it is the file system's word */
    enum submission_word word;
    char *path;    /* of the kernel.cu, in the download */
    char *problem; /* why there is no kernel, for the student; "" */
    char *notes;   /* what was ignored and why, sentences; "" */
};

struct submissions {
    struct submission *items; /* by student, then lab */
    size_t count;
    const struct layout *layout; /* how the download is laid out */
    /* What belongs to no student, or to no lab, and why: sentences, in order. A human has to look at them. */
    char **strays;
    size_t stray_count;
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
