/* support_class.c: folders, archives and runs of the grader for the tests of this room. */
#include "support_class.h"

#include "base/child.h"
#include "base/file.h"
#include "base/home.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>

char folder[PATH_SIZE], in[PATH_SIZE], out[PATH_SIZE], store[PATH_SIZE], policy[PATH_SIZE], roster[PATH_SIZE],
    trace[PATH_SIZE], error[TEXT_ERROR];

/* What class_read and class_shell gave in this test. */
enum { TEXTS = 1 << 14 };
static char *texts[TEXTS];
static unsigned text_count;

static char *keep(char *text) {
    assert_true(text != NULL && text_count < TEXTS);
    return texts[text_count++] = text;
}

int class_set_up(void **state) {
    class_make(folder);
    setenv("SOURCE_DATE_EPOCH", "1767225600", 1); /* pages say when they were written, */
    setenv("TZ", "UTC0", 1);                      /* in this zone */
    bool right = path_join(in, folder, "in") && path_join(out, folder, "out") &&
                 path_join(store, out, "kernels") && path_join(policy, folder, "policy.ini") &&
                 path_join(roster, folder, "roster.csv") && path_join(trace, folder, "trace");
    return right ? setenv("FAKE_GRADE_JOB_TRACE", trace, 1) : -1;
}

int class_tear_down(void **state) {
    while (text_count > 0)
        free(texts[--text_count]);
    folder_remove(folder);
    return unsetenv("FAKE_GRADE_JOB_TRACE");
}

unsigned class_runs(void) {
    unsigned lines = 0;
    for (const char *c = access(trace, F_OK) == 0 ? class_read("trace") : ""; *c != '\0'; c++)
        lines += *c == '\n';
    return lines;
}

void class_make(char folder[PATH_SIZE]) {
    snprintf(folder, PATH_SIZE, "/tmp/test_class.XXXXXX");
    assert_non_null(mkdtemp(folder));
}

static const char *place(const char *name) {
    static char path[PATH_SIZE];
    assert_true(path_join(path, folder, name));
    return path;
}

/* The same in a folder that is there. */
static const char *new_place(const char *name) {
    char parent[PATH_SIZE];
    assert_true(path_print(parent, "%s", place(name)));
    *strrchr(parent, '/') = '\0';
    assert_true(folder_make(parent, error, sizeof error));
    return place(name);
}

void class_write(const char *name, const char *text) {
    assert_true(file_write(new_place(name), text, strlen(text), error, sizeof error));
}

void class_write_at(const char *name, const char *text, int64_t modified) {
    struct timespec times[2] = {{.tv_sec = modified}, {.tv_sec = modified}};
    class_write(name, text);
    assert_int_equal(utimensat(AT_FDCWD, place(name), times, 0), 0);
}

void class_write_all(const char *form, const char *const *names_and_texts) {
    for (; *names_and_texts != NULL; names_and_texts += 2) {
        char name[PATH_SIZE];
        snprintf(name, sizeof name, form, names_and_texts[0]);
        class_write(name, names_and_texts[1]);
    }
}

void class_policy(const char *text) {
    char whole[4096];
    snprintf(whole, sizeof whole, "[class]\nkey = " CLASS_KEY "\n%s", text);
    class_write("policy.ini", whole);
}

void class_delete(const char *name) {
    assert_true(unlink(place(name)) == 0 || errno == ENOENT);
}

bool class_is_there(const char *name) {
    return access(place(name), F_OK) == 0;
}

void class_wait_for(const char *name) {
    for (unsigned tries = 0; !class_is_there(name); tries++) {
        assert_true(tries < 3600 * 100);
        usleep(10000);
    }
}

char *class_read(const char *name) {
    char *text = file_read(place(name), 64 << 20, NULL, error, sizeof error);
    if (text == NULL)
        fail_msg("%s", error);
    return keep(text);
}

char *class_kits(const char *path) {
    char *text = file_read(path, 1 << 20, NULL, error, sizeof error);
    if (text == NULL)
        fail_msg("%s", error);
    return keep(text);
}

char *class_print(const char *format, ...) {
    char *text = NULL;
    va_list values;
    va_start(values, format);
    assert_true(vasprintf(&text, format, values) >= 0);
    va_end(values);
    return keep(text);
}

void class_look(const char *name, bool has, const char *const *words) {
    for (const char *text = class_read(name); *words != NULL; words++)
        (has ? assert_has : assert_has_not)(text, *words);
}

void class_honest(const char *name) {
    struct home home;
    assert_true(home_find(&home, error, sizeof error));
    class_shell(0,
                "cd '%s' && exec common/tools/expand-fixtures '%s/%s' grader/job/tests/honest/*.txt "
                "grader/job/tests/honest/*.cu",
                home.root, folder, name);
}

static void add_member(struct archive *archive, const struct class_member *member) {
    static const char zeros[65536];
    struct archive_entry *entry = archive_entry_new();
    size_t given = member->text != NULL ? strlen(member->text) : 0,
           size = member->size > 0 ? member->size : given;
    archive_entry_set_pathname(entry, member->path);
    archive_entry_set_filetype(entry, member->link != NULL ? AE_IFLNK : AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_mtime(entry, member->modified, 0);
    if (member->link != NULL)
        archive_entry_set_symlink(entry, member->link);
    else
        archive_entry_set_size(entry, (la_int64_t)size);
    assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
    if (given > 0)
        archive_write_data(archive, member->text, given);
    /* a text shorter than its size is followed by zeros */
    for (size_t at = given; at < size; at += sizeof zeros)
        archive_write_data(archive, zeros, size - at < sizeof zeros ? size - at : sizeof zeros);
    archive_entry_free(entry);
}

void class_archive_of(const char *name, const struct class_member *members, size_t count) {
    struct archive *archive = archive_write_new();
    assert_non_null(archive);
    if (strstr(name, ".zip") != NULL) {
        assert_int_equal(archive_write_set_format_zip(archive), ARCHIVE_OK);
    } else {
        assert_int_equal(archive_write_set_format_pax_restricted(archive), ARCHIVE_OK);
        assert_int_equal(archive_write_add_filter_gzip(archive), ARCHIVE_OK);
    }
    assert_int_equal(archive_write_open_filename(archive, new_place(name)), ARCHIVE_OK);
    for (size_t i = 0; i < count; i++)
        add_member(archive, &members[i]);
    assert_int_equal(archive_write_close(archive), ARCHIVE_OK);
    archive_write_free(archive);
}

void class_program(const char *name, char path[PATH_SIZE]) {
    struct home home;
    assert_true(home_find(&home, error, sizeof error));
    assert_true(path_join(path, home.build, name));
}

static pid_t start(const char *format, va_list values) {
    enum { WORDS = 40 };
    char options[4096], paths[WORDS][PATH_SIZE], grade[PATH_SIZE], fake[PATH_SIZE], *rest = NULL;
    const char *all[WORDS + 3] = {grade};
    unsigned count = 1;
    class_program("bin/grade", grade);
    class_program("tests/class/fake-grade-job", fake);
    if (getenv("REAL_JUDGE") == NULL) {
        all[count++] = "--grade-job";
        all[count++] = fake;
    } else if (strcmp(getenv("REAL_JUDGE"), "unsafe") == 0) {
        all[count++] = "--unsafe";
    }
    int length = vsnprintf(options, sizeof options - 16, format, values);
    assert_true(length > 0 && length < (int)sizeof options - 16);
    if (strstr(options, "--out ") == NULL)
        strcat(options, " --out @out");
    for (char *word = strtok_r(options, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        assert_true(count < WORDS && (word[0] != '@' || path_join(paths[count], folder, word + 1)));
        for (char *tab = word; (tab = strchr(tab, '\t')) != NULL;)
            *tab = ' ';
        all[count] = word[0] == '@' ? paths[count] : word;
        count++;
    }
    int output = open(place("output"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    assert_true(output >= 0);
    struct child child = {.arguments = all, .input = CHILD_NOTHING, .output = output, .errors = output};
    pid_t process = child_start(&child);
    close(output);
    assert_true(process > 0);
    return process;
}

pid_t class_start(const char *options, ...) {
    va_list values;
    va_start(values, options);
    pid_t process = start(options, values);
    va_end(values);
    return process;
}

static void ends(pid_t process, int status, const char *words) {
    int ended = child_wait(process, INFINITY);
    const char *output = class_read("output");
    if (ended != status)
        fail_msg("it ended with status %d, not %d, and said: %.2000s", ended, status, output);
    assert_has(output, words);
}

void class_grade(int status, const char *options, ...) {
    va_list values;
    va_start(values, options);
    ends(start(options, values), status, "");
    va_end(values);
}

void class_grade_says(const char *words, int status, const char *options, ...) {
    va_list values;
    va_start(values, options);
    ends(start(options, values), status, words);
    va_end(values);
}

const char *class_grader(void) {
    struct home home;
    assert_true(home_find(&home, error, sizeof error));
    return class_print("KIT=%s BUILD=%s GRADE_OPTIONS='--grade-job %s/tests/class/fake-grade-job'", home.root,
                       home.build, home.build);
}

char *class_shell(int status, const char *command, ...) {
    enum { SAID = 1 << 16 };
    char *text = NULL, *said = keep(calloc(1, SAID));
    va_list values;
    va_start(values, command);
    assert_true(vasprintf(&text, command, values) > 0);
    va_end(values);
    int ended = child_run((const char *const[]){"/bin/bash", "-c", keep(text), NULL}, said, SAID);
    if (status >= 0 ? ended != status : ended == 0)
        fail_msg("%s\nended with status %d, not %d, and said: %s", text, ended, status, said);
    return said;
}

void assert_has(const char *text, const char *words) {
    if (strstr(text, words) == NULL)
        fail_msg("no \"%s\" in: %.3000s", words, text);
}

void assert_has_not(const char *text, const char *words) {
    if (strstr(text, words) != NULL)
        fail_msg("\"%s\" is in: %.3000s", words, text);
}

void class_golden(const char *name) {
    const char *slash = strrchr(name, '/'), *text = class_read(class_print("out/%s", name)),
               *golden = class_print("grader/class/tests/golden/%s", slash != NULL ? slash + 1 : name);
    if (getenv("GOLDEN") != NULL)
        assert_true(file_write(golden, text, strlen(text), error, sizeof error));
    assert_string_equal(text, class_kits(golden));
}
