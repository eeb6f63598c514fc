/* fuzz_submissions.c: any names and contents as a download: lines of a path and a content by turns ("-> target" is a link, a path that
 * ends with '/' a folder), in an archive, read as a class hands in. What the archive's own bytes may do is fuzz_tree's. */
#include "class/intake/submissions.h"
#include "class/text.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MEMBERS = 64, LINE = 2048 };

/* A line of the input, '\n' left out; false: there is none. */
static bool next_line(const uint8_t **data, size_t *size, char line[LINE]) {
    const uint8_t *end = *size > 0 ? memchr(*data, '\n', *size) : NULL;
    size_t length = end != NULL ? (size_t)(end - *data) : *size, kept = length < LINE - 1 ? length : LINE - 1;
    if (*size == 0)
        return false;
    memcpy(line, *data, kept);
    line[kept] = '\0';
    *data += length + (end != NULL);
    *size -= length + (end != NULL);
    return true;
}

static void add(struct archive *archive, const char *path, const char *content) {
    struct archive_entry *entry = archive_entry_new();
    size_t length = strlen(path), bytes = strlen(content);
    bool link = strncmp(content, "-> ", 3) == 0, folder = length > 0 && path[length - 1] == '/';
    archive_entry_set_pathname(entry, path);
    archive_entry_set_filetype(entry, link ? AE_IFLNK : folder ? AE_IFDIR : AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    if (link)
        archive_entry_set_symlink(entry, content + 3);
    archive_entry_set_size(entry, link || folder ? 0 : (la_int64_t)bytes);
    if (archive_write_header(archive, entry) >= ARCHIVE_WARN && !link && !folder)
        archive_write_data(archive, content, bytes);
    archive_entry_free(entry);
}

static int make_archive(const uint8_t *data, size_t size) {
    char path[LINE], content[LINE];
    int file = memfd_create("download", MFD_CLOEXEC);
    struct archive *archive = archive_write_new();
    if (file < 0 || archive == NULL || archive_write_set_format_pax_restricted(archive) != ARCHIVE_OK ||
        archive_write_open_fd(archive, file) != ARCHIVE_OK)
        abort();
    for (unsigned i = 0; i < MEMBERS && next_line(&data, &size, path); i++) {
        if (!next_line(&data, &size, content))
            content[0] = '\0';
        if (path[0] != '\0')
            add(archive, path, content);
    }
    archive_write_close(archive);
    archive_write_free(archive);
    return file;
}

/* One line that a page and a terminal may show. */
static void check_line(const char *text, bool empty) {
    if ((!empty && text[0] == '\0') || strpbrk(text, "\n\r\x1b\t") != NULL ||
        !text_is_utf8((const uint8_t *)text, strlen(text)))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct submissions submissions;
    char path[64], error[512] = "", key[256];
    struct submissions_options options = {.lab = size % 2 == 0 ? "lab1" : NULL,
                                          .student = size % 5 == 0 ? "me" : NULL};
    int file = make_archive(data, size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (submissions_read(path, &options, &submissions, error, sizeof error)) {
        for (size_t i = 0; i < submissions.count; i++) {
            const struct submission *item = &submissions.items[i];
            check_line(item->student, false);
            check_line(item->claim, true);
            check_line(item->name, true);
            check_line(item->email, true);
            check_line(item->path, true);
            check_line(item->problem, true);
            check_line(item->notes, true);
            lookalike_key(item->student, key, sizeof key);
            if ((item->sha256[0] != '\0') == (item->problem[0] != '\0') || item->lab[0] == '\0')
                abort(); /* a kernel, or why there is none */
        }
        for (size_t i = 0; i < submissions.stray_count; i++)
            check_line(submissions.strays[i], false);
        submissions_free(&submissions);
    } else if (error[0] == '\0' || strchr(error, '\n') != NULL) {
        abort(); /* refused without saying why, in one line */
    }
    close(file);
    return 0;
}
