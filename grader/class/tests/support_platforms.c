/* support_platforms.c: one class at a time, its files and archives. */
#include "support_platforms.h"

#include <archive.h>
#include <archive_entry.h>

void platform_grade(int status, const char *lab) {
    class_grade(status, "--lab %s --submissions @in --policy @policy.ini --roster @roster.csv", lab);
}

void platform_policy(void) {
    class_policy("points = 100\n");
}

const struct csv *platform_csv(const char *name) {
    static struct csv csv;
    char path[PATH_SIZE];
    csv_free(&csv);
    csv = (struct csv){.row_count = 0};
    snprintf(path, sizeof path, "out/%s", name);
    const char *text = class_read(path);
    if (!csv_parse(&csv, text, strlen(text), name, error, sizeof error))
        fail_msg("%s", error);
    return &csv;
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
    char row[256];
    snprintf(row, sizeof row, "\n%s,%s,%s,", student, lab, points);
    class_has("out/grades.csv", row);
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
