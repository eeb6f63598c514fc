/* feedback_markdown.c: feedback for a page that reads Markdown: the score in words, the rest as it is. */
#include "class/export/export.h"

#include "report/writers/markdown.h"

#include <stdlib.h>

bool feedback_markdown(const struct export_grade *of, FILE *to) {
    const struct grade *grade = of->grade;
    char points[32], max[32];
    char *text = NULL;
    size_t length;
    FILE *memory = open_memstream(&text, &length);
    if (memory == NULL)
        return false;
    feedback_text(of, memory);
    if (fclose(memory) != 0) {
        free(text);
        return false;
    }
    fprintf(to, "# %s: %s of %s points, %s\n\n", grade->lab, score_points_text(points, grade->points),
            score_points_text(max, grade->max), grade->passed ? "passed" : "not passed");
    if (grade->message[0] != '\0') {
        markdown_escape(to, grade->message);
        fputs("\n\n", to);
    }
    markdown_block(to, text);
    free(text);
    return true;
}
