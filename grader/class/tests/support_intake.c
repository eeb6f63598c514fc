/* support_intake.c: one download at a time. */
#include "support_intake.h"

struct submissions taken;

bool intake_reads(const char *name, struct submissions_options options) {
    char path[PATH_SIZE];
    submissions_free(&taken);
    taken = (struct submissions){.count = 0};
    options.store = store;
    assert_true(path_join(path, folder, name));
    return submissions_read(path, &options, &taken, error, sizeof error);
}

void intake_with(const char *name, struct submissions_options options) {
    if (!intake_reads(name, options))
        fail_msg("%s", error);
}

void intake(const char *name) {
    intake_with(name, (struct submissions_options){.lab = "lab1"});
}

char *kernel_of(const struct submission *submission) {
    char name[128];
    snprintf(name, sizeof name, "out/kernels/%s.cu", submission->sha256);
    return submission->sha256[0] != '\0' ? class_read(name) : NULL;
}

const struct submission *of(const char *who) {
    for (size_t i = 0; i < taken.count; i++)
        if (strcmp(taken.items[i].claim, who) == 0)
            return &taken.items[i];
    for (size_t i = 0; i < taken.count; i++)
        if (strcmp(taken.items[i].student, who) == 0)
            return &taken.items[i];
    fail_msg("no submission of %s", who);
    return NULL;
}

void assert_kernel(const char *who, const char *text) {
    for (size_t i = 0; i < taken.count; i++) {
        const struct submission *s = &taken.items[i];
        const char *kernel = strcmp(s->student, who) == 0 || strcmp(s->claim, who) == 0 ? kernel_of(s) : NULL;
        if (kernel != NULL && strcmp(kernel, text) == 0)
            return;
    }
    fail_msg("%s has not '%s'", who, text);
}

void assert_problem(const char *who, const char *words) {
    assert_string_equal(of(who)->sha256, "");
    assert_has(of(who)->problem, words);
}

void assert_notes(const char *who, const char *words) {
    assert_has(of(who)->notes, words);
}

void assert_strays(size_t count, const char *words) {
    bool told = false;
    for (size_t i = 0; i < taken.stray_count; i++)
        told = told || strstr(taken.strays[i], words) != NULL;
    if (taken.stray_count != count || (count > 0 && !told))
        fail_msg("%zu lines are told, and none of '%s'", taken.stray_count, words);
}
