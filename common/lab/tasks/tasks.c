/* tasks.c: reading tasks.ini, and what explains a text. */
#include "lab/tasks/tasks.h"

#include "base/file.h"
#include "base/ini.h"

#include <ctype.h>
#include <dirent.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_MOST = 1 << 20, TEXT_LONGEST = 2048 };

/* ---- reading */

struct parser {
    struct tasks *tasks;
    struct task *task;              /* of the section; NULL: none */
    struct task_messages *messages; /* of the section; NULL: it has none */
    bool lab, open;                 /* in [lab]; an `if` waits for its `say` */
    unsigned opened;                /* line of that `if` */
    char **last;                    /* the text that `more` goes on with; NULL: none */
};

static bool refuse_at(struct ini *ini, unsigned line, const char *what) {
    ini->line = line;
    return ini_refuse(ini, "%s", what);
}

/* A section or the file ends: is it whole? `line`: where it began or what stands there now. */
static bool end_section(struct ini *ini) {
    struct parser *p = ini->context;
    if (p->open)
        return refuse_at(ini, p->opened, "an if without a say");
    if (p->task != NULL && (p->task->title == NULL || p->task->task == NULL))
        return ini_refuse(ini, "[task %s] ends without %s", p->task->name,
                          p->task->title == NULL ? "a title" : "saying what the task is");
    if (p->task != NULL && p->task->hint_count == 0)
        return ini_refuse(ini, "[task %s] ends without a hint", p->task->name);
    return true;
}

/* "01-launch": its place in the list, a minus, small letters and digits. */
static bool right_name(const char *name, unsigned number) {
    char begin[16];
    snprintf(begin, sizeof begin, "%02u-", number);
    const char *rest = name + strlen(begin);
    return strlen(name) < TASK_NAME && strncmp(name, begin, strlen(begin)) == 0 && *rest != '\0' &&
           rest[strspn(rest, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

static bool section(struct ini *ini, const char *name) {
    struct parser *p = ini->context;
    struct tasks *tasks = p->tasks;
    if (!end_section(ini))
        return false;
    p->lab = strcmp(name, "lab") == 0;
    p->task = NULL;
    p->last = NULL;
    p->messages = strcmp(name, "messages") == 0 ? &tasks->messages : NULL;
    if (p->lab || p->messages != NULL)
        return true;
    if (strncmp(name, "task ", 5) != 0)
        return ini_refuse(ini, "unknown section [%s]: [lab], [messages] or [task 01-name]", name);
    if (tasks->count == TASKS_MOST)
        return ini_refuse(ini, "more than %d tasks", TASKS_MOST);
    name += 5;
    if (!right_name(name, tasks->count + 1))
        return ini_refuse(ini, "task '%s' is not named %02u- and small letters, digits, -", name,
                          tasks->count + 1);
    p->task = &tasks->list[tasks->count++];
    p->messages = &p->task->messages;
    snprintf(p->task->name, sizeof p->task->name, "%s", name);
    return true;
}

static bool take(struct ini *ini, const char *key, const char *value, char **to) {
    if (*to != NULL)
        return ini_refuse(ini, "%s is there twice", key);
    if (*value == '\0')
        return ini_refuse(ini, "%s is empty", key);
    if (!ini_whole(ini))
        return false;
    struct parser *p = ini->context;
    *to = strdup(value);
    p->last = to;
    return *to != NULL || ini_refuse(ini, "out of memory");
}

static bool take_arguments(struct ini *ini, struct task *task, const char *value) {
    if (task->argument_count > 0)
        return ini_refuse(ini, "arguments is there twice");
    for (size_t length; *value != '\0'; value += length, value += strspn(value, " \t")) {
        length = strcspn(value, " \t");
        if (task->argument_count == TASK_ARGUMENTS)
            return ini_refuse(ini, "more than %d arguments", TASK_ARGUMENTS);
        char **to = &task->arguments[task->argument_count];
        if ((*to = strndup(value, length)) == NULL)
            return ini_refuse(ini, "out of memory");
        task->argument_count++;
    }
    return task->argument_count > 0 || ini_refuse(ini, "arguments is empty");
}

static bool take_if(struct ini *ini, const char *value) {
    struct parser *p = ini->context;
    struct task_messages *m = p->messages;
    if (p->open)
        return refuse_at(ini, p->opened, "an if without a say");
    if (m->count == TASK_MESSAGES)
        return ini_refuse(ini, "more than %d messages", TASK_MESSAGES);
    if (!take(ini, "if", value, &m->list[m->count].pattern))
        return false;
    m->count++;
    p->last = NULL;
    p->open = true;
    p->opened = ini->line;
    return true;
}

static bool take_say(struct ini *ini, const char *value) {
    struct parser *p = ini->context;
    struct task_messages *m = p->messages;
    if (!p->open)
        return ini_refuse(ini, "a say without an if");
    p->open = false;
    return take(ini, "say", value, &m->list[m->count - 1].say);
}

static bool take_more(struct ini *ini, const char *value) {
    struct parser *p = ini->context;
    if (p->last == NULL || *p->last == NULL)
        return ini_refuse(ini, "more of what? It follows a task, say, hint or learnt");
    if (strlen(*p->last) + 1 + strlen(value) > TEXT_LONGEST)
        return ini_refuse(ini, "a text of more than %d characters", TEXT_LONGEST);
    char *longer;
    if (!ini_whole(ini))
        return false;
    if (asprintf(&longer, "%s %s", *p->last, value) < 0)
        return ini_refuse(ini, "out of memory");
    free(*p->last);
    *p->last = longer;
    return true;
}

static bool key(struct ini *ini, const char *name, const char *value) {
    struct parser *p = ini->context;
    struct task *task = p->task;
    if (p->lab && strcmp(name, "title") == 0)
        return take(ini, name, value, &p->tasks->title);
    if (strcmp(name, "more") == 0)
        return take_more(ini, value);
    if (p->messages != NULL && strcmp(name, "if") == 0)
        return take_if(ini, value);
    if (p->messages != NULL && strcmp(name, "say") == 0)
        return take_say(ini, value);
    if (task != NULL && strcmp(name, "title") == 0)
        return take(ini, name, value, &task->title);
    if (task != NULL && strcmp(name, "task") == 0)
        return take(ini, name, value, &task->task);
    if (task != NULL && strcmp(name, "learnt") == 0)
        return take(ini, name, value, &task->learnt);
    if (task != NULL && strcmp(name, "expects") == 0)
        return take(ini, name, value, &task->expects);
    if (task != NULL && strcmp(name, "arguments") == 0)
        return take_arguments(ini, task, value);
    if (task != NULL && strcmp(name, "hint") == 0) {
        if (task->hint_count == TASK_HINTS)
            return ini_refuse(ini, "more than %d hints", TASK_HINTS);
        return take(ini, name, value, &task->hints[task->hint_count]) && ++task->hint_count > 0;
    }
    return ini_refuse(ini, "unknown key '%s' %s", name,
                      p->lab                ? "of [lab]"
                      : task != NULL        ? "of a task"
                      : p->messages != NULL ? "of [messages]"
                                            : "before any section");
}

bool tasks_parse(const char *text, size_t length, const char *name, struct tasks *tasks, char *error,
                 size_t size) {
    struct parser parser = {.tasks = tasks};
    struct ini ini = {
        .file = name, .error = error, .error_size = size, .context = &parser, .section = section, .key = key};
    *tasks = (struct tasks){.count = 0};
    bool right = ini_read(&ini, text, length) && end_section(&ini);
    if (right && (tasks->title == NULL || tasks->count == 0))
        right = ini_refuse(&ini, tasks->title == NULL ? "no title in [lab]" : "no [task 01-...]");
    if (!right)
        tasks_free(tasks);
    return right;
}

static void free_messages(struct task_messages *m) {
    for (unsigned i = 0; i < m->count; i++) {
        free(m->list[i].pattern);
        free(m->list[i].say);
    }
}

void tasks_free(struct tasks *tasks) {
    for (unsigned i = 0; i < tasks->count; i++) {
        struct task *task = &tasks->list[i];
        free(task->title);
        free(task->task);
        free(task->learnt);
        free(task->expects);
        for (unsigned k = 0; k < task->argument_count; k++)
            free(task->arguments[k]);
        for (unsigned k = 0; k < task->hint_count; k++)
            free(task->hints[k]);
        free_messages(&task->messages);
    }
    free(tasks->title);
    free_messages(&tasks->messages);
    *tasks = (struct tasks){.count = 0};
}

/* ---- where things lie */

/* The number of a folder labN-TOPIC that has a tasks.ini, and its topic; -1: it is none. */
static int folder_number(const char *labs, const char *name, const char **topic) {
    char path[PATH_SIZE];
    size_t digits = strncmp(name, "lab", 3) == 0 ? strspn(name + 3, "0123456789") : 0;
    if (digits == 0 || digits > 6 || name[3 + digits] != '-' || name[4 + digits] == '\0' ||
        !path_print(path, "%s/%s/tasks.ini", labs, name) || access(path, F_OK) != 0)
        return -1;
    *topic = name + 4 + digits;
    return atoi(name + 3);
}

/* The number of the first lab of tasks from `from` on, and its topic where topic is not NULL; -1: there is none. */
static int find_lab(const char *root, int from, char *topic, size_t size) {
    char labs[PATH_SIZE];
    const char *own = NULL;
    int found = -1;
    DIR *folder = path_join(labs, root, "labs") ? opendir(labs) : NULL;
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        int number = folder_number(labs, entry->d_name, &own);
        if (number < 0 || number < from || (found >= 0 && number >= found))
            continue;
        found = number;
        if (topic != NULL)
            snprintf(topic, size, "%s", own);
    }
    if (folder != NULL)
        closedir(folder);
    return found;
}

int tasks_next_lab(const char *root, int from) {
    return find_lab(root, from, NULL, 0);
}

bool tasks_is_lab(const char *root, const char *id) {
    char *end = NULL;
    bool numbered = strncmp(id, "lab", 3) == 0 && isdigit((unsigned char)id[3]);
    unsigned long number = numbered ? strtoul(id + 3, &end, 10) : 1000;
    return number < 1000 && *end == '\0' && tasks_next_lab(root, (int)number) == (int)number;
}

void tasks_file(const char *root, const struct tasks *tasks, unsigned task, char path[PATH_SIZE]) {
    path_print(path, "%s/labs/%s-%s/task%s.cu", root, tasks->id, tasks->topic, tasks->list[task].name);
}

void tasks_solution(const char *root, const struct tasks *tasks, const char *folder, unsigned task,
                    char path[PATH_SIZE]) {
    path_print(path, "%s/solutions/%s-%s/%s/task%s.cu", root, tasks->id, tasks->topic, folder,
               tasks->list[task].name);
}

bool tasks_load(const char *root, const char *id, struct tasks *tasks, char *error, size_t size) {
    char path[PATH_SIZE], topic[sizeof tasks->topic] = "";
    size_t length;
    const char *digits = id + (strncmp(id, "lab", 3) == 0 ? 3 : strlen(id));
    bool named = isdigit((unsigned char)*digits) && digits[strspn(digits, "0123456789")] == '\0' &&
                 strlen(digits) <= 6;
    *tasks = (struct tasks){.count = 0};
    if (!named || find_lab(root, atoi(digits), topic, sizeof topic) != atoi(digits))
        return fails(error, size, "there is no %.20s of tasks: no folder labs/%.20s-... with a tasks.ini", id,
                     id);
    path_print(path, "%s/labs/%s-%s/tasks.ini", root, id, topic);
    char *text = file_read(path, TEXT_MOST, &length, error, size);
    bool right = text != NULL && tasks_parse(text, length, path, tasks, error, size);
    free(text);
    if (!right)
        return false;
    snprintf(tasks->id, sizeof tasks->id, "%s", id);
    snprintf(tasks->topic, sizeof tasks->topic, "%s", topic);
    for (unsigned i = 0; i < tasks->count; i++) {
        tasks_file(root, tasks, i, path);
        if (access(path, R_OK) == 0)
            continue;
        snprintf(error, size, "%.900s cannot be read: make %s-reset TASK=%u brings it back", path, id, i + 1);
        tasks_free(tasks);
        return false;
    }
    return true;
}

/* ---- explaining */

static const char *fitting(const struct task_messages *messages, const char *text) {
    char line[2048];
    for (unsigned i = 0; i < messages->count; i++)
        for (const char *at = text; *at != '\0'; at += strcspn(at, "\n"), at += *at == '\n') {
            snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
            if (fnmatch(messages->list[i].pattern, line, FNM_NOESCAPE) == 0)
                return messages->list[i].say;
        }
    return NULL;
}

const char *tasks_explain(const struct tasks *tasks, unsigned task, const char *text) {
    const char *say = fitting(&tasks->list[task].messages, text);
    return say != NULL ? say : fitting(&tasks->messages, text);
}
