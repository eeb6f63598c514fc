/* raw_name.h: the bytes of a name in an archive. libarchive composes accents (NFC), so that two
 * names would become one. */
#pragma once

#include <archive.h>
#include <stdbool.h>
#include <stdint.h>

enum { RAW_NAME_WINDOW = 30 + 2 * UINT16_MAX }; /* bytes of a local header of zip at most */

struct raw_names {
    int fd;                     /* of the archive; only pread is used */
    struct archive *plain;      /* the same archive, unpacked and not read as a tar; NULL: not needed yet */
    uint64_t plain_at, file_at; /* bytes read of it, and of the file for it */
    uint8_t *window;            /* RAW_NAME_WINDOW + 1 bytes, and 64 KiB to read the file by */
};

/* False: out of memory. */
bool raw_names_begin(struct raw_names *names, int fd);
void raw_names_end(struct raw_names *names);

/* The name of the entry whose header was read last; it lives until the next call. NULL: as
 * libarchive has it. */
const char *raw_name(struct raw_names *names, struct archive *archive);

/* A zip ends with a record of its directory. Is it missing? */
bool raw_name_zip_is_cut(const struct raw_names *names);
