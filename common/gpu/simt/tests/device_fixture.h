/* device_fixture.h: loads PTX text, launches a kernel and returns its result, for the tests of this
 * room. */
#pragma once

#include "base/file.h"
#include "base/test.h"
#include "gpu/ptx/ptx.h"
#include "gpu/simt/simt.h"

#define PTX_HEADER ".version 7.0\n.target sm_75\n.address_size 64\n"

struct fixture {
    struct simt_device *device;
    struct ptx_module *program;
    struct simt_module *module;
    struct simt_result result;
    char printed[4096];
    size_t printed_length;
};

static inline void fixture_configure(struct fixture *fixture, const char *text,
                                     const struct simt_config *config) {
    struct ptx_error error = {0};
    char message[512] = "";
    *fixture = (struct fixture){0};
    fixture->device = simt_device_create(config);
    assert_non_null(fixture->device);
    fixture->program = ptx_parse(text, strlen(text), &error);
    if (fixture->program == NULL)
        fail_msg("PTX line %u: %s", error.ptx_line, error.message);
    fixture->module = simt_module_load(fixture->device, fixture->program, message, sizeof message);
    if (fixture->module == NULL)
        fail_msg("%s", message);
}

static inline struct simt_config fixture_config(void) {
    struct simt_config config;
    simt_config_default(&config);
    config.host_threads = 1;
    config.instruction_budget = 50000000;
    return config;
}

static inline void fixture_open(struct fixture *fixture, const char *text) {
    struct simt_config config = fixture_config();
    fixture_configure(fixture, text, &config);
}

/* Loads common/gpu/simt/tests/NAME.ptx. */
static inline void fixture_configure_file(struct fixture *fixture, const char *name,
                                          const struct simt_config *config) {
    char path[PATH_SIZE], error[512];
    assert_true(path_print(path, "common/gpu/simt/tests/%s.ptx", name));
    char *text = file_read(path, 1 << 20, NULL, error, sizeof error);
    if (text == NULL)
        fail_msg("%s (run the tests in the project's root)", error);
    fixture_configure(fixture, text, config);
    free(text);
}

static inline void fixture_open_file(struct fixture *fixture, const char *name) {
    struct simt_config config = fixture_config();
    fixture_configure_file(fixture, name, &config);
}

static inline void fixture_close(struct fixture *fixture) {
    simt_result_free(&fixture->result);
    simt_module_unload(fixture->device, fixture->module);
    ptx_module_free(fixture->program);
    simt_device_destroy(fixture->device);
}

static inline void fixture_print(void *context, const char *text, size_t length) {
    struct fixture *fixture = context;
    if (length > sizeof fixture->printed - 1 - fixture->printed_length)
        length = sizeof fixture->printed - 1 - fixture->printed_length;
    memcpy(fixture->printed + fixture->printed_length, text, length);
    fixture->printed_length += length;
    fixture->printed[fixture->printed_length] = 0;
}

/* Runs a kernel on `blocks` blocks of `threads` threads; parameters are 64-bit. */
static inline enum simt_status fixture_run(struct fixture *fixture, const char *kernel, uint32_t blocks,
                                           uint32_t threads, uint32_t dynamic_shared,
                                           const uint64_t *parameters) {
    struct simt_launch launch = {.kernel = simt_module_kernel(fixture->module, kernel),
                                 .grid = {blocks, 1, 1},
                                 .block = {threads, 1, 1},
                                 .dynamic_shared = dynamic_shared,
                                 .resident_blocks = 4,
                                 .parameters = parameters,
                                 .print = fixture_print,
                                 .print_context = fixture};
    assert_non_null(launch.kernel);
    simt_result_free(&fixture->result);
    return simt_run(fixture->device, &launch, &fixture->result);
}

static inline void fixture_ok(struct fixture *fixture, enum simt_status status) {
    if (status != SIMT_OK)
        fail_msg("%s: %s", simt_status_name(status), fixture->result.fault.message);
}

static inline void fixture_message_has(const struct fixture *fixture, const char *part) {
    if (strstr(fixture->result.fault.message, part) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", part, fixture->result.fault.message);
}

/* The remarks since the last call: how often each occurred, and a part of its text. */
static inline void fixture_remarks(const struct fixture *fixture, uint32_t count, const uint64_t times[],
                                   const char *const parts[]) {
    static struct simt_remark remarks[SIMT_REMARKS];
    assert_int_equal(simt_take_remarks(fixture->device, remarks), count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(remarks[i].count, times[i]);
        if (strstr(remarks[i].message, parts[i]) == NULL)
            fail_msg("\"%s\" is not in \"%s\"", parts[i], remarks[i].message);
    }
}

static inline uint64_t fixture_buffer(struct fixture *fixture, uint64_t bytes) {
    uint64_t address = 0;
    assert_int_equal(simt_allocate(fixture->device, bytes, &address), SIMT_OK);
    return address;
}
