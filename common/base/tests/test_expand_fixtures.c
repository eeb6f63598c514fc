/* common/tools/expand-fixtures: the files it makes of a text of test kernels, and its errors. */
#include "base/child.h"
#include "base/file.h"
#include "base/home.h"
#include "base/test.h"

static char folder[PATH_SIZE] = "/tmp/test_expand.XXXXXX", error[PATH_SIZE + 256];

static int set_up(void **state) {
    struct home home;
    return home_find(&home, error, sizeof error) && chdir(home.root) == 0 && mkdtemp(folder) != NULL ? 0 : -1;
}

static int tear_down(void **state) {
    folder_remove(folder);
    return 0;
}

/* The exit status for this text; `said`: the output; `made`: the file of entry b, "-": none. */
static int expand(const char *text, char *said, size_t size, char made[256]) {
    char path[PATH_SIZE], file[PATH_SIZE];
    path_join(path, folder, "text.txt");
    path_join(file, folder, "b.cu");
    assert_true(file_write(path, text, strlen(text), error, sizeof error));
    int status =
        child_run((const char *const[]){"common/tools/expand-fixtures", folder, path, NULL}, said, size);
    FREED char *bytes = access(file, F_OK) == 0 ? file_read(file, 255, NULL, error, sizeof error) : NULL;
    snprintf(made, 256, "%s", bytes != NULL ? bytes : "-");
    return status;
}

/* An entry `a` of four lines, one of them twice. */
#define A "About it.\n\n== a: why\n+ int x;\n+\n+     int y;\n+ int x;\n+ int z;\n"

static void edits_are_made(void **state) {
    static const struct {
        const char *text, *made;
    } rows[] = {
        {"== b: whole\n+ int x;\n+\n+   int y;\n", "int x;\n\n  int y;\n"},
        {"== b: nothing\n", ""},
        {A "== b < a: the same\n", "int x;\n\n    int y;\nint x;\nint z;\n"},
        {A "== b < a: in place of one\n- int y;\n+ long y;\n", "int x;\n\nlong y;\nint x;\nint z;\n"},
        {A "== b < a: in front\n+ long y;\n", "long y;\nint x;\n\n    int y;\nint x;\nint z;\n"},
        {A "== b < a: behind two that stay\n  int x;\n  int y;\n+ long y;\n",
         "int x;\n\n    int y;\nlong y;\nint x;\nint z;\n"},
        {A "== b < a: a run goes\n- int y;\n- ...\n- int z;\n", "int x;\n\n"},
        {A "== b < a: two go\n- int y;\n\n- int z;\n", "int x;\n\nint x;\n"},
        {A "== (c) < a: a base\n- int z;\n== b < (c): its edit\n- int y;\n", "int x;\n\nint x;\n"},
        {A "= words for a test\n~ and more\n== b < a: which says so\n- int z;\n= words\n",
         "int x;\n\n    int y;\nint x;\n"},
        {A "== b < a: within a line\n* y => w\n", "int x;\n\n    int w;\nint x;\nint z;\n"},
        {A "== b < a: in front, and twice within one\n+ long v;\n* int z => float z\n* z; => q;\n- int y;\n",
         "long v;\nint x;\n\nint x;\nfloat q;\n"},
        {"== (b): only a base\n+ int x;\n", "-"},
    };
    char said[512], made[256];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (expand(rows[i].text, said, sizeof said, made) != 0 || strcmp(made, rows[i].made) != 0)
            fail_msg("%s\n---\n%s\n---\n%s", rows[i].text, made, said);
}

static void what_finds_no_place_is_refused(void **state) {
    static const struct {
        const char *text, *says;
    } rows[] = {
        {A "== b < a: none\n- int w;\n+ int v;\n", "0 times in what b is an edit of"},
        {A "== b < a: twice\n- int x;\n", "2 times in what b is an edit of"},
        {A "== b < a: no such part\n* w => v\n", "\"w\": 0 times in what b is an edit of"},
        {A "== b < a: a part twice\n* x; => v;\n", "\"x;\": 2 times in what b is an edit of"},
        {A "== b < a: not neighbours\n- int y;\n- int z;\n", "0 times"},
        {A "== b < a: an end that is not there\n- int y;\n- ...\n- int w;\n", "0 times"},
        {A "== b < a: two edits of one line\n- int y;\n+ int v;\n  int y;\n+ int w;\n",
         "a second edit ends here"},
        {A "== b < c: of nothing\n- int x;\n", "no entry c above this one"},
        {"== b < solutions/nowhere.cu: of nothing\n- int x;\n", "cannot read solutions/nowhere.cu"},
        {"== b: whole\n+ #include \"common/nowhere.h\"\n", "cannot read common/nowhere.h"},
        {A "== a: again\n+ int x;\n", "a second entry a"},
        {"== b: a line\nint x;\n", "is no line of an entry"},
        {"== b\n+ int x;\n", "an entry is == NAME: why"},
    };
    char said[512], made[256];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (expand(rows[i].text, said, sizeof said, made) == 0 || strstr(said, rows[i].says) == NULL)
            fail_msg("%s\n---\n%s", rows[i].text, said);
}

/* Unchanged files keep their time; files that no text has are removed. */
static void only_what_changed_is_written(void **state) {
    char said[512], made[256], other[PATH_SIZE];
    path_join(other, folder, "old.cu");
    assert_true(file_write(other, "", 0, error, sizeof error));
    assert_int_equal(expand("== b: x\n+ int x;\n", said, sizeof said, made), 0);
    assert_int_equal(access(other, F_OK), -1);
    path_join(other, folder, "b.cu");
    assert_int_equal(child_run((const char *const[]){"touch", "-d", "@1000", other, NULL}, NULL, 0), 0);
    const char *const is_old[] = {"find", folder, "-name", "b.cu", "-not", "-newermt", "@1000", NULL};
    assert_int_equal(expand("== b: y\n+ int x;\n", said, sizeof said, made), 0);
    assert_int_equal(child_run(is_old, said, sizeof said), 0);
    assert_string_not_equal(said, "");
    assert_int_equal(expand("== b: y\n+ int y;\n", said, sizeof said, made), 0);
    assert_int_equal(child_run(is_old, said, sizeof said), 0);
    assert_string_equal(said, "");
}

TESTS_BETWEEN(set_up, tear_down, UNIT(edits_are_made), UNIT(what_finds_no_place_is_refused),
              UNIT(only_what_changed_is_written))
