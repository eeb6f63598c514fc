/* The labs' experiments: what is there is right, what is wrong in a data file is refused with its line. */
#include "support_lab.h"

#include "base/child.h"
#include "lab/commands/commands.h"
#include "lab/ladder/experiment.h"
#include <dirent.h>
#include <math.h>

static struct experiment experiment;

#define RIGHT                                                                                                \
    "title = T\nsource = steps/step-a.cu\nmacros = WIDE PAD\nprogram = 8 1\ncuda_program = 16 2\n[table]\n"  \
    "shape = {WIDE}+{PAD}\npasses = {shared_load_wavefronts}\ntook = {time}, {tflops}\n"

/* As the data file of a lab's experiment "e". */
static bool load(const char *text, enum device_kind device) {
    struct settings s = {.device = device, .lab = {.id = "lab1", .topic = "x"}};
    snprintf(s.root, sizeof s.root, "%s", folder);
    put("solutions/lab1-x/experiments", "e.ini", text);
    return experiment_load(&s, "e", &experiment, error, sizeof error);
}

static void test_right(void **state) {
    char text[EXPERIMENT_TEXT];
    if (!load(RIGHT, DEVICE_CUDA))
        fail_msg("%s", error);
    assert_int_equal(experiment.program_count, 2);
    assert_string_equal(experiment.program[1].name, "16-2");
    assert_true(load(RIGHT, DEVICE_SIM));
    assert_int_equal(experiment.program_count, 1);
    assert_true(experiment.counted && experiment.column_count == 3 && experiment.fastest == 0);
    struct experiment_program *program = &experiment.program[0];
    assert_true(isnan(program->time_us));
    experiment_value(program, 1, text);
    assert_string_equal(text, "1");
    program->time_us = 2;
    experiment_cell(&experiment, &experiment.column[0], program, 0, text);
    assert_string_equal(text, "8+1");
    experiment_cell(&experiment, &experiment.column[1], program, 0, text);
    assert_string_equal(text, "-"); /* not counted */
    experiment_cell(&experiment, &experiment.column[2], program, 3e6, text);
    assert_string_equal(text, "2.000 us, 1.50");
}

static void test_refusals(void **state) {
    static const struct {
        const char *find, *put, *says;
    } bad[] = {
        {"title = T\n", "", "a title, a program and a [table] are needed"},
        {"title = T", "title =", "e.ini:1: a text of 1 to"},
        {"macros = WIDE PAD\n", "", "e.ini:3: a value for each of the 0 macros"},
        {"program = 8 1", "program = 8", "e.ini:4: a value for each of the 2 macros"},
        {"program = 8 1", "program = 8 -1", "e.ini:4: values without '-'"},
        {"program = 8 1\n", "fastest = 0\n", "e.ini:4: 0 is outside 1 to"},
        {"[table]", "[tables]", "e.ini:6: unknown section [tables]"},
        {"{PAD}", "{HEIGHT}", "e.ini:7: {HEIGHT} is no macro"},
        {"{shared_load_wavefronts}", "{shared_load}", "e.ini:8: {shared_load} is no macro"},
        {"source = ", "sauce = ", "e.ini:2: unknown key 'sauce'"},
        {"program = 8 1\n", "program = 8 1\nsize = 640\n", "e.ini:5: a size is like 640x420"},
        {"program = 8 1\n", "program = 8 1\nsize = 640x0\n", "e.ini:5: a size is like 640x420"},
        {"program = 8 1\n", "program = 8 1\nsize = 64x42\n", "counters are counted at the lab's own size"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[1024];
        const char *at = strstr(RIGHT, bad[i].find);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - RIGHT), RIGHT, bad[i].put,
                 at + strlen(bad[i].find));
        assert_false(load(text, DEVICE_SIM));
        if (strstr(error, bad[i].says) == NULL)
            fail_msg("'%s' does not say '%s'", error, bad[i].says);
    }
}

/* Every program at every size, the sizes of a real GPU there alone; figures beside the time. */
static void test_sizes(void **state) {
    static const char sized[] =
        "title = T\nsource = a.cu\nmacros = N\nprogram = 1\nprogram = 2\nsize = 64x32\n"
        "cuda_size = 128x32\n[table]\nn = {N}\nat = {size}\ncode = {hot_code_bytes}\n"
        "took = {tflops}\n";
    struct kernel_report kernel = {.registers = 40, .waves = 1.5, .hot_code_bytes = 4096};
    char text[EXPERIMENT_TEXT];
    assert_true(load(sized, DEVICE_SIM));
    assert_int_equal(experiment.program_count, 2);
    assert_int_equal(experiment.program[1].width, 64);
    if (!load(sized, DEVICE_CUDA))
        fail_msg("%s", error);
    assert_int_equal(experiment.program_count, 4);
    assert_false(experiment.counted);
    assert_true(experiment.shows[EXPERIMENT_HOT_CODE] && !experiment.shows[EXPERIMENT_WAVES]);
    struct experiment_program *program = &experiment.program[2];
    assert_string_equal(program->name, "1");
    experiment_cell(&experiment, &experiment.column[1], program, 0, text);
    assert_string_equal(text, "128x32");
    experiment_cell(&experiment, &experiment.column[2], program, 0, text);
    assert_string_equal(text, "-");
    assert_true(isnan(experiment_figure_of(&kernel, EXPERIMENT_HOT_CODE)));
    assert_true(experiment_figure_of(&kernel, EXPERIMENT_REGISTERS) == 40);
    kernel.code_known = true;
    program->figure[EXPERIMENT_HOT_CODE] = experiment_figure_of(&kernel, EXPERIMENT_HOT_CODE);
    experiment_cell(&experiment, &experiment.column[2], program, 0, text);
    assert_string_equal(text, "4096");
    program->time_us = 2;
    program->operations = 6e6; /* of its own size, and not the lab's */
    experiment_cell(&experiment, &experiment.column[3], program, 3e6, text);
    assert_string_equal(text, "3.00");
}

/* A name so long that no path holds it is refused like any other that is not there. */
static void test_name_too_long(void **state) {
    static char name[4201];
    static struct settings s;
    char *rest[] = {name, NULL};
    memset(name, 'x', sizeof name - 1);
    assert_true(settings_init(&s, error, sizeof error));
    s.device = DEVICE_SIM;
    snprintf(s.build, sizeof s.build, "%s", folder);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        _exit(freopen("/dev/null", "w", stderr) != NULL ? command_experiment(&s, "lab1", 1, rest) : 99);
    }
    assert_int_equal(child_wait(child, 60), 2);
}

/* Call `look` for the experiments of every lab whose file ends with `suffix`; how many there are. */
static unsigned each(const char *suffix, void (*look)(const char *lab, const char *name)) {
    unsigned numbers[LABS_MOST], count = lab_numbers(settings.root, numbers), found = 0;
    for (unsigned i = 0; i < count; i++) {
        char id[16], path[PATH_SIZE];
        snprintf(id, sizeof id, "lab%u", numbers[i]);
        if (!lab_load(settings.root, id, &settings.lab, error, sizeof error))
            fail_msg("%s", error);
        path_print(path, "%s/solutions/%s-%s/experiments", settings.root, id, settings.lab.topic);
        DIR *experiments = opendir(path);
        for (struct dirent *entry; experiments != NULL && (entry = readdir(experiments)) != NULL;) {
            char name[sizeof entry->d_name];
            strcpy(name, entry->d_name);
            char *end = strrchr(name, '.');
            if (end == NULL || strcmp(end, suffix) != 0)
                continue;
            *end = '\0';
            look(id, name);
            found++;
        }
        if (experiments != NULL)
            closedir(experiments);
    }
    return found;
}

static void look_at_data(const char *lab, const char *name) {
    for (int cuda = 0; cuda < 2; cuda++) {
        settings.device = cuda ? DEVICE_CUDA : DEVICE_SIM;
        if (!experiment_load(&settings, name, &experiment, error, sizeof error))
            fail_msg("%s: %s", lab, error);
        size_t wide = 6; /* the table fits a terminal, as far as its headings say */
        for (unsigned c = 0; c < experiment.column_count; c++)
            wide += 1 + strlen(experiment.column[c].heading);
        assert_in_range(wide, 1, 80);
        for (unsigned i = 0; i < experiment.program_count; i++)
            for (unsigned j = 0; j < i; j++)
                assert_true(strcmp(experiment.program[i].name, experiment.program[j].name) != 0 ||
                            experiment.program[i].width != experiment.program[j].width ||
                            experiment.program[i].height != experiment.program[j].height);
    }
}

static bool beside(const char *lab, const char *name, const char *suffix) {
    char path[PATH_SIZE];
    path_print(path, "%s/solutions/%s-%s/experiments/%s%s", settings.root, lab, settings.lab.topic, name,
               suffix);
    return access(path, F_OK) == 0;
}

/* A program that draws nothing says by its status whether what it looked at is right. */
static void run_program(const char *lab, const char *name) {
    char tool[PATH_SIZE], output[4096];
    if (beside(lab, name, ".ini") || beside(lab, name, ".gp")) /* the source of a list; a measurement */
        return;
    path_join(tool, settings.build, "bin/lab");
    int status = child_run(
        (const char *[]){tool, "experiment", lab, "--device", "sim", "--arch", "90", "--", name, NULL},
        output, sizeof output);
    if (status != 0)
        fail_msg("%s-%s: status %d, %s", lab, name, status, output);
}

static void test_shipped(void **state) {
    assert_true(each(".ini", look_at_data) > 0);
}

static void test_shipped_programs(void **state) {
    if (getenv("SANITIZED") != NULL) {
        print_message("skipped: built with sanitisers the simulator would take minutes\n");
        skip();
    }
    assert_true(each(".cu", run_program) > 0);
}

TESTS_BETWEEN(make_folder, remove_folder, UNIT(test_name_too_long), UNIT(test_right), UNIT(test_refusals),
              UNIT(test_sizes), UNIT(test_shipped), UNIT(test_shipped_programs))
