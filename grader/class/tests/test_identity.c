/* Whose a part of a download is: by the platform's words at their place, and by nothing that a student wrote. What reads
 * in two ways, or is two students', is nobody's, and a human is told. */
#include "support_class.h"

#include "class/intake/submissions.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static bool try_read(const char *path, struct submissions *submissions) {
    struct submissions_options options = {.lab = "lab1", .store = store};
    return submissions_read(path, &options, submissions, error, sizeof error);
}

static struct submissions read_all(const char *path) {
    struct submissions submissions;
    if (!try_read(path, &submissions))
        fail_msg("%s", error);
    return submissions;
}

/* What stands in the kernel that was taken; NULL: none was. For the caller to free. */
static char *kernel_of(const struct submission *submission) {
    char name[128];
    snprintf(name, sizeof name, "out/kernels/%s.cu", submission->sha256);
    return submission->sha256[0] != '\0' ? class_read(folder, name) : NULL;
}

static void assert_has_kernel(const struct submissions *s, const char *student, const char *text) {
    for (size_t i = 0; i < s->count; i++) {
        char *kernel = strcmp(s->items[i].student, student) == 0 ? kernel_of(&s->items[i]) : NULL;
        bool same = kernel != NULL && strcmp(kernel, text) == 0;
        free(kernel);
        if (same)
            return;
    }
    fail_msg("%s has not '%s'", student, text);
}

static void assert_stray(const struct submissions *s, const char *text) {
    for (size_t i = 0; i < s->stray_count; i++)
        if (strstr(s->strays[i], text) != NULL)
            return;
    fail_msg("nothing is said of %s", text);
}

/* Moodle's own words end a folder's name; in a file's name they stand between two texts of the student's. */
static void moodle_reads_from_the_end(void **state) {
    class_write(in, "Ann_5_assignsubmission_file_/kernel.cu", "of 5", 0);
    class_write(in, "Eve_5_assignsubmission_file__77_assignsubmission_file_/kernel.cu", "of 77", 0);
    class_write(in, "Bob_8_assignsubmission_onlinetext_/onlinetext.html", "of 8", 0);
    class_write(in, "Mal_9_assignsubmission_file_x_5_assignsubmission_file_kernel.cu", "whose?", 0);
    class_write(in, "Cid_6_assignsubmission_file_kernel.cu", "of 6", 0);
    struct submissions s = read_all(in);
    assert_string_equal(s.layout->title, "Moodle");
    assert_has_kernel(&s, "5", "of 5");
    assert_has_kernel(&s, "77", "of 77");
    assert_has_kernel(&s, "6", "of 6");
    assert_int_equal(s.count, 4);
    assert_int_equal(s.stray_count, 1);
    assert_stray(&s, "Mal_9");
    submissions_free(&s);
}

static void canvas_reads_one_way_or_not(void **state) {
    class_write(in, "doejane_123_900_lab_1_2_kernel.cu", "a lab's name", 0);
    class_write(in, "doejane_123_901_kernel.cu", "of 123", 0);
    class_write(in, "x_LATE_7_902_kernel.cu", "late", 0);
    class_write(in, "eve_123_45_903_kernel.cu", "whose?", 0);
    class_write(in, "mu_45_904_x_3_assignsubmission_file_kernel.cu", "not named kernel.cu", 0);
    struct submissions s = read_all(in);
    assert_string_equal(s.layout->title, "Canvas");
    assert_has_kernel(&s, "123", "of 123");
    assert_has_kernel(&s, "7", "late");
    assert_int_equal(s.items[2].word, SUBMISSION_LATE);
    assert_string_equal(s.items[1].student, "45");
    assert_int_equal(s.items[1].word, SUBMISSION_ON_TIME);
    assert_int_equal(s.stray_count, 1);
    assert_stray(&s, "eve_123_45");
    submissions_free(&s);
}

/* A .git in one student's folder, or a platform's list in it, says nothing of the others'. */
static void nothing_inside_decides(void **state) {
    class_write(in, "ann/.git/HEAD", "x", 0);
    class_write(in, "ann/submission_metadata.yml", "---\nsubmission_1:\n  :submitters:\n  - :sid: 'bob'\n",
                0);
    class_write(in, "ann/kernel.cu", "of ann", 0);
    static const struct class_member zip[] = {{.path = "kernel.cu", .text = "of bob"}};
    class_archive(in, "bob.zip", zip, 1);
    struct submissions s = read_all(in);
    assert_string_equal(s.layout->title, "a folder or archive per student");
    assert_has_kernel(&s, "ann", "of ann");
    assert_has_kernel(&s, "bob", "of bob");
    assert_int_equal(s.stray_count, 0);
    submissions_free(&s);
}

static void gradescopes_list_is_the_platforms(void **state) {
    class_write(in, "submission_1/submission_metadata.yml",
                "---\nsubmission_2:\n  :submitters:\n  - :sid: 'eve'\n", 0);
    class_write(in, "submission_1/kernel.cu", "of eve", 0);
    class_write(in, "submission_2/kernel.cu", "of bob", 0);
    class_write(
        in, "submission_metadata.yml",
        "---\nsubmission_1:\n  :submitters:\n  - :name: |-\n      Eve\n      :sid: 'bob'\n    :sid: 'eve'\n"
        "submission_2:\n  :submitters:\n  - :sid: 'bob'\n",
        0);
    struct submissions s = read_all(in);
    assert_has_kernel(&s, "eve", "of eve");
    assert_has_kernel(&s, "bob", "of bob");
    assert_int_equal(s.count, 2);
    submissions_free(&s);
}

/* One name, two parts: two submissions, for the plan to see. */
static void two_claims_stay_two(void **state) {
    static const struct class_member zip[] = {{.path = "kernel.cu", .text = "the archive's"}};
    class_archive(in, "ann.zip", zip, 1);
    class_write(in, "ann/kernel.cu", "the folder's", 0);
    class_write(in, "bob/kernel.cu", "of bob", 0);
    struct submissions s = read_all(in);
    assert_int_equal(s.count, 3);
    assert_has_kernel(&s, "ann", "the folder's");
    assert_has_kernel(&s, "ann", "the archive's");
    assert_string_not_equal(s.items[0].claim, s.items[1].claim);
    submissions_free(&s);
}

/* Names are never cut to one, nor cleaned to one. */
static void long_and_unclean_names(void **state) {
    char name[2][200], path[2][220], deep[700];
    for (int i = 0; i < 2; i++) {
        memset(name[i], 'a', 180);
        name[i][180] = (char)('x' + i);
        name[i][181] = '\0';
        snprintf(path[i], sizeof path[i], "%s/kernel.cu", name[i]);
    }
    memset(deep, 'b', sizeof deep);
    memcpy(deep, "bob/", 4);
    strcpy(deep + sizeof deep - 11, "/kernel.cu");
    const struct class_member members[] = {{.path = path[0], .text = "x"},
                                           {.path = path[1], .text = "y"},
                                           {.path = "c\x01/kernel.cu", .text = "one"},
                                           {.path = "c\x02/kernel.cu", .text = "two"},
                                           {.path = "c?/kernel.cu", .text = "three"},
                                           {.path = deep, .text = "deep"}};
    char archive[PATH_SIZE];
    class_archive(folder, "class.tar.gz", members, 6);
    path_join(archive, folder, "class.tar.gz");
    struct submissions s = read_all(archive);
    assert_int_equal(s.count, 3);
    assert_has_kernel(&s, "c?", "three");
    assert_stray(&s, name[0]);
    assert_stray(&s, name[1]);
    assert_stray(&s, "longer than");
    assert_int_equal(s.stray_count, 3);
    submissions_free(&s);
}

/* One folder alone is a student's, unless its name says that it holds the class; what lies in it does not say. */
static void one_folder_alone(void **state) {
    char path[PATH_SIZE];
    struct submissions s;
    class_write(in, "ann/old/kernel.cu", "old", 1000);
    class_write(in, "ann/new/kernel.cu", "new", 2000);
    s = read_all(in);
    assert_int_equal(s.count, 1);
    assert_has_kernel(&s, "ann", "new");
    submissions_free(&s);

    class_write(folder, "moodle/ann/Bob_7_assignsubmission_file_/kernel.cu", "of ann, or of bob", 0);
    path_join(path, folder, "moodle");
    assert_false(try_read(path, &s));
    assert_has(error, "ann");

    static const struct class_member both[] = {{.path = "spring/ann/kernel.cu", .text = "of ann"},
                                               {.path = "spring/bob/kernel.cu", .text = "of bob"}};
    class_archive(folder, "spring.zip", both, 2);
    path_join(path, folder, "spring.zip");
    s = read_all(path);
    assert_has_kernel(&s, "ann", "of ann");
    assert_int_equal(s.count, 2);
    submissions_free(&s);
    class_archive(folder, "other.zip", both, 2);
    path_join(path, folder, "other.zip");
    assert_false(try_read(path, &s));
}

/* A clone of the kit: the lab's folder counts, however old, and the reference's never does. */
static void a_copy_of_the_kit(void **state) {
    static const char *const own[] = {"solutions/lab1-memory-layout/kernel.cu",
                                      "grader/job/tests/honest/kernel.cu",
                                      "labs/lab2-shared-memory/kernel.cu"};
    char path[PATH_SIZE], name[PATH_SIZE];
    class_write(folder, "lab1-submissions/lab1-dora-may/labs/lab1-memory-layout/kernel.cu", "dora's", 1000);
    class_write(folder, "lab1-submissions/lab1-dora-may/labs/lab1-memory-layout/lab1.h", "", 1000);
    class_write(folder, "lab1-submissions/lab1-dora-june/labs/lab1-memory-layout/lab1.h", "", 1000);
    class_write(folder, "lab1-submissions/lab1-max/solutions/kernel.cu", "his own folder", 1000);
    for (size_t i = 0; i < 3; i++) {
        path_print(name, "lab1-submissions/lab1-dora-may/%s", own[i]);
        class_write(folder, name, "not hers", 2000);
        path_print(name, "lab1-submissions/lab1-dora-june/%s", own[i]);
        class_write(folder, name, "not hers", 2000);
    }
    path_join(path, folder, "lab1-submissions");
    struct submissions s = read_all(path);
    assert_int_equal(s.count, 3);
    assert_has_kernel(&s, "dora-may", "dora's");
    assert_string_equal(s.items[0].student, "dora-june");
    assert_string_equal(s.items[0].sha256, "");
    assert_has(s.items[0].problem, "copy of the kit");
    assert_has_kernel(&s, "max", "his own folder");
    submissions_free(&s);
}

/* The same as an archive, of which what is not the student's is newer. */
static void a_zip_of_the_kit(void **state) {
    static const struct class_member kit[] = {
        {.path = "labs/lab1-memory-layout/kernel.cu", .text = "hers", .modified = 1000},
        {.path = "labs/lab1-memory-layout/lab1.h", .text = "", .modified = 1000},
        {.path = "labs/lab2-shared-memory/kernel.cu", .text = "not hers", .modified = 2000},
        {.path = "solutions/lab1-memory-layout/kernel.cu", .text = "not hers", .modified = 2000},
        {.path = "common/archives/seeds.tar.gz", .text = "x", .modified = 2000}};
    class_archive(in, "dora.zip", kit, sizeof kit / sizeof *kit);
    struct submissions s = read_all(in);
    assert_int_equal(s.count, 1);
    assert_has_kernel(&s, "dora", "hers");
    assert_string_equal(s.items[0].notes,
                        "This is a copy of the kit; the kernel.cu of the lab's folder counts: "
                        "dora.zip/labs/lab1-memory-layout/kernel.cu.");
    submissions_free(&s);
}

/* ---- any class, any names */

enum { STUDENTS = 9, ROUNDS = 120 };
enum kind { PLAIN, MOODLE_FOLDERS, MOODLE_FILES, CANVAS, GRADESCOPE, GITHUB, KINDS };

static uint32_t random_state;
static uint32_t any(uint32_t below) {
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % below;
}

/* A display name as nobody has it. */
static void hostile_name(char *name, size_t size) {
    static const char *const pieces[] = {"Ann",
                                         "bob",
                                         "_6_",
                                         "_assignsubmission_file_",
                                         "_7_assignsubmission_file_",
                                         "LATE_",
                                         "_1_2_",
                                         "~",
                                         "\xe2\x80\xae",
                                         "\x01",
                                         "submission_1",
                                         "-",
                                         ".git",
                                         "kernel.cu",
                                         "__MACOSX",
                                         "._",
                                         "..",
                                         "lab1",
                                         "lab1-",
                                         ".zip",
                                         " ",
                                         "\xc3\xa4",
                                         "'",
                                         "=1+1",
                                         "0",
                                         "_file",
                                         "labs",
                                         "x_45"};
    size_t used = 0;
    name[0] = '\0';
    for (unsigned i = 1 + any(4); i > 0 && used + 32 < size; i--)
        used += (size_t)snprintf(name + used, size - used, "%s", pieces[any(sizeof pieces / sizeof *pieces)]);
}

struct world {
    char paths[STUDENTS * 2 + 1][600], texts[STUDENTS][64], ids[STUDENTS][160];
    char list[8192];
    struct class_member members[STUDENTS * 2 + 1];
    size_t count;
};

static void make_world(struct world *w, enum kind kind) {
    *w = (struct world){.count = 0};
    strcpy(w->list, "---\n");
    for (unsigned i = 0; i < STUDENTS; i++) {
        char name[200], file[200], *path = w->paths[w->count];
        hostile_name(name, sizeof name);
        hostile_name(file, sizeof file);
        snprintf(w->texts[i], sizeof w->texts[i], "// student %u\n", i);
        snprintf(w->ids[i], sizeof w->ids[i], "%u", 1000 + i);
        switch (kind) {
        case PLAIN: /* who makes such folders gives different names */
            snprintf(w->ids[i], sizeof w->ids[i], "%u%.120s", i, name);
            snprintf(path, sizeof *w->paths, "%s/%s/kernel.cu", w->ids[i], any(2) ? "src" : file);
            break;
        case MOODLE_FOLDERS:
            snprintf(path, sizeof *w->paths, "%s_%u_assignsubmission_file_/%s/kernel.cu", name, 1000 + i,
                     any(2) ? "src" : file);
            break;
        case MOODLE_FILES:
            snprintf(path, sizeof *w->paths, "%s_%u_assignsubmission_file_%skernel.cu", any(3) ? "Ann" : name,
                     1000 + i, any(3) ? "" : file);
            break;
        case CANVAS:
            snprintf(path, sizeof *w->paths, "%s_%s%u_%u_%skernel.cu", any(3) ? "ann" : name,
                     any(4) ? "" : "LATE_", 1000 + i, 5000 + i, any(3) ? "" : file);
            break;
        case GRADESCOPE:
            snprintf(path, sizeof *w->paths, "submission_%u/%s/kernel.cu", i, any(2) ? "src" : file);
            snprintf(w->list + strlen(w->list), 200,
                     "submission_%u:\n  :submitters:\n  - :name: x\n    :sid: '%u'\n", i, 1000 + i);
            break;
        default:
            snprintf(w->ids[i], sizeof w->ids[i], "u%u-%u", i, i);
            snprintf(path, sizeof *w->paths, "lab1-submissions/lab1-u%u-%u/%s/kernel.cu", i, i,
                     any(2) ? "src" : file);
        }
        w->members[w->count] = (struct class_member){.path = path, .text = w->texts[i]};
        w->count++;
    }
    if (kind == GRADESCOPE) {
        strcpy(w->paths[w->count], "submission_metadata.yml");
        w->members[w->count] = (struct class_member){.path = w->paths[w->count], .text = w->list};
        w->count++;
        /* and one that a student has brought */
        strcpy(w->paths[w->count], "submission_0/submission_metadata.yml");
        w->members[w->count] = (struct class_member){
            .path = w->paths[w->count], .text = "submission_0:\n  :submitters:\n  - :sid: '1001'\n"};
        w->count++;
    }
}

/* Every kernel is its own student's, or a human is told. Returns how many were found. */
static unsigned check_world(const struct world *w, const struct submissions *s) {
    unsigned found = 0, empty = 0;
    for (size_t i = 0; i < s->count; i++) {
        char *kernel = kernel_of(&s->items[i]);
        unsigned owner = STUDENTS;
        if (kernel == NULL) {
            empty++; /* on the list: nothing to judge */
            continue;
        }
        assert_int_equal(sscanf(kernel, "// student %u", &owner), 1);
        free(kernel);
        if (owner >= STUDENTS)
            fail_msg("no student's: %s", s->items[i].path);
        /* a name that had to be cleaned is not that of anybody else */
        if (strcmp(s->items[i].student, w->ids[owner]) != 0 && s->items[i].student[0] != '~')
            fail_msg("of %s, given to %s: %s", w->ids[owner], s->items[i].student, s->items[i].path);
        found++;
    }
    if (found + empty + s->stray_count < STUDENTS)
        fail_msg("%s: %u of %d found, %u without a kernel, %zu told", s->layout->title, found, STUDENTS,
                 empty, s->stray_count);
    return found;
}

static void shuffle(struct world *w) {
    for (size_t i = w->count; i > 1; i--) {
        size_t other = any((uint32_t)i);
        struct class_member member = w->members[i - 1];
        w->members[i - 1] = w->members[other];
        w->members[other] = member;
    }
}

static void any_class_in_any_order(void **state) {
    unsigned found = 0, refused = 0;
    char path[PATH_SIZE];
    path_join(path, folder, "class.tar.gz");
    for (unsigned round = 0; round < ROUNDS; round++) {
        static struct world world;
        struct submissions first, second;
        random_state = round * 7919 + 1;
        make_world(&world, (enum kind)(round % KINDS));
        class_archive(folder, "class.tar.gz", world.members, world.count);
        bool right = try_read(path, &first);
        if (right)
            found += check_world(&world, &first);
        shuffle(&world);
        class_archive(folder, "class.tar.gz", world.members, world.count);
        assert_int_equal(try_read(path, &second), right);
        refused += !right;
        if (!right)
            continue;
        assert_int_equal(first.count, second.count);
        for (size_t i = 0; i < first.count; i++) {
            assert_string_equal(first.items[i].student, second.items[i].student);
            assert_string_equal(first.items[i].sha256, second.items[i].sha256);
            assert_string_equal(first.items[i].path, second.items[i].path);
        }
        assert_int_equal(first.stray_count, second.stray_count);
        for (size_t i = 0; i < first.stray_count; i++)
            assert_string_equal(first.strays[i], second.strays[i]);
        submissions_free(&first);
        submissions_free(&second);
    }
    print_message("%u of %u kernels found, %u downloads refused\n", found, STUDENTS * ROUNDS, refused);
    assert_true(found > STUDENTS * ROUNDS / 2 && refused < ROUNDS / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(moodle_reads_from_the_end, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(canvas_reads_one_way_or_not, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(nothing_inside_decides, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(gradescopes_list_is_the_platforms, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(two_claims_stay_two, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(long_and_unclean_names, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(one_folder_alone, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(a_zip_of_the_kit, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(a_copy_of_the_kit, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(any_class_in_any_order, class_set_up, class_tear_down),
    };
    setlocale(LC_CTYPE, "C.UTF-8"); /* names in archives */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
