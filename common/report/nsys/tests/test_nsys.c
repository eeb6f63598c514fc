/* Exports of Nsight Systems: small ones made here, cut ones, and other files. */
#include "base/test.h"
#include "report/nsys/nsys.h"

#include <math.h>
#include <sqlite3.h>

static char folder[] = "/tmp/test_nsys.XXXXXX", path[128], error[512], remarks[512];
static struct nsys_recording recording;

static int set_up(void **state) {
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/a.sqlite", folder);
    return 0;
}

static int tear_down(void **state) {
    unlink(path);
    return rmdir(folder);
}

/* The columns that are read, in the types that nsys 2025.3 writes. */
#define STRINGS                                                                                              \
    "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);"                         \
    "INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel_v7000'), (2, 'cudaMemcpyAsync_v3020'),"              \
    " (3, 'cudaStreamSynchronize_v3020'), (4, 'push_kernel'), (5, 'cudaMalloc_v3020'),"                      \
    " (6, 'cudaMemsetAsync_v3020'), (7, 'cudaFree_v3020'), (8, 'cuKernelGetName'), (9, 'cudaGraphLaunch_v10000');"
#define RUNTIME                                                                                              \
    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass "    \
    "INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL);"
#define DEVICE "start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER, correlationId INTEGER"
#define KERNEL                                                                                               \
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (" DEVICE ", demangledName INTEGER, shortName INTEGER);"
#define MEMCPY                                                                                               \
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (" DEVICE                                                       \
    ", copyKind INTEGER, srcKind INTEGER, dstKind INTEGER);"
#define MEMSET "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (" DEVICE ", value INTEGER);"
#define GRAPH "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (" DEVICE ", graphId INTEGER);"

static void make(const char *sql) {
    sqlite3 *database;
    unlink(path);
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(database));
    sqlite3_close(database);
}

static void read_it(void) {
    if (!nsys_read(&recording, path, error, sizeof error))
        fail_msg("%s", error);
    nsys_remarks(&recording, remarks, sizeof remarks);
}

static void refused(const char *why) {
    error[0] = '\0';
    assert_false(nsys_read(&recording, path, error, sizeof error));
    assert_null(recording.spans);
    if (strstr(error, why) == NULL || strstr(error, path) == NULL || strchr(error, '\n') != NULL)
        fail_msg("%s", error);
}

static void is(size_t at, const char *kind, const char *name, double begin, double time) {
    const json_t *span = json_array_get(recording.spans, at);
    assert_string_equal(json_string_value(json_object_get(span, "kind")), kind);
    assert_string_equal(json_string_value(json_object_get(span, "name")), name);
    assert_true(fabs(json_number_value(json_object_get(span, "begin_us")) - begin) < 1e-9);
    assert_true(fabs(json_number_value(json_object_get(span, "time_us")) - time) < 1e-9);
}

/* Entries before the first call for the GPU's work and after its end are left out; times count from
 * the former. */
static void each_table_is_read(void **state) {
    make(
        STRINGS RUNTIME KERNEL MEMCPY MEMSET
        "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1000, 900000, 0, 1, 1, 5), (1000000, 1004000, 0, 1, 2, 2),"
        " (1004000, 1006000, 0, 1, 3, 6), (1006000, 1006500, 1, 1, 4, 8), (1007000, 1010500, 0, 1, 5, 1),"
        " (1011000, 1040000, 0, 1, 6, 3), (1041000, 1049000, 0, 1, 7, 7);"
        "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1002000, 1008000, 0, 2, 1, 0, 2),"
        " (1030000, 1039000, 0, 9, 2, 2, 1), (1029000, 1029500, 0, 8, 8, 2, 2);"
        "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (1008500, 1009500, 0, 3, 0);"
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1012000, 1022250, 0, 5, 4, 4);"
        "CREATE TABLE TARGET_INFO_GPU (name TEXT); INSERT INTO TARGET_INFO_GPU VALUES ('NVIDIA H200');"
        "CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);"
        "INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_VERSION', '2025.3.2.0');");
    read_it();
    assert_int_equal(json_array_size(recording.spans), 10);
    is(0, "host", "COPY", 0, 4);
    is(1, "HtoD", "pageable", 2, 6);
    is(2, "host", "FILL", 4, 2);
    is(3, "host", "cuKernelGetName", 6, 0.5);
    is(4, "host", "LAUNCH", 7, 3.5);
    is(5, "fill", "", 8.5, 1);
    is(6, "host", "SYNCHRONISE", 11, 29);
    is(7, "kernel", "push_kernel", 12, 10.25);
    is(8, "DtoD", "", 29, 0.5);
    is(9, "DtoH", "", 30, 9);
    assert_true(recording.first_us == 2 && recording.last_us == 39);
    assert_string_equal(recording.gpu, "NVIDIA H200");
    assert_string_equal(recording.version, "2025.3.2.0");
    assert_string_equal(remarks, "");
    nsys_free(&recording);
}

static void graphs_are_told_in_one(void **state) {
    make(STRINGS RUNTIME GRAPH
         "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1000, 9000, 0, 1, 5, 9), (9500, 70000, 0, 1, 6, 3);"
         "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (3000, 69000, 0, 5, 1);");
    read_it();
    assert_int_equal(json_array_size(recording.spans), 3);
    is(0, "host", "GRAPH", 0, 8);
    is(1, "graph", "", 2, 66);
    assert_int_equal(recording.graphs, 1);
    assert_non_null(strstr(remarks, "1 graph is told in one"));
    assert_non_null(strstr(remarks, "--cuda-graph-trace=node"));
    nsys_free(&recording);
    /* With graphs recorded by node, there are kernels and copies. */
    make(STRINGS RUNTIME KERNEL
         "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1000, 9000, 0, 1, 5, 9);"
         "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (3000, 4000, 0, 5, 4, 4), (5000, 7000, 0, 5, 4, 4);");
    read_it();
    assert_int_equal(json_array_size(recording.spans), 3);
    assert_string_equal(remarks, "");
    nsys_free(&recording);
}

static void what_is_left_out_is_said(void **state) {
    make(
        "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, correlationId INTEGER,"
        " copyKind INTEGER, srcKind INTEGER, dstKind INTEGER);"
        "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1000, 2000, 0, 1, 9, 0, 0), (1000, 2000, 0, 1, 77, 0, 0),"
        " (5000, NULL, 0, 1, 1, 1, 2), (6000, 7000, 1, 1, 1, 1, 2), (8000, 9000, 0, 1, 2, 2, 1);");
    read_it();
    assert_int_equal(json_array_size(recording.spans), 2);
    is(0, "HtoD", "", 0, 1);
    is(1, "DtoH", "", 2, 1);
    assert_string_equal(remarks,
                        "2 GPUs worked; they share the rows. 2 copies are no GPU's, or of a kind that is not "
                        "known, and left out. 1 entry has no end and is left out.");
    nsys_free(&recording);
}

static void others_are_refused(void **state) {
    make("CREATE TABLE grades (name TEXT);");
    refused("one without CUDA");
    make(STRINGS RUNTIME "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1000, 900000, 0, 1, 1, 5);");
    refused("no work of a GPU's");
    make("CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER, correlationId INTEGER, deviceId INTEGER);");
    refused("another form than this reads: CUPTI_ACTIVITY_KIND_MEMSET: no such column: t.end");
    make(KERNEL);
    refused("no such table: StringIds");
    make("CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start, end, correlationId, deviceId);"
         "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES ('soon', 2, 3, 4);");
    refused("a start is no number");
    /* A view, which might compute for ever, is no table. */
    make(
        "CREATE VIEW CUPTI_ACTIVITY_KIND_MEMSET AS WITH RECURSIVE t(start) AS (SELECT 1 UNION ALL SELECT start + 1 FROM t)"
        " SELECT start, start + 1 AS end, 0 AS correlationId, 0 AS deviceId FROM t;");
    refused("one without CUDA");
    unlink(path);
    refused("cannot be read");
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (int i = 0; i < 1000; i++)
        fputs("QDSTRM no database ", file);
    assert_int_equal(fclose(file), 0);
    refused("nsys export --type sqlite");
}

/* A truncated export. */
static void a_cut_one_is_refused(void **state) {
    make(STRINGS KERNEL MEMCPY MEMSET
         "WITH RECURSIVE t(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t WHERE i < 2000) "
         "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT i, i + 1, 0, i, 4, 4 FROM t;");
    read_it();
    nsys_free(&recording);
    assert_int_equal(truncate(path, 3 * 4096), 0);
    refused("malformed");
    assert_int_equal(truncate(path, 0), 0); /* SQLite takes an empty file as a database without tables */
    refused("one without CUDA");
}

TESTS_BETWEEN(set_up, tear_down, UNIT(each_table_is_read), UNIT(graphs_are_told_in_one),
              UNIT(what_is_left_out_is_said), UNIT(others_are_refused), UNIT(a_cut_one_is_refused))
