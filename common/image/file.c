/* Whole files in and out; the format is chosen here. */
#include "image/formats.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    *image = (struct image){0};
    FILE *file = fopen(path, "rb");
    struct stat status;
    if (file == NULL || fstat(fileno(file), &status) != 0) {
        snprintf(error, size, "%s: %s", path, strerror(errno));
        if (file != NULL)
            fclose(file);
        return false;
    }
    if (!S_ISREG(status.st_mode) || (uint64_t)status.st_size > 2 * IMAGE_MAX_BYTES) {
        snprintf(error, size, "%s: %s", path,
                 S_ISREG(status.st_mode) ? "the file is too large for a picture" : "not a plain file");
        fclose(file);
        return false;
    }
    size_t length = (size_t)status.st_size;
    uint8_t *data = malloc(length + 1);
    bool right = data != NULL && fread(data, 1, length, file) == length;
    if (!right)
        snprintf(error, size, "%s: %s", path, data == NULL ? "out of memory" : "cannot be read to its end");
    fclose(file);
    right = right && image_decode(data, length, path, image, error, size);
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
    char temporary[4096];
    if (snprintf(temporary, sizeof temporary, "%s.%ld.part", path, (long)getpid()) >= (int)sizeof temporary) {
        snprintf(error, size, "%s: the path is too long", path);
        return false;
    }
    FILE *file = fopen(temporary, "wb");
    if (file == NULL) {
        snprintf(error, size, "%s: %s", path, strerror(errno));
        return false;
    }
    char why[128] = "cannot be written";
    bool right = png ? image_write_png(file, image, why, sizeof why) : image_write_netpbm(file, image, ppm);
    right = fclose(file) == 0 && right;
    if (right && rename(temporary, path) == 0)
        return true;
    snprintf(error, size, "%s: %s", path, right ? strerror(errno) : why);
    unlink(temporary);
    return false;
}
