/*
 * Honest submissions, in every style and with every common mistake: each gets its exact outcome, points and
 * flags, those of honest/expected.csv, and is never taken for one that cheats. All through job.h, as
 * grade-job runs them, one on each core.
 *
 * test_honest --table prints the table anew; every line that changes is to be understood before it is kept.
 */
#include "support_job.h"

#include "base/file.h"
#include "job/job.h"
#include <fcntl.h>
#include <sys/wait.h>

enum { MOST_ROWS = 200, TIMES = 3, LINE = 1024 };

/* A line of the table: what is asked for, what is expected. */
struct row {
    char file[96]; /* of a text in honest/, or, with a slash in it, from the project's folder */
    char lab[8], size[16];
    unsigned seconds;
    char outcome[16], points[16], flags[64];
    pid_t process;
    int status;
};

static struct row rows[MOST_ROWS];
static unsigned row_count;
static char head[LINE], release[16];
static struct bench bench;

/* Mistakes have names too; these are the ones that do not say anybody cheats. */
static const char *const innocent[] = {"crash", "timeout", "input-changed"};

/* ---- the table */

/* The next field, which must fit. */
static bool field(char **rest, char *to, size_t size) {
    size_t length = *rest != NULL ? strcspn(*rest, ",") : size;
    if (length >= size)
        return false;
    memcpy(to, *rest, length);
    to[length] = '\0';
    *rest = (*rest)[length] == ',' ? *rest + length + 1 : NULL;
    return true;
}

static bool read_row(char *line, struct row *row) {
    char *rest = line, seconds[16];
    bool right = field(&rest, row->file, sizeof row->file) && field(&rest, row->lab, sizeof row->lab) &&
                 field(&rest, row->size, sizeof row->size) && field(&rest, seconds, sizeof seconds) &&
                 field(&rest, row->outcome, sizeof row->outcome) &&
                 field(&rest, row->points, sizeof row->points) &&
                 field(&rest, row->flags, sizeof row->flags) && rest == NULL;
    row->seconds = right ? (unsigned)strtoul(seconds, NULL, 10) : 0;
    return right && row->seconds > 0;
}

/* Two lines of heading: the release of the compiler whose points these are, the names of the columns. */
static bool read_table(void) {
    char path[PATH_SIZE], line[LINE];
    path_join(path, bench.home.root, "grader/job/tests/honest/expected.csv");
    FILE *file = fopen(path, "r");
    bool right = file != NULL && fgets(head, sizeof head, file) != NULL &&
                 sscanf(head, "# CUDA %15[0-9.]", release) == 1 && fgets(line, sizeof line, file) != NULL;
    while (right && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        right = row_count < MOST_ROWS && read_row(line, &rows[row_count]);
        row_count++;
    }
    if (file != NULL)
        fclose(file);
    if (!right)
        fprintf(stderr, "%s: line %u is not right\n", path, row_count + 2);
    return right;
}

/* ---- jobs */

/* A row's or a run's name as that of a folder. */
static void output_folder(const char *name, char path[PATH_SIZE]) {
    path_join(path, bench.folder, name);
    for (char *at = path + strlen(bench.folder) + 1; *at != '\0'; at++)
        if (*at == '/')
            *at = '-';
}

/* A job in a process of its own, as job.h wants it. */
static pid_t start(const struct row *row, const char *name) {
    char kernel[PATH_SIZE], output[PATH_SIZE], log[PATH_SIZE], cache[PATH_SIZE], error[PATH_SIZE + 64];
    if (strchr(row->file, '/') != NULL)
        path_join(kernel, bench.home.root, row->file);
    else
        path_print(kernel, "%s/kernels/%s", bench.folder, row->file);
    output_folder(name, output);
    if (!folder_make(output, error, sizeof error) || !path_join(log, output, "log.txt") ||
        !path_join(cache, bench.folder, "cache"))
        return -1;
    fflush(NULL);
    pid_t process = fork();
    if (process != 0)
        return process;
    struct job_options options;
    job_defaults(&options);
    options.lab = row->lab;
    options.size = row->size[0] != '\0' ? row->size : NULL;
    options.kernel = kernel;
    options.output = output;
    options.cache = cache;
    options.device = "sim";
    options.build_seconds = 3600; /* no verdict hangs on how fast this machine is */
    options.run_seconds = row->seconds;
    int descriptor = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (descriptor < 0 || dup2(descriptor, STDERR_FILENO) < 0)
        _exit(99);
    _exit(job_run(&options));
}

/* All rows, one on each core. */
static bool run_rows(void) {
    unsigned started = 0, running = 0, workers = bench_workers();
    while (started < row_count || running > 0) {
        if (started < row_count && running < workers) {
            struct row *row = &rows[started++];
            row->process = start(row, row->file);
            if (row->process < 0)
                return false;
            running++;
            continue;
        }
        int status = 0;
        pid_t ended = wait(&status);
        for (unsigned i = 0; ended > 0 && i < started; i++)
            if (rows[i].process == ended) {
                rows[i].status = WIFEXITED(status) ? WEXITSTATUS(status) : 100;
                rows[i].process = 0; /* its number may be another's soon */
                running--;
            }
        if (ended < 0)
            return false;
    }
    return true;
}

/* What the result says, in the table's words. */
struct found {
    char outcome[16], points[16], flags[64], release[16], message[256];
};

static json_t *load_result(const char *name) {
    char folder[PATH_SIZE], path[PATH_SIZE];
    output_folder(name, folder);
    path_join(path, folder, "result.json");
    return json_load_file(path, 0, NULL);
}

static const char *text(const json_t *value) {
    return json_is_string(value) ? json_string_value(value) : "";
}

static bool read_found(const char *name, struct found *found) {
    json_t *result = load_result(name), *flag = NULL;
    size_t index = 0;
    *found = (struct found){.points = "0.000"};
    if (result == NULL)
        return false;
    snprintf(found->outcome, sizeof found->outcome, "%s", text(json_object_get(result, "outcome")));
    snprintf(found->message, sizeof found->message, "%s", text(json_object_get(result, "message")));
    json_array_foreach(json_object_get(result, "flags"), index, flag) {
        size_t length = strlen(found->flags);
        snprintf(found->flags + length, sizeof found->flags - length, "%s%s", length > 0 ? " " : "",
                 text(json_object_get(flag, "name")));
    }
    const json_t *report = json_object_get(result, "report");
    const json_t *points = json_object_get(json_object_get(report, "score"), "points");
    if (json_is_number(points))
        snprintf(found->points, sizeof found->points, "%.3f", json_number_value(points));
    snprintf(found->release, sizeof found->release, "%s",
             text(json_object_get(json_object_get(report, "device"), "toolkit")));
    json_decref(result);
    return true;
}

/* ---- tests */

static int set_up(void **state) {
    return bench.why_not[0] != '\0' || run_rows() ? 0 : -1;
}

static int tear_down(void **state) {
    return bench_close(&bench);
}

static bool is_innocent(const char *flag, size_t length) {
    for (size_t i = 0; i < sizeof innocent / sizeof *innocent; i++)
        if (strlen(innocent[i]) == length && strncmp(flag, innocent[i], length) == 0)
            return true;
    return false;
}

static void test_row(void **state) {
    const struct row *row = *state;
    struct found found;
    bench_need_isolation(&bench);
    assert_true(read_found(row->file, &found));
    for (const char *at = found.flags; *at != '\0'; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        if (!is_innocent(at, length))
            fail_msg("%s is honest and was flagged: %s (%s)", row->file, found.flags, found.message);
        at += length;
    }
    /* Another release writes other PTX: its points are its own. */
    bool same_release = found.release[0] == '\0' || strcmp(found.release, release) == 0;
    if (row->status != 0 || strcmp(row->outcome, found.outcome) != 0 ||
        strcmp(row->flags, found.flags) != 0 || (same_release && strcmp(row->points, found.points) != 0))
        fail_msg("%s: expected %s, %s points, flags '%s'; got %s, %s points, flags '%s' (%s)", row->file,
                 row->outcome, row->points, row->flags, found.outcome, found.points, found.flags,
                 found.message);
}

/* The result of one run, without its wall-clock times. */
static char *canonical(const char *name) {
    json_t *result = load_result(name);
    assert_non_null(result);
    assert_int_equal(0, json_object_del(result, "seconds"));
    char *bytes = json_dumps(result, JSON_INDENT(1));
    json_decref(result);
    return bytes;
}

/* The same file again and again, compiled again, too; the first time is the row's. */
static void test_again(void **state) {
    const struct row *row = *state;
    char name[TIMES][160];
    bench_need_isolation(&bench);
    snprintf(name[0], sizeof name[0], "%s", row->file);
    for (unsigned started = 1, ended = 1; ended < TIMES;) {
        int status = -1;
        if (started < TIMES && started - ended < bench_workers()) {
            snprintf(name[started], sizeof name[started], "again-%u-%s", started, row->file);
            assert_true(start(row, name[started++]) > 0);
            continue;
        }
        assert_true(wait(&status) > 0);
        assert_int_equal(0, status);
        ended++;
    }
    char *first = canonical(name[0]);
    for (unsigned i = 1; i < TIMES; i++) {
        char *other = canonical(name[i]);
        assert_string_equal(first, other);
        free(other);
    }
    free(first);
}

/* ---- the table anew */

static int print_table(void) {
    void *state = NULL;
    if (set_up(&state) != 0)
        return 1;
    printf("%sfile,lab,size,seconds,outcome,points,flags\n", head);
    for (unsigned i = 0; i < row_count; i++) {
        struct found found;
        if (!read_found(rows[i].file, &found))
            snprintf(found.outcome, sizeof found.outcome, "no result");
        printf("%s,%s,%s,%u,%s,%s,%s\n", rows[i].file, rows[i].lab, rows[i].size, rows[i].seconds,
               found.outcome, found.points, found.flags);
        fprintf(stderr, "%-60s %s\n", rows[i].file, found.message);
    }
    return tear_down(&state);
}

static struct row *find(const char *file) {
    for (unsigned i = 0; i < row_count; i++)
        if (strcmp(rows[i].file, file) == 0)
            return &rows[i];
    return NULL;
}

/* Rows are tests of their own, so that each failure names its file; unused entries are skipped. */
static struct CMUnitTest tests[MOST_ROWS + 4];

int main(int count, char **arguments) {
    static const char *const again[] = {"lab1_block_16x16.cu", "lab1_wrong_off_by_one.cu",
                                        "lab1_wrong_syntax.cu"};
    if (bench_open(&bench, NULL, true) != 0 ||
        !bench_expand(&bench, "kernels", "grader/job/tests/honest/*.txt grader/job/tests/honest/*.cu"))
        return 1;
    if (!read_table())
        return 1;
    if (count == 2 && strcmp(arguments[1], "--table") == 0)
        return print_table();
    for (unsigned i = 0; i < row_count; i++)
        tests[i] =
            (struct CMUnitTest){.name = rows[i].file, .test_func = test_row, .initial_state = &rows[i]};
    for (unsigned i = 0; i < 3; i++)
        tests[row_count + i] = (struct CMUnitTest){
            .name = "again the same", .test_func = test_again, .initial_state = find(again[i])};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
