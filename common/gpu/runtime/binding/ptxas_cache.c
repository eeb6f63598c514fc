/* ptxas_cache.c: machine code kept in a folder of the user's: a file each, its bytes and their SHA-256 behind them, so that
 * one that a crash or a full disk cut off is known. Its time is when it was last used. */
#include "gpu/runtime/binding/ptxas.h"

#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char ending[] = ".cubin";
enum {
    NAME_BYTES = SHA256_DIGEST_STRING_LENGTH - 1 + sizeof ending - 1, /* of a file that is done */
    UNDONE_SECONDS = 3600, /* what is being written for longer than this was left behind */
    MOST_FILES = 100000
};

static bool name_of(char path[PATH_SIZE], const char *folder, const char *key) {
    return folder[0] != '\0' && path_print(path, "%s/%s%s", folder, key, ending);
}

static void digest_of(const void *bytes, size_t size, uint8_t digest[SHA256_DIGEST_LENGTH]) {
    SHA2_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, bytes, size);
    SHA256Final(digest, &context);
}

void *ptxas_cache_find(const char *folder, const char *key, size_t most, size_t *size) {
    char path[PATH_SIZE], why[256];
    uint8_t digest[SHA256_DIGEST_LENGTH];
    size_t length = 0;
    char *bytes =
        name_of(path, folder, key) ? file_read(path, most + sizeof digest, &length, why, sizeof why) : NULL;
    if (bytes == NULL)
        return NULL;
    bool whole = length >= sizeof digest;
    if (whole) {
        digest_of(bytes, length - sizeof digest, digest);
        whole = memcmp(bytes + length - sizeof digest, digest, sizeof digest) == 0;
    }
    if (!whole) {
        free(bytes);
        return NULL;
    }
    utimensat(AT_FDCWD, path, (const struct timespec[]){{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_NOW}}, 0);
    *size = length - sizeof digest;
    return bytes;
}

struct kept {
    char name[NAME_BYTES + 16];
    struct timespec used;
    uint64_t bytes;
};

static int by_age(const void *left, const void *right) {
    const struct kept *a = left, *b = right;
    if (a->used.tv_sec != b->used.tv_sec)
        return a->used.tv_sec < b->used.tv_sec ? -1 : 1;
    if (a->used.tv_nsec != b->used.tv_nsec)
        return a->used.tv_nsec < b->used.tv_nsec ? -1 : 1;
    return strcmp(a->name, b->name);
}

/* One of ours: a key and its ending, perhaps with what file.h puts behind the name of a file that is not done. */
static bool is_ours(const char *name) {
    size_t key = strspn(name, "0123456789abcdef");
    return key == SHA256_DIGEST_STRING_LENGTH - 1 && strncmp(name + key, ending, sizeof ending - 1) == 0 &&
           strlen(name) < sizeof((struct kept *)0)->name;
}

/* The files of ours, in a list to be freed; those that nobody will end are removed. */
static struct kept *list_files(DIR *folder, size_t *count) {
    struct kept *files = NULL;
    const struct dirent *entry;
    size_t room = 0;
    for (*count = 0; *count < MOST_FILES && (entry = readdir(folder)) != NULL;) {
        struct stat status;
        if (!is_ours(entry->d_name) ||
            fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (strlen(entry->d_name) > NAME_BYTES) {
            if (time(NULL) - status.st_mtim.tv_sec > UNDONE_SECONDS)
                unlinkat(dirfd(folder), entry->d_name, 0);
            continue;
        }
        if (*count == room) {
            room = room == 0 ? 64 : 2 * room;
            struct kept *grown = realloc(files, room * sizeof *grown);
            if (grown == NULL)
                break;
            files = grown;
        }
        struct kept *file = &files[(*count)++];
        *file = (struct kept){.used = status.st_mtim, .bytes = (uint64_t)status.st_size};
        strcpy(file->name, entry->d_name);
    }
    return files;
}

static void bound(const char *path, uint64_t most) {
    DIR *folder = opendir(path);
    size_t count = 0;
    uint64_t sum = 0;
    if (folder == NULL)
        return;
    struct kept *files = list_files(folder, &count);
    for (size_t i = 0; i < count; i++)
        sum += files[i].bytes;
    if (count > 0)
        qsort(files, count, sizeof *files, by_age);
    for (size_t i = 0; i < count && sum > most; i++) {
        unlinkat(dirfd(folder), files[i].name, 0);
        sum -= files[i].bytes;
    }
    free(files);
    closedir(folder);
}

void ptxas_cache_keep(const char *folder, const char *key, const void *bytes, size_t size, uint64_t most) {
    char path[PATH_SIZE], why[256];
    uint8_t digest[SHA256_DIGEST_LENGTH];
    struct file_output output;
    if (!name_of(path, folder, key) || !folder_make(folder, why, sizeof why) ||
        !file_begin_at(&output, path, why, sizeof why))
        return;
    digest_of(bytes, size, digest);
    if (fwrite(bytes, 1, size, output.file) == size &&
        fwrite(digest, 1, sizeof digest, output.file) == sizeof digest)
        file_end(&output, why, sizeof why);
    else
        file_discard(&output);
    bound(folder, most);
}
