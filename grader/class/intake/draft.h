/* draft.h: the submissions of a download while it is being read, one for each student and lab. */
#pragma once

#include "class/intake/submissions.h"

#include <sys/types.h>

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
    char refusal[160];  /* why the first kernel that was not taken was not; "" */
    char elsewhere[16]; /* the lab in whose folder a kernel.cu lies that is not taken; "" */
    bool kit;           /* a copy of the whole kit */
    bool tasks;         /* of a lab of small tasks: its files count, and no kernel.cu (bundle.h) */
    struct bundle_file {
        char name[64];
        char *bytes, *path;
        size_t size;
        struct draft_place place;
    } * files;
    size_t file_count;
    unsigned kernels; /* files named kernel.cu */
    unsigned ignored; /* other files */
    unsigned seen;
    char *first_ignored;
    struct draft_place predicted; /* of the prediction.txt taken so far */
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
    struct labless {
        char *id, *claim;
        char lab[16]; /* which there is not; "": no folder has a lab's name */
    } * labless;      /* students with a file for no lab */
    size_t labless_count;
    bool without_lab; /* a file lies where no folder has a lab's name */
    bool no_memory;   /* memory ran out: something is missing */
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
 * the latter. A human is told, unless another file of the student's is for a lab; of a lab that
 * there is not, unless a kernel of the student's is taken for another lab. */
void drafts_labless(struct drafts *drafts, const struct member *member, const char *lab);

/* A kernel.cu in the folder of a lab that is not the one asked for. known: there is such a lab. */
void drafts_elsewhere(struct drafts *drafts, struct draft *draft, const struct member *member,
                      const char *path, const char *lab, bool known);

/* False and one line: the download's files are for no lab, and no folder names one. */
bool drafts_have_lab(const struct drafts *drafts, const char *path, char *error, size_t size);

/* Is a kernel of this hash at this place and path to be preferred over the draft's? Of two of one path the
 * later one is, as when an archive is unpacked. The draft keeps the reason. */
bool draft_is_better(struct draft *draft, const struct draft_place *place, const char *path,
                     const char *sha256);

/* The same of a place and path over another. reason: why; may be NULL. */
bool place_is_better(const struct draft_place *has, const char *has_path, const struct draft_place *place,
                     const char *path, enum draft_reason *reason);

/* A prediction.txt, whose text is looked at when it is scored: the newest is kept. refusal: why
 * its bytes are not there. */
void drafts_predict(struct drafts *drafts, struct draft *draft, const char *path,
                    const struct draft_place *place, const char *refusal, const uint8_t *bytes, ssize_t size);

/* Make the submissions of the drafts, in order, with their last notes. False: memory ran out at
 * some time; the submissions are still to be freed. */
bool drafts_end(struct drafts *drafts, struct submissions *submissions);
