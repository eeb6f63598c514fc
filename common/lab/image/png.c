/* png.c: PNG through libpng's simplified interface. */
#include "base/path.h"
#include "lab/image/formats.h"

#include <png.h>

bool image_is_png(const uint8_t *data, size_t length) {
    return length >= 8 && png_sig_cmp(data, 0, 8) == 0;
}

bool image_decode_png(const uint8_t *data, size_t length, const char *name, struct image *image, char *error,
                      size_t size) {
    png_image png = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_memory(&png, data, length))
        return fails(error, size, "%s: not a PNG we can read: %s", name, png.message);
    bool colour = (png.format & PNG_FORMAT_FLAG_COLOR) != 0;
    char why[160];
    if (!image_create(image, png.width, png.height, colour ? 4 : 1, why, sizeof why)) {
        snprintf(error, size, "%s: %s", name, why);
        png_image_free(&png);
        return false;
    }
    png.format = colour ? PNG_FORMAT_RGBA : PNG_FORMAT_GRAY;
    png_color black = {0, 0, 0};
    if (!png_image_finish_read(&png, &black, image->pixels, 0, NULL)) {
        snprintf(error, size, "%s: the PNG is damaged or cut short: %s", name, png.message);
        image_free(image);
        png_image_free(&png);
        return false;
    }
    return true;
}

bool image_write_png(FILE *file, const struct image *image, char *error, size_t size) {
    png_image png = {.version = PNG_IMAGE_VERSION,
                     .width = image->width,
                     .height = image->height,
                     .flags = PNG_IMAGE_FLAG_FAST};
    png.format = image->channels == 1   ? PNG_FORMAT_GRAY
                 : image->channels == 3 ? PNG_FORMAT_RGB
                                        : PNG_FORMAT_RGBA;
    if (!png_image_write_to_stdio(&png, file, 0, image->pixels, 0, NULL))
        return fails(error, size, "%s", png.message);
    return true;
}
