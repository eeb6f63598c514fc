/*
 * tree.h: the files of a folder or of an archive (zip, tar, tar.gz), one after the other. Nothing is written to a path of
 * an archive. Links are reported and not followed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum tree_kind { TREE_FOLDER, TREE_FILE, TREE_LINK, TREE_OTHER };

enum { TREE_PATH = 512, TREE_DEPTH = 24 };

struct tree_entry {
    /* "a/b/kernel.cu": valid UTF-8 on one line, no empty part, no "."; two names never become one */
    const char *path;
    bool cut; /* the path is too long: `path` has its first parts, maybe none; such a folder is not entered */
    enum tree_kind kind;
    bool astray;         /* the path was absolute or had "..", which `path` lacks */
    const char *refusal; /* NULL, or why the bytes cannot be read: "it is encrypted" */
    uint64_t size;       /* as the archive claims; the reader counts for itself */
    int64_t modified;    /* seconds since 1970, 0: not known */
    struct tree_reader *reader;
};

/* false ends the walk, which then succeeds. */
typedef bool tree_visitor(void *context, const struct tree_entry *entry);

/* Limits of a walk. An archive beyond them fails with one line. */
struct tree_limits {
    uint64_t bytes;   /* unpacked */
    uint64_t entries; /* files and folders */
};

/* Walk a folder in the order of its names, ".git" not entered. false and one line: it could not be read to
 * its end. */
bool tree_walk_folder(const char *path, const struct tree_limits *limits, tree_visitor *visit, void *context,
                      char *error, size_t size);
/* Walk an archive from an open file, from its start, in the archive's order. fd stays open. */
bool tree_walk_archive(int fd, const struct tree_limits *limits, tree_visitor *visit, void *context,
                       char *error, size_t size);
/* Either, by what the path is. */
bool tree_walk(const char *path, const struct tree_limits *limits, tree_visitor *visit, void *context,
               char *error, size_t size);
/* An archive from memory, for the fuzzer. */
bool tree_walk_memory(const void *bytes, size_t length, const struct tree_limits *limits, tree_visitor *visit,
                      void *context, char *error, size_t size);

/* The next bytes of a file while it is visited: how many, 0 at the end, -1 when they cannot be read. */
ssize_t tree_read(const struct tree_entry *entry, void *bytes, size_t size);

/* By the end of its name: .zip, .tar, .tar.gz, .tgz. */
bool tree_is_archive(const char *name);
/* An archive that is not read: .7z, .rar, .tar.xz and others. */
bool tree_is_foreign_archive(const char *name);

/* scratch.c: a student's archive as a file of its own, so that a zip's directory, which stands at its end, can be read. */
enum scratch {
    SCRATCH_DONE,
    SCRATCH_REFUSED, /* its bytes cannot be read, or are too many: `why` says so of the archive */
    SCRATCH_FAILED   /* the grader's own trouble, in `why` */
};

/* Copy the entry's bytes, `limit` at most, into a file without a name, which is gone when *fd is
 * closed. *fd is -1 where it failed. */
enum scratch scratch_copy(const struct tree_entry *entry, uint64_t limit, int *fd, char *why, size_t size);
