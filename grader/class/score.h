/* score.h: from stored results and a policy to a grade. Nothing is run. */
#ifndef CLASS_SCORE_H
#define CLASS_SCORE_H

#include "analysis/report.h"
#include "class/plan.h"

#include <jansson.h>

/* A result as grade-job wrote it, with its report. */
struct score_result {
    json_t *json;
    const char *outcome, *message, *detail; /* "" where it has none */
    bool has_report;
    struct report report; /* of the grader's inputs, which are secret */
    bool has_shown;
    struct report
        shown; /* the student's kernels with the inputs of `make labN`: what a student may see of them */
};

/* From the gradebook's text. false: it is not a result. */
bool score_result_parse(struct score_result *result, const char *text);
void score_result_free(struct score_result *result);

/* The stored results of a grade's kernel, one for each of its devices that has one: how many. */
unsigned score_results_of(struct gradebook *book, const struct grade *grade, struct score_result results[2]);

/* What a goal of the report is worth under the policy: points (not scaled) and the most there are. */
void score_goal(const struct policy *policy, const struct report *report, const struct report_goal *goal,
                double *points, double *max);

/* Points, flags and message of a grade whose student, lab, kernel and time are filled in. results: one for
 * each device; none: the kernel has not been judged. pass, max: the lab's own. */
void score_grade(const struct policy *policy, const struct policy_rules *rules, const struct lab *lab,
                 const struct score_result *results, unsigned count, double extension_hours,
                 struct grade *grade);

/* Grade every student of the plan's labs from the stored results. One transaction. */
bool score_class(struct plan *plan);

/* Points as people write them: two decimals at most, "78", "77.5". */
const char *score_points_text(char text[32], double points);

#endif
