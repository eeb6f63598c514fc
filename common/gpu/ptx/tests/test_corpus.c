/* test_corpus.c: the fuzzer's seeds; every prefix and many damaged copies of a compiled file. */
#include "base/test.h"
#include "fuzz_ptx_parse.c" /* the fuzzer's own checks */
#include "support_parse.h"
#include <dirent.h>

static void seeds(void **state) {
    char folder[256];
    snprintf(folder, sizeof folder, "%s/unpacked/seeds/ptx/fuzz_ptx_parse", test_build());
    DIR *directory = opendir(folder);
    int files = 0;
    if (directory == NULL)
        fail_msg("run the tests by make, in the project's root: %s is not there", folder);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        char path[512];
        size_t length;
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        FREED char *text = read_text(path, &length);
        assert_non_null(text);
        LLVMFuzzerTestOneInput((const uint8_t *)text, length);
        files++;
    }
    if (directory != NULL)
        closedir(directory);
    assert_true(files > 100);
}

static void beginnings(void **state) {
    size_t length;
    FREED char *text = read_text(compiled_path("inline_assembly.sm_75.ptx"), &length);
    assert_non_null(text);
    for (size_t end = 0; end < length; end += 1 + end % 3) {
        FREED uint8_t *part = malloc(end + 1); /* exactly as long, so that reading past its end is seen */
        assert_non_null(part);
        memcpy(part, text, end);
        LLVMFuzzerTestOneInput(part, end);
    }
}

static void mutilations(void **state) {
    size_t length;
    FREED char *text = read_text(compiled_path("control.sm_75.ptx"), &length);
    assert_non_null(text);
    srand(1);
    for (int turn = 0; turn < 1500; turn++) {
        size_t at = (size_t)rand() % length, from = (size_t)rand() % length, count = (size_t)rand() % 12;
        count = count > length - at ? length - at : count > length - from ? length - from : count;
        char before[12];
        memcpy(before, text + at, count);
        memmove(text + at, text + from, count);
        LLVMFuzzerTestOneInput((const uint8_t *)text, length);
        memcpy(text + at, before, count);
    }
}

TESTS(UNIT(seeds), UNIT(beginnings), UNIT(mutilations))
