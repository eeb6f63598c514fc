/* score.h: from stored results and a policy to a grade. Nothing is run. */
#pragma once

#include "class/instructor.h"
#include "report/document/report.h"

#include <jansson.h>

/* A result as grade-job wrote it, with its report. */
struct score_result {
    json_t *json;
    const char *outcome, *message, *detail; /* "" where it has none */
    bool has_report;
    struct report report; /* of the grader's inputs, which are secret */
    bool has_shown;
    struct report shown; /* the student's kernels with the inputs of `make labN`, for the student */
};

/* From the gradebook's text. false: it is not a result. */
bool score_result_parse(struct score_result *result, const char *text);
void score_result_free(struct score_result *result);

/* The stored results of a grade's kernel, one for each device. Returns how many there are. */
unsigned score_results_of(struct gradebook *book, const struct grade *grade, struct score_result results[2]);

/* Fill in what a grade's results are found by. */
void score_what(struct grade *grade, const char *lab, const char *sha256, const struct policy_rules *rules);
/* Is there a wanted job of this grade's kernel that the grader gave up? Why, for the staff. */
bool score_trouble(struct gradebook *book, const struct grade *grade, char *why, size_t size);

/* Points of a goal under the policy, not scaled, and their maximum. */
void score_goal(const struct policy *policy, const struct report *report, const struct report_goal *goal,
                double *points, double *max);

/* What a student foretold of the kernel (prediction.c). */
struct score_prediction {
    double points, max; /* max 0: neither policy nor lab asks for a prediction */
    char said[800];     /* for the student; "": nothing */
    bool unread;        /* a word of it means nothing */
};
/* text: of prediction.txt, "limiter=l1 speedup=2", "" for none. False and one line: the lab's predict.ini is damaged. */
bool score_prediction(const char *root, const struct lab *lab, const struct policy_rules *rules,
                      const struct score_result *results, unsigned count, const char *text,
                      struct score_prediction *prediction, char *error, size_t size);

/* What else a grade depends on, beside results and rules. */
struct score_circumstances {
    double extension_hours;
    unsigned free_days;                 /* late days that cost the student nothing */
    const struct instructor_word *word; /* NULL: none */
    struct score_prediction prediction;
};

/* Points, flags and message of a grade whose student, lab, kernel and time are filled in. results: one for
 * each device; none: the kernel has not been judged. */
void score_grade(const struct policy *policy, const struct policy_rules *rules, const struct lab *lab,
                 const struct score_result *results, unsigned count, const struct score_circumstances *of,
                 struct grade *grade);

/* A platform without times says that it was late (enum submission_word): tell a human; it costs nothing by itself. */
void score_platform_word(const struct policy_rules *rules, int word, struct grade *grade);

/* Grade every student of the plan's labs from the stored results (score_class.c). One transaction, which a dry run takes
 * back. plan->changed tells grades that were others. Refused if a student would lose a result. */
bool score_class(struct plan *plan);

/* One student's grade from what the gradebook has now, which is not kept. False: no such
 * student, or plan->error. */
bool score_student(struct plan *plan, const char *student, const char *lab, struct grade *grade);

/* Points as people write them: two decimals at most, "78", "77.5". */
const char *score_points_text(char text[32], double points);
