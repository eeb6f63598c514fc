/* test_other_platforms.c: the files for GitHub Classroom, Autolab, nbgrader and readers of JUnit, read as these read them. The rules are
 * those of their sources, named at each reader. */
#include "support_platforms.h"

#include "base/child.h"
#include "base/file.h"
#include "base/home.h"
#include "report/ncu/csv.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- GitHub Classroom */

/* The workflow's own commands, each a goal of this kit, and no tab, which YAML forbids. */
static void github_workflow(void **state) {
    char error[TEXT_ERROR];
    size_t length;
    char *text = file_read("grader/github/judge.yml", 1 << 16, &length, error, sizeof error);
    char *verbs = file_read("common/make/labs.mk", 1 << 16, &length, error, sizeof error);
    if (text == NULL || verbs == NULL)
        fail_msg("%s", error);
    assert_null(strchr(text, '\t'));
    assert_has(text, "\n        run: make setup\n");
    assert_has(text, "\n        run: make \"$LAB-pass\" DEVICE=sim\n");
    assert_has(
        text,
        "\n        if: always()\n        run: make --silent \"$LAB-summary\" >> \"$GITHUB_STEP_SUMMARY\"\n");
    assert_has(verbs, "\n$(LABS:=-pass)");
    assert_has(verbs, "\n$(LABS:=-summary):");
    free(text);
    free(verbs);
}

static void github(void **state) {
    platform_policy();
    class_write(folder, "lab1-submissions/lab1-octojane/labs/lab1-memory-layout/kernel.cu", "// one\n", 0);
    class_write(folder, "lab1-submissions/lab1-max/labs/lab1-memory-layout/kernel.cu", "// WRONG `` ```\n",
                0);
    class_write(folder, "roster.csv",
                "identifier,github_username,github_id,name\ns1,octojane,5,\ns2,max,6,\ns3,,,\n", 0);
    path_join(in, folder, "lab1-submissions");
    platform_grade("lab1");
    struct csv csv = platform_csv("github/grades.csv");
    static const char *const columns[] = {
        "assignment_name",   "assignment_url",          "starter_code_url",       "github_username",
        "roster_identifier", "student_repository_name", "student_repository_url", "submission_timestamp",
        "points_awarded",    "points_available"};
    assert_int_equal(csv_width(&csv, 0), 10);
    for (uint32_t c = 0; c < 10; c++)
        assert_string_equal(csv_cell(&csv, 0, c), columns[c]);
    assert_points("s1", "lab1", platform_cell_of(&csv, "github_username", "octojane", "points_awarded"));
    assert_string_equal(platform_cell_of(&csv, "github_username", "octojane", "student_repository_name"),
                        "lab1-octojane");
    assert_string_equal(platform_cell_of(&csv, "github_username", "octojane", "roster_identifier"), "s1");
    assert_string_equal(platform_cell_of(&csv, "github_username", "max", "points_awarded"), "0");
    assert_string_equal(platform_cell_of(&csv, "roster_identifier", "s3", "points_available"), "100");
    csv_free(&csv);
    char *feedback = class_read(folder, "out/github/lab1/lab1-max.md");
    assert_has(feedback, "# lab1: 0 of 100 points, not passed\n");
    assert_has(feedback, "\\<b\\>1 of 49\\</b\\> cases.\n\n```text\n");
    free(feedback);
}

/* ---- Autolab (app/helpers/assessment_autograde_core.rb): the last line that is not empty is JSON after each WORD: has become
 * "WORD": there, and has scores, each of a problem of that name. */

static void autolab_reads_the_last_line(void **state) {
    platform_policy();
    class_write(in, "ann/kernel.cu", "// one\n", 0);
    class_write(folder, "roster.csv", "student\nann\n", 0);
    platform_grade("lab1");
    char *text = class_read(folder, "out/autolab/lab1/ann.txt"), fixed[512];
    size_t length = strlen(text), used = 0;
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    const char *line = strrchr(text, '\n') + 1;
    for (const char *c = line; *c != '\0' && used + 3 < sizeof fixed; c++) {
        size_t word = 0;
        while (isalnum((unsigned char)c[word]))
            word++;
        if (word > 0 && c[word] == ':') {
            used += (size_t)snprintf(fixed + used, sizeof fixed - used, "\"%.*s\":", (int)word, c);
            c += word;
        } else {
            fixed[used++] = *c;
        }
    }
    fixed[used] = '\0';
    json_t *json = json_loads(fixed, 0, NULL);
    const json_t *scores = json_object_get(json, "scores");
    assert_int_equal(json_object_size(scores), 1);
    char points[32];
    snprintf(points, sizeof points, "%.10g", json_number_value(json_object_get(scores, "lab1")));
    assert_points("ann", "lab1", points);
    json_decref(json);
    free(text);
}

/* Its Makefile, as Autolab runs it: beside autograde.tar and what was handed in, all output together. */
static void autolab_makefile(void **state) {
    char fake[PATH_SIZE], place[PATH_SIZE], root[PATH_SIZE], command[PATH_SIZE * 6], output[16384],
        tar[PATH_SIZE + 16];
    const char *const shell[] = {"/bin/sh", "-c", command, NULL};
    platform_policy();
    class_program("tests/class/fake-grade-job", fake);
    path_join(place, folder, "autolab");
    assert_non_null(getcwd(root, sizeof root));
    snprintf(command, sizeof command, "make -s autolab LAB=lab2 BUILD=%s && mv %s/autolab-lab2 %s", folder,
             folder, place);
    if (child_run(shell, output, sizeof output) != 0)
        fail_msg("%s", output);
    const char *const list[] = {"tar", "xOf", tar, "./policy.ini", NULL};
    snprintf(tar, sizeof tar, "%s/autograde.tar", place);
    assert_int_equal(child_run(list, output, sizeof output), 0);
    assert_has(output, "\nkey = ");
    class_write(folder, "autolab/kernel.cu", "// one\n", 0);
    struct home home;
    assert_true(home_find(&home, output, sizeof output));
    snprintf(command, sizeof command,
             "cd %s && make -s -f autograde-Makefile KIT=%s BUILD=%s GRADE_OPTIONS='--grade-job %s'", place,
             root, home.build, fake);
    if (child_run(shell, output, sizeof output) != 0)
        fail_msg("%s", output);
    assert_has(output, "lab2 of me\n");
    assert_has(output, "\n{\"scores\": {\"lab2\": ");
    /* trouble has no line of scores: what is there in Autolab stays */
    class_write(folder, "autolab/kernel.cu", "// TROUBLE\n", 0);
    if (child_run(shell, output, sizeof output) != 0)
        fail_msg("%s", output);
    assert_has(output, "this is not your fault");
    assert_has_not(output, "scores");
}

/* ---- nbgrader (plugins/export.py): these columns; the score is what is left of the raw score after the penalty. */

static void nbgrader_columns(void **state) {
    static const char *const columns[] = {"assignment", "duedate",   "timestamp",
                                          "student_id", "last_name", "first_name",
                                          "email",      "raw_score", "late_submission_penalty",
                                          "score",      "max_score"};
    class_write(folder, "policy.ini",
                "[class]\nkey = " CLASS_KEY "\npoints = 100\ndeadline = 2026-01-02 00:00 Z\n", 0);
    class_write(in, "ann/kernel.cu", "// one\n", 1767225600);
    class_write(in, "bob/kernel.cu", "// two\n", 1767225600 + 2 * 86400);
    class_write(
        folder, "roster.csv",
        "student,name,submitted\nann,Ann Ash,2026-01-01 00:00 Z\nbob,Bob,2026-01-03 00:00 Z\ncid,Cid,\n", 0);
    platform_grade("lab1");
    struct csv csv = platform_csv("nbgrader.csv");
    assert_int_equal(csv_width(&csv, 0), 11);
    for (uint32_t c = 0; c < 11; c++)
        assert_string_equal(csv_cell(&csv, 0, c), columns[c]);
    assert_int_equal(csv.row_count, 4);
    for (uint32_t row = 1; row < csv.row_count; row++) {
        double raw, penalty, score;
        int64_t time;
        assert_true(csv_number(csv_cell(&csv, row, 7), &raw) &&
                    csv_number(csv_cell(&csv, row, 8), &penalty) &&
                    csv_number(csv_cell(&csv, row, 9), &score));
        assert_true(fabs(score - fmax(0, raw - penalty)) < 0.011);
        assert_true(text_parse_time(csv_cell(&csv, row, 1), &time));
        assert_points(csv_cell(&csv, row, 3), "lab1", csv_cell(&csv, row, 9));
    }
    csv_free(&csv);
}

/* ---- JUnit, read by somebody else's parser. The rules are those that its readers share (Jenkins' junit-10.xsd): a suite counts its
 * cases by outcome; a case has a name, at most one of skipped, error and failure, and what was printed behind it. */
static void junit_is_read(void **state) {
    static const char reader[] =
        "import sys, xml.etree.ElementTree as tree\n"
        "suite = tree.parse(sys.argv[1]).getroot()\n"
        "assert suite.tag == 'testsuite' and suite.get('name')\n"
        "cases = list(suite)\n"
        "kinds = {'skipped': 'skipped', 'error': 'errors', 'failure': 'failures'}\n"
        "assert all(c.tag == 'testcase' and set(c.attrib) == {'classname', 'name'} for c in cases)\n"
        "assert int(suite.get('tests')) == len(cases) == len({c.get('name') for c in cases})\n"
        "for kind, count in kinds.items():\n"
        "    assert int(suite.get(count)) == sum(c.find(kind) is not None for c in cases), kind\n"
        "for c in cases:\n"
        "    tags = [e.tag for e in c]\n"
        "    assert tags in (['system-out'], *([k, 'system-out'] for k in kinds)), tags\n"
        "    assert all(e.get('message') for e in c if e.tag in kinds)\n"
        "    print(c.get('name'), tags[0])\n";
    platform_policy();
    class_write(in, "ann/kernel.cu", "// one\n", 0);
    class_write(in, "b<&\"'>b/kernel.cu", "// WRONG\n", 0);
    class_write(in,
                "c\xc3\xaf"
                "d ]]>/kernel.cu",
                "// FLAG\n", 0);
    class_write(in, "dee/kernel.cu", "// TROUBLE\n", 0);
    class_write(in, "eve/readme", "none\n", 0);
    class_write(in, "fay/kernel.cu", "// two\n", 0);
    class_write(folder, "overrides.csv",
                "student,lab,points,excused,waived,remark\nfay,lab1,,yes,,ill\nann,lab1,90,,,well\n", 0);
    char words[PATH_SIZE], file[PATH_SIZE], said[4096];
    assert_true(path_join(words, folder, "overrides.csv") && path_join(file, out, "junit.xml"));
    const char *arguments[] = {"--lab",       "lab1", "--submissions", in,  "--policy", policy,
                               "--overrides", words,  "--out",         out, NULL};
    assert_int_equal(class_grade(folder, arguments), 3);
    if (child_run((const char *const[]){"python3", "--version", NULL}, NULL, 0) != 0) {
        print_message("skipped: there is no python3\n");
        skip();
    }
    if (child_run((const char *const[]){"python3", "-c", reader, file, NULL}, said, sizeof said) != 0)
        fail_msg("%s", said);
    assert_has(said, "ann system-out\n");
    assert_has(said, "b<&\"'>b failure\n");
    assert_has(said, "dee error\n");
    assert_has(said, "eve failure\n");
    assert_has(said, "fay skipped\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(github, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(autolab_reads_the_last_line, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(nbgrader_columns, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(autolab_makefile, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(junit_is_read, class_set_up, class_tear_down),
        cmocka_unit_test(github_workflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
