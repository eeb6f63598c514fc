/* test_access_patterns.c: requests, sectors, wavefronts and bank conflicts of every pattern
 * recorded on a real GPU (access_patterns_h200.csv); sectors of random patterns against a slow
 * count. */
#include "device_fixture.h"
#include "recording.h"

enum { LANES = 32, BUFFER_BYTES = 1 << 16 };

/* A kernel for each space, direction and width. It reads each lane's offset from a buffer; -1:
 * inactive. */
static char *kernel_text(void) {
    static const struct {
        int width;
        const char *type, *values;
    } shapes[] = {{1, "u8", "%r5"},
                  {2, "u16", "%h1"},
                  {4, "u32", "%r5"},
                  {8, "v2.u32", "{%r5, %r6}"},
                  {16, "v4.u32", "{%r5, %r6, %r7, %r8}"}};
    char *text = malloc(1 << 16);
    assert_non_null(text);
    size_t at = (size_t)sprintf(text, PTX_HEADER ".shared .align 128 .b8 tile[16384];\n");
    for (int shared = 0; shared < 2; shared++)
        for (int store = 0; store < 2; store++)
            for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
                at += (size_t)sprintf(
                    text + at,
                    ".visible .entry %s_%s_%d(.param .u64 offsets, .param .u64 buffer)\n"
                    "{\n"
                    ".reg .pred %%p<2>; .reg .b16 %%h<2>; .reg .b32 %%r<10>; .reg .b64 %%d<8>;\n"
                    "mov.u32 %%r1, %%tid.x;\n"
                    "mul.wide.u32 %%d1, %%r1, 4;\n"
                    "ld.param.u64 %%d2, [offsets];\n"
                    "add.s64 %%d3, %%d1, %%d2;\n"
                    "ld.global.s32 %%r2, [%%d3];\n"
                    "setp.lt.s32 %%p1, %%r2, 0;\n"
                    "mov.u16 %%h1, 7; mov.u32 %%r5, 1; mov.u32 %%r6, 2; mov.u32 %%r7, 3; mov.u32 %%r8, 4;\n"
                    "@%%p1 bra done;\n",
                    shared ? "shared" : "global", store ? "store" : "load", shapes[i].width);
                if (shared)
                    at += (size_t)sprintf(text + at, "mov.u32 %%r3, tile;\nadd.s32 %%r4, %%r3, %%r2;\n");
                else
                    at += (size_t)sprintf(text + at, "ld.param.u64 %%d4, [buffer];\n"
                                                     "cvt.u64.u32 %%d5, %%r2;\n"
                                                     "add.s64 %%d6, %%d4, %%d5;\n");
                const char *address = shared ? "%r4" : "%d6";
                if (store)
                    at += (size_t)sprintf(text + at, "st.%s.%s [%s], %s;\n", shared ? "shared" : "global",
                                          shapes[i].type, address, shapes[i].values);
                else
                    at += (size_t)sprintf(text + at, "ld.%s.%s %s, [%s];\n", shared ? "shared" : "global",
                                          shapes[i].type, shapes[i].values, address);
                at += (size_t)sprintf(text + at, "done:\nret;\n}\n");
            }
    return text;
}

struct measured {
    uint64_t requests, sectors, wavefronts, conflicts;
};

static struct measured measure(struct fixture *fixture, bool shared, bool store, int width,
                               const int32_t *offsets, uint64_t offset_buffer, uint64_t buffer) {
    char name[64];
    uint64_t parameters[] = {offset_buffer, buffer};
    snprintf(name, sizeof name, "%s_%s_%d", shared ? "shared" : "global", store ? "store" : "load", width);
    assert_int_equal(simt_write(fixture->device, offset_buffer, offsets, LANES * sizeof *offsets), SIMT_OK);
    fixture_ok(fixture, fixture_run(fixture, name, 1, LANES, 0, parameters));
    const struct counters *counters = &fixture->result.counters;
    if (shared)
        return (struct measured){store ? counters->shared_store_requests : counters->shared_load_requests, 0,
                                 store ? counters->shared_store_wavefronts : counters->shared_load_wavefronts,
                                 counters->shared_bank_conflicts};
    return (struct measured){store ? counters->global_store_requests : counters->global_load_requests - 1,
                             store ? counters->global_store_sectors : counters->global_load_sectors - 4, 0,
                             0};
}

static void test_recorded(void **state) {
    char *text = kernel_text(), line[1024], path[PATH_SIZE];
    FILE *file = fopen(recording_path(path, "access_patterns"), "r");
    if (file == NULL)
        fail_msg("run the tests by make, in the project's root: %s is not there", path);
    ENDED(fixture_close) struct fixture fixture;
    fixture_open(&fixture, text);
    uint64_t offsets_at = fixture_buffer(&fixture, 128), buffer = fixture_buffer(&fixture, BUFFER_BYTES);
    int checked = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        char space[16], operation[16];
        int width, used;
        unsigned long long requests, sectors, wavefronts, conflicts;
        int32_t offsets[LANES];
        if (sscanf(line, "%15[^,],%15[^,],%d,%llu,%llu,%llu,%llu%n", space, operation, &width, &requests,
                   &sectors, &wavefronts, &conflicts, &used) != 7)
            continue;
        const char *at = line + used;
        bool any = false;
        for (int i = 0; i < LANES; i++) {
            offsets[i] = (int32_t)strtol(at + 1, (char **)&at, 10);
            any |= offsets[i] >= 0;
        }
        bool shared = !strcmp(space, "shared"), store = !strcmp(operation, "store");
        struct measured measured = measure(&fixture, shared, store, width, offsets, offsets_at, buffer);
        bool same = shared ? measured.wavefronts == wavefronts && measured.conflicts == conflicts
                           : measured.requests == requests && measured.sectors == sectors;
        if (!same)
            fail_msg("%sgot %llu requests, %llu sectors, %llu wavefronts, %llu conflicts", line,
                     (unsigned long long)measured.requests, (unsigned long long)measured.sectors,
                     (unsigned long long)measured.wavefronts, (unsigned long long)measured.conflicts);
        checked += any;
    }
    fclose(file);
    assert_true(checked > 1000);
    free(text);
}

static uint32_t random_state = 7;
static uint32_t next_random(uint32_t limit) {
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % limit;
}

static void fill_pattern(int32_t *offsets, int width, int kind) {
    uint32_t base = next_random(64) * 16, stride = (1 + next_random(40)) * (uint32_t)width;
    for (int i = 0; i < LANES; i++) {
        switch (kind) {
        case 0: offsets[i] = (int32_t)(next_random(2048) * (uint32_t)width % 16384); break;
        case 1: offsets[i] = (int32_t)(base + (uint32_t)i * stride); break;
        case 2: offsets[i] = (int32_t)(base + (uint32_t)(31 - i) * stride); break;
        case 3:
            offsets[i] = (int32_t)(base + (uint32_t)(i / 8) * 16 * stride + (uint32_t)(i % 8 * width));
            break;
        default: offsets[i] = (int32_t)(base + (uint32_t)(i % 3 * width)); break;
        }
        if (kind != 1 && next_random(16) == 0)
            offsets[i] = -1;
    }
}

static void test_random_sectors(void **state) {
    static const int widths[] = {1, 2, 4, 8, 16};
    FREED char *text = kernel_text();
    ENDED(fixture_close) struct fixture fixture;
    fixture_open(&fixture, text);
    uint64_t offsets_at = fixture_buffer(&fixture, 128), buffer = fixture_buffer(&fixture, BUFFER_BYTES);
    for (int round = 0; round < 2000; round++) {
        int32_t offsets[LANES];
        int width = widths[round % 5];
        bool store = next_random(2);
        fill_pattern(offsets, width, (int)next_random(5));
        bool touched[BUFFER_BYTES / 32] = {false}, any = false;
        uint64_t sectors = 0;
        for (int i = 0; i < LANES; i++)
            if (offsets[i] >= 0) {
                any = true;
                sectors += !touched[offsets[i] / 32];
                touched[offsets[i] / 32] = true;
            }
        struct measured measured = measure(&fixture, false, store, width, offsets, offsets_at, buffer);
        assert_int_equal(measured.requests, any);
        assert_int_equal(measured.sectors, sectors);
    }
}

/* Read-only loads of what the same block has loaded are one request, as ptxas makes them; not where the
 * address or the first result is written in between, behind a label, or by the usual path. */
static void test_repeated_loads(void **state) {
    static const struct {
        const char *between, *second;
        uint64_t requests;
    } rows[] = {
        {"", "ld.global.nc.u32 %r2, [%d3];", 1},
        {"", "ld.global.nc.u32 %r2, [%d3+4];", 2},
        {"", "ld.global.nc.f32 %f1, [%d3]; mov.b32 %r2, %f1;", 2},
        {"", "ld.global.u32 %r2, [%d3];", 2},
        {"add.s64 %d3, %d3, 0;", "ld.global.nc.u32 %r2, [%d3];", 2},
        {"add.u32 %r4, %r1, 0; mov.u32 %r1, 5;", "ld.global.nc.u32 %r2, [%d3]; mov.u32 %r1, %r4;", 2},
        {"setp.eq.u32 %p1, %r1, 7; @%p1 bra on; on:", "ld.global.nc.u32 %r2, [%d3];", 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[1024];
        ENDED(fixture_close) struct fixture fixture;
        snprintf(text, sizeof text,
                 PTX_HEADER
                 ".visible .entry k(.param .u64 buffer) {\n"
                 ".reg .pred %%p<2>; .reg .f32 %%f<2>; .reg .b32 %%r<6>; .reg .b64 %%d<4>;\n"
                 "ld.param.u64 %%d1, [buffer]; mov.u32 %%r3, %%tid.x; mul.wide.u32 %%d2, %%r3, 4;\n"
                 "add.s64 %%d3, %%d1, %%d2; ld.global.nc.u32 %%r1, [%%d3];\n%s %s\n"
                 "add.u32 %%r2, %%r2, %%r1; st.global.u32 [%%d3+1024], %%r2; ret; }\n",
                 rows[i].between, rows[i].second);
        fixture_open(&fixture, text);
        uint64_t buffer = fixture_buffer(&fixture, BUFFER_BYTES);
        fixture_ok(&fixture, fixture_run(&fixture, "k", 1, 32, 0, &buffer));
        if (fixture.result.counters.global_load_requests != rows[i].requests)
            fail_msg("%s %s: %llu", rows[i].between, rows[i].second,
                     (unsigned long long)fixture.result.counters.global_load_requests);
    }
}

TESTS(UNIT(test_recorded), UNIT(test_random_sectors), UNIT(test_repeated_loads))
