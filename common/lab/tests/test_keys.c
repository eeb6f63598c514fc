/* What the key draws decides no points: every step of every lab under up to twenty keys, at sizes that take little time. At the labs'
 * own sizes: make labN-keys, by hand. */
#include "support_lab.h"

#include "base/child.h"

static void test_points_hold(void **state) {
    static const char *const cases[][3] = {
        {"lab1", "640x400", "20"}, {"lab2", "320x200", "20"}, {"lab3", "320x200", "20"},
        {"lab4", "64x50", "20"},   {"lab5", "320x200", "20"}, {"lab6", "128x128", "20"},
        {"lab7", "320x200", "20"}, {"lab8", "100x64", "20"},  {"lab10", "64x8", "20"},
        {"lab9", "200x60", "20"},  {"lab12", "130x97", "20"},
    };
    if (getenv("SANITIZED") != NULL) {
        print_message("skipped: built with sanitisers the simulator would take minutes\n");
        skip();
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char tool[PATH_SIZE], output[8192];
        path_join(tool, settings.build, "bin/lab");
        int status = child_run((const char *[]){tool, "keys", cases[i][0], "--device", "sim", "--arch", "90",
                                                "--size", cases[i][1], "--", cases[i][2], NULL},
                               output, sizeof output);
        if (status != 0)
            fail_msg("status %d\n%s", status, output);
    }
}

TESTS_BETWEEN(make_folder, remove_folder, UNIT(test_points_hold))
