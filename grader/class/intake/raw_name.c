/* raw_name.c: the names in the local headers of zip (APPNOTE 4.3.7) and in the extended headers
 * of tar (POSIX pax). */
#include "class/intake/raw_name.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    READ_SIZE = 1 << 16,
    LOCAL_HEADER = 30,     /* bytes before the name */
    UNICODE_PATH = 0x7075, /* the extra field with the name in UTF-8: version, checksum, name */
    END_RECORD = 22,       /* bytes before the comment */
    BLOCK = 512,           /* of tar */
    EXTENSIONS = 8         /* headers of tar before a file's own, at most */
};

bool raw_names_begin(struct raw_names *names, int fd) {
    *names = (struct raw_names){.fd = fd, .window = malloc(RAW_NAME_WINDOW + 1 + READ_SIZE)};
    return names->window != NULL;
}

void raw_names_end(struct raw_names *names) {
    if (names->plain != NULL)
        archive_read_free(names->plain);
    free(names->window);
}

static unsigned le16(const uint8_t *bytes) {
    return bytes[0] | (unsigned)bytes[1] << 8;
}

/* A name of `length` bytes at the start of the window. */
static const char *take(struct raw_names *names, const uint8_t *name, size_t length) {
    memmove(names->window, name, length);
    names->window[length] = '\0';
    for (size_t i = 0; i < length; i++)
        if (names->window[i] == '\0')
            names->window[i] = 1; /* as little a part of a name */
    return (const char *)names->window;
}

/* ---- zip */

static const char *name_of_header(struct raw_names *names, const uint8_t *header) {
    unsigned length = le16(header + 26), extra = le16(header + 28);
    const uint8_t *at = header + LOCAL_HEADER + length, *end = at + extra;
    for (unsigned size; end - at >= 4 && (size = le16(at + 2)) <= end - at - 4; at += 4 + size)
        if (le16(at) == UNICODE_PATH && size > 5 && at[4] == 1)
            return take(names, at + 9, size - 5);
    return take(names, header + LOCAL_HEADER, length);
}

/* The header ends where the entry's bytes begin, at `data`. */
static const char *zip_name(struct raw_names *names, int64_t data) {
    size_t size = data < RAW_NAME_WINDOW ? (size_t)data : RAW_NAME_WINDOW;
    if (data < LOCAL_HEADER || pread(names->fd, names->window, size, data - (int64_t)size) != (ssize_t)size)
        return NULL;
    for (size_t at = size - LOCAL_HEADER + 1; at-- > 0;) {
        const uint8_t *header = names->window + at;
        if (memcmp(header, "PK\3\4", 4) == 0 &&
            at + LOCAL_HEADER + le16(header + 26) + le16(header + 28) == size)
            return name_of_header(names, header);
    }
    return NULL;
}

bool raw_name_zip_is_cut(const struct raw_names *names) {
    struct stat status;
    if (fstat(names->fd, &status) != 0)
        return false;
    size_t most = END_RECORD + UINT16_MAX,
           size = (size_t)status.st_size < most ? (size_t)status.st_size : most;
    if (size < END_RECORD ||
        pread(names->fd, names->window, size, status.st_size - (off_t)size) != (ssize_t)size)
        return true;
    for (size_t at = size - END_RECORD + 1; at-- > 0;)
        if (memcmp(names->window + at, "PK\5\6", 4) == 0 &&
            at + END_RECORD + le16(names->window + at + 20) <= size)
            return false;
    return true;
}

/* ---- tar */

static la_ssize_t read_file(struct archive *archive, void *context, const void **bytes) {
    struct raw_names *names = context;
    (void)archive;
    *bytes = names->window + RAW_NAME_WINDOW + 1;
    ssize_t got = pread(names->fd, names->window + RAW_NAME_WINDOW + 1, READ_SIZE, (off_t)names->file_at);
    names->file_at += got > 0 ? (uint64_t)got : 0;
    return got;
}

static bool open_plain(struct raw_names *names) {
    struct archive_entry *whole;
    if (names->plain != NULL)
        return true;
    names->plain = archive_read_new();
    return names->plain != NULL && archive_read_support_format_raw(names->plain) == ARCHIVE_OK &&
           archive_read_support_filter_gzip(names->plain) == ARCHIVE_OK &&
           archive_read_open(names->plain, names, NULL, read_file, NULL) == ARCHIVE_OK &&
           archive_read_next_header(names->plain, &whole) == ARCHIVE_OK;
}

/* `size` bytes into the window, from a place that is not before the last one. */
static bool read_plain(struct raw_names *names, uint64_t from, size_t size) {
    while (names->plain_at < from) {
        uint64_t left = from - names->plain_at;
        la_ssize_t got =
            archive_read_data(names->plain, names->window, left < RAW_NAME_WINDOW ? left : RAW_NAME_WINDOW);
        if (got <= 0)
            return false;
        names->plain_at += (uint64_t)got;
    }
    if (names->plain_at != from || archive_read_data(names->plain, names->window, size) != (la_ssize_t)size)
        return false;
    names->plain_at += size;
    return true;
}

/* The value of `path` in records "LENGTH KEY=VALUE\n". */
static const char *path_of(struct raw_names *names, size_t size) {
    static const char key[] = "path=";
    for (size_t at = 0; at < size;) {
        char *after;
        const uint8_t *record = names->window + at;
        if (*record < '0' || *record > '9')
            return NULL;
        size_t length = strtoul((const char *)record, &after, 10);
        size_t digits = (size_t)((const uint8_t *)after - record);
        if (length > size - at || length < digits + 2 || *after != ' ')
            return NULL;
        size_t value = digits + 1 + sizeof key - 1;
        if (length > value && strncmp(after + 1, key, sizeof key - 1) == 0)
            return take(names, record + value, length - value - 1);
        at += length;
    }
    return NULL;
}

/* Extended headers stand before the file's own, which begin at `at`. */
static const char *tar_name(struct raw_names *names, uint64_t at) {
    for (int i = 0; i < EXTENSIONS && open_plain(names) && read_plain(names, at, BLOCK); i++) {
        char type = (char)names->window[156], digits[13] = "";
        memcpy(digits, names->window + 124, 12);
        size_t size = strtoul(digits, NULL, 8), blocks = (size + BLOCK - 1) / BLOCK * BLOCK;
        if (strchr("xgLK", type) == NULL || type == '\0' || blocks > RAW_NAME_WINDOW ||
            !read_plain(names, at + BLOCK, blocks))
            return NULL;
        names->window[size] = '\0';
        const char *name = type == 'x' ? path_of(names, size) : NULL;
        if (name != NULL)
            return name;
        at += BLOCK + blocks;
    }
    return NULL;
}

const char *raw_name(struct raw_names *names, struct archive *archive) {
    switch (archive_format(archive) & ARCHIVE_FORMAT_BASE_MASK) {
    case ARCHIVE_FORMAT_ZIP:
        return archive_filter_code(archive, 0) == ARCHIVE_FILTER_NONE
                   ? zip_name(names, archive_filter_bytes(archive, 0))
                   : NULL;
    case ARCHIVE_FORMAT_TAR:
        return archive_format(archive) == ARCHIVE_FORMAT_TAR_PAX_INTERCHANGE
                   ? tar_name(names, (uint64_t)archive_read_header_position(archive))
                   : NULL;
    default: return NULL;
    }
}
