/* models.c: the folder of data files: where it is, what is in it, and which of them stands for a
 * real GPU. */
#include "gpu/time/gpus.h"

#include "base/file.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { MODELS = 256 };

bool gpu_model_find_directory(char path[PATH_SIZE]) {
    const char *chosen = getenv("GPU_MODELS");
    if (chosen != NULL && *chosen != '\0')
        return path_print(path, "%s", chosen);
    char program[PATH_SIZE];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return false;
    program[length] = '\0';
    for (char *slash; (slash = strrchr(program, '/')) != NULL;) {
        *slash = '\0';
        if (path_join(path, program, "common/gpu/models") && access(path, R_OK | X_OK) == 0)
            return true;
    }
    return false;
}

static int by_name(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

bool gpu_model_list(const char *directory, char *ids, size_t size) {
    char *names[MODELS];
    size_t count = 0, used = 0;
    DIR *stream = opendir(directory);
    if (stream == NULL || size == 0) {
        if (stream != NULL)
            closedir(stream);
        return false;
    }
    for (struct dirent *entry; count < MODELS && (entry = readdir(stream)) != NULL;) {
        size_t length = strlen(entry->d_name);
        if (length > 4 && strcmp(entry->d_name + length - 4, ".ini") == 0) {
            char *name = strndup(entry->d_name, length - 4);
            if (name != NULL && gpu_model_is_id(name))
                names[count++] = name;
            else
                free(name);
        }
    }
    closedir(stream);
    qsort(names, count, sizeof names[0], by_name);
    bool fits = count > 0;
    ids[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        if (fits && used + strlen(names[i]) + 2 < size)
            used += (size_t)sprintf(ids + used, "%s%s", i > 0 ? " " : "", names[i]);
        else
            fits = false;
        free(names[i]);
    }
    return fits;
}

/* The folder to read: the one that is named, else the one that is found. */
static bool choose(const char *directory, char path[PATH_SIZE], char *error, size_t size) {
    if (directory != NULL ? path_print(path, "%s", directory) : gpu_model_find_directory(path))
        return true;
    snprintf(error, size,
             "no GPU models found above this program; set GPU_MODELS to the common/gpu/models directory");
    return false;
}

bool gpu_model_is_id(const char *id) {
    size_t length = strlen(id);
    return length > 0 && length < sizeof((struct gpu_model){0}).id &&
           strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789_-") == length;
}

bool gpu_model_load(const char *directory, const char *id, struct gpu_model *model, char *error,
                    size_t size) {
    *model = (struct gpu_model){0};
    char folder[PATH_SIZE], path[PATH_SIZE], known[512];
    if (!choose(directory, folder, error, size))
        return false;
    size_t length = strlen(id), bytes;
    if (!gpu_model_is_id(id) || !path_print(path, "%s/%s.ini", folder, id) || access(path, F_OK) != 0) {
        if (!gpu_model_list(folder, known, sizeof known))
            snprintf(known, sizeof known, "none in %.300s", folder);
        char shown[41];
        snprintf(shown, sizeof shown, "%s", id);
        for (char *c = shown; *c != '\0'; c++)
            if (*c < ' ' || *c > '~')
                *c = '?';
        snprintf(error, size, "no GPU model \"%s\"; there are: %s", shown, known);
        return false;
    }
    char *text = file_read(path, GPU_MODEL_BYTES, &bytes, error, size);
    bool parsed = text != NULL && gpu_model_parse(text, bytes, path, folder, model, error, size);
    free(text);
    if (parsed)
        memcpy(model->id, id, length + 1);
    return parsed;
}

/* What follows `id` in a GPU's name, where whole words of the name make it: "GeForce GTX 980 Ti"
 * has " Ti" after gtx980, and "Tesla T40" nothing of t4's. NULL: it is not in there. */
static const char *after_id(const char *name, const char *id) {
    for (const char *start = name; *start != '\0'; start++) {
        if (!isalnum((unsigned char)*start) || (start > name && isalnum((unsigned char)start[-1])))
            continue;
        const char *at = start, *wanted = id;
        for (; *wanted != '\0'; wanted++) {
            if (!isalnum((unsigned char)*wanted))
                continue;
            while (*at != '\0' && !isalnum((unsigned char)*at))
                at++;
            if (tolower((unsigned char)*at) != *wanted)
                break;
            at++;
        }
        if (*wanted == '\0' && !isalnum((unsigned char)*at))
            return at;
    }
    return NULL;
}

bool gpu_model_is(const struct gpu_model *model, const char *name) {
    /* words after which it is another chip, or a part of this one */
    static const char *const other[] = {"ti", "super", "laptop", "mobile", "max-q", "mig"};
    if (strcasecmp(model->name, name) == 0)
        return true;
    const char *rest = after_id(name, model->id);
    for (size_t i = 0; rest != NULL && i < sizeof other / sizeof other[0]; i++)
        if (after_id(rest, other[i]) != NULL)
            return false;
    return rest != NULL;
}

/* How far a model is from a GPU, the smaller the nearer: its own name, its chip's, a sister's or
 * a part's, then by compute capability, where no step within a major version is as far as one to
 * the next. */
static int distance(const struct gpu_model *model, const char *name, uint32_t major, uint32_t minor) {
    if (strcasecmp(model->name, name) == 0)
        return -3;
    if (after_id(name, model->id) != NULL)
        return gpu_model_is(model, name) ? -2 : -1;
    return abs((int)(100 * model->compute_major + model->compute_minor) - (int)(100 * major + minor));
}

bool gpu_model_nearest(const char *directory, const char *name, uint32_t major, uint32_t minor,
                       struct gpu_model *model, char *error, size_t size) {
    char folder[PATH_SIZE], ids[MODELS * sizeof model->id];
    if (!choose(directory, folder, error, size))
        return false;
    if (!gpu_model_list(folder, ids, sizeof ids)) {
        snprintf(error, size, "no GPU models in %.300s", folder);
        return false;
    }
    bool any = false;
    char *next = ids;
    for (const char *id; (id = strsep(&next, " ")) != NULL; any = true) {
        struct gpu_model candidate;
        if (!gpu_model_load(folder, id, &candidate, error, size))
            return false;
        int nearer =
            any ? distance(&candidate, name, major, minor) - distance(model, name, major, minor) : -1;
        /* of two that are as near the older, then the first by id, whatever order the folder
         * gives them in */
        bool older = candidate.compute_major * 100 + candidate.compute_minor <
                     model->compute_major * 100 + model->compute_minor;
        if (nearer < 0 || (nearer == 0 && older))
            *model = candidate;
    }
    return any;
}

bool gpu_model_stands_in(const struct gpu_model *model, const char *name, char *text, size_t size) {
    if (gpu_model_is(model, name))
        return false;
    snprintf(text, size, "No model is of this chip: limits and gains are those of the nearest, %s (%s).",
             model->name, model->id);
    return true;
}
