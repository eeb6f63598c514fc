/* image.c: makes, frees and converts pictures; chooses the format to read or write. */
#include "lab/image/image.h"
#include "base/file.h"
#include "lab/image/formats.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool image_create(struct image *image, uint32_t width, uint32_t height, uint32_t channels, char *error,
                  size_t size) {
    *image = (struct image){0};
    if (width == 0 || height == 0 || width > IMAGE_MAX_SIDE || height > IMAGE_MAX_SIDE)
        return fails(error, size, "a picture of %u x %u is not possible: sides are 1 to %d", width, height,
                     IMAGE_MAX_SIDE);
    size_t bytes = (size_t)width * height * channels;
    if (bytes > IMAGE_MAX_BYTES)
        return fails(error, size, "a picture of %u x %u is too large: %zu bytes, at most %zu", width, height,
                     bytes, IMAGE_MAX_BYTES);
    uint8_t *pixels = calloc(1, bytes);
    if (pixels == NULL)
        return fails(error, size, "out of memory for a picture of %u x %u", width, height);
    *image = (struct image){width, height, channels, pixels};
    return true;
}

void image_free(struct image *image) {
    free(image->pixels);
    *image = (struct image){0};
}

bool image_to_gray(const struct image *image, struct image *gray, char *error, size_t size) {
    if (!image_create(gray, image->width, image->height, 1, error, size))
        return false;
    size_t count = (size_t)image->width * image->height;
    if (image->channels == 1) {
        memcpy(gray->pixels, image->pixels, count);
        return true;
    }
    /* Weights in units of 2^-20. Their sum is 2^20, so white stays 255. */
    enum { RED = 313355, GREEN = 615316, BLUE = (1 << 20) - RED - GREEN };
    for (size_t i = 0; i < count; i++) {
        const uint8_t *p = image->pixels + i * image->channels;
        gray->pixels[i] =
            (uint8_t)((RED * (uint32_t)p[0] + GREEN * (uint32_t)p[1] + BLUE * (uint32_t)p[2] + (1u << 19)) >>
                      20);
    }
    return true;
}

bool image_difference(const uint8_t *got, const uint8_t *expected, uint32_t width, uint32_t height,
                      struct image *difference, char *error, size_t size) {
    if (!image_create(difference, width, height, 3, error, size))
        return false;
    size_t count = (size_t)width * height;
    for (size_t i = 0; i < count; i++)
        memset(difference->pixels + 3 * i, expected[i] / 3, 3);
    int spread = width >= 256 && height >= 256 ? 2 : 0;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            size_t i = (size_t)y * width + x;
            if (got[i] == expected[i])
                continue;
            int off = abs((int)got[i] - (int)expected[i]);
            uint8_t red = (uint8_t)(off >= 64 ? 255 : 127 + 2 * off);
            for (int dy = -spread; dy <= spread; dy++) {
                for (int dx = -spread; dx <= spread; dx++) {
                    int64_t px = (int64_t)x + dx, py = (int64_t)y + dy;
                    if (px < 0 || py < 0 || px >= width || py >= height)
                        continue;
                    uint8_t *p = difference->pixels + 3 * ((size_t)py * width + (size_t)px);
                    if (p[0] < red || p[1] != 0) {
                        p[0] = p[0] < red || p[1] != 0 ? red : p[0];
                        p[1] = p[2] = 0;
                    }
                }
            }
        }
    }
    return true;
}

bool image_enlarge(const struct image *image, uint32_t factor, struct image *large, char *error,
                   size_t size) {
    *large = (struct image){0};
    if (factor > IMAGE_MAX_SIDE / image->width || factor > IMAGE_MAX_SIDE / image->height)
        return fails(error, size, "a picture of %u x %u cannot be drawn %u times as large", image->width,
                     image->height, factor);
    if (!image_create(large, image->width * factor, image->height * factor, image->channels, error, size))
        return false;
    size_t channels = image->channels;
    for (uint32_t y = 0; y < large->height; y++)
        for (uint32_t x = 0; x < large->width; x++)
            memcpy(large->pixels + ((size_t)y * large->width + x) * channels,
                   image->pixels + ((size_t)(y / factor) * image->width + x / factor) * channels, channels);
    return true;
}

bool image_decode(const void *data, size_t length, const char *name, struct image *image, char *error,
                  size_t size) {
    *image = (struct image){0};
    if (image_is_png(data, length))
        return image_decode_png(data, length, name, image, error, size);
    if (image_is_netpbm(data, length))
        return image_decode_netpbm(data, length, name, image, error, size);
    return fails(error, size,
                 "%s: not a PNG, PGM or PPM picture; convert it first, e.g. `convert photo.jpg photo.png`",
                 name);
}

bool image_read(const char *path, struct image *image, char *error, size_t size) {
    size_t length;
    struct stat status;
    *image = (struct image){0};
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) { /* a pipe or a device may never end */
        return fails(error, size, "%s: not a plain file", path);
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
    if (!(png || ppm || (pgm && image->channels == 1)))
        return fails(error, size, "%s: a picture's name ends in .png, .ppm or, when gray, .pgm", path);
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
        image_write_netpbm(output.file, image, ppm); /* file_end reports a failure */
    return file_end(&output, error, size);
}
