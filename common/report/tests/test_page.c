/* test_page.c: the profile page in a real browser, light and dark: no message on its console,
 * nothing wider than the window at 400 and 1280 pixels, no dead link. Needs Chromium (make setup
 * DEV=1); a run takes 1 to 2 seconds. */
#include "base/child.h"
#include "base/file.h"
#include "report/findings/findings.h"
#include "report/tests/support_analysis.h"
#include "report/writers/html.h"
#include "report/writers/html_parts.h"

#include <fcntl.h>

enum { SECONDS = 3600, OUTPUT_MOST = 1 << 20 };

static char folder[] = "/tmp/test_page.XXXXXX", error[512];
static const char *browser;

/* Looks at both widths from outside; prints its findings into its own text, between brackets. */
static const char probe[] =
    "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>probe</title></head><body>\n"
    "<iframe src=\"page.html\" style=\"width:400px;height:900px;border:0\"></iframe>\n"
    "<iframe src=\"page.html\" style=\"width:1280px;height:900px;border:0\"></iframe>\n"
    "<pre id=\"found\"></pre><script>\n"
    "function light(colour) {\n"
    "  const [r, g, b] = colour.match(/[0-9.]+/g).map(Number).map(v => v / 255)\n"
    "    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);\n"
    "  return 0.2126 * r + 0.7152 * g + 0.0722 * b;\n"
    "}\n"
    "function look(frame) {\n"
    "  const view = frame.contentWindow, page = frame.contentDocument, wrong = [];\n"
    "  const all = [...page.body.querySelectorAll('*')];\n"
    "  const width = page.scrollingElement.clientWidth;\n"
    "  for (const fold of page.querySelectorAll('details')) fold.open = true;\n"
    "  if (page.scrollingElement.scrollWidth > view.innerWidth) wrong.push('scrolls to ' + "
    "page.scrollingElement.scrollWidth);\n"
    "  for (const one of all) {\n"
    "    const box = one.getBoundingClientRect();\n"
    "    if (box.right > width + 0.5) wrong.push('beyond the right: ' + one.tagName + ' ' + one.textContent.slice(0, 40));\n"
    "    if (one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0 && view.getComputedStyle(one).overflowX != "
    "'visible') wrong.push('cut: ' + one.textContent.slice(0, 40));\n"
    "  }\n"
    "  for (const one of page.querySelectorAll('svg text')) {\n"
    "    const box = one.getBoundingClientRect(), frame = one.ownerSVGElement.getBoundingClientRect();\n"
    "    if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom "
    "+ 1) wrong.push('out of its drawing: ' + one.textContent);\n"
    "  }\n"
    "  const names = all.filter(one => one.id).map(one => one.id);\n"
    "  if (new Set(names).size != names.length) wrong.push('a name twice');\n"
    "  for (const link of page.querySelectorAll('[href],[src]')) {\n"
    "    const to = link.getAttribute('href') ?? link.getAttribute('src');\n"
    "    if (!to.startsWith('#') || !names.includes(decodeURIComponent(to.slice(1)))) wrong.push('leads nowhere: ' + to);\n"
    "  }\n"
    "  const style = view.getComputedStyle(page.body), paper = light(style.backgroundColor);\n"
    "  for (const one of all.filter(one => one.textContent.trim() && !one.closest('svg,.l'))) {\n"
    "    const ink = light(view.getComputedStyle(one).color);\n"
    "    if ((Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05) < 4.5) wrong.push('faint: ' + one.tagName + ' ' + "
    "one.className);\n"
    "  }\n"
    "  const text = page.querySelector('svg text');\n"
    "  if (text && Math.abs(light(view.getComputedStyle(text).fill) - paper) < 0.2) wrong.push('drawing cannot be read');\n"
    "  return (paper < 0.5 ? 'dark' : 'light') + ' ' + view.innerWidth + ', links ' + page.links.length + ', drawings ' +\n"
    "    page.querySelectorAll('svg').length + (wrong.length ? ': ' + wrong.slice(0, 8).join('; ') : '');\n"
    "}\n"
    "addEventListener('load', () => { document.getElementById('found').textContent =\n"
    "  [...document.querySelectorAll('iframe')].map(frame => '[' + look(frame) + ']').join('\\n'); });\n"
    "</script></body></html>\n";

static int set_up(void **state) {
    static const char *const names[] = {"chromium", "chromium-browser", "google-chrome", "chrome"};
    for (size_t i = 0; browser == NULL && i < sizeof names / sizeof *names; i++)
        if (child_run((const char *const[]){names[i], "--version", NULL}, NULL, 0) == 0)
            browser = names[i];
    return mkdtemp(folder) == NULL ? -1 : 0;
}

static int tear_down(void **state) {
    folder_remove(folder);
    return access(folder, F_OK) == 0;
}

static void need_browser(void) {
    if (browser == NULL) {
        print_message("skipped: no chromium here (make setup DEV=1 brings it)\n");
        skip();
    }
}

static void write_text(const char *name, const char *text) {
    char path[PATH_SIZE];
    path_join(path, folder, name);
    if (!file_write(path, text, strlen(text), error, sizeof error))
        fail_msg("%s", error);
}

static void write_page(struct report *report, const struct changes *changes) {
    struct gpu_model model;
    struct file_output output;
    if (!gpu_model_load(NULL, "h200", &model, error, sizeof error) || !report_add_findings(report, &model) ||
        !file_begin(&output, folder, "page.html", error, sizeof error) ||
        !report_html(output.file, report, NULL, &model, folder, changes) ||
        !file_end(&output, error, sizeof error))
        fail_msg("%s", error);
    write_text("probe.html", probe);
}

/* The probe's page after its script has run, and standard error, both to be freed. */
static void browse(bool dark, char **page, char **log) {
    char profile[PATH_SIZE + 32], address[PATH_SIZE + 32], path[PATH_SIZE], log_path[PATH_SIZE];
    path_join(path, folder, "dom.txt");
    path_join(log_path, folder, "log.txt");
    snprintf(profile, sizeof profile, "--user-data-dir=%s/profile", folder);
    snprintf(address, sizeof address, "file://%s/probe.html", folder);
    /* No sandbox, which root, as which CI runs, does not get. The page is our own. */
    const char *const words[] = {browser,
                                 "--headless",
                                 "--no-sandbox",
                                 "--disable-gpu",
                                 "--disable-dev-shm-usage",
                                 "--no-first-run",
                                 "--disable-background-networking",
                                 "--allow-file-access-from-files",
                                 "--enable-logging=stderr",
                                 "--window-size=1400,2000",
                                 profile,
                                 dark ? "--blink-settings=preferredColorScheme=0"
                                      : "--blink-settings=preferredColorScheme=1",
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
    *page = file_read(path, OUTPUT_MOST, NULL, error, sizeof error);
    *log = file_read(log_path, OUTPUT_MOST, NULL, error, sizeof error);
    assert_true(*page != NULL && *log != NULL);
    if (status != 0)
        fail_msg("%s ended with %d: %s", browser, status, *log);
}

/* Whether the probe found nothing wrong at one width; *links, *drawings: their numbers. */
static bool well(const char *found, const char *shade, int width, unsigned *links, unsigned *drawings) {
    char begin[64];
    int used = 0;
    snprintf(begin, sizeof begin, "[%s %d, ", shade, width);
    const char *at = found != NULL ? strstr(found, begin) : NULL;
    return at != NULL &&
           sscanf(at + strlen(begin), "links %u, drawings %u]%n", links, drawings, &used) == 2 && used > 0;
}

/* Both widths, light and dark. */
static void expect_well(unsigned *links, unsigned *drawings) {
    for (int dark = 0; dark < 2; dark++) {
        char *page, *log;
        const char *shade = dark ? "dark" : "light";
        browse(dark, &page, &log);
        const char *found = strstr(page, "<pre id=\"found\">");
        if (!well(found, shade, 400, links, drawings) || !well(found, shade, 1280, links, drawings))
            fail_msg("%s: the browser found: %.900s", shade, found != NULL ? found : page);
        const char *message = strstr(log, ":CONSOLE");
        if (message != NULL)
            fail_msg("on the browser's console: %.300s", message);
        free(page);
        free(log);
    }
}

/* A bad page is recognised. */
static void a_bad_page_is_found_out(void **state) {
    need_browser();
    write_text("page.html",
               "<!DOCTYPE html><html><body style=\"background:#fff\"><p style=\"width:600px\">wide</p>"
               "<a href=\"#gone\">dead</a><p style=\"color:#ccc\">faint</p><b id=\"x\"></b><i id=\"x\"></i>"
               "<div style=\"width:90px;overflow:hidden\">very_much_longer_than_that</div>"
               "<svg viewBox=\"0 0 90 20\" width=\"90\" height=\"20\"><text x=\"5\" y=\"15\" "
               "text-anchor=\"end\">100,000</text></svg>"
               "<script>console.error('a mistake')</script></body></html>");
    write_text("probe.html", probe);
    char *page, *log;
    browse(false, &page, &log);
    const char *found = strstr(page, "<pre id=\"found\">");
    static const char *const wanted[] = {"scrolls to 6", "beyond the right: P wide", "a name twice",
                                         "cut: very_much", "leads nowhere: #gone"};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (found == NULL || strstr(found, wanted[i]) == NULL)
            fail_msg("not found: %s in %.900s", wanted[i], found != NULL ? found : page);
    assert_non_null(strstr(found, "out of its drawing: 100,000"));
    assert_non_null(strstr(found, "faint: P")); /* at 1280, where there is less to list */
    assert_non_null(strstr(log, "a mistake"));
    assert_non_null(strstr(log, ":CONSOLE"));
    free(page);
    free(log);
}

/* A name breaks behind its underscores, not in a word. */
static void names_break_between_words(void **state) {
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    html_words(to, "waits 5 %: math_pipe_throttle");
    assert_int_equal(fclose(to), 0);
    assert_string_equal(text, "waits 5 %: math_<wbr>pipe_<wbr>throttle");
    free(text);
}

static void a_whole_profile(void **state) {
    need_browser();
    struct report report;
    struct changes changes = {.since = "2026-01-02 03:04", .count = 2, .past_count = 2};
    assert_true(report_init(&report, "lab1", "Memory layout: a warp reads rows"));
    assert_true(report_set_device(&report, DEVICE_SIM, "NVIDIA H200", "h200", "13.0") &&
                report_add_goal(&report, "sectors per load request", 4.84, 4.5, 2, 0, 40) &&
                report_add_remark(
                    &report, "unwritten", "1x1", "labs/lab1/kernel.cu", 31,
                    "a_long_name_without_a_blank_in_it_anywhere_that_a_page_must_break_somewhere_or_scroll",
                    12345));
    static const char *const names[] = {"starter", "yours", "reference"};
    for (int i = 0; i < 3; i++) {
        struct report_run *run = report_add_run(&report, names[i]);
        struct kernel_report *kernel = report_run_add_kernel(run);
        assert_non_null(kernel);
        test_gaussian(kernel);
        run->time_us = kernel->time_us;
        run->time_source = TIME_MODEL;
    }
    char source[4096] = "";
    for (int line = 1; line <= 30; line++)
        snprintf(
            source + strlen(source), sizeof source - strlen(source), "%s\n",
            line == 14
                ? "    sum += a_name_that_is_long[with_an_index * and_a_stride + threadIdx.x] * weight[and_a_very_"
                  "long_name_of_an_index_that_does_not_end_before_the_window_does];"
                : "// text");
    write_text("kernel.cu", source);
    strcpy(changes.items[0].text, "time 105.6 us -> 54.40 us, 1.94x faster");
    strcpy(changes.items[1].text, "kernel.cu:14 global load: 4.84 -> 1.85 sectors per request");
    strcpy(changes.items[1].file, "kernel.cu");
    changes.items[1].line = 14;
    for (int i = 0; i < 2; i++)
        changes.past[i] = (struct past_run){"2026-01-02 03:04", 100 - 40 * i, 0, 100};
    write_page(&report, &changes);
    report_free(&report);
    unsigned links = 0, drawings = 0;
    expect_well(&links, &drawings);
    assert_int_equal(drawings, 4); /* three curves, the roofline */
    assert_true(links > 8);        /* the sections, the changed line, a finding */
}

/* The roofline of float arithmetic has the largest figures on its axis. */
static void float_arithmetic(void **state) {
    need_browser();
    struct report report;
    assert_true(report_init(&report, "lab6", "GEMM"));
    struct report_run *run = report_add_run(&report, "yours");
    struct kernel_report *kernel = report_run_add_kernel(run);
    assert_non_null(kernel);
    test_gaussian(kernel);
    kernel->counters.fp32_flops = kernel->counters.thread_instructions;
    kernel->known[COUNTER_fp32_flops] = true;
    run->time_us = kernel->time_us;
    write_page(&report, NULL);
    report_free(&report);
    unsigned links = 0, drawings = 0;
    expect_well(&links, &drawings);
    assert_int_equal(drawings, 4);
}

/* The largest names and numbers, missing counters, a program of many kernels. */
static void any_report(void **state) {
    need_browser();
    uint64_t random = 3;
    struct report report = test_report(&random, 5);
    write_page(&report, NULL);
    report_free(&report);
    unsigned links = 0, drawings = 0;
    expect_well(&links, &drawings);
    assert_true(links > 0);
}

TESTS_BETWEEN(set_up, tear_down, UNIT(a_bad_page_is_found_out), UNIT(names_break_between_words),
              UNIT(a_whole_profile), UNIT(float_arithmetic), UNIT(any_report))
