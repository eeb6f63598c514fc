/* page.c: Markdown to HTML by md4c, and the frame around it. */
#include "slides/page.h"

#include "base/file.h"
#include <md4c-html.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1 << 20 };

static void append(const MD_CHAR *text, MD_SIZE length, void *out) {
    fwrite(text, 1, length, out);
}

static bool markdown(FILE *out, const char *text) {
    return md_html(text, (MD_SIZE)strlen(text), append, out, MD_FLAG_TABLES, 0) == 0;
}

static bool put_file(FILE *out, const char *root, const char *name, char *error, size_t size) {
    char path[PATH_SIZE];
    if (!path_join(path, root, name)) {
        snprintf(error, size, "%s: its path is too long", name);
        return false;
    }
    char *text = file_read(path, LONGEST, NULL, error, size);
    if (text == NULL)
        return false;
    fputs(text, out);
    free(text);
    return true;
}

static const char *kind(const struct slide *slide) {
    if (slide->opening)
        return "opening";
    if (strncmp(slide->title, "Question", 8) == 0)
        return "question";
    return strncmp(slide->title, "Answer", 6) == 0 ? "answer" : "plain";
}

bool page_write(FILE *out, const struct deck *deck, const char *root, char *error, size_t size) {
    fprintf(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>%s</title>\n<style>\n",
        deck->slide[0].title);
    if (!put_file(out, root, "common/slides/page.css", error, size))
        return false;
    fputs("</style>\n</head>\n<body>\n", out);
    for (unsigned i = 0; i < deck->slides; i++) {
        const struct slide *slide = &deck->slide[i];
        fprintf(out, "<div class=\"frame\"><section class=\"%s\" id=\"s%u\">\n", kind(slide), i + 1);
        bool right = markdown(out, slide->body);
        fprintf(out, "<p class=\"number\">%u</p>\n</section>\n<aside>\n", i + 1);
        if (!(right && markdown(out, slide->notes))) {
            snprintf(error, size, "%s:%u: this slide cannot be turned into HTML", deck->file, slide->line);
            return false;
        }
        fputs("</aside></div>\n", out);
    }
    fputs("<script>\n", out);
    if (!put_file(out, root, "common/slides/page.js", error, size))
        return false;
    fputs("</script>\n</body>\n</html>\n", out);
    return true;
}
