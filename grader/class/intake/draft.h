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
    bool tied;            /* another kernel is as good, but for its path */
    char refused[128];    /* why a kernel.cu is not taken; "": none was refused */
    int refused_rank;     /* of its place */
    bool kit;             /* a copy of the whole kit */
    unsigned kernels;     /* files named kernel.cu */
    unsigned ignored;     /* other files */
    unsigned seen;
    char *first_ignored;
    struct draft_odd {
        unsigned count; /* CUDA files by another name: lab1.cu, kernel.cu.txt */
        char *path;     /* of the first; NULL: none */
        char sha256[KERNEL_SHA256];
        uint32_t size;
        int64_t submitted;
        bool from_file;
    } odd; /* the bytes of the first alone are kept, and only where the policy takes it */
};

struct drafts {
    struct draft *items;
    size_t count, room;
    char **strays; /* sentences on what belongs to no student */
    size_t stray_count;
    char **labless; /* students with a file for no lab: an id, its claim, and so on */
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

/* A file of this student's is for no lab: a human is told, unless another file of the student's is for one. */
void drafts_labless(struct drafts *drafts, const struct member *member);

bool draft_same_place(const struct draft_place *one, const struct draft_place *other);
/* Is a kernel at this place and path to be preferred over the draft's? */
bool draft_is_better(const struct draft *draft, const struct draft_place *place, const char *path);

/* Make the submissions of the drafts, in order, with their last notes. False: memory ran out at some time; the submissions
 * are still to be freed. */
bool drafts_end(struct drafts *drafts, struct submissions *submissions);

#endif
