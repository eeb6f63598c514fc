/* test_memory.c: device memory (memory.ptx): the allocator's properties, access from the host,
 * every width of load and store, every fault. */
#include "device_fixture.h"

/* ---- the allocator */

static void test_allocations_never_touch(void **state) {
    enum { COUNT = 300 };
    struct simt_config config;
    simt_config_default(&config);
    struct simt_device *device = simt_device_create(&config);
    uint64_t start[COUNT], bytes[COUNT], total = 0;
    uint32_t random = 1;
    for (int i = 0; i < COUNT; i++) {
        random = random * 1664525u + 1013904223u;
        bytes[i] = 1 + (random >> 8) % (i % 10 ? 5000 : 3000000);
        assert_int_equal(simt_allocate(device, bytes[i], &start[i]), SIMT_OK);
        total += bytes[i];
        assert_int_equal(start[i] % 512, 0);
        assert_true(start[i] >= SIMT_ADDRESS_BASE &&
                    start[i] + bytes[i] <= SIMT_ADDRESS_BASE + SIMT_ADDRESS_BYTES);
        uint64_t found, size;
        assert_true(simt_find_allocation(device, start[i] + bytes[i] - 1, &found, &size));
        assert_int_equal(found, start[i]);
        assert_int_equal(size, bytes[i]);
        assert_false(simt_find_allocation(device, start[i] + bytes[i], &found, &size));
        if (i % 7 == 3) { /* some are freed */
            assert_int_equal(simt_free(device, start[i - 1]), SIMT_OK);
            assert_false(simt_find_allocation(device, start[i - 1], &found, &size));
            assert_int_equal(simt_free(device, start[i - 1]), SIMT_INVALID_VALUE);
            total -= bytes[i - 1];
            bytes[i - 1] = 0;
        }
        assert_int_equal(simt_memory_used(device), total);
    }
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < i; k++)
            if (bytes[i] && bytes[k])
                assert_true(start[i] >= start[k] + bytes[k] + 512 || start[k] >= start[i] + bytes[i] + 512);
    simt_device_destroy(device);
}

static void test_memory_is_limited(void **state) {
    struct simt_config config;
    simt_config_default(&config);
    config.memory_bytes = 1 << 20;
    struct simt_device *device = simt_device_create(&config);
    uint64_t a, b;
    assert_int_equal(simt_allocate(device, (1 << 20) + 1, &a), SIMT_OUT_OF_MEMORY);
    assert_int_equal(simt_allocate(device, 0, &a), SIMT_INVALID_VALUE);
    assert_int_equal(simt_allocate(device, 600000, &a), SIMT_OK);
    assert_int_equal(simt_allocate(device, 600000, &b), SIMT_OUT_OF_MEMORY);
    assert_int_equal(simt_free(device, a), SIMT_OK);
    assert_int_equal(simt_allocate(device, 600000, &b), SIMT_OK);
    assert_int_not_equal(a, b); /* freed addresses are reused as late as possible */
    simt_device_destroy(device);
}

static void test_host_access(void **state) {
    struct simt_config config;
    simt_config_default(&config);
    struct simt_device *device = simt_device_create(&config);
    uint64_t a, b;
    uint16_t words[50];
    simt_allocate(device, 100, &a);
    simt_allocate(device, 100, &b);
    assert_int_equal(simt_fill(device, a, 0x1234abcd, 2, 50), SIMT_OK);
    assert_int_equal(simt_copy(device, b + 2, a, 98), SIMT_OK);
    assert_int_equal(simt_fill(device, b, 7, 1, 2), SIMT_OK);
    assert_int_equal(simt_read(device, words, b, 100), SIMT_OK);
    assert_int_equal(words[0], 0x0707);
    assert_int_equal(words[1], 0xabcd);
    assert_int_equal(words[49], 0xabcd);
    assert_int_equal(simt_write(device, a, words, 101), SIMT_INVALID_VALUE);
    assert_int_equal(simt_read(device, words, a + 100, 1), SIMT_INVALID_VALUE);
    assert_int_equal(simt_fill(device, a, 0, 4, 26), SIMT_INVALID_VALUE);
    assert_int_equal(simt_fill(device, a + 1, 0, 2, 2), SIMT_INVALID_VALUE);
    assert_null(simt_host_pointer(device, a + 99, 2));
    assert_non_null(simt_host_pointer(device, a + 98, 2));
    simt_device_destroy(device);
}

/* ---- loads and stores */

/* Signed and unsigned loads of each width into each register width; narrow stores back. */
static void test_widths(void **state) {
    struct fixture fixture;
    fixture_open_file(&fixture, "memory");
    uint8_t in[256], out[2048];
    uint32_t random = 5;
    for (size_t i = 0; i < sizeof in; i++) {
        random = random * 1664525u + 1013904223u;
        in[i] = (uint8_t)(random >> 24);
    }
    uint64_t parameters[] = {fixture_buffer(&fixture, 256), fixture_buffer(&fixture, 2048)};
    simt_write(fixture.device, parameters[0], in, sizeof in);
    for (uint32_t threads = 32; threads >= 10 && threads <= 32; threads -= 11) { /* whole and partial warps */
        simt_fill(fixture.device, parameters[1], 0, 1, 2048);
        fixture_ok(&fixture, fixture_run(&fixture, "widths", 1, threads, 0, parameters));
        simt_read(fixture.device, out, parameters[1], sizeof out);
        for (uint32_t t = 0; t < threads; t++) {
            const uint8_t *from = in + 8 * t, *to = out + 64 * t;
            int32_t word;
            int16_t half;
            memcpy(&word, from, 4);
            memcpy(&half, from, 2);
            uint32_t expected32[] = {from[0], (uint32_t)(int8_t)from[0], (uint16_t)half, (uint32_t)half,
                                     (uint16_t)(int8_t)from[1]};
            assert_memory_equal(to, expected32, sizeof expected32);
            int64_t wide[] = {word, from[3]};
            assert_memory_equal(to + 24, wide, sizeof wide);
            assert_memory_equal(to + 40, from + 4, 4);
            assert_memory_equal(to + 44, from, 4);
            uint8_t backwards[] = {from[7], from[6], from[5], from[4], from[0], 0, from[0], from[1]};
            assert_memory_equal(to + 48, backwards, sizeof backwards);
            assert_memory_equal(to + 56, wide, 8);
        }
    }
    fixture_close(&fixture);
}

/* Generic addresses into global, shared and local memory in one instruction. */
static void test_generic_addresses(void **state) {
    struct fixture fixture;
    fixture_open_file(&fixture, "memory");
    uint32_t in[32], out[32];
    for (uint32_t i = 0; i < 32; i++)
        in[i] = 100 + i;
    uint64_t parameters[] = {fixture_buffer(&fixture, 128), fixture_buffer(&fixture, 128)};
    simt_write(fixture.device, parameters[0], in, sizeof in);
    fixture_ok(&fixture, fixture_run(&fixture, "generic_addresses", 1, 32, 0, parameters));
    simt_read(fixture.device, out, parameters[1], sizeof out);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(out[t], t % 3 == 0 ? 300 + t : t % 3 == 1 ? 100 + t : 200 + t);
    assert_int_equal(fixture.result.counters.global_load_requests, 1);
    assert_int_equal(fixture.result.counters.shared_load_requests, 1);
    assert_int_equal(fixture.result.counters.local_load_requests, 1);
    assert_int_equal(fixture.result.counters.local_store_sectors, 4); /* a spill of a warp is one line */
    fixture_close(&fixture);
}

/* A thread's words and those of other threads are apart. Word w of a warp is one line, each sector
 * of 8 threads. */
static void test_local_words(void **state) {
    struct fixture fixture;
    fixture_open_file(&fixture, "memory");
    uint64_t out_address = fixture_buffer(&fixture, 32 * 40);
    for (uint32_t threads = 32; threads >= 16; threads -= 16) { /* a whole and a half warp */
        uint32_t out[32][10], eighths = threads / 8;
        fixture_ok(&fixture, fixture_run(&fixture, "local_words", 1, threads, 0, &out_address));
        simt_read(fixture.device, out, out_address, sizeof out);
        for (uint32_t t = 0; t < threads; t++) {
            uint32_t odd = t & 1, second = odd ? 300 + t : 100 + t;
            const uint32_t expected[] = {
                t, second, 200 + t, 300 + t, t * 65537, 0, odd ? 200 + t : 7, odd ? 300 + t : 8, 100 + t, 0};
            assert_memory_equal(out[t], expected, sizeof expected);
        }
        const struct counters *c = &fixture.result.counters;
        assert_int_equal(c->local_store_requests, 4);
        assert_int_equal(c->local_store_sectors, (4 + 2 + 1 + 4) * eighths);
        assert_int_equal(c->local_load_requests, 5);
        assert_int_equal(c->local_load_sectors, (4 + 2 + 2 + 4 + 1) * eighths);
    }
    fixture_close(&fixture);
}

static void test_variables_and_constants(void **state) {
    struct fixture fixture;
    fixture_open_file(&fixture, "memory");
    uint64_t out_address = fixture_buffer(&fixture, 128), address, bytes, where[2];
    uint32_t out[32];
    fixture_ok(&fixture, fixture_run(&fixture, "variables", 1, 32, 0, &out_address));
    simt_read(fixture.device, out, out_address, sizeof out);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(out[t], 5 + t % 4 + 7 + 77);
    assert_int_equal(fixture.result.counters.constant_requests, 1); /* the fixed address is not a request */
    assert_true(simt_module_variable(fixture.module, "where", &address, &bytes));
    assert_int_equal(bytes, 16);
    simt_read(fixture.device, where, address, 16);
    assert_true(simt_module_variable(fixture.module, "number", &address, &bytes));
    assert_int_equal(where[1], address);
    assert_false(simt_module_variable(fixture.module, "nothing", &address, &bytes));
    fixture_close(&fixture);
}

/* ---- faults */

static void test_past_the_end(void **state) {
    struct fixture fixture;
    fixture_open_file(&fixture, "memory");
    fixture_buffer(&fixture, 64);
    uint64_t parameters[] = {fixture_buffer(&fixture, 400), 0};
    assert_int_equal(fixture_run(&fixture, "blur", 4, 64, 0, parameters), SIMT_ILLEGAL_ADDRESS);
    const struct simt_fault *fault = &fixture.result.fault;
    assert_string_equal(fault->kernel, "blur");
    assert_string_equal(fault->file, "blur.cu");
    assert_int_equal(fault->line, 42);
    assert_int_equal(fault->block[0], 1); /* thread 100 of the grid */
    assert_int_equal(fault->thread[0], 36);
    assert_int_equal(fault->address, parameters[0] + 400);
    assert_int_equal(fault->access_bytes, 4);
    assert_false(fault->is_store);
    fixture_message_has(&fixture, "blur.cu:42: kernel blur, block (1,0,0), thread (36,0,0)");
    fixture_message_has(&fixture, "load of 4 bytes");
    fixture_message_has(&fixture, "just past the end of the 400-byte allocation");
    fixture_message_has(&fixture, "cudaMalloc #2");
    fixture_message_has(&fixture, "(as an array of 4-byte elements: index 100, and the last is 99)");
    fixture_close(&fixture);
}

static void test_other_bad_addresses(void **state) {
    int on_host = 0;
    struct fixture fixture;
    fixture_open_file(&fixture, "memory");
    uint64_t buffer = fixture_buffer(&fixture, 1024), freed = fixture_buffer(&fixture, 1024);
    simt_free(fixture.device, freed);
    struct {
        uint64_t address;
        enum simt_status status;
        const char *says;
    } cases[] = {
        {0, SIMT_ILLEGAL_ADDRESS, "a null pointer"},
        {8, SIMT_ILLEGAL_ADDRESS, "a null pointer plus 8 bytes"},
        {freed + 4, SIMT_ILLEGAL_ADDRESS, "use after free"},
        {(uint64_t)(uintptr_t)&on_host, SIMT_ILLEGAL_ADDRESS, "host pointer"},
        {buffer - 4, SIMT_ILLEGAL_ADDRESS, "4 bytes before"},
        {buffer + 2, SIMT_MISALIGNED_ADDRESS, "not a multiple of 4"},
        {UINT64_MAX - 7, SIMT_ILLEGAL_ADDRESS, "invalid load"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t parameters[] = {cases[i].address, 0};
        assert_int_equal(fixture_run(&fixture, "blur", 1, 1, 0, parameters), cases[i].status);
        fixture_message_has(&fixture, cases[i].says);
    }
    fixture_close(&fixture);
}

/* Memory whose owner gave its shape. */
static void test_named_buffers(void **state) {
    static const struct buffer_shape src = {"src", "pixel", SHAPE_ROWS, 4, 0, 10, 10, .pitch = 10},
                                     dst = {"dst", "float", SHAPE_VECTOR, 4, 8, 98, 1, .pitch = 98};
    struct fixture fixture;
    uint64_t first, second;
    fixture_open_file(&fixture, "memory");
    assert_int_equal(simt_allocate_shaped(fixture.device, 400, &src, &first), SIMT_OK);
    assert_int_equal(simt_allocate_shaped(fixture.device, 400, &dst, &second), SIMT_OK);
    const struct {
        uint64_t address;
        const char *says;
    } cases[] = {
        {first + 400,
         "invalid load of 4 bytes from src[100], 1 beyond its end: pixel (10, 9) or (0, 10) of a picture "
         "10 x 10"},
        {second + 400, "invalid load of 4 bytes from dst[98], 1 beyond its end: dst has 98 floats"},
        {second - 4, "invalid load of 4 bytes from dst[-3], 3 before its start"},
        {first + 2, "misaligned load of 4 bytes from 2 bytes into src[0]"},
        {first + 40000, "39600 bytes past the end of src and"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t parameters[] = {cases[i].address, 0};
        fixture_run(&fixture, "blur", 1, 1, 0, parameters);
        fixture_message_has(&fixture, cases[i].says);
        assert_null(strstr(fixture.result.fault.message, "cudaMalloc"));
    }
    uint64_t used = simt_memory_used(fixture.device), parameters[] = {first + 4, 0};
    assert_int_equal(simt_free(fixture.device, first), SIMT_OK);
    assert_int_equal(simt_memory_used(fixture.device), used - 400);
    assert_int_equal(fixture_run(&fixture, "blur", 1, 1, 0, parameters), SIMT_ILLEGAL_ADDRESS);
    fixture_message_has(&fixture, "in src of an earlier call, which is freed");
    /* The program's own allocations are numbered from 1. */
    parameters[0] = fixture_buffer(&fixture, 400) + 400;
    assert_int_equal(fixture_run(&fixture, "blur", 1, 1, 0, parameters), SIMT_ILLEGAL_ADDRESS);
    fixture_message_has(&fixture, "cudaMalloc #1");
    fixture_close(&fixture);
}

/* Not strict: a stray access near an allocation goes on and is remarked on; one far away faults, as
 * does one to freed memory. The remark is the same with any number of host threads. */
static void test_not_strict(void **state) {
    struct simt_config config;
    simt_config_default(&config);
    config.strict = false;
    for (config.host_threads = 1; config.host_threads <= 3; config.host_threads++) {
        struct fixture fixture;
        fixture_configure_file(&fixture, "memory", &config);
        uint64_t parameters[] = {fixture_buffer(&fixture, 400), 0}, kept = fixture_buffer(&fixture, 400);
        assert_int_equal(fixture_run(&fixture, "blur", 4, 64, 0, parameters), SIMT_OK);
        fixture_remarks(&fixture, 2, (const uint64_t[]){156, 156},
                        (const char *const[]){"thread (36,0,0) of block (1,0,0): stray load of 4 bytes from",
                                              "thread (36,0,0) of block (1,0,0): stray store of 4 bytes to"});
        parameters[1] = (uint64_t)-4;
        assert_int_equal(fixture_run(&fixture, "blur", 1, 64, 0, parameters), SIMT_OK);
        fixture_remarks(&fixture, 2, (const uint64_t[]){1, 1},
                        (const char *const[]){"4 bytes before the 400-byte allocation", "index -1"});
        parameters[1] = 4 << 20;
        assert_int_equal(fixture_run(&fixture, "blur", 4, 64, 0, parameters), SIMT_ILLEGAL_ADDRESS);
        parameters[1] = 2;
        assert_int_equal(fixture_run(&fixture, "blur", 4, 64, 0, parameters), SIMT_MISALIGNED_ADDRESS);
        assert_int_equal(simt_free(fixture.device, kept), SIMT_OK);
        parameters[0] = kept;
        parameters[1] = 0;
        assert_int_equal(fixture_run(&fixture, "blur", 1, 64, 0, parameters), SIMT_ILLEGAL_ADDRESS);
        fixture_message_has(&fixture, "a use after free");
        fixture_close(&fixture);
    }
}

static void test_shared_out_of_bounds(void **state) {
    struct fixture fixture;
    fixture_open_file(&fixture, "memory");
    uint64_t out = 0;
    assert_int_equal(fixture_run(&fixture, "shared_store", 1, 32, 0, &out), SIMT_OK);
    assert_int_equal(fixture_run(&fixture, "shared_store", 1, 33, 0, &out), SIMT_ILLEGAL_ADDRESS);
    fixture_message_has(
        &fixture,
        "just past the end of the block's 128 bytes of shared memory (0 of them dynamic), the last of "
        "which are tile's");
    assert_true(fixture.result.fault.is_store);
    assert_int_equal(fixture.result.fault.thread[0], 32);
    fixture_close(&fixture);
}

static void test_mapped_host_memory(void **state) {
    static uint32_t host[64];
    struct fixture fixture;
    fixture_open_file(&fixture, "memory");
    uint64_t address = (uint64_t)(uintptr_t)host, parameters[] = {address, 0};
    assert_int_equal(simt_map(fixture.device, address, sizeof host, host, "managed memory"), SIMT_OK);
    assert_int_equal(simt_map(fixture.device, address + 16, 16, host, NULL), SIMT_INVALID_VALUE);
    assert_int_equal(fixture_run(&fixture, "blur", 1, 64, 0, parameters), SIMT_OK);
    assert_int_equal(simt_free(fixture.device, address), SIMT_OK);
    assert_int_equal(fixture_run(&fixture, "blur", 1, 64, 0, parameters), SIMT_ILLEGAL_ADDRESS);
    fixture_close(&fixture);
}

TESTS(UNIT(test_allocations_never_touch), UNIT(test_memory_is_limited), UNIT(test_host_access),
      UNIT(test_widths), UNIT(test_generic_addresses), UNIT(test_local_words),
      UNIT(test_variables_and_constants), UNIT(test_past_the_end), UNIT(test_other_bad_addresses),
      UNIT(test_named_buffers), UNIT(test_not_strict), UNIT(test_shared_out_of_bounds),
      UNIT(test_mapped_host_memory))
