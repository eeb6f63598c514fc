/* test_cubin.c: kernels' resources against what `ptxas -v` printed when the seeds of fuzz_fatbin were made. */
#include "base/test.h"
#include "gpu/runtime/binding/fatbin.h"
#include "gpu/runtime/tests/support_programs.h"
#include "gpu/sass/cubin.h"

static char error[1024];

struct expected {
    const char *file, *kernel;
    uint32_t architecture, registers, shared, frame, constant, max_threads;
};

/* "Used N registers, S bytes smem", "F bytes stack frame", "C bytes cmem[3]", __launch_bounds__. */
static const struct expected expected[] = {
    {"plain", "smooth", 75, 10, 384, 0, 100, 0},    {"plain", "gather", 75, 12, 0, 160, 100, 0},
    {"plain", "bounded", 75, 8, 0, 0, 100, 192},    {"zstd_all", "smooth", 80, 10, 384, 0, 100, 0},
    {"zstd_all", "gather", 80, 14, 0, 160, 100, 0}, {"zstd_all", "bounded", 80, 8, 0, 0, 100, 192},
    {"several", "smooth", 90, 10, 384, 0, 100, 0},  {"several", "gather", 90, 14, 0, 160, 100, 0},
    {"several", "bounded", 90, 8, 0, 0, 100, 192},  {"old_lz4", "smooth", 75, 10, 384, 0, 100, 0},
    {"old_lz4", "gather", 75, 12, 0, 160, 100, 0},  {"old_lz4", "bounded", 75, 8, 0, 0, 100, 192},
};

static unsigned char *machine_code(const char *name, uint32_t architecture, size_t *size) {
    size_t file_size;
    unsigned char *file = read_fat_binary(name, &file_size);
    struct fatbin *fatbin = malloc(sizeof *fatbin);
    assert_true(fatbin_parse(file, file_size, fatbin, error, sizeof error));
    const struct fatbin_entry *entry = fatbin_choose_cubin(fatbin, architecture / 10, architecture % 10);
    assert_non_null(entry);
    assert_int_equal(entry->architecture, architecture);
    unsigned char *code = fatbin_extract(entry, error, sizeof error);
    assert_non_null(code);
    *size = entry->bytes;
    free(fatbin);
    free(file);
    return code;
}

static void resources_as_ptxas_prints_them(void **state) {
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct expected *want = &expected[i];
        struct cubin cubin;
        size_t size;
        unsigned char *code = machine_code(want->file, want->architecture, &size);
        if (!cubin_parse(code, size, want->architecture, &cubin, error, sizeof error))
            fail_msg("%s", error);
        assert_int_equal(cubin.count, 3);
        const struct cubin_kernel *kernel = cubin_find(&cubin, want->kernel);
        assert_non_null(kernel);
        assert_int_equal(kernel->registers, want->registers);
        assert_int_equal(kernel->static_shared, want->shared);
        assert_int_equal(kernel->local_bytes, want->frame);
        assert_int_equal(kernel->constant_bytes, want->constant);
        assert_int_equal(kernel->max_threads, want->max_threads);
        assert_null(cubin_find(&cubin, "absent"));
        cubin_free(&cubin);
        free(code);
    }
}

/* Any damage is refused or read as something; never beyond the bytes (the sanitizer looks on). */
static void damage(void **state) {
    size_t size;
    struct cubin cubin;
    unsigned char *code = machine_code("plain", 75, &size);
    for (size_t cut = 0; cut < size; cut += 7) {
        unsigned char *part = malloc(cut ? cut : 1);
        memcpy(part, code, cut);
        if (cubin_parse(part, cut, 75, &cubin, error, sizeof error))
            cubin_free(&cubin);
        else
            assert_true(error[0] != '\0');
        free(part);
    }
    for (size_t i = 0; i < size; i++) {
        unsigned char old = code[i];
        code[i] = 0xff;
        if (cubin_parse(code, size, 75, &cubin, error, sizeof error))
            cubin_free(&cubin);
        code[i] = old;
    }
    assert_false(cubin_parse("not an ELF file, and long enough to be read as a header, were it one", 64, 75,
                             &cubin, error, sizeof error));
    free(code);
}

TESTS(UNIT(resources_as_ptxas_prints_them), UNIT(damage))
