/* The words of the slides, by hunspell; slides/words has those that no dictionary has. */
#include "slides/tests/support_slides.h"

#include "base/child.h"
#include "base/file.h"
#include "base/home.h"
#include <ctype.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 1 << 20 };

/* Blank out what lies between two marks of a line. */
static void blank(char *line, const char *open, const char *close) {
    for (char *at = line; (at = strstr(at, open)) != NULL;) {
        char *end = strstr(at + strlen(open), close);
        if (end == NULL)
            return;
        end += strlen(close);
        memset(at, ' ', (size_t)(end - at));
        at = end;
    }
}

/* Blank out words with a digit: names of steps and chips. */
static void blank_names(char *line) {
    for (char *at = line; *at != '\0';) {
        size_t length = 0;
        bool digit = false;
        for (; isalnum((unsigned char)at[length]) || at[length] == '\'' || at[length] == '.'; length++)
            digit = digit || isdigit((unsigned char)at[length]);
        if (digit)
            memset(at, ' ', length);
        at += length > 0 ? length : 1;
    }
}

/* The prose of a deck: no code, no references, no addresses. */
static void write_prose(FILE *out, char *text) {
    bool fenced = false;
    for (char *rest = NULL, *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        if (strncmp(line, "```", 3) == 0) {
            fenced = !fenced;
            continue;
        }
        if (fenced || *line == '@')
            continue;
        blank(line, "{{", "}}");
        blank(line, "`", "`");
        blank(line, "](", ")");
        blank(line, "<code>", "</code>");
        blank_names(line);
        fprintf(out, "%s\n", line);
    }
}

static void every_word_is_known(void **state) {
    (void)state;
    static char said[16384];
    char error[512], pattern[PATH_SIZE], words[PATH_SIZE], prose[PATH_SIZE];
    struct home home;
    glob_t files;
    assert_true(home_find(&home, error, sizeof error));
    assert_true(path_join(pattern, home.root, "slides/*.md"));
    assert_true(path_join(words, home.root, "slides/words"));
    assert_true(path_print(prose, "%s/slides_prose_%ld.txt", home.build, (long)getpid()));
    assert_int_equal(glob(pattern, 0, NULL, &files), 0);
    FILE *out = fopen(prose, "w");
    assert_non_null(out);
    fputs("mispelled\n", out); /* so that a speller that finds nothing is found out */
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char *text = file_read(files.gl_pathv[i], LONGEST, NULL, error, sizeof error);
        assert_non_null(text);
        write_prose(out, text);
        free(text);
    }
    assert_int_equal(fclose(out), 0);
    globfree(&files);
    const char *const spell[] = {"env", "LC_ALL=C.UTF-8", "hunspell", "-l", "-d", "en_GB", "-p", words, prose,
                                 NULL};
    int status = child_run(spell, said, sizeof said);
    unlink(prose);
    if (status != 0) {
        print_message("skipped: no hunspell with a British dictionary here (make setup DEV=1 brings it)\n");
        skip();
    }
    assert_string_equal(said, "mispelled\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_word_is_known)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
