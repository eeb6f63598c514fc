/* junit.xml: a case for each grade. Below the pass mark is a failure, what the grader could not
 * judge an error; what has no grade for another reason is skipped. */
#include "class/export/export.h"

#include "report/writers/html_escape.h"

#include <string.h>

struct junit {
    FILE *to;
    unsigned tests, failures, errors, skipped;
};

static bool waits(const struct grade *grade) {
    return grade->excused || (grade_is_open(grade) && strcmp(grade->outcome, "trouble") != 0);
}

static bool in_trouble(const struct grade *grade) {
    return !grade->excused && strcmp(grade->outcome, "trouble") == 0;
}

static bool count(void *context, const struct grade *grade) {
    struct junit *junit = context;
    junit->tests++;
    junit->errors += in_trouble(grade);
    junit->skipped += waits(grade);
    junit->failures += !grade->passed && !in_trouble(grade) && !waits(grade);
    return true;
}

static bool write_case(void *context, const struct grade *grade) {
    FILE *to = ((struct junit *)context)->to;
    char points[32], max[32];
    fprintf(to, "  <testcase classname=\"%s\" name=\"", grade->lab);
    html_escape(to, grade->student);
    fputs("\">\n", to);
    if (!grade->passed) {
        const char *element = in_trouble(grade) ? "error" : waits(grade) ? "skipped" : "failure";
        fprintf(to, "    <%s message=\"", element);
        html_escape(to, grade->message[0] != '\0' ? grade->message : "below the pass mark");
        fputs("\"/>\n", to);
    }
    if (export_has_points(grade))
        fprintf(to, "    <system-out>%s of %s points", score_points_text(points, grade->points),
                score_points_text(max, grade->max));
    else
        fputs("    <system-out>no grade", to);
    if (grade->flags[0] != '\0') {
        fputs("; flags: ", to);
        html_escape(to, grade->flags);
    }
    fputs("</system-out>\n  </testcase>\n", to);
    return true;
}

bool junit_xml(const struct export_context *context, FILE *to) {
    struct junit junit = {.to = to};
    if (!gradebook_each_grade(context->book, count, &junit))
        return false;
    fprintf(to,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuite name=\"grade\" tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\">\n",
            junit.tests, junit.failures, junit.errors, junit.skipped);
    bool right = gradebook_each_grade(context->book, write_case, &junit);
    fputs("</testsuite>\n", to);
    return right;
}
