/* totals.c: a student's labs together, by the policy's weights; totals.csv. */
#include "class/export/platform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LABS = 32 };

void total_add(struct total *total, const struct policy *policy, const struct grade *grade) {
    struct policy_rules rules;
    if (grade->excused)
        return;
    if (!export_has_points(grade)) {
        total->open++;
        return;
    }
    policy_rules(policy, grade->lab, &rules);
    if (!(grade->max > 0))
        return;
    total->weight += rules.weight;
    total->earned += rules.weight * grade->points / grade->max;
}

double total_percent(const struct total *total) {
    return total->weight > 0 ? round(total->earned / total->weight * 10000) / 100 : NAN;
}

struct sheet {
    const struct export_context *context;
    FILE *to;
    char labs[LABS][16];
    int lab_count;
};

static bool write_student(void *data, const struct grade *grade) {
    struct sheet *sheet = data;
    struct gradebook *book = sheet->context->book;
    struct total total = {0};
    char points[LABS][32] = {""}, text[32];
    struct grade *of_lab = malloc(sizeof *of_lab);
    bool right = of_lab != NULL, found;
    for (int i = 0; right && i < sheet->lab_count; i++) {
        right = platform_grade(book, grade->student, sheet->labs[i], of_lab, &found);
        if (!right || !found)
            continue;
        total_add(&total, sheet->context->policy, of_lab);
        if (of_lab->excused)
            strcpy(points[i], "excused");
        else if (export_has_points(of_lab))
            score_points_text(points[i], of_lab->points);
    }
    free(of_lab);
    text_csv(sheet->to, grade->student);
    fputc(',', sheet->to);
    text_csv(sheet->to, grade->name);
    fputc(',', sheet->to);
    text_csv(sheet->to, grade->email);
    double percent = total_percent(&total);
    fprintf(sheet->to, ",%s,%u", isfinite(percent) ? score_points_text(text, percent) : "", total.open);
    for (int i = 0; i < sheet->lab_count; i++)
        fprintf(sheet->to, ",%s", points[i]);
    fputs("\r\n", sheet->to);
    return right;
}

bool totals_csv(const struct export_context *context, FILE *to) {
    struct sheet sheet = {.context = context, .to = to};
    sheet.lab_count = platform_labs(context->book, sheet.labs, LABS);
    fputs("student,name,email,total_percent,open", to);
    for (int i = 0; i < sheet.lab_count; i++)
        fprintf(to, ",%s", sheet.labs[i]);
    fputs("\r\n", to);
    return sheet.lab_count >= 0 && platform_each_student(context->book, write_student, &sheet);
}
