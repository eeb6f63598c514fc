/* Whole files in and out; the format is chosen here. */
#include "base/file.h"
#include "lab/image/formats.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool image_decode(const void *data, size_t length, const char *name, struct image *image, char *error,
                  size_t size) {
    *image = (struct image){0};
    if (image_is_png(data, length))
        return image_decode_png(data, length, name, image, error, size);
    if (image_is_netpbm(data, length))
        return image_decode_netpbm(data, length, name, image, error, size);
    snprintf(error, size,
             "%s: not a PNG, PGM or PPM picture; convert it first, e.g. `convert photo.jpg photo.png`", name);
    return false;
}

bool image_read(const char *path, struct image *image, char *error, size_t size) {
    size_t length;
    struct stat status;
    *image = (struct image){0};
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) { /* a pipe or a device may have no end */
        snprintf(error, size, "%s: not a plain file", path);
        return false;
    }
    char *data = file_read(path, 2 * IMAGE_MAX_BYTES, &length, error, size);
    bool right = data != NULL && image_decode(data, length, path, image, error, size);
    free(data);
    return right;
}

static bool ends_with(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcmp(path + length - tail, ending) == 0;
}

bool image_write(const char *path, const struct image *image, char *error, size_t size) {
    bool png = ends_with(path, ".png"), pgm = ends_with(path, ".pgm"), ppm = ends_with(path, ".ppm");
    if (!(png || ppm || (pgm && image->channels == 1))) {
        snprintf(error, size, "%s: a picture's name ends in .png, .ppm or, when gray, .pgm", path);
        return false;
    }
    struct file_output output;
    if (!file_begin_at(&output, path, error, size))
        return false;
    char why[128];
    if (png && !image_write_png(output.file, image, why, sizeof why)) {
        snprintf(error, size, "%s: %s", path, why);
        file_discard(&output);
        return false;
    }
    if (!png)
        image_write_netpbm(output.file, image, ppm); /* what fails here, file_end sees */
    return file_end(&output, error, size);
}
