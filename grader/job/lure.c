/* lure.c: one FIFO under many names. */
#include "job/lure.h"
#include "base/file.h"
#include "job/kit_names.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEEPEST = 4 };

/* Whole folders of lures, and where they are shown. The compiler's sandbox has no folder of its own there. None is a
 * file that tools open by themselves, as libselinux does /proc/mounts. */
// clang-format off
static const char *const secrets[] = {
    "proc/self/environ", "proc/self/cmdline", "proc/1/environ", "proc/1/cmdline", "root/.ssh/id_rsa",
    "root/.ssh/id_ed25519", "root/.ssh/authorized_keys", "root/.bash_history", "root/.profile"};
// clang-format on
static const char *const folders[] = {"proc", "root"};
/* Single files, beside those of /etc that the compiler needs. */
static const char *const system_files[] = {"/etc/passwd",  "/etc/shadow", "/etc/group",    "/etc/gshadow",
                                           "/etc/sudoers", "/etc/hosts",  "/etc/hostname", "/etc/machine-id"};

static bool place(const struct lure *lure, const char *path, char *error, size_t size) {
    char parent[PATH_SIZE];
    path_print(parent, "%s", path);
    *strrchr(parent, '/') = '\0';
    if (!folder_make(parent, error, size))
        return false;
    if (link(lure->fifo, path) == 0 || errno == EEXIST)
        return true;
    return fails(error, size, "%.900s cannot be made: %s", path, strerror(errno));
}

/* The files of a folder, by name. A folder that is not there has none. */
static bool mirror(const struct lure *lure, const char *from, const char *to, unsigned depth, char *error,
                   size_t size) {
    DIR *files = opendir(from);
    bool right = true;
    for (const struct dirent *file; files != NULL && right && (file = readdir(files)) != NULL;) {
        char source[PATH_SIZE], copy[PATH_SIZE];
        struct stat status;
        if (file->d_name[0] == '.' || !path_join(source, from, file->d_name) ||
            !path_join(copy, to, file->d_name) || stat(source, &status) != 0)
            continue;
        if (S_ISREG(status.st_mode))
            right = place(lure, copy, error, size);
        else if (S_ISDIR(status.st_mode) && depth < DEEPEST)
            right = mirror(lure, source, copy, depth + 1, error, size);
    }
    if (files != NULL)
        closedir(files);
    return right;
}

bool lure_make(struct lure *lure, const char *work, const char *root, char *error, size_t size) {
    char from[PATH_SIZE], to[PATH_SIZE];
    if (!path_join(lure->folder, work, "lure") || !path_join(lure->fifo, lure->folder, "fifo") ||
        !path_join(from, root, "solutions") || !path_join(to, lure->folder, "solutions"))
        return fails(error, size, "the path of the job's folder is too long");
    lure_remove(lure);
    if (!folder_make(to, error, size))
        return false;
    if (mkfifo(lure->fifo, 0600) != 0)
        return fails(error, size, "%.900s cannot be made: %s", lure->fifo, strerror(errno));
    bool right = mirror(lure, from, to, 0, error, size);
    for (size_t i = 0; right && i < sizeof secrets / sizeof *secrets; i++)
        right = path_join(to, lure->folder, secrets[i]) && place(lure, to, error, size);
    return right;
}

bool lure_show(const struct lure *lure, const char *root, struct sandbox *sandbox) {
    char from[PATH_SIZE], to[PATH_SIZE];
    bool right = path_join(from, lure->folder, "solutions") && path_join(to, root, "solutions") &&
                 sandbox_show(sandbox, from, to) && sandbox_show(sandbox, from, KIT_FOLDER "/solutions") &&
                 sandbox_show(sandbox, from, "/solutions") &&
                 sandbox_show(sandbox, from, "/submission/solutions");
    for (size_t i = 0; right && i < sizeof folders / sizeof *folders; i++) {
        path_print(to, "/%s", folders[i]);
        right = path_join(from, lure->folder, folders[i]) && sandbox_show(sandbox, from, to);
    }
    for (size_t i = 0; right && i < sizeof system_files / sizeof *system_files; i++)
        right = sandbox_show(sandbox, lure->fifo, system_files[i]);
    return right;
}

void lure_remove(const struct lure *lure) {
    folder_remove(lure->folder);
}
