/* test_layout.c: our structures against the toolkit's, field by field; and against sizes known of every
 * release. */
#include "base/test.h"
#include "gpu/runtime/tests/support_layout.h"
#include "gpu/runtime/tests/support_programs.h"

static char *layout(int release) {
    char *text;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    fprintf(file, "release %d\n", release);
    if (release == 11)
        print_layout_11(file);
    else if (release == 12)
        print_layout_12(file);
    else
        print_layout_13(file);
    fclose(file);
    return text;
}

/* sizeof, as compilers say with the headers of 11.8, 12.9 and 13.0. */
static void sizes_of_every_release(void **state) {
    static const struct {
        int release;
        const char *lines[3];
    } known[] = {
        {11, {"cudaDeviceProp 728\n", "cudaFuncAttributes 56\n", "cudaPointerAttributes 24\n"}},
        {12, {"cudaDeviceProp 1032\n", "cudaFuncAttributes 144\n", "cudaPointerAttributes 24\n"}},
        {13, {"cudaDeviceProp 1008\n", "cudaFuncAttributes 144\n", "cudaPointerAttributes 88\n"}},
    };
    for (size_t i = 0; i < 3; i++) {
        char *text = layout(known[i].release);
        for (size_t line = 0; line < 3; line++)
            assert_non_null(strstr(text, known[i].lines[line]));
        free(text);
    }
}

static void fields_as_the_toolkit_has_them(void **state) {
    struct run run;
    if (!have_program("layout"))
        skip();
    run_program(&run, "layout", NULL, NULL, 60);
    assert_exit(&run, 0);
    assert_int_equal(strncmp(run.output, "release ", 8), 0);
    int release = (int)strtol(run.output + 8, NULL, 10);
    char *ours = layout(release);
    assert_string_equal(run.output, ours);
    free(ours);
}

TESTS(UNIT(sizes_of_every_release), UNIT(fields_as_the_toolkit_has_them))
