/* Judging a contrast stretch: bit for bit, the bytes between the rows too. */
#include "lab/problems/compare_image.h"
#include "lab/problems/contrast.h"

struct comparison {
    const struct problem_case *problem_case;
    const uint8_t *expected, *got; /* got: first pixel */
    size_t width, height, dst_pitch;
    uint8_t poison;
    uint64_t wrong, stray; /* pixels; bytes written outside the image */
};

static void count(struct comparison *c, struct problem_verdict *v) {
    for (size_t y = 0; y < c->height; y++) {
        const uint8_t *got = c->got + y * c->dst_pitch, *expected = c->expected + y * c->width;
        c->wrong += compare_pixels(got, expected, c->width, y, c->dst_pitch, v);
        for (size_t x = c->width; x < c->dst_pitch && y + 1 < c->height; x++)
            c->stray += got[x] != c->poison;
    }
    int64_t start = c->problem_case->size[CONTRAST_DST_START];
    for (int64_t i = 0; i < start; i++)
        c->stray += c->got[i - start] != c->poison;
}

void compare_contrast(const struct problem_case *problem_case, const uint8_t *expected, const uint8_t *got,
                      uint8_t poison, struct problem_verdict *v) {
    const int64_t *s = problem_case->size;
    struct comparison c = {.problem_case = problem_case,
                           .expected = expected,
                           .got = got + s[CONTRAST_DST_START],
                           .width = (size_t)s[CONTRAST_WIDTH],
                           .height = (size_t)s[CONTRAST_HEIGHT],
                           .dst_pitch = (size_t)s[CONTRAST_DST_PITCH],
                           .poison = poison};
    *v = (struct problem_verdict){.total = (uint64_t)c.width * c.height};
    count(&c, v);
    v->wrong = c.wrong + c.stray;
    v->passed = v->wrong == 0;
    if (v->passed)
        return;
    if (c.stray > 0) {
        snprintf(v->message, sizeof v->message, "%llu bytes outside the image were written",
                 (unsigned long long)c.stray);
        snprintf(v->hint, sizeof v->hint,
                 "Between the rows of the destination lie dst_pitch - width bytes that are not yours. Pixel "
                 "(x, y) is dst[y * dst_pitch + x], and only x < width is written.");
        return;
    }
    snprintf(v->message, sizeof v->message, "%llu of %llu pixels differ", (unsigned long long)c.wrong,
             (unsigned long long)v->total);
}
