/*
 * test_attempts.c: every solution is right, every task as handed out is told what is meant for it, and so is each of the
 * wrong answers in wrong.txt. The programs are built and run as a learner's are, several at a time.
 */
#include "base/child.h"
#include "base/file.h"
#include "base/home.h"
#include "base/test.h"
#include "lab/tasks/tasks.h"

#include <pthread.h>
#include <stdatomic.h>

enum { TRIALS_MOST = 256, TEXT_MOST = 1 << 20, TYPICAL = 4 };

/* An entry of wrong.txt; all strings lie in its text. */
struct trial {
    const char *task, *what, *words; /* words NULL: it is right */
    const char *quoted;              /* of what is printed, in labs/README.md; NULL: nothing */
    bool starter, solution;
    unsigned entry;  /* which of its task's entries, from 1 */
    unsigned number; /* of its task */
    bool tried;
    char error[512];
    struct attempt attempt;
};

static struct trial trials[TRIALS_MOST];
static unsigned trial_count;
static atomic_uint next_trial;
static struct tasks tasks;
static struct home home;
static char folder[] = "/tmp/test_attempts.XXXXXX", error[PATH_SIZE + 256], *wrong_text;

static unsigned task_number(const char *name) {
    unsigned i = 0;
    while (i < tasks.count && strcmp(tasks.list[i].name, name) != 0)
        i++;
    assert_true(i < tasks.count);
    return i;
}

/* common/tools/expand-fixtures applies the edits. */
static void read_line(char *line) {
    struct trial *t = trial_count > 0 ? &trials[trial_count - 1] : NULL;
    if (strncmp(line, "== ", 3) == 0) {
        assert_true(trial_count < TRIALS_MOST);
        t = &trials[trial_count++];
        t->task = line + 3;
        char *colon = strstr(line, ": ");
        assert_non_null(colon);
        *colon = '\0';
        t->what = colon + 2;
        t->number = task_number(t->task);
        t->starter = true;
        t->entry = 1;
        for (struct trial *other = trials; other < t; other++)
            t->entry += other->number == t->number;
    } else if (t != NULL && (strncmp(line, "- ", 2) == 0 || strncmp(line, "+ ", 2) == 0)) {
        t->starter = false;
    } else if (t != NULL && strncmp(line, "= ", 2) == 0) {
        t->words = line + 2;
    } else if (t != NULL && strncmp(line, "~ ", 2) == 0) {
        t->quoted = line + 2;
    }
}

static void read_trials(void) {
    static const char path[] = "common/lab/tasks/tests/wrong.txt";
    char solutions[PATH_SIZE];
    path_print(solutions, "solutions/%s-%s/task%%.cu", tasks.id, tasks.topic);
    const char *const expand[] = {"common/tools/expand-fixtures", "-b", solutions, folder, path, NULL};
    if (child_run(expand, error, sizeof error) != 0)
        fail_msg("%s", error);
    wrong_text = file_read(path, TEXT_MOST, NULL, error, sizeof error);
    assert_non_null(wrong_text);
    for (char *line = wrong_text, *end; line != NULL; line = end) {
        end = strchr(line, '\n');
        if (end != NULL)
            *end++ = '\0';
        read_line(line);
    }
    for (unsigned i = 0; i < tasks.count; i++) {
        struct trial *t = &trials[trial_count++];
        *t =
            (struct trial){.task = tasks.list[i].name, .what = "the solution", .number = i, .solution = true};
    }
}

/* What the trial tries. */
static void find_source(const struct trial *t, char path[PATH_SIZE]) {
    if (t->solution || t->starter)
        tasks_solution(".", &tasks, t->starter ? "starters" : ".", t->number, path);
    else
        path_print(path, t->entry > 1 ? "%s/%s-%u.cu" : "%s/%s.cu", folder, t->task, t->entry);
}

static void *work(void *context) {
    (void)context;
    char own[PATH_SIZE], library[PATH_SIZE], source[PATH_SIZE], path[PATH_SIZE];
    for (unsigned i; (i = atomic_fetch_add(&next_trial, 1)) < trial_count;) {
        struct trial *t = &trials[i];
        find_source(t, path);
        path_print(own, "%s/%u", folder, i);
        path_print(library, "%s/lib/cuda", home.build);
        path_print(source, "labs/%s-%s", tasks.id, tasks.topic);
        struct workshop w = {.nvcc = "common/lab/tasks/tests/nvcc_once.sh",
                             .source = source,
                             .folder = own,
                             .library = library,
                             .architecture = 90};
        t->tried = attempt(&w, &tasks, t->number, path, &t->attempt, t->error, sizeof t->error);
    }
    return NULL;
}

/* With a few more workers than cores: a program that is run waits for its GPU. */
static int try_all(void **state) {
    enum { WORKERS_MOST = 16 };
    static const char *const find[] = {"common/tools/find-cuda", "nvcc", NULL};
    pthread_t workers[WORKERS_MOST];
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int count = cores < 1 ? 1 : cores + 1 > WORKERS_MOST ? WORKERS_MOST : (int)cores + 1;
    if (!home_find(&home, error, sizeof error) || chdir(home.root) != 0 || mkdtemp(folder) == NULL ||
        !tasks_load(".", "lab0", &tasks, error, sizeof error))
        return -1;
    read_trials();
    if (child_run(find, NULL, 0) != 0) {
        puts("no CUDA compiler: nothing is tried");
        trial_count = 0;
        return 0;
    }
    for (int i = 0; i < count; i++)
        if (pthread_create(&workers[i], NULL, work, NULL) != 0)
            return -1;
    for (int i = 0; i < count; i++)
        pthread_join(workers[i], NULL);
    return 0;
}

static int tear_down(void **state) {
    folder_remove(folder);
    tasks_free(&tasks);
    free(wrong_text);
    return 0;
}

static void solutions_are_right(void **state) {
    unsigned wrong = 0;
    if (trial_count == 0)
        skip();
    for (unsigned i = 0; i < trial_count; i++) {
        const struct trial *t = &trials[i];
        if (!t->solution || (t->tried && t->attempt.stage == ATTEMPT_RIGHT))
            continue;
        print_error("%s: %s\n", t->task, t->tried ? t->attempt.text : t->error);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

static void wrong_answers_are_told_what_is_meant_for_them(void **state) {
    unsigned wrong = 0;
    if (trial_count == 0)
        skip();
    for (unsigned i = 0; i < trial_count; i++) {
        const struct trial *t = &trials[i];
        if (t->solution || (t->tried && t->attempt.stage != ATTEMPT_RIGHT && t->attempt.say != NULL &&
                            t->words != NULL && strstr(t->attempt.say, t->words) != NULL))
            continue;
        print_error("%s, %s:\n%s\nis told: %s\nnot: %s\n\n", t->task, t->what,
                    t->tried ? t->attempt.text : t->error,
                    t->attempt.say != NULL ? t->attempt.say : "nothing", t->words);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

static void messages_are_as_the_labs_page_quotes_them(void **state) {
    char why[PATH_SIZE + 256], code[256];
    unsigned quoted = 0;
    if (trial_count == 0)
        skip();
    FREED char *page = file_read("labs/README.md", TEXT_MOST, NULL, why, sizeof why);
    if (page == NULL)
        fail_msg("%s", why);
    for (unsigned i = 0; i < trial_count; i++) {
        const struct trial *t = &trials[i];
        if (t->quoted == NULL)
            continue;
        quoted++;
        snprintf(code, sizeof code, "`%s`", t->quoted);
        if (strstr(t->attempt.text, t->quoted) == NULL || strstr(page, code) == NULL)
            fail_msg("%s, %s: labs/README.md quotes '%s', and it says:\n%s", t->task, t->what, t->quoted,
                     t->attempt.text);
    }
    assert_true(quoted > 0);
}

static void every_task_has_its_typical_mistakes(void **state) {
    if (trial_count == 0)
        skip();
    for (unsigned task = 0; task < tasks.count; task++) {
        unsigned edits = 0, starters = 0;
        for (unsigned i = 0; i < trial_count; i++) {
            edits += trials[i].number == task && !trials[i].starter && !trials[i].solution;
            starters += trials[i].number == task && trials[i].starter;
        }
        assert_true(edits >= TYPICAL);
        assert_int_equal(starters, 1);
    }
}

/* A learner has one folder of tasks: its path would only fill the line. */
static void what_is_shown_names_files_alone(void **state) {
    if (trial_count == 0)
        skip();
    for (unsigned i = 0; i < trial_count; i++)
        if (strstr(trials[i].attempt.text, "/task") != NULL || strstr(trials[i].attempt.text, folder) != NULL)
            fail_msg("%s, %s: %s", trials[i].task, trials[i].what, trials[i].attempt.text);
}

TESTS_BETWEEN(try_all, tear_down, UNIT(solutions_are_right),
              UNIT(wrong_answers_are_told_what_is_meant_for_them),
              UNIT(messages_are_as_the_labs_page_quotes_them), UNIT(every_task_has_its_typical_mistakes),
              UNIT(what_is_shown_names_files_alone))
