/* What the command line may say. */
#include "base/test.h"
#include "lab/settings.h"

static char error[SETTINGS_ERROR];

static int option(struct settings *s, const char *name, const char *value) {
    char *arguments[] = {(char *)(uintptr_t)name, (char *)(uintptr_t)value};
    *error = '\0';
    return settings_option(s, value != NULL ? 2 : 1, arguments, error, sizeof error);
}

static void test_accepted(void **state) {
    struct settings s;
    assert_true(settings_init(&s, error, sizeof error));
    assert_int_equal(option(&s, "--size", "640x480"), 2);
    assert_true(s.sized && s.width == 640 && s.height == 480);
    assert_int_equal(option(&s, "--device", "sim"), 2);
    assert_int_equal(s.device, DEVICE_SIM);
    assert_int_equal(option(&s, "--gpu", "gtx980"), 2);
    assert_int_equal(option(&s, "--seed", "4294967295"), 2);
    assert_true(s.seed == 4294967295u);
    assert_int_equal(option(&s, "--strict", "0"), 2);
    assert_false(s.strict);
    assert_int_equal(option(&s, "--nsys", "run.sqlite"), 2);
    assert_string_equal(s.nsys, "run.sqlite");
    assert_int_equal(option(&s, "--force", NULL), 1);
    assert_int_equal(option(&s, "--arch", "90"), 2);
}

static void test_refused(void **state) {
    static const char *const bad[][3] = {
        {"--size", "640", "SIZE is"},
        {"--size", "0x10", "SIZE is"},
        {"--size", "640x", "SIZE is"},
        {"--size", "640x480x3", "SIZE is"},
        {"--size", "-1x5", "SIZE is"},
        {"--size", "40000x1", "SIZE is"},
        {"--size", "32768x32768", "SIZE is"},
        {"--size", "", "SIZE is"},
        {"--device", "gpu", "DEVICE is"},
        {"--gpu", "../h200", "GPU is"},
        {"--gpu", "", "GPU is"},
        {"--seed", "x", "SEED is"},
        {"--seed", "0", "SEED is"},
        {"--seed", "-1", "SEED is"},
        {"--seed", "99999999999", "SEED is"},
        {"--strict", "2", "STRICT is"},
        {"--rounds", "0", "ROUNDS is"},
        {"--timeout", "0", "TIMEOUT is"},
        {"--colour", "1", "unknown option"},
        {"--image", "", "IMAGE is"},
        {"--predict", "", "PREDICT is"},
        {"--nsys", "", "NSYS is"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct settings s;
        assert_true(settings_init(&s, error, sizeof error));
        assert_int_equal(option(&s, bad[i][0], bad[i][1]), 0);
        if (strstr(error, bad[i][2]) == NULL)
            fail_msg("'%s' does not say '%s'", error, bad[i][2]);
    }
    struct settings s;
    assert_true(settings_init(&s, error, sizeof error));
    assert_int_equal(option(&s, "--size", NULL), 0); /* the value is missing */
}

static void test_resolve(void **state) {
    struct settings s;
    assert_true(settings_init(&s, error, sizeof error));
    s.device = DEVICE_SIM;
    assert_true(settings_resolve(&s, "lab1", error, sizeof error));
    assert_true(s.width == 2560 && s.height == 1600);
    assert_int_equal(s.arch, 90);
    assert_string_equal(s.model.id, "h200");
    settings_free(&s);
    assert_true(settings_init(&s, error, sizeof error));
    s.device = DEVICE_SIM;
    strcpy(s.gpu, "voodoo");
    assert_false(settings_resolve(&s, "lab1", error, sizeof error));
    assert_non_null(strstr(error, "voodoo"));
    strcpy(s.gpu, "h200");
    strcpy(s.image, "/nonexistent.png");
    assert_false(settings_resolve(&s, "lab1", error, sizeof error));
    assert_non_null(strstr(error, "/nonexistent.png"));
}

static void test_pick_arch(void **state) {
    const char *cuda13 = "compute_75\ncompute_80\ncompute_86\ncompute_90\ncompute_90a\ncompute_100\n";
    assert_int_equal(settings_pick_arch(cuda13, 90), 90);
    assert_int_equal(settings_pick_arch(cuda13, 89), 86);
    assert_int_equal(settings_pick_arch(cuda13, 52), 75); /* a GTX 980 is older than all of them */
    assert_int_equal(settings_pick_arch(cuda13, 200), 100);
    assert_int_equal(settings_pick_arch("compute_35 compute_52 compute_90", 52), 52);
    assert_int_equal(settings_pick_arch("", 90), 0);
    assert_int_equal(settings_pick_arch("compute_x compute_", 90), 0);
}

TESTS(UNIT(test_accepted), UNIT(test_refused), UNIT(test_resolve), UNIT(test_pick_arch))
