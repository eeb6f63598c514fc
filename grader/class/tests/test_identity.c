/* Whose a part of a download is: by the platform's words at their place, and by nothing that a student wrote. What reads
 * in two ways, or is two students', is nobody's, and a human is told. */
#include "support_intake.h"

#include <locale.h>

/* Moodle's own words end a folder's name; in a file's name they stand between two texts of the student's. */
static void moodle_reads_from_the_end(void **state) {
    class_write("in/Ann_5_assignsubmission_file_/kernel.cu", "of 5");
    class_write("in/Eve_5_assignsubmission_file__77_assignsubmission_file_/kernel.cu", "of 77");
    class_write("in/Bob_8_assignsubmission_onlinetext_/onlinetext.html", "of 8");
    class_write("in/Mal_9_assignsubmission_file_x_5_assignsubmission_file_kernel.cu", "whose?");
    class_write("in/Cid_6_assignsubmission_file_kernel.cu", "of 6");
    intake("in");
    assert_string_equal(taken.layout->title, "Moodle");
    assert_kernel("5", "of 5");
    assert_kernel("77", "of 77");
    assert_kernel("6", "of 6");
    assert_int_equal(taken.count, 4);
    assert_strays(1, "Mal_9");
}

static void canvas_reads_one_way_or_not(void **state) {
    class_files("in/doejane_123_900_lab_1_2_kernel.cu", "a lab's name", "in/doejane_123_901_kernel.cu",
                "of 123", "in/x_LATE_7_902_kernel.cu", "late", "in/eve_123_45_903_kernel.cu", "whose?");
    class_write("in/mu_45_904_x_3_assignsubmission_file_kernel.cu", "not named kernel.cu");
    intake("in");
    assert_string_equal(taken.layout->title, "Canvas");
    assert_kernel("123", "of 123");
    assert_kernel("7", "late");
    assert_int_equal(taken.items[2].word, SUBMISSION_LATE);
    assert_string_equal(taken.items[1].student, "45");
    assert_int_equal(taken.items[1].word, SUBMISSION_ON_TIME);
    assert_strays(1, "eve_123_45");
}

/* A .git in one student's folder, or a platform's list in it, says nothing of the others'. */
static void nothing_inside_decides(void **state) {
    class_write("in/ann/.git/HEAD", "x");
    class_write("in/ann/submission_metadata.yml", "---\nsubmission_1:\n  :submitters:\n  - :sid: 'bob'\n");
    class_write("in/ann/kernel.cu", "of ann");
    class_archive("in/bob.zip", MEMBER("kernel.cu", "of bob"));
    intake("in");
    assert_string_equal(taken.layout->title, "a folder or archive per student");
    assert_kernel("ann", "of ann");
    assert_kernel("bob", "of bob");
    assert_strays(0, "");
}

static void gradescopes_list_is_the_platforms(void **state) {
    class_write("in/submission_1/submission_metadata.yml",
                "---\nsubmission_2:\n  :submitters:\n  - :sid: 'eve'\n");
    class_kernels("submission_1", "of eve", "submission_2", "of bob");
    class_write(
        "in/submission_metadata.yml",
        "---\nsubmission_1:\n  :submitters:\n  - :name: |-\n      Eve\n      :sid: 'bob'\n    :sid: 'eve'\n"
        "submission_2:\n  :submitters:\n  - :sid: 'bob'\n");
    intake("in");
    assert_kernel("eve", "of eve");
    assert_kernel("bob", "of bob");
    assert_int_equal(taken.count, 2);
}

/* One name, two parts: two submissions, for the plan to see. */
static void two_claims_stay_two(void **state) {
    class_archive("in/ann.zip", MEMBER("kernel.cu", "the archive's"));
    class_kernels("ann", "the folder's", "bob", "of bob");
    intake("in");
    assert_int_equal(taken.count, 3);
    assert_kernel("ann", "the folder's");
    assert_kernel("ann", "the archive's");
    assert_string_not_equal(taken.items[0].claim, taken.items[1].claim);
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
    class_archive("class.tar.gz", MEMBER(path[0], "x"), MEMBER(path[1], "y"),
                  MEMBER("c\x01/kernel.cu", "one"), MEMBER("c\x02/kernel.cu", "two"),
                  MEMBER("c?/kernel.cu", "three"), MEMBER(deep, "deep"));
    intake("class.tar.gz");
    assert_int_equal(taken.count, 3);
    assert_kernel("c?", "three");
    assert_strays(3, name[0]);
    assert_strays(3, name[1]);
    assert_strays(3, "longer than");
}

/* One folder alone is a student's, unless its name says that it holds the class; what lies in it does not say. */
static void one_folder_alone(void **state) {
    const struct submissions_options lab1 = {.lab = "lab1"};
    class_write_at("in/ann/old/kernel.cu", "old", 1000);
    class_write_at("in/ann/new/kernel.cu", "new", 2000);
    assert_false(intake_reads("in", lab1)); /* her drafts, or two students of the class ann? */
    assert_has(error, "ann: is it a student's, or does it hold the class?");
    class_write("in/ann/kernel.cu", "hers");
    intake("in");
    assert_int_equal(taken.count, 1);

    class_files("sec/A/bob/kernel.cu", "1", "sec/A/cid/kernel.cu", "2", "sec/B/dee/kernel.cu", "3",
                "sec/B/eve/kernel.cu", "4");
    class_grade_says("are they sections, with a folder for each student", 3, "--lab lab1 --submissions @sec");

    class_write("moodle/ann/Bob_7_assignsubmission_file_/kernel.cu", "of ann, or of bob");
    assert_false(intake_reads("moodle", lab1));
    assert_has(error, "ann");

    static const struct class_member both[] = {MEMBER("spring/ann/kernel.cu", "of ann"),
                                               MEMBER("spring/bob/kernel.cu", "of bob")};
    class_archive_of("spring.zip", both, 2);
    intake("spring.zip");
    assert_kernel("ann", "of ann");
    assert_int_equal(taken.count, 2);
    class_archive_of("other.zip", both, 2);
    assert_false(intake_reads("other.zip", lab1));
}

/* A clone of the kit: the lab's folder counts, however old, and the reference's never does. */
static void a_copy_of_the_kit(void **state) {
    static const char *const own[] = {"solutions/lab1-memory-layout/kernel.cu",
                                      "grader/job/tests/honest/kernel.cu",
                                      "labs/lab2-shared-memory/kernel.cu"};
    class_write_at("lab1-submissions/lab1-dora-may/labs/lab1-memory-layout/kernel.cu", "dora's", 1000);
    class_write_at("lab1-submissions/lab1-dora-may/labs/lab1-memory-layout/lab1.h", "", 1000);
    class_write_at("lab1-submissions/lab1-dora-june/labs/lab1-memory-layout/lab1.h", "", 1000);
    class_write_at("lab1-submissions/lab1-max/solutions/kernel.cu", "his own folder", 1000);
    for (size_t i = 0; i < 3; i++) {
        class_write_at(class_print("lab1-submissions/lab1-dora-may/%s", own[i]), "not hers", 2000);
        class_write_at(class_print("lab1-submissions/lab1-dora-june/%s", own[i]), "not hers", 2000);
    }
    intake("lab1-submissions");
    assert_int_equal(taken.count, 3);
    assert_kernel("dora-may", "dora's");
    assert_string_equal(taken.items[0].student, "dora-june");
    assert_problem("dora-june", "copy of the kit");
    assert_kernel("max", "his own folder");
}

/* The same as an archive, of which what is not the student's is newer. */
static void a_zip_of_the_kit(void **state) {
    class_archive("in/dora.zip", MEMBER_AT("labs/lab1-memory-layout/kernel.cu", "hers", 1000),
                  MEMBER_AT("labs/lab1-memory-layout/lab1.h", "", 1000),
                  MEMBER_AT("labs/lab2-shared-memory/kernel.cu", "not hers", 2000),
                  MEMBER_AT("solutions/lab1-memory-layout/kernel.cu", "not hers", 2000),
                  MEMBER_AT("common/archives/seeds.tar.gz", "x", 2000));
    intake("in");
    assert_int_equal(taken.count, 1);
    assert_kernel("dora", "hers");
    assert_string_equal(taken.items[0].notes,
                        "This is a copy of the kit; the kernel.cu of the lab's folder counts: "
                        "dora.zip/labs/lab1-memory-layout/kernel.cu.");
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
    // clang-format off
    static const char *const pieces[] = {
        "Ann", "bob", "_6_", "_assignsubmission_file_", "_7_assignsubmission_file_", "LATE_", "_1_2_", "~",
        "\xe2\x80\xae", "\x01", "submission_1", "-", ".git", "kernel.cu", "__MACOSX", "._", "..", "lab1",
        "lab1-", ".zip", " ", "\xc3\xa4", "'", "=1+1", "0", "_file", "labs", "x_45"};
    // clang-format on
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
    const struct submissions_options lab1 = {.lab = "lab1"};
    for (unsigned round = 0; round < ROUNDS; round++) {
        static struct world world;
        ENDED(submissions_free) struct submissions first;
        random_state = round * 7919 + 1;
        make_world(&world, (enum kind)(round % KINDS));
        class_archive_of("class.tar.gz", world.members, world.count);
        bool right = intake_reads("class.tar.gz", lab1);
        if (right)
            found += check_world(&world, &taken);
        first = taken;
        taken = (struct submissions){.count = 0};
        shuffle(&world);
        class_archive_of("class.tar.gz", world.members, world.count);
        assert_int_equal(intake_reads("class.tar.gz", lab1), right);
        refused += !right;
        if (!right)
            continue;
        assert_int_equal(first.count, taken.count);
        for (size_t i = 0; i < first.count; i++) {
            assert_string_equal(first.items[i].student, taken.items[i].student);
            assert_string_equal(first.items[i].sha256, taken.items[i].sha256);
            assert_string_equal(first.items[i].path, taken.items[i].path);
        }
        assert_int_equal(first.stray_count, taken.stray_count);
        for (size_t i = 0; i < first.stray_count; i++)
            assert_string_equal(first.strays[i], taken.strays[i]);
    }
    print_message("%u of %u kernels found, %u downloads refused\n", found, STUDENTS * ROUNDS, refused);
    assert_true(found > STUDENTS * ROUNDS / 2 && refused < ROUNDS / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CLASS_TEST(moodle_reads_from_the_end), CLASS_TEST(canvas_reads_one_way_or_not),
        CLASS_TEST(nothing_inside_decides),    CLASS_TEST(gradescopes_list_is_the_platforms),
        CLASS_TEST(two_claims_stay_two),       CLASS_TEST(long_and_unclean_names),
        CLASS_TEST(one_folder_alone),          CLASS_TEST(a_zip_of_the_kit),
        CLASS_TEST(a_copy_of_the_kit),         CLASS_TEST(any_class_in_any_order)};
    setlocale(LC_CTYPE, "C.UTF-8"); /* names in archives */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
