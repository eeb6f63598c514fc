/* What a timed call asks of the host is remarked upon: what costs time on a GPU, and nothing that does not. */
#include "support_lab.h"

#include "lab/judge/measure/measure.h"

static struct measure_variant variant = {.name = "yours"};

static int set_up(void **state) {
    if (make_folder(state) != 0)
        return 1;
    resolve_lab(&settings, "lab1");
    settings.width = 64;
    return !path_print(variant.program, "%s/kernels/wrong/gaussian_blur/host_habits-90", settings.build);
}

/* The height chooses what the program does (host_habits in wrong/gaussian_blur.txt). */
static void measure(unsigned height, int watched, struct report *report) {
    struct judge_wrong wrong = {0};
    struct failure failure = {0};
    settings.height = height;
    assert_true(report_init(report, "lab1", "T"));
    if (!measure_variants(&settings, 0, &variant, 1, watched,
                          &(struct measure_results){report, &wrong, &failure}))
        fail_msg("height %u: %s", height, failure.message);
}

static void each_habit_has_its_remark(void **state) {
    static const struct {
        unsigned height;
        const char *kind, *says, *other; /* other: a second kind; NULL none */
    } habits[] = {
        {19, "host-overlap", "runs kernels on 2 streams: their modelled times are added up", NULL},
        {20, "host-stream",
         "puts 1 kernel on the default stream, not on the one it is given: a GPU orders that with nothing of the "
         "caller's. Give the stream as the launch's fourth parameter: ",
         NULL},
        {21, "host-stream", "puts 1 kernel on another stream, not on the one it is given", NULL},
        {22, "host-stream", "puts 1 memset on the default stream", NULL},
        {30, "host-wait", "waits for the GPU (cudaDeviceSynchronize once)", NULL},
        {31, "host-wait", "waits for the GPU (cudaStreamSynchronize twice)", NULL},
        {32, "host-stream", "puts 1 copy on the default stream", "host-wait"},
        {33, "host-wait", "waits for the GPU (cudaEventSynchronize once)", NULL},
        {40, "host-allocate", "allocates (once, 4096 bytes)", NULL},
        {41, "host-allocate", "allocates (once, 5000 bytes)", "host-leak"},
        {42, "host-leak", "leaves 4096 bytes (1 allocation) behind", NULL},
        {43, "host-create", "creates an event once", NULL},
    };
    for (size_t i = 0; i < sizeof habits / sizeof *habits; i++) {
        ENDED(report_free) struct report report;
        measure(habits[i].height, 0, &report);
        assert_int_equal(report.remark_count, habits[i].other != NULL ? 2 : 1);
        assert_string_equal(report.remarks[0].kind, habits[i].kind);
        if (strstr(report.remarks[0].message, habits[i].says) == NULL)
            fail_msg("height %u: %s", habits[i].height, report.remarks[0].message);
        if (habits[i].other != NULL)
            assert_string_equal(report.remarks[1].kind, habits[i].other);
    }
}

static void what_costs_nothing_has_none(void **state) {
    static const unsigned heights[] = {11, 12, 13, 14, 15, 16};
    for (size_t i = 0; i < sizeof heights / sizeof *heights; i++) {
        ENDED(report_free) struct report report;
        measure(heights[i], 0, &report);
        if (report.remark_count > 0)
            fail_msg("height %u: %s", heights[i], report.remarks[0].message);
    }
}

/* The reference's habits are not the student's; and where a class is graded nothing is remarked upon. */
static void nobody_else_is_watched(void **state) {
    struct report report;
    measure(30, -1, &report);
    assert_int_equal(report.remark_count, 0);
    report_free(&report);
    settings.grading = true;
    measure(30, 0, &report);
    assert_int_equal(report.remark_count, 0);
    report_free(&report);
    settings.grading = false;
}

/* What the solutions do, every lab's and in every part of it, is not remarked upon. */
static void solutions_have_none(void **state) {
    unsigned numbers[LABS_MOST];
    for (unsigned i = 0, count = lab_numbers(settings.root, numbers); i < count; i++) {
        static struct settings s;
        struct measure_variant solution = {.name = "yours"};
        char id[16];
        assert_true(settings_init(&s, error, sizeof error));
        snprintf(id, sizeof id, "lab%u", numbers[i]);
        resolve_lab(&s, id);
        settings_program(&s, "reference", solution.program);
        s.width = 96;
        s.height = 80;
        for (unsigned part = 0; part < s.lab.part_count; part++) {
            ENDED(report_free) struct report report;
            struct judge_wrong wrong = {0};
            struct failure failure = {0};
            assert_true(report_init(&report, id, "T"));
            if (!measure_variants(&s, part, &solution, 1, 0,
                                  &(struct measure_results){&report, &wrong, &failure}))
                fail_msg("%s: %s", id, failure.message);
            if (report.remark_count > 0)
                fail_msg("%s: %s", id, report.remarks[0].message);
        }
    }
}

TESTS_BETWEEN(set_up, remove_folder, UNIT(each_habit_has_its_remark), UNIT(what_costs_nothing_has_none),
              UNIT(nobody_else_is_watched), UNIT(solutions_have_none))
