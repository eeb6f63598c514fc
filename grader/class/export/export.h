/*
 * export.h: the gradebook in other programs' formats. Each writes whole files into its own place below OUT,
 * and returns false with one line in book->error when it cannot.
 *
 * For students:   feedback/LAB/STUDENT.txt and .html, gradescope/LAB/STUDENT.json, autolab/LAB/STUDENT.txt
 * For the staff:  grades.csv, nbgrader.csv, junit.xml, class.html
 */
#ifndef CLASS_EXPORT_H
#define CLASS_EXPORT_H

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

/* A line of a kernel and what it costs, worst first: for feedback. */
struct feedback_line {
    uint32_t line;
    const char *kind; /* "global_load" */
    uint64_t requests, transactions, ideal;
};
enum { FEEDBACK_LINES = 5 };
unsigned feedback_worst_lines(const struct report_run *run, struct feedback_line lines[FEEDBACK_LINES]);

/* "as 4.8 sectors": the goal's value, its thresholds, its points, as one line of the table. */
struct feedback_goal {
    char name[64];
    double value, zero, full, points, max; /* points as they count, scaled to the lab's full score */
};
unsigned feedback_goals(const struct policy *policy, const struct grade *grade, const struct report *report,
                        struct feedback_goal *goals, unsigned room);

#endif
