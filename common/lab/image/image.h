/*
 * image.h: 8-bit pictures: reading and writing PNG, PGM and PPM, drawing the test scene, showing
 * where two differ. Rows are dense, top row first; channels are interleaved: 1 gray, 3 red green
 * blue, 4 red green blue alpha.
 */
#ifndef IMAGE_IMAGE_H
#define IMAGE_IMAGE_H

#include "base/draw/draw.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The largest picture read: beyond it a file is refused before anything is allocated for it. */
enum { IMAGE_MAX_SIDE = 32768 };
#define IMAGE_MAX_BYTES ((size_t)1 << 30)

struct image {
    uint32_t width, height, channels;
    uint8_t *pixels; /* width * height * channels bytes */
};

/* An image of zeros. False and a message when a side is 0 or too long, or memory is out. */
bool image_create(struct image *image, uint32_t width, uint32_t height, uint32_t channels, char *error,
                  size_t size);
void image_free(struct image *image);

/* Read a PNG, PGM (P2, P5) or PPM (P3, P6); the kind is told by the first bytes, not by the
 * name. Gray files give one channel, coloured ones four. 16-bit samples are scaled to 8. False
 * and one line (path, what is wrong) on failure. */
bool image_read(const char *path, struct image *image, char *error, size_t size);
/* The same from memory; `name` stands in the message. Any byte string is safe to pass. */
bool image_decode(const void *data, size_t length, const char *name, struct image *image, char *error,
                  size_t size);

/* Write by the name's ending: .png, .pgm (gray only) or .ppm (alpha is dropped). The file
 * appears whole or not at all. */
bool image_write(const char *path, const struct image *image, char *error, size_t size);

/* Gray in place of colour: 0.298839 r + 0.586811 g + 0.114350 b, in integers, rounded to
 * nearest. */
bool image_to_gray(const struct image *image, struct image *gray, char *error, size_t size);

/* The test scene: hard edges, gradients, texture at several scales, noise. Integer arithmetic
 * only, so the bytes are the same on every machine. The key draws the hills, the texture, and
 * four bits of noise for each pixel. pixels: width * height * channels bytes; channels 1, 3, 4. */
void image_draw_scene(uint8_t *pixels, uint32_t width, uint32_t height, uint32_t channels,
                      const struct draw_key *key);

/* Where `got` is not `expected` (both gray, width * height): right pixels are dimmed, wrong ones
 * red, brighter the further off. Single wrong pixels of a large picture are drawn 5 x 5 so that
 * an eye finds them. */
bool image_difference(const uint8_t *got, const uint8_t *expected, uint32_t width, uint32_t height,
                      struct image *difference, char *error, size_t size);

/* Each pixel drawn `factor` x `factor` (at least 1): a picture of a few pixels, for an eye. */
bool image_enlarge(const struct image *image, uint32_t factor, struct image *large, char *error, size_t size);

#endif
