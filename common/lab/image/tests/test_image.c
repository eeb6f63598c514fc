/* Pictures are read back as written, damaged files are refused in a line, the scene is fixed. */
#include "base/test.h"
#include "lab/image/image.h"

/* FNV-1a of the 640 x 400 scene, seed 1, on which all reports and counters rest. */
#define SCENE_COLOUR 0xe23fa1b51678bddfu
#define SCENE_GRAY 0xb0b710fb1346bfe2u

static const struct draw_key one = {{1}}, two = {{2}}; /* seeds 1 and 2 */

static char error[512];
static char folder[] = "/tmp/test_image.XXXXXX";

static int make_folder(void **state) {
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state) {
    return rmdir(folder);
}

static uint64_t checksum(const uint8_t *bytes, size_t length) {
    uint64_t sum = 14695981039346656037u;
    for (size_t i = 0; i < length; i++)
        sum = (sum ^ bytes[i]) * 1099511628211u;
    return sum;
}

static void round_trip(const char *name, uint32_t width, uint32_t height, uint32_t channels) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    ENDED(image_free) struct image image, back;
    assert_true(image_create(&image, width, height, channels, error, sizeof error));
    image_draw_scene(image.pixels, width, height, channels, &two);
    assert_true(image_write(path, &image, error, sizeof error));
    assert_true(image_read(path, &back, error, sizeof error));
    assert_int_equal(back.width, width);
    assert_int_equal(back.height, height);
    assert_int_equal(back.channels, channels == 1 && strstr(name, "ppm") == NULL ? 1 : 4);
    for (size_t i = 0; i < (size_t)width * height; i++)
        for (uint32_t c = 0; c < 3; c++)
            assert_int_equal(back.pixels[i * back.channels + (back.channels == 1 ? 0 : c)],
                             image.pixels[i * channels + (channels == 1 ? 0 : c)]);
    unlink(path);
}

static void test_round_trips(void **state) {
    const uint32_t sides[] = {1, 2, 7, 33, 64};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        for (size_t j = 0; j < sizeof sides / sizeof *sides; j++) {
            round_trip("gray.png", sides[i], sides[j], 1);
            round_trip("colour.png", sides[i], sides[j], 3);
            round_trip("alpha.png", sides[i], sides[j], 4);
            round_trip("gray.pgm", sides[i], sides[j], 1);
            round_trip("gray.ppm", sides[i], sides[j], 1);
            round_trip("colour.ppm", sides[i], sides[j], 4);
        }
}

static void expect_decoded(const char *text, size_t length, uint8_t first, uint8_t last) {
    ENDED(image_free) struct image image;
    assert_true(image_decode(text, length, "text", &image, error, sizeof error));
    assert_int_equal(image.pixels[0], first);
    assert_int_equal(image.pixels[(size_t)image.width * image.height * image.channels - 1], last);
}

static void test_netpbm_variants(void **state) {
    expect_decoded("P2\n# a comment\n2 1 # another\n15\n0 15\n", 38, 0, 255);
    expect_decoded("P5 2 1 255\n\x01\x02", 13, 1, 2);
    expect_decoded("P5 1 1 65535\n\x80\x00", 15, 128, 128);
    expect_decoded("P3 1 1 255 9 8 7", 16, 9, 255);
}

static void test_refusals(void **state) {
    static const struct {
        const char *data;
        size_t length;
        const char *says;
    } bad[] = {
        {"", 0, "not a PNG, PGM or PPM"},
        {"GIF89a", 6, "not a PNG, PGM or PPM"},
        {"P5", 2, "header"},
        {"P5 2 2 255", 10, "header"},
        {"P5 2 2 255\nabc", 14, "cut short"},
        {"P5 0 2 255\n", 11, "sides are 1"},
        {"P5 40000 2 255\n", 15, "header"},
        {"P5 32768 32768 255\n", 19, "cut short"},
        {"P5 -1 2 255\n", 12, "header"},
        {"P5 2 2 70000\n", 13, "header"},
        {"P2 1 2 255 7 x", 14, "missing"},
        {"P2 1 1 9 12 ", 12, "missing"},
        {"\x89PNG\r\n\x1a\n", 8, "not a PNG we can read"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct image image;
        assert_false(image_decode(bad[i].data, bad[i].length, "photo", &image, error, sizeof error));
        assert_non_null(strstr(error, bad[i].says));
        assert_non_null(strstr(error, "photo"));
        assert_null(strchr(error, '\n'));
        assert_null(image.pixels);
    }
    ENDED(image_free) struct image image;
    assert_false(image_read("/nonexistent/photo.png", &image, error, sizeof error));
    assert_false(image_read("/tmp", &image, error, sizeof error));
    assert_true(image_create(&image, 3, 3, 4, error, sizeof error));
    assert_false(image_write("/tmp/picture.jpg", &image, error, sizeof error));
    assert_false(image_write("/nonexistent/picture.png", &image, error, sizeof error));
}

/* Every truncation and every damaged byte of a small PNG and PGM is read or refused. */
static void test_damage(void **state) {
    const char *names[] = {"damage.png", "damage.pgm"};
    for (int n = 0; n < 2; n++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", folder, names[n]);
        struct image image;
        assert_true(image_create(&image, 9, 5, 1, error, sizeof error));
        image_draw_scene(image.pixels, 9, 5, 1, &one);
        assert_true(image_write(path, &image, error, sizeof error));
        image_free(&image);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        uint8_t data[4096];
        size_t length = fread(data, 1, sizeof data, file);
        fclose(file);
        unlink(path);
        unsigned truncations_refused = 0;
        for (size_t cut = 0; cut < length; cut++) {
            FREED uint8_t *exact = malloc(cut + 1); /* so that a sanitizer sees a read beyond */
            assert_non_null(exact);
            memcpy(exact, data, cut);
            bool right = image_decode(exact, cut, "cut", &image, error, sizeof error);
            truncations_refused += !right;
            if (right)
                image_free(&image);
        }
        assert_true(truncations_refused >= length - 16); /* the last bytes of a PNG carry no pixels */
        for (size_t at = 0; at < length; at++)
            for (unsigned bit = 0; bit < 8; bit++) {
                data[at] ^= (uint8_t)(1u << bit);
                if (image_decode(data, length, "bit", &image, error, sizeof error))
                    image_free(&image);
                data[at] ^= (uint8_t)(1u << bit);
            }
    }
}

static void test_scene_is_fixed(void **state) {
    FREED uint8_t *pixels = malloc(640 * 400 * 4);
    assert_non_null(pixels);
    image_draw_scene(pixels, 640, 400, 4, &one);
    uint64_t colour = checksum(pixels, 640 * 400 * 4);
    image_draw_scene(pixels, 640, 400, 1, &one);
    uint64_t gray = checksum(pixels, 640 * 400);
    image_draw_scene(pixels, 640, 400, 1, &two);
    assert_int_not_equal(checksum(pixels, 640 * 400), gray);
    assert_int_equal(colour, SCENE_COLOUR);
    assert_int_equal(gray, SCENE_GRAY);
}

static void test_scene_has_detail(void **state) {
    FREED uint8_t *pixels = malloc(320 * 200);
    assert_non_null(pixels);
    image_draw_scene(pixels, 320, 200, 1, &one);
    unsigned levels[256] = {0}, used = 0, edges = 0;
    for (size_t i = 0; i + 1 < 320 * 200; i++) {
        used += levels[pixels[i]]++ == 0;
        edges += abs(pixels[i] - pixels[i + 1]) > 60;
    }
    assert_true(used > 200);
    assert_true(edges > 500);
}

static void test_difference_and_gray(void **state) {
    uint8_t expected[12] = {0}, got[12] = {0};
    got[5] = 9;
    ENDED(image_free) struct image difference;
    assert_true(image_difference(got, expected, 4, 3, &difference, error, sizeof error));
    for (size_t i = 0; i < 12; i++)
        assert_int_equal(difference.pixels[3 * i] > 100, i == 5);

    ENDED(image_free) struct image colour, gray;
    assert_true(image_create(&colour, 4, 1, 4, error, sizeof error));
    const uint8_t rgba[16] = {255, 255, 255, 255, 255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255};
    memcpy(colour.pixels, rgba, 16);
    assert_true(image_to_gray(&colour, &gray, error, sizeof error));
    const uint8_t want[4] = {255, 76, 150, 29}; /* 76.2, 149.6, 29.2 */
    assert_memory_equal(gray.pixels, want, 4);
}

/* Every pixel becomes a square; too large a picture is refused. */
static void test_enlarge(void **state) {
    uint8_t pixels[2 * 3 * 3];
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)(10 * i);
    struct image image = {2, 3, 3, pixels}, large;
    assert_true(image_enlarge(&image, 4, &large, error, sizeof error));
    assert_int_equal(large.width, 8);
    assert_int_equal(large.height, 12);
    for (uint32_t y = 0; y < 12; y++)
        for (uint32_t x = 0; x < 8; x++)
            for (uint32_t c = 0; c < 3; c++)
                assert_int_equal(large.pixels[3 * (8 * y + x) + c], pixels[3 * (2 * (y / 4) + x / 4) + c]);
    image_free(&large);
    assert_false(image_enlarge(&image, IMAGE_MAX_SIDE, &large, error, sizeof error));
    assert_non_null(strstr(error, "2 x 3"));
    image_free(&large);
}

TESTS_BETWEEN(make_folder, remove_folder, UNIT(test_round_trips), UNIT(test_netpbm_variants),
              UNIT(test_refusals), UNIT(test_damage), UNIT(test_scene_is_fixed), UNIT(test_scene_has_detail),
              UNIT(test_difference_and_gray), UNIT(test_enlarge))
