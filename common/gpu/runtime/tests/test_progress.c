/* test_progress.c: what is said of a kernel that runs for long where nobody watches a terminal. */
#include "base/clock.h"
#include "base/test.h"
#include "gpu/runtime/server/server.h"

static FILE *caught;
static int errors;

static int catch_errors(void **state) {
    caught = tmpfile();
    errors = dup(STDERR_FILENO);
    return caught != NULL && errors >= 0 && dup2(fileno(caught), STDERR_FILENO) >= 0 ? 0 : -1;
}

static int release_errors(void **state) {
    dup2(errors, STDERR_FILENO);
    close(errors);
    return fclose(caught);
}

/* Lines so far; the text of all. */
static int lines(char *text, size_t size) {
    int count = 0;
    rewind(caught);
    text[fread(text, 1, size - 1, caught)] = '\0';
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        count++;
    return count;
}

static void lines_without_a_terminal(void **state) {
    static struct server server;
    struct server_progress progress;
    char text[2048];
    server.config.instruction_budget = 7000000;
    server_progress_begin(&progress, &server, "sum(const float *, float *)");
    server_progress_show(&progress, 1000000);
    assert_int_equal(lines(text, sizeof text), 0);
    progress.start = clock_seconds() - 5.2;
    server_progress_show(&progress, 2000000);
    assert_int_equal(lines(text, sizeof text), 2);
    assert_non_null(strstr(text, "simulated GPU: sum still runs after 5 s\n"));
    assert_non_null(strstr(text, "(2 M warp instructions; SIMGPU_BUDGET=n stops it after n, now 7 M)\n"));
    server_progress_show(&progress, 3000000); /* no flood */
    assert_int_equal(lines(text, sizeof text), 2);
    progress.start -= 4;
    progress.shown -= 4;
    server_progress_show(&progress, 3000000);
    assert_int_equal(lines(text, sizeof text), 2);
    progress.start -= 200;
    progress.shown -= 140;
    server_progress_show(&progress, 4000000);
    assert_int_equal(lines(text, sizeof text), 4);
    server_progress_end(&progress);
    assert_int_equal(lines(text, sizeof text), 4);
}

TESTS(cmocka_unit_test_setup_teardown(lines_without_a_terminal, catch_errors, release_errors))
