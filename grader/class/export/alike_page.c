/*
 * alike_page.c: pairs of kernels that are too alike, for a human: alike/lab1/index.html lists them, alike/lab1/1.html and so on
 * show two side by side, with what they share marked. Nothing but that: who wrote it is for a person to find out.
 */
#include "class/alike/alike.h"
#include "class/export/page.h"
#include "class/export/platform.h"

#include "base/file.h"
#include "report/writers/html_escape.h"

#include <stdlib.h>
#include <string.h>

enum { LABS = 32, PAGES = 200 };

static const char style[] =
    "<style>body{max-width:none}.two{display:grid;grid-template-columns:1fr 1fr;gap:1rem}.two>div{min-width:0}"
    "mark{background:#ffe49c;color:inherit}a{color:#1b5fa8}</style>\n";

static void write_names(FILE *to, const struct alike_kernel *kernel) {
    for (size_t i = 0; i < kernel->student_count; i++) {
        fputs(i > 0 ? ", " : "", to);
        html_escape(to, kernel->students[i]);
    }
}

static bool write_piece(FILE *to, const char *text, size_t length) {
    char *piece = strndup(text, length);
    if (piece != NULL)
        html_escape(to, piece);
    free(piece);
    return piece != NULL;
}

/* The text with its shared tokens marked, neighbours together. */
static bool write_marked(FILE *to, const char *text, size_t length, const struct token *tokens, size_t count,
                         const bool *shared) {
    size_t at = 0;
    bool right = true;
    for (size_t i = 0; right && i < count; i++) {
        size_t first = i;
        if (!shared[i])
            continue;
        while (i + 1 < count && shared[i + 1])
            i++;
        right = write_piece(to, text + at, tokens[first].begin - at);
        fputs("<mark>", to);
        right = right && write_piece(to, text + tokens[first].begin, tokens[i].end - tokens[first].begin);
        fputs("</mark>", to);
        at = tokens[i].end;
    }
    return right && write_piece(to, text + at, length - at);
}

static bool write_side(FILE *to, struct gradebook *book, const struct alike_kernel *kernel,
                       const struct alike_kernel *other) {
    char folder[PATH_SIZE], path[PATH_SIZE];
    size_t length;
    struct token *tokens = NULL;
    path_join(folder, book->folder, "kernels");
    char *text = kernel_store_path(folder, kernel->sha256, path)
                     ? file_read(path, KERNEL_LIMIT, &length, book->error, sizeof book->error)
                     : NULL;
    size_t count = text != NULL ? tokens_read(text, length, &tokens) : 0;
    bool *shared = tokens != NULL ? calloc(count + 1, sizeof *shared) : NULL;
    fputs("<div><h2>", to);
    write_names(to, kernel);
    fputs("</h2>\n<pre>", to);
    if (shared != NULL)
        alike_mark(kernel, other, tokens, count, shared);
    bool right = shared != NULL && write_marked(to, text, length, tokens, count, shared);
    fputs("</pre></div>\n", to);
    if (text != NULL && !right)
        snprintf(book->error, sizeof book->error, "out of memory");
    free(shared);
    free(tokens);
    free(text);
    return right;
}

static bool write_pair(struct gradebook *book, const char *folder, const char *lab, const struct alike *alike,
                       size_t number) {
    const struct alike_pair *pair = &alike->pairs[number];
    const struct alike_kernel *one = &alike->kernels[pair->one], *other = &alike->kernels[pair->other];
    struct file_output output;
    char name[32], heading[64];
    snprintf(name, sizeof name, "%zu.html", number + 1);
    snprintf(heading, sizeof heading, "two kernels, %u %% alike", pair->percent);
    if (!file_begin(&output, folder, name, book->error, sizeof book->error))
        return false;
    page_begin(output.file, lab, heading);
    fputs(style, output.file);
    fputs(
        "<p class=\"note\">Marked is what both have: names, numbers, comments and blanks are not compared, nor what the kit's "
        "own kernels have, or many of the class.</p>\n<div class=\"two\">\n",
        output.file);
    if (write_side(output.file, book, one, other) && write_side(output.file, book, other, one)) {
        fputs("</div>\n", output.file);
        page_end(output.file);
        return file_end(&output, book->error, sizeof book->error);
    }
    file_discard(&output);
    return false;
}

static bool write_list(struct gradebook *book, const char *folder, const char *lab, const struct alike *alike,
                       double percent) {
    struct file_output output;
    if (!file_begin(&output, folder, "index.html", book->error, sizeof book->error))
        return false;
    FILE *to = output.file;
    page_begin(to, lab, "kernels that are alike");
    fputs(style, to);
    fprintf(
        to,
        "<p>%zu pairs of %zu different kernels have %g %% or more in common. It costs nothing by itself: look at them.</p>\n"
        "<table><tr><th>alike</th><th class=\"text\">whose</th><th class=\"text\">and whose</th></tr>\n",
        alike->pair_count, alike->count, percent);
    for (size_t p = 0; p < alike->pair_count; p++) {
        const struct alike_pair *pair = &alike->pairs[p];
        if (pair->one == pair->other)
            fputs("<tr><td>the same file</td><td class=\"text\">", to);
        else if (p < PAGES)
            fprintf(to, "<tr><td><a href=\"%zu.html\">%u %%</a></td><td class=\"text\">", p + 1,
                    pair->percent);
        else
            fprintf(to, "<tr><td>%u %%</td><td class=\"text\">", pair->percent);
        write_names(to, &alike->kernels[pair->one]);
        fputs("</td><td class=\"text\">", to);
        if (pair->one != pair->other)
            write_names(to, &alike->kernels[pair->other]);
        fputs("</td></tr>\n", to);
    }
    fputs("</table>\n", to);
    page_end(to);
    return file_end(&output, book->error, sizeof book->error);
}

static bool of_lab(const struct export_context *context, const char *lab) {
    struct gradebook *book = context->book;
    struct policy_rules rules;
    struct alike alike;
    char folder[PATH_SIZE];
    policy_rules(context->policy, lab, &rules);
    if (!path_print(folder, "%s/alike/%s", book->folder, lab) ||
        !alike_find(book, context->root, lab, rules.alike_percent, &alike))
        return false;
    folder_remove(folder);
    bool right = alike.pair_count == 0 || write_list(book, folder, lab, &alike, rules.alike_percent);
    for (size_t p = 0; right && p < alike.pair_count && p < PAGES; p++)
        right = alike.pairs[p].one == alike.pairs[p].other || write_pair(book, folder, lab, &alike, p);
    alike_free(&alike);
    return right;
}

bool alike_files(const struct export_context *context) {
    char labs[LABS][16];
    int count = platform_labs(context->book, labs, LABS);
    for (int i = 0; i < count; i++)
        if (!of_lab(context, labs[i]))
            return false;
    return count >= 0;
}
