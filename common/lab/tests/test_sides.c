/* test_sides.c: lines of simgpu's report as a judge takes them, also those that no simgpu writes. */
#include "base/test.h"
#include "lab/judge/session/session_parts.h"

#include <sys/socket.h>

/* A session that has read these lines; the caller frees it. */
static struct session *read_lines(const char *lines) {
    int pair[2];
    struct session *s = calloc(1, sizeof *s);
    assert_non_null(s);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    s->report = pair[1];
    s->output = s->log = -1;
    assert_int_equal(write(pair[0], lines, strlen(lines)), (int)strlen(lines));
    close(pair[0]);
    session_read_sides(s);
    session_close_descriptor(&s->report);
    return s;
}

static void free_session(struct session *s) {
    launches_free(&s->launches);
    json_decref(s->remarks);
    free(s->pending);
    free(s);
}

/* Whole pairs of digits, and nothing behind them. */
static void printed_text(void **state) {
    static const struct {
        const char *hex, *text;
    } lines[] = {{"4142", "AB"}, {"414", "A"}, {"4", ""}, {"", ""}, {"41zz42", "A"}, {"41 42", "A"}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char line[128];
        snprintf(line, sizeof line, "{\"printed\": {\"hex\": \"%s\"}}\n", lines[i].hex);
        struct session *s = read_lines(line);
        assert_int_equal(s->kept_length, strlen(lines[i].text));
        assert_string_equal(s->kept, lines[i].text);
        assert_string_equal(s->report_error, "");
        free_session(s);
    }
}

/* What is no report is told as such, and what follows is read. */
static void lines_that_are_none(void **state) {
    struct session *s = read_lines("nonsense\n{\"launch\": 3}\n[]\n{\"printed\": 3}\n{\"answer\": {}}\n");
    assert_true(s->report_error[0] != '\0');
    assert_true(s->answered);
    assert_int_equal(s->launches.count, 0);
    free_session(s);
}

TESTS(UNIT(printed_text), UNIT(lines_that_are_none))
