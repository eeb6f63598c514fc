/* starter.c: compares a file with the starter; makes a backup, then replaces the file. */
#include "base/starter.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TEXT_LIMIT = 16 << 20 };

bool starter_untouched(const char *yours, const char *starter) {
    char error[PATH_SIZE + 128];
    size_t length = 0, other = 0;
    char *a = file_read(yours, TEXT_LIMIT, &length, error, sizeof error);
    char *b = file_read(starter, TEXT_LIMIT, &other, error, sizeof error);
    bool same = a != NULL && b != NULL && length == other && memcmp(a, b, length) == 0;
    free(a);
    free(b);
    return same;
}

/* Prints BACKUPS/kernel-20260102-030405.cu for a file .../kernel.cu. */
static bool backup_path(const char *yours, const char *backups, char path[PATH_SIZE]) {
    const char *slash = strrchr(yours, '/'), *name = slash != NULL ? slash + 1 : yours;
    const char *dot = strrchr(name, '.'), *ending = dot != NULL ? dot : "";
    time_t seconds = time(NULL);
    struct tm local;
    char when[32];
    strftime(when, sizeof when, "%Y%m%d-%H%M%S", localtime_r(&seconds, &local));
    return path_print(path, "%s/%.*s-%s%s", backups, (int)(strlen(name) - strlen(ending)), name, when,
                      ending);
}

bool starter_put_back(const char *yours, const char *starter, const char *backups, char kept[PATH_SIZE],
                      char *error, size_t size) {
    size_t fresh_length = 0, old_length = 0;
    bool there = access(yours, F_OK) == 0, right;
    char *old = NULL, *fresh = file_read(starter, TEXT_LIMIT, &fresh_length, error, size);
    kept[0] = '\0';
    right = fresh != NULL;
    if (right && there) {
        old = file_read(yours, TEXT_LIMIT, &old_length, error, size);
        right = old != NULL && folder_make(backups, error, size);
        if (right && !backup_path(yours, backups, kept)) {
            snprintf(error, size, "the path %.200s/... is too long", backups);
            right = false;
        }
        right = right && file_write(kept, old, old_length, error, size);
    }
    right = right && file_write(yours, fresh, fresh_length, error, size);
    free(fresh);
    free(old);
    return right;
}
