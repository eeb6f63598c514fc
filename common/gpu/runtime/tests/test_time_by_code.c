/* test_time_by_code.c: a program's launches are timed by their machine code, its own or what ptxas makes of its PTX; what is
 * counted stays the same. */
#include "base/file.h"
#include "base/home.h"
#include "base/path.h"
#include "base/test.h"
#include "gpu/runtime/tests/support_programs.h"

#include <sys/stat.h>

enum { SECONDS = 3600 }; /* only a program that hangs needs them */

static struct run run;

static double number_behind(const char *line, const char *key) {
    const char *at = strstr(line, key);
    return at != NULL ? strtod(at + strlen(key), NULL) : 0;
}

struct sums {
    uint32_t launches, by_code, by_ptxas, by_counters;
    uint32_t doubted; /* with a timed_why */
    double time_us, last_us, instructions, sectors, registers, dram_bytes;
    char why[192]; /* the last launch's, "" none */
};

/* Of a program's launches, with these settings, which end at NULL. */
static struct sums sums_with(const char *name, const char *const *settings) {
    static char line[65536];
    char path[64], report[128];
    static const char why_key[] = "\"timed_why\":\"";
    struct sums sums = {0};
    temporary_file(path);
    snprintf(report, sizeof report, "SIMGPU_REPORT=%s", path);
    run_program(&run, name, NULL,
                (const char *const[]){report, "GPU=h200", settings[0],
                                      settings[0] != NULL ? settings[1] : NULL, NULL},
                SECONDS);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (strstr(line, "\"inst_executed\":") == NULL)
            continue;
        sums.launches++;
        assert_true(number_behind(line, "\"time_us\":") > 0);
        sums.last_us = number_behind(line, "\"time_us\":");
        sums.time_us += sums.last_us;
        sums.instructions += number_behind(line, "\"inst_executed\":");
        sums.sectors += number_behind(line, "\"global_load_sectors\":");
        sums.registers += number_behind(line, "\"registers\":");
        sums.dram_bytes += number_behind(line, "\"dram_read_bytes\":");
        sums.by_code += strstr(line, "\"timed_by\":\"code\"") != NULL;
        sums.by_ptxas += strstr(line, "\"timed_by\":\"ptxas\"") != NULL;
        sums.by_counters += strstr(line, "\"timed_by\":\"counters\"") != NULL;
        const char *why = strstr(line, why_key);
        sums.doubted += why != NULL;
        snprintf(sums.why, sizeof sums.why, "%.*s",
                 why != NULL ? (int)strcspn(why + strlen(why_key), "\"") : 0,
                 why != NULL ? why + strlen(why_key) : "");
    }
    fclose(file);
    unlink(path);
    return sums;
}

static struct sums sums_of(const char *model) {
    char time[64];
    snprintf(time, sizeof time, "TIME_MODEL=%s", model);
    return sums_with("tiles-90", (const char *const[]){time, NULL});
}

static void times_differ_counts_do_not(void **state) {
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

/* A kernel's lines come from DRAM again where L2 was emptied since the launch before. */
static void cold_launches_find_nothing_in_l2(void **state) {
    if (!have_program("tiles-90"))
        skip();
    struct sums warm = sums_with("tiles-90", (const char *const[]){"COLD=0", NULL}),
                cold = sums_with("tiles-90", (const char *const[]){"COLD=1", NULL});
    assert_float_equal(cold.instructions, warm.instructions, 0);
    assert_float_equal(cold.sectors, warm.sectors, 0);
    assert_true(cold.dram_bytes > warm.dram_bytes);
}

/* What is known to be missing is said, of the kernel that misses it. */
static void swaps_that_fail_are_left_out(void **state) {
    if (!have_program("swaps"))
        skip();
    struct sums sums = sums_with("swaps", (const char *const[]){"TIME_MODEL=code", NULL});
    assert_int_equal(sums.launches, 2);
    assert_int_equal(sums.by_code, 2);
    assert_int_equal(sums.doubted, 1);
}

/* Words of a structure that are stored one by one leave L1 together, as one store of all does, under bounds as well. */
static void bounded_stores_join(void **state) {
    if (!have_program("parts"))
        skip();
    struct sums sums = sums_with("parts", (const char *const[]){"TIME_MODEL=code", NULL});
    assert_int_equal(sums.by_code, 2);
    assert_true(sums.last_us < 1.5 * (sums.time_us - sums.last_us));
}

/* Blocks or warps that spin for one another have no time, and the report says so; kernels that are like them have. */
static void spinning_has_no_time(void **state) {
    static char line[65536];
    static const char said[] = "wait for one another by spinning: this time is not modelled";
    char path[64], report[128];
    unsigned waits = 0, others = 0;
    if (!have_program("spins"))
        skip();
    temporary_file(path);
    snprintf(report, sizeof report, "SIMGPU_REPORT=%s", path);
    run_program(&run, "spins", NULL, (const char *const[]){report, "GPU=h200", NULL}, SECONDS);
    assert_int_equal(run.status, 0);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (strstr(line, "\"launch\":") == NULL)
            continue;
        bool spins = strstr(line, "\"name\":\"waits_") != NULL && strstr(line, "\"grid\":[1,1,1]") == NULL;
        assert_int_equal(strstr(line, "\"time_us\":null") != NULL, spins);
        assert_int_equal(strstr(line, said) != NULL, spins);
        assert_int_equal(strstr(line, "\"band\":") == NULL, spins);
        *(spins ? &waits : &others) += 1;
    }
    fclose(file);
    unlink(path);
    assert_int_equal(waits, 11);
    assert_int_equal(others, 11);
}

static void other_models_are_refused(void **state) {
    if (!have_program("tiles-90"))
        skip();
    run_program(&run, "tiles-90", NULL, (const char *const[]){"TIME_MODEL=guess", NULL}, SECONDS);
    assert_says(&run, "cannot take \"--time guess\"");
}

/* ---- machine code that ptxas makes */

static char folder[] = "/tmp/test_time_by_code.XXXXXX", cache[64], setting[PATH_SIZE];

/* The toolkit's, as the setting that tells simgpu of it; false: there is none. */
static bool find_ptxas(void) {
    char error[256], command[PATH_SIZE], path[PATH_SIZE];
    struct home home;
    assert_true(home_find(&home, error, sizeof error));
    assert_true(path_print(command, "%s/common/tools/find-cuda tool ptxas 2>/dev/null", home.root));
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    path[fread(path, 1, sizeof path - 1, pipe)] = '\0';
    path[strcspn(path, "\n")] = '\0';
    if (pclose(pipe) != 0 || path[0] == '\0')
        return false;
    return path_print(setting, "SIMGPU_PTXAS=%s", path);
}

/* A program that stands for it, which notes that it was asked. */
static void write_ptxas(const char *compiles) {
    char path[PATH_SIZE], text[512], error[256];
    assert_true(path_print(path, "%s/ptxas", folder));
    snprintf(text, sizeof text,
             "#!/bin/sh\necho asked >>%s/asked\n[ \"$1\" = --version ] && exec echo 1\n%s\n", folder,
             compiles);
    assert_true(file_write(path, text, strlen(text), error, sizeof error));
    assert_int_equal(chmod(path, 0755), 0);
    assert_true(path_print(setting, "SIMGPU_PTXAS=%s", path));
}

static bool was_asked(void) {
    char path[PATH_SIZE];
    assert_true(path_print(path, "%s/asked", folder));
    return access(path, F_OK) == 0;
}

static int make_folder(void **state) {
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(cache, sizeof cache, "XDG_CACHE_HOME=%s", folder);
    return 0;
}

static int remove_folder(void **state) {
    folder_remove(folder);
    return 0;
}

/* The same PTX, as a program that has its machine code with lines, without lines, for another chip alone, and none. */
static void the_time_is_that_of_its_own_code(void **state) {
    static const char *const others[] = {"spills-plain", "spills", "spills-ptx"};
    if (!have_program("spills-lines") || !have_program("spills-plain") || !have_program("spills-ptx") ||
        !find_ptxas())
        skip();
    struct sums own = sums_with("spills-lines", (const char *const[]){setting, cache});
    assert_true(own.launches > 0);
    assert_int_equal(own.by_code, own.launches);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct sums made = sums_with(others[i], (const char *const[]){setting, cache});
        assert_string_equal(run.output, "ok\n"); /* nothing is estimated any more */
        assert_int_equal(made.launches, own.launches);
        assert_int_equal(made.by_ptxas, own.launches);
        assert_float_equal(made.time_us, own.time_us, 0.01 * own.time_us);
        assert_float_equal(made.instructions, own.instructions, 0.01 * own.instructions);
        assert_float_equal(made.registers, own.registers, 0);
        assert_float_equal(made.sectors, own.sectors, 0);
    }
    struct sums counted = sums_with("spills-plain", (const char *const[]){cache, NULL});
    assert_int_equal(counted.by_counters, own.launches); /* nobody said where ptxas is */
    assert_string_equal(counted.why, "machine code: no table of lines (compile with -lineinfo)");
}

/* What cannot be made is said, once, and the launches are timed as if nobody had asked. */
static void it_cannot_be_made(void **state) {
    if (!have_program("spills"))
        skip();
    struct sums counted = sums_with("spills", (const char *const[]){cache, NULL});
    for (int missing = 0; missing < 2; missing++) {
        const char *why = missing ? "no ptxas was found" : "ptxas: error : no";
        write_ptxas("echo 'ptxas error : no'; exit 1");
        if (missing)
            strcpy(setting, "SIMGPU_PTXAS=/nowhere/ptxas");
        struct sums sums = sums_with("spills", (const char *const[]){setting, cache});
        assert_int_equal(sums.by_counters, sums.launches);
        assert_string_equal(sums.why, why);
        assert_float_equal(sums.time_us, counted.time_us, 0);
        assert_says(&run, why);
        assert_null(strstr(strstr(run.output, why) + 1, why));
        assert_says(&run, "times of this program's kernels follow from what is counted");
    }
}

/* Not where the program has all that is needed, and not where times are to follow from what is counted. */
static void it_is_asked_only_when_needed(void **state) {
    if (!have_program("spills-lines") || !have_program("spills"))
        skip();
    write_ptxas("exit 1");
    sums_with("spills-lines", (const char *const[]){setting, NULL});
    struct sums sums = sums_with("spills", (const char *const[]){setting, "TIME_MODEL=counters"});
    assert_int_equal(sums.by_counters, sums.launches);
    assert_string_equal(sums.why, "TIME_MODEL=counters asks for it");
    assert_false(was_asked());
    sums_with("spills", (const char *const[]){setting, cache});
    assert_true(was_asked());
}

TESTS(UNIT(times_differ_counts_do_not), UNIT(cold_launches_find_nothing_in_l2),
      UNIT(swaps_that_fail_are_left_out), UNIT(bounded_stores_join), UNIT(spinning_has_no_time),
      UNIT(other_models_are_refused),
      cmocka_unit_test_setup_teardown(the_time_is_that_of_its_own_code, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(it_cannot_be_made, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(it_is_asked_only_when_needed, make_folder, remove_folder))
