/* Other names for the kit's folders. */
#include "base/test.h"
#include "job/kit_names.h"

static struct kit_names names;

static int set_up(void **state) {
    /* the shorter first: the longer goes before it all the same */
    return kit_names_add(&names, "/home/ann/kit", "/kit") &&
                   kit_names_add(&names, "/home/ann/kit/build", "/kit/build") &&
                   kit_names_add(&names, "/j", "/a/longer/one") && kit_names_add(&names, "/", "/nobody's")
               ? 0
               : -1;
}

static void test_files(void **state) {
    static const char *const files[][2] = {{"/home/ann/kit/build/lib/x.so", "/kit/build/lib/x.so"},
                                           {"/home/ann/kit", "/kit"},
                                           {"/home/ann/kitchen", "/home/ann/kitchen"},
                                           {"/usr/lib", "/usr/lib"}};
    char shown[PATH_SIZE];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        assert_true(kit_names_of(&names, files[i][0], shown));
        assert_string_equal(shown, files[i][1]);
    }
}

static void test_words(void **state) {
    FREED char *text = kit_names_replace(&names, "in '/home/ann/kit/build/x', /home/ann/kit/y:/j/j");
    assert_non_null(text);
    assert_string_equal(text, "in '/kit/build/x', /kit/y:/a/longer/one/a/longer/one");
    assert_null(kit_names_replace(&names, "nothing of /home/ann"));
    assert_null(kit_names_replace(&names, ""));
}

static void test_sandboxes(void **state) {
    struct sandbox sandbox;
    char inside[PATH_SIZE];
    sandbox_init(&sandbox, SANDBOX_PROGRAM);
    assert_true(kit_names_show(&names, &sandbox, "/home/ann/kit/build/lib"));
    assert_true(sandbox_inside(&sandbox, "/home/ann/kit/build/lib/cuda", inside));
    assert_string_equal(inside, "/kit/build/lib/cuda");
    assert_true(sandbox_inside(&sandbox, "/home/ann/kit/build/library", inside));
    assert_string_equal(inside, "/home/ann/kit/build/library");
    /* the second sandbox cannot */
    sandbox_init(&sandbox, SANDBOX_PROGRAM);
    sandbox.rung = SANDBOX_LANDLOCK;
    assert_true(kit_names_show(&names, &sandbox, "/home/ann/kit/build/lib"));
    assert_true(sandbox_inside(&sandbox, "/home/ann/kit/build/lib/cuda", inside));
    assert_string_equal(inside, "/home/ann/kit/build/lib/cuda");
}

static void test_limits(void **state) {
    struct kit_names full = {.count = 0};
    char name[8];
    for (int i = 0; i < 8; i++) {
        snprintf(name, sizeof name, "/f%d", i);
        assert_true(kit_names_add(&full, name, "/x"));
    }
    assert_false(kit_names_add(&full, "/f8", "/x"));
}

TESTS_BETWEEN(set_up, NULL, UNIT(test_files), UNIT(test_words), UNIT(test_sandboxes), UNIT(test_limits))
