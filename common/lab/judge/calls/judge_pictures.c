/* judge_pictures.c: what a picture's kernel read and wrote, and where that differs from what it should be, as PNGs. */
#include "lab/judge/calls/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The pixels of a buffer, row by row without the gaps between. NULL when out of memory. */
static uint8_t *take_pixels(const void *buffer, size_t start, size_t pitch, uint32_t channels,
                            const struct problem_picture *p) {
    size_t row = (size_t)p->width * channels;
    uint8_t *pixels = malloc(row * p->height);
    for (uint32_t y = 0; pixels != NULL && y < p->height; y++)
        memcpy(pixels + y * row, (const uint8_t *)buffer + start + y * pitch, row);
    return pixels;
}

/* By a whole factor, so that the longer side is near 512 pixels; a picture that is about so large stays as it is. */
enum { SHOWN_SIDE = 512 };
static bool write_shown(const char *path, const struct image *image, char *error, size_t size) {
    uint32_t longer = image->width > image->height ? image->width : image->height;
    uint32_t factor = longer > 0 ? (SHOWN_SIDE + longer / 2) / longer : 1;
    struct image large;
    if (factor <= 1)
        return image_write(path, image, error, size);
    bool right = image_enlarge(image, factor, &large, error, size) && image_write(path, &large, error, size);
    image_free(&large);
    return right;
}

static bool write_pixels(const struct settings *s, const char *name, uint8_t *pixels, uint32_t channels,
                         const struct problem_picture *p, char *error, size_t size) {
    char path[PATH_SIZE];
    path_print(path, "%s/%s", s->folder, name);
    struct image image = {.width = p->width, .height = p->height, .channels = channels, .pixels = pixels};
    return write_shown(path, &image, error, size);
}

bool judge_pictures(const struct settings *s, const struct trial *t, const void *output, char *error,
                    size_t size) {
    if (t->problem->picture == NULL || s->no_pictures)
        return true;
    struct problem_picture p;
    t->problem->picture(&t->problem_case, &p);
    uint32_t channels = p.input_channels != 0 ? p.input_channels : 1;
    uint8_t *before = take_pixels(t->input[0], p.input_start, p.input_pitch, channels, &p);
    uint8_t *after = take_pixels(output, p.output_start, p.output_pitch, 1, &p);
    struct image difference = {0};
    bool right = before != NULL && after != NULL;
    if (!right)
        snprintf(error, size, "out of memory");
    right = right && write_pixels(s, "input.png", before, channels, &p, error, size) &&
            write_pixels(s, "output.png", after, 1, &p, error, size);
    if (right) {
        char path[PATH_SIZE];
        path_join(path, s->folder, "difference.png");
        if (memcmp(after, t->expected[0], (size_t)p.width * p.height) == 0)
            unlink(path); /* one of an earlier, wrong run */
        else
            right = image_difference(after, t->expected[0], p.width, p.height, &difference, error, size) &&
                    write_shown(path, &difference, error, size);
    }
    image_free(&difference);
    free(before);
    free(after);
    return right;
}
