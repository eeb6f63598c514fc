#include "grader/output.h"

#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool output_make_folder(const char *path, char *error, size_t size) {
    char part[TEXT_PATH];
    if (snprintf(part, sizeof part, "%s", path) >= (int)sizeof part) {
        snprintf(error, size, "%.200s...: this path is too long", path);
        return false;
    }
    for (char *slash = part; slash != NULL; *slash = '/') {
        slash = strchr(slash + 1, '/');
        if (slash != NULL)
            *slash = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST) {
            snprintf(error, size, "cannot make the folder %s: %s", part, strerror(errno));
            return false;
        }
        if (slash == NULL)
            break;
    }
    return true;
}

bool output_open(struct output *output, const char *folder, const char *name, char *error, size_t size) {
    *output = (struct output){0};
    if (!output_make_folder(folder, error, size))
        return false;
    if (!text_join(output->path, folder, name) ||
        snprintf(output->part, sizeof output->part, "%s.part", output->path) >= (int)sizeof output->part) {
        snprintf(error, size, "%.200s/%.80s: this path is too long", folder, name);
        return false;
    }
    output->file = fopen(output->part, "wb");
    if (output->file == NULL)
        snprintf(error, size, "cannot write %s: %s", output->part, strerror(errno));
    return output->file != NULL;
}

bool output_close(struct output *output, char *error, size_t size) {
    bool fine = fflush(output->file) == 0 && !ferror(output->file);
    fine = fclose(output->file) == 0 && fine;
    output->file = NULL;
    fine = fine && rename(output->part, output->path) == 0;
    if (!fine) {
        snprintf(error, size, "cannot write %s: %s", output->path, strerror(errno));
        unlink(output->part);
    }
    return fine;
}

void output_discard(struct output *output) {
    fclose(output->file);
    unlink(output->part);
    output->file = NULL;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk) {
    (void)status;
    (void)kind;
    (void)walk;
    remove(path);
    return 0;
}

void output_remove_folder(const char *path) {
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

char *output_read(const char *path, size_t limit, size_t *length, char *error, size_t size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        snprintf(error, size, "cannot read %s: %s", path, strerror(errno));
        return NULL;
    }
    char *text = NULL;
    size_t used = 0, room = 0;
    for (bool more = true; more;) {
        if (used + 1 >= room) {
            room = room == 0 ? 4096 : room * 2;
            char *grown = realloc(text, room + 1);
            if (grown == NULL) {
                free(text);
                fclose(file);
                snprintf(error, size, "%s: out of memory", path);
                return NULL;
            }
            text = grown;
        }
        size_t got = fread(text + used, 1, room - used, file);
        used += got;
        more = got > 0 && used <= limit;
    }
    bool fine = !ferror(file) && used <= limit;
    fclose(file);
    if (!fine) {
        snprintf(error, size, "%s: %s", path, used > limit ? "the file is too large" : "it cannot be read");
        free(text);
        return NULL;
    }
    text[used] = '\0';
    *length = used;
    return text;
}
