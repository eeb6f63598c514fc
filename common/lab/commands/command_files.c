/* What several commands share: the refusal of a command line, the lab's files, a picture by gnuplot. */
#include "base/child.h"
#include "base/file.h"
#include "lab/commands/commands.h"

#include <stdio.h>

int command_refuse(const char *message) {
    fprintf(stderr, "lab: %s\n", message);
    return 2;
}

void command_student_file(const struct settings *s, char path[PATH_SIZE]) {
    path_print(path, "%s/labs/%s-%s/kernel.cu", s->root, s->lab.id, s->lab.topic);
}

void command_solution_file(const struct settings *s, const char *name, char path[PATH_SIZE]) {
    path_print(path, "%s/solutions/%s-%s/%s", s->root, s->lab.id, s->lab.topic, name);
}

char *command_read_text(const char *path) {
    enum { LIMIT = 4 << 20 };
    char error[256];
    return file_read(path, LIMIT, NULL, error, sizeof error);
}

bool command_plot(const struct settings *s, const char *script, const char *const arguments[]) {
    enum { MOST = 8 };
    char path[PATH_SIZE];
    const char *words[MOST + 4] = {"gnuplot", "-c", path};
    for (int i = 0; i < MOST && arguments[i] != NULL; i++)
        words[i + 3] = arguments[i];
    return path_join(path, s->root, script) && child_run(words, NULL, 0) == 0;
}
