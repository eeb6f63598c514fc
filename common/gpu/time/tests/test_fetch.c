/* test_fetch.c: loops of code take what calibration measured of one warp alone; caches keep what was used last; a jump waits for
 * the whole way. */
#include "base/file.h"
#include "base/test.h"
#include "gpu/time/tests/support_gpus.h"
#include "gpu/time/walk/sm_state.h"

/* The figure of a line "NAME,FIGURE,..." of the calibration; fails where there is none. */
static double measured(const char *name) {
    char path[PATH_SIZE], line[256];
    assert_true(path_print(path, "%s/unpacked/recordings/calibration/h200.csv", test_build()));
    FILE *file = fopen(path, "r");
    double figure = -1;
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, name, strlen(name)) == 0 && line[strlen(name)] == ',')
            figure = strtod(line + strlen(name) + 1, NULL);
    fclose(file);
    assert_true(figure > 0);
    return figure;
}

/* Cycles an instruction of a loop of so many KB in its later rounds, when one can go each cycle. */
static double looped(uint32_t kilobytes) {
    const struct gpu_model model = test_model("h200");
    const struct gpu_code code = {.instruction_count = kilobytes * 64};
    struct fetch fetch;
    double now = 0, first = 0;
    enum { ROUNDS = 6 };
    assert_true(fetch_begin(&fetch, &model, &code));
    for (int round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < code.instruction_count; i++) {
            double there = i % FETCH_LINE == 0 ? fetch_instruction(&fetch, i, now) : 0;
            now = (there > now ? there : now) + 1;
        }
        first = round == 0 ? now : first;
    }
    fetch_end(&fetch);
    return (now - first) / (ROUNDS - 1) / code.instruction_count;
}

static void as_measured(void **state) {
    static const uint32_t sizes[] = {8, 16, 24, 48, 64, 96, 112, 160, 192, 256, 384};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char name[64];
        snprintf(name, sizeof name, "code_%uk_one_warp", sizes[i]);
        double model = looped(sizes[i]), figure = measured(name);
        if (model < 0.93 * figure || model > 1.07 * figure)
            fail_msg("%s: %.3f cycles an instruction, measured %.3f", name, model, figure);
    }
}

/* Lines that are asked for long after the one before them were on their way all the time. */
static void slow_warps_do_not_wait(void **state) {
    const struct gpu_model model = test_model("h200");
    const struct gpu_code code = {.instruction_count = 64 * 64};
    struct fetch fetch;
    assert_true(fetch_begin(&fetch, &model, &code));
    double now = 0;
    for (uint32_t i = 0; i < code.instruction_count; i += FETCH_LINE) {
        assert_true(fetch_instruction(&fetch, i, now) <= now);
        now += 100;
    }
    fetch_end(&fetch);
}

/* From the cache that an SM shares with others, where the launch before left all of it, if it has room; else from L2. */
static void a_jump_waits(void **state) {
    const struct gpu_model model = test_model("h200");
    for (uint32_t kilobytes = 64; kilobytes <= 256; kilobytes *= 4) {
        const struct gpu_code code = {.instruction_count = kilobytes * 64};
        double line =
            kilobytes * 1024 <= model.code_group_bytes ? model.code_group_cycles : model.code_l2_cycles;
        struct fetch fetch;
        assert_true(fetch_begin(&fetch, &model, &code));
        assert_float_equal(fetch_instruction(&fetch, 0, 10), 10, 0); /* a launch's start */
        double there = fetch_instruction(&fetch, 2048, 1000);
        assert_float_equal(there, 1000 + 6 * line, 1e-9);
        assert_float_equal(fetch_instruction(&fetch, 2048, 2000), there, 0); /* and is there from then on */
        assert_float_equal(fetch_instruction(&fetch, 2048 + FETCH_LINE, 2000), there + line, 1e-9);
        fetch_end(&fetch);
    }
}

TESTS(UNIT(as_measured), UNIT(slow_warps_do_not_wait), UNIT(a_jump_waits))
