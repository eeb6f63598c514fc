/* test_own_work.c: what the judge has to do by itself is known before it begins, for every lab, and bounded. */
#include "base/test.h"
#include "job/own_work.h"

static void work_of(const char *lab, enum device_kind device, unsigned rounds, const char *size,
                    struct own_work *work) {
    char error[SETTINGS_ERROR], text[16];
    snprintf(text, sizeof text, "%u", rounds);
    char *device_option[] = {"--device", "sim"}, *rounds_option[] = {"--rounds", text},
         *size_option[] = {"--size", (char *)(uintptr_t)size};
    ENDED(settings_free) struct settings s;
    assert_true(settings_init(&s, error, sizeof error));
    assert_true(settings_option(&s, 2, device_option, error, sizeof error) > 0);
    assert_true(rounds == 0 || settings_option(&s, 2, rounds_option, error, sizeof error) > 0);
    assert_true(size == NULL || settings_option(&s, 2, size_option, error, sizeof error) > 0);
    assert_true(settings_resolve(&s, lab, error, sizeof error));
    if (device == DEVICE_CUDA) { /* as on a machine that has one */
        const struct lab_part *part = &s.lab.parts[0];
        s.device = DEVICE_CUDA;
        if (!s.sized && part->cuda_width != 0) {
            s.width = part->cuda_width;
            s.height = part->cuda_height;
        }
        if (!s.rounds_given && s.lab.cuda_rounds != 0)
            s.rounds = s.lab.cuda_rounds;
    }
    own_work(&s, work);
}

/* Part A is 1 GiB for each of some 70 calls: a run of a few seconds of its own has minutes of the judge's. It was 282 s of an
 * honest job on an H200's host before it was made faster. */
static void test_increment(void **state) {
    struct own_work sim, cuda, more, small;
    work_of("lab4", DEVICE_SIM, 0, NULL, &sim);
    work_of("lab4", DEVICE_CUDA, 0, NULL, &cuda);
    assert_true(cuda.seconds > 300 && cuda.seconds < 3600);
    assert_true(cuda.owner_seconds > 60 && cuda.owner_seconds < 600);
    assert_true(sim.seconds > 5 && sim.seconds < cuda.seconds / 10);
    assert_true(sim.owner_seconds == 0);
    work_of("lab4", DEVICE_CUDA, 100, NULL, &more);
    assert_true(more.seconds > 3 * cuda.seconds);
    work_of("lab4", DEVICE_CUDA, 0, "64x64", &small);
    assert_true(small.seconds < 1);
}

/* No lab makes it so much that a submission could hold a grader up for long; the product of 4096 x 4096 is not computed whole. */
static void test_every_lab(void **state) {
    for (unsigned i = 1; i <= 10; i++) {
        struct own_work sim, cuda;
        char lab[16];
        snprintf(lab, sizeof lab, "lab%u", i);
        work_of(lab, DEVICE_SIM, 0, NULL, &sim);
        work_of(lab, DEVICE_CUDA, 0, NULL, &cuda);
        if (getenv("SHOW") != NULL)
            print_message("%s: %.2f s simulated, %.1f s and %.1f s of owners on a GPU\n", lab, sim.seconds,
                          cuda.seconds, cuda.owner_seconds);
        assert_true(sim.seconds > 0 && sim.seconds < 120);
        assert_true(cuda.seconds > sim.seconds && cuda.seconds < 3600);
    }
}

TESTS(UNIT(test_increment), UNIT(test_every_lab))
