/* common/tools/public-kernels: what it makes of a recording and of modelled times, and ACCURACY.md, which holds the same of
 * the set. */
#include "base/file.h"
#include "gpu/time/tests/support_gpus.h"

static char folder[] = "/tmp/public-XXXXXX";

static const char programs[] = "program,number,suite,path,arguments,skipped,launches,split\n"
                               "one,1,First,a,,0,3,fit\n"
                               "two,2,Second,b,,0,3,held\n";

/* Columns that the kinds and the top stall follow from. */
#define COLUMNS                                                                                              \
    "gpu__time_duration.sum,smsp__inst_executed.sum,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,"        \
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,l1tex__t_requests_pipe_lsu_mem_global_op_st.sum,"        \
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum,l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum,"      \
    "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum,l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum,"       \
    "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum,smsp__inst_executed_op_shared_atom.sum,"                 \
    "smsp__inst_executed_pipe_fp64.sum,"                                                                     \
    "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio,"                              \
    "smsp__average_warps_issue_stalled_selected_per_issue_active.ratio,"                                     \
    "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio\n"

/* copy in two shapes, then a kernel that is too short to count; two has scattered stores and few blocks, and a kernel that
 * executes other instructions on the GPU. */
static const char recording[] = "program,launch,kernel,grid,block," COLUMNS ",,,,,ns,inst,,,,,,,,,,,,,\n"
                                "one,0,copy,132 1 1,256 1 1,10000,100,10,40,10,40,0,0,0,0,0,0,5,1,2\n"
                                "one,1,copy,264 1 1,256 1 1,20000,100,10,40,10,40,0,0,0,0,0,0,5,1,2\n"
                                "one,2,short,264 1 1,256 1 1,4000,100,10,40,10,40,0,0,0,0,0,0,5,1,2\n"
                                "two,0,scatter,4 1 1,64 1 1,50000,100,10,40,10,320,0,0,0,0,0,0,1,9,2\n"
                                "two,1,spin,4 1 1,64 1 1,50000,100,10,40,10,320,0,0,0,0,0,0,1,9,2\n"
                                "two,2,waits,4 1 1,64 1 1,50000,100,10,40,10,320,0,0,0,0,0,0,1,9,2\n";
static const char modelled[] =
    "program,launch,kernel,grid,block,time_us,timed_by,stall,inst_executed,cpu_seconds\n"
    "one,0,copy,132 1 1,256 1 1,11,code,long_scoreboard,100,1.5\n"
    "one,1,copy,264 1 1,256 1 1,26,code,wait,100,\n"
    "one,2,short,264 1 1,256 1 1,40,code,wait,100,\n"
    "two,0,scatter,4 1 1,64 1 1,25,code,wait,91,0.5\n"
    "two,1,spin,4 1 1,64 1 1,100,code,wait,112,\n"
    "two,2,waits,4 1 1,64 1 1,,code,,100,\n";

static void put(const char *name, const char *text) {
    char path[PATH_SIZE];
    assert_true(path_print(path, "%s/%s", folder, name));
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* What `public-kernels COMMAND` says of two files, and its exit status. */
static int said_of(const char *what, const char *of, const char *by, const char *half, char *text,
                   size_t size) {
    char command[3 * PATH_SIZE];
    snprintf(command, sizeof command, "common/tools/public-kernels %s %s %s %s 2>&1", what, of, by, half);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    text[fread(text, 1, size - 1, pipe)] = '\0';
    return pclose(pipe);
}

static int table(const char *of, const char *by, const char *half, char *text, size_t size) {
    return said_of("table", of, by, half, text, size);
}

static int table_of_folder(const char *half, char *text, size_t size) {
    char of[PATH_SIZE], by[PATH_SIZE];
    assert_true(path_print(of, "%s/recorded.csv", folder));
    assert_true(path_print(by, "%s/modelled.csv", folder));
    return table(of, by, half, text, size);
}

static void assert_has(const char *text, const char *part) {
    if (strstr(text, part) == NULL)
        fail_msg("no \"%s\" in\n%s", part, text);
}

/* copy: 10 % in one shape and 30 % in the other, so 20 %. scatter: half the time. */
static void errors_are_means_over_shapes(void **state) {
    char text[8192];
    put("programs.csv", programs);
    put("recorded.csv", recording);
    put("modelled.csv", modelled);
    assert_int_equal(table_of_folder("", text, sizeof text), 0);
    assert_has(text, "| all | 2 | 35.0 % | 35.0 % | 0 | 1 | two `scatter`, -50 % |");
    assert_has(text, "| fit: fitted on | 1 | 20.0 % | 20.0 % | 0 | 1 | one `copy`, +30 % |");
    assert_has(text, "| stores of more than 16 sectors a request | 1 | 50.0 % |");
    assert_has(text, "| 1 to 4 blocks | 1 | 50.0 % |");
    assert_has(text, "| none of these | 1 | 20.0 % |");
    assert_has(text, "| Second | 1 | 50.0 % |");
    assert_has(text, "| two `scatter` | 4 1 1, 64 1 1 | 50 | -50 % |");
    assert_has(text, "top stall reason is ncu's in 2 of 3 launches");
    assert_has(text, "2 CPU seconds for 2 runs");
    assert_has(text, "| with those that do other work | 3 | 56.7 % | 50.0 % | 0 | 1 | two `spin`, +100 % |");
    assert_has(text, "instructions than the simulator: 1 kernels, two `spin`.");
    assert_has(text, "blocks spin for one another: 1 kernels, two `waits`.");
}

static void a_half_is_shown_alone(void **state) {
    char text[8192];
    assert_int_equal(table_of_folder("fit", text, sizeof text), 0);
    assert_has(text, "one `copy`");
    assert_null(strstr(text, "scatter"));
}

/* The launches of both sides must be the same ones. */
static void other_launches_are_refused(void **state) {
    char text[8192];
    put("modelled.csv", "program,launch,kernel,grid,block,time_us,timed_by,stall,inst_executed,cpu_seconds\n"
                        "one,0,copy,7 1 1,256 1 1,11,code,wait,100,1\n");
    assert_int_not_equal(table_of_folder("", text, sizeof text), 0);
    assert_has(text, "one: no launch of copy, grid 132 1 1, block 256 1 1 was simulated");
    assert_int_not_equal(table("/nowhere/recorded.csv", "/nowhere/modelled.csv", "", text, sizeof text), 0);
    assert_has(text, "/nowhere/programs.csv: No such file or directory");
}

/* The page's tables are those of the set's files. */
static void the_page_is_what_the_files_say(void **state) {
    static char text[65536];
    char error[512] = "";
    assert_int_equal(table("common/gpu/time/public/h200.csv", "common/gpu/time/public/modelled-h200.csv", "",
                           text, sizeof text),
                     0);
    char *page = file_read("ACCURACY.md", 1 << 20, NULL, error, sizeof error);
    assert_non_null(page);
    assert_has(page, text);
    free(page);
}

static void the_model_has_the_bands_of_the_files(void **state) {
    char text[4096], error[512] = "";
    char *model = file_read("common/gpu/models/h200.ini", 1 << 20, NULL, error, sizeof error);
    assert_non_null(model);
    assert_int_equal(said_of("bands", "common/gpu/time/public/h200.csv",
                             "common/gpu/time/public/modelled-h200.csv", "", text, sizeof text),
                     0);
    assert_has(text, "band_full_grid = ");
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        assert_has(model, line);
    free(model);
}

static int set_up(void **state) {
    return mkdtemp(folder) == NULL;
}

static int tear_down(void **state) {
    char command[PATH_SIZE];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

TESTS_BETWEEN(set_up, tear_down, UNIT(errors_are_means_over_shapes), UNIT(a_half_is_shown_alone),
              UNIT(other_launches_are_refused), UNIT(the_page_is_what_the_files_say),
              UNIT(the_model_has_the_bands_of_the_files))
