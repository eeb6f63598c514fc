/*
 * alike.h: pairs of kernels of a lab that have too much in common, and kernels that have too much of the kit's own. Likeness:
 * the share of the smaller kernel's fingerprints that the other kernel has too; of the source, and of the compiled code, which
 * other names, macros and statements without effect do not change; and of parts of both, which a zero that the compiler
 * does not know, added in every expression, does not change. Between two students fingerprints of the kit's kernels do not
 * count, nor those that many kernels have. What is found is listed for a human, and costs no points by itself.
 */
#pragma once

#include "class/gradebook.h"
#include "prints/winnow.h"

/* What is compared: a source's tokens, or its structure alone; a compiled kernel's opcodes, or the
 * steady ones alone. */
enum alike_by { ALIKE_SOURCE, ALIKE_STRUCTURE, ALIKE_COMPILED, ALIKE_STEADY, ALIKE_WAYS };

struct alike_prints {
    struct fingerprint *prints; /* tidied (winnow.h) */
    size_t count;
};

/* A reference or a step of the kit's, of this lab or of another one with the same function. */
struct alike_known {
    char title[64];               /* "step 5e", "the reference of lab2" */
    char source[PATH_SIZE];       /* its file */
    struct alike_prints compiled; /* without those of what was handed out */
    size_t kernels;               /* of the class, that are most like this one */
};

struct alike_kernel {
    char sha256[KERNEL_SHA256];
    char **students; /* who handed it in, in order */
    size_t student_count;
    struct alike_prints by[ALIKE_WAYS]; /* those that count between students */
    bool is_compiled;                   /* its judge has kept the compiled code's */
    bool is_start;                      /* compiled, it is what was handed out but for a few instructions */
    const struct alike_known *known;    /* what it is most like; NULL: less than the threshold */
    unsigned known_percent;
    bool known_steady; /* by its steady opcodes */
};

struct alike_pair {
    uint32_t one, other; /* kernels; equal: several students with one file */
    unsigned percent;    /* the higher of both */
    unsigned by[ALIKE_WAYS];
};

struct alike {
    struct alike_kernel *kernels; /* by SHA-256 */
    size_t count;
    struct alike_pair *pairs; /* the most alike first */
    size_t pair_count;
    struct alike_known *known;
    size_t known_count, like_known, /* kernels with a `known` */
        compiled, start;            /* kernels with is_compiled, is_start */
};

/* Compare the lab's kernels in OUT/kernels. percent: the likeness from which a pair is listed; 0: never. root: the kit. Tasks
 * are never compared: a task has one short answer. False and one line in book->error. */
bool alike_find(struct gradebook *book, const char *root, const char *lab, double percent,
                struct alike *alike);
void alike_free(struct alike *alike);
/* Have so many kernels the same that it is an obvious solution more likely than a copy? */
bool alike_is_common(const struct alike *alike, size_t kernels);

/* Tell, in the grade of each wanted student (NULL: all), what the student's kernel is like. */
bool alike_tell(struct gradebook *book, const struct alike *alike, const char *lab,
                bool (*wanted)(const void *context, const char *student), const void *context);

/* Set shared[i] for each token i of a source that belongs to a fingerprint of both. */
void alike_mark(const struct alike_prints *mine, const struct alike_prints *theirs,
                const struct token *tokens, size_t count, bool *shared);

/* The fingerprints of a source, tidied and added to *prints. False without memory. */
bool alike_add_source(struct alike_prints *prints, const char *text, size_t length);
/* What a pair is most alike in. */
enum alike_by alike_most(const struct alike_pair *pair);
/* Take those of `others` out. */
void alike_without(struct alike_prints *prints, const struct alike_prints *others);
/* How many both have. */
size_t alike_shared(const struct alike_prints *one, const struct alike_prints *other);

/* ---- known.c: the kit's own kernels, compiled (make grade builds BUILD/kernels/LAB/NAME-ARCH.ptx) */

/* The references and steps of the labs with this lab's function, and what a student of this lab began with. None where nothing
 * was built. False without memory. */
bool known_read(const char *root, const char *lab, struct alike_known **known, size_t *count,
                struct alike_prints *handed_out);
void known_free(struct alike_known *known, size_t count);
