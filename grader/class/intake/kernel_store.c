/* kernel_store.c: kernels by the hash of their bytes. */
#include "class/intake/kernel_store.h"

#include "base/file.h"

#include <sha2.h>
#include <string.h>
#include <unistd.h>

_Static_assert(KERNEL_SHA256 == SHA256_DIGEST_STRING_LENGTH, "a SHA-256 in hexadecimal");

void kernel_sha256(const uint8_t *bytes, size_t size, char sha256[KERNEL_SHA256]) {
    SHA256Data(bytes, size, sha256);
}

bool kernel_store_path(const char *folder, const char *sha256, char path[PATH_SIZE]) {
    char name[KERNEL_SHA256 + 4];
    snprintf(name, sizeof name, "%s.cu", sha256);
    return path_join(path, folder, name);
}

bool kernel_store_put(const char *folder, const uint8_t *bytes, size_t size, const char sha256[KERNEL_SHA256],
                      char *error, size_t error_size) {
    struct file_output output;
    char name[KERNEL_SHA256 + 4], path[PATH_SIZE];
    if (kernel_store_path(folder, sha256, path) && access(path, R_OK) == 0)
        return true;
    snprintf(name, sizeof name, "%s.cu", sha256);
    if (!file_begin(&output, folder, name, error, error_size))
        return false;
    fwrite(bytes, 1, size, output.file);
    return file_end(&output, error, error_size);
}

const char *kernel_refusal(const uint8_t *bytes, size_t size) {
    if (size == 0)
        return "kernel.cu is empty.";
    if (size > KERNEL_LIMIT)
        return "kernel.cu is larger than 1 MiB.";
    if (size >= 2 && ((bytes[0] == 0xff && bytes[1] == 0xfe) || (bytes[0] == 0xfe && bytes[1] == 0xff)))
        return "kernel.cu is UTF-16. Save it as UTF-8 and hand it in again.";
    if (memchr(bytes, '\0', size) != NULL)
        return "kernel.cu is not a text: it has NUL bytes.";
    return NULL;
}
