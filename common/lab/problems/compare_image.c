/* Judging an image: count and list what differs. */
#include "lab/problems/compare_image.h"

#include <stdlib.h>
#include <string.h>

struct comparison {
    const uint8_t *got, *expected;
    int64_t width, height;
    uint64_t wrong;
};

static bool differs(const struct comparison *c, int64_t x, int64_t y) {
    return c->got[y * c->width + x] != c->expected[y * c->width + x];
}

static void list_first(const struct comparison *c, struct problem_verdict *verdict) {
    for (int64_t y = 0; y < c->height && verdict->listed < PROBLEM_LISTED; y++)
        for (int64_t x = 0; x < c->width && verdict->listed < PROBLEM_LISTED; x++) {
            if (!differs(c, x, y))
                continue;
            struct problem_wrong *w = &verdict->first[verdict->listed++];
            w->index = (uint64_t)(y * c->width + x);
            snprintf(w->where, sizeof w->where, "(%lld, %lld)", (long long)x, (long long)y);
            snprintf(w->got, sizeof w->got, "%u", c->got[w->index]);
            snprintf(w->expected, sizeof w->expected, "%u", c->expected[w->index]);
        }
}

void compare_image(const uint8_t *got, const uint8_t *expected, int64_t width, int64_t height,
                   struct problem_verdict *verdict) {
    *verdict = (struct problem_verdict){.total = (uint64_t)(width * height)};
    if (memcmp(got, expected, (size_t)(width * height)) == 0) {
        verdict->passed = true;
        return;
    }
    struct comparison c = {got, expected, width, height, 0};
    for (int64_t i = 0; i < width * height; i++) {
        unsigned off = (unsigned)abs((int)got[i] - (int)expected[i]);
        c.wrong += off != 0;
        verdict->largest = off > verdict->largest ? off : verdict->largest;
    }
    verdict->wrong = c.wrong;
    snprintf(verdict->message, sizeof verdict->message, "%llu of %llu pixels differ",
             (unsigned long long)c.wrong, (unsigned long long)verdict->total);
    list_first(&c, verdict);
}
