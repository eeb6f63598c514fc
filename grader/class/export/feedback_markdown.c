/* feedback_markdown.c: feedback for a page that reads Markdown: the score in words, the rest as it is. */
#include "class/export/export.h"

#include <stdlib.h>
#include <string.h>

/* Text of others between our own: what Markdown and HTML take for marks is escaped. */
static void markdown(FILE *to, const char *text) {
    for (; *text != '\0'; text++) {
        if (strchr("\\`*_{}[]()<>#+-!|~&@", *text) != NULL)
            fputc('\\', to);
        fputc(*text == '\n' || *text == '\r' ? ' ' : *text, to);
    }
}

/* A fence that nothing in the text closes. */
static size_t fence_for(const char *text) {
    size_t longest = 2, run = 0;
    for (; *text != '\0'; text++) {
        run = *text == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest + 1;
}

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
        markdown(to, grade->message);
        fputs("\n\n", to);
    }
    size_t fence = fence_for(text);
    for (int i = 0; i < 2; i++) {
        for (size_t k = 0; k < fence; k++)
            fputc('`', to);
        fprintf(to, "%s", i == 0 ? "text\n" : "\n");
        fputs(i == 0 ? text : "", to);
    }
    free(text);
    return true;
}
