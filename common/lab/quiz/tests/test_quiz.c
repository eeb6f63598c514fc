/* The labs' own quizzes, what is refused, and the dialogue. */
#include "base/file.h"
#include "base/home.h"
#include "base/test.h"
#include "lab/quiz/quiz.h"
#include "lab/quiz/record.h"
#include <glob.h>
#include <math.h>

static struct gpu_model model;
static struct home home;
static struct quiz quiz;
static struct quiz_asked asked;
static char error[QUIZ_ERROR], folder[] = "/tmp/test_quiz.XXXXXX";

static int set_up(void **state) {
    return home_find(&home, error, sizeof error) && mkdtemp(folder) != NULL &&
                   gpu_model_load(NULL, "h200", &model, error, sizeof error)
               ? 0
               : -1;
}

static int tear_down(void **state) {
    folder_remove(folder);
    return 0;
}

static struct draw_key seed(uint64_t number) {
    struct draw_key key;
    draw_key_of_seed(&key, number);
    return key;
}

static void load(const char *path) {
    size_t length;
    char *text = file_read(path, 1 << 20, &length, error, sizeof error);
    assert_non_null(text);
    if (strstr(text, "(s)") != NULL || strstr(text, "(es)") != NULL)
        fail_msg("%s: one or several? A sentence that is right for any number says neither", path);
    bool right = quiz_parse(text, length, path, &quiz, error, sizeof error);
    free(text);
    if (!right)
        fail_msg("%s", error);
    snprintf(quiz.lab, sizeof quiz.lab, "lab0");
}

static void make(unsigned index, const struct draw_key *key) {
    if (!quiz_make(&quiz, index, home.root, &model, key, &asked, error, sizeof error))
        fail_msg("%s", error);
}

/* Every question can be asked with any draw, and its own answer is right. */
static void every_lab(void **state) {
    char pattern[PATH_SIZE];
    glob_t found;
    assert_true(path_print(pattern, "%s/labs/*/quiz.ini", home.root));
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 8);
    for (size_t f = 0; f < found.gl_pathc; f++) {
        unsigned drawn = 0;
        load(found.gl_pathv[f]);
        assert_in_range(quiz.count, 8, 12);
        for (unsigned i = 0; i < quiz.count; i++) {
            drawn += quiz.questions[i].drawn;
            for (unsigned k = 0; k < 60; k++) {
                struct draw_key key = seed(k);
                char line[64];
                make(i, &key);
                if (asked.question->kind == QUIZ_CHOICE_OF)
                    snprintf(line, sizeof line, "%c", 'a' + asked.right);
                else if (asked.question->kind == QUIZ_NUMBER)
                    snprintf(line, sizeof line, "%.12g", asked.value);
                else
                    snprintf(line, sizeof line, "%u", asked.code_first + asked.right);
                if (quiz_judge(&asked, line) != QUIZ_RIGHT)
                    fail_msg("%s: %s: %s is wrong", found.gl_pathv[f], asked.question->title, line);
                /* An answer without tolerance must be a whole count. */
                if (asked.question->kind == QUIZ_NUMBER && asked.question->tolerance == 0)
                    assert_true(asked.value == floor(asked.value));
            }
        }
        assert_true(drawn >= 3);
    }
    globfree(&found);
}

static const char small[] = "[question one]\nkind = choice\ntext = T?\nright = R\nwrong = W\nwhy = B\n"
                            "[question two]\nkind = number\ndraw n = 1 2 3 4 5 6 7 8 9\ntext = {n} + 1?\n"
                            "answer = n + 1\ntolerance = 0\nwhy = {answer}\n";

static void parse(const char *text) {
    if (!quiz_parse(text, strlen(text), "quiz.ini", &quiz, error, sizeof error))
        fail_msg("%s", error);
    snprintf(quiz.lab, sizeof quiz.lab, "lab0");
}

static void what_is_refused(void **state) {
    static const struct {
        const char *text, *why;
    } wrong[] = {
        {"", "no question"},
        {"kind = choice\n", "quiz.ini:1: kind before the first"},
        {"[question a]\nkind = essay\n", "quiz.ini:2: kind is choice"},
        {"[question a]\nkind = choice\ntext = T\nwhy = W\nright = R\n", "[question a] has no wrong"},
        {"[question a]\nkind = number\ntext = T\nwhy = W\nanswer = 1\n", "[question a] has no tolerance"},
        {"[question a]\nkind = line\ntext = T\nwhy = W\ncode = f 2 x\n", "[question a] has no line"},
        {"[question a]\nkind = choice\ntext = T\nwhy = W\nright = R\nright = S\n",
         "quiz.ini:6: a second right"},
        {"[question a]\nkind = number\ndraw n = 1\nlet n = 2\n", "quiz.ini:4: 'n' stands above"},
        {"[question a]\nkind = number\nlet 2 = 2\n", "quiz.ini:3: '2' is no name"},
        {"[question a]\nhint = b\n", "quiz.ini:2: unknown key 'hint'"},
        {"[puzzle a]\n", "quiz.ini:1: unknown section"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(
            quiz_parse(wrong[i].text, strlen(wrong[i].text), "quiz.ini", &quiz, error, sizeof error));
        if (strstr(error, wrong[i].why) == NULL)
            fail_msg("'%s' is not '%s'", error, wrong[i].why);
    }
}

static void what_cannot_be_made(void **state) {
    static const struct {
        const char *body, *why;
    } wrong[] = {
        {"kind = number\ntext = {n}\nanswer = 1\ntolerance = 0\nwhy = W. Try it: make x A=1\n",
         "has no number {n}"},
        {"kind = number\ntext = T\nanswer = n\ntolerance = 0\nwhy = W. Try it: make x A=1\n",
         "nothing above is named 'n'"},
        {"kind = choice\ntext = T\nright = R\nwrong = R\nwhy = W. Try it: make x A=1\n",
         "two answers are the same"},
        {"kind = number\nfrom n = h200-lab4.csv step-zz block\ntext = T\nanswer = n\ntolerance = 0\nwhy = W. Try it: make x A=1\n",
         "has no number at row step-zz"},
        {"kind = number\nfrom n = ../x a b\ntext = T\nanswer = n\ntolerance = 0\nwhy = W. Try it: make x A=1\n",
         "from is FILE ROW"},
        {"kind = line\ntext = T\ncode = ../etc/passwd 2 root\nline = x\nwhy = W. Try it: make x A=1\n",
         "code is FILE COUNT TEXT"},
        {"kind = line\ntext = T\ncode = labs/lab1-memory-layout/lab1.h 4 ifndef\nline = zzz\nwhy = W. Try it: make x A=1\n",
         "0 of the lines shown hold 'zzz'"},
    };
    struct draw_key key = seed(1);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[512];
        snprintf(text, sizeof text, "[question a]\n%s", wrong[i].body);
        parse(text);
        assert_false(quiz_make(&quiz, 0, home.root, &model, &key, &asked, error, sizeof error));
        if (strstr(error, wrong[i].why) == NULL)
            fail_msg("'%s' is not '%s'", error, wrong[i].why);
    }
}

static void keys_draw_their_own(void **state) {
    parse(small);
    struct draw_key key = seed(1);
    make(1, &key);
    double first = asked.value;
    make(1, &key);
    assert_true(asked.value == first); /* the same key, the same question */
    unsigned others = 0;
    for (unsigned k = 2; k < 20; k++) {
        key = seed(k);
        make(1, &key);
        others += asked.value != first;
    }
    assert_true(others > 5);
}

static void answers_are_read(void **state) {
    struct draw_key key = seed(1);
    parse(
        "[question a]\nkind = number\ntext = T\nanswer = 12500\ntolerance = 2 %\nunit = bytes\nwhy = W. Try it: make x A=1\n");
    make(0, &key);
    assert_int_equal(quiz_judge(&asked, "12500"), QUIZ_RIGHT);
    assert_int_equal(quiz_judge(&asked, "12,500 bytes"), QUIZ_RIGHT);
    assert_int_equal(quiz_judge(&asked, "12250"), QUIZ_RIGHT);
    assert_int_equal(quiz_judge(&asked, "12249"), QUIZ_WRONG);
    assert_int_equal(quiz_judge(&asked, "12751"), QUIZ_WRONG);
    assert_int_equal(quiz_judge(&asked, "12500 words"), QUIZ_UNCLEAR);
    assert_int_equal(quiz_judge(&asked, "many"), QUIZ_UNCLEAR);
    assert_int_equal(quiz_judge(&asked, ""), QUIZ_UNCLEAR);
    assert_int_equal(quiz_judge(&asked, "nan"), QUIZ_UNCLEAR);
    parse(small);
    make(0, &key);
    assert_int_equal(quiz_judge(&asked, asked.right == 0 ? "A" : "B"), QUIZ_RIGHT);
    assert_int_equal(quiz_judge(&asked, asked.right == 0 ? "b" : "a"), QUIZ_WRONG);
    assert_int_equal(quiz_judge(&asked, "c"), QUIZ_UNCLEAR);
    assert_int_equal(quiz_judge(&asked, "ab"), QUIZ_UNCLEAR);
}

/* The output when these lines are typed, to be freed. */
static char *talk(const char *typed) {
    char *printed = NULL;
    size_t length;
    FILE *in = fmemopen((void *)(uintptr_t)typed, strlen(typed), "r"),
         *out = open_memstream(&printed, &length);
    assert_true(in != NULL && out != NULL);
    bool right = quiz_dialogue(&(struct quiz_dialogue){&quiz, home.root, folder, &model, in, out}, error,
                               sizeof error);
    assert_int_equal(fclose(in), 0);
    assert_int_equal(fclose(out), 0);
    if (!right)
        fail_msg("%s", error);
    for (const char *line = printed; line != NULL && *line != '\0';) {
        size_t width = strcspn(line, "\n");
        if (width > 80 + strlen("  in registers: ")) /* typed lines bring no line end of their own here */
            fail_msg("too wide: %.120s", line);
        line = line[width] == '\n' ? line + width + 1 : NULL;
    }
    return printed;
}

static void a_round_is_kept(void **state) {
    struct quiz_record record;
    parse(small);
    char *printed = talk("what?\na\nq\n");
    assert_non_null(strstr(printed, "That is no answer"));
    assert_non_null(strstr(printed, "of 1 answered, 2 questions in all"));
    free(printed);
    assert_true(quiz_record_load(folder, 2, &record, error, sizeof error));
    assert_true(record.round == 1 && record.answers[0] != '.' && record.answers[1] == '.');
    struct draw_key own = record.key;

    printed = talk("100\n"); /* continues */
    assert_null(strstr(printed, "1 of 2"));
    assert_non_null(strstr(printed, "2 of 2"));
    assert_non_null(strstr(printed, "Not so. It is "));
    free(printed);
    assert_true(quiz_record_load(folder, 2, &record, error, sizeof error));
    assert_memory_equal(&own, &record.key, sizeof own);
    assert_int_equal(record.answers[1], '-');
    unsigned best = record.best;

    free(talk("")); /* the next round: no answer, no loss */
    free(talk("a\n"));
    assert_true(quiz_record_load(folder, 2, &record, error, sizeof error));
    assert_int_equal(record.round, 2);
    assert_true(record.best >= best);
    assert_true(quiz_record_load(folder, 3, &record, error, sizeof error)); /* a question more: a new round */
    assert_string_equal(record.answers, "...");
}

static void one_of_a_unit(void **state) {
    parse("[question q]\nkind = number\ntext = T\nanswer = 1\nunit = waves\ntolerance = 0\n"
          "why = W. Try it: make x A=1\n");
    char *printed = talk("100\n");
    assert_non_null(strstr(printed, "It is 1 wave\nW. Try it:\nmake x A=1\n"));
    free(printed);
}

static void a_damaged_record_is_said(void **state) {
    struct quiz_record record;
    char path[PATH_SIZE];
    assert_true(path_join(path, folder, ".quiz.ini"));
    assert_true(file_write(path, "key = 12\n", 9, error, sizeof error));
    assert_false(quiz_record_load(folder, 2, &record, error, sizeof error));
    assert_non_null(strstr(error, ".quiz.ini:1: key is 64"));
}

static void a_lab_without(void **state) {
    char where[PATH_SIZE];
    bool missing;
    assert_false(quiz_load(home.root, "lab99", &quiz, where, &missing, error, sizeof error));
    assert_true(missing);
    assert_string_equal(error, "lab99 has no quiz");
    assert_false(quiz_load(home.root, "../lab", &quiz, where, &missing, error, sizeof error));
    assert_true(missing);
}

TESTS_BETWEEN(set_up, tear_down, UNIT(every_lab), UNIT(what_is_refused), UNIT(what_cannot_be_made),
              UNIT(keys_draw_their_own), UNIT(answers_are_read), UNIT(a_round_is_kept), UNIT(one_of_a_unit),
              UNIT(a_damaged_record_is_said), UNIT(a_lab_without))
