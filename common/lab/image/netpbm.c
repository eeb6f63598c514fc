/* netpbm.c: PGM and PPM: a magic number, three decimal numbers with white space and comments
 * between, then samples. */
#include "base/path.h"
#include "lab/image/formats.h"

#include <ctype.h>
#include <string.h>

struct cursor {
    const uint8_t *data;
    size_t length, at;
};

/* Reads the next decimal number, at most `limit`. Comments run from '#' to the line's end. */
static bool read_number(struct cursor *c, uint32_t limit, uint32_t *value) {
    while (c->at < c->length && (isspace(c->data[c->at]) || c->data[c->at] == '#')) {
        if (c->data[c->at] == '#')
            while (c->at < c->length && c->data[c->at] != '\n')
                c->at++;
        else
            c->at++;
    }
    if (c->at >= c->length || !isdigit(c->data[c->at]))
        return false;
    uint64_t number = 0;
    while (c->at < c->length && isdigit(c->data[c->at])) {
        number = number * 10 + (uint64_t)(c->data[c->at++] - '0');
        if (number > limit)
            return false;
    }
    *value = (uint32_t)number;
    return true;
}

static bool read_sample(struct cursor *c, bool text, uint32_t maximum, uint8_t *sample) {
    uint32_t value;
    if (text) {
        if (!read_number(c, maximum, &value))
            return false;
    } else if (maximum < 256) {
        if (c->at >= c->length)
            return false;
        value = c->data[c->at++];
    } else {
        if (c->length - c->at < 2)
            return false;
        value = (uint32_t)c->data[c->at] << 8 | c->data[c->at + 1];
        c->at += 2;
    }
    if (value > maximum)
        value = maximum;
    *sample = (uint8_t)(maximum == 255 ? value : (value * 255 + maximum / 2) / maximum);
    return true;
}

bool image_is_netpbm(const uint8_t *data, size_t length) {
    return length >= 2 && data[0] == 'P' && strchr("2356", data[1]) != NULL && data[1] != '\0';
}

bool image_decode_netpbm(const uint8_t *data, size_t length, const char *name, struct image *image,
                         char *error, size_t size) {
    bool text = data[1] == '2' || data[1] == '3', colour = data[1] == '3' || data[1] == '6';
    struct cursor c = {data, length, 2};
    uint32_t width, height, maximum;
    if (!read_number(&c, IMAGE_MAX_SIDE, &width) || !read_number(&c, IMAGE_MAX_SIDE, &height) ||
        !read_number(&c, 65535, &maximum) || maximum == 0 || c.at >= c.length || !isspace(c.data[c.at]))
        return fails(
            error, size,
            "%s: the %s header is not right: width and height (1 to %d) and the largest sample (1 to "
            "65535) follow P%c",
            name, colour ? "PPM" : "PGM", IMAGE_MAX_SIDE, data[1]);
    c.at++; /* exactly one white-space byte ends the header */
    size_t samples = (size_t)width * height * (colour ? 3 : 1);
    size_t least = text ? 2 * samples - (samples > 0) : samples * (maximum > 255 ? 2 : 1);
    if (length - c.at < least)
        return fails(error, size,
                     "%s: the file is cut short: %u x %u needs %zu bytes of samples, %zu are there", name,
                     width, height, least, length - c.at);
    char why[160];
    if (!image_create(image, width, height, colour ? 4 : 1, why, sizeof why))
        return fails(error, size, "%s: %s", name, why);
    size_t pixels = (size_t)width * height;
    for (size_t i = 0; i < pixels; i++) {
        uint8_t *p = image->pixels + i * image->channels;
        bool complete = read_sample(&c, text, maximum, p);
        if (colour) {
            complete =
                complete && read_sample(&c, text, maximum, p + 1) && read_sample(&c, text, maximum, p + 2);
            p[3] = 255;
        }
        if (!complete) {
            snprintf(error, size, "%s: sample of pixel %zu of %zu is missing or not a number up to %u", name,
                     i, pixels, maximum);
            image_free(image);
            return false;
        }
    }
    return true;
}

bool image_write_netpbm(FILE *file, const struct image *image, bool colour) {
    fprintf(file, "P%c\n%u %u\n255\n", colour ? '6' : '5', image->width, image->height);
    size_t pixels = (size_t)image->width * image->height;
    for (size_t i = 0; i < pixels; i++) {
        const uint8_t *p = image->pixels + i * image->channels;
        uint8_t rgb[3] = {p[0], image->channels >= 3 ? p[1] : p[0], image->channels >= 3 ? p[2] : p[0]};
        if (fwrite(rgb, 1, colour ? 3 : 1, file) != (colour ? 3u : 1u))
            return false;
    }
    return true;
}
