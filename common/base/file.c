/* file.c: reads a whole file; writes a file whole or not at all. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads to the end; NULL and errno on failure. Stops one byte beyond `limit`, which shows that the
 * file is too large. Asks for no size, because pipes and /proc have none. */
static char *read_rest(FILE *file, size_t limit, size_t *length) {
    char *text = NULL;
    size_t used = 0, room = 0;
    for (size_t got = 1; got > 0 && used <= limit; used += got) {
        if (used + 1 >= room) {
            room = room == 0 ? 4096 : room * 2;
            char *grown = realloc(text, room + 1);
            if (grown == NULL) {
                free(text);
                errno = ENOMEM;
                return NULL;
            }
            text = grown;
        }
        got = fread(text + used, 1, room - used, file);
    }
    if (ferror(file) || used > limit) {
        int why = ferror(file) ? errno : EFBIG;
        free(text);
        errno = why;
        return NULL;
    }
    text[used] = '\0';
    *length = used;
    return text;
}

char *file_read(const char *path, size_t limit, size_t *length, char *error, size_t size) {
    size_t unused;
    FILE *file = fopen(path, "rbe");
    if (path[0] == '\0')
        errno = ENAMETOOLONG; /* path_print found it too long */
    char *text = file != NULL ? read_rest(file, limit, length != NULL ? length : &unused) : NULL;
    if (text == NULL && errno == EFBIG)
        snprintf(error, size, "cannot read %s: it is larger than %zu bytes", path, limit);
    else if (text == NULL)
        snprintf(error, size, "cannot read %s: %s", path, strerror(errno));
    if (file != NULL)
        fclose(file);
    return text;
}

bool file_begin_at(struct file_output *output, const char *path, char *error, size_t size) {
    *output = (struct file_output){0};
    if (!path_print(output->path, "%s", path) || path[0] == '\0' ||
        !path_print(output->part, "%s.part.XXXXXX", path))
        return fails(error, size, "%.200s...: this path is too long", path);
    /* A unique name: other processes, on other machines too, may write the same file. */
    int descriptor = mkostemp(output->part, O_CLOEXEC);
    mode_t mask = umask(0);
    umask(mask);
    output->file = descriptor >= 0 && fchmod(descriptor, 0666 & ~mask) == 0 ? fdopen(descriptor, "wb") : NULL;
    if (output->file != NULL)
        return true;
    snprintf(error, size, "cannot write %s: %s", path, strerror(errno));
    if (descriptor >= 0) {
        close(descriptor);
        unlink(output->part);
    }
    return false;
}

bool file_begin(struct file_output *output, const char *folder, const char *name, char *error, size_t size) {
    char path[PATH_SIZE];
    if (!folder_make(folder, error, size))
        return false;
    if (path_join(path, folder, name))
        return file_begin_at(output, path, error, size);
    return fails(error, size, "%.200s/%.80s: this path is too long", folder, name);
}

bool file_end(struct file_output *output, char *error, size_t size) {
    errno = 0;
    bool right = fflush(output->file) == 0 && !ferror(output->file);
    right = fclose(output->file) == 0 && right;
    output->file = NULL;
    right = right && rename(output->part, output->path) == 0;
    if (!right) {
        snprintf(error, size, "cannot write %s: %s", output->path, strerror(errno != 0 ? errno : EIO));
        unlink(output->part);
    }
    return right;
}

void file_discard(struct file_output *output) {
    fclose(output->file);
    unlink(output->part);
    output->file = NULL;
}

bool file_write(const char *path, const void *bytes, size_t length, char *error, size_t size) {
    struct file_output output;
    if (!file_begin_at(&output, path, error, size))
        return false;
    fwrite(bytes, 1, length, output.file); /* file_end reports a failure */
    return file_end(&output, error, size);
}

bool folder_make(const char *path, char *error, size_t size) {
    char part[PATH_SIZE];
    if (path[0] == '\0' || !path_print(part, "%s", path))
        return fails(error, size, "%.200s...: this path is too long", path);
    for (char *slash = part; slash != NULL; *slash = '/') {
        slash = strchr(slash + 1, '/');
        if (slash != NULL)
            *slash = '\0';
        struct stat status;
        if (mkdir(part, 0777) != 0 &&
            (errno != EEXIST || stat(part, &status) != 0 || !S_ISDIR(status.st_mode)))
            return fails(error, size, "cannot make the folder %s: %s", part, strerror(errno));
        if (slash == NULL)
            break;
    }
    return true;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk) {
    (void)status;
    (void)kind;
    (void)walk;
    remove(path);
    return 0;
}

void folder_remove(const char *path) {
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
