/* support_platforms.c: one class at a time, its files and archives. */
#include "support_platforms.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>

void platform_grade(const char *lab) {
    const char *arguments[] = {"--lab",    lab,    "--submissions", in,  "--policy", policy,
                               "--roster", roster, "--out",         out, NULL};
    int status = class_grade(folder, arguments);
    if (status != 0)
        fail_msg("%d: %s", status, class_read(folder, "output"));
}

void platform_policy(void) {
    class_write(folder, "policy.ini", "[class]\nkey = " CLASS_KEY "\npoints = 100\n", 0);
}

struct csv platform_csv(const char *name) {
    struct csv csv;
    char error[TEXT_ERROR], path[PATH_SIZE];
    snprintf(path, sizeof path, "out/%s", name);
    char *text = class_read(folder, path);
    if (!csv_parse(&csv, text, strlen(text), name, error, sizeof error))
        fail_msg("%s", error);
    free(text);
    return csv;
}

const char *platform_cell_of(const struct csv *csv, const char *key_column, const char *key,
                             const char *column) {
    int k = csv_column(csv, key_column), c = csv_column(csv, column);
    if (k < 0 || c < 0)
        fail_msg("no column %s or %s", key_column, column);
    for (uint32_t row = 1; row < csv->row_count; row++)
        if (strcmp(csv_cell(csv, row, (uint32_t)k), key) == 0)
            return csv_cell(csv, row, (uint32_t)c);
    fail_msg("no row of %s", key);
    return "";
}

void assert_points(const char *student, const char *lab, const char *points) {
    struct csv csv = platform_csv("grades.csv");
    for (uint32_t row = 1; row < csv.row_count; row++)
        if (strcmp(csv_cell(&csv, row, 0), student) == 0 && strcmp(csv_cell(&csv, row, 1), lab) == 0) {
            assert_string_equal(csv_cell(&csv, row, 2), points);
            csv_free(&csv);
            return;
        }
    fail_msg("%s has no grade in %s", student, lab);
}

/* ---- archives */

struct members members_read(const char *name) {
    struct members members = {.count = 0};
    char path[PATH_SIZE], joined[PATH_SIZE];
    snprintf(joined, sizeof joined, "out/%s", name);
    path_join(path, folder, joined);
    struct archive *archive = archive_read_new();
    struct archive_entry *entry;
    archive_read_support_format_zip(archive);
    assert_int_equal(archive_read_open_filename(archive, path, 10240), ARCHIVE_OK);
    while (archive_read_next_header(archive, &entry) == ARCHIVE_OK) {
        assert_true(members.count < MEMBERS);
        size_t size = 1 << 20;
        char *text = calloc(1, size);
        assert_true(archive_read_data(archive, text, size - 1) > 0);
        members.path[members.count] = strdup(archive_entry_pathname(entry));
        members.text[members.count++] = text;
    }
    archive_read_free(archive);
    return members;
}

void members_free(struct members *members) {
    for (unsigned i = 0; i < members->count; i++) {
        free(members->path[i]);
        free(members->text[i]);
    }
}

const char *members_text(const struct members *members, const char *path) {
    for (unsigned i = 0; i < members->count; i++)
        if (strcmp(members->path[i], path) == 0)
            return members->text[i];
    fail_msg("no %s in the archive", path);
    return "";
}

int platform_grade_status(const char *lab) {
    const char *arguments[] = {"--lab",    lab,    "--submissions", in,  "--policy", policy,
                               "--roster", roster, "--out",         out, NULL};
    return class_grade(folder, arguments);
}
