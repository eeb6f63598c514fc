/* The pages in a real browser: the students sorted and searched, every link's file there, nothing wider than a phone, nothing
 * fetched from elsewhere. */
#include "support_class.h"

#include "base/child.h"
#include "base/file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    class_write(out, "probe.html", probe, 0);
    path_join(path, folder, "dom.txt");
    path_join(log_path, folder, "log.txt");
    snprintf(profile, sizeof profile, "--user-data-dir=%s/profile", folder);
    snprintf(address, sizeof address, "file://%s/probe.html", out);
    /* no sandbox: it is refused to root, as which CI runs; the page is our own */
    const char *const words[] = {browser,
                                 "--headless",
                                 "--no-sandbox",
                                 "--disable-gpu",
                                 "--disable-dev-shm-usage",
                                 "--no-first-run",
                                 "--disable-background-networking",
                                 "--allow-file-access-from-files",
                                 "--enable-logging=stderr",
                                 "--window-size=1400,2400",
                                 profile,
                                 "--dump-dom",
                                 address,
                                 NULL};
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
    const char *arguments[] = {"--lab",    lab,    "--submissions", in,  "--policy", policy,
                               "--roster", roster, "--out",         out, NULL};
    assert_int_equal(class_grade(folder, arguments), status);
}

static void small_class(const char *deadline, int status) {
    char text[256];
    class_write(in, "ann/kernel.cu", "// one\n", 1767225600);
    class_write(in, "bob/kernel.cu", "// WRONG\n", 1767225600);
    class_write(in, "cid/kernel.cu", "// two\n", 1767225600);
    snprintf(text, sizeof text, "[class]\nkey = " CLASS_KEY "\n%s", deadline);
    class_write(folder, "policy.ini", text, 0);
    class_write(
        folder, "roster.csv",
        "student,name,submitted\nann,\"<b>Zeno</b>, Ann\",2026-01-01 00:00 Z\nbob,Bob Bold,2026-01-01 00:00 Z\n"
        "cid,Cid,2026-01-01 00:00 Z\nfay/\xc3\xa4,Fay,\n",
        0);
    grade_lab("lab1", status);
    grade_lab("lab2", status);
}

/* Each file that a page leads to is there. */
static unsigned check_links(const char *found) {
    unsigned links = 0;
    for (const char *at = found; (at = strstr(at, "\nlink ")) != NULL; at++) {
        char name[256], path[PATH_SIZE];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 6, "\n"), at + 6);
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
    char *found = browse();
    assert_has(found, "narrow fits\nwide fits\nfeedback fits\n");
    /* 57.41 and 38.9 points, a wrong kernel, nothing at all */
    assert_has(found, "as written: ann bob cid fay/\xc3\xa4\n");
    assert_has(found, "by points: cid ann bob fay/\xc3\xa4, descending\n");
    assert_has(found, "again: fay/\xc3\xa4 bob ann cid\n");
    assert_has(found, "by name: ann bob cid fay/\xc3\xa4\n"); /* "<b>Zeno" is text */
    assert_has(found, "find is there\nfound: bob\n");
    assert_true(check_links(found) >= 2 * (4 + 3));
    free(found);
    static const char *const pages[] = {"out/class.html", "out/feedback/lab1/ann.html"};
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        char *page = class_read(folder, pages[i]);
        assert_has_not(page, "http:");
        assert_has_not(page, "https:");
        assert_has_not(page, "<b>Zeno");
        assert_true(i == 0 || strstr(page, "<script") == NULL);
        free(page);
    }
}

static void a_class_that_is_late_or_absent_is_told(void **state) {
    small_class("deadline = 2025-12-31 00:00 Z\n", 3);
    char *page = class_read(folder, "out/class.html");
    assert_has(page,
               "<p class=\"warn\">lab1  all 3 who handed in are late: is the deadline the right one?</p>");
    free(page);
    class_write(folder, "roster.csv", "student\nann\nbob\ncid\ndee\neve\nfay\ngus\n", 0);
    class_write(folder, "policy.ini", "[class]\nkey = " CLASS_KEY "\n", 0);
    grade_lab("lab1", 3);
    page = class_read(folder, "out/class.html");
    assert_has(page, "<p class=\"warn\">lab1  4 of 7 handed in nothing: is it the right download?</p>");
    free(page);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(students_are_sorted, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(a_class_that_is_late_or_absent_is_told, class_set_up,
                                        class_tear_down),
    };
    return cmocka_run_group_tests(tests, find_browser, NULL);
}
