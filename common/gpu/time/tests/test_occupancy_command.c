/* test_occupancy_command.c: the command says what the calculator says, in 80 columns, and refuses what it
 * cannot read. */
#include "gpu/time/tests/support_gpus.h"

#include <sys/wait.h>

/* Run the command; its output (both streams) in text. Returns the exit status. */
static int run(const char *arguments, char *text, size_t size) {
    char line[512];
    snprintf(line, sizeof line, "%s/bin/occupancy %s 2>&1", test_build(), arguments);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    size_t length = fread(text, 1, size - 1, pipe);
    text[length] = '\0';
    int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void says_what_the_calculator_says(void **state) {
    char text[16384];
    assert_int_equal(run("--gpu gtx980 8x8 56", text, sizeof text), 0);
    assert_non_null(strstr(text, "NVIDIA GeForce GTX 980 (compute capability 5.2)"));
    assert_non_null(strstr(text, "occupancy 56.2 %: 18 blocks, 36 of 64 warps an SM; limited by: registers"));
    assert_non_null(strstr(text, "> 64 "));
    assert_non_null(strstr(text, "> 49 to 56 "));
    assert_int_equal(run("--gpu h200 128 16 48K", text, sizeof text), 0);
    assert_non_null(
        strstr(text, "128 threads a block, 16 registers a thread, 49152 B of shared memory a block"));
    assert_non_null(
        strstr(text, "occupancy 25.0 %: 4 blocks, 16 of 64 warps an SM; limited by: shared memory"));
    assert_int_equal(run("--gpu h200 2000", text, sizeof text), 0);
    assert_non_null(strstr(text, "does not fit: 2000 threads; a block has at most 1024"));
    assert_int_equal(run("--gpu h200 256 300", text, sizeof text), 0);
    assert_non_null(strstr(text, "does not fit: 300 registers a thread; at most 255"));
    assert_int_equal(run("--gpu h200 256 32 300K", text, sizeof text), 0);
    assert_non_null(strstr(text, "does not fit: 307200 bytes of shared memory; a block has at most 232448"));
    assert_int_equal(run("--gpu h200 1024 128", text, sizeof text), 0);
    assert_non_null(strstr(text, "does not fit: one block alone needs more registers than there are"));
}

static void every_row_fits_the_terminal(void **state) {
    const char *const cases[] = {"--gpu h200 1 255 227K", "--gpu t4 1024 64 64K", "--gpu a100 96 33 7",
                                 "--gpu v100 32 16"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[65536];
        assert_int_equal(run(cases[i], text, sizeof text), 0);
        int own = 0;
        for (char *next = text, *line; (line = strsep(&next, "\n")) != NULL; own += line[0] == '>')
            assert_true(strlen(line) <= 80);
        assert_int_equal(own, 3); /* the kernel itself stands once in each table */
    }
}

static void wrong_input_is_refused(void **state) {
    char text[4096];
    static const struct {
        const char *arguments, *says;
    } wrong[] = {{"", "usage: occupancy"},
                 {"-5", "usage: occupancy"},
                 {"64 32 0 9", "usage: occupancy"},
                 {"--gpu", "usage: occupancy"},
                 {"--zzz 64", "usage: occupancy"},
                 {"x", "THREADS is the threads of a block, as 256 or 32x8; 'x' is not"},
                 {"0", "THREADS is"},
                 {"8x8x8x8", "THREADS is"},
                 {"64 many", "REGISTERS is a whole number of registers a thread, as 40; 'many' is not"},
                 {"64 32K", "REGISTERS is"},
                 {"64 32 1Q", "SHARED is bytes of a block, as 8192 or 8K; '1Q' is not"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(run(wrong[i].arguments, text, sizeof text), 2);
        if (strstr(text, wrong[i].says) == NULL)
            fail_msg("'%s' does not say '%s'", text, wrong[i].says);
    }
    assert_int_equal(run("--gpu h2000 64", text, sizeof text), 1);
    assert_non_null(strstr(text, "no GPU model \"h2000\"; there are: a100"));
}

TESTS(UNIT(says_what_the_calculator_says), UNIT(every_row_fits_the_terminal), UNIT(wrong_input_is_refused))
