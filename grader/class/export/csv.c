/* csv.c: grades.csv. */
#include "class/export/export.h"

static void number(FILE *to, double value) {
    char text[32];
    fputs(score_points_text(text, value), to);
}

static void time_field(FILE *to, int64_t seconds) {
    char text[TEXT_TIME];
    fputs(text_format_time(text, seconds), to);
}

/* Each with a comma behind it. */
static void text_fields(FILE *to, const char *const *texts, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        text_csv(to, texts[i]);
        fputc(',', to);
    }
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
    text_fields(to, (const char *const[]){grade->flags, grade->message, grade->name, grade->email}, 4);
    fprintf(to, "%s,", grade->outcome);
    number(to, grade->earned);
    fprintf(to, ",%u,", grade->late_days);
    number(to, grade->late_percent);
    fputc(',', to);
    time_field(to, grade->submitted);
    fputc(',', to);
    text_fields(to, (const char *const[]){grade->human, grade->override}, 2);
    text_csv(to, grade->regrades);
    fputs("\r\n", to);
    return true;
}

bool grades_csv(const struct export_context *context, FILE *to) {
    fputs("student,lab,points,max,passed,flags,message,name,email,outcome,earned,late_days,late_percent,"
          "submitted,needs_human,instructor,regrades\r\n",
          to);
    return gradebook_each_grade(context->book, grades_row, to);
}
