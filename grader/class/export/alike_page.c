/*
 * alike_page.c: kernels that are too alike, for a human: alike/lab1/index.html lists them, alike/lab1/1.html and so on show two
 * students' side by side, kit-1.html and so on a student's beside the kit's own, with what they share marked. Nothing but that:
 * who wrote it is for a person to find out. What a class of copiers can make of it is limited: so many pairs and bytes a lab.
 */
#include "class/alike/alike.h"
#include "class/alike/tokens.h"
#include "class/export/page.h"
#include "class/export/platform.h"

#include "base/file.h"
#include "report/writers/html_escape.h"

#include <stdlib.h>
#include <string.h>

/* PAGES: of each kind, and rows of each list. BYTES: of the pages of a lab; the one that passes it
 * is the last. Of what is not marked SHOWN bytes stand on each side of a gap. */
enum { LABS = 32, PAGES = 200, BYTES = 32 << 20, SHOWN = 2048 };

/* Those that were written: the first of each list. */
struct pages {
    size_t pairs, known; /* places in the list that are done, with a page or without */
    uint64_t bytes;
};

static const char style[] =
    "<style>body{max-width:none}.two{display:grid;grid-template-columns:1fr 1fr;gap:1rem}.two>div{min-width:0}"
    "mark{background:#ffe49c;color:#1d2430}</style>\n";

static const char *const in_what[ALIKE_WAYS] = {[ALIKE_SOURCE] = "",
                                                [ALIKE_STRUCTURE] = ", by structure",
                                                [ALIKE_COMPILED] = ", compiled",
                                                [ALIKE_STEADY] = ", compiled accesses and floating point"};

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

/* What is not marked, without the middle of what is long: a comment may be as long as its author
 * likes. */
static bool write_unmarked(FILE *to, const char *text, size_t length) {
    if (length <= 2 * SHOWN)
        return write_piece(to, text, length);
    size_t head = SHOWN, tail = length - SHOWN;
    while (head > 0 && ((unsigned char)text[head] & 0xc0) == 0x80) /* within a character */
        head--;
    while (tail < length && ((unsigned char)text[tail] & 0xc0) == 0x80)
        tail++;
    bool right = write_piece(to, text, head);
    fprintf(to, "\n<i>[%zu bytes that nothing is marked in]</i>\n", tail - head);
    return write_piece(to, text + tail, length - tail) && right;
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
        right = write_unmarked(to, text + at, tokens[first].begin - at);
        fputs("<mark>", to);
        right = right && write_piece(to, text + tokens[first].begin, tokens[i].end - tokens[first].begin);
        fputs("</mark>", to);
        at = tokens[i].end;
    }
    return right && write_unmarked(to, text + at, length - at);
}

/* A source, and what is compared of it. */
struct side {
    char path[PATH_SIZE];
    const struct alike_kernel *kernel; /* NULL: the kit's */
    const char *title;
    struct alike_prints prints;
};

static bool write_side(FILE *to, struct gradebook *book, const struct side *side, const struct side *other) {
    size_t length;
    struct token *tokens = NULL;
    char *text = file_read(side->path, KERNEL_LIMIT, &length, book->error, sizeof book->error);
    size_t count = text != NULL ? tokens_read(text, length, &tokens) : 0;
    bool *shared = tokens != NULL ? calloc(count + 1, sizeof *shared) : NULL;
    fputs("<div><h2>", to);
    if (side->kernel != NULL)
        write_names(to, side->kernel);
    else
        html_escape(to, side->title);
    fputs("</h2>\n<pre>", to);
    if (shared != NULL)
        alike_mark(&side->prints, &other->prints, tokens, count, shared);
    bool right = shared != NULL && write_marked(to, text, length, tokens, count, shared);
    fputs("</pre></div>\n", to);
    if (text != NULL && !right)
        snprintf(book->error, sizeof book->error, "out of memory");
    free(shared);
    free(tokens);
    free(text);
    return right;
}

static bool write_two(struct gradebook *book, const char *folder, const char *name, const char *lab,
                      const char *heading, const char *note, const struct side sides[2], uint64_t *bytes) {
    struct file_output output;
    if (!file_begin(&output, folder, name, book->error, sizeof book->error))
        return false;
    page_begin(output.file, lab, heading);
    fputs(style, output.file);
    fprintf(output.file, "<p class=\"note\">%s</p>\n<div class=\"two\">\n", note);
    if (write_side(output.file, book, &sides[0], &sides[1]) &&
        write_side(output.file, book, &sides[1], &sides[0])) {
        fputs("</div>\n", output.file);
        page_end(output.file);
        long size = ftell(output.file);
        *bytes += size > 0 ? (uint64_t)size : 0;
        return file_end(&output, book->error, sizeof book->error);
    }
    file_discard(&output);
    return false;
}

/* Its prints are not the side's to free. */
static void take_kernel(struct side *side, const struct gradebook *book, const struct alike_kernel *kernel) {
    char folder[PATH_SIZE];
    path_join(folder, book->folder, "kernels");
    side->kernel = kernel;
    side->prints = kernel->by[ALIKE_SOURCE];
    if (!kernel_store_path(folder, kernel->sha256, side->path))
        side->path[0] = '\0';
}

static bool write_pair(struct gradebook *book, const char *folder, const char *lab, const struct alike *alike,
                       size_t number, uint64_t *bytes) {
    const struct alike_pair *pair = &alike->pairs[number];
    struct side sides[2];
    char name[32], heading[160];
    snprintf(name, sizeof name, "%zu.html", number + 1);
    if (alike_most(pair) != ALIKE_SOURCE)
        snprintf(heading, sizeof heading, "two kernels, %u %% alike%s, their source %u %%", pair->percent,
                 in_what[alike_most(pair)], pair->by[ALIKE_SOURCE]);
    else
        snprintf(heading, sizeof heading, "two kernels, %u %% alike", pair->percent);
    take_kernel(&sides[0], book, &alike->kernels[pair->one]);
    take_kernel(&sides[1], book, &alike->kernels[pair->other]);
    return write_two(
        book, folder, name, lab, heading,
        "Marked is what both have: names, numbers, comments and blanks are not compared, nor what the kit's "
        "own kernels have, or many of the class.",
        sides, bytes);
}

static bool add_source(struct gradebook *book, struct side *side) {
    size_t length;
    char *text = file_read(side->path, KERNEL_LIMIT, &length, book->error, sizeof book->error);
    bool right = text != NULL && alike_add_source(&side->prints, text, length);
    if (text != NULL && !right)
        snprintf(book->error, sizeof book->error, "out of memory");
    free(text);
    return right;
}

static bool write_known(struct gradebook *book, const char *folder, const char *lab,
                        const struct alike_kernel *kernel, size_t number, uint64_t *bytes) {
    struct side sides[2] = {0};
    char name[32], heading[160];
    snprintf(name, sizeof name, "kit-%zu.html", number);
    snprintf(heading, sizeof heading, "compiled%s %u %% alike: a kernel, and %s of the kit",
             kernel->known_steady ? " accesses and floating point" : "", kernel->known_percent,
             kernel->known->title);
    take_kernel(&sides[0], book, kernel);
    sides[0].prints = (struct alike_prints){0};
    sides[1].title = kernel->known->title;
    path_print(sides[1].path, "%s", kernel->known->source);
    bool right =
        add_source(book, &sides[0]) && add_source(book, &sides[1]) &&
        write_two(
            book, folder, name, lab, heading,
            "Compared is the compiled code. Marked is what the sources have in common; names, numbers, comments "
            "and blanks are not compared.",
            sides, bytes);
    free(sides[0].prints.prints);
    free(sides[1].prints.prints);
    return right;
}

static void say_more(FILE *to, size_t count, const char *what) {
    if (count > PAGES)
        fprintf(to, "<p class=\"note\">And %zu more %s, less alike or as much.</p>\n", count - PAGES, what);
}

/* Kernels like the kit's own, and what speaks for chance. */
static void list_known(FILE *to, const struct alike *alike, const struct pages *pages) {
    size_t number = 0;
    fprintf(
        to,
        "<h2>Like the kit's own</h2>\n<p>The compiled code of %zu kernels is like that of a reference or a step. It costs "
        "nothing by itself: look at them. What was handed out does not count.</p>\n"
        "<table><tr><th>alike</th><th class=\"text\">whose</th><th class=\"text\">like</th><th "
        "class=\"text\"></th></tr>\n",
        alike->like_known);
    for (size_t k = 0; k < alike->count && number < PAGES; k++) {
        const struct alike_kernel *kernel = &alike->kernels[k];
        if (kernel->known == NULL)
            continue;
        number++;
        if (number <= pages->known)
            fprintf(to, "<tr><td><a href=\"kit-%zu.html\">%u %%</a></td><td class=\"text\">", number,
                    kernel->known_percent);
        else
            fprintf(to, "<tr><td>%u %%</td><td class=\"text\">", kernel->known_percent);
        write_names(to, kernel);
        fputs("</td><td class=\"text\">", to);
        html_escape(to, kernel->known->title);
        fputs("</td><td class=\"text\">", to);
        if (alike_is_common(alike, kernel->known->kernels))
            fprintf(to, "as %zu of %zu kernels: perhaps what everybody comes upon", kernel->known->kernels,
                    alike->count);
        fputs("</td></tr>\n", to);
    }
    fputs("</table>\n", to);
    say_more(to, alike->like_known, "kernels");
}

/* What could not be compared, or says nothing. */
static void list_limits(FILE *to, const struct alike *alike) {
    if (alike->start > 0)
        fprintf(
            to,
            "<p class=\"note\">The compiled code of %zu of %zu kernels is what was handed out, but for a few "
            "instructions: who changes blocks, grid or host code alone has the same as everybody. They are compared by their "
            "source alone.</p>\n",
            alike->start, alike->count);
    if (alike->compiled < alike->count)
        fprintf(
            to,
            "<p class=\"note\">For %zu of %zu kernels no compiled code is known: they do not compile, or were judged "
            "by an older kit. They are compared by their source alone.</p>\n",
            alike->count - alike->compiled, alike->count);
    if (alike->known_count == 0)
        fputs(
            "<p class=\"note\">Nothing was compared with the kit's references and steps: they are not compiled. "
            "<code>make grade</code> compiles them.</p>\n",
            to);
}

static void list_pairs(FILE *to, const struct alike *alike, double percent, const struct pages *pages) {
    fprintf(
        to,
        "<p>%zu pairs of %zu different kernels have %g %% or more in common. It costs nothing by itself: look at them.</p>\n"
        "<table><tr><th>alike</th><th class=\"text\">whose</th><th class=\"text\">and whose</th></tr>\n",
        alike->pair_count, alike->count, percent);
    for (size_t p = 0; p < alike->pair_count && p < PAGES; p++) {
        const struct alike_pair *pair = &alike->pairs[p];
        const char *by = in_what[alike_most(pair)];
        if (pair->one == pair->other)
            fputs("<tr><td>the same file</td><td class=\"text\">", to);
        else if (p < pages->pairs)
            fprintf(to, "<tr><td><a href=\"%zu.html\">%u %%%s</a></td><td class=\"text\">", p + 1,
                    pair->percent, by);
        else
            fprintf(to, "<tr><td>%u %%%s</td><td class=\"text\">", pair->percent, by);
        write_names(to, &alike->kernels[pair->one]);
        fputs("</td><td class=\"text\">", to);
        if (pair->one != pair->other)
            write_names(to, &alike->kernels[pair->other]);
        fputs("</td></tr>\n", to);
    }
    fputs("</table>\n", to);
    say_more(to, alike->pair_count, "pairs");
}

static bool write_list(struct gradebook *book, const char *folder, const char *lab, const struct alike *alike,
                       double percent, const struct pages *pages) {
    struct file_output output;
    if (!file_begin(&output, folder, "index.html", book->error, sizeof book->error))
        return false;
    page_begin(output.file, lab, "kernels that are alike");
    fputs(style, output.file);
    if (alike->pair_count > 0)
        list_pairs(output.file, alike, percent, pages);
    if (alike->like_known > 0)
        list_known(output.file, alike, pages);
    if (pages->bytes >= BYTES)
        fprintf(
            output.file,
            "<p class=\"note\">The pages of this lab have %u MiB: what stands without a link has none.</p>\n",
            (unsigned)(pages->bytes >> 20));
    list_limits(output.file, alike);
    page_end(output.file);
    return file_end(&output, book->error, sizeof book->error);
}

static bool write_pages(struct gradebook *book, const char *folder, const char *lab,
                        const struct alike *alike, struct pages *pages) {
    bool right = true;
    for (size_t k = 0; right && k < alike->count && pages->known < PAGES && pages->bytes < BYTES; k++)
        if (alike->kernels[k].known != NULL)
            right = write_known(book, folder, lab, &alike->kernels[k], ++pages->known, &pages->bytes);
    for (size_t p = 0; right && p < alike->pair_count && p < PAGES && pages->bytes < BYTES; p++) {
        pages->pairs = p + 1;
        right = alike->pairs[p].one == alike->pairs[p].other ||
                write_pair(book, folder, lab, alike, p, &pages->bytes);
    }
    return right;
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
    struct pages pages = {0};
    bool right = write_pages(book, folder, lab, &alike, &pages) &&
                 (alike.pair_count + alike.like_known == 0 ||
                  write_list(book, folder, lab, &alike, rules.alike_percent, &pages));
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
