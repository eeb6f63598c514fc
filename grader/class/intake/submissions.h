/*
 * submissions.h: from a download to one kernel.cu for each student and lab. Everything else is
 * counted and ignored, and the notes say so. Of several kernel.cu of one student and lab one
 * counts, by these rules in order; the notes say which:
 *
 *   place   labs/labN-TOPIC/kernel.cu first, files below solutions/ or grader/ last, or in a copy of the kit never
 *   time    the newest, by the platform's order, then by the file's own time, which a clone does not have
 *   path    the shortest, then the first by name; of one path the last, as unpacking leaves it
 *
 * Two parts of a download that claim one student are two submissions, with two claims; a human has
 * to decide.
 */
#pragma once

#include "class/intake/kernel_file.h"
#include "class/intake/layout.h"

/* A platform's word: whether it was late, where no time is told; that something was handed in
 * which the download lacks. The grader's: several parts of the download claim one student. */
enum submission_word {
    SUBMISSION_NO_WORD,
    SUBMISSION_LATE,
    SUBMISSION_ON_TIME,
    SUBMISSION_ABSENT,
    SUBMISSION_DISPUTED
};

struct submission {
    char *student; /* what the platform calls the student */
    char *claim;   /* the part of the download that says so */
    char *name;    /* full name, "" where it is not told */
    char *email;   /* "" where it is not told */
    char lab[16];
    char sha256[KERNEL_SHA256]; /* "": there is no kernel to judge */
    uint32_t size;
    /* Seconds since 1970, by the platform; else, for a folder, by the file system; 0: unknown. Times in an archive are those
     * of the download or of the student's machine, and do not count. */
    int64_t submitted;
    bool from_file; /* by the file system */
    bool guess;     /* of several kernels that differ no reason but the path chose it */
    bool several;   /* of files named kernel.cu */
    bool kit;       /* it lies in a copy of the whole kit */
    enum submission_word word;
    char *path;       /* of the kernel.cu, in the download */
    char *prediction; /* the text of prediction.txt; NULL: none */
    char *problem;    /* why there is no kernel, for the student; "" */
    char *notes;      /* what was ignored and why, sentences; "" */
};

struct submissions {
    struct submission *items; /* by student, then lab */
    size_t count;
    const struct layout *layout; /* how the download is laid out */
    /* Sentences for a human, in order: what belongs to no student or to no lab, and why. */
    char **strays;
    size_t stray_count;
};

struct submissions_options {
    const char *lab;      /* "lab3"; NULL: as the folders say (lab1/..., lab3-float-fma/...) */
    const char *student;  /* everything is this student's; NULL: a class */
    bool single_cu;       /* without a kernel.cu a single other .cu is taken */
    const char *store;    /* where kernels go, NULL: nowhere (a dry run) */
    const unsigned *labs; /* the numbers of the labs that there are; NULL: any */
    unsigned lab_count;
    const unsigned *tasks; /* of the labs of small tasks among them; NULL: none */
    unsigned task_count;
};

/* path: a folder or an archive. false and one line: it cannot be read at all. */
bool submissions_read(const char *path, const struct submissions_options *options,
                      struct submissions *submissions, char *error, size_t size);
void submissions_free(struct submissions *submissions);
