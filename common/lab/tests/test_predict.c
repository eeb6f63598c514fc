/* Predictions: what may be foretold, what is refused, what came of it. */
#include "support_lab.h"

#include "base/file.h"
#include "lab/learner/predict.h"

static struct predict_keys keys;
static struct report report;

static const char some[] = "[predict limiter]\nread = limiter\nquestion = What?\n"
                           "[predict sectors]\nread = global_load_sectors / global_load_requests\n"
                           "question = How many?\nunit = sectors\ntolerance = 10\n"
                           "[predict speedup]\nread = speedup\nquestion = How fast?\n";

static int set_up(void **state) {
    if (make_folder(state) != 0 ||
        !predict_parse(some, strlen(some), "predict.ini", &keys, error, sizeof error))
        return -1;
    return 0;
}

static int begin(void **state) {
    return report_init(&report, "lab1", "T") ? 0 : -1;
}

static int end(void **state) {
    report_free(&report);
    return 0;
}

/* The student's kernel: 100 requests, 480 sectors, twice as fast, limited by L1. */
static void run(void) {
    struct report_run *yours = report_add_run(&report, "yours");
    assert_non_null(yours);
    yours->speedup = 2;
    yours->time_us = 10;
    struct kernel_report *kernel = report_run_add_kernel(yours);
    assert_non_null(kernel);
    kernel->time_us = 10;
    kernel->time_source = TIME_MODEL;
    kernel->name = strdup("kernel");
    assert_non_null(kernel->name);
    for (int i = 0; i < 3; i++)
        kernel->grid[i] = kernel->block[i] = 1;
    kernel->limiter = GPU_L1;
    kernel->counters.global_load_requests = 100;
    kernel->counters.global_load_sectors = 480;
    kernel->known[COUNTER_global_load_requests] = kernel->known[COUNTER_global_load_sectors] = true;
}

static void take(const char *text) {
    if (!predict_take(&keys, text, &report, error, sizeof error))
        fail_msg("%s", error);
}

static void what_came(void **state) {
    take("limiter=l1 sectors=4.4 speedup=2.3");
    assert_int_equal(report.prediction_count, 3);
    run();
    predict_judge(&keys, &report);
    assert_true(report.predictions[0].right);
    assert_string_equal(report.predictions[1].measured, "4.8");
    assert_true(report.predictions[1].right); /* 8 % off */
    assert_string_equal(report.predictions[2].measured, "2");
    assert_false(report.predictions[2].right);                /* 15 % off */
    assert_true(report_settle(&report, error, sizeof error)); /* the document holds them */
    assert_int_equal(report.prediction_count, 3);
    assert_string_equal(report.predictions[1].predicted, "4.4");
    assert_string_equal(report.predictions[1].unit, "sectors");
    assert_true(report.predictions[1].right && !report.predictions[2].right);
}

static void blanks_do_not_matter(void **state) {
    take("limiter = l1\nsectors\t= 4.4\nspeedup= 2.3\n");
    assert_int_equal(report.prediction_count, 3);
    assert_string_equal(report.predictions[0].predicted, "l1");
    assert_string_equal(report.predictions[1].predicted, "4.4");
    assert_string_equal(report.predictions[2].predicted, "2.3");
    /* a line's value is none of the next one's */
    assert_false(predict_take(&keys, "limiter =\nsectors = 4\n", &report, error, sizeof error));
    assert_false(predict_take(&keys, "limiter: l1", &report, error, sizeof error));
    assert_non_null(strstr(error, "no '=' behind 'limiter:'; the keys are limiter=NAME"));
    assert_null(strstr(error, "PREDICT")); /* it may be a file's text */
    /* one slip costs one answer, and capitals cost nothing */
    assert_false(predict_take(&keys, "Limiter=L1 sectors=4,4 speedup=2", &report, error, sizeof error));
    assert_int_equal(report.prediction_count, 2);
    assert_string_equal(report.predictions[0].predicted, "l1");
}

static void the_last_word_counts(void **state) {
    take("limiter=l1 limiter=dram");
    assert_int_equal(report.prediction_count, 1);
    run();
    predict_judge(&keys, &report);
    assert_false(report.predictions[0].right);
}

static void what_is_refused(void **state) {
    static const char *const wrong[] = {
        "speed=2",      "speedup",      "speedup=",  "speedup=fast", "speedup=inf",
        "speedup=0x10", "limiter=luck", "limiter=1", "speedup=2 x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(predict_take(&keys, wrong[i], &report, error, sizeof error));
        assert_non_null(strstr(error, strncmp(wrong[i], "limiter", 7) == 0
                                          ? "the limits are issue, "
                                          : "the keys are limiter=NAME, sectors=NUMBER, speedup=NUMBER"));
    }
    static const char *const files[] = {"[guess a]\n",
                                        "read = limiter\n",
                                        "[predict a]\nread = luck\n",
                                        "[predict a]\nread = limiter\n",
                                        "[predict a]\nhow = b\n",
                                        "[predict a=b]\nread = limiter\n",
                                        "[predict a]\nread = limiter\nquestion = ?\n[predict a]\n"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct predict_keys other;
        assert_false(predict_parse(files[i], strlen(files[i]), "predict.ini", &other, error, sizeof error));
        assert_non_null(strstr(error, "predict.ini"));
    }
}

/* It is kept until a run has measured something. */
static void it_is_kept(void **state) {
    static struct settings s;
    struct predict_keys own;
    char path[PATH_SIZE];
    assert_true(settings_init(&s, error, sizeof error));
    resolve_lab(&s, "lab1");
    path_print(s.keep, "%s", folder);
    assert_true(path_print(path, "%s/labs/%s-%s", folder, s.lab.id, s.lab.topic));
    assert_true(folder_make(path, error, sizeof error));
    snprintf(s.predict, sizeof s.predict, "speedup=2");
    assert_true(predict_begin(&s, &own, &report, error, sizeof error));
    assert_true(report_set_failure(&report, STAGE_BUILD, "it does not"));
    predict_end(&s, &own, &report); /* nothing was measured */
    s.predict[0] = '\0';
    report_free(&report);
    assert_true(report_init(&report, "lab1", "T"));
    assert_true(predict_begin(&s, &own, &report, error, sizeof error));
    assert_int_equal(report.prediction_count, 1);
    run();
    predict_end(&s, &own, &report);
    assert_true(report.predictions[0].right);
    assert_true(path_print(path, "%s/labs/%s-%s/.prediction", folder, s.lab.id, s.lab.topic));
    assert_int_not_equal(access(path, F_OK), 0);
    settings_free(&s);
}

/* A prediction is of the part that it names, and of the kernel that takes longest. */
static void of_a_part(void **state) {
    static const char two[] = "[predict occupancy]\nread = occupancy\nquestion = ?\npart = B\n"
                              "[predict share]\nread = share\nquestion = ?\npart = B\n"
                              "[predict busy]\nread = busy\nquestion = ?\npart = B\n"
                              "[predict speedup]\nread = speedup\nquestion = ?\npart = C\n";
    struct predict_keys own;
    assert_true(predict_parse(two, strlen(two), "predict.ini", &own, error, sizeof error));
    assert_true(predict_take(&own, "occupancy=50 share=75 busy=20 speedup=2", &report, error, sizeof error));
    run(); /* of no part: an only kernel, with all of the time */
    run();
    struct report_run *yours = &report.runs[1];
    assert_non_null(yours->part = strdup("B"));
    struct kernel_report *second = report_run_add_kernel(yours);
    assert_non_null(second);
    second->time_us = 30;
    yours->time_us = 200; /* most of it in no kernel */
    second->occupancy_theoretical = 0.5;
    predict_judge(&own, &report);
    assert_string_equal(report.predictions[0].measured, "50");
    assert_string_equal(report.predictions[1].measured, "75");
    assert_string_equal(report.predictions[2].measured, "20");
    assert_true(report.predictions[0].right && report.predictions[1].right && report.predictions[2].right);
    assert_string_equal(report.predictions[3].measured, ""); /* there is no such part */
    assert_false(report.predictions[3].right);
}

/* Every lab's own keys can be read, and each asks for something of each of its parts. */
static void the_labs_own(void **state) {
    static struct settings s;
    struct predict_keys own;
    unsigned numbers[LABS_MOST], asking = 0;
    assert_true(settings_init(&s, error, sizeof error));
    unsigned count = lab_numbers(s.root, numbers);
    for (unsigned lab = 0; lab < count && lab < LABS_MOST; lab++) {
        char id[16];
        snprintf(id, sizeof id, "lab%u", numbers[lab]);
        assert_true(lab_load(s.root, id, &s.lab, error, sizeof error));
        if (!predict_load(&s, &own, error, sizeof error))
            fail_msg("%s", error);
        asking += own.count > 0;
        for (unsigned part = 0; own.count > 0 && part < s.lab.part_count; part++) {
            unsigned key = 0;
            while (key < own.count && strcmp(own.keys[key].part, s.lab.parts[part].name) != 0)
                key++;
            if (key == own.count)
                fail_msg("%s foretells nothing of part %s", id, s.lab.parts[part].name);
        }
    }
    assert_true(asking >= 7);
    assert_true(lab_load(s.root, "lab1", &s.lab, error, sizeof error));
    snprintf(s.lab.parts[0].name, sizeof s.lab.parts[0].name, "A");
    assert_false(predict_load(&s, &own, error, sizeof error));
    assert_non_null(strstr(error, "lab1 has no part ''"));
}

TESTS_BETWEEN(set_up, remove_folder, cmocka_unit_test_setup_teardown(what_came, begin, end),
              cmocka_unit_test_setup_teardown(blanks_do_not_matter, begin, end),
              cmocka_unit_test_setup_teardown(the_last_word_counts, begin, end),
              cmocka_unit_test_setup_teardown(what_is_refused, begin, end),
              cmocka_unit_test_setup_teardown(it_is_kept, begin, end),
              cmocka_unit_test_setup_teardown(of_a_part, begin, end), UNIT(the_labs_own))
