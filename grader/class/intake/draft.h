/* draft.h: the submissions of a download while it is being read, one for each student and lab. */
#ifndef CLASS_DRAFT_H
#define CLASS_DRAFT_H

#include "class/intake/submissions.h"

struct draft {
    struct submission out;
    struct draft_place {
        int rank;         /* the larger, the better */
        uint64_t order;   /* by the platform, 0: not told */
        int64_t modified; /* the file's own time, 0: it has none */
    } place;              /* of the kernel taken so far */
    enum draft_reason {   /* why the kernel taken counts before the others: the weakest reason */
                        DRAFT_NEWEST,
                        DRAFT_PLACE,
                        DRAFT_PATH,
                        DRAFT_LAST
    } reason;
    char refusal[160]; /* why the first kernel that was not taken was not; "" */
    bool kit;          /* a copy of the whole kit */
    unsigned kernels;  /* files named kernel.cu */
    unsigned ignored;  /* other files */
    unsigned seen;
    char *first_ignored;
    bool other_cuda; /* a .cu by another name */
};

struct drafts {
    struct draft *items;
    size_t count, room;
    char **strays; /* sentences on what belongs to no student */
    size_t stray_count;
    struct labless {
        char *id, *claim;
        char lab[16]; /* which there is not; "": no folder has a lab's name */
    } * labless;      /* students with a file for no lab */
    size_t labless_count;
    bool no_memory; /* memory ran out: something is missing */
};

/* A student; several may hand in together. */
struct member {
    const char *id, *name, *email, *claim;
    int64_t submitted; /* 0: the platform does not say */
    enum submission_word word;
};

/* The draft of a student and lab, a new one if there is none. NULL: no memory. */
struct draft *drafts_find(struct drafts *drafts, const struct member *member, const char *lab);

/* Add a sentence to the notes, once, while there is room. */
__attribute__((format(printf, 3, 4))) void drafts_note(struct drafts *drafts, char **notes,
                                                       const char *format, ...);

/* Keep a sentence for a human, once. */
__attribute__((format(printf, 2, 3))) void drafts_stray(struct drafts *drafts, const char *format, ...);

/* A file of this student's is for no lab, or for one that there is not: the student is told of
 * the latter. A human is told, unless another file of the student's is for a lab. */
void drafts_labless(struct drafts *drafts, const struct member *member, const char *lab);

/* Is a kernel at this place and path to be preferred over the draft's? Of two of one path the
 * later one is, as when an archive is unpacked. The draft keeps the reason. */
bool draft_is_better(struct draft *draft, const struct draft_place *place, const char *path);

/* Make the submissions of the drafts, in order, with their last notes. False: memory ran out at some time; the submissions
 * are still to be freed. */
bool drafts_end(struct drafts *drafts, struct submissions *submissions);

#endif
