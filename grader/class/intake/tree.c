/* tree.c: folders by their descriptors, archives by libarchive, as one stream of entries. */
#include "class/intake/tree.h"

#include "base/path.h"
#include "class/intake/raw_name.h"
#include "class/text.h"

#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct tree_reader {
    int fd; /* of a file in a folder, -1: of an archive */
    struct archive *archive;
    uint64_t read, limit; /* bytes, of the whole walk */
};

ssize_t tree_read(const struct tree_entry *entry, void *bytes, size_t size) {
    struct tree_reader *reader = entry->reader;
    if (entry->kind != TREE_FILE || entry->refusal != NULL)
        return -1;
    ssize_t got =
        reader->fd >= 0 ? read(reader->fd, bytes, size) : archive_read_data(reader->archive, bytes, size);
    if (got < 0)
        return -1;
    reader->read += (uint64_t)got;
    return reader->read > reader->limit ? -1 : got;
}

static bool ends_with(const char *name, const char *end) {
    size_t length = strlen(name), tail = strlen(end);
    return length > tail && strcasecmp(name + length - tail, end) == 0;
}

bool tree_is_archive(const char *name) {
    return ends_with(name, ".zip") || ends_with(name, ".tar") || ends_with(name, ".tar.gz") ||
           ends_with(name, ".tgz");
}

bool tree_is_foreign_archive(const char *name) {
    static const char *const ends[] = {".7z", ".rar", ".xz", ".bz2", ".zst", ".gz", ".lzma", ".zipx"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (ends_with(name, ends[i]) && !tree_is_archive(name))
            return true;
    return false;
}

/* One part of a path, clean. What had to change gets a hash of what it was before it: two names never become one. */
static bool clean_part(const char *raw, size_t length, char part[TREE_PATH]) {
    char own[TREE_PATH], digest[SHA256_DIGEST_STRING_LENGTH];
    if (length >= sizeof own)
        return false;
    memcpy(own, raw, length);
    own[length] = '\0';
    text_clean(part, TREE_PATH, own);
    if (strcmp(part, own) == 0)
        return true;
    char cleaned[TREE_PATH];
    strcpy(cleaned, part);
    SHA256Data((const uint8_t *)own, length, digest);
    return snprintf(part, TREE_PATH, "~%.8s~%s", digest, cleaned) < TREE_PATH;
}

enum cleaned { CLEAN, CUT, NOTHING };

/* A path as an archive has it, clean. CUT: it is too long, and `path` is the start of it. */
static enum cleaned clean_path(const char *raw, char path[TREE_PATH], bool *astray) {
    size_t used = 0;
    *astray = *raw == '/' || *raw == '\\' || (raw[0] != '\0' && raw[1] == ':');
    path[0] = '\0';
    for (const char *at = raw; *at != '\0';) {
        size_t length = strcspn(at, "/\\");
        bool up = length == 2 && at[0] == '.' && at[1] == '.';
        *astray = *astray || up;
        if (length > 0 && !up && !(length == 1 && *at == '.')) {
            char part[TREE_PATH];
            if (!clean_part(at, length, part) || used + strlen(part) + 2 > TREE_PATH)
                return CUT;
            used += (size_t)snprintf(path + used, TREE_PATH - used, "%s%s", used > 0 ? "/" : "", part);
        }
        at += length + (at[length] != '\0');
    }
    return used > 0 ? CLEAN : NOTHING;
}

struct folder_walk {
    const struct tree_limits *limits;
    tree_visitor *visit;
    void *context;
    char *error;
    size_t size;
    uint64_t entries;
    bool ended;
};

static bool walk_level(struct folder_walk *walk, int fd, const char *prefix, unsigned depth);

static bool walk_one(struct folder_walk *walk, int fd, const char *prefix, const char *name, unsigned depth) {
    char raw[TREE_PATH * 2], path[TREE_PATH];
    struct stat status;
    struct tree_reader reader = {.fd = -1, .limit = UINT64_MAX};
    struct tree_entry entry = {.path = path, .reader = &reader};
    if (++walk->entries > walk->limits->entries)
        return fails(walk->error, walk->size, "more than %llu files and folders",
                     (unsigned long long)walk->limits->entries);
    /* the prefix is clean; a part that is stays as it is */
    snprintf(raw, sizeof raw, "%s%s%s", prefix, *prefix != '\0' ? "/" : "", name);
    enum cleaned cleaned = clean_path(raw, path, &entry.astray);
    if (cleaned == NOTHING || fstatat(fd, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return true; /* gone meanwhile */
    entry.cut = cleaned == CUT;
    entry.kind = S_ISDIR(status.st_mode)   ? TREE_FOLDER
                 : S_ISREG(status.st_mode) ? TREE_FILE
                 : S_ISLNK(status.st_mode) ? TREE_LINK
                                           : TREE_OTHER;
    entry.size = entry.kind == TREE_FILE ? (uint64_t)status.st_size : 0;
    entry.modified = status.st_mtime;
    if (entry.kind == TREE_FILE || entry.kind == TREE_FOLDER) {
        int flags =
            O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | (entry.kind == TREE_FOLDER ? O_DIRECTORY : 0);
        reader.fd = openat(fd, name, flags);
        if (reader.fd < 0)
            entry.refusal = strerror(errno);
    }
    walk->ended = !walk->visit(walk->context, &entry);
    bool right = true;
    if (entry.kind == TREE_FOLDER && reader.fd >= 0 && !walk->ended && depth < TREE_DEPTH && !entry.cut &&
        strcmp(name, ".git") != 0)
        right = walk_level(walk, reader.fd, path, depth + 1); /* takes the descriptor */
    else if (reader.fd >= 0)
        close(reader.fd);
    return right;
}

/* Takes fd. */
static bool walk_level(struct folder_walk *walk, int fd, const char *prefix, unsigned depth) {
    struct dirent **names = NULL;
    int count = scandirat(fd, ".", &names, NULL, alphasort);
    bool right = true;
    for (int i = 0; i < count; i++) {
        const char *name = names[i]->d_name;
        if (right && !walk->ended && strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
            right = walk_one(walk, fd, prefix, name, depth);
        free(names[i]);
    }
    free(names);
    close(fd);
    return right;
}

bool tree_walk_folder(const char *path, const struct tree_limits *limits, tree_visitor *visit, void *context,
                      char *error, size_t size) {
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return fails(error, size, "cannot read the folder %s: %s", path, strerror(errno));
    struct folder_walk walk = {
        .limits = limits, .visit = visit, .context = context, .error = error, .size = size};
    return walk_level(&walk, fd, "", 0);
}

/* Only what every zip program writes: the other methods may ask for a gigabyte to unpack a kilobyte. */
static const char *refusal_of(struct archive *archive, struct archive_entry *entry) {
    const char *format = archive_format_name(archive);
    if (archive_entry_is_encrypted(entry))
        return "it is encrypted";
    if (format != NULL && strncmp(format, "ZIP", 3) == 0 && strstr(format, "(deflation)") == NULL &&
        strstr(format, "(uncompressed)") == NULL)
        return "its compression is not that of a plain zip file";
    return NULL;
}

static enum tree_kind kind_of(struct archive_entry *entry) {
    if (archive_entry_hardlink(entry) != NULL)
        return TREE_LINK;
    switch (archive_entry_filetype(entry)) {
    case AE_IFREG: return TREE_FILE;
    case AE_IFDIR: return TREE_FOLDER;
    case AE_IFLNK: return TREE_LINK;
    default: return TREE_OTHER;
    }
}

static bool archive_trouble(struct archive *archive, char *error, size_t size) {
    const char *why = archive_error_string(archive);
    char clean[160];
    text_clean(clean, sizeof clean, why != NULL ? why : "no reason known");
    return fails(error, size, "the archive cannot be read: %s", clean);
}

/* A zip is also read without its directory, from the start of a file that was cut off. */
static bool is_whole(struct archive *archive, const struct raw_names *names, char *error, size_t size) {
    if ((archive_format(archive) & ARCHIVE_FORMAT_BASE_MASK) != ARCHIVE_FORMAT_ZIP ||
        archive_filter_code(archive, 0) != ARCHIVE_FILTER_NONE || !raw_name_zip_is_cut(names))
        return true;
    return fails(error, size, "the archive is cut off: its end is missing");
}

static bool walk_entries(struct archive *archive, struct raw_names *names, const struct tree_limits *limits,
                         tree_visitor *visit, void *context, char *error, size_t size) {
    struct tree_reader reader = {.fd = -1, .archive = archive, .limit = limits->bytes};
    for (uint64_t entries = 0;; entries++) {
        struct archive_entry *found;
        int status = archive_read_next_header(archive, &found);
        if (status == ARCHIVE_EOF)
            return is_whole(archive, names, error, size);
        if (status < ARCHIVE_WARN)
            return archive_trouble(archive, error, size);
        /* the filter counts what a skipped file unpacked, too */
        if (entries >= limits->entries || reader.read > limits->bytes ||
            (uint64_t)archive_filter_bytes(archive, 0) > limits->bytes)
            return fails(error, size, "the archive holds more than %llu files or %llu MiB",
                         (unsigned long long)limits->entries, (unsigned long long)(limits->bytes >> 20));
        char path[TREE_PATH];
        struct tree_entry entry = {.path = path, .reader = &reader};
        const char *raw = raw_name(names, archive);
        if (raw == NULL)
            raw = archive_entry_pathname(found);
        enum cleaned cleaned = raw != NULL ? clean_path(raw, path, &entry.astray) : NOTHING;
        if (cleaned == NOTHING)
            continue;
        entry.cut = cleaned == CUT;
        entry.kind = kind_of(found);
        entry.size = archive_entry_size(found) > 0 ? (uint64_t)archive_entry_size(found) : 0;
        entry.modified = archive_entry_mtime_is_set(found) ? archive_entry_mtime(found) : 0;
        entry.refusal = refusal_of(archive, found);
        if (!visit(context, &entry))
            return true;
    }
}

static struct archive *new_archive(void) {
    struct archive *archive = archive_read_new();
    if (archive == NULL || archive_read_support_format_zip(archive) != ARCHIVE_OK ||
        archive_read_support_format_tar(archive) != ARCHIVE_OK ||
        archive_read_support_filter_gzip(archive) != ARCHIVE_OK) {
        archive_read_free(archive);
        return NULL;
    }
    return archive;
}

bool tree_walk_archive(int fd, const struct tree_limits *limits, tree_visitor *visit, void *context,
                       char *error, size_t size) {
    struct archive *archive = new_archive();
    struct raw_names names;
    bool right = raw_names_begin(&names, fd) && archive != NULL;
    if (!right)
        snprintf(error, size, "out of memory");
    else
        right = lseek(fd, 0, SEEK_SET) == 0 && archive_read_open_fd(archive, fd, 65536) == ARCHIVE_OK
                    ? walk_entries(archive, &names, limits, visit, context, error, size)
                    : archive_trouble(archive, error, size);
    raw_names_end(&names);
    archive_read_free(archive);
    return right;
}

bool tree_walk(const char *path, const struct tree_limits *limits, tree_visitor *visit, void *context,
               char *error, size_t size) {
    struct stat status;
    char trouble[256] = "";
    int fd = stat(path, &status) == 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return fails(error, size, "cannot read %s: %s", path, strerror(errno));
    bool folder = S_ISDIR(status.st_mode);
    bool right = folder ? tree_walk_folder(path, limits, visit, context, error, size)
                        : tree_walk_archive(fd, limits, visit, context, trouble, sizeof trouble);
    if (!right && !folder)
        snprintf(error, size, "%s: %s", path, trouble);
    close(fd);
    return right;
}

bool tree_walk_memory(const void *bytes, size_t length, const struct tree_limits *limits, tree_visitor *visit,
                      void *context, char *error, size_t size) {
    int fd = memfd_create("archive", MFD_CLOEXEC);
    bool right = fd >= 0 && write(fd, bytes, length) == (ssize_t)length;
    if (right)
        right = tree_walk_archive(fd, limits, visit, context, error, size);
    else
        snprintf(error, size, "out of memory");
    if (fd >= 0)
        close(fd);
    return right;
}
