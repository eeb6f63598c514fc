/* A lab of small tasks: each program by itself, and none of them beyond its sandbox. */
#include "support_job.h"

#include "base/file.h"
#include "job/tasks_job.h"
#include "lab/tasks/tasks.h"

static struct bench bench;

static int set_up(void **state) {
    return bench_open(&bench, NULL, true);
}

static int tear_down(void **state) {
    return bench_close(&bench);
}

static void files_of_a_bundle(void **state) {
    static const char text[] =
        "//// task01-a.cu 3 bytes\nab\n//// task02-b.cu 0 bytes\n//// task03-c.cu 9 bytes\nab";
    const char *at = text;
    size_t left = sizeof text - 1, length;
    char name[64];
    const char *first = tasks_job_next(&at, &left, name, &length);
    assert_non_null(first);
    assert_string_equal(name, "task01-a.cu");
    assert_int_equal(length, 3);
    assert_memory_equal(first, "ab\n", 3);
    assert_non_null(tasks_job_next(&at, &left, name, &length));
    assert_string_equal(name, "task02-b.cu");
    assert_int_equal(length, 0);
    assert_null(tasks_job_next(&at, &left, name, &length)); /* more bytes than there are */
    at = "// a kernel\n";
    left = strlen(at);
    assert_null(tasks_job_next(&at, &left, name, &length));
    left = 0;
    assert_null(tasks_job_next(&at, &left, name, &length));
    assert_true(tasks_is_lab(bench.home.root, "lab0"));
    assert_false(tasks_is_lab(bench.home.root, "lab1"));
    assert_false(tasks_is_lab(bench.home.root, "lab0x"));
    assert_false(tasks_is_lab(bench.home.root, "lab"));
}

static void add(FILE *to, const char *name, const char *text) {
    fprintf(to, "//// %s %zu bytes\n%s", name, strlen(text), text);
}

static void add_file(FILE *to, const char *folder, const char *name) {
    char path[PATH_SIZE], error[PATH_SIZE + 256];
    assert_true(path_print(path, "%s/solutions/lab0-first-kernel/%s/%s", bench.home.root, folder, name));
    FREED char *text = file_read(path, 1 << 20, NULL, error, sizeof error);
    assert_non_null(text);
    add(to, name, text);
}

/* 225 bytes: a number of 14 has no room behind them. */
#define NINE_WORDS "word word word word word word word word word "
#define WORDS NINE_WORDS NINE_WORDS NINE_WORDS NINE_WORDS NINE_WORDS

/* It is right where it reaches nothing: no file of the kit, none of the job's folder. */
static char *spy(void) {
    char *text = NULL;
    assert_true(
        asprintf(
            &text,
            "#include <stdio.h>\n"
            "int main(void) {\n"
            "    const char *files[] = {\"%s/README.md\", \"%s/solutions/lab0-first-kernel/README.md\",\n"
            "        \"/kit/README.md\", \"/kit/work/task01-launch.cu\", \"%s/result\"};\n"
            "    for (int i = 0; i < 5; i++)\n"
            "        if (FILE *file = fopen(files[i], i == 4 ? \"w\" : \"r\"))\n"
            "            return printf(\"wrong: %%s\\n\", files[i]), 1;\n"
            "    printf(\"right: nothing is there\\n\");\n    return 0;\n}\n",
            bench.home.root, bench.home.root, bench.folder) > 0);
    return text;
}

static void each_task_by_itself(void **state) {
    static const struct {
        double points;
        const char *why;
    } must[] = {{10, ""},
                {0, "02-index: wrong: out["},
                {0, "03-guard: task03-guard.cu(2): "},
                {0, "04-copy: it did not end in time"},
                {10, ""},
                {0, "06-error: the program crashed on the host"},
                {0, "07-fault: the program ended well, and has checked nothing"},
                {0, "08-image: not handed in"},
                {0, "09-gray: wrong: " WORDS "..."}};
    char path[PATH_SIZE];
    bench_need_isolation(&bench);
    FREED char *watcher = spy();
    assert_true(path_join(path, bench.folder, "tasks.cu"));
    FILE *to = fopen(path, "w");
    assert_non_null(to);
    add_file(to, ".", "task01-launch.cu");
    add_file(to, "starters", "task02-index.cu");
    add(to, "task03-guard.cu", "int main(void) {\n    return nothing;\n}\n");
    add(to, "task04-copy.cu", "int main(void) { for (volatile int i = 0;; i++); }\n");
    add(to, "task05-blocks.cu", watcher);
    add(to, "task06-error.cu", "int main(void) { return *(volatile int *)8; }\n");
    add(to, "task07-fault.cu", "int main(void) { return 0; }\n");
    add(to, "task09-gray.cu",
        "#include <stdio.h>\nint main(void) { puts(\"wrong: " WORDS "0x300000200000\"); return 1; }\n");
    add(to, "task99-none.cu", "int main(void) { return 0; }\n");
    fclose(to);
    assert_int_equal(
        bench_grade(&bench, "out",
                    (const char *[]){"--lab", "lab0", "--kernel", path, "--run-seconds", "10", NULL}),
        0);
    json_t *result = bench_result(&bench, "out"),
           *goals = json_object_get(json_object_get(result, "report"), "goals");
    assert_string_equal(bench_text(result, "outcome"), "judged");
    assert_int_equal(json_array_size(goals), 10);
    for (size_t i = 0; i < sizeof must / sizeof *must; i++) {
        const json_t *goal = json_array_get(goals, i), *why = json_object_get(goal, "barred");
        const char *words = why != NULL ? json_string_value(why) : "";
        if (json_number_value(json_object_get(goal, "points")) != must[i].points ||
            strncmp(words, must[i].why, strlen(must[i].why)) != 0 ||
            (must[i].why[0] == '\0') != (words[0] == '\0'))
            fail_msg("task %zu: %g points, \"%s\"", i + 1, json_number_value(json_object_get(goal, "points")),
                     words);
    }
    json_decref(result);
}

TESTS_BETWEEN(set_up, tear_down, UNIT(files_of_a_bundle), UNIT(each_task_by_itself))
