/* wrap.c: breaks text at blanks. */
#include "base/wrap.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Length up to the next blank; a number keeps its sign, "95 %". */
static size_t word_length(const char *text) {
    size_t length = strcspn(text, " \n");
    if (length > 0 && strncmp(text + length, " %", 2) == 0)
        length += 1 + strcspn(text + length + 1, " \n");
    return length;
}

void wrap_text(FILE *to, unsigned width, unsigned at, unsigned indent, const char *text) {
    unsigned column = at;
    bool line_begins = true;
    while (*text != '\0') {
        size_t word = word_length(text);
        if (!line_begins && word > 0 && column + 1 + word > width) {
            fprintf(to, "\n%*s", (int)indent, "");
            column = indent;
            line_begins = true;
        }
        if (word > 0) {
            fprintf(to, "%s%.*s", line_begins ? "" : " ", (int)word, text);
            column += (unsigned)word + !line_begins;
            line_begins = false;
        }
        text += word;
        if (*text == '\n' && text[1] != '\0') {
            fprintf(to, "\n%*s", (int)indent, "");
            column = indent;
            line_begins = true;
        }
        text += *text != '\0';
    }
}

void wrap_message(const char *head, const char *text) {
    const char *columns = getenv("SIMGPU_COLUMNS");
    unsigned long width = columns != NULL ? strtoul(columns, NULL, 10) : 0;
    fputs(head, stderr);
    if (width > 0)
        wrap_text(stderr, (unsigned)width, (unsigned)strlen(head), 2, text);
    else
        fputs(text, stderr);
    fputc('\n', stderr);
}
