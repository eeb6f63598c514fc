/* record.c: a section for each task: [01-launch] done = yes, hints = 2. */
#include "lab/tasks/record.h"

#include "base/file.h"
#include "base/ini.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_MOST = 64 << 10 };

struct parser {
    const struct tasks *tasks;
    struct record *record;
    unsigned task; /* tasks->count: one that this kit does not have */
    bool begun;
};

static bool section(struct ini *ini, const char *name) {
    struct parser *p = ini->context;
    p->begun = true;
    for (p->task = 0; p->task < p->tasks->count; p->task++)
        if (strcmp(p->tasks->list[p->task].name, name) == 0)
            break;
    return true;
}

static bool key(struct ini *ini, const char *name, const char *value) {
    struct parser *p = ini->context;
    bool known = p->begun && p->task < p->tasks->count;
    uint64_t hints;
    if (p->begun && strcmp(name, "done") == 0) {
        if (strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
            return ini_refuse(ini, "done is yes or no");
        if (known)
            p->record->done[p->task] = strcmp(value, "yes") == 0;
        return true;
    }
    if (p->begun && strcmp(name, "hints") == 0) {
        if (!ini_count(ini, value, 0, TASK_HINTS, &hints))
            return false;
        if (known)
            p->record->hints[p->task] = (unsigned)hints;
        return true;
    }
    return ini_refuse(ini, "unknown key '%s'", name);
}

bool record_parse(const char *text, size_t length, const char *name, const struct tasks *tasks,
                  struct record *record, char *error, size_t size) {
    struct parser parser = {.tasks = tasks, .record = record};
    struct ini ini = {
        .file = name, .error = error, .error_size = size, .context = &parser, .section = section, .key = key};
    *record = (struct record){.done = {false}};
    return ini_read(&ini, text, length);
}

static void own_path(const char *root, const struct tasks *tasks, char path[PATH_SIZE]) {
    path_print(path, "%s/labs/%s-%s/.progress.ini", root, tasks->id, tasks->topic);
}

bool record_load(const char *root, const struct tasks *tasks, struct record *record, char *error,
                 size_t size) {
    char path[PATH_SIZE];
    size_t length;
    *record = (struct record){.done = {false}};
    own_path(root, tasks, path);
    if (access(path, F_OK) != 0)
        return true;
    char *text = file_read(path, TEXT_MOST, &length, error, size);
    bool right = text != NULL && record_parse(text, length, path, tasks, record, error, size);
    free(text);
    return right;
}

bool record_save(const char *root, const struct tasks *tasks, const struct record *record, char *error,
                 size_t size) {
    char path[PATH_SIZE];
    struct file_output output;
    own_path(root, tasks, path);
    if (!file_begin_at(&output, path, error, size))
        return false;
    for (unsigned i = 0; i < tasks->count; i++)
        fprintf(output.file, "[%s]\ndone = %s\nhints = %u\n", tasks->list[i].name,
                record->done[i] ? "yes" : "no", record->hints[i]);
    return file_end(&output, error, size);
}

unsigned record_done(const struct record *record, const struct tasks *tasks) {
    unsigned done = 0;
    for (unsigned i = 0; i < tasks->count; i++)
        done += record->done[i];
    return done;
}

unsigned record_next(const struct record *record, const struct tasks *tasks, unsigned from) {
    while (from < tasks->count && record->done[from])
        from++;
    return from;
}
