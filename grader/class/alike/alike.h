/*
 * alike.h: pairs of kernels of a lab that have too much in common. What starters, references and steps of any lab have does
 * not count, nor what many have (a commonplace). Of what is left the share of the smaller kernel that the other has, too, is the
 * likeness. Who is alike is for a human: it costs nothing by itself.
 */
#ifndef CLASS_ALIKE_H
#define CLASS_ALIKE_H

#include "class/alike/winnow.h"
#include "class/gradebook.h"

struct alike_kernel {
    char sha256[KERNEL_SHA256];
    char **students; /* whose it is, in order */
    size_t student_count;
    struct fingerprint *prints; /* its own, by hash, each hash once */
    size_t print_count;
};

struct alike_pair {
    uint32_t one, other; /* kernels; the same: students with one file */
    unsigned percent;
};

struct alike {
    struct alike_kernel *kernels; /* by SHA-256 */
    size_t count;
    struct alike_pair *pairs; /* the most alike first */
    size_t pair_count;
};

/* The lab's kernels that were handed in and lie in OUT/kernels. percent: from which likeness a pair is one; 0: none is.
 * root: the kit. False and one line in book->error. */
bool alike_find(struct gradebook *book, const char *root, const char *lab, double percent,
                struct alike *alike);
void alike_free(struct alike *alike);

/* Adds to each grade of the lab, of the students that are wanted (NULL: all), whose kernel theirs is like. */
bool alike_tell(struct gradebook *book, const struct alike *alike, const char *lab,
                bool (*wanted)(const void *context, const char *student), const void *context);

/* The tokens of a kernel's text whose fingerprints it shares with another: shared[i] is set for token i. */
void alike_mark(const struct alike_kernel *kernel, const struct alike_kernel *other,
                const struct token *tokens, size_t count, bool *shared);

#endif
