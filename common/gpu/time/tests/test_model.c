/* test_model.c: the data files load, and every way to get one wrong is refused with the line that is wrong. */
#include "gpu/time/tests/support_gpus.h"

#include "base/file.h"

static void every_model_loads(void **state) {
    char directory[PATH_SIZE], ids[512];
    assert_true(gpu_model_find_directory(directory));
    assert_true(gpu_model_list(directory, ids, sizeof ids));
    int count = 0;
    for (char *next = ids, *id; (id = strsep(&next, " ")) != NULL; count++) {
        struct gpu_model model = test_model(id);
        assert_string_equal(model.id, id);
        assert_true(model.shared_per_sm <= model.l1_bytes || !model.l1_unified);
        /* a figure in the wrong unit shows here: all these chips lie within */
        assert_in_range(model.sm_count, 16, 160);
        assert_true(model.clock_mhz > 1000 && model.clock_mhz < 3000);
        double bus_gbs = model.memory_clock_mhz * 2 * model.memory_bus_bits / 8 / 1000;
        assert_true(model.dram_gbs > 0.6 * bus_gbs && model.dram_gbs < bus_gbs);
    }
    assert_true(count >= 4);
}

static void known_figures(void **state) {
    struct gpu_model model = test_model("h200");
    assert_string_equal(model.name, "NVIDIA H200");
    assert_int_equal(model.sm_count, 132);
    assert_int_equal(model.compute_major, 9);
    assert_int_equal(model.shared_per_block_optin, 227 * 1024);
    assert_int_equal(model.l2_bytes, 60 << 20);
}

/* What the microbenchmarks make is a model file, with their figures in it. */
static void calibrated_model_loads(void **state) {
    char folder[] = "/tmp/calibrated-XXXXXX", command[512], error[256];
    struct gpu_model model;
    assert_non_null(mkdtemp(folder));
    snprintf(
        command, sizeof command,
        "common/tools/calibrated-model common/gpu/models/a100.ini %s/unpacked/recordings/calibration/h200.csv >%s/made.ini",
        test_build(), folder);
    assert_int_equal(system(command), 0);
    bool right = gpu_model_load(folder, "made", &model, error, sizeof error);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    assert_true(right);
    assert_string_equal(model.name, "NVIDIA H200");
    assert_int_equal(model.sm_count, 132);
    assert_true(model.fp64_rate > 1.9 && model.fp64_rate < 2.1);
    assert_true(model.constant_rate > 0.4 && model.constant_rate < 0.6);
    assert_int_equal(model.register_granularity, 256); /* not measured: the base's */
}

static void write_model(const char *folder, const char *id, const char *text) {
    char path[PATH_SIZE];
    assert_true(path_print(path, "%s/%s.ini", folder, id));
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* In a model's file, replace the line that starts with `key` by `line` (dropped when NULL), parse, and expect `message` in the
 * error. */
static void expect_refused_in(const char *id, const char *key, const char *line, const char *message) {
    char *text = test_model_text(id), directory[PATH_SIZE];
    char *at = strstr(text, key);
    assert_non_null(at);
    char *end = strchr(at, '\n');
    assert_non_null(end);
    char *changed = calloc(1, strlen(text) + 1024);
    assert_non_null(changed);
    sprintf(changed, "%.*s%s%s", (int)(at - text), text, line != NULL ? line : "", end + (line == NULL));
    struct gpu_model model;
    char error[512] = "";
    assert_true(gpu_model_find_directory(directory));
    assert_false(gpu_model_parse(changed, strlen(changed), "x.ini", directory, &model, error, sizeof error));
    if (strstr(error, message) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", error, message);
    assert_null(strchr(error, '\n'));
    free(changed);
    free(text);
}

static void expect_refused(const char *key, const char *line, const char *message) {
    expect_refused_in("h200", key, line, message);
}

static void wrong_files_are_refused(void **state) {
    expect_refused("sm_count", NULL, "x.ini: the key sm_count is missing");
    expect_refused("sm_count", "sm_cuont = 132", "x.ini:9: unknown key 'sm_cuont'");
    expect_refused("sm_count", "sm_count = 132\nsm_count = 132",
                   "x.ini:10: sm_count is given twice, first on line 9");
    expect_refused("sm_count", "sm_count = many", "x.ini:9: 'many' is not a whole number");
    expect_refused("sm_count", "sm_count = 13.2", "is not a whole number");
    expect_refused("sm_count", "sm_count = -132", "is not a whole number");
    expect_refused("sm_count", "sm_count =", "x.ini:9: '' is not a whole number");
    expect_refused("sm_count", "sm_count = 0", "x.ini:9: 0 is outside 1 to 4096");
    expect_refused("sm_count", "sm_count = 99999999999999999999999", "is outside 1 to 4096");
    expect_refused("sm_count", "sm_count 132", "x.ini:9: neither");
    expect_refused("clock_mhz", "clock_mhz = nan", "is not a number");
    expect_refused("clock_mhz", "clock_mhz = inf", "is not a number");
    expect_refused("clock_mhz", "clock_mhz = 0x7bc", "is not a number");
    expect_refused("clock_mhz", "clock_mhz = 1e9", "is outside");
    expect_refused("clock_mhz", "clock_mhz = 1.98", "1.98 is outside 100 to 100000"); /* GHz */
    expect_refused("compute_minor", "compute_minor = 89", "89 is outside 0 to 9");
    expect_refused("clock_mhz", "clock_mhz = 1980 mhz", "is not a number");
    expect_refused("l1_unified", "l1_unified = 2", "2 is outside 0 to 1");
    expect_refused("name =", "name = ", "name must be 1 to 63 characters");
    expect_refused("name =", "name = caf\xc3\xa9", "name has unprintable characters");
    expect_refused("shared_per_block =", "shared_per_block = 300000", "does not hold");
    expect_refused("max_warps_per_sm", "max_warps_per_sm = 48", "is not 32 * max_warps_per_sm");
}

static void wrong_curves_are_refused(void **state) {
    static const char *const wrong[][2] = {
        {"", "points share:value, the last at share 1"},
        {"0:1", "points share:value, the last at share 1"},
        {"0:1 0.5:2", "points share:value, the last at share 1"},
        {"0.1:1 1:2", "shares from 0 to 1 in rising order"},
        {"0:1 0.5:1 0.5:2 1:2", "shares from 0 to 1 in rising order"},
        {"0 1:2", "shares from 0 to 1 in rising order"},
        {"0:1 1:x", "'x' is not a number"},
        {"0:1 1:0", "0 is outside 0.01 to 100"},
        {"0:1 2:1", "2 is outside 0 to 1"},
        {"0:1 .1:1 .2:1 .3:1 .4:1 .5:1 .6:1 .7:1 .8:1 .81:1 .82:1 .83:1 .84:1 .85:1 .86:1 .87:1 1:1",
         "more than 16 points"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char line[256];
        snprintf(line, sizeof line, "latency_dram_curve = %s", wrong[i][0]);
        expect_refused("latency_dram_curve", line, wrong[i][1]);
    }
}

static void sections_and_inheritance(void **state) {
    expect_refused("pipe_efficiency", NULL, "x.ini: the key pipe_efficiency is missing");
    expect_refused("pipe_efficiency", "pipe_efficiency = 1.5", "1.5 is outside 0.01 to 1");
    expect_refused("[walk]", "[walks]", "unknown section [walks]");
    expect_refused("[walk]", NULL, "pipe_efficiency stands in [walk]");
    expect_refused("sm_count", "latency_other = 14", "x.ini:9: latency_other stands in [walk]");
    expect_refused("pipe_efficiency", "issue_rate = 4", "issue_rate is given twice");
    expect_refused_in("a100", "issue_rate", NULL, "the key issue_rate is missing");
    expect_refused_in("a100", "inherit = h200", NULL, "the key pipe_efficiency is missing");
    expect_refused_in("a100", "inherit = h200", "inherit = h2000", "inherit: cannot read");
    expect_refused_in("a100", "inherit = h200", "inherit = ../gpus/h200", "is no model's name");
    expect_refused_in("a100", "inherit = h200", "inherit = t4", "t4.ini:");
    expect_refused_in("a100", "inherit = h200", "inherit = t4", "inherits nothing itself");
    expect_refused_in("a100", "inherit = h200", "inherit = h200\ninherit = h200", "stands once in a section");
    expect_refused_in("a100", "name =", "name = x\ninherit = h200", "stands once in a section");
    struct gpu_model h200 = test_model("h200"), a100 = test_model("a100");
    assert_float_equal(a100.latency_special, h200.latency_special, 0); /* inherited */
    assert_float_equal(a100.latency_dram_curve.points[12].value, 1.892, 0);
    assert_float_equal(a100.latency_dram_cold, 588, 0); /* given */
}

/* A chip with latencies of its own is one file. */
static void own_figures_go_before_inherited_ones(void **state) {
    char folder[] = "/tmp/models-XXXXXX", error[512] = "", changed[1 << 14];
    assert_non_null(mkdtemp(folder));
    char *h200 = test_model_text("h200"), *a100 = test_model_text("a100");
    const char *rest = strchr(strstr(strstr(a100, "[walk]"), "inherit"), '\n') + 1;
    snprintf(changed, sizeof changed, "%.*slatency_special = 23\nqueue_entries = 8\n%s", (int)(rest - a100),
             a100, rest);
    write_model(folder, "h200", h200);
    write_model(folder, "toy", changed);
    struct gpu_model model;
    if (!gpu_model_load(folder, "toy", &model, error, sizeof error))
        fail_msg("%s", error);
    assert_float_equal(model.latency_special, 23, 0);
    assert_int_equal(model.queue_entries, 8);
    assert_float_equal(model.latency_other, 14, 0);
    folder_remove(folder);
    free(h200);
    free(a100);
}

static void unknown_model_lists_the_known(void **state) {
    struct gpu_model model;
    char error[1024], directory[PATH_SIZE], known[512];
    assert_true(gpu_model_find_directory(directory) && gpu_model_list(directory, known, sizeof known));
    const char *ids[] = {"h2000", "", "../gpus/h200", "H200", "h200.ini"};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        assert_false(gpu_model_load(NULL, ids[i], &model, error, sizeof error));
        const char *there = strstr(error, "; there are: ");
        assert_non_null(there);
        assert_string_equal(there + strlen("; there are: "), known);
    }
    assert_false(gpu_model_load("/nonexistent", "h200", &model, error, sizeof error));
    assert_non_null(strstr(error, "none in /nonexistent"));
}

/* What the driver calls a card, and the model that stands for it. */
static void real_gpus_find_their_model(void **state) {
    /* a folder of its own: a model that is added later may well be nearer */
    static const char *const models[] = {"a100", "gtx980", "h100", "h200", "t4", "v100"};
    char folder[] = "/tmp/models-XXXXXX";
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        char *text = test_model_text(models[i]);
        write_model(folder, models[i], text);
        free(text);
    }
    static const struct {
        const char *name;
        unsigned major, minor;
        const char *id;
        bool same_chip;
    } cards[] = {
        {"NVIDIA H200", 9, 0, "h200", true},
        {"NVIDIA H100 80GB HBM3", 9, 0, "h100", true},
        {"NVIDIA H100 PCIe", 9, 0, "h100", true},
        {"NVIDIA GH200 480GB", 9, 0, "h100", false},
        {"NVIDIA H200 MIG 1g.18gb", 9, 0, "h200", false}, /* a part of the chip */
        {"Tesla V100-SXM2-16GB", 7, 0, "v100", true},
        {"Tesla V100-PCIE-32GB", 7, 0, "v100", true},
        {"NVIDIA TITAN V", 7, 0, "v100", false},
        {"Tesla T4", 7, 5, "t4", true},
        {"NVIDIA GeForce RTX 2080 Ti", 7, 5, "t4", false},
        {"NVIDIA A100-SXM4-80GB", 8, 0, "a100", true},
        {"NVIDIA A100 40GB PCIe", 8, 0, "a100", true},
        {"NVIDIA GeForce RTX 3090", 8, 6, "a100", false},
        {"NVIDIA GeForce RTX 4090", 8, 9, "a100", false},
        {"NVIDIA GeForce GTX 980", 5, 2, "gtx980", true},
        {"GeForce GTX 980", 5, 2, "gtx980", true},
        {"NVIDIA GeForce GTX 980 Ti", 5, 2, "gtx980", false},
        {"NVIDIA GeForce GTX 1080", 6, 1, "gtx980", false}, /* between two: the older */
        {"NVIDIA B200", 10, 0, "h100", false},
        {"", 0, 0, "gtx980", false},
    };
    for (size_t i = 0; i < sizeof cards / sizeof cards[0]; i++) {
        struct gpu_model model;
        char error[512] = "", line[256] = "";
        if (!gpu_model_nearest(folder, cards[i].name, cards[i].major, cards[i].minor, &model, error,
                               sizeof error))
            fail_msg("%s", error);
        if (strcmp(model.id, cards[i].id) != 0)
            fail_msg("%s: %s, not %s", cards[i].name, model.id, cards[i].id);
        if (gpu_model_is(&model, cards[i].name) != cards[i].same_chip)
            fail_msg("%s: is it %s's chip?", cards[i].name, model.id);
        assert_int_equal(gpu_model_stands_in(&model, cards[i].name, line, sizeof line), !cards[i].same_chip);
        assert_true(cards[i].same_chip ? *line == '\0' : strstr(line, model.name) != NULL);
    }
    folder_remove(folder);
}

/* A model is a file and nothing else: one more in the folder stands for its own card at once. */
static void a_new_file_is_a_new_model(void **state) {
    char folder[] = "/tmp/models-XXXXXX", error[512] = "";
    assert_non_null(mkdtemp(folder));
    char *base = test_model_text("h200"), *text = test_model_text("a100"),
         *name = strstr(text, "name = ") + strlen("name = ");
    write_model(folder, "h200", base);
    memcpy(name, "One #", 5);
    write_model(folder, "a100", text);
    memcpy(name, "Two #", 5);
    write_model(folder, "rtx3090", text);
    struct gpu_model model;
    assert_true(gpu_model_nearest(folder, "NVIDIA GeForce RTX 3090", 8, 6, &model, error, sizeof error));
    assert_string_equal(model.id, "rtx3090");
    assert_true(gpu_model_nearest(folder, "two", 8, 6, &model, error, sizeof error));
    assert_string_equal(model.id, "rtx3090");
    assert_true(gpu_model_nearest(folder, "Else", 8, 6, &model, error, sizeof error));
    assert_string_equal(model.id, "a100");

    write_model(folder, "rtx3090", "name = Two\n"); /* one that is wrong is told, not passed over */
    assert_false(gpu_model_nearest(folder, "NVIDIA A100", 8, 0, &model, error, sizeof error));
    assert_non_null(strstr(error, "rtx3090.ini: the key "));
    folder_remove(folder);
    assert_false(gpu_model_nearest(folder, "NVIDIA A100", 8, 0, &model, error, sizeof error));
    assert_non_null(strstr(error, "no GPU models in /tmp/models-"));
    free(base);
    free(text);
}

/* Byte-level damage must never be taken for a number out of bounds, nor crash: the parser either refuses with
 * a one-line message or gives a model within the bounds. */
static void damage(const char *id, int rounds) {
    char *text = test_model_text(id), directory[PATH_SIZE];
    assert_true(gpu_model_find_directory(directory));
    size_t length = strlen(text);
    uint64_t random = 1;
    int refused = 0;
    for (int round = 0; round < rounds; round++) {
        char *copy = malloc(length + 1);
        assert_non_null(copy);
        memcpy(copy, text, length);
        size_t size = length;
        for (int edit = 0; edit < 1 + round % 3; edit++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            size_t place = (random >> 33) % size;
            switch ((random >> 20) % 3) {
            case 0: copy[place] = (char)(random >> 40); break;
            case 1: copy[place] = "=#\n\t0-9e.x"[(random >> 50) % 10]; break;
            default: size = place + 1; break;
            }
        }
        struct gpu_model model;
        char error[512] = "";
        if (!gpu_model_parse(copy, size, "x.ini", directory, &model, error, sizeof error)) {
            refused++;
            assert_true(strncmp(error, "x.ini", 5) == 0 && strchr(error, '\n') == NULL);
        } else {
            assert_true(model.sm_count >= 1 && model.sm_count <= 4096);
            assert_true(model.clock_mhz >= 100 && model.clock_mhz <= 1e5);
        }
        free(copy);
    }
    assert_true(refused > rounds / 4 && refused < rounds);
    free(text);
}

static void damaged_files_never_crash(void **state) {
    damage("h200", 20000);
    damage("gtx980", 2000); /* it inherits */
}

TESTS(UNIT(every_model_loads), UNIT(known_figures), UNIT(calibrated_model_loads),
      UNIT(wrong_files_are_refused), UNIT(wrong_curves_are_refused), UNIT(sections_and_inheritance),
      UNIT(own_figures_go_before_inherited_ones), UNIT(unknown_model_lists_the_known),
      UNIT(real_gpus_find_their_model), UNIT(a_new_file_is_a_new_model), UNIT(damaged_files_never_crash))
