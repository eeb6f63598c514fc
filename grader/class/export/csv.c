/* grades.csv, and the CSV that nbgrader exports. */
#include "class/export/export.h"

static void number(FILE *to, double value) {
    char text[32];
    fputs(score_points_text(text, value), to);
}

static void time_field(FILE *to, int64_t seconds) {
    char text[TEXT_TIME];
    fputs(text_format_time(text, seconds), to);
}

static bool grades_row(void *context, const struct grade *grade) {
    FILE *to = context;
    text_csv(to, grade->student);
    fprintf(to, ",%s,", grade->lab);
    if (export_has_points(grade))
        number(to, grade->points);
    fputc(',', to);
    number(to, grade->max);
    fprintf(to, ",%s,", grade->excused ? "excused" : grade->passed ? "yes" : "no");
    text_csv(to, grade->flags);
    fputc(',', to);
    text_csv(to, grade->message);
    fputc(',', to);
    text_csv(to, grade->name);
    fputc(',', to);
    text_csv(to, grade->email);
    fprintf(to, ",%s,", grade->outcome);
    number(to, grade->earned);
    fprintf(to, ",%u,", grade->late_days);
    number(to, grade->late_percent);
    fputc(',', to);
    time_field(to, grade->submitted);
    fputc(',', to);
    text_csv(to, grade->human);
    fputc(',', to);
    text_csv(to, grade->override);
    fputc(',', to);
    text_csv(to, grade->regrades);
    fputs("\r\n", to);
    return true;
}

static bool nbgrader_row(void *context, const struct grade *grade) {
    FILE *to = context;
    fprintf(to, "%s,", grade->lab);
    time_field(to, grade->deadline);
    fputc(',', to);
    time_field(to, grade->submitted);
    fputc(',', to);
    const char *const texts[] = {grade->student, grade->last, grade->first, grade->email};
    for (int i = 0; i < 4; i++) {
        text_csv(to, texts[i]);
        fputc(',', to);
    }
    const double points[] = {grade->earned, grade->earned - grade->points, grade->points};
    for (int i = 0; i < 3; i++) {
        if (export_has_points(grade))
            number(to, points[i]);
        fputc(',', to);
    }
    number(to, grade->max);
    fputs("\r\n", to);
    return true;
}

bool grades_csv(const struct export_context *context, FILE *to) {
    fputs("student,lab,points,max,passed,flags,message,name,email,outcome,earned,late_days,late_percent,"
          "submitted,needs_human,instructor,regrades\r\n",
          to);
    return gradebook_each_grade(context->book, grades_row, to);
}

bool nbgrader_csv(const struct export_context *context, FILE *to) {
    fputs("assignment,duedate,timestamp,student_id,last_name,first_name,email,raw_score,"
          "late_submission_penalty,score,max_score\r\n",
          to);
    return gradebook_each_grade(context->book, nbgrader_row, to);
}
