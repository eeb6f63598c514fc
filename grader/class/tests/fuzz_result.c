/* fuzz_result.c: any bytes as a result that a judge left: whatever is taken of it can be scored, and is told to a student in
 * every form without a byte that a terminal or a page would obey. */
#include "class/export/export.h"
#include "class/plan.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_form(export_writer *writer, const struct export_grade *of, bool page) {
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    if (to == NULL)
        abort();
    (void)writer(of, to);
    fclose(to);
    if (memchr(text, '\x1b', length) != NULL || (page && strstr(text, "<script") != NULL))
        abort();
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct lab lab;
    static struct policy policy;
    static struct grade grade;
    struct policy_rules rules;
    char error[512], *text = malloc(size + 1);
    if (text == NULL)
        abort();
    if (lab.goal_count == 0) {
        strcpy(lab.id, "lab1");
        strcpy(lab.goals[0].name, "speedup");
        lab.goals[0].points = lab.pass = 60;
        lab.goal_count = 1;
        if (!policy_parse(&policy, "[class]\n", 8, "fuzz.ini", error, sizeof error))
            abort();
    }
    memcpy(text, data, size);
    text[size] = '\0';
    struct export_grade of = {.policy = &policy, .grade = &grade, .count = 1};
    grade = (struct grade){.student = "ann", .lab = "lab1"};
    policy_rules(&policy, "lab1", &rules);
    if (score_result_parse(&of.results[0], text)) {
        score_grade(&policy, &rules, &lab, of.results, 1, &(struct score_circumstances){.word = NULL},
                    &grade);
        if (!(grade.points >= 0 && grade.points <= grade.max))
            abort();
        check_form(feedback_text, &of, false);
        check_form(feedback_html, &of, true);
        check_form(gradescope_results, &of, false);
        check_form(autolab_feedback, &of, false);
        score_result_free(&of.results[0]);
    }
    free(text);
    return 0;
}
