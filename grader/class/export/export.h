/*
 * export.h: the gradebook in other programs' formats. Each writes whole files into its own place below OUT,
 * and returns false with one line in book->error when it cannot.
 *
 * For students:   feedback/LAB/STUDENT.txt and .html, gradescope/LAB/STUDENT.json, autolab/LAB/STUDENT.txt
 * For the staff:  grades.csv, nbgrader.csv, junit.xml, class.html
 */
#ifndef CLASS_EXPORT_H
#define CLASS_EXPORT_H

#include "analysis/findings.h"
#include "class/gradebook.h"
#include "class/score.h"

struct export_context {
    struct gradebook *book;
    const struct policy *policy;
    const char *root;          /* the kit's folder */
    const char *student, *lab; /* whose results and autolab below are */
    const char *results;       /* also write that grade's Gradescope file here; NULL: no */
    FILE *autolab;             /* also print its Autolab text and last line here; NULL: no */
    bool gnuplot;              /* draw plots */
};

bool export_grades(const struct export_context *context);
bool export_nbgrader(const struct export_context *context);
bool export_junit(const struct export_context *context);
/* feedback/, gradescope/ and autolab/: one walk over the stored results writes all three. */
bool export_students(const struct export_context *context);
bool export_class_page(const struct export_context *context);

/* The parts of export_students, one grade at a time. */
void feedback_text(FILE *to, const struct policy *policy, const struct grade *grade,
                   const struct score_result *results, unsigned count);
void feedback_html(FILE *to, const struct policy *policy, const struct grade *grade,
                   const struct score_result *results, unsigned count);
/* Gradescope's results.json. */
bool gradescope_write(FILE *to, const struct policy *policy, const struct grade *grade,
                      const struct score_result *results, unsigned count);
/* The file for a grading that did not come to its end: no points, and words for the student. */
bool gradescope_write_trouble(const char *path, const char *message, char *error, size_t size);
/* {"scores": {"lab3": 78}}, the last line that Autolab reads. */
void autolab_write(FILE *to, const struct grade *grade);

/* What feedback says, whatever its form; of tables the columns and the rows. */

/* The goals as the policy scores them: its thresholds, points scaled to the lab's full score. Names are the report's.
 * Returns how many. */
unsigned feedback_goals(const struct policy *policy, const struct grade *grade, const struct report *report,
                        struct report_goal *goals, unsigned room);
/* What limits a kernel, without the estimates of what would be gained: a grade says what is so. */
void feedback_findings(const struct kernel_report *kernel, const struct gpu_model *model,
                       struct findings *findings);
/* These write one table each; html: for a page. Returns how many rows there were; with none nothing is written. */
unsigned feedback_goal_table(FILE *to, bool html, const struct policy *policy, const struct grade *grade,
                             const struct report *report);
unsigned feedback_run_table(FILE *to, bool html, const struct report *report);
/* The lines of the student's file that move more than they must, the worst first. title is written before. */
unsigned feedback_line_table(FILE *to, bool html, const struct report_run *run, const char *title);

#endif
