/* image.h: 8-bit pictures: reads and writes PNG, PGM and PPM, draws the test scene, shows where two
 * pictures differ. Rows are dense, top row first. Channels are interleaved: 1 gray, 3 red green
 * blue, 4 red green blue alpha. */
#pragma once

#include "base/draw/draw.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The largest picture that is read; a larger one is refused before anything is allocated. */
enum { IMAGE_MAX_SIDE = 32768 };
#define IMAGE_MAX_BYTES ((size_t)1 << 30)

struct image {
    uint32_t width, height, channels;
    uint8_t *pixels; /* width * height * channels bytes */
};

/* Makes a black image. False and a message: a side is 0 or too long, or memory is out. */
bool image_create(struct image *image, uint32_t width, uint32_t height, uint32_t channels, char *error,
                  size_t size);
void image_free(struct image *image);

/* Reads a PNG, PGM (P2, P5) or PPM (P3, P6); the first bytes, not the name, tell the format. Gray
 * files give one channel, coloured files four. 16-bit samples are scaled to 8. False and one line
 * (path, what is wrong) on failure. */
bool image_read(const char *path, struct image *image, char *error, size_t size);
/* Like image_read, from memory; `name` is used in messages. Any bytes are safe to pass. */
bool image_decode(const void *data, size_t length, const char *name, struct image *image, char *error,
                  size_t size);

/* Writes the format of the name's ending: .png, .pgm (gray only) or .ppm (without alpha). The file
 * appears whole or not at all. */
bool image_write(const char *path, const struct image *image, char *error, size_t size);

/* Converts colour to gray: 0.298839 r + 0.586811 g + 0.114350 b, in rounded integers. */
bool image_to_gray(const struct image *image, struct image *gray, char *error, size_t size);

/* Draws the test scene: hard edges, gradients, texture at several scales, noise. Arithmetic is in
 * integers, so the bytes are the same on every machine. The key draws the hills, the texture, and
 * four bits of noise for each pixel. pixels: width * height * channels bytes; channels: 1, 3, 4. */
void image_draw_scene(uint8_t *pixels, uint32_t width, uint32_t height, uint32_t channels,
                      const struct draw_key *key);

/* Draws where `got` differs from `expected`, two gray pictures of width * height: right pixels are
 * dimmed, wrong ones red, brighter for larger errors. Single wrong pixels of a large picture are
 * drawn 5 x 5 to be visible. */
bool image_difference(const uint8_t *got, const uint8_t *expected, uint32_t width, uint32_t height,
                      struct image *difference, char *error, size_t size);

/* Draws each pixel `factor` x `factor` (at least 1), for pictures of a few pixels. */
bool image_enlarge(const struct image *image, uint32_t factor, struct image *large, char *error, size_t size);
