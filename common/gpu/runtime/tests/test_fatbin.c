/* test_fatbin.c: fat binaries as nvcc makes them (the seeds of fuzz_fatbin), damaged ones, and which entry is
 * picked. */
#include "base/test.h"
#include "gpu/runtime/binding/fatbin.h"
#include "gpu/runtime/tests/support_programs.h"

static char error[1024];

struct loaded {
    unsigned char *bytes;
    size_t size;
    struct fatbin fatbin;
};

static void load(const char *name, struct loaded *loaded) {
    loaded->bytes = read_fat_binary(name, &loaded->size);
    if (!fatbin_parse(loaded->bytes, loaded->size, &loaded->fatbin, error, sizeof error))
        fail_msg("%s: %s", name, error);
}

/* The PTX text for a compute capability, to be freed; the test fails when there is none. */
static char *ptx_text(const struct loaded *loaded, uint32_t major, uint32_t minor) {
    const struct fatbin_entry *entry = fatbin_choose_ptx(&loaded->fatbin, major, minor, error, sizeof error);
    if (entry == NULL)
        fail_msg("%s", error);
    char *text = fatbin_extract(entry, error, sizeof error);
    if (text == NULL)
        fail_msg("%s", error);
    return text;
}

/* Every way of compression gives the same kind of text, and machine code that is an ELF file. */
static void compressions(void **state) {
    static const struct {
        const char *name;
        uint32_t entries;
        enum fatbin_compression ptx, cubin;
    } files[] = {{"plain", 2, FATBIN_PLAIN, FATBIN_PLAIN},
                 {"zstd", 2, FATBIN_ZSTD, FATBIN_PLAIN},
                 {"zstd_all", 2, FATBIN_ZSTD, FATBIN_ZSTD},
                 {"lz4", 2, FATBIN_LZ4, FATBIN_PLAIN},
                 {"old_lz4", 2, FATBIN_LZ4, FATBIN_LZ4}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct loaded loaded;
        load(files[i].name, &loaded);
        assert_int_equal(loaded.fatbin.count, files[i].entries);
        const struct fatbin_entry *ptx = fatbin_choose_ptx(&loaded.fatbin, 9, 0, error, sizeof error);
        const struct fatbin_entry *cubin = fatbin_choose_cubin(&loaded.fatbin, 9, 0);
        assert_non_null(ptx);
        assert_non_null(cubin);
        assert_int_equal(ptx->compression, files[i].ptx);
        assert_int_equal(cubin->compression, files[i].cubin);
        char *text = ptx_text(&loaded, 9, 0);
        assert_non_null(strstr(text, ".version"));
        assert_non_null(strstr(text, ".entry smooth("));
        assert_non_null(strstr(text, ".entry bounded("));
        unsigned char *code = fatbin_extract(cubin, error, sizeof error);
        assert_non_null(code);
        assert_memory_equal(code, "\177ELF", 4);
        free(code);
        free(text);
        free(loaded.bytes);
    }
}

/* several.fatbin holds sm_75, compute_80, sm_90 and compute_90. */
static void highest_that_fits(void **state) {
    static const struct {
        uint32_t major, minor, ptx, cubin;
    } cases[] = {{9, 0, 90, 90}, {10, 0, 90, 90}, {8, 9, 80, 90}, {8, 0, 80, 75}, {8, 6, 80, 90}};
    struct loaded loaded;
    load("several", &loaded);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct fatbin_entry *ptx =
            fatbin_choose_ptx(&loaded.fatbin, cases[i].major, cases[i].minor, error, sizeof error);
        const struct fatbin_entry *cubin =
            fatbin_choose_cubin(&loaded.fatbin, cases[i].major, cases[i].minor);
        assert_non_null(ptx);
        assert_int_equal(ptx->architecture, cases[i].ptx);
        assert_int_equal(cubin->architecture, cases[i].cubin);
    }
    free(loaded.bytes);
}

static void refused(const char *file, uint32_t major, uint32_t minor, const char *expected) {
    struct loaded loaded;
    load(file, &loaded);
    assert_null(fatbin_choose_ptx(&loaded.fatbin, major, minor, error, sizeof error));
    if (strstr(error, expected) == NULL)
        fail_msg("\"%s\" says nothing of \"%s\"", error, expected);
    free(loaded.bytes);
}

static void refusals_name_what_is_there(void **state) {
    refused("machine_only", 9, 0,
            "no PTX, machine code for sm_90, and the simulated GPU (compute capability 9.0)");
    refused("machine_only", 9, 0, "build with -arch=sm_90, or add -gencode arch=compute_90,code=compute_90");
    refused("several", 7, 5, "PTX for compute_80, compute_90");
    refused("several", 7, 5,
            "PTX for compute_80, compute_90, machine code for sm_75, sm_90, and the simulated GPU");
    refused("several", 5, 2, "build with -arch=sm_75, or add -gencode arch=compute_75,code=compute_75");
    refused("unlinked", 9, 0, "no PTX, code for -dlto, lto_90, and the simulated GPU");
    refused("specific", 10, 0, "PTX for compute_90a");
}

/* PTX that waits for a device linker says so. */
static void relocatable(void **state) {
    struct loaded loaded;
    load("separate", &loaded);
    const struct fatbin_entry *ptx = fatbin_choose_ptx(&loaded.fatbin, 7, 5, error, sizeof error);
    assert_non_null(ptx);
    assert_true(ptx->relocatable);
    free(loaded.bytes);
    load("ptx_only", &loaded);
    assert_false(fatbin_choose_ptx(&loaded.fatbin, 7, 5, error, sizeof error)->relocatable);
    free(loaded.bytes);
}

/* sm_90a runs on 9.0 and nowhere else. */
static void specific_architecture(void **state) {
    struct loaded loaded;
    load("specific", &loaded);
    const struct fatbin_entry *ptx = fatbin_choose_ptx(&loaded.fatbin, 9, 0, error, sizeof error);
    assert_non_null(ptx);
    assert_true(ptx->specific);
    free(loaded.bytes);
}

/* A simulated GPU older than CUDA 13's oldest PTX runs that. */
static void older_than_any_ptx(void **state) {
    struct loaded loaded;
    load("ptx_only", &loaded);
    free(ptx_text(&loaded, 5, 2));
    free(loaded.bytes);
}

static void no_machine_code(void **state) {
    struct loaded loaded;
    load("ptx_only", &loaded);
    assert_null(fatbin_choose_cubin(&loaded.fatbin, 7, 5));
    free(ptx_text(&loaded, 7, 5));
    free(loaded.bytes);
}

/* Cut off anywhere, a fat binary is refused: its own header says how long it is. */
static void every_truncation(void **state) {
    struct loaded loaded;
    struct fatbin *fatbin = malloc(sizeof *fatbin);
    load("zstd_all", &loaded);
    for (size_t size = 0; size < loaded.size; size++) {
        unsigned char *part = malloc(size ? size : 1); /* exactly so long, for the sanitizer to see beyond */
        memcpy(part, loaded.bytes, size);
        assert_false(fatbin_parse(part, size, fatbin, error, sizeof error));
        free(part);
    }
    free(fatbin);
    free(loaded.bytes);
}

/* A flipped bit is refused, or leaves text of the right length; it never reads beyond. */
static void every_bit_flip(void **state) {
    struct loaded loaded;
    struct fatbin *fatbin = malloc(sizeof *fatbin);
    size_t refusals = 0;
    load("ptx_only", &loaded);
    for (size_t bit = 0; bit < loaded.size * 8; bit++) {
        loaded.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        bool parsed = fatbin_parse(loaded.bytes, loaded.size, fatbin, error, sizeof error);
        for (uint32_t i = 0; parsed && i < fatbin->count; i++) {
            char *bytes = fatbin_extract(&fatbin->entries[i], error, sizeof error);
            refusals += bytes == NULL;
            if (bytes != NULL)
                assert_int_equal(bytes[fatbin->entries[i].bytes], 0);
            free(bytes);
        }
        refusals += !parsed;
        loaded.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    assert_true(refusals > loaded.size); /* zstd carries checks of its own structure */
    free(fatbin);
    free(loaded.bytes);
}

static void not_a_fat_binary(void **state) {
    struct fatbin fatbin;
    unsigned char bytes[64] = {0};
    assert_int_equal(fatbin_container_bytes(bytes), 0);
    assert_false(fatbin_parse(bytes, sizeof bytes, &fatbin, error, sizeof error));
    assert_non_null(strstr(error, "no container"));
    assert_false(fatbin_parse(bytes, 0, &fatbin, error, sizeof error));
}

TESTS(UNIT(compressions), UNIT(highest_that_fits), UNIT(relocatable), UNIT(specific_architecture),
      UNIT(refusals_name_what_is_there), UNIT(no_machine_code), UNIT(older_than_any_ptx),
      UNIT(every_truncation), UNIT(every_bit_flip), UNIT(not_a_fat_binary))
