/* Likeness by compiled code: the kit's own kernels and a fellow student's are found behind names, macros, statements without effect,
 * digraphs and one more kernel; what was handed out, and honest kernels, are like nothing. The compiler is the real one. */
#include "support_class.h"

#include "class/alike/alike.h"

#include "prints/opcodes.h"

#define STEP "solutions/lab3-float-fma/steps/step-5e.cu"
#define REFERENCE "solutions/lab3-float-fma/kernel.cu"
#define HONEST "honest/"

#define ZERO "#define Z ((int)gridDim.z - 1)\n#define U (int)gridDim.z\n"

static int set_up(void **state) {
    assert_int_equal(class_set_up(state), 0);
    class_policy("");
    class_honest("honest");
    return 0;
}

/* text with every `from` replaced. */
static char *replaced(char *text, const char *from, const char *to) {
    char *changed = class_print("%s", ""), *next = strstr(text, from);
    if (next == NULL)
        fail_msg("there is no '%s' to disguise", from);
    for (; next != NULL; text = next + strlen(from), next = strstr(text, from))
        changed = class_print("%s%.*s%s", changed, (int)(next - text), text, to);
    return class_print("%s%s", changed, text);
}

enum { EDITS = 6 };
struct disguise {
    const char *what, *source; /* HONEST NAME: of the judge's honest kernels */
    const char *before, *after;
    const char *edits[EDITS][2];
};

static char *disguised(const struct disguise *d) {
    char *text =
        strncmp(d->source, HONEST, strlen(HONEST)) == 0 ? class_read(d->source) : class_kits(d->source);
    for (int i = 0; i < EDITS && d->edits[i][0] != NULL; i++)
        text = replaced(text, d->edits[i][0], d->edits[i][1]);
    return class_print("%s%s%s", d->before != NULL ? d->before : "", text, d->after != NULL ? d->after : "");
}

/* The fingerprints that a judge keeps, for the caller to free. */
static char *compiled(const char *lab, const char *text) {
    class_write("disguise.cu", text);
    class_shell(0,
                "common/tools/nvcc -O3 -arch=compute_90 -ptx -Ilabs/$(ls labs | grep '^%s-') "
                "-o '%s/disguise.ptx' '%s/disguise.cu' 2>&1",
                lab, folder, folder);
    const char *ptx = class_read("disguise.ptx");
    return opcodes_prints_text(ptx, strlen(ptx), 1 << 14);
}

/* Hand it in as this student's: its source with its fingerprints in a comment, for the fake judge. */
static void hand_in(const char *lab, const char *student, const struct disguise *d) {
    char *text = disguised(d), *prints = compiled(lab, text);
    class_write(class_print("in/%s/kernel.cu", student),
                class_print("%s\n// %s PRINTS %s\n", text, student, prints));
    free(prints);
}

static char *grades_of(const char *lab) {
    class_grade(0, "--lab %s --submissions @in --policy @policy.ini --quiet", lab);
    return class_read("out/grades.csv");
}

static const struct alike_kernel *kernel_of(const struct alike *alike, const char *student) {
    for (size_t k = 0; k < alike->count; k++)
        if (strcmp(alike->kernels[k].students[0], student) == 0)
            return &alike->kernels[k];
    fail_msg("no kernel of %s", student);
    return NULL;
}

static const struct disguise disguises[] = {
    {.what = "as it is", .source = STEP},
    {.what = "statements without effect",
     .source = STEP,
     .edits = {{"];\n", "];(void)0;\n"}, {");\n", ");;(void)0;\n"}}},
    {.what = "a sign before operands",
     .source = STEP,
     .edits = {{" y * width", " (+y) * (+width)"}, {"x + k", "(+x) + (+k)"}}},
    {.what = "keywords as macros",
     .source = STEP,
     .before = "#define go for\n#define when if\n#define back return\n",
     .edits = {{"for (", "go ("}, {"if (", "when ("}, {"return", "back"}}},
    {.what = "digraphs", .source = STEP, .edits = {{"{", "<%"}, {"}", "%>"}, {"[", "<:"}, {"]", ":>"}}},
    {.what = "names",
     .source = STEP,
     .edits = {{"tile", "nice"}, {"gaussian_kernel", "mine"}, {"load_four", "get"}, {"sum", "all"}}},
    {.what = "a byte order mark", .source = STEP, .before = "\xef\xbb\xbf"},
    {.what = "one more kernel",
     .source = STEP,
     .after =
         "__global__ void more(float *a, int n) { for (int i = threadIdx.x; i < n; i += 32) a[i] = sqrtf(a[i]) / 3; }\n"},
    {.what = "inline PTX without effect between instructions",
     .source = STEP,
     .edits = {{"* value[i + p];",
                "* value[i + p], ({ asm(\"add.f32 %0, %0, 0f00000000;\" : \"+f\"(sum[r][p])); });"}}},
    {.what = "a zero that no compiler knows",
     .source = STEP,
     .before = ZERO,
     .edits = {{"x + k", "x + Z + k"},
               {"y >= 0", "y + Z >= 0"},
               {"blockIdx.x * ", "blockIdx.x * U * "},
               {"blockIdx.y * ", "blockIdx.y * U * "},
               {"threadIdx.y * ROWS + j)", "threadIdx.y * U * ROWS + Z + j)"},
               {"row[0], b = row[1]", "row[Z], b = row[1 + Z]"}}},
    {.what = "another block", .source = STEP, .edits = {{"BLOCK_HEIGHT 4", "BLOCK_HEIGHT 8"}}}};

static void a_step_is_found_behind_each_disguise(void **state) {
    enum { COUNT = sizeof disguises / sizeof *disguises };
    struct gradebook book;
    ENDED(alike_free) struct alike alike;
    for (int i = 0; i < COUNT; i++)
        hand_in("lab3", class_print("s%02d", i), &disguises[i]);
    grades_of("lab3");
    assert_true(gradebook_open(&book, out));
    assert_true(alike_find(&book, ".", "lab3", 70, &alike));
    assert_int_equal(alike.count, COUNT);
    for (int i = 0; i < COUNT; i++) {
        const struct alike_kernel *kernel = kernel_of(&alike, class_print("s%02d", i));
        if (kernel->known == NULL || strcmp(kernel->known->title, "step 5e") != 0 ||
            kernel->known_percent < 90 ||
            kernel->known_steady != (strncmp(disguises[i].what, "a zero", 6) == 0))
            fail_msg("%s: %s, %u %%", disguises[i].what,
                     kernel->known != NULL ? kernel->known->title : "like nothing", kernel->known_percent);
    }
    gradebook_close(&book);
}

/* A human is told, and sees both side by side; no points follow. */
static void a_human_is_told(void **state) {
    static const struct disguise renamed = {
        .source = REFERENCE, .edits = {{"tile", "nice"}, {"sum", "all"}, {"gaussian_kernel", "mine"}}};
    hand_in("lab3", "carl", &renamed);
    hand_in("lab3", "dora", &(struct disguise){.source = HONEST "lab3_separable_float.cu"});
    char *grades = grades_of("lab3");
    assert_has(grades, "\ncarl,lab3,");
    assert_has(grades, "Its compiled code is 100 % that of the kit's reference (alike/lab3).");
    assert_has_not(strstr(grades, "\ndora,"), "compiled code");
    class_has("out/alike/lab3/index.html", "<a href=\"kit-1.html\">100 %</a>");
    class_has_not("out/alike/lab3/index.html", "dora");
    class_has("out/alike/lab3/kit-1.html", "the reference", "<mark>");
    class_has_not("out/feedback/lab3/carl.txt", "reference (alike");
}

/* Between two students: their sources have little in common, their compiled code is the same. */
static void a_fellow_students_kernel_is_found(void **state) {
    static const struct disguise own = {.source = HONEST "lab3_separable_float.cu"},
                                 copy = {.source = HONEST "lab3_separable_float.cu",
                                         .before = "#define go for\n#define when if\n",
                                         .edits = {{"for (", "go ("},
                                                   {"if (", "when ("},
                                                   {"{", "<%"},
                                                   {"}", "%>"},
                                                   {"[", "<:"},
                                                   {"]", ":>"}}};
    hand_in("lab3", "ann", &own);
    hand_in("lab3", "bob", &copy);
    hand_in("lab3", "cid", &(struct disguise){.source = HONEST "lab3_dp4a.cu"});
    char *grades = grades_of("lab3");
    assert_has(grades, "Its kernel is like that of bob: 100 % of the compiled code (alike/lab3).");
    assert_has(grades, "Its kernel is like that of ann: 100 % of the compiled code (alike/lab3).");
    assert_has_not(grades, "of cid");
    class_has("out/alike/lab3/index.html", "100 %, compiled</a>");
}

/* A zero in every expression leaves neither the source nor the compiled code of a copy alike; what
 * stands around is. */
static void a_zero_in_every_expression_hides_no_copy(void **state) {
    static const struct disguise own = {.source = HONEST "lab2_separable_tile.cu"},
                                 copy = {.source = HONEST "lab2_separable_tile.cu",
                                         .before = ZERO,
                                         .edits = {{"j = ty; j <", "j = ty + Z; j + Z <"},
                                                   {"left + i, v = top + j", "left + Z + i, v = top + Z + j"},
                                                   {"v * width + u", "v * U * width + Z + u"},
                                                   {" * p[", " * U * p["},
                                                   {"mid[j + ", "mid[j + Z + "},
                                                   {"y * width + x", "(y + Z) * U * width + x"}}};
    struct gradebook book;
    ENDED(alike_free) struct alike alike;
    hand_in("lab2", "ann", &own);
    hand_in("lab2", "bob", &copy);
    hand_in("lab2", "cid", &(struct disguise){.source = HONEST "lab2_nine_cases.cu"});
    char *grades = grades_of("lab2");
    assert_has(grades, "Its kernel is like that of bob: 100 % of the source's structure (alike/lab2).");
    assert_has_not(grades, "of cid");
    assert_true(gradebook_open(&book, out));
    assert_true(alike_find(&book, ".", "lab2", 70, &alike));
    assert_int_equal(alike.pair_count, 1);
    assert_true(alike.pairs[0].by[ALIKE_SOURCE] < 70 && alike.pairs[0].by[ALIKE_COMPILED] < 70);
    assert_int_equal(alike_most(&alike.pairs[0]), ALIKE_STRUCTURE);
    gradebook_close(&book);
}

/* Nobody is like the kit: what was handed out with another block, which is lab 1's answer; honest kernels. */
static void honest_kernels_are_like_nothing(void **state) {
    static const struct {
        const char *lab, *source;
        bool start;
    } rows[] = {{"lab1", "solutions/lab1-memory-layout/starter.cu", true},
                {"lab1", "solutions/lab1-memory-layout/kernel.cu", true},
                {"lab1", HONEST "lab1_utf8_bom.cu", true},
                {"lab1", HONEST "lab1_fold_expression.cu", false},
                {"lab1", HONEST "lab1_two_kernels_async_scratch.cu", false},
                {"lab2", HONEST "lab2_separable_tile.cu", false},
                {"lab2", HONEST "lab2_dynamic_shared.cu", false},
                {"lab2", HONEST "lab2_shuffle.cu", false},
                {"lab3", "solutions/lab3-float-fma/starter.cu", true},
                {"lab3", HONEST "lab3_two_paths.cu", false},
                {"lab3", HONEST "lab3_separable_float.cu", false},
                {"lab3", HONEST "lab3_dp4a.cu", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gradebook book;
        ENDED(alike_free) struct alike alike;
        struct disguise as_it_is = {.source = rows[i].source};
        char *prints;
        assert_true(path_join(out, folder, class_print("book%zu", i)) && path_join(store, out, "kernels"));
        char *text = disguised(&as_it_is);
        prints = compiled(rows[i].lab, text);
        char sha256[KERNEL_SHA256], result[1 << 16];
        kernel_sha256((const uint8_t *)text, strlen(text), sha256);
        snprintf(result, sizeof result, "{\"prints\": \"%s\"}", prints);
        assert_true(gradebook_open(&book, out));
        assert_true(
            kernel_store_put(store, (const uint8_t *)text, strlen(text), sha256, error, sizeof error));
        assert_true(gradebook_do(&book, "INSERT INTO submissions(student, lab, sha256) VALUES('ann', ?, ?)",
                                 "ss", rows[i].lab, sha256) &&
                    gradebook_do(&book, "INSERT INTO jobs(key, sha256, lab) VALUES('one', ?, ?)", "ss",
                                 sha256, rows[i].lab) &&
                    gradebook_do(&book, "INSERT INTO results(job, attempt, result) VALUES('one', 1, ?)", "s",
                                 result));
        assert_true(alike_find(&book, ".", rows[i].lab, 70, &alike));
        const struct alike_kernel *kernel = kernel_of(&alike, "ann");
        if (!kernel->is_compiled || kernel->known != NULL || kernel->is_start != rows[i].start)
            fail_msg("%s: like %s, %u %%; %s the start's", rows[i].source,
                     kernel->known != NULL ? kernel->known->title : "nothing", kernel->known_percent,
                     kernel->is_start ? "is" : "is not");
        gradebook_close(&book);
        free(prints);
    }
}

/* What a large share of the class has is said to be perhaps no copy. */
static void what_everybody_has_is_explained(void **state) {
    enum { CLASS = 12 };
    for (int i = 0; i < CLASS; i++)
        hand_in("lab2", class_print("s%02d", i),
                &(struct disguise){.source = "solutions/lab2-shared-memory/steps/step-40.cu",
                                   .before = class_print("// %d\n", i)});
    assert_has(grades_of("lab2"),
               "that of the kit's step 40, as that of 12 of 12 kernels: perhaps what everybody comes upon");
}

/* A gradebook of an older kit, beside a kernel that is listed. */
static void results_without_fingerprints_are_said_to_lack_them(void **state) {
    hand_in("lab3", "carl", &disguises[0]);
    class_write("in/old/kernel.cu", "// judged long ago\n");
    grades_of("lab3");
    class_has("out/alike/lab3/index.html", "For 1 of 2 kernels no compiled code is known");
}

TESTS(cmocka_unit_test_setup_teardown(a_step_is_found_behind_each_disguise, set_up, class_tear_down),
      cmocka_unit_test_setup_teardown(a_human_is_told, set_up, class_tear_down),
      cmocka_unit_test_setup_teardown(a_fellow_students_kernel_is_found, set_up, class_tear_down),
      cmocka_unit_test_setup_teardown(a_zero_in_every_expression_hides_no_copy, set_up, class_tear_down),
      cmocka_unit_test_setup_teardown(honest_kernels_are_like_nothing, set_up, class_tear_down),
      cmocka_unit_test_setup_teardown(what_everybody_has_is_explained, set_up, class_tear_down),
      cmocka_unit_test_setup_teardown(results_without_fingerprints_are_said_to_lack_them, set_up,
                                      class_tear_down))
