/* scene.c: the test scene: sky, sun, two ranges of hills, a brick tower, a tiled floor, a chart of
 * ever finer bars, and noise. */
#include "lab/image/image.h"

struct colour {
    int red, green, blue;
};

static struct colour mix(struct colour a, struct colour b, int64_t part, int64_t whole) {
    if (whole <= 0)
        return a;
    if (part < 0)
        part = 0;
    if (part > whole)
        part = whole;
    return (struct colour){a.red + (int)((b.red - a.red) * part / whole),
                           a.green + (int)((b.green - a.green) * part / whole),
                           a.blue + (int)((b.blue - a.blue) * part / whole)};
}

static struct colour shade(struct colour c, int by) {
    return (struct colour){c.red + by, c.green + by, c.blue + by};
}

/* What is the same for all pixels. */
enum { KNOTS = 128, TEXTURE = 1 << 14 };
struct scene {
    int64_t width, height, horizon, unit; /* unit: the shorter side */
    int64_t sun_x, sun_y, sun_radius;
    uint8_t far[2][KNOTS], near[2][KNOTS]; /* the two ridges: coarse, fine noise */
    uint8_t texture[TEXTURE];              /* noise of hills and bricks, repeated */
};

/* Smooth noise along a line, 0 to 255: linear between knots that are `step` apart. */
static int64_t line_noise(int64_t x, int64_t step, const uint8_t knots[KNOTS]) {
    if (step < 1)
        step = 1;
    int64_t cell = x / step, within = x % step;
    int64_t a = knots[cell % KNOTS], b = knots[(cell + 1) % KNOTS];
    return a + (b - a) * within / step;
}

static int texture_at(const struct scene *s, int64_t row, int64_t column) {
    return s->texture[(row * 347 + column) % TEXTURE] & 31;
}

static int64_t ridge(const struct scene *s, int64_t x, int64_t base, int64_t rise,
                     const uint8_t knots[2][KNOTS]) {
    int64_t coarse = line_noise(x, s->width / 5, knots[0]), fine = line_noise(x, s->width / 37, knots[1]);
    return base - rise * (3 * coarse + fine) / 1024;
}

/* What only depends on the row. */
struct scene_row {
    int64_t y, depth;
    struct colour sky, tiles[2]; /* light, dark */
};

static struct scene_row scene_row(const struct scene *s, int64_t y) {
    const struct colour high = {70, 120, 200}, low = {235, 222, 196}, far = {150, 150, 150},
                        light = {206, 198, 180}, dark = {60, 48, 44};
    struct scene_row row = {.y = y, .sky = mix(high, low, y, s->horizon)};
    int64_t below = y - s->horizon + 1;
    if (y < s->horizon)
        return row;
    row.depth = (s->height * 256) / (below + s->height / 16 + 1);
    row.tiles[0] = mix(far, light, below * 3, s->height - s->horizon);
    row.tiles[1] = mix(far, dark, below * 3, s->height - s->horizon);
    return row;
}

static struct colour sky(const struct scene *s, int64_t x, const struct scene_row *row) {
    struct colour sun = {255, 244, 200}, c = row->sky;
    int64_t dx = x - s->sun_x, dy = row->y - s->sun_y, r2 = s->sun_radius * s->sun_radius,
            d2 = dx * dx + dy * dy;
    if (d2 <= r2)
        return sun;
    return d2 < 9 * r2 ? mix(shade(c, 24), c, d2 - r2, 8 * r2) : c;
}

static struct colour floor_tiles(const struct scene *s, int64_t x, const struct scene_row *row) {
    int64_t across = (x - s->width / 2) * row->depth / 256;
    int64_t tile = s->unit / 12 + 1;
    return row->tiles[(((across + (int64_t)64 * s->width) / tile) ^ (row->depth * 3 / 64)) & 1];
}

static struct colour bricks(const struct scene *s, int64_t x, int64_t y) {
    int64_t course = y / 7, column = (x + (course & 1) * 8) / 16;
    if (y % 7 == 0 || (x + (course & 1) * 8) % 16 == 0)
        return (struct colour){196, 190, 182};
    return shade((struct colour){140, 66, 50}, texture_at(s, course, column) - 16);
}

static struct colour scene_pixel(const struct scene *s, int64_t x, const struct scene_row *row,
                                 int64_t far_ridge, int64_t near_ridge) {
    struct colour c;
    int64_t y = row->y;
    if (y < far_ridge)
        c = sky(s, x, row);
    else if (y < near_ridge)
        c = mix((struct colour){120, 132, 158}, (struct colour){176, 180, 184}, y - far_ridge, s->unit / 4);
    else if (y < s->horizon)
        c = shade((struct colour){52, 84, 48}, texture_at(s, y / 3, x / 2) - 8);
    else
        c = floor_tiles(s, x, row);

    int64_t left = s->width * 14 / 100, right = s->width * 26 / 100, top = s->height * 24 / 100,
            foot = s->height * 70 / 100;
    if (x >= left && x < right && y >= top && y < foot) {
        bool window = (x - left) * 5 / (right - left + 1) % 2 == 1 && (y - top) * 9 / (foot - top) % 3 == 1;
        c = window ? (struct colour){24, 22, 30} : bricks(s, x - left, y - top);
    }
    /* Bars whose period shrinks to two pixels show what a blur does to fine detail. */
    int64_t chart = s->width * 60 / 100, chart_width = s->width * 32 / 100 + 1;
    if (x >= chart && x < chart + chart_width && y >= s->height * 78 / 100 && y < s->height * 92 / 100) {
        int64_t along = x - chart;
        bool light = (along * along / (chart_width * 2) + along / 16) & 1;
        c = light ? (struct colour){250, 250, 250} : (struct colour){6, 6, 6};
    }
    return c;
}

static uint8_t clamp(int value) {
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

static void store(uint8_t *p, uint32_t channels, struct colour c) {
    uint8_t red = clamp(c.red), green = clamp(c.green), blue = clamp(c.blue);
    if (channels == 1) {
        p[0] = (uint8_t)((77 * red + 150 * green + 29 * blue) >> 8);
        return;
    }
    p[0] = red;
    p[1] = green;
    p[2] = blue;
    if (channels == 4)
        p[3] = 255;
}

static void draw_scene_parts(struct scene *s, const struct draw_key *key) {
    struct draw_key far = draw_for(key, "far ridge"), near = draw_for(key, "near ridge"),
                    texture = draw_for(key, "texture");
    draw_bytes(&far, 0, s->far, sizeof s->far);
    draw_bytes(&near, 0, s->near, sizeof s->near);
    draw_bytes(&texture, 0, s->texture, sizeof s->texture);
}

void image_draw_scene(uint8_t *pixels, uint32_t width, uint32_t height, uint32_t channels,
                      const struct draw_key *key) {
    struct scene s = {.width = width, .height = height, .horizon = (int64_t)height * 58 / 100};
    struct draw_key noise_key = draw_for(key, "noise");
    struct draw noise;
    s.unit = width < height ? width : height;
    s.sun_x = s.width * 74 / 100;
    s.sun_y = s.height * 20 / 100;
    s.sun_radius = s.unit * 7 / 100 + 1;
    draw_scene_parts(&s, key);
    draw_begin(&noise, &noise_key);
    /* Columns are drawn in strips, so that values of a column are computed once. */
    enum { STRIP = 128 };
    for (int64_t x0 = 0; x0 < s.width; x0 += STRIP) {
        int64_t x1 = x0 + STRIP < s.width ? x0 + STRIP : s.width;
        int64_t far_ridge[STRIP], near_ridge[STRIP];
        for (int64_t x = x0; x < x1; x++) {
            far_ridge[x - x0] = ridge(&s, x, s.horizon, s.height * 40 / 100, s.far);
            near_ridge[x - x0] = ridge(&s, x, s.horizon, s.height * 18 / 100, s.near);
        }
        for (int64_t y = 0; y < s.height; y++) {
            struct scene_row row = scene_row(&s, y);
            for (int64_t x = x0; x < x1; x++) {
                struct colour c = scene_pixel(&s, x, &row, far_ridge[x - x0], near_ridge[x - x0]);
                store(pixels + (uint64_t)(y * s.width + x) * channels, channels,
                      shade(c, (draw_byte(&noise) & 15) - 8));
            }
        }
    }
}
