/*
 * alike.h: pairs of kernels of a lab that have too much in common. Likeness: the share of the smaller kernel's fingerprints
 * that the other kernel has too. Fingerprints of starters, references and steps of any lab do not count, nor those that
 * many kernels have. A pair is listed for a human, and costs no points by itself.
 */
#ifndef CLASS_ALIKE_H
#define CLASS_ALIKE_H

#include "class/alike/winnow.h"
#include "class/gradebook.h"

struct alike_kernel {
    char sha256[KERNEL_SHA256];
    char **students; /* who handed it in, in order */
    size_t student_count;
    struct fingerprint *prints; /* those that count, by hash, each hash once */
    size_t print_count;
};

struct alike_pair {
    uint32_t one, other; /* kernels; equal: several students with one file */
    unsigned percent;
};

struct alike {
    struct alike_kernel *kernels; /* by SHA-256 */
    size_t count;
    struct alike_pair *pairs; /* the most alike first */
    size_t pair_count;
};

/* Compare the lab's kernels in OUT/kernels. percent: the likeness from which a pair is listed; 0: never. root: the kit. False
 * and one line in book->error. */
bool alike_find(struct gradebook *book, const char *root, const char *lab, double percent,
                struct alike *alike);
void alike_free(struct alike *alike);

/* Tell, in the grade of each wanted student (NULL: all), whose kernel the student's is like. */
bool alike_tell(struct gradebook *book, const struct alike *alike, const char *lab,
                bool (*wanted)(const void *context, const char *student), const void *context);

/* Set shared[i] for each token i of the kernel that belongs to a fingerprint of both kernels. */
void alike_mark(const struct alike_kernel *kernel, const struct alike_kernel *other,
                const struct token *tokens, size_t count, bool *shared);

#endif
