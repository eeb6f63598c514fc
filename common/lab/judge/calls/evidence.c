/* evidence.c: judged cases with their outputs. */
#include "lab/judge/calls/judge_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_BYTES = 64 << 20 };

bool evidence_begin(struct evidence *e, const struct problem *problem, struct failure *failure) {
    *e = (struct evidence){.problem = problem, .most = 2 * problem->case_count};
    e->cases = calloc(e->most, sizeof *e->cases);
    e->outputs = calloc(e->most, sizeof *e->outputs);
    if (e->cases != NULL && e->outputs != NULL)
        return true;
    failure_set(failure, STAGE_MEASURE, "out of memory");
    return false;
}

void evidence_free(struct evidence *e) {
    for (unsigned i = 0; e->outputs != NULL && i < e->count; i++)
        free(e->outputs[i]);
    free(e->outputs);
    free(e->cases);
}

void evidence_add(struct evidence *e, const struct problem_case *problem_case,
                  const struct problem_layout *layout, uint8_t poison, bool passed, void *output) {
    size_t bytes = layout->bytes[layout->input_count];
    if (e->count == e->most || bytes > KEPT_BYTES - e->bytes) {
        e->incomplete = true;
        free(output);
        return;
    }
    e->bytes += bytes;
    e->outputs[e->count] = output;
    e->cases[e->count++] = (struct diagnosis_case){
        .problem_case = *problem_case, .poison = poison, .passed = passed, .output = output};
}

/* The first of the problem's causes that explains every failing case. */
static bool name_cause(const struct evidence *e, struct diagnosis *diagnosis) {
    if (e->problem->causes == NULL || e->failed == 0 || e->fits == 0)
        return false;
    const struct problem_cause *cause = &e->problem->causes[__builtin_ctz(e->fits)];
    diagnosis->proven = true;
    diagnosis->cases = e->failed;
    snprintf(diagnosis->kind, sizeof diagnosis->kind, "%s", cause->kind);
    snprintf(diagnosis->text, sizeof diagnosis->text,
             "In %s%u case%s that fail%s your result is exactly what comes out when %s. %s",
             e->failed > 1 ? "all " : "the ", e->failed, e->failed > 1 ? "s" : "", e->failed > 1 ? "" : "s",
             cause->words, cause->advice);
    return true;
}

bool evidence_diagnose(const struct evidence *e, bool deterministic, struct diagnosis *diagnosis) {
    bool doubtful = e->doubt[0] != '\0';
    *diagnosis = (struct diagnosis){.proven = false};
    bool found = !e->incomplete && deterministic && !doubtful && name_cause(e, diagnosis);
    found = found || (!e->incomplete &&
                      diagnose(e->problem, e->cases, e->count, deterministic && !doubtful, diagnosis));
    if (!doubtful)
        return found;
    char known[sizeof diagnosis->text];
    memcpy(known, diagnosis->text, sizeof known);
    *diagnosis = (struct diagnosis){.proven = false};
    int length = snprintf(diagnosis->text, sizeof diagnosis->text, "%s.", e->doubt);
    if (known[0] != '\0' && (size_t)length + strlen(known) + 2 <= sizeof diagnosis->text)
        snprintf(diagnosis->text + length, sizeof diagnosis->text - (size_t)length, " %s", known);
    return true;
}
