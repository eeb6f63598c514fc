/*
 * export.h: the gradebook in other programs' formats, as files below OUT: for students a file for each grade, for the staff
 * files with all grades. export.c has a table of each kind.
 */
#pragma once

#include "class/gradebook.h"
#include "class/score/score.h"
#include "report/findings/findings.h"
#include "report/writers/rows.h"

struct export_context {
    struct gradebook *book;
    const struct policy *policy;
    const char *root;          /* the kit's folder */
    const char *student, *lab; /* whose results and autolab below are */
    const char *results; /* also write that grade's Gradescope file here, where it has points; NULL: no */
    const char *scores;  /* Classroom 50's scores.json, to be written again with the grades in it; NULL: no */
    FILE *autolab;       /* also print its Autolab text and last line here; NULL: no */
    FILE *notes;         /* what a platform's file lacks and why, a line each; export_all's own */
};

/* Write them all. False and one line in book->error when one cannot be written. */
bool export_all(const struct export_context *context);

/* Does the grade have points? Not if the student is excused, the kernel waits, or the grader had trouble with it: a 0 would
 * be a grade. */
bool export_has_points(const struct grade *grade);

/* ---- for students: one grade, with the stored results of its kernel */

struct export_grade {
    const struct policy *policy;
    const struct grade *grade;
    struct score_result results[2];
    unsigned count;
};

/* False: out of memory. */
typedef bool export_writer(const struct export_grade *of, FILE *to);
export_writer feedback_text, feedback_html, feedback_markdown;
export_writer gradescope_results; /* results.json */
export_writer autolab_feedback;   /* its last line is {"scores": {"lab3": 78}} */

/* ---- for the staff: all grades */

/* False and one line in book->error. */
typedef bool export_class_writer(const struct export_context *context, FILE *to);
export_class_writer grades_csv, totals_csv, junit_xml, class_page;

/* What a student has in all labs, each by its weight in the policy. A lab that is excused does not count, one without points
 * yet is open and does not count so far. */
struct total {
    double weight, earned; /* earned: of the weight */
    unsigned open;         /* labs without points yet */
};
void total_add(struct total *total, const struct policy *policy, const struct grade *grade);
double total_percent(const struct total *total); /* NAN: no lab counts */

/* ---- for a learning platform: files of its own, below OUT in a folder of its name (platform.h) */

/* False and one line in book->error. */
typedef bool export_platform(const struct export_context *context);
export_platform moodle_files, canvas_files, classroom50_files;
/* alike/: for the staff, pairs of kernels side by side. */
export_platform alike_files;

/* ---- the content of feedback, for all forms */

/* The goals as the policy scores them: its thresholds, points scaled to the lab's full score. Names are the report's.
 * Returns how many. */
unsigned feedback_goals(const struct policy *policy, const struct grade *grade, const struct report *report,
                        struct report_goal *goals, unsigned room);
/* A goal's name in every table: a share of the reference's speedup is not called a speedup. */
void feedback_goal_name(const struct report_goal *goal, char name[TABLE_CELL]);
/* A result's detail without the message that it begins with, which stands above it already. */
const char *feedback_detail(const struct score_result *result);
/* What limits a kernel, without estimates of the gain. */
void feedback_findings(const struct kernel_report *kernel, const struct gpu_model *model,
                       struct findings *findings);
/* These write one table each; html: for a page. Return the number of rows; without rows nothing is written. */
unsigned feedback_goal_table(FILE *to, bool html, const struct policy *policy, const struct grade *grade,
                             const struct report *report);
unsigned feedback_run_table(FILE *to, bool html, const struct report *report);
/* The lines of the student's file that move more bytes than necessary, the worst first, below `title`. */
unsigned feedback_line_table(FILE *to, bool html, const struct report_run *run, const char *title);
