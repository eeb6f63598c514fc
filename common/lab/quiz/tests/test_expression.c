/* Expressions; sectors and passes are counted by the simulator's rules. */
#include "base/draw/draw.h"
#include "base/test.h"
#include "gpu/simt/access/access.h"
#include "lab/quiz/expression.h"

static struct gpu_model model;
static char error[256];

static int set_up(void **state) {
    return gpu_model_load(NULL, "h200", &model, error, sizeof error) ? 0 : -1;
}

static double value_of(const char *text) {
    const struct expression_names names = {2, {"width", "x2"}, {38, 0.5}};
    double value;
    if (!expression_value(text, &names, &model, &value, error, sizeof error))
        fail_msg("%s: %s", text, error);
    return value;
}

static void they_compute(void **state) {
    assert_true(value_of("1 + 2 * 3") == 7);
    assert_true(value_of("(1 + 2) * 3 - 4 / 8") == 8.5);
    assert_true(value_of("10 - 3 - 2") == 5);
    assert_true(value_of("-(width) * x2") == -19);
    assert_true(value_of("ceil(width * 10 / 128)") == 3);
    assert_true(value_of("min(3, 2) + max(3, 2) + floor(2.7) + round(2.5)") == 10);
    assert_true(value_of("sm_count") == model.sm_count);
    struct gpu_occupancy fit = gpu_occupancy(&model, 192, 64, 8192);
    assert_true(value_of("occupancy(192, 64, 8192)") == fit.fraction * 100);
    assert_true(value_of("blocks(192, 64, 8192)") == fit.blocks_per_sm);
}

static void what_is_none_is_refused(void **state) {
    // clang-format off
    static const char *const wrong[] = {
        "", "1 +", "1 / 0", "nothing", "cosine(1)", "min(1)", "(1", "1 2", "1..2", "blocks(0, 32, 0)", ")",
        "sectors(33, 1, 1, 1)", "((((((((((((((((((1))))))))))))))))))"};
    // clang-format on
    const struct expression_names names = {0};
    double value;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        error[0] = '\0';
        if (expression_value(wrong[i], &names, &model, &value, error, sizeof error))
            fail_msg("'%s' was taken", wrong[i]);
        assert_true(error[0] != '\0' && strchr(error, '\n') == NULL);
    }
}

static void sectors_are_the_simulators(void **state) {
    struct draw_key key;
    struct draw draw;
    draw_key_of_seed(&key, 11);
    draw_begin(&draw, &key);
    for (int i = 0; i < 5000; i++) {
        uint64_t bytes = UINT64_C(1) << draw_below(&draw, 5), width = 1 + draw_below(&draw, 32);
        uint64_t pitch = bytes * draw_below(&draw, 300), offset = bytes * draw_below(&draw, 300);
        uint64_t address[SIMT_LANES];
        struct sector_list list;
        for (uint64_t lane = 0; lane < SIMT_LANES; lane++)
            address[lane] = offset + lane / width * pitch + lane % width * bytes;
        sector_list_fill(&list, address, UINT32_MAX);
        assert_int_equal(quiz_sectors(width, bytes, pitch, offset), list.sectors);
    }
}

static void passes_are_the_simulators(void **state) {
    for (uint32_t stride = 0; stride < 200; stride++) {
        uint32_t address[SIMT_LANES];
        for (uint32_t lane = 0; lane < SIMT_LANES; lane++)
            address[lane] = lane * stride * 4;
        assert_int_equal(quiz_wavefronts(stride),
                         simt_shared_wavefronts(address, UINT32_MAX, 4, false).count);
    }
}

TESTS_BETWEEN(set_up, NULL, UNIT(they_compute), UNIT(what_is_none_is_refused),
              UNIT(sectors_are_the_simulators), UNIT(passes_are_the_simulators))
