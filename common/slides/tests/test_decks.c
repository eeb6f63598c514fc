/*
 * Every deck of slides/: its references resolve, no figure is typed in, it has what a deck has to have, its links lead somewhere, and nvcc compiles the
 * code it shows. Needs no browser.
 */
#include "slides/tests/support_slides.h"

#include "base/child.h"
#include "base/file.h"
#include "base/home.h"
#include "slides/page.h"
#include <glob.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FEWEST = 20, MOST = 35, QUESTIONS = 3, LONGEST = 1 << 20 };

static struct home home;
static struct data *data;
static glob_t files;

static int open_all(void **state) {
    (void)state;
    char error[512], pattern[PATH_SIZE];
    return home_find(&home, error, sizeof error) &&
                   (data = data_open(home.root, error, sizeof error)) != NULL &&
                   path_join(pattern, home.root, "slides/*.md") && glob(pattern, 0, NULL, &files) == 0
               ? 0
               : -1;
}

static int close_all(void **state) {
    (void)state;
    globfree(&files);
    data_close(data);
    return 0;
}

/* The path of a file below the project's folder; NULL: it is no deck. */
static const char *deck_file(size_t index) {
    const char *file = files.gl_pathv[index] + strlen(home.root) + 1;
    return strcmp(file, "slides/README.md") == 0 ? NULL : file;
}

static struct deck *load(const char *file) {
    char error[1024] = "";
    struct deck *deck = deck_load(file, data, error, sizeof error);
    if (deck == NULL)
        fail_msg("%s", error);
    return deck;
}

static void begins(const struct deck *deck, const struct slide *slide, const char *word) {
    if (strncmp(slide->title, word, strlen(word)) != 0)
        fail_msg("%s:%u: this slide's title begins with '%s'", deck->file, slide->line, word);
}

static void check_slides(const struct deck *deck) {
    unsigned questions = 0;
    if (deck->slides < FEWEST || deck->slides > MOST)
        fail_msg("%s: %u slides; a deck has %d to %d", deck->file, deck->slides, FEWEST, MOST);
    assert_true(deck->slide[0].opening);
    for (unsigned i = 0; i < deck->slides; i++) {
        const struct slide *slide = &deck->slide[i];
        if (*slide->title == '\0' || strlen(slide->notes) < 30)
            fail_msg("%s:%u: a slide has a title, and notes of some words", deck->file, slide->line);
        if (strncmp(slide->title, "Question", 8) != 0)
            continue;
        questions++;
        assert_in_range(i, 0, deck->slides - 2);
        begins(deck, slide + 1, "Answer");
    }
    for (unsigned i = 1; i < deck->slides; i++)
        if (strncmp(deck->slide[i].title, "Answer", 6) == 0)
            begins(deck, &deck->slide[i - 1], "Question");
    if (questions < QUESTIONS)
        fail_msg("%s: %u questions; a deck has %d or more", deck->file, questions, QUESTIONS);
}

static void every_deck_is_whole(void **state) {
    (void)state;
    unsigned decks = 0;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        if (deck_file(i) == NULL)
            continue;
        struct deck *deck = load(deck_file(i));
        check_slides(deck);
        deck_free(deck);
        decks++;
    }
    assert_in_range(decks, 2, 100);
}

static void every_deck_becomes_a_page(void **state) {
    (void)state;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        if (deck_file(i) == NULL)
            continue;
        char error[512] = "", *text = NULL;
        size_t length;
        struct deck *deck = load(deck_file(i));
        FILE *out = open_memstream(&text, &length);
        assert_non_null(out);
        bool right = page_write(out, deck, home.root, error, sizeof error);
        assert_int_equal(fclose(out), 0);
        if (!right)
            fail_msg("%s", error);
        assert_null(strstr(text, "{{"));
        assert_null(strstr(text, "src=\"")); /* nothing from elsewhere */
        unsigned sections = 0;
        for (const char *at = text; (at = strstr(at, "<section ")) != NULL; at++)
            sections++;
        assert_int_equal(sections, deck->slides);
        free(text);
        deck_free(deck);
    }
}

/* A number with a unit, outside of {{...}} and of code, was typed in: it belongs into a file. */
static void check_typed(regex_t *figure, const char *file, char *text) {
    bool fenced = false;
    for (char *rest = NULL, *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        if (strncmp(line, "```", 3) == 0)
            fenced = !fenced;
        if (fenced || *line == '@')
            continue;
        for (char *open; (open = strstr(line, "{{")) != NULL;) {
            char *close = strstr(open, "}}");
            assert_non_null(close);
            memset(open, '_', (size_t)(close + 2 - open));
        }
        if (regexec(figure, line, 0, NULL, 0) == 0)
            fail_msg("%s: a figure that is typed in: %s", file, line);
    }
}

static void no_figure_is_typed_in(void **state) {
    (void)state;
    regex_t figure;
    assert_int_equal(regcomp(&figure, "[0-9] ?(µs|ms|ns|%|TFLOP|[GT]B|[KM]B)", REG_EXTENDED | REG_NOSUB), 0);
    assert_int_equal(regexec(&figure, "it takes 4.1 µs", 0, NULL, 0), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        if (deck_file(i) == NULL)
            continue;
        char error[512];
        char *text = file_read(files.gl_pathv[i], LONGEST, NULL, error, sizeof error);
        assert_non_null(text);
        check_typed(&figure, deck_file(i), text);
        free(text);
    }
    regfree(&figure);
}

/* Whether what a link names is there, from the folder of slides. */
static void check_link(const char *file, const char *link, size_t length) {
    char name[256], path[PATH_SIZE];
    assert_in_range(length, 1, sizeof name - 1);
    memcpy(name, link, length);
    name[length] = '\0';
    if (strncmp(name, "http", 4) == 0 || *name == '#')
        return;
    name[strcspn(name, "#")] = '\0';
    assert_true(path_print(path, "%s/slides/%s", home.root, name));
    if (access(path, F_OK) != 0)
        fail_msg("%s: a link leads to %s, which is not there", file, name);
}

static void links_lead_somewhere(void **state) {
    (void)state;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char error[512];
        char *text = file_read(files.gl_pathv[i], LONGEST, NULL, error, sizeof error);
        assert_non_null(text);
        for (const char *at = text; (at = strstr(at, "](")) != NULL;) {
            at += 2;
            check_link(files.gl_pathv[i], at, strcspn(at, ")\n"));
        }
        free(text);
    }
}

/* A piece of code in a namespace of its own, with what is around it, under its own line numbers. */
static void write_code(FILE *out, const struct deck *deck, unsigned index) {
    const struct deck_code *code = &deck->code[index];
    char error[512], path[PATH_SIZE], *around = NULL, *behind = NULL;
    fprintf(out, "namespace %s_%u {\n", deck->name, code->line);
    if (*code->around != '\0') {
        assert_true(path_print(path, "%s/slides/code/%s.cu.in", home.root, code->around));
        around = file_read(path, LONGEST, NULL, error, sizeof error);
        if (around == NULL)
            fail_msg("%s:%u: %s", deck->file, code->line, error);
        behind = strstr(around, "FRAGMENT\n");
        if (behind == NULL)
            fail_msg("%s has no line FRAGMENT", path);
        *behind = '\0';
        fputs(around, out);
    }
    fprintf(out, "#line %u \"%s\"\n%s", code->line, deck->file, code->text);
    if (behind != NULL)
        fputs(behind + strlen("FRAGMENT\n"), out);
    fputs("}\n", out);
    free(around);
}

static void code_compiles(void **state) {
    (void)state;
    static char said[16384];
    char path[PATH_SIZE], output[PATH_SIZE], nvcc[PATH_SIZE];
    unsigned pieces = 0;
    assert_true(path_print(path, "%s/slides_code_%ld.cu", home.build, (long)getpid()));
    assert_true(path_print(output, "%s.ptx", path));
    assert_true(path_join(nvcc, home.root, "common/tools/nvcc"));
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs("#include <cfloat>\n#include <cstdint>\n#include <cstdio>\n", out);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        if (deck_file(i) == NULL)
            continue;
        struct deck *deck = load(deck_file(i));
        for (unsigned k = 0; k < deck->codes; k++, pieces++)
            write_code(out, deck, k);
        deck_free(deck);
    }
    assert_int_equal(fclose(out), 0);
    assert_in_range(pieces, 1, 1000);
    const char *const compile[] = {nvcc, "-arch=sm_90", "-ptx", "-o", output, path, NULL};
    int status = child_run(compile, said, sizeof said);
    unlink(path);
    unlink(output);
    if (status != 0)
        fail_msg("nvcc, exit status %d:\n%s", status, said);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_deck_is_whole),   cmocka_unit_test(every_deck_becomes_a_page),
        cmocka_unit_test(no_figure_is_typed_in), cmocka_unit_test(links_lead_somewhere),
        cmocka_unit_test(code_compiles),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
