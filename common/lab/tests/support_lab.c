/* support_lab.c: a scratch folder, files in it, settings of a lab. */
#include "support_lab.h"
#include "base/file.h"

char folder[64], error[SETTINGS_ERROR];
struct settings settings;

int make_folder(void **state) {
    snprintf(folder, sizeof folder, "/tmp/test_harness.XXXXXX");
    return mkdtemp(folder) == NULL || !settings_init(&settings, error, sizeof error);
}

int remove_folder(void **state) {
    settings_free(&settings);
    folder_remove(folder);
    return access(folder, F_OK) == 0;
}

void put(const char *where, const char *name, const char *text) {
    struct file_output output;
    char path[PATH_SIZE];
    assert_true(path_join(path, folder, where));
    assert_true(file_begin(&output, path, name, error, sizeof error));
    fputs(text, output.file);
    assert_true(file_end(&output, error, sizeof error));
}

void resolve_lab(struct settings *s, const char *lab) {
    s->device = DEVICE_SIM;
    if (!settings_resolve(s, lab, error, sizeof error))
        fail_msg("%s", error);
    snprintf(s->folder, sizeof s->folder, "%s", folder);
}
