/* The pages in a real browser: the students sorted and searched, every link's file there,
 * nothing wider than a phone, nothing fetched from elsewhere. */
#include "support_class.h"

#include "base/child.h"
#include "base/file.h"

#include <fcntl.h>

enum { SECONDS = 3600, OUTPUT_MOST = 8 << 20 };

static const char *browser;

static int find_browser(void **state) {
    static const char *const names[] = {"chromium", "chromium-browser", "google-chrome", "chrome"};
    for (size_t i = 0; browser == NULL && i < sizeof names / sizeof *names; i++)
        if (child_run((const char *const[]){names[i], "--version", NULL}, NULL, 0) == 0)
            browser = names[i];
    return 0;
}

static void need_browser(void) {
    if (browser == NULL) {
        print_message("skipped: no chromium here (make setup DEV=1 brings it)\n");
        skip();
    }
}

/* Looks at the page in a phone's and in a desk's width, then does with it what a person does. */
static const char probe[] =
    "<!DOCTYPE html><html><body>\n"
    "<iframe id=\"narrow\" src=\"class.html\" width=\"400\" height=\"700\"></iframe>\n"
    "<iframe id=\"wide\" src=\"class.html\" width=\"1280\" height=\"700\"></iframe>\n"
    "<iframe id=\"feedback\" src=\"feedback/lab1/bob.html\" width=\"400\" height=\"700\"></iframe>\n"
    "<pre id=\"found\"></pre><script>\n"
    "const say = text => document.getElementById('found').textContent += text + '\\n';\n"
    "addEventListener('load', () => {\n"
    "  for (const frame of document.querySelectorAll('iframe')) {\n"
    "    const root = frame.contentDocument.documentElement;\n"
    "    say(frame.id + (root.scrollWidth > frame.contentWindow.innerWidth ? ' scrolls' : ' fits'));\n"
    "  }\n"
    "  const page = document.getElementById('wide').contentDocument;\n"
    "  const shown = () => [...page.querySelectorAll('#students tbody tr')].filter(row => !row.hidden)\n"
    "    .map(row => row.cells[0].textContent).join(' ');\n"
    "  const click = column => page.querySelectorAll('#students th button')[column].click();\n"
    "  say('as written: ' + shown());\n"
    "  click(2); say('by points: ' + shown() + ', ' + page.querySelectorAll('#students th')[2].ariaSort);\n"
    "  click(2); say('again: ' + shown());\n"
    "  click(1); say('by name: ' + shown());\n"
    "  const find = page.getElementById('find');\n"
    "  say('find is ' + (find.offsetParent ? 'there' : 'hidden'));\n"
    "  find.value = 'BOLD'; find.dispatchEvent(new Event('input')); say('found: ' + shown());\n"
    "  for (const link of page.querySelectorAll('a, img')) say('link ' + (link.getAttribute('href') || link.getAttribute('src')));\n"
    "});\n"
    "</script></body></html>\n";

/* What the probe says, for the caller to free. */
static char *browse(void) {
    char profile[PATH_SIZE + 32], address[PATH_SIZE + 32], path[PATH_SIZE], log_path[PATH_SIZE],
        error[TEXT_ERROR];
    class_write("out/probe.html", probe);
    path_join(path, folder, "dom.txt");
    path_join(log_path, folder, "log.txt");
    snprintf(profile, sizeof profile, "--user-data-dir=%s/profile", folder);
    snprintf(address, sizeof address, "file://%s/probe.html", out);
    /* no sandbox: it is refused to root, as which CI runs; the page is our own */
    // clang-format off
    const char *const words[] = {
        browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
        "--disable-background-networking", "--allow-file-access-from-files", "--enable-logging=stderr",
        "--window-size=1400,2400", profile, "--dump-dom", address, NULL};
    // clang-format on
    int output = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600),
        errors = open(log_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(output >= 0 && errors >= 0);
    const struct child child = {
        .arguments = words, .input = CHILD_NOTHING, .output = output, .errors = errors};
    int status = child_wait(child_start(&child), SECONDS);
    assert_int_equal(close(output) + close(errors), 0);
    char *log = file_read(log_path, OUTPUT_MOST, NULL, error, sizeof error),
         *page = file_read(path, OUTPUT_MOST, NULL, error, sizeof error);
    assert_true(log != NULL && page != NULL);
    if (status != 0 || strstr(log, ":CONSOLE") != NULL)
        fail_msg("%s ended with %d: %s", browser, status, log);
    free(log);
    return page;
}

static void grade_lab(const char *lab, int status) {
    class_grade(status, "--lab %s --submissions @in --policy @policy.ini --roster @roster.csv", lab);
}

static void small_class(const char *deadline, int status) {
    class_write_at("in/ann/kernel.cu", "// one\n", 1767225600);
    class_write_at("in/bob/kernel.cu", "// WRONG\n", 1767225600);
    class_write_at("in/cid/kernel.cu", "// two\n", 1767225600);
    class_write("policy.ini", class_print("[class]\nkey = " CLASS_KEY "\n%s", deadline));
    class_write(
        "roster.csv",
        "student,name,submitted\nann,\"<b>Zeno</b>, Ann\",2026-01-01 00:00 Z\nbob,Bob Bold,2026-01-01 00:00 Z\n"
        "cid,Cid,2026-01-01 00:00 Z\nfay/\xc3\xa4,Fay,\n");
    grade_lab("lab1", status);
    grade_lab("lab2", status);
}

/* Each file that a page leads to is there. */
static unsigned check_links(const char *found) {
    unsigned links = 0;
    for (const char *at = found; (at = strstr(at, "\nlink ")) != NULL; at++) {
        char name[256], path[PATH_SIZE];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 6, "\n"), at + 6);
        if (name[0] == '#') {
            char *page = class_read("out/class.html");
            assert_has(page, class_print("id=\"%s\"", name + 1));
            continue;
        }
        path_join(path, out, name);
        if (access(path, R_OK) != 0)
            fail_msg("a link leads nowhere: %s", name);
        links++;
    }
    return links;
}

static void students_are_sorted(void **state) {
    need_browser();
    small_class("", 0);
    FREED char *found = browse();
    assert_has(found, "narrow fits\nwide fits\nfeedback fits\n");
    /* 57.41 and 38.9 points, a wrong kernel, nothing at all */
    assert_has(found, "as written: ann bob cid fay/\xc3\xa4\n");
    assert_has(found, "by points: cid ann bob fay/\xc3\xa4, descending\n");
    assert_has(found, "again: fay/\xc3\xa4 bob ann cid\n");
    assert_has(found, "by name: ann bob cid fay/\xc3\xa4\n"); /* "<b>Zeno" is text */
    assert_has(found, "find is there\nfound: bob\n");
    assert_true(check_links(found) >= 2 * (4 + 3));
    static const char *const pages[] = {"out/class.html", "out/feedback/lab1/ann.html"};
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        char *page = class_read(pages[i]);
        assert_has_not(page, "http:");
        assert_has_not(page, "https:");
        assert_has_not(page, "<b>Zeno");
        assert_true(i == 0 || strstr(page, "<script") == NULL);
    }
}

static void a_class_that_is_late_or_absent_is_told(void **state) {
    small_class("deadline = 2025-12-31 00:00 Z\n", 3);
    char *page = class_read("out/class.html");
    assert_has(page,
               "<p class=\"warn\">lab1  all 3 who handed in are late: is the deadline the right one?</p>");
    class_write("roster.csv", "student\nann\nbob\ncid\ndee\neve\nfay\ngus\n");
    class_policy("");
    grade_lab("lab1", 3);
    class_has("out/class.html",
              "<p class=\"warn\">lab1  4 of 7 handed in nothing: is it the right download?</p>");
}

/* Causes by the number of students, of each form of a message one row; the policy without its
 * key; each lab by its rules. */
static void the_page_teaches(void **state) {
    static const char *const kernels[][2] = {
        {"ann", "// one\n"},     {"bob", "// HALO 1\n"}, {"cid", "// HALO 2\n"},  {"dee", "// HALO 3\n"},
        {"eve", "// WRONG 1\n"}, {"fay", "// FLAG\n"},   {"gus", "// WRONG 2\n"}, {"hal", "// TROUBLE\n"}};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        class_write(class_print("in/%s/kernel.cu", kernels[i][0]), kernels[i][1]);
    class_policy("[lab1]\nweight = 3\ndeadline = 2026-01-02 00:00 Z\n");
    class_grade(3, LAB1 " --policy @policy.ini");
    char *page = class_read("out/class.html");
    const char *halo = strstr(
                   page,
                   "<td>3 of 7</td><td class=\"text\">Computes what comes out when column 0 of the source "
                   "counts as outside.</td>"),
               *wrong = strstr(
                   page,
                   "<td>2 of 7</td><td class=\"text\">It computes something else: &lt;b&gt;n of n&lt;/b&gt; "
                   "cases.</td>"),
               *flag = strstr(page, "<td>1 of 7</td><td class=\"text\">It moved the problem to the host");
    assert_true(halo != NULL && wrong > halo && flag > wrong);
    assert_has(page, "href=\"feedback/lab1/bob.html\">bob</a>, <a href=\"feedback/lab1/cid.html\">cid</a>");
    assert_has(page, "<h1>Class: lab1, 8 students</h1>\n<p class=\"note\">As of 2026-01-01 00:00 UTC</p>");
    assert_has(page, "<td class=\"text when\">2026-01-02 00:00 UTC</td><td>100</td><td>60</td><td>3</td>");
    assert_has(page, "of 100 points, of the 7 with a kernel and a grade.");
    assert_has(page, "<td class=\"text\">fake-1</td>");
    assert_has(page, "key = (not shown)\n[lab1]\nweight = 3\n");
    assert_has_not(page, CLASS_KEY);
}

/* A share of each lab's points by its weight; what is excused does not count, what is open is
 * told. */
static void totals_by_weight(void **state) {
    static const char *const labs[] = {"lab1", "lab2", "lab10"};
    class_kernels("ann", "// one\n", "bob", "// one\n", "cid", "// TROUBLE\n");
    class_write(
        "overrides.csv",
        "student,lab,points,excused\nann,lab1,100,\nann,lab2,20,\nann,lab10,0,\nbob,lab1,50,\nbob,lab2,,yes\n"
        "bob,lab10,100,\n");
    class_policy("points = 100\n[lab2]\nweight = 2\npoints = 40\n[lab10]\nweight = 1\n");
    for (size_t i = 0; i < 3; i++)
        class_grade(3, "--lab %s --submissions @in --policy @policy.ini", labs[i]);
    class_grade(3, "--rescore --overrides @overrides.csv");
    char *page = class_read("out/class.html");
    assert_string_equal(class_read("out/totals.csv"),
                        "student,name,email,total_percent,open,lab1,lab2,lab10\r\n"
                        "ann,,,50,0,100,20,0\r\n"       /* (1 + 2 * 0.5 + 0) of 4 */
                        "bob,,,75,0,50,excused,100\r\n" /* (0.5 + 1) of 2 */
                        "cid,,,,3,,,\r\n");
    assert_has(
        page,
        "<th data-number>lab1</th><th data-number>lab2</th><th data-number>lab10</th><th data-number>total, %</th>");
    const char *ann = strstr(page, "<tr><td>ann</td>"), *two = strstr(ann, "feedback/lab2/ann.html"),
               *ten = strstr(ann, "feedback/lab10/ann.html"), *end = strstr(ann, "<td>50</td>");
    assert_true(two != NULL && ten > two && end > ten);
    assert_has(page, "title=\"Your instructor has set this to 20 of 40 points");
}

TESTS_BETWEEN(find_browser, NULL, CLASS_TEST(students_are_sorted), CLASS_TEST(the_page_teaches),
              CLASS_TEST(totals_by_weight), CLASS_TEST(a_class_that_is_late_or_absent_is_told))
