/* data.c: slides/data.ini, and the files it names. */
#include "slides/data.h"

#include "base/file.h"
#include "base/ini.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETS = 64, SHORT_NAMES = 64, LONGEST = 16 << 20 };

struct set {
    char name[32], file[256], where[128], prefix[32], key[64];
    enum recording_kind kind;
    bool read;
    struct recording recording;
};

struct short_name {
    char name[32], column[128];
};

struct data {
    char root[PATH_SIZE];
    struct set set[SETS];
    unsigned sets;
    struct short_name short_name[SHORT_NAMES];
    unsigned short_names;
    bool in_columns; /* while data.ini is read */
};

static bool begin(struct ini *ini, const char *name) {
    struct data *data = ini->context;
    data->in_columns = strcmp(name, "columns") == 0;
    if (data->in_columns)
        return true;
    if (data->sets == SETS)
        return ini_refuse(ini, "more than %d sets", SETS);
    return ini_text(ini, name, data->set[data->sets++].name, sizeof data->set->name);
}

static bool kind_of(struct ini *ini, const char *value, enum recording_kind *kind) {
    static const char *const names[] = {
#define NAME_OF(enumerator, name) name,
        RECORDING_KINDS(NAME_OF)
#undef NAME_OF
    };
    for (unsigned i = 0; i < RECORDING_KIND_COUNT; i++)
        if (strcmp(names[i], value) == 0) {
            *kind = i;
            return true;
        }
    return ini_refuse(ini, "kind is csv, sections, measured or table");
}

static bool read_key(struct ini *ini, const char *key, const char *value) {
    struct data *data = ini->context;
    if (data->in_columns) {
        if (data->short_names == SHORT_NAMES)
            return ini_refuse(ini, "more than %d short names", SHORT_NAMES);
        struct short_name *name = &data->short_name[data->short_names++];
        return ini_text(ini, key, name->name, sizeof name->name) &&
               ini_text(ini, value, name->column, sizeof name->column);
    }
    if (data->sets == 0)
        return ini_refuse(ini, "a set begins with [its name]");
    struct set *set = &data->set[data->sets - 1];
    if (strcmp(key, "kind") == 0)
        return kind_of(ini, value, &set->kind);
    if (strcmp(key, "file") == 0)
        return ini_text(ini, value, set->file, sizeof set->file);
    if (strcmp(key, "where") == 0)
        return ini_text(ini, value, set->where, sizeof set->where);
    if (strcmp(key, "prefix") == 0)
        return ini_text(ini, value, set->prefix, sizeof set->prefix);
    if (strcmp(key, "key") == 0)
        return ini_text(ini, value, set->key, sizeof set->key);
    return ini_refuse(ini, "unknown key '%s': kind, file, where, prefix, key", key);
}

struct data *data_open(const char *root, char *error, size_t size) {
    struct data *data = calloc(1, sizeof *data);
    char path[PATH_SIZE];
    if (data == NULL || !path_print(data->root, "%s", root) || !path_join(path, root, "slides/data.ini")) {
        snprintf(error, size, "slides/data.ini: out of memory, or its path is too long");
        free(data);
        return NULL;
    }
    size_t length;
    char *text = file_read(path, LONGEST, &length, error, size);
    struct ini ini = {.file = "slides/data.ini",
                      .error = error,
                      .error_size = size,
                      .context = data,
                      .section = begin,
                      .key = read_key};
    bool right = text != NULL && ini_read(&ini, text, length);
    free(text);
    if (!right) {
        data_close(data);
        return NULL;
    }
    return data;
}

void data_close(struct data *data) {
    if (data == NULL)
        return;
    for (unsigned i = 0; i < data->sets; i++)
        recording_free(&data->set[i].recording);
    free(data);
}

const char *data_root(const struct data *data) {
    return data->root;
}

static bool read_set(struct data *data, struct set *set, char *error, size_t size) {
    char path[PATH_SIZE];
    if (!path_join(path, data->root, set->file)) {
        snprintf(error, size, "%s: its path is too long", set->file);
        return false;
    }
    size_t length;
    char *text = file_read(path, LONGEST, &length, error, size);
    struct recording_source source = {set->kind, set->file, set->where, set->prefix, set->key};
    set->read = text != NULL && recording_read(&set->recording, &source, text, length, error, size);
    free(text);
    return set->read;
}

const struct recording *data_set(struct data *data, const char *name, char *error, size_t size) {
    for (unsigned i = 0; i < data->sets; i++) {
        struct set *set = &data->set[i];
        if (strcmp(set->name, name) != 0)
            continue;
        return set->read || read_set(data, set, error, size) ? &set->recording : NULL;
    }
    snprintf(error, size, "unknown set '%s': slides/data.ini has them", name);
    return NULL;
}

/* Set and column are there; *there: so is the row. */
static const struct recording *find(struct data *data, const char *set, const char *row, const char **column,
                                    bool optional, bool *there, char *error, size_t size) {
    const struct recording *recording = data_set(data, set, error, size);
    if (recording == NULL)
        return NULL;
    for (unsigned i = 0; i < data->short_names; i++)
        if (strcmp(data->short_name[i].name, *column) == 0 && !recording_has_column(recording, *column))
            *column = data->short_name[i].column;
    *there = recording_has_row(recording, row);
    if (!recording_has_column(recording, *column)) {
        snprintf(error, size, "set '%s' has no column '%s'", set, *column);
        return NULL;
    }
    if (!*there && !optional) {
        snprintf(error, size, "set '%s' has no row '%s'", set, row);
        return NULL;
    }
    return recording;
}

bool data_text(struct data *data, const char *set, const char *row, const char *column, bool optional,
               const char **text, char *error, size_t size) {
    bool there;
    const struct recording *recording = find(data, set, row, &column, optional, &there, error, size);
    if (recording == NULL)
        return false;
    *text = recording_text(recording, row, column);
    if (*text == NULL && optional)
        *text = "";
    if (*text == NULL)
        snprintf(error, size, "set '%s' has nothing in row '%s', column '%s'", set, row, column);
    return *text != NULL;
}

bool data_number(struct data *data, const char *set, const char *row, const char *column, bool optional,
                 double *value, char *error, size_t size) {
    bool there;
    const struct recording *recording = find(data, set, row, &column, optional, &there, error, size);
    if (recording == NULL)
        return false;
    *value = NAN;
    if (recording_number(recording, row, column, value) || optional)
        return true;
    snprintf(error, size, "set '%s' has no number in row '%s', column '%s'", set, row, column);
    return false;
}
