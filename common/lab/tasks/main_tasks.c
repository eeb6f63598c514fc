/* main_tasks.c: build/bin/tasks, a lab of small tasks: what `make lab0` and its companions run. */
#include "base/home.h"
#include "base/starter.h"
#include "lab/tasks/record.h"
#include "lab/tasks/tasks.h"
#include "report/writers/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ERROR_SIZE = PATH_SIZE + 1024 };

struct request {
    struct home home;
    struct tasks tasks;
    struct record record;
    unsigned task; /* --task, from 0 */
    bool one;      /* it was given */
    bool force, yes;
    struct workshop workshop;
};

static int refuse(const char *message) {
    fprintf(stderr, "tasks: %s\n", message);
    return 2;
}

/* The task asked for, or the first that is not done; tasks.count: all are. */
static unsigned the_task(const struct request *r) {
    return r->one ? r->task : record_next(&r->record, &r->tasks, 0);
}

/* labs/lab0-first-kernel/task01-launch.cu: the project's folder is the present one. */
static void task_path(const struct request *r, unsigned task, char path[PATH_SIZE]) {
    char whole[PATH_SIZE];
    tasks_file(".", &r->tasks, task, whole);
    path_print(path, "%s", whole + 2);
}

static void title_line(const struct request *r, const struct terminal *t, unsigned task, const char *word,
                       enum terminal_style style) {
    terminal_print(t, STYLE_STRONG, "\nTask %u of %u  %s", task + 1, r->tasks.count,
                   r->tasks.list[task].title);
    if (word != NULL)
        terminal_print(t, style, "  %s", word);
    putchar('\n');
}

static void indented(const struct terminal *t, enum terminal_style style, const char *text) {
    printf("  ");
    terminal_wrap(t, style, 2, 2, text);
}

/* ---- run */

static void show_lines(const struct terminal *t, const char *text) {
    putchar('\n');
    while (*text != '\0') {
        char line[2048];
        size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        if (line[0] == ' ') /* source and caret of the compiler's */
            printf("  %s\n", line);
        else
            indented(t, STYLE_BAD, line);
        text += length + (text[length] == '\n');
    }
}

static void show_attempt(const struct request *r, const struct terminal *t, unsigned task,
                         const struct attempt *a) {
    static const char *const words[] = {[ATTEMPT_BUILD] = "does not compile yet",
                                        [ATTEMPT_RUN] = "not yet",
                                        [ATTEMPT_REAL] = "right on the simulated GPU, not on the real one"};
    const struct task *about = &r->tasks.list[task];
    char path[PATH_SIZE];
    if (a->stage == ATTEMPT_RIGHT) {
        title_line(r, t, task, "right", STYLE_GOOD);
        if (about->learnt != NULL)
            indented(t, STYLE_NORMAL, about->learnt);
        return;
    }
    title_line(r, t, task, words[a->stage], STYLE_BAD);
    show_lines(t, a->text);
    if (a->say != NULL) {
        putchar('\n');
        indented(t, STYLE_NORMAL, a->say);
    }
    printf("\nTask   ");
    terminal_wrap(t, STYLE_NORMAL, 7, 7, about->task);
    task_path(r, task, path);
    printf("Next   edit %s\n       then make %s%s", path, r->tasks.id, r->one ? "" : "\n");
    if (r->one)
        printf(" TASK=%u\n", task + 1);
    printf("       make %s-hint", r->tasks.id);
    if (r->one)
        printf(" TASK=%u", task + 1);
    printf("\n");
}

static void show_next(const struct request *r, const struct terminal *t, unsigned task) {
    char path[PATH_SIZE];
    if (task == r->tasks.count) {
        terminal_print(t, STYLE_GOOD, "\nAll %u tasks are done.", task);
        if (home_is_students("."))
            printf(" labs/README.md says what comes now.\n");
        else
            printf(" Next: make %s-solution TASK=n compares\nyours with ours, labs/README.md says what comes "
                   "now.\n",
                   r->tasks.id);
        return;
    }
    title_line(r, t, task, NULL, STYLE_NORMAL);
    indented(t, STYLE_NORMAL, r->tasks.list[task].task);
    task_path(r, task, path);
    printf("\nNext   edit %s\n       then make %s\n", path, r->tasks.id);
}

static bool untouched(const struct request *r, unsigned task) {
    char yours[PATH_SIZE], starter[PATH_SIZE];
    task_path(r, task, yours);
    tasks_solution(".", &r->tasks, "starters", task, starter);
    return starter_untouched(yours, starter);
}

static int command_run(struct request *r) {
    char error[ERROR_SIZE], path[PATH_SIZE];
    static struct attempt a;
    struct terminal t = terminal_open(stdout);
    unsigned task = the_task(r);
    bool right = true, first = true;
    if (r->workshop.nvcc == NULL || r->workshop.architecture == 0)
        return refuse("run needs --nvcc and --arch; make does all that");
    terminal_print(&t, STYLE_TITLE, "\nLab %s  %s", r->tasks.id + 3, r->tasks.title);
    terminal_print(&t, STYLE_DIM, "\n       %u of %u done%s\n", record_done(&r->record, &r->tasks),
                   r->tasks.count, r->workshop.real != NULL ? "; on the simulated GPU, then on yours" : "");
    /* What was handed out and never edited is not tried, but for the first: its message is how the lab begins. */
    for (; right && task < r->tasks.count && (first || !untouched(r, task)); first = false) {
        fflush(stdout);
        task_path(r, task, path);
        if (!attempt(&r->workshop, &r->tasks, task, path, &a, error, sizeof error))
            return refuse(error);
        right = a.stage == ATTEMPT_RIGHT;
        show_attempt(r, &t, task, &a);
        if (right && !r->record.done[task]) {
            r->record.done[task] = true;
            if (!record_save(".", &r->tasks, &r->record, error, sizeof error))
                return refuse(error);
        }
        if (r->one)
            return right ? 0 : 1;
        if (right)
            task = record_next(&r->record, &r->tasks, task);
    }
    if (right)
        show_next(r, &t, task);
    return right ? 0 : 1;
}

/* ---- the others */

static int command_hint(struct request *r) {
    char error[ERROR_SIZE];
    struct terminal t = terminal_open(stdout);
    unsigned task = the_task(r);
    if (task == r->tasks.count) {
        printf("All %u tasks are done. A hint of one: make %s-hint TASK=1\n", task, r->tasks.id);
        return 0;
    }
    const struct task *about = &r->tasks.list[task];
    unsigned *shown = &r->record.hints[task];
    *shown = *shown < about->hint_count ? *shown + 1 : about->hint_count;
    title_line(r, &t, task, NULL, STYLE_NORMAL);
    for (unsigned i = 0; i < *shown; i++) {
        terminal_print(&t, STYLE_TITLE, "Hint %u of %u\n", i + 1, about->hint_count);
        indented(&t, STYLE_NORMAL, about->hints[i]);
    }
    if (*shown < about->hint_count)
        terminal_print(&t, STYLE_DIM, "make %s-hint again for the next one\n", r->tasks.id);
    return record_save(".", &r->tasks, &r->record, error, sizeof error) ? 0 : refuse(error);
}

/* The last that was done, unless another is asked for. */
static int command_solution(struct request *r) {
    char yours[PATH_SIZE], ours[PATH_SIZE];
    struct terminal t = terminal_open(stdout);
    unsigned task = the_task(r);
    if (!r->one && task > 0)
        task--;
    if (!r->record.done[task] && !r->force) {
        printf("The solution of task %u is shown once yours is right: make %s\n"
               "To see it now: make %s-solution TASK=%u FORCE=1\n",
               task + 1, r->tasks.id, r->tasks.id, task + 1);
        return 1;
    }
    task_path(r, task, yours);
    tasks_solution(".", &r->tasks, ".", task, ours);
    title_line(r, &t, task, "- yours  + ours", STYLE_DIM);
    return terminal_difference(&t, yours, "yours", ours, "ours") ? 0 : 2;
}

static int command_reset(struct request *r) {
    char error[ERROR_SIZE], yours[PATH_SIZE], starter[PATH_SIZE], backups[PATH_SIZE], kept[PATH_SIZE];
    unsigned task = the_task(r);
    if (task == r->tasks.count) {
        printf("All tasks are done. To begin one again: make %s-reset TASK=1\n", r->tasks.id);
        return 0;
    }
    task_path(r, task, yours);
    tasks_solution(".", &r->tasks, "starters", task, starter);
    path_print(backups, "labs/%s-%s/backups", r->tasks.id, r->tasks.topic);
    if (untouched(r, task)) {
        printf("%s is as it was handed out already\n", yours);
    } else if (!r->yes && !terminal_agrees("Replace %s by what was handed out?\nA backup is kept.", yours)) {
        puts("nothing was changed");
        return 0;
    } else {
        if (!starter_put_back(yours, starter, backups, kept, error, sizeof error))
            return refuse(error);
        printf("%s is as it was handed out\n", yours);
        if (kept[0] != '\0')
            printf("yours is kept as %s\n", kept);
    }
    if (!r->record.done[task])
        return 0;
    r->record.done[task] = false; /* to be done once more */
    return record_save(".", &r->tasks, &r->record, error, sizeof error) ? 0 : refuse(error);
}

/* ---- the command line */

static const struct {
    const char *name;
    int (*run)(struct request *);
    const char *what;
} commands[] = {
    {"run", command_run, "try the first task that is not done, and go on"},
    {"hint", command_hint, "the hints so far, and one more"},
    {"solution", command_solution, "yours against ours, once it is right (or --force)"},
    {"reset", command_reset, "a task as it was handed out; asks (or --yes), keeps a backup"},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static int usage(FILE *out) {
    fputs("usage: tasks COMMAND labN [--task N] [--force] [--yes] [--nvcc PROGRAM] [--arch NN]\n"
          "             [--gpu MODEL] [--real FOLDER]\n\n",
          out);
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].what);
    return out == stdout ? 0 : 2;
}

/* "TASK is 1 to 10": digits alone. */
static bool take_task(struct request *r, const char *text) {
    r->task = (unsigned)strtoul(text, NULL, 10) - 1;
    r->one = *text != '\0' && text[strspn(text, "0123456789")] == '\0' && strlen(text) < 4 &&
             r->task < r->tasks.count;
    return r->one;
}

static bool take_options(struct request *r, int count, char **arguments, char *error, size_t size) {
    for (int i = 0; i < count; i++) {
        const char *option = arguments[i], *value = i + 1 < count ? arguments[i + 1] : NULL;
        if (strcmp(option, "--force") == 0) {
            r->force = true;
            continue;
        }
        if (strcmp(option, "--yes") == 0) {
            r->yes = true;
            continue;
        }
        if (value == NULL)
            return fails(error, size, "%.40s: unknown, or its value is missing", option);
        i++;
        if (strcmp(option, "--task") == 0 && !take_task(r, value))
            return fails(error, size, "TASK is a number from 1 to %u, not '%.40s'", r->tasks.count, value);
        if (strcmp(option, "--nvcc") == 0)
            r->workshop.nvcc = value;
        else if (strcmp(option, "--arch") == 0)
            r->workshop.architecture = (unsigned)strtoul(value, NULL, 10);
        else if (strcmp(option, "--gpu") == 0)
            r->workshop.gpu = value;
        else if (strcmp(option, "--real") == 0)
            r->workshop.real = value;
        else if (strcmp(option, "--task") != 0)
            return fails(error, size, "unknown option %.40s", option);
    }
    return true;
}

static bool prepare(struct request *r, const char *id, int count, char **arguments, char *error,
                    size_t size) {
    static char source[PATH_SIZE], folder[PATH_SIZE], library[PATH_SIZE];
    if (!home_find(&r->home, error, size))
        return false;
    if (chdir(r->home.root) != 0)
        return fails(error, size, "%.900s cannot be entered", r->home.root);
    if (!tasks_load(".", id, &r->tasks, error, size) ||
        !record_load(".", &r->tasks, &r->record, error, size) ||
        !take_options(r, count, arguments, error, size))
        return false;
    if (!path_print(source, "labs/%s-%s", r->tasks.id, r->tasks.topic) ||
        !path_print(folder, "%s/tasks/%s", r->home.build, r->tasks.id) ||
        !path_print(library, "%s/lib/cuda", r->home.build))
        return fails(error, size, "the path of the kit is too long");
    r->workshop.source = source;
    r->workshop.folder = folder;
    r->workshop.library = library;
    return true;
}

int main(int count, char **arguments) {
    static struct request request;
    char error[ERROR_SIZE];
    size_t command = 0;
    if (count == 2 && strcmp(arguments[1], "--help") == 0)
        return usage(stdout);
    if (count < 3)
        return usage(stderr);
    while (command < COMMANDS && strcmp(commands[command].name, arguments[1]) != 0)
        command++;
    if (command == COMMANDS)
        return usage(stderr);
    int status = prepare(&request, arguments[2], count - 3, arguments + 3, error, sizeof error)
                     ? commands[command].run(&request)
                     : refuse(error);
    tasks_free(&request.tasks);
    return status;
}
