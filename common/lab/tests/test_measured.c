/* What was measured, beside what is modelled: the files, which recording is taken, when the model contradicts it. */
#include "support_lab.h"

#include "lab/ladder/measured.h"
#include <math.h>

static struct measured measured;
static struct ladder ladder;

#define LAB(problem)                                                                                         \
    "[lab]\ntitle = T\nproblem = " problem "\nwidth = 64\nheight = 32\npass = 50\n"                          \
    "[goal g]\nmeasure = speedup_share\npoints = 60\nsim = 0.5 1\ncuda = 0.5 1\n"
#define HEAD "[recording]\ngpu = h200\nsize = 64x32\nsource = event\ntaken = 2026-01-02\ncommand = make it\n"
#define RIGHT                                                                                                \
    HEAD "step = a 100\nstep = b 50.5\n"                                                                     \
         "[recording]\ngpu = h200\nsize = 64x32\nsource = ncu\ntaken = 2026-01-02\ncommand = x\n"            \
         "step = b 49\nstep = c 20\n"                                                                        \
         "[recording]\ngpu = t4\nsize = 64x32\nsource = ncu\ntaken = 2026-01-02\ncommand = x\nstep = b 7\n"

static int set_up(void **state) {
    if (make_folder(state) != 0)
        return -1;
    put("labs/lab1-one", "lab.ini", LAB("gemm"));
    put("labs/lab2-two", "lab.ini", LAB("gemm"));
    put("labs/lab3-other", "lab.ini", LAB("contrast"));
    put("solutions/lab1-one", "measured.ini", RIGHT);
    put("solutions/lab2-two", "measured.ini", HEAD "step = d 10\n");
    put("solutions/lab3-other", "measured.ini", HEAD "step = e 1\n");
    return 0;
}

/* As `lab` is asked for in the folder of the test. */
static void open_lab(struct settings *s, const char *lab) {
    *s = settings;
    snprintf(s->root, sizeof s->root, "%s", folder);
    snprintf(s->gpu_name, sizeof s->gpu_name, "NVIDIA H200");
    s->device = DEVICE_SIM;
    if (!lab_load(folder, lab, &s->lab, error, sizeof error) ||
        !measured_load(s, &measured, error, sizeof error))
        fail_msg("%s", error);
    s->width = s->lab.parts[0].width;
    s->height = s->lab.parts[0].height;
}

static double time_of(const char *gpu, uint32_t width, const char *step) {
    double us = NAN;
    return measured_find(&measured, gpu, "", width, 32, step, &us) != NULL ? us : (double)NAN;
}

static void the_first_that_fits_is_taken(void **state) {
    struct settings s;
    open_lab(&s, "lab2");
    assert_int_equal(measured.count, 4); /* lab 3 has another function */
    assert_true(time_of("h200", 64, "b") == 50.5);
    assert_true(time_of("h200", 64, "c") == 20);
    assert_true(time_of("h200", 64, "d") == 10);
    assert_true(time_of("t4", 64, "b") == 7);
    assert_true(isnan(time_of("t4", 64, "a")));
    assert_true(isnan(time_of("h200", 65, "a"))); /* another size */
    open_lab(&s, "lab1");
    assert_true(isnan(time_of("h200", 64, "d"))); /* of a later lab */
}

static void what_is_wrong_is_refused(void **state) {
    static const struct {
        const char *find, *put, *says;
    } bad[] = {
        {"[recording]", "[recordings]", ":1: unknown section [recordings]"},
        {"[recording]\n", "", "before any [recording]"},
        {"gpu = h200\n", "", "needs gpu, size"},
        {"size = 64x32", "size = 64", "WIDTHxHEIGHT"},
        {"size = 64x32", "size = 64x0", "outside"},
        {"source = event", "source = clock", "event or ncu"},
        {"step = a 100", "step = a", "a step's name and its microseconds"},
        {"step = a 100", "step = a 0", "outside"},
        {"step = a 100", "step = a 1 2", "is not a number"},
        {"step = a 100", "stop = a 1", "unknown key 'stop'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[1024];
        struct settings s;
        const char *at = strstr(RIGHT, bad[i].find);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - RIGHT), RIGHT, bad[i].put,
                 at + strlen(bad[i].find));
        put("solutions/lab1-one", "measured.ini", RIGHT);
        open_lab(&s, "lab1");
        put("solutions/lab1-one", "measured.ini", text);
        bool read = measured_load(&s, &measured, error, sizeof error);
        put("solutions/lab1-one", "measured.ini", RIGHT);
        assert_false(read);
        if (strstr(error, bad[i].says) == NULL)
            fail_msg("'%s' does not say '%s'", error, bad[i].says);
    }
}

static void contradictions(void **state) {
    static const struct {
        double modelled, measured;
        bool contradicted;
    } table[] =
        {
            {0.77, 3.4, true},     {1.44, 0.91, true},   {12.5, 1.3, true},
            {1.0, 1.13, true},                           /* it sees nothing */
            {1.0, 1.02, false},    {1.01, 0.985, false}, /* noise */
            {1.24, 1.0, false},    {1.88, 1.85, false},  {2.0, 1.61, false},
            {2.0, 1.59, true},     {0.5, 0.45, false},   {0.99, 1.05, false},
            {0.997, 0.958, false}, /* less than 2 % of the model is no change */
            {0.997, 1.13, true},   {0.97, 1.05, true},
        };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (measured_contradicts(table[i].modelled, table[i].measured) != table[i].contradicted)
            fail_msg("modelled %g, measured %g", table[i].modelled, table[i].measured);
}

static void add_run(struct report *report, const char *step, double us) {
    struct ladder_step *s = &ladder.step[ladder.count];
    struct measure_variant *v = &ladder.variant[ladder.count++];
    *s = (struct ladder_step){.lab = 1};
    *v = (struct measure_variant){0};
    snprintf(s->name, sizeof s->name, "%s", step);
    snprintf(v->name, sizeof v->name, "step %s", step);
    struct report_run *run = report_add_run(report, v->name);
    assert_non_null(run);
    run->time_us = us;
}

static void a_ladder_gets_what_was_measured_at_its_size(void **state) {
    struct settings s;
    struct report report;
    open_lab(&s, "lab1");
    for (int other = 0; other < 2; other++) {
        ladder.count = 0;
        assert_true(report_init(&report, "lab1", "T"));
        add_run(&report, "a", 30); /* measured 100 */
        add_run(&report, "b", 40); /* 50.5: a gain, not a loss */
        add_run(&report, "c", 16); /* 20: as modelled */
        add_run(&report, "z", 1);  /* never measured */
        s.sized = other;
        s.width = other ? 65 : 64;
        assert_true(measured_compare(&measured, &s, &ladder, &report));
        if (other) {
            assert_true(isnan(report.runs[0].measured_us) && isnan(report.runs[1].measured_us));
            /* much of a gain at another size is a warning, no column */
            assert_non_null(
                strstr(report.runs[1].contradicted, "0.75x as fast as a; a real one, at another size (64 x"));
            assert_string_equal(report.runs[2].contradicted, "");
            assert_non_null(strstr(report.measured, "another size (64 x 32)"));
            assert_non_null(strstr(report.measured, "make lab1-steps SIZE=64x32"));
        } else {
            assert_true(report.runs[0].measured_us == 100 && report.runs[2].measured_us == 20);
            assert_non_null(strstr(report.runs[0].contradicted, "a: modelled 30.00 us, measured 100.0 us"));
            assert_non_null(strstr(report.runs[1].contradicted, "0.75x as fast as a, measured 1.98x"));
            assert_string_equal(report.runs[2].contradicted, "");
            assert_true(isnan(report.runs[3].measured_us));
            assert_string_equal(report.runs[3].contradicted, "");
            assert_non_null(strstr(report.measured, "2026-01-02 (make it)"));
        }
        report_free(&report);
    }
    snprintf(s.gpu, sizeof s.gpu, "gtx980");
    assert_true(report_init(&report, "lab1", "T"));
    assert_true(measured_compare(&measured, &s, &ladder, &report));
    assert_non_null(strstr(report.measured, "none were recorded on this GPU"));
    report_free(&report);
}

/* A model that is wrong about the way from baseline to reference is said to be so beside the reference. */
static void a_doubtful_speedup_is_said(void **state) {
    static const struct {
        const char *baseline;
        double us; /* the reference's modelled time: measured 50.5, and the baseline 100 */
        uint32_t width;
        const char *says;
    } table[] = {
        {"steps/step-a.cu", 90, 64, "H200 1.98x as fast as the baseline, not 1.11x: see make lab1-steps"},
        {"steps/step-a.cu", 51, 64, ""}, /* as modelled */
        {"steps/step-a.cu", 90, 65, ""}, /* not measured at this size */
        {"steps/step-z.cu", 90, 64, ""}, /* never measured */
        {"", 90, 64, ""}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct settings s;
        struct report report;
        open_lab(&s, "lab1");
        snprintf(s.lab.baseline, sizeof s.lab.baseline, "%s", table[i].baseline);
        s.width = table[i].width;
        ladder = (struct ladder){.count = 1};
        snprintf(ladder.step[0].name, sizeof ladder.step[0].name, "b");
        snprintf(ladder.variant[0].program, sizeof ladder.variant[0].program, "lab1/reference-90");
        assert_true(report_init(&report, "lab1", "T"));
        assert_non_null(report_add_run(&report, lab_baseline(&s.lab)));
        assert_non_null(report_add_run(&report, "reference"));
        report.runs[0].time_us = 100;
        report.runs[1].time_us = table[i].us;
        measured_doubt(&measured, &s, &ladder, &report);
        if (strstr(report.runs[1].note, table[i].says) == NULL ||
            (*table[i].says == '\0' && report.runs[1].note[0] != '\0'))
            fail_msg("%zu: '%s'", i, report.runs[1].note);
        report_free(&report);
    }
}

/* A lab that has such a file has every one of its steps in it. */
static void the_labs_own_steps_were_measured(void **state) {
    unsigned numbers[LABS_MOST], labs = lab_numbers(settings.root, numbers), seen = 0;
    for (unsigned i = 0; i < labs; i++) {
        struct settings s = settings;
        char id[16], path[PATH_SIZE];
        snprintf(id, sizeof id, "lab%u", numbers[i]);
        if (!lab_load(s.root, id, &s.lab, error, sizeof error) ||
            !measured_load(&s, &measured, error, sizeof error))
            fail_msg("%s", error);
        path_print(path, "%s/solutions/%s-%s/measured.ini", s.root, id, s.lab.topic);
        if (access(path, F_OK) != 0)
            continue;
        ladder.count = 0;
        assert_true(ladder_add(&ladder, &s, numbers[i], error, sizeof error));
        for (unsigned k = 0; k < ladder.count; k++) {
            bool found = false;
            for (unsigned r = 0; r < measured.count; r++)
                for (unsigned j = 0; j < measured.recording[r].count; j++)
                    found = found || strcmp(measured.recording[r].step[j].step, ladder.step[k].name) == 0;
            if (!found)
                fail_msg("%s: step %s was not measured", id, ladder.step[k].name);
            seen++;
        }
    }
    assert_true(seen > 0);
}

TESTS_BETWEEN(set_up, remove_folder, UNIT(the_first_that_fits_is_taken), UNIT(what_is_wrong_is_refused),
              UNIT(contradictions), UNIT(a_ladder_gets_what_was_measured_at_its_size),
              UNIT(a_doubtful_speedup_is_said), UNIT(the_labs_own_steps_were_measured))
