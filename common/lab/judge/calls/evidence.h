/* evidence.h: what came out of a program's cases, kept until they are all judged: the cause shows in all of them. */
#ifndef LAB_EVIDENCE_H
#define LAB_EVIDENCE_H

#include "lab/judge/failure.h"
#include "lab/problems/diagnosis/diagnosis.h"

struct evidence {
    const struct problem *problem;
    struct diagnosis_case *cases;
    void **outputs; /* a case's, owned here */
    unsigned count, most;
    size_t bytes;         /* of outputs that are kept */
    unsigned tried_alone; /* wrong cases that were called once more as a program's first */
    char doubt
        [600]; /* a failing case's result depends on what nobody can know: the remark that says so; "" none does */
    bool incomplete; /* a case is not among them, so that nothing can be said of all */
};

/* Room for every case of a problem. False and *failure when out of memory; evidence_free is called all the same. */
bool evidence_begin(struct evidence *evidence, const struct problem *problem, struct failure *failure);
void evidence_free(struct evidence *evidence);

/* A judged case and its first output, which belongs to the evidence from here on. */
void evidence_add(struct evidence *evidence, const struct problem_case *problem_case,
                  const struct problem_layout *layout, uint8_t poison, bool passed, void *output);

/* diagnosis.h's, of these cases. Where one's result depends on what nobody can know, no cause follows from values: the
 * remark is told instead. */
bool evidence_diagnose(const struct evidence *evidence, bool deterministic, struct diagnosis *diagnosis);

#endif
