/* Counting under ncu: a stand-in for ncu runs the program it is given, as ncu would, and prints a table. Recording under nsys
 * likewise. */
#include "support_lab.h"

#include "lab/judge/measure/profiler.h"
#include <limits.h>
#include <sys/stat.h>

static char program[PATH_MAX];

static int set_up(void **state) {
    char relative[512], path[4096];
    snprintf(relative, sizeof relative, "%s/tests/lab/fake-runner", test_build());
    if (make_folder(state) != 0 || realpath(relative, program) == NULL)
        return -1;
    snprintf(settings.folder, sizeof settings.folder, "%s", folder);
    snprintf(path, sizeof path, "%s:%s", folder, getenv("PATH"));
    return setenv("PATH", path, 1);
}

static void remove_file(const char *name) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
}

static int tear_down(void **state) {
    remove_file("ncu");
    remove_file("ncu.txt");
    remove_file("nsys");
    remove_file("timeline.sqlite");
    remove_file("seen");
    return rmdir(folder); /* fails when a case is left behind */
}

/* ncu as a shell script: its last argument is the program. */
static void make_ncu(const char *after) {
    char path[256];
    snprintf(path, sizeof path, "%s/ncu", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "#!/bin/sh\n"
            "echo \"$@\" > %s/seen\n"
            "for last; do :; done\n"
            "echo '==PROF== Connected to process 1'\n"
            "echo 'a line the program printed'\n"
            "\"$last\" || exit 1\n"
            "%s\n",
            folder, after);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0755), 0);
}

static bool count(struct kernel_report **kernels, unsigned *launches) {
    struct problem_case c = {.name = "test", .size = {33, 17}, .key = {{5}}, .pattern = PATTERN_NOISE};
    ENDED(trial_free) struct trial t;
    assert_true(trial_create(&t, problem_find("gaussian_blur"), &c));
    return profiler_count(&settings, program, &t, kernels, launches);
}

static void test_counts(void **state) {
    struct kernel_report *kernels;
    unsigned launches;
    setenv("FAKE", "right", 1);
    make_ncu("echo '\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"gpu__time_duration.sum\","
             "\"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum\"'\n"
             "echo '\"\",\"\",\"\",\"\",\"ns\",\"\"'\n"
             "echo '\"0\",\"blur(int)\",\"(32, 2, 1)\",\"(80, 800, 1)\",\"56384\",\"6,265,280\"'\n"
             "echo '==PROF== Disconnected'");
    assert_true(count(&kernels, &launches));
    assert_int_equal(launches, 1);
    assert_int_equal(kernels[0].grid[1], 800);
    assert_int_equal(kernels[0].counters.global_load_requests, 6265280);
    assert_true(kernels[0].known[COUNTER_global_load_requests]);
    assert_false(kernels[0].known[COUNTER_shared_load_requests]);
    assert_true(kernels[0].time_us > 56.38 && kernels[0].time_us < 56.39);
    kernel_report_free(&kernels[0]);
    free(kernels);
}

static void test_failures(void **state) {
    struct kernel_report *kernels;
    unsigned launches;
    setenv("FAKE", "right", 1);
    make_ncu("echo '==ERROR== ERR_NVGPUCTRPERM'"); /* no table: not permitted */
    assert_false(count(&kernels, &launches));
    make_ncu("exit 1");
    assert_false(count(&kernels, &launches));
    make_ncu("echo '\"damaged"); /* a shell error and half a table */
    assert_false(count(&kernels, &launches));
    setenv("FAKE", "cuda-error", 1); /* the replayed kernel faults */
    make_ncu("exit 0");
    assert_false(count(&kernels, &launches));
}

/* nsys as a shell script: `profile` runs what comes after its options, a shell; where it makes no report, an importer lies
 * beside the real one. */
static void make_nsys(const char *profile, const char *export) {
    char path[256];
    snprintf(path, sizeof path, "%s/nsys", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "#!/bin/sh\n"
            "while [ \"$1\" != -o ]; do echo \"$1\" >> %s/seen; shift; done\n"
            "out=$2; shift 2\n"
            "if [ \"$1\" = sh ]; then\n\"$@\"; %s\nelse %s\nfi\n",
            folder, profile, export);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0755), 0);
}

static bool record(char *output) {
    struct problem_case c = {.name = "test", .size = {33, 17}, .key = {{5}}, .pattern = PATTERN_NOISE};
    ENDED(trial_free) struct trial t;
    *error = '\0';
    assert_true(trial_create(&t, problem_find("gaussian_blur"), &c));
    bool right = profiler_timeline(&settings, program, &t, output, error, sizeof error);
    if (!right && (*error == '\0' || strchr(error, '\n') != NULL))
        fail_msg("%s", error);
    return right;
}

static void is_in(const char *name, const char *text) {
    char path[PATH_MAX], line[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    bool found = false;
    while (!found && fgets(line, sizeof line, file) != NULL)
        found = strstr(line, text) != NULL;
    fclose(file);
    if (!found)
        fail_msg("%s: no %s", path, text);
}

static void test_records(void **state) {
    char output[PATH_SIZE];
    setenv("FAKE", "right", 1);
    remove_file("seen");
    make_nsys("echo report > $out.nsys-rep", "echo an export of $1 > $out");
    assert_true(record(output));
    is_in("timeline.sqlite", "run.nsys-rep");
    is_in("seen", "--cuda-graph-trace=node");
    is_in("seen", "--capture-range=cudaProfilerApi");
    is_in("seen", "--type");
    make_nsys("echo no importer >&2; exit 1", "exit 0"); /* neither report nor recording */
    assert_false(record(output));
    assert_non_null(strstr(error, "recorded nothing"));
    make_nsys("echo recording > $out.qdstrm; exit 1", "exit 0");
    assert_false(record(output));
    assert_non_null(strstr(error, "QdstrmImporter"));
    make_nsys("echo report > $out.nsys-rep", "echo bad report; exit 1");
    assert_false(record(output));
    assert_non_null(strstr(error, "nsys export failed: bad report"));
    setenv("FAKE", "cuda-error", 1);
    make_nsys("echo report > $out.nsys-rep", "exit 0");
    assert_false(record(output));
    assert_non_null(strstr(error, "failed under nsys with status 1"));
}

/* Nowhere: what to install. Beside Nsight Compute, where the importer has to be started by hand. */
static void test_finds_nsys(void **state) {
    char output[PATH_SIZE], line[2048];
    setenv("FAKE", "right", 1);
    make_nsys("echo recording > $out.qdstrm; exit 1", "cat $1 > $out");
    snprintf(
        line, sizeof line,
        "cd %s && mkdir -p other nvidia/nsight-compute/2025.3.1/host/target-linux-x64 "
        "nvidia/nsight-compute/2025.3.1/host/linux-desktop-glibc_2_11_3-x64 && "
        "mv nsys other/nsys && printf '#!/bin/sh\\necho \"imported $(cat $2)\" > $4\\n' > other/importer && "
        "chmod +x other/importer",
        folder);
    assert_int_equal(system(line), 0);
    snprintf(line, sizeof line, "%s/nvidia", folder);
    setenv("NVIDIA_FOLDER", line, 1);
    if (system("command -v nsys >/dev/null") != 0) { /* not on a machine that has it */
        assert_false(record(output));
        assert_non_null(strstr(error, "no nsys: install Nsight Systems"));
        snprintf(
            line, sizeof line,
            "cd %s/nvidia/nsight-compute/2025.3.1/host && mv ../../../../other/nsys target-linux-x64/nsys && "
            "mv ../../../../other/importer linux-desktop-glibc_2_11_3-x64/QdstrmImporter",
            folder);
        assert_int_equal(system(line), 0);
        if (!record(output))
            fail_msg("%s", error);
        is_in("timeline.sqlite", "imported recording");
    }
    unsetenv("NVIDIA_FOLDER");
    snprintf(line, sizeof line, "rm -r %s/other %s/nvidia", folder, folder);
    assert_int_equal(system(line), 0);
}

TESTS_BETWEEN(set_up, tear_down, UNIT(test_counts), UNIT(test_failures), UNIT(test_records),
              UNIT(test_finds_nsys))
