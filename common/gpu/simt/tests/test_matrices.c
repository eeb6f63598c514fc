/* test_matrices.c: a hash of the results of every instruction of device/matrices.h against a real
 * GPU's (matrices_h200.csv, by device/matrices.cu). */
#include "device_fixture.h"
#include "gpu/simt/tests/device/matrices.h"
#include "recording.h"

static size_t words_of(const struct matrix_form *form) {
    return (size_t)form->trials * MATRIX_BYTES / sizeof(uint64_t);
}

static void run(const struct matrix_form *form, uint64_t *results) {
    static uint8_t operands[MATRIX_TRIALS * MATRIX_BYTES];
    static char text[MATRIX_TEXT];
    const size_t bytes = (size_t)form->trials * MATRIX_BYTES;
    ENDED(fixture_close) struct fixture fixture;
    matrix_print(form, text);
    fixture_open(&fixture, text);
    matrix_operands(form, operands);
    uint64_t parameters[] = {fixture_buffer(&fixture, bytes), fixture_buffer(&fixture, bytes)};
    simt_write(fixture.device, parameters[0], operands, bytes);
    simt_fill(fixture.device, parameters[1], 0, 4, bytes / 4);
    fixture_ok(&fixture, fixture_run(&fixture, "k", (uint32_t)form->trials, 32, 0, parameters));
    simt_read(fixture.device, results, parameters[1], bytes);
}

/* MATRICES=FILE: all results, as matrices.cu writes them, to see where they differ. */
static void test_matrices(void **state) {
    static struct matrix_form items[MATRIX_MOST];
    static uint64_t results[MATRIX_TRIALS * MATRIX_BYTES / sizeof(uint64_t)];
    struct matrix_list list = {items, 0};
    struct recording recording;
    const char *path = getenv("MATRICES");
    FILE *all = path != NULL ? fopen(path, "wb") : NULL;
    int wrong = 0;
    matrix_list_all(&list);
    if (all == NULL)
        recording_open(&recording, "matrices");
    for (size_t i = 0; i < list.count; i++) {
        run(&items[i], results);
        if (all != NULL)
            assert_int_equal(fwrite(results, sizeof *results, words_of(&items[i]), all), words_of(&items[i]));
        else if (recorded_hash(results, words_of(&items[i])) != recording_next(&recording, items[i].text)) {
            print_error("%s: not what the GPU computes\n", items[i].text);
            wrong++;
        }
    }
    if (all != NULL)
        assert_int_equal(fclose(all), 0);
    else
        recording_close(&recording);
    assert_int_equal(wrong, 0);
}

/* Wavefronts of ldmatrix and stmatrix by the bytes between rows, as ncu counts them on an H200. */
static void test_conflicts(void **state) {
    static const struct {
        uint32_t stride, wavefronts; /* of one matrix */
    } rows[] = {{16, 1}, {32, 2}, {64, 4}, {128, 8}, {80, 1}, {144, 1}, {512, 8}, {0, 1}};
    static const uint32_t counts[] = {1, 2, 4};
    for (size_t i = 0; i < 3 * sizeof rows / sizeof *rows; i++) {
        uint32_t stride = rows[i / 3].stride, count = counts[i % 3], each = rows[i / 3].wavefronts;
        static const char *const registers[] = {"{%r1}", "{%r1, %r2}", "{%r1, %r2, %r3, %r4}"};
        char text[1024];
        struct counters counters;
        ENDED(fixture_close) struct fixture fixture;
        snprintf(text, sizeof text,
                 ".version 8.1\n.target sm_90\n.address_size 64\n.visible .entry k() {\n"
                 ".reg .b32 %%r<8>;\n.shared .align 16 .b8 s[16384];\nmov.u32 %%r5, %%laneid;\n"
                 "mov.u32 %%r6, s;\nmad.lo.u32 %%r6, %%r5, %u, %%r6;\n"
                 "ldmatrix.sync.aligned.m8n8.x%u.shared.b16 %s, [%%r6];\n"
                 "stmatrix.sync.aligned.m8n8.x%u.shared.b16 [%%r6], %s;\nret;\n}\n",
                 stride, count, registers[i % 3], count, registers[i % 3]);
        fixture_open(&fixture, text);
        fixture_ok(&fixture, fixture_run(&fixture, "k", 1, 32, 0, NULL));
        counters = fixture.result.counters;
        assert_int_equal(counters.shared_load_requests, 1);
        assert_int_equal(counters.shared_load_wavefronts, count * each);
        assert_int_equal(counters.shared_store_wavefronts, count * each);
        assert_int_equal(counters.shared_bank_conflicts, 2 * count * (each - 1));
    }
}

TESTS(UNIT(test_matrices), UNIT(test_conflicts))
