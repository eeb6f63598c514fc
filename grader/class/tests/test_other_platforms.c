/* test_other_platforms.c: the workflow for GitHub, and the files for Autolab and readers of
 * JUnit, read as these read them. The rules are those of their sources, named at each reader. */
#include "support_platforms.h"

#include "base/child.h"
#include "base/file.h"
#include "base/home.h"

#include <ctype.h>
#include <jansson.h>

/* ---- GitHub */

/* The workflow's own commands, each a goal of this kit, and no tab, which YAML forbids. */
static void github_workflow(void **state) {
    char error[TEXT_ERROR];
    size_t length;
    FREED char *text = file_read("grader/github/judge.yml", 1 << 16, &length, error, sizeof error);
    FREED char *verbs = file_read("common/make/labs.mk", 1 << 16, &length, error, sizeof error);
    if (text == NULL || verbs == NULL)
        fail_msg("%s", error);
    assert_null(strchr(text, '\t'));
    assert_has(text, "\n        run: common/ci/judge-push build\n");
    assert_has(text, "\n        run: common/ci/judge-push >> \"$GITHUB_STEP_SUMMARY\"\n");
    FREED char *judge = file_read("common/ci/judge-push", 1 << 16, &length, error, sizeof error);
    assert_non_null(judge);
    assert_has(judge, "\n    make setup >&2\n");
    assert_has(judge, "make \"$lab-pass\" DEVICE=sim ");
    assert_has(judge, "make --silent --no-print-directory \"$lab-summary\"\n");
    assert_has(verbs, "\n$(LABS:=-pass)");
    assert_has(verbs, "\n$(LABS:=-summary):");
}

/* ---- Autolab (app/helpers/assessment_autograde_core.rb): the last line that is not empty is
 * JSON after each WORD: has become "WORD": there, and has scores, each of a problem of that
 * name. */

static void autolab_reads_the_last_line(void **state) {
    platform_policy();
    class_write("in/ann/kernel.cu", "// one\n");
    class_write("roster.csv", "student\nann\n");
    platform_grade(0, "lab1");
    char *text = class_read("out/autolab/lab1/ann.txt"), fixed[512];
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
    json_auto_t *json = json_loads(fixed, 0, NULL);
    const json_t *scores = json_object_get(json, "scores");
    assert_int_equal(json_object_size(scores), 1);
    assert_points("ann", "lab1", class_print("%.10g", json_number_value(json_object_get(scores, "lab1"))));
}

/* Its Makefile, as Autolab runs it: beside autograde.tar and what was handed in, all output
 * together. */
static void autolab_makefile(void **state) {
    platform_policy();
    class_shell(0, "make -s autolab LAB=lab2 BUILD=%s && mv %s/autolab-lab2 %s/autolab", folder, folder,
                folder);
    assert_has(class_shell(0, "tar xOf %s/autolab/autograde.tar ./policy.ini", folder), "\nkey = ");
    class_write("autolab/kernel.cu", "// one\n");
    static const char make[] = "cd %s/autolab && make -s -f autograde-Makefile %s";
    const char *said = class_shell(0, make, folder, class_grader());
    assert_has(said, "lab2 of me\n");
    assert_has(said, "\n{\"scores\": {\"lab2\": ");
    /* trouble has no line of scores: what is there in Autolab stays */
    class_write("autolab/kernel.cu", "// TROUBLE\n");
    said = class_shell(0, make, folder, class_grader());
    assert_has(said, "this is not your fault");
    assert_has_not(said, "scores");
}

/* ---- JUnit, read by somebody else's parser. The rules are those that its readers share
 * (Jenkins' junit-10.xsd): a suite counts its cases by outcome; a case has a name, at most one
 * of skipped, error and failure, and what was printed behind it. */
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
    class_write("in/ann/kernel.cu", "// one\n");
    class_files("in/b<&\"'>b/kernel.cu", "// WRONG\n", "in/c\303\257d ]]>/kernel.cu", "// FLAG\n");
    class_write("in/dee/kernel.cu", "// TROUBLE\n");
    class_write("in/eve/readme", "none\n");
    class_write("in/fay/kernel.cu", "// two\n");
    class_write("overrides.csv",
                "student,lab,points,excused,waived,remark\nfay,lab1,,yes,,ill\nann,lab1,90,,,well\n");
    char words[PATH_SIZE], file[PATH_SIZE], said[4096];
    assert_true(path_join(words, folder, "overrides.csv") && path_join(file, out, "junit.xml"));
    class_grade(3, LAB1 " --policy @policy.ini --overrides @overrides.csv");
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

TESTS(CLASS_TEST(autolab_reads_the_last_line), CLASS_TEST(autolab_makefile), CLASS_TEST(junit_is_read),
      UNIT(github_workflow))
