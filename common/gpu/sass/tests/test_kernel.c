/* test_kernel.c: cubins read into kernels: lines of the PTX, flow; damaged ones, and such as do not fit. */
#include "base/test.h"
#include "gpu/sass/cubin.h"
#include "gpu/sass/kernel.h"
#include "gpu/sass/tests/support_cubins.h"

static char error[256];

struct opened {
    uint8_t *bytes;
    size_t size, length;
    struct cubin cubin;
    char *text;
};

static struct opened open_cubin(const char *name, uint32_t architecture) {
    struct opened opened = {0};
    opened.bytes = read_cubin(name, &opened.size);
    assert_true(cubin_parse(opened.bytes, opened.size, architecture, &opened.cubin, error, sizeof error));
    opened.text = text_of(&opened.cubin, &opened.length);
    return opened;
}

static void close_cubin(struct opened *opened) {
    cubin_free(&opened->cubin);
    free(opened->bytes);
    free(opened->text);
}

/* What stands in a line of a text. */
static bool line_has(const struct opened *opened, uint32_t line, const char *words) {
    const char *at = opened->text;
    while (--line > 0)
        at = strchr(at, '\n') + 1;
    size_t length = strcspn(at, "\n");
    return memmem(at, length, words, strlen(words)) != NULL;
}

/* Accesses are of lines with accesses, whatever moved. */
static void instructions_have_their_lines(void **state) {
    static const struct {
        const char *name;
        uint32_t architecture;
    } cubins[] = {{"lines-75", 75}, {"lines-90", 90}};
    for (size_t c = 0; c < 2; c++) {
        struct opened opened = open_cubin(cubins[c].name, cubins[c].architecture);
        for (uint32_t k = 0; k < opened.cubin.count; k++) {
            ENDED(sass_kernel_free) struct sass_kernel kernel;
            uint32_t loads = 0, stores = 0;
            if (!sass_kernel_read(&kernel, &opened.cubin, &opened.cubin.kernels[k], opened.text,
                                  opened.length, error, sizeof error))
                fail_msg("%s", error);
            for (uint32_t i = 0; i < kernel.count; i++) {
                uint32_t line = kernel.copies[i].line;
                if (kernel.instructions[i].class == SASS_LOAD && ++loads)
                    assert_true(line_has(&opened, line, "ld.global"));
                if (kernel.instructions[i].class == SASS_STORE && ++stores)
                    assert_true(line_has(&opened, line, "st.global"));
            }
            assert_true(loads > 0 && stores > 0);
        }
        close_cubin(&opened);
    }
}

static void the_flow_is_that_of_the_code(void **state) {
    struct opened opened = open_cubin("lines-90", 90);
    struct sass_kernel kernel;
    bool subroutine = false, table = false;
    for (uint32_t k = 0; k < opened.cubin.count; k++) {
        assert_true(sass_kernel_read(&kernel, &opened.cubin, &opened.cubin.kernels[k], opened.text,
                                     opened.length, error, sizeof error));
        for (uint32_t b = 0; b < kernel.graph.block_count; b++) {
            const struct sass_block *block = &kernel.graph.blocks[b];
            subroutine |= block->subroutine; /* of the division */
            if (kernel.instructions[block->end - 1].flow != SASS_INDIRECT)
                continue;
            table = true;
            assert_in_range(block->edge_count, 3, 6);
        }
        sass_kernel_free(&kernel);
    }
    assert_true(subroutine && table);
    close_cubin(&opened);
}

static void what_does_not_fit_is_refused(void **state) {
    struct opened opened = open_cubin("lines-90", 90), plain = open_cubin("plain-90", 90);
    const struct cubin_kernel *kernel = &opened.cubin.kernels[0];
    struct sass_kernel read;
    assert_false(sass_kernel_read(&read, &plain.cubin, &plain.cubin.kernels[0], opened.text, opened.length,
                                  error, sizeof error));
    assert_non_null(strstr(error, "-lineinfo"));
    char *access = strstr(opened.text, "ld.global");
    assert_non_null(access);
    memcpy(access, "st", 2);
    uint32_t refused = 0;
    for (uint32_t k = 0; k < opened.cubin.count; k++)
        if (sass_kernel_read(&read, &opened.cubin, &opened.cubin.kernels[k], opened.text, opened.length,
                             error, sizeof error))
            sass_kernel_free(&read);
        else if (strstr(error, "not made of the PTX") != NULL)
            refused++;
    assert_int_equal(refused, opened.cubin.count); /* whichever has this line: it is another text */
    /* Blanks are no difference. */
    memcpy(access, "ld", 2);
    char *tab = strchr(access, '\t');
    assert_non_null(tab);
    *tab = ' ';
    assert_true(
        sass_kernel_read(&read, &opened.cubin, kernel, opened.text, opened.length, error, sizeof error));
    sass_kernel_free(&read);
    assert_false(sass_kernel_read(&read, &opened.cubin, kernel, "", 0, error, sizeof error));
    opened.cubin.architecture = 52;
    assert_false(
        sass_kernel_read(&read, &opened.cubin, kernel, opened.text, opened.length, error, sizeof error));
    assert_non_null(strstr(error, "sm_52"));
    close_cubin(&opened);
    close_cubin(&plain);
}

/* Every byte of it wrong, one at a time, and cut off anywhere: read or refused. */
static void damaged_cubins_are_safe(void **state) {
    struct opened opened = open_cubin("lines-90", 90);
    for (size_t i = 0; i < opened.size; i += 7) {
        FREED uint8_t *copy = malloc(opened.size);
        struct cubin cubin;
        struct sass_kernel kernel;
        size_t size = i % 2 ? i : opened.size;
        memcpy(copy, opened.bytes, opened.size);
        copy[i] ^= (uint8_t)(1u << i % 8);
        if (cubin_parse(copy, size, 90, &cubin, error, sizeof error)) {
            for (uint32_t k = 0; k < cubin.count; k++)
                if (sass_kernel_read(&kernel, &cubin, &cubin.kernels[k], opened.text, opened.length, error,
                                     sizeof error))
                    sass_kernel_free(&kernel);
            cubin_free(&cubin);
        }
    }
    close_cubin(&opened);
}

TESTS(UNIT(instructions_have_their_lines), UNIT(the_flow_is_that_of_the_code),
      UNIT(what_does_not_fit_is_refused), UNIT(damaged_cubins_are_safe))
