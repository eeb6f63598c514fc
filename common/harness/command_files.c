/* Files every command knows: the student's, the solutions', and reading one whole. */
#include "harness/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    char *text = NULL;
    size_t length = 0, capacity = 0;
    for (;;) {
        if (capacity - length < 4096) {
            char *grown = capacity < LIMIT ? realloc(text, capacity = capacity * 2 + 8192) : NULL;
            if (grown == NULL) {
                free(text);
                fclose(file);
                return NULL;
            }
            text = grown;
        }
        size_t more = fread(text + length, 1, capacity - length - 1, file);
        if (more == 0)
            break;
        length += more;
    }
    fclose(file);
    text[length] = '\0';
    return text;
}
