/* landlock.c: the list, by role. The C library has no names for these calls, and old headers none for their numbers. */
#include "job/rung.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 }; /* on every machine */
enum { ASK_VERSION = 1, PATH_BENEATH = 1 };

/* What may be done with a file, by bit; each version knows some more. */
enum {
    EXECUTE = 1 << 0,
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_FOLDER = 1 << 3,
    REMOVE_FOLDER = 1 << 4,
    REMOVE_FILE = 1 << 5,
    MAKE_FOLDER = 1 << 7,
    MAKE_FILE = 1 << 8,
    MAKE_LINK = 1 << 12,
    MOVE = 1 << 13,
    TRUNCATE = 1 << 14,
    CONTROL_DEVICE = 1 << 15,
    OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | CONTROL_DEVICE,
    READ = EXECUTE | READ_FILE | READ_FOLDER,
    SCRATCH = READ_FILE | WRITE_FILE | READ_FOLDER | REMOVE_FOLDER | REMOVE_FILE | MAKE_FOLDER | MAKE_FILE |
              MAKE_LINK | MOVE | TRUNCATE,
    DEVICE = READ_FILE | WRITE_FILE | TRUNCATE | CONTROL_DEVICE
};
/* Binding and connecting by TCP; sockets without a file, signals: to nobody outside. */
enum { ALL_NETWORK = 3, ALL_SCOPES = 3 };

struct ruleset {
    uint64_t files, network, scopes;
};
struct beneath {
    uint64_t rights;
    int32_t folder;
} __attribute__((packed));

static uint64_t known_rights(int version) {
    static const unsigned bits[] = {0, 13, 14, 15, 15, 16};
    int newest = sizeof bits / sizeof *bits - 1;
    return ((uint64_t)1 << bits[version < newest ? version : newest]) - 1;
}

int landlock_version(void) {
    long version = syscall(CREATE_RULESET, NULL, (size_t)0, ASK_VERSION);
    return version > 0 ? (int)version : 0;
}

struct list {
    int ruleset;
    uint64_t known;
    const char *hidden; /* a folder that no rule may reach; "": none */
    char *error;
    size_t size;
};

static bool failed(const struct list *list, const char *path) {
    return fails(list->error, list->size, "Landlock does not take %.300s: %s", path, strerror(errno));
}

/* A rule reaches all that is below. What is not there needs none. */
static bool allow_all(const struct list *list, const char *path, uint64_t rights) {
    struct stat status;
    struct beneath rule = {.folder = open(path, O_PATH | O_CLOEXEC)};
    if (rule.folder < 0)
        return errno == ENOENT || errno == ENOTDIR || failed(list, path);
    bool right = fstat(rule.folder, &status) == 0;
    rule.rights = rights & list->known & (S_ISDIR(status.st_mode) ? UINT64_MAX : OF_FILES);
    right = right && syscall(ADD_RULE, list->ruleset, PATH_BENEATH, &rule, 0U) == 0;
    if (!right)
        failed(list, path);
    close(rule.folder);
    return right;
}

static bool is_below(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* Nothing can be taken from what a rule reaches: where the hidden folder is below, its neighbours get rules of their own. */
static bool allow(const struct list *list, const char *path, uint64_t rights) {
    char folder[PATH_SIZE], neighbour[PATH_SIZE];
    if (list->hidden[0] == '\0' || realpath(path, folder) == NULL || !is_below(list->hidden, folder))
        return allow_all(list, path, rights);
    if (strcmp(list->hidden, folder) == 0)
        return true;
    DIR *neighbours = opendir(folder);
    bool right = neighbours != NULL || failed(list, folder);
    for (const struct dirent *entry; right && (entry = readdir(neighbours)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        right = path_join(neighbour, folder, entry->d_name) &&
                (is_below(list->hidden, neighbour) ? allow(list, neighbour, rights)
                                                   : allow_all(list, neighbour, rights));
    }
    if (neighbours != NULL)
        closedir(neighbours);
    return right;
}

static bool allow_each(const struct list *list, const char *const *paths, uint64_t rights) {
    bool right = true;
    for (; right && *paths != NULL; paths++)
        right = allow(list, *paths, rights);
    return right;
}

static bool allow_role(const struct list *list, enum sandbox_role role) {
    static const char *const libraries[] = {"/usr/lib", "/usr/lib64",       "/lib", "/lib64",
                                            "/lib32",   "/etc/ld.so.cache", NULL},
                             *const programs[] = {"/usr", "/bin", "/sbin", "/etc/alternatives", NULL},
                             *const devices[] = {"/dev/null", "/dev/zero", "/dev/urandom", NULL};
    return allow_each(list, libraries, READ) && allow_each(list, devices, DEVICE) &&
           (role != SANDBOX_COMPILE || allow_each(list, programs, READ));
}

int landlock_files(const struct sandbox *s, char *error, size_t size) {
    static const size_t sizes[] = {0, 8, 8, 8, 16, 16, 24};
    char hidden[PATH_SIZE] = "";
    int newest = sizeof sizes / sizeof *sizes - 1, version = landlock_version();
    if (version == 0) {
        snprintf(error, size,
                 "the kernel has no Landlock, or it is switched off (Linux has it from 5.13 on)");
        return -1;
    }
    if (s->landlock != 0 && version > (int)s->landlock)
        version = (int)s->landlock;
    struct ruleset ruleset = {.files = known_rights(version), .network = ALL_NETWORK, .scopes = ALL_SCOPES};
    struct list list = {.known = ruleset.files, .hidden = hidden, .error = error, .size = size};
    list.ruleset = (int)syscall(CREATE_RULESET, &ruleset, sizes[version < newest ? version : newest], 0U);
    if (list.ruleset < 0) {
        snprintf(error, size, "Landlock takes no list: %s", strerror(errno));
        return -1;
    }
    bool right = s->hidden[0] == '\0' || realpath(s->hidden, hidden) != NULL || failed(&list, s->hidden);
    right = right && allow_role(&list, s->role) &&
            (s->scratch[0] == '\0' || allow_all(&list, s->scratch, SCRATCH));
    for (unsigned i = 0; right && i < s->shown_count; i++)
        if (strcmp(s->shown[i].inside, s->shown[i].outside) == 0)
            right = allow(&list, s->shown[i].outside, READ);
    if (right)
        return list.ruleset;
    close(list.ruleset);
    return -1;
}

bool landlock_enter(int files) {
    return syscall(RESTRICT_SELF, files, 0U) == 0;
}
