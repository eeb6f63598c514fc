/* test_kept.c: what of device memory outlives a judged call (kept.ptx). */
#include "device_fixture.h"

struct kept {
    struct fixture fixture;
    struct simt_module *module; /* loaded after simt_keep */
    uint64_t input;             /* a judge's */
};

static void open_kept_with(struct kept *kept, const struct simt_config *config) {
    char message[256];
    fixture_configure_file(&kept->fixture, "kept", config);
    struct simt_device *device = kept->fixture.device;
    simt_keep(device);
    kept->module = simt_module_load(device, kept->fixture.program, message, sizeof message);
    assert_non_null(kept->module);
    assert_int_equal(simt_allocate(device, 64, &kept->input), SIMT_OK);
    simt_keep_foreign(device, kept->input);
    assert_int_equal(simt_fill(device, kept->input, 5, 4, 16), SIMT_OK);
}

static void open_kept(struct kept *kept) {
    struct simt_config config = fixture_config();
    open_kept_with(kept, &config);
}

/* With `check`. */
static void open_checked(struct kept *kept) {
    struct simt_config config = fixture_config();
    config.check = true;
    open_kept_with(kept, &config);
}

static void close_kept(struct kept *kept) {
    simt_module_unload(kept->fixture.device, kept->module);
    fixture_close(&kept->fixture);
}

static uint64_t allocate(struct kept *kept, uint64_t bytes) {
    uint64_t address;
    assert_int_equal(simt_allocate(kept->fixture.device, bytes, &address), SIMT_OK);
    return address;
}

/* The program writes a word; derived: it may know an input. */
static void write_word(struct kept *kept, uint64_t to, uint32_t value, bool derived) {
    assert_int_equal(simt_write(kept->fixture.device, to, &value, sizeof value), SIMT_OK);
    simt_keep_write(kept->fixture.device, to, derived);
}

static uint32_t word(struct kept *kept, uint64_t at) {
    uint32_t value = 0;
    assert_int_equal(simt_read(kept->fixture.device, &value, at, sizeof value), SIMT_OK);
    return value;
}

/* Launches one thread. Returns whether what it wrote may follow from the input. */
static bool launch(struct kept *kept, const char *kernel, uint64_t first, uint64_t second) {
    uint64_t parameters[] = {first, second};
    ENDED(simt_result_free) struct simt_result result = {0};
    struct simt_launch how = {.kernel = simt_module_kernel(kept->module, kernel),
                              .grid = {1, 1, 1},
                              .block = {1, 1, 1},
                              .parameters = parameters};
    simt_keep_before_work(kept->fixture.device);
    assert_int_equal(simt_run(kept->fixture.device, &how, &result), SIMT_OK);
    return simt_keep_after_launch(kept->fixture.device, false);
}

static void what_follows_from_an_input_is_forgotten(void **state) {
    struct kept kept;
    open_kept(&kept);
    uint64_t answer = allocate(&kept, 64), second = allocate(&kept, 1 << 20);
    assert_true(launch(&kept, "copy", kept.input, answer));
    assert_true(launch(&kept, "copy", answer, second)); /* indirectly */
    assert_int_equal(word(&kept, second), 5);
    assert_true(simt_keep_is_derived(kept.fixture.device, second));
    assert_null(simt_keep_missed(kept.fixture.device));
    simt_keep_end_call(kept.fixture.device);
    assert_int_equal(word(&kept, answer), 0);
    assert_int_equal(word(&kept, second), 0);
    assert_int_equal(word(&kept, kept.input), 5); /* the judge's own */
    assert_false(launch(&kept, "copy", second, answer));
    assert_string_equal(simt_keep_missed(kept.fixture.device), "cudaMalloc #2");
    close_kept(&kept);
}

static void what_the_host_knew_before_stays(void **state) {
    struct kept kept;
    open_kept(&kept);
    uint64_t table = allocate(&kept, 64), computed = allocate(&kept, 64), scratch = allocate(&kept, 64);
    write_word(&kept, table, 49, false);
    write_word(&kept, scratch, 1, false);
    assert_false(launch(&kept, "copy", table, computed)); /* by a kernel, once */
    for (int call = 0; call < 3; call++) {
        assert_true(launch(&kept, "copy", kept.input, scratch));
        assert_true(launch(&kept, "copy", computed, kept.input)); /* with an input beside it */
        assert_int_equal(word(&kept, scratch), call == 0 ? 5 : 49);
        simt_keep_end_call(kept.fixture.device);
        assert_int_equal(word(&kept, table), 49);
        assert_int_equal(word(&kept, computed), 49);
        assert_int_equal(word(&kept, scratch), 1); /* as the host left it */
    }
    write_word(&kept, table, 50, true); /* a host that has read an input */
    simt_keep_end_call(kept.fixture.device);
    assert_int_equal(word(&kept, table), 49);
    close_kept(&kept);
}

static void variables_have_their_initial_values_again(void **state) {
    struct kept kept;
    uint64_t counter, spare, bytes;
    open_kept(&kept);
    assert_true(simt_module_variable(kept.module, "counter", &counter, &bytes));
    assert_true(simt_module_variable(kept.module, "spare", &spare, &bytes));
    for (int call = 0; call < 2; call++) {
        assert_true(launch(&kept, "count", kept.input, 0));
        assert_true(launch(&kept, "count", kept.input, 0));
        assert_int_equal(word(&kept, counter), 9);
        assert_int_equal(word(&kept, spare), 2);
        simt_keep_end_call(kept.fixture.device);
        assert_int_equal(word(&kept, counter), 7);
        assert_int_equal(word(&kept, spare), 0);
    }
    uint64_t own = allocate(&kept, 64); /* counted without an input: nothing to forget */
    assert_false(launch(&kept, "count", own, 0));
    simt_keep_end_call(kept.fixture.device);
    assert_int_equal(word(&kept, counter), 8);
    close_kept(&kept);
}

static void device_malloc_begins_anew(void **state) {
    struct kept kept;
    open_kept(&kept);
    assert_true(launch(&kept, "allocate", kept.input, 0));
    uint32_t first = word(&kept, kept.input);
    assert_true(launch(&kept, "allocate", kept.input, 0));
    assert_int_not_equal(word(&kept, kept.input), first);
    simt_keep_end_call(kept.fixture.device);
    assert_true(launch(&kept, "allocate", kept.input, 0));
    assert_int_equal(word(&kept, kept.input), first);
    simt_keep_end_call(kept.fixture.device);
    uint64_t own = allocate(&kept, 64); /* counted before an input was read: it stays */
    assert_false(launch(&kept, "allocate", own, 0));
    assert_int_equal(word(&kept, own), first);
    for (int call = 0; call < 2; call++) {
        assert_true(launch(&kept, "allocate", kept.input, 0));
        assert_int_equal(word(&kept, kept.input), first + 64);
        simt_keep_end_call(kept.fixture.device);
    }
    close_kept(&kept);
}

/* A buffer of each call has the same number in each. */
static void buffers_keep_their_numbers(void **state) {
    struct kept kept;
    open_kept(&kept);
    (void)allocate(&kept, 64); /* the second, which stays */
    for (int call = 0; call < 3; call++) {
        uint64_t buffer = allocate(&kept, 64);
        assert_string_equal(simt_allocation_name(kept.fixture.device, buffer), "cudaMalloc #3");
        assert_int_equal(simt_free(kept.fixture.device, buffer), SIMT_OK);
        simt_keep_end_call(kept.fixture.device);
    }
    close_kept(&kept);
}

/* What is not tracked is left alone. */
static void without_a_judge_everything_stays(void **state) {
    struct kept kept;
    fixture_open_file(&kept.fixture, "kept");
    kept.module = kept.fixture.module;
    uint64_t from = allocate(&kept, 64), to = allocate(&kept, 64);
    simt_keep_foreign(kept.fixture.device, from);
    write_word(&kept, from, 3, true);
    assert_false(launch(&kept, "copy", from, to));
    simt_keep_end_call(kept.fixture.device);
    assert_int_equal(word(&kept, to), 3);
    fixture_close(&kept.fixture);
}

/* Any access of a launch marks the sectors of mapped memory. */
static void touched_sectors_are_marked(void **state) {
    struct kept kept;
    static uint32_t host[256];
    uint8_t touched[4] = {0};
    struct simt_sectors sectors = {.touched = touched};
    const uint64_t mapped = (uint64_t)5 << 44;
    open_kept(&kept);
    assert_int_equal(simt_map(kept.fixture.device, mapped, sizeof host, host, "shared"), SIMT_OK);
    simt_watch_sectors(kept.fixture.device, mapped, &sectors);
    assert_false(launch(&kept, "copy", mapped + 32 * 9, mapped));
    assert_int_equal(touched[0], 1);
    assert_int_equal(touched[1], 2);
    assert_int_equal(touched[2] | touched[3], 0);
    assert_int_equal(sectors.asked, 2);
    close_kept(&kept);
}

/* A variable without an initial value is zero, also after a call: no remark. */
static void variables_are_always_written(void **state) {
    static struct simt_remark remarks[SIMT_REMARKS];
    struct kept kept;
    open_checked(&kept);
    uint64_t spare, bytes;
    assert_true(simt_module_variable(kept.module, "spare", &spare, &bytes));
    for (int call = 0; call < 3; call++) {
        assert_true(launch(&kept, "count", kept.input, 0));
        assert_int_equal(word(&kept, spare), 1);
        assert_int_equal(simt_take_remarks(kept.fixture.device, remarks), 0);
        simt_keep_end_call(kept.fixture.device);
    }
    close_kept(&kept);
}

/* Memory that an earlier call filled counts as written; the message names the call. */
static void what_an_earlier_call_set_is_told_so(void **state) {
    static struct simt_remark remarks[SIMT_REMARKS];
    struct kept kept;
    open_checked(&kept);
    uint64_t own = allocate(&kept, 64);
    assert_true(launch(&kept, "add_one", kept.input, own));
    simt_keep_end_call(kept.fixture.device);
    assert_int_equal(simt_fill(kept.fixture.device, kept.input, 5, 4, 16), SIMT_OK);
    (void)launch(&kept, "add_one", own, kept.input);
    (void)word(&kept, kept.input);
    assert_int_equal(simt_take_remarks(kept.fixture.device, remarks), 1);
    assert_string_equal(remarks[0].kind, "unwritten");
    assert_non_null(strstr(remarks[0].message,
                           "cudaMalloc #2 (64 bytes), which this call has not set: what an "
                           "earlier one set there is gone, each call stands for itself"));
    close_kept(&kept);
}

/* One after the other, and each alone. */
static void what_is_left_may_be_forgotten_alone(void **state) {
    struct kept kept;
    const char *what = NULL;
    uint64_t counter, bytes;
    open_kept(&kept);
    assert_true(simt_module_variable(kept.module, "counter", &counter, &bytes));
    struct simt_device *device = kept.fixture.device;
    uint64_t own = allocate(&kept, 64), untouched = allocate(&kept, 64);
    assert_int_equal(simt_keep_next_left(device, 0, &what), 0);
    assert_true(launch(&kept, "copy", kept.input, own));
    assert_int_equal(simt_keep_next_left(device, 0, &what), own);
    assert_string_equal(what, "cudaMalloc #2");
    assert_true(launch(&kept, "count", kept.input, 0));
    unsigned found = 0;
    for (uint64_t at = 0; (at = simt_keep_next_left(device, at, &what)) != 0; found++)
        assert_true(at != untouched && at != kept.input);
    assert_int_equal(found, 3); /* both variables */
    simt_keep_forget(device, counter);
    simt_keep_forget(device, kept.input); /* a judge's */
    assert_int_equal(word(&kept, counter), 7);
    assert_int_equal(word(&kept, own), 5);
    simt_keep_end_call(device);
    assert_int_equal(word(&kept, own), 0);
    close_kept(&kept);
}

TESTS(UNIT(what_is_left_may_be_forgotten_alone), UNIT(variables_are_always_written),
      UNIT(what_an_earlier_call_set_is_told_so), UNIT(what_follows_from_an_input_is_forgotten),
      UNIT(what_the_host_knew_before_stays), UNIT(variables_have_their_initial_values_again),
      UNIT(device_malloc_begins_anew), UNIT(without_a_judge_everything_stays),
      UNIT(buffers_keep_their_numbers), UNIT(touched_sectors_are_marked))
