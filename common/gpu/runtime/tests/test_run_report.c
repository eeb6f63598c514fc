/* test_run_report.c: what `make run` says of a program when it is over, by its launches and its exit status. */
#include "base/path.h"
#include "base/test.h"
#include "gpu/runtime/tests/support_programs.h"

#include <sys/wait.h>

static char launches[] = "/tmp/test_run_report.XXXXXX";

static void write_launches(const char *text) {
    FILE *file = fopen(launches, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Both streams of run-report; its exit status. */
static int report(const char *status, char *text, size_t size) {
    char command[PATH_SIZE];
    assert_true(path_print(command, "%s/bin/run-report %s --program ./a.out --status %s 2>&1",
                           build_directory(), launches, status));
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    text[fread(text, 1, size - 1, pipe)] = '\0';
    int result = pclose(pipe);
    assert_true(WIFEXITED(result));
    return WEXITSTATUS(result);
}

static int set_up(void **state) {
    int descriptor = mkstemp(launches);
    return descriptor >= 0 ? close(descriptor) : -1;
}

static int tear_down(void **state) {
    return unlink(launches);
}

/* simgpu writes the file, so without one the program did not ask for a GPU. A crash is told here, for make
 * run keeps the shell silent. */
static void no_kernel_ran(void **state) {
    char text[1024];
    write_launches("");
    assert_int_equal(report("0", text, sizeof text), 0);
    assert_string_equal(text, "make run: no kernel ran on the simulated GPU\n");
    assert_int_equal(report("3", text, sizeof text), 0); /* the program, or the shell, has said why */
    assert_string_equal(text, "");
    assert_int_equal(report("139", text, sizeof text), 0);
    assert_string_equal(text,
                        "make run: no kernel ran on the simulated GPU: the program crashed on the host, by "
                        "SIGSEGV\n");
    assert_int_equal(unlink(launches), 0);
    assert_int_equal(report("0", text, sizeof text), 0);
    assert_string_equal(text,
                        "make run: no kernel ran on the simulated GPU: the program did not call the CUDA "
                        "runtime, libcudart.so\n");
}

/* What has been said by the simulated GPU is not said again. */
static void after_a_fault(void **state) {
    char text[1024];
    write_launches("{\"fault\":{\"cuda_error\":700,\"message\":\"kernel.cu:3: an invalid store\"}}\n");
    for (const char *status = "01"; *status != '\0'; status++) {
        const char one[] = {*status, '\0'};
        assert_int_equal(report(one, text, sizeof text), 0);
        assert_string_equal(text, "");
    }
}

static void what_makes_no_sense(void **state) {
    static const struct {
        const char *lines, *says;
    } cases[] = {{"nonsense\n", ":1: '[' or '{' expected"},
                 {"{\"copy\":{}}\n{\"other\":1}\n", ":2: neither a launch nor a fault\n"}};
    char text[1024];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_launches(cases[i].lines);
        assert_int_equal(report("0", text, sizeof text), 1);
        assert_non_null(strstr(text, launches));
        if (strstr(text, cases[i].says) == NULL)
            fail_msg("nothing of \"%s\" in: %s", cases[i].says, text);
    }
}

TESTS_BETWEEN(set_up, tear_down, UNIT(no_kernel_ran), UNIT(after_a_fault), UNIT(what_makes_no_sense))
