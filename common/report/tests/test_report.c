/* test_report.c: a report is read as it was written, with the same bytes each time; all else is
 * refused. */
#include "base/file.h"
#include "report/document/fields.h"
#include "report/tests/support_analysis.h"

#include <math.h>
#include <sys/stat.h>

static char *text_of(const struct report *report) {
    json_auto_t *json = report_to_json(report);
    assert_non_null(json);
    char *text = json_dumps(json, JSON_COMPACT | REPORT_JSON_FLAGS);
    assert_non_null(text);
    return text;
}

static void comes_back_unchanged(void **state) {
    uint64_t random = 7;
    for (int round = 0; round < 200; round++) {
        ENDED(report_free) struct report report = test_report(&random, round % 4), again;
        if (round % 2 == 1 && report.run_count > 0)
            strcpy(report.runs[0].note, "differs");
        if (round % 2 == 1) /* flags and a run's note: parts that may be absent */
            assert_true(report_add_flag(&report, "host-answer", "moved") &&
                        report_add_flag(&report, "crash", "ended") &&
                        report_add_flag(&report, "crash", "again"));
        if (round % 3 == 1) /* the third */
            assert_true(report_add_remark(&report, "unwritten", "3 x 5", "k.cu", 7, "reads", 2) &&
                        report_add_remark(&report, "race", "3 x 5", "k.cu", 7, "another", 1) &&
                        report_add_remark(&report, "unwritten", "9 x 9", "k.cu", 7, "reads again", 40) &&
                        report_add_remark(&report, "early", "3 x 5", "", 0, "reads byte 0 of 512", 2) &&
                        report_add_remark(&report, "early", "3 x 5", "", 0, "reads byte 16 of 80", 1) &&
                        report_add_remark(&report, "early", "9 x 9", "", 0, "reads byte 16 of 8", 1) &&
                        report_add_remark(&report, "early", "3 x 5", "", 0, "reads byte 0 of 512", 3) &&
                        report_add_remark(&report, "early", "9 x 9", "", 0, "writes byte 16 of 8", 1));
        char *text = text_of(&report), error[REPORT_ERROR_SIZE];
        json_auto_t *json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
        assert_non_null(json);
        if (!report_from_json(&again, json, error, sizeof error))
            fail_msg("%s", error);
        FREED char *second = text_of(&again);
        assert_string_equal(text, second);
        /* Not only the text: the structures are equal too. */
        assert_int_equal(again.problem.seed, report.problem.seed);
        assert_memory_equal(&again.wrong, &report.wrong, sizeof again.wrong);
        assert_int_equal(again.cases_passed, report.cases_passed);
        assert_int_equal(again.flag_count, round % 2 == 1 ? 2 : 0);
        assert_int_equal(strstr(text, "\"flags\"") != NULL, round % 2 == 1);
        assert_int_equal(again.remark_count, round % 3 == 1 ? 4 : 0);
        assert_int_equal(strstr(text, "\"remarks\"") != NULL, round % 3 == 1);
        if (again.remark_count) {
            assert_int_equal(again.remarks[0].count, 42); /* the same kind and line: one, counted */
            assert_string_equal(again.remarks[0].name, "3 x 5");
            assert_int_equal(again.remarks[0].cases, 2);
            assert_int_equal(again.remarks[1].count, 1);
            /* Without a line: one remark, whatever the numbers, with the number of its cases. */
            assert_string_equal(again.remarks[2].message, "reads byte 0 of 512");
            assert_true(again.remarks[2].count == 7 && again.remarks[2].cases == 2);
            assert_true(again.remarks[3].count == 1 && again.remarks[3].cases == 1);
        }
        for (uint32_t r = 0; r < report.run_count; r++)
            assert_string_equal(again.runs[r].note, report.runs[r].note);
        for (uint32_t r = 0; r < report.run_count; r++)
            for (uint32_t k = 0; k < report.runs[r].kernel_count; k++) {
                const struct kernel_report *left = &report.runs[r].kernels[k],
                                           *right = &again.runs[r].kernels[k];
                assert_memory_equal(&left->counters, &right->counters, sizeof left->counters);
                assert_memory_equal(left->known, right->known, sizeof left->known);
                assert_true(left->time_us == right->time_us ||
                            (isnan(left->time_us) && isnan(right->time_us)));
                assert_memory_equal(left->grid, right->grid, sizeof left->grid);
            }
        free(text);
    }
}

/* Whether older kits did not write the key. */
static bool is_younger(const char *key) {
    if (strcmp(key, "tried") == 0 || strcmp(key, "spill_bytes") == 0 || strcmp(key, "constant") == 0 ||
        strcmp(key, "atomic") == 0 || strcmp(key, "tensor") == 0 || strcmp(key, "stalls") == 0 ||
        strcmp(key, "waits") == 0 || strcmp(key, "what_if") == 0 || strcmp(key, "executed") == 0 ||
        strcmp(key, "blocks") == 0)
        return true;
    for (int i = 0; i < COUNTER_COUNT; i++)
        if (strcmp(key, counter_name((enum counter)i)) == 0)
            return true;
    return false;
}

/* Whether the key belongs to a line's facts. */
static bool is_fact(const char *key) {
    for (int i = 0; i < LINE_FACT_COUNT; i++)
        if (strcmp(key, line_fact_name((enum line_fact)i)) == 0)
            return true;
    return strcmp(key, "facts") == 0 || strcmp(key, "array") == 0 || strcmp(key, "lanes") == 0;
}

/* Every key of the document in turn: missing, of a wrong type, beside an unknown one. */
static int refusals(json_t *root, json_t *place, int depth) {
    int count = 0;
    struct report report;
    char error[REPORT_ERROR_SIZE];
    if (json_is_object(place)) {
        json_object_set_new(place, "zzz", json_true());
        assert_false(report_from_json(&report, root, error, sizeof error));
        assert_true(*error != '\0' && strchr(error, '\n') == NULL);
        json_object_del(place, "zzz");
        const char *keys[128];
        size_t key_count = 0;
        const char *key;
        json_t *value;
        json_object_foreach(place, key, value) keys[key_count++] = strdup(key);
        for (size_t i = 0; i < key_count; i++) {
            value = json_incref(json_object_get(place, keys[i]));
            json_object_del(place, keys[i]);
            bool refused = !report_from_json(&report, root, error, sizeof error);
            if (refused == (is_younger(keys[i]) || is_fact(keys[i])))
                fail_msg("%s without %s", refused ? "refused" : "accepted", keys[i]);
            if (!refused)
                report_free(&report);
            else if (strstr(error, keys[i]) == NULL)
                fail_msg("\"%s\" does not name %s", error, keys[i]);
            json_object_set_new(place, keys[i], json_is_boolean(value) ? json_integer(1) : json_true());
            if (report_from_json(&report, root, error, sizeof error))
                fail_msg("accepted a wrong type of %s", keys[i]);
            json_object_set(place, keys[i], value);
            count += 2 + refusals(root, value, depth + 1);
            json_decref(value);
            free((char *)keys[i]);
        }
    } else if (json_is_array(place)) {
        for (size_t i = 0; i < json_array_size(place) && i < 2; i++) {
            json_t *value = json_incref(json_array_get(place, i));
            json_array_set_new(place, i, json_is_string(value) ? json_true() : json_string("x"));
            if (report_from_json(&report, root, error, sizeof error))
                fail_msg("accepted a wrong item, depth %d", depth);
            json_array_set(place, i, value);
            count += 1 + refusals(root, value, depth + 1);
            json_decref(value);
        }
    }
    return count;
}

/* Runs and goals of a lab in parts name their part; in other reports the key is absent. */
static void parts_come_back(void **state) {
    ENDED(report_free) struct report report, again;
    char error[REPORT_ERROR_SIZE];
    assert_true(report_init(&report, "lab4", "T"));
    for (int i = 0; i < 3; i++) {
        struct report_run *run = report_add_run(&report, "yours");
        assert_non_null(run);
        run->time_us = i;
        assert_true(i == 0 || report_set_text(&run->part, i == 1 ? "A" : "B"));
    }
    assert_true(report_add_goal(&report, "share", 0.5, 0, 1, 20, 40));
    FREED char *text = text_of(&report);
    assert_non_null(strstr(text, "\"part\""));
    assert_true(report_set_text(&report.goals[0].part, "B"));
    json_auto_t *json = report_to_json(&report);
    assert_null(json_object_get(json_array_get(json_object_get(json, "runs"), 0), "part"));
    if (!report_from_json(&again, json, error, sizeof error))
        fail_msg("%s", error);
    assert_null(again.runs[0].part);
    assert_string_equal(again.goals[0].part, "B");
    assert_true(report_find_part_run(&again, "B", "yours")->time_us == 2);
    assert_true(report_find_part_run(&again, "", "yours")->time_us == 0);
    assert_null(report_find_part_run(&again, "C", "yours"));
}

static void everything_else_is_refused(void **state) {
    uint64_t random = 3;
    struct report report = test_report(&random, 1), again;
    assert_true(report_set_failure(&report, STAGE_BUILD, "no"));
    json_auto_t *root = report_to_json(&report);
    char error[REPORT_ERROR_SIZE];
    assert_true(refusals(root, root, 0) > 150);
    assert_true(report_from_json(&again, root, error, sizeof error)); /* and it was put together again */
    report_free(&again);
    /* A key may have any characters; the message has one line. */
    assert_int_equal(json_object_set_new(root, "sche\n\x1bma", json_null()), 0);
    assert_false(report_from_json(&again, root, error, sizeof error));
    assert_non_null(strstr(error, "unknown key \"sche??ma\""));
    assert_null(strpbrk(error, "\n\x1b"));
    assert_int_equal(json_object_del(root, "sche\n\x1bma"), 0);
    json_object_set_new(root, "schema", json_integer(3));
    assert_false(report_from_json(&again, root, error, sizeof error));
    assert_non_null(strstr(error, "schema: not 1 or 2"));
    /* Keys new in schema 2 are unknown in schema 1. */
    json_object_set_new(root, "schema", json_integer(1));
    assert_false(report_from_json(&again, root, error, sizeof error));
    assert_non_null(strstr(error, "source: not a key of schema 1"));
    report_free(&report);
}

/* A report of schema 1 is read; keys of schema 2 are then empty. */
static void the_first_schema_is_read(void **state) {
    ENDED(report_free) struct report report, again;
    char error[REPORT_ERROR_SIZE];
    if (!report_read(&report, "common/report/tests/data/report-schema1.json", error, sizeof error))
        fail_msg("%s", error);
    assert_string_equal(report.lab, "lab4");
    assert_int_equal(report.case_count, 2);
    assert_int_equal(report.run_count, 4);
    assert_int_equal(report.flag_count, 1);
    assert_string_equal(report.runs[2].part, "B");
    assert_string_equal(report.runs[3].note, "not timed: it needs a real GPU");
    assert_true(report.goals[2].full == 0.01);
    assert_null(report.source);
    assert_null(report.output);
    assert_null(report.criterion);
    assert_null(report.goals[0].measure);
    assert_false(report.wrong.present || report.too_close);
    assert_int_equal(report.file_count + report.part_count, 0);
    assert_true(isnan(report.cpu_us) && isnan(report.score_pass));

    FREED char *text = text_of(&report);
    assert_non_null(strstr(text, "\"schema\":2"));
    assert_true(report_settle(&report, error, sizeof error));
    json_auto_t *json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_true(report_from_json(&again, json, error, sizeof error));
    FREED char *second = text_of(&again), *settled = text_of(&report);
    assert_string_equal(text, second);
    assert_string_equal(text, settled);
}

static void files_are_whole_or_absent(void **state) {
    char folder[] = "/tmp/test_report.XXXXXX", path[128], error[REPORT_ERROR_SIZE];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/report.json", folder);
    uint64_t random = 5;
    struct report report = test_report(&random, 2), again;
    assert_true(report_write(&report, path, error, sizeof error));
    assert_true(report_read(&again, path, error, sizeof error));
    FREED char *left = text_of(&report), *right = text_of(&again);
    assert_string_equal(left, right);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0644);
    report_free(&again);

    /* A truncated file is refused by name. */
    assert_int_equal(truncate(path, status.st_size / 2), 0);
    assert_false(report_read(&again, path, error, sizeof error));
    assert_non_null(strstr(error, path));
    assert_null(again.lab);

    /* A missing folder: one line, and no temporary file is left. */
    char absent[160];
    snprintf(absent, sizeof absent, "%s/no/report.json", folder);
    assert_false(report_write(&report, absent, error, sizeof error));
    assert_non_null(strstr(error, "cannot write"));
    /* A folder in the file's place: rename fails, the temporary file is removed. */
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0755), 0);
    assert_false(report_write(&report, path, error, sizeof error));
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(rmdir(folder), 0); /* only an empty folder can be removed */
    assert_false(report_read(&again, path, error, sizeof error));
    report_free(&report);
}

static void odd_text_is_written(void **state) {
    ENDED(report_free) struct report report;
    assert_true(report_init(&report, "lab1", "caf\xe9 \xff"));
    assert_true(report_add_case(&report, "x", false, "\x80"));
    assert_true(report_set_text(&report.output, "\xc3"));
    char *text = text_of(&report), error[REPORT_ERROR_SIZE];
    assert_non_null(strstr(text, "caf? ?"));
    free(text);
    /* A settled report equals what a reader gets. */
    report.cpu_us = 1234.56789;
    assert_true(report_settle(&report, error, sizeof error));
    assert_string_equal(report.title, "caf? ?");
    assert_string_equal(report.output, "?");
    assert_true(report.cpu_us == 1234.57);
}

static void counters_of_a_run(void **state) {
    struct report report;
    assert_true(report_init(&report, "lab1", "x"));
    struct report_run *run = report_add_run(&report, "yours");
    uint64_t value;
    assert_false(report_run_counter(run, COUNTER_branches, &value));
    for (int i = 0; i < 3; i++) {
        struct kernel_report *kernel = report_run_add_kernel(run);
        kernel->known[COUNTER_branches] = true;
        kernel->counters.branches = 1u << i;
    }
    assert_true(report_run_counter(run, COUNTER_branches, &value));
    assert_int_equal(value, 7);
    run->kernels[1].known[COUNTER_branches] = false;
    assert_false(report_run_counter(run, COUNTER_branches, &value));
    assert_ptr_equal(report_find_run(&report, "yours"), run);
    assert_null(report_find_run(&report, "reference"));
    report_free(&report);
}

/* Keys that are absent if empty: why a goal earns nothing, why a score does not count. */
static void what_is_said_where_it_applies(void **state) {
    struct report report, again;
    char error[REPORT_ERROR_SIZE];
    for (int said = 0; said < 2; said++) {
        assert_true(report_init(&report, "lab1", "T"));
        assert_true(report_add_goal(&report, "speedup", 1, 0, 1, 0, 60));
        if (said)
            assert_true(report_set_text(&report.goals[0].barred, "it spills") &&
                        report_set_text(&report.after, "the next lab: labs/x") &&
                        report_set_text(&report.not_here, "steps, solution") &&
                        report_set_text(&report.not_recorded, "SIZE is not the lab's own"));
        if (said)
            report.steps = (struct report_steps){.count = 4, .reached = 2, .title = "tiles", .next = "more"};
        json_auto_t *json = report_to_json(&report);
        assert_non_null(json);
        assert_int_equal(json_object_get(json, "not_recorded") != NULL, said);
        if (!report_from_json(&again, json, error, sizeof error))
            fail_msg("%s", error);
        assert_int_equal(again.not_recorded != NULL && again.goals[0].barred != NULL, said);
        if (said) {
            assert_string_equal(again.not_recorded, "SIZE is not the lab's own");
            assert_string_equal(again.goals[0].barred, "it spills");
            assert_string_equal(again.after, "the next lab: labs/x");
            assert_string_equal(again.not_here, "steps, solution");
            assert_true(again.steps.count == 4 && again.steps.reached == 2);
            assert_string_equal(again.steps.next, "more");
        }
        report_free(&report);
        report_free(&again);
    }
}

/* Checks the rows "| `object` | keys |" of a record and those below it in the README. Returns their
 * number. */
static int rows_in(const char *readme, const struct record *record, const char *path) {
    char row[1024];
    int count = 0;
    size_t used = (size_t)snprintf(row, sizeof row, "\n| `%s` | ", *path != '\0' ? path : "report"),
           empty = used;
    for (size_t i = 0; i < record->count; i++) {
        const struct field *field = &record->fields[i];
        if (field->key != NULL) /* repeated rows have their names elsewhere */
            used += (size_t)snprintf(row + used, sizeof row - used, "%s`%s`%s", used > empty ? ", " : "",
                                     field->key, field->since == 2 ? " (2)" : "");
    }
    if (used > empty) {
        snprintf(row + used, sizeof row - used, " | ");
        if (strstr(readme, row) == NULL)
            fail_msg("common/report/README.md lacks the row%s", row);
        count++;
    }
    for (size_t i = 0; i < record->count; i++) {
        const struct field *field = &record->fields[i];
        if (field->record == NULL || field->key == NULL)
            continue;
        snprintf(row, sizeof row, "%s%s%s%s", path, *path != '\0' ? "." : "", field->key,
                 field->type == FIELD_LIST ? "[]" : "");
        count += rows_in(readme, field->record, row);
    }
    return count;
}

/* The README's table has exactly the keys of the code. */
static void readme_has_the_keys(void **state) {
    char error[512], *readme = file_read("common/report/README.md", 1 << 20, NULL, error, sizeof error);
    assert_non_null(readme);
    int rows = rows_in(readme, &report_record, ""), there = -1; /* without the heading */
    char *end = strstr(readme, "\n## Findings");
    assert_non_null(end);
    *end = '\0';
    for (const char *at = strstr(readme, "\n| object |"); (at = strstr(at, "\n| ")) != NULL; at++)
        there++;
    assert_int_equal(rows, there);
    free(readme);
}

TESTS(UNIT(readme_has_the_keys), UNIT(what_is_said_where_it_applies), UNIT(comes_back_unchanged),
      UNIT(parts_come_back), UNIT(everything_else_is_refused), UNIT(files_are_whole_or_absent),
      UNIT(odd_text_is_written), UNIT(counters_of_a_run), UNIT(the_first_schema_is_read))
