/* test_time_by_code.c: TIME_MODEL=code: a program's launches are timed by their machine code; what is counted stays the same. */
#include "cudart/tests/support_programs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { SECONDS = 120 };

static struct run run;

static double number_behind(const char *line, const char *key) {
    const char *at = strstr(line, key);
    return at != NULL ? strtod(at + strlen(key), NULL) : 0;
}

struct sums {
    uint32_t launches;
    double time_us, instructions, sectors;
};

static struct sums sums_of(const char *model) {
    static char line[65536];
    char path[64], report[128], time[64];
    struct sums sums = {0};
    temporary_file(path);
    snprintf(report, sizeof report, "SIMGPU_REPORT=%s", path);
    snprintf(time, sizeof time, "TIME_MODEL=%s", model);
    run_program(&run, "tiles-90", NULL, (const char *const[]){report, "GPU=h200", time, NULL}, SECONDS);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (strstr(line, "\"inst_executed\":") == NULL)
            continue;
        sums.launches++;
        assert_true(number_behind(line, "\"time_us\":") > 0);
        sums.time_us += number_behind(line, "\"time_us\":");
        sums.instructions += number_behind(line, "\"inst_executed\":");
        sums.sectors += number_behind(line, "\"global_load_sectors\":");
    }
    fclose(file);
    unlink(path);
    return sums;
}

static void times_differ_counts_do_not(void **state) {
    (void)state;
    if (!have_program("tiles-90"))
        skip();
    struct sums counters = sums_of("counters"), code = sums_of("code"), again = sums_of("code");
    assert_true(counters.launches > 0);
    assert_int_equal(code.launches, counters.launches);
    assert_float_equal(code.instructions, counters.instructions, 0);
    assert_float_equal(code.sectors, counters.sectors, 0);
    assert_true(code.time_us != counters.time_us);
    assert_float_equal(again.time_us, code.time_us, 0);
}

static void other_models_are_refused(void **state) {
    (void)state;
    if (!have_program("tiles-90"))
        skip();
    run_program(&run, "tiles-90", NULL, (const char *const[]){"TIME_MODEL=guess", NULL}, SECONDS);
    assert_says(&run, "cannot take \"--time guess\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_differ_counts_do_not),
        cmocka_unit_test(other_models_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
