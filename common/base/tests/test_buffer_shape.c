/* Describes bytes of a buffer in its user's words. */
#include "base/buffer_shape.h"
#include "base/test.h"

static const struct buffer_shape picture = {"src", "pixel", SHAPE_ROWS, 1, 0, 16, 16, .pitch = 16},
                                 dot = {"src", "pixel", SHAPE_ROWS, 1, 0, 1, 1, .pitch = 1},
                                 gaps = {"dst", "pixel", SHAPE_ROWS, 1, 4, 16, 8, .pitch = 32},
                                 matrix = {"a", "float", SHAPE_COLUMNS, 4, 0, 16, 8, .pitch = 16},
                                 padded = {"c", "float", SHAPE_COLUMNS, 4, 12, 5, 3, .pitch = 8},
                                 nothing = {"b", "float", SHAPE_COLUMNS, 4, 0, 0, 3, .pitch = 1},
                                 table = {"values", "double", SHAPE_TABLE, 8, 8,
                                          2,        6,        2,           3, {"set", "term", "point"}},
                                 scores = {"scores", "score", SHAPE_TABLE, 4, 0,
                                           32,       2,       32,          1, {"batch", "-", "pair"}},
                                 vector = {"x", "float", SHAPE_VECTOR, 4, 0, 1000, 1, .pitch = 1000},
                                 one = {"x", "float", SHAPE_VECTOR, 4, 0, 1, 1, .pitch = 1},
                                 bytes = {"scratch", "byte", SHAPE_VECTOR, 1, 0, 65536, 1, .pitch = 65536};

static void a_place_in_words(void **state) {
    static const struct {
        const struct buffer_shape *shape;
        int64_t offset;
        uint32_t bytes;
        const char *words;
    } cases[] = {
        {&picture, 17, 1, "src[17], pixel (1, 1)"},
        {&picture, 30, 4, "src[30] to src[33], pixels (14, 1) to (1, 2)"},
        {&picture, 256, 1, "src[256], 1 beyond its end: pixel (16, 15) or (0, 16) of a picture 16 x 16"},
        {&picture, 256 + 44, 1,
         "src[300], 45 beyond its end: pixel (60, 15) or (12, 18) of a picture 16 x 16"},
        {&picture, 16000, 1, "src[16000], 15745 beyond its end: pixel (0, 1000) of a picture 16 x 16"},
        {&picture, 254, 4,
         "src[254] to src[257], across its end: pixel (16, 15) or (0, 16) of a picture 16 x 16"},
        {&picture, -1, 1, "src[-1], 1 before its start: pixel (-1, 0) or (15, -1) of a picture 16 x 16"},
        {&picture, -17, 1, "src[-17], 17 before its start: pixel (-1, -1) or (15, -2) of a picture 16 x 16"},
        {&picture, -2, 4,
         "src[-2] to src[1], across its start: pixel (-2, 0) or (14, -1) of a picture 16 x 16"},
        /* A picture smaller than a row of threads. */
        {&dot, 3, 1, "src[3], 3 beyond its end: pixel (3, 0) or (0, 3) of a picture 1 x 1"},
        {&dot, -3, 1, "src[-3], 3 before its start: pixel (-3, 0) or (0, -3) of a picture 1 x 1"},
        /* 4 bytes before the image, and 16 between its rows */
        {&gaps, 4, 1, "dst[0], pixel (0, 0)"},
        {&gaps, 3, 1,
         "dst[-1], 1 before its start: pixel (-1, 0) or (31, -1) of a picture 16 x 8 whose rows lie 32 "
         "pixels apart"},
        {&gaps, 4 + 3 * 32 + 16, 1,
         "dst[112], in the gap between rows 3 and 4: rows of 16 pixels lie 32 apart"},
        {&gaps, 4 + 7 * 32 + 16, 1,
         "dst[240], 1 beyond its end: pixel (16, 7) of a picture 16 x 8 whose rows lie 32 "
         "pixels apart"},
        {&matrix, 4 * 17, 4, "a[17], row 1, column 1"},
        {&matrix, 4 * 17, 16, "a[17] to a[20], row 1, column 1 to row 4, column 1"},
        {&matrix, 4 * 128, 4,
         "a[128], 1 beyond its end: row 16, column 7 or row 0, column 8 of a 16 x 8 matrix"},
        {&matrix, 4 * 17 + 2, 4, "2 bytes into a[17] to a[18], row 1, column 1 to row 2, column 1"},
        {&padded, 12 + 4 * 6, 4, "c[6], in the gap between columns 0 and 1: columns of 5 floats lie 8 apart"},
        {&padded, 12 + 4 * 21, 4,
         "c[21], 1 beyond its end: row 5, column 2 of a 5 x 3 matrix whose columns lie 8 "
         "floats apart"},
        {&table, 8 + 8 * 9, 8, "values[9], [set 1][term 1][point 1]"},
        {&table, 8 + 8 * 12, 8,
         "values[12], 1 beyond its end: [set 1][term 2][point 2] or [set 2][term 0][point 0] of 2 x 3 x 2"},
        {&table, 0, 8,
         "values[-1], 1 before its start: [set 0][term 0][point -1] or [set -1][term 2][point 1] of 2 x 3 x 2"},
        {&scores, 4 * 64, 4,
         "scores[64], 1 beyond its end: [batch 1][pair 32] or [batch 2][pair 0] of 2 x 32"},
        {&nothing, 4, 4, "b[1]: b has no floats here"},
        {&vector, 0, 4, "x[0]"},
        {&vector, 4000, 4, "x[1000], 1 beyond its end: x has 1000 floats"},
        {&vector, 3992, 16, "x[998] to x[1001], across its end: x has 1000 floats"},
        {&vector, -4, 4, "x[-1], 1 before its start: x has 1000 floats"},
        {&one, 4, 4, "x[1], 1 beyond its end: x has 1 float"},
        {&bytes, 65536, 4, "bytes 65536 to 65539 of scratch, 1 beyond its end: scratch has 65536 bytes"},
        {&bytes, 7, 1, "byte 7 of scratch"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        buffer_shape_describe(cases[i].shape, cases[i].offset, cases[i].bytes, text, sizeof text);
        assert_string_equal(text, cases[i].words);
    }
}

static void words_are_cut_where_there_is_no_room(void **state) {
    char text[8] = "xxxxxxx";
    buffer_shape_describe(&picture, 256, 1, text, sizeof text);
    assert_string_equal(text, "src[256");
    buffer_shape_describe(&picture, 256, 1, text, 1);
    assert_string_equal(text, "");
}

static void a_shape_survives_as_text(void **state) {
    static const struct buffer_shape *const shapes[] = {&picture, &gaps,  &padded, &nothing,
                                                        &bytes,   &table, &scores};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        char text[BUFFER_SHAPE_TEXT], again[BUFFER_SHAPE_TEXT];
        struct buffer_shape read;
        buffer_shape_print(shapes[i], text);
        assert_true(buffer_shape_parse(text, &read));
        buffer_shape_print(&read, again);
        assert_string_equal(again, text);
        assert_true(read.order == shapes[i]->order && read.pitch == shapes[i]->pitch);
    }
}

static void what_is_no_shape_is_refused(void **state) {
    static const char *const texts[] = {
        "",
        "src",
        "src pixel 1 1 0 16 16",                      /* one number is missing */
        "src pixel 1 1 0 16 16 16 1",                 /* one too many */
        "src pixel 3 1 0 16 16 16",                   /* no such order */
        "src pixel 1 0 0 16 16 16",                   /* elements of no size */
        "src pixel 1 1 0 17 16 16",                   /* rows that overlap */
        "src pixel 1 1 0 1 281474976710656 1",        /* more than any memory */
        "src pixel 1 8 0 16777216 16777216 16777216", /* so is the product */
        "x double 3 8 0 2 6 2 0 set term point",      /* a table without a middle */
        "x double 3 8 0 2 6 2 3 set term",
        "%s pixel 1 1 0 16 16 16",
        "averyveryverylongname pixel 1 1 0 16 16 16",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct buffer_shape shape = picture;
        assert_false(buffer_shape_parse(texts[i], &shape));
        assert_string_equal(shape.name, "");
    }
}

TESTS(UNIT(a_place_in_words), UNIT(words_are_cut_where_there_is_no_room), UNIT(a_shape_survives_as_text),
      UNIT(what_is_no_shape_is_refused))
