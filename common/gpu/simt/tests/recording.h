/* recording.h: reads NAME_h200.csv of common/archives/instructions.tar.xz: comments, then
 * "name,hash" lines. */
#pragma once

#include "device_fixture.h"

struct recording {
    char *text, *next;
};

/* Path of such a file, in a buffer of PATH_SIZE bytes. */
static inline const char *recording_path(char *path, const char *name) {
    assert_true(path_print(path, "%s/unpacked/instructions/%s_h200.csv", test_build(), name));
    return path;
}

static inline void recording_open(struct recording *recording, const char *name) {
    char path[PATH_SIZE], error[512];
    recording_path(path, name);
    recording->text = recording->next = file_read(path, 1 << 20, NULL, error, sizeof error);
    if (recording->text == NULL)
        fail_msg("%s (run the tests by make, in the project's root)", error);
    while (*recording->next == '#')
        recording->next = strchr(recording->next, '\n') + 1;
}

/* The next line must name `name`. Returns what follows its last comma. */
static inline char *recording_line(struct recording *recording, const char *name) {
    char *comma = strrchr(strtok_r(recording->next, "\n", &recording->next), ',');
    assert_non_null(comma);
    *comma = '\0';
    char *line = comma - strlen(name);
    assert_true(line >= recording->text);
    assert_string_equal(line, name);
    return comma + 1;
}

static inline uint64_t recording_next(struct recording *recording, const char *name) {
    return strtoull(recording_line(recording, name), NULL, 16);
}

static inline void recording_close(struct recording *recording) {
    assert_int_equal(*recording->next, '\0'); /* all of it was compared */
    free(recording->text);
}
