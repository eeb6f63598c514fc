/* compare_image.c: cases of images without gaps, and how pixels are judged. */
#include "lab/problems/compare_image.h"

#include <stdlib.h>
#include <string.h>

void image_name_case(struct problem_case *c) {
    static const char *const pattern_names[] = {
        "scene",
        "noise",
        "all 0",
        "all 255",
        "one bright pixel",
        "bright corners",
        "rows and columns",
        "grays hard to round",
        "your picture",
    };
    snprintf(c->name, sizeof c->name, "%lld x %lld, %s", (long long)c->size[0], (long long)c->size[1],
             pattern_names[c->pattern]);
}

void image_draw_size(struct draw *draw, int64_t size[2]) {
    int64_t width = 1 + (int64_t)draw_below(draw, 700),
            height = 1 + (int64_t)draw_below(draw, (uint64_t)(1 + 60000 / width));
    bool high = draw_below(draw, 2) == 1;
    size[0] = high ? height : width;
    size[1] = high ? width : height;
}

void image_timed_case(unsigned part, uint32_t width, uint32_t height, const struct draw_key *key,
                      struct problem_case *c) {
    (void)part;
    *c = (struct problem_case){.size = {width, height}, .key = *key, .pattern = PATTERN_SCENE};
    image_name_case(c);
}

uint64_t compare_pixels(const uint8_t *got, const uint8_t *expected, size_t width, size_t y, size_t pitch,
                        struct problem_verdict *v) {
    uint64_t before = v->wrong;
    if (memcmp(got, expected, width) == 0)
        return 0;
    for (size_t x = 0; x < width; x++) {
        unsigned off = (unsigned)abs((int)got[x] - (int)expected[x]);
        struct problem_wrong *w = off != 0 ? problem_list(v, y * pitch + x) : NULL;
        v->largest = off > v->largest ? off : v->largest;
        if (w == NULL)
            continue;
        snprintf(w->where, sizeof w->where, "(%zu, %zu)", x, y);
        snprintf(w->got, sizeof w->got, "%u", got[x]);
        snprintf(w->expected, sizeof w->expected, "%u", expected[x]);
    }
    return v->wrong - before;
}

void compare_image(const struct problem_case *c, const void *const expected[], const void *const got[],
                   uint8_t poison, struct problem_verdict *v) {
    (void)poison;
    size_t width = (size_t)c->size[0], height = (size_t)c->size[1];
    *v = (struct problem_verdict){.total = (uint64_t)width * height};
    for (size_t y = 0; y < height; y++)
        compare_pixels((const uint8_t *)got[0] + y * width, (const uint8_t *)expected[0] + y * width, width,
                       y, width, v);
    v->passed = v->wrong == 0;
    if (!v->passed)
        snprintf(v->message, sizeof v->message, "%llu of %llu pixels differ", (unsigned long long)v->wrong,
                 (unsigned long long)v->total);
}
