/* zip_file.c: libarchive writes it, into a file that is put in its place when it is whole. */
#include "class/export/platform.h"

#include <archive.h>
#include <archive_entry.h>

static bool failed(struct zip_file *zip) {
    const char *why = zip->archive != NULL ? archive_error_string(zip->archive) : NULL;
    return fails(zip->error, zip->error_size, "cannot write %.900s: %s", zip->output.path,
                 why != NULL ? why : "out of memory");
}

bool zip_begin(struct zip_file *zip, const char *folder, const char *name, char *error, size_t error_size) {
    *zip = (struct zip_file){.error = error, .error_size = error_size};
    if (!file_begin(&zip->output, folder, name, error, error_size))
        return false;
    zip->archive = archive_write_new();
    if (zip->archive != NULL && archive_write_set_format_zip(zip->archive) == ARCHIVE_OK &&
        archive_write_set_options(zip->archive, "hdrcharset=UTF-8") == ARCHIVE_OK &&
        archive_write_set_bytes_in_last_block(zip->archive, 1) == ARCHIVE_OK &&
        archive_write_open_FILE(zip->archive, zip->output.file) == ARCHIVE_OK)
        return true;
    failed(zip);
    return zip_end(zip, false);
}

bool zip_add(struct zip_file *zip, const char *path, const void *bytes, size_t length) {
    struct archive_entry *entry = archive_entry_new();
    if (entry == NULL)
        return failed(zip);
    archive_entry_set_pathname_utf8(entry, path);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, (la_int64_t)length);
    bool right = archive_write_header(zip->archive, entry) == ARCHIVE_OK &&
                 archive_write_data(zip->archive, bytes, length) == (la_ssize_t)length;
    archive_entry_free(entry);
    return right || failed(zip);
}

bool zip_end(struct zip_file *zip, bool right) {
    if (zip->archive != NULL) {
        if (right && archive_write_close(zip->archive) != ARCHIVE_OK)
            right = failed(zip);
        archive_write_free(zip->archive);
    }
    if (right)
        return file_end(&zip->output, zip->error, zip->error_size);
    file_discard(&zip->output);
    return false;
}
