/* fuzz_fatbin.c: any bytes as a fat binary, through every step that simgpu takes with one. libFuzzer's entry. */
#include "gpu/runtime/binding/fatbin.h"
#include "gpu/sass/cubin.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    MAX_BYTES = 1 << 20
}; /* an entry may say that it is 256 MiB long; the fuzzer would see nothing but malloc */

static void read_entry(const struct fatbin_entry *entry) {
    char error[256];
    struct cubin cubin;
    if (entry == NULL || entry->bytes > MAX_BYTES)
        return;
    void *bytes = fatbin_extract(entry, error, sizeof error);
    if (bytes != NULL && cubin_parse(bytes, entry->bytes, entry->architecture, &cubin, error, sizeof error)) {
        (void)cubin_find(&cubin, "smooth");
        cubin_free(&cubin);
    }
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct fatbin fatbin;
    struct cubin cubin;
    char error[256];
    if (fatbin_parse(data, size, &fatbin, error, sizeof error)) {
        for (uint32_t i = 0; i < fatbin.count; i++)
            read_entry(&fatbin.entries[i]);
        (void)fatbin_choose_ptx(&fatbin, 9, 0, error, sizeof error);
        (void)fatbin_choose_cubin(&fatbin, 9, 0);
    }
    /* And as machine code by itself, which a damaged container would rarely reach. */
    if (cubin_parse(data, size, 90, &cubin, error, sizeof error))
        cubin_free(&cubin);
    return 0;
}
