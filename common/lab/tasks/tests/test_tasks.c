/* The reader of tasks.ini, what explains a text, and a learner's record. */
#include "base/file.h"
#include "base/test.h"
#include "lab/tasks/record.h"

#define HEAD "[lab]\ntitle = First\n[task 01-one]\ntitle = One\ntask = Do it.\nhint = Think.\n"
#define TWICE(text) text text
#define TIMES_8(text) TWICE(TWICE(TWICE(text)))

static char error[PATH_SIZE + 256];

static bool parse(const char *text, struct tasks *tasks) {
    error[0] = '\0';
    return tasks_parse(text, strlen(text), "t.ini", tasks, error, sizeof error);
}

static void what_is_wrong_is_told_with_its_line(void **state) {
    static const struct {
        const char *text, *says;
    } table[] = {
        {"", "t.ini: no title in [lab]"},
        {"[lab]\ntitle = A\n", "t.ini: no [task 01-...]"},
        {"title = A\n", "t.ini:1: unknown key 'title' before any section"},
        {"[lab]\nname = A\n", "t.ini:2: unknown key 'name' of [lab]"},
        {"[lab]\ntitle = A\ntitle = B\n", "t.ini:3: title is there twice"},
        {"[lab]\ntitle =\n", "t.ini:2: title is empty"},
        {"[labs]\n", "t.ini:1: unknown section [labs]: [lab], [messages] or [task 01-name]"},
        {"[task one]\n", "t.ini:1: task 'one' is not named 01- and small letters, digits, -"},
        {"[task 02-two]\n", "t.ini:1: task '02-two' is not named 01- and small letters, digits, -"},
        {"[task 01-]\n", "t.ini:1: task '01-' is not named 01- and small letters, digits, -"},
        {"[task 01-a/b]\n", "t.ini:1: task '01-a/b' is not named 01- and small letters, digits, -"},
        {"[task 01-a]\ntask = x\nhint = y\n[lab]\n", "t.ini:4: [task 01-a] ends without a title"},
        {"[task 01-a]\ntitle = x\n[lab]\n", "t.ini:3: [task 01-a] ends without saying what the task is"},
        {"[task 01-a]\ntitle = x\ntask = y\n[lab]\n", "t.ini:4: [task 01-a] ends without a hint"},
        {HEAD "why = x\n", "t.ini:7: unknown key 'why' of a task"},
        {HEAD "say = x\n", "t.ini:7: a say without an if"},
        {HEAD "if = x\nsay = y\nsay = z\n", "t.ini:9: a say without an if"},
        {HEAD "if = x\nif = y\n", "t.ini:7: an if without a say"},
        {HEAD "if = x\n", "t.ini:7: an if without a say"},
        {HEAD "if = x\nmore = y\n", "t.ini:8: more of what? It follows a task, say, hint or learnt"},
        {HEAD "more = all of it ; or not\n",
         "t.ini:7: a text with a comment behind it, or one that ' ;' or ' #' would cut: put the comment on a line of "
         "its own, the character right behind another"},
        {HEAD "arguments =\n", "t.ini:7: arguments is empty"},
        {HEAD "arguments = 1\narguments = 2\n", "t.ini:8: arguments is there twice"},
        {HEAD "arguments = 1 2 3 4 5 6 7 8 9\n", "t.ini:7: more than 8 arguments"},
        {HEAD TIMES_8("hint = x\n"), "t.ini:14: more than 8 hints"},
        {"[messages]\n" TIMES_8(TWICE(TWICE(TWICE("if = x\nsay = y\n")))) "if = x\n",
         "t.ini:130: more than 64 messages"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct tasks tasks;
        assert_false(parse(table[i].text, &tasks));
        assert_string_equal(error, table[i].says);
        tasks_free(&tasks); /* harmless */
    }
}

static void a_file_is_read(void **state) {
    struct tasks tasks;
    assert_true(parse("[messages]\nif = *b*\nsay = of all\n" HEAD
                      "arguments = 1  x\nlearnt = Much.\nmore = And more.\nhint = Again.\nmore = And.\n"
                      "if = a?c\nsay = own\nif = *\nsay = the rest\n",
                      &tasks));
    const struct task *task = &tasks.list[0];
    assert_int_equal(tasks.count, 1);
    assert_string_equal(task->name, "01-one");
    assert_int_equal(task->argument_count, 2);
    assert_string_equal(task->arguments[1], "x");
    assert_string_equal(task->learnt, "Much. And more.");
    assert_int_equal(task->hint_count, 2);
    assert_string_equal(task->hints[1], "Again. And.");
    assert_string_equal(tasks_explain(&tasks, 0, "zzz\nabc\n"),
                        "own");                                     /* the first message that fits any line */
    assert_string_equal(tasks_explain(&tasks, 0, "b"), "the rest"); /* a task's own before those of all */
    assert_null(tasks_explain(&tasks, 0, ""));
    tasks_free(&tasks);

    assert_true(parse("[messages]\nif = *b*\nsay = of all\n" HEAD, &tasks));
    assert_string_equal(tasks_explain(&tasks, 0, "abc"), "of all");
    assert_null(tasks_explain(&tasks, 0, "ac"));
    tasks_free(&tasks);
}

static void a_record_comes_back(void **state) {
    static char folder[] = "/tmp/test_tasks.XXXXXX";
    char path[PATH_SIZE];
    ENDED(tasks_free) struct tasks tasks;
    struct record record, again;
    assert_true(parse(HEAD "[task 02-two]\ntitle = Two\ntask = x\nhint = y\n", &tasks));
    snprintf(tasks.id, sizeof tasks.id, "lab0");
    snprintf(tasks.topic, sizeof tasks.topic, "first");
    assert_non_null(mkdtemp(folder));
    path_print(path, "%s/labs/lab0-first", folder);
    assert_true(folder_make(path, error, sizeof error));

    assert_true(record_load(folder, &tasks, &record, error, sizeof error)); /* none is an empty one */
    assert_int_equal(record_done(&record, &tasks), 0);
    assert_int_equal(record_next(&record, &tasks, 0), 0);
    record.done[0] = true;
    record.hints[1] = 1;
    assert_true(record_save(folder, &tasks, &record, error, sizeof error));
    assert_true(record_load(folder, &tasks, &again, error, sizeof error));
    assert_memory_equal(&record, &again, sizeof record);
    assert_int_equal(record_next(&again, &tasks, 0), 1);
    assert_int_equal(record_next(&again, &tasks, 2), 2);

    /* a task that another kit had is left out; a damaged record is told */
    static const char other[] = "[01-gone]\ndone = yes\nhints = 3\n[02-two]\ndone = yes\n";
    assert_true(record_parse(other, strlen(other), "r", &tasks, &again, error, sizeof error));
    assert_true(!again.done[0] && again.done[1]);
    static const struct {
        const char *text, *says;
    } table[] = {
        {"done = yes\n", "r:1: unknown key 'done'"},
        {"[02-two]\ndone = maybe\n", "r:2: done is yes or no"},
        {"[02-two]\nhints = 9\n", "r:2: 9 is outside 0 to 8"},
        {"[02-two]\nscore = 9\n", "r:2: unknown key 'score'"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        assert_false(
            record_parse(table[i].text, strlen(table[i].text), "r", &tasks, &again, error, sizeof error));
        assert_string_equal(error, table[i].says);
    }
    folder_remove(folder);
}

/* Labs of tasks are found by what their folders hold, in the order of their numbers. */
static void labs_are_found_by_their_data(void **state) {
    static char folder[] = "/tmp/test_tasks.XXXXXX";
    static const char *const files[] = {"lab12-late/tasks.ini", "lab3-x/tasks.ini", "lab0-x/tasks.ini",
                                        "lab1-x/lab.ini", "labx-y/tasks.ini"};
    char path[PATH_SIZE];
    struct tasks tasks;
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        path_print(path, "%s/labs/%s", folder, files[i]);
        *strrchr(path, '/') = '\0';
        assert_true(folder_make(path, error, sizeof error));
        path_print(path, "%s/labs/%s", folder, files[i]);
        assert_true(file_write(path, HEAD, strlen(HEAD), error, sizeof error));
    }
    assert_int_equal(tasks_next_lab(folder, 0), 0);
    assert_int_equal(tasks_next_lab(folder, 1), 3);
    assert_int_equal(tasks_next_lab(folder, 4), 12);
    assert_int_equal(tasks_next_lab(folder, 13), -1);
    assert_false(tasks_load(folder, "lab1", &tasks, error, sizeof error));
    assert_non_null(strstr(error, "there is no lab1 of tasks"));
    assert_false(tasks_load(folder, "lab3", &tasks, error, sizeof error)); /* its program is missing */
    assert_non_null(strstr(error, "task01-one.cu cannot be read: make lab3-reset TASK=1 brings it back"));
    folder_remove(folder);
}

TESTS(UNIT(what_is_wrong_is_told_with_its_line), UNIT(a_file_is_read), UNIT(a_record_comes_back),
      UNIT(labs_are_found_by_their_data))
