/* scratch.c: files in TMPDIR that have no name. */
#include "class/intake/tree.h"

#include "base/path.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int make_file(void) {
    const char *folder = getenv("TMPDIR");
    char path[PATH_SIZE];
    if (!path_join(path, folder != NULL ? folder : "/tmp", "grade.XXXXXX"))
        return -1;
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    return fd;
}

enum scratch scratch_copy(const struct tree_entry *entry, uint64_t limit, int *fd, char *why, size_t size) {
    uint64_t copied = 0;
    char bytes[1 << 16];
    *fd = make_file();
    if (*fd < 0) {
        snprintf(why, size, "cannot make a scratch file in TMPDIR (or /tmp)");
        return SCRATCH_FAILED;
    }
    for (ssize_t got; (got = tree_read(entry, bytes, sizeof bytes)) != 0;) {
        copied += got > 0 ? (uint64_t)got : 0;
        if (got < 0)
            snprintf(why, size, "%s", entry->refusal != NULL ? entry->refusal : "it cannot be read");
        else if (copied > limit)
            snprintf(why, size, "it is larger than %llu MiB", (unsigned long long)limit >> 20);
        else if (write(*fd, bytes, (size_t)got) == got)
            continue;
        else {
            snprintf(why, size, "cannot write a scratch file: is the disk full?");
            close(*fd);
            *fd = -1;
            return SCRATCH_FAILED;
        }
        return SCRATCH_REFUSED;
    }
    return SCRATCH_DONE;
}
