/* formats.h: a reader and a writer for each format. Private to this room. */
#pragma once

#include "lab/image/image.h"

bool image_is_netpbm(const uint8_t *data, size_t length);
bool image_decode_netpbm(const uint8_t *data, size_t length, const char *name, struct image *image,
                         char *error, size_t size);
bool image_write_netpbm(FILE *file, const struct image *image, bool colour);

bool image_is_png(const uint8_t *data, size_t length);
bool image_decode_png(const uint8_t *data, size_t length, const char *name, struct image *image, char *error,
                      size_t size);
bool image_write_png(FILE *file, const struct image *image, char *error, size_t size);
