/* test_ncu.c: the profiler's table becomes kernel reports: units, separators and gaps as ncu prints
 * them; other tables are refused. */
#include "report/ncu/csv.h"
#include "report/ncu/ncu.h"
#include "report/tests/support_analysis.h"

#include <math.h>

/* As ncu 2025.3 prints `--csv --page raw`, cut to a few columns; automatic units. */
static const char raw_page[] =
    "==PROF== Connected to process 4711 (/tmp/a.out)\n"
    "==PROF== Profiling \"blur\" - 0: 0%....100% - 3 passes\n"
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block "
    "Size\",\"Grid Size\","
    "\"Device\",\"CC\",\"dram__bytes_read.sum\",\"gpu__time_duration.sum\","
    "\"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum\",\"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\","
    "\"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum\",\"l1tex__data_bank_conflicts_pipe_lsu_mem_"
    "shared_op_st.sum\","
    "\"smsp__inst_executed.sum\",\"sm__warps_active.avg.pct_of_peak_sustained_active\",\"launch__registers_"
    "per_thread\","
    "\"launch__shared_mem_per_block_static\",\"launch__shared_mem_per_block_dynamic\","
    "\"smsp__issue_active.avg.pct_of_peak_sustained_active\",\"l1tex__data_pipe_lsu_wavefronts.avg.pct_of_"
    "peak_sustained_elapsed\","
    "\"l1tex__data_pipe_lsu_wavefronts.sum\",\"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum\"\n"
    "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"Mbyte\",\"us\",\"\",\"sector\",\"\",\"\","
    "\"inst\",\"%\","
    "\"register/thread\",\"byte/block\",\"Kbyte/block\",\"%\",\"%\",\"\",\"\"\n"
    "\"0\",\"4711\",\"a.out\",\"127.0.0.1\",\"blur(const unsigned char *, \"\"x\"\")\",\"1\",\"7\",\"(8, 8, "
    "1)\",\"(320, 200, 1)\","
    "\"0\",\"9.0\",\"4.10\",\"105.41\",\"6,272,000\",\"30,364,232\",\"1,000\",\"234\",\"38,912,000\",\"89."
    "50\",\"24\",\"512\","
    "\"1.02\",\"36.32\",\"80.00\",\"1,000\",\"250\"\n"
    "\"1\",\"4711\",\"a.out\",\"127.0.0.1\",\"other\",\"1\",\"7\",\"(32, 1, 1)\",\"(1, 1, "
    "1)\",\"0\",\"9.0\",\"n/a\",\"2.05\","
    "\"n/a\",\"nan\",\"0\",\"n/a\",\"\",\"inf\",\"16\",\"0\",\"0\",\"-\",\"80.00\",\"0\",\"0\"\n";

static void raw_page_is_read(void **state) {
    ENDED(ncu_free) struct ncu_launches launches;
    char error[256];
    if (!ncu_read(&launches, raw_page, strlen(raw_page), "x.csv", error, sizeof error))
        fail_msg("%s", error);
    assert_int_equal(launches.count, 2);
    const struct kernel_report *first = &launches.items[0], *second = &launches.items[1];
    assert_string_equal(first->name, "blur(const unsigned char *, \"x\")");
    assert_int_equal(first->time_source, TIME_NCU);
    assert_int_equal(first->block[0] * 100 + first->block[1] * 10 + first->block[2], 881);
    assert_int_equal(first->grid[0] * first->grid[1] * first->grid[2], 64000);
    assert_float_equal(first->time_us, 105.41, 1e-9);
    assert_int_equal(first->counters.dram_read_bytes, 4100000);
    assert_int_equal(first->counters.global_load_requests, 6272000);
    assert_int_equal(first->counters.global_load_sectors, 30364232);
    assert_int_equal(first->counters.shared_bank_conflicts, 1234);
    assert_int_equal(first->registers, 24);
    assert_int_equal(first->shared_bytes, 512 + 1020);
    assert_float_equal(first->occupancy_achieved, 0.895, 1e-9);
    assert_float_equal(first->unit_share[GPU_L1], 0.6, 1e-9);
    assert_float_equal(first->unit_share[GPU_SHARED], 0.2, 1e-9);
    assert_int_equal(first->limiter, GPU_L1);
    assert_false(first->known[COUNTER_branches]);
    assert_true(isnan(first->unit_share[GPU_DRAM]));
    /* A metric that was not available is unknown, not zero. */
    assert_false(second->known[COUNTER_dram_read_bytes]);
    assert_false(second->known[COUNTER_global_load_requests]);
    assert_false(second->known[COUNTER_global_load_sectors]);
    assert_false(second->known[COUNTER_shared_bank_conflicts]);
    assert_false(second->known[COUNTER_warp_instructions]);
    assert_true(isnan(second->occupancy_achieved) && isnan(second->unit_share[GPU_ISSUE]));
}

/* Every metric of a counter is asked for, once. */
static void we_ask_for_what_we_read(void **state) {
    char list[8192], *rest = list;
    bool known[COUNTER_COUNT];
    int count = 0;
    assert_true((size_t)snprintf(list, sizeof list, "%s", ncu_metrics()) < sizeof list);
    for (char *metric; (metric = strsep(&rest, ",")) != NULL;)
        for (const char *at = rest; at != NULL; at = strchr(at, ','), at += at != NULL)
            if (strcspn(at, ",") == strlen(metric) && strncmp(at, metric, strlen(metric)) == 0)
                fail_msg("%s is asked for twice", metric);
    test_ncu_knows(known);
    for (int c = 0; c < COUNTER_COUNT; c++)
        count += known[c];
    assert_int_equal(count, 38); /* the rows of the table in ncu.c */
    char options[8192];
    assert_true(ncu_options(options, sizeof options, "gaussian_kernel"));
    assert_non_null(strstr(options, " -k gaussian_kernel"));
    assert_false(ncu_options(options, sizeof options, "x; rm"));
    assert_false(ncu_options(options, 100, NULL));
}

static void medians(void **state) {
    const char *text =
        "kernel,launch,grid,block,gpu__time_duration.sum,smsp__inst_executed.sum,dram__bytes_read.sum\n"
        "unit,,,,ns,inst,byte\n"
        "# a remark between rows\n"
        "a,1,2 1 1,32 1 1,3000,10,7\n"
        "b,1,2 1 1,32 1 1,1,1,1\n"
        "a,2,2 1 1,32 1 1,1000,30,n/a\n"
        "a,3,2 1 1,32 1 1,2000,20,9\n";
    ENDED(ncu_free) struct ncu_launches launches;
    struct kernel_report median;
    char error[256];
    assert_true(ncu_read(&launches, text, strlen(text), "x.csv", error, sizeof error));
    assert_int_equal(launches.count, 4);
    assert_true(ncu_median(&launches, "a", &median));
    assert_float_equal(median.time_us, 2, 1e-12);
    assert_int_equal(median.counters.warp_instructions, 20);
    assert_false(median.known[COUNTER_dram_read_bytes]); /* one launch of three does not know it */
    assert_int_equal(median.grid[0], 2);
    kernel_report_free(&median);
    assert_false(ncu_median(&launches, "c", &median));
}

static void not_a_table(void **state) {
    struct ncu_launches launches;
    char error[256];
    assert_false(ncu_read(&launches, "", 0, "x.csv", error, sizeof error));
    assert_non_null(strstr(error, "x.csv: no column \"Kernel Name\""));
    const char *open = "Kernel Name,b\n\nx,\"no end\n";
    assert_false(ncu_read(&launches, open, strlen(open), "x.csv", error, sizeof error));
    assert_string_equal(error, "x.csv:3: a quote is not closed");
    assert_false(ncu_read(&launches, "a\0b", 3, "x.csv", error, sizeof error));
    assert_false(ncu_read_file(&launches, "/nonexistent.csv", error, sizeof error));
    assert_non_null(strstr(error, "cannot read /nonexistent.csv"));
}

/* Cells written by every rule of the format are read unchanged. */
static void csv_comes_back(void **state) {
    uint64_t random = 5;
    static const char alphabet[] = "ab,\"\n\r 1#=";
    for (int round = 0; round < 2000; round++) {
        char cells[6][3][12], text[1024];
        size_t used = 0;
        int rows = 1 + (int)(test_random(&random) % 6);
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < 3; c++) {
                size_t length = test_random(&random) % 10;
                text[used++] = '"';
                for (size_t i = 0; i < length; i++) {
                    char letter = alphabet[test_random(&random) % (sizeof alphabet - 1)];
                    cells[r][c][i] = letter;
                    if (letter == '"')
                        text[used++] = '"';
                    text[used++] = letter;
                }
                cells[r][c][length] = '\0';
                text[used++] = '"';
                used += (size_t)sprintf(text + used, "%s", c < 2 ? "," : round % 2 ? "\r\n" : "\n");
            }
        if (round % 3 == 0)
            used--; /* the last line end is optional */
        ENDED(csv_free) struct csv csv;
        char error[256];
        if (!csv_parse(&csv, text, used, "x", error, sizeof error))
            fail_msg("%s", error);
        assert_int_equal(csv.row_count, rows);
        for (int r = 0; r < rows; r++) {
            assert_int_equal(csv_width(&csv, (uint32_t)r), 3);
            for (uint32_t c = 0; c < 3; c++)
                assert_string_equal(csv_cell(&csv, (uint32_t)r, c), cells[r][c]);
        }
        assert_string_equal(csv_cell(&csv, 0, 3), "");
        assert_string_equal(csv_cell(&csv, 99, 0), "");
    }
}

/* Every row has its line, also behind comments and fields of several lines. */
static void rows_know_their_lines(void **state) {
    static const char text[] = "# note\na,b\n\n\"two\nlines\",1\n# more\nlast,2";
    ENDED(csv_free) struct csv csv;
    char error[256];
    assert_true(csv_parse(&csv, text, strlen(text), "x.csv", error, sizeof error));
    assert_int_equal(csv.row_count, 3);
    assert_int_equal(csv.row_line[0], 2);
    assert_int_equal(csv.row_line[1], 4);
    assert_int_equal(csv.row_line[2], 7);
}

static void numbers(void **state) {
    double value;
    assert_true(csv_number("6,272,000", &value) && value == 6272000);
    assert_true(csv_number(" 1.5e3 ", &value) && value == 1500);
    assert_true(csv_number("-0.25", &value) && value == -0.25);
    const char *wrong[] = {"", " ", "n/a", "nan", "inf", "0x10", "1 2", "1e999", "--", "1.2.3", ","};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        if (csv_number(wrong[i], &value))
            fail_msg("\"%s\" was taken for %g", wrong[i], value);
}

/* Damaged raw pages (bytes changed, dropped, repeated) are refused or read. */
static void damage_is_survived(void **state) {
    uint64_t random = 9;
    size_t length = sizeof raw_page - 1;
    int read = 0;
    for (int round = 0; round < 20000; round++) {
        FREED char *copy = malloc(length);
        assert_non_null(copy);
        memcpy(copy, raw_page, length);
        size_t size = test_random(&random) % 4 ? length : test_random(&random) % length;
        for (int edit = 0; edit < 3 && size > 0; edit++)
            copy[test_random(&random) % size] = "\",\n\r#=\0009e-x"[test_random(&random) % 12];
        struct ncu_launches launches;
        char error[256] = "";
        if (ncu_read(&launches, copy, size, "x.csv", error, sizeof error)) {
            read++;
            ncu_free(&launches);
        } else {
            assert_true(strncmp(error, "x.csv", 5) == 0 && strchr(error, '\n') == NULL);
        }
    }
    assert_true(read > 1000);
}

/* Warps in each state become shares of all warps' time; all are unknown if one is missing. */
static void reasons_to_wait(void **state) {
    static const char *const known[] = {"selected",     "not_selected",   "wait",
                                        "barrier",      "no_instruction", "long_scoreboard",
                                        "membar",       "drain",          "short_scoreboard",
                                        "imc_miss",     "lg_throttle",    "math_pipe_throttle",
                                        "mio_throttle", "dispatch_stall", "branch_resolving"};
    enum { REASONS = sizeof known / sizeof *known };
    assert_int_equal(REASONS, GPU_STALL_COUNT);
    for (unsigned missing = 0; missing <= REASONS; missing++) {
        char text[4096] = "\"Kernel Name\"", values[256] = "\nk", error[256];
        ENDED(ncu_free) struct ncu_launches launches;
        ENDED(kernel_report_free) struct kernel_report median;
        for (unsigned i = 0; i < REASONS; i++) {
            if (i == missing)
                continue;
            size_t used = strlen(text), end = strlen(values);
            snprintf(text + used, sizeof text - used,
                     ",smsp__average_warps_issue_stalled_%s_per_issue_active.ratio", known[i]);
            snprintf(values + end, sizeof values - end, ",%s",
                     strcmp(known[i], "no_instruction") == 0 ? "6" : "1");
            assert_non_null(strstr(ncu_metrics(), text + used + 1)); /* and is asked for */
        }
        strcat(text, values);
        strcat(text, "\n");
        assert_true(ncu_read(&launches, text, strlen(text), "x.csv", error, sizeof error));
        assert_int_equal(launches.items[0].waits.known, missing == REASONS);
        assert_true(ncu_median(&launches, "k", &median));
        assert_int_equal(median.waits.known, missing == REASONS);
        if (median.waits.known) {
            assert_float_equal(median.waits.share[GPU_STALL_NO_INSTRUCTION], 0.3, 1e-12);
            assert_float_equal(median.waits.share[GPU_STALL_SELECTED], 0.05, 1e-12);
        }
    }
}

TESTS(UNIT(reasons_to_wait), UNIT(raw_page_is_read), UNIT(we_ask_for_what_we_read), UNIT(medians),
      UNIT(not_a_table), UNIT(csv_comes_back), UNIT(rows_know_their_lines), UNIT(numbers),
      UNIT(damage_is_survived))
