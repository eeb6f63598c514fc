/* test_flow.c: what crosses between host and device in a judged call, by whatever way, is counted; what follows from an
 * input does not outlive the call. */
#include "base/test.h"
#include "gpu/runtime/server/server.h"
#include "gpu/runtime/tests/support_judge.h"
#include "gpu/runtime/tests/support_programs.h"

#include <math.h>
#include <sys/mman.h>

/* The program's own copy of a few bytes, by the judged.transfer buffer. */
static void move(bool to_device, uint64_t address, uint64_t bytes) {
    struct request_copy copy = {.width = bytes,
                                .height = 1,
                                .to_pitch = bytes,
                                .from_pitch = bytes,
                                .direction = to_device ? PROTOCOL_TO_DEVICE : PROTOCOL_FROM_DEVICE,
                                .buffered = 1};
    *(to_device ? &copy.to : &copy.from) = address;
    assert_int_equal(judged_ask(PROTOCOL_COPY, &copy, sizeof copy, NULL, 0), 0);
    assert_int_equal(judged_expect("copy", "bytes"), bytes);
}

static uint64_t allocate(uint64_t bytes) {
    struct request_allocate request = {.bytes = bytes};
    struct reply_value value;
    assert_int_equal(judged_ask(PROTOCOL_ALLOCATE, &request, sizeof request, &value, sizeof value), 0);
    return value.value;
}

/* Memory of both sides, mapped at `shared` as well. */
static uint64_t allocate_shared(uint32_t memory, uint64_t bytes) {
    struct request_allocate_shared request = {.bytes = bytes, .memory = memory};
    struct reply_value value;
    if (judged.shared != NULL)
        munmap(judged.shared, PROTOCOL_TRANSFER_BYTES);
    judged.shared = NULL;
    assert_int_equal(judged_ask(PROTOCOL_ALLOCATE_SHARED, &request, sizeof request, &value, sizeof value), 0);
    assert_non_null(judged.shared);
    return value.value;
}

/* The kernel that doubles 192 floats. */
static uint32_t doubling(void) {
    size_t bytes;
    unsigned char *fatbin = read_fat_binary("zstd", &bytes);
    struct request_module module = {0};
    uint8_t *load = malloc(sizeof module + bytes);
    uint8_t name[sizeof(struct request_id) + 7];
    struct reply_value id;
    struct reply_kernel kernel;
    assert_non_null(load);
    memcpy(load, &module, sizeof module);
    memcpy(load + sizeof module, fatbin, bytes);
    assert_int_equal(
        judged_ask(PROTOCOL_MODULE_LOAD, load, (uint32_t)(sizeof module + bytes), &id, sizeof id), 0);
    memcpy(name, &(struct request_id){(uint32_t)id.value}, sizeof(struct request_id));
    memcpy(name + sizeof(struct request_id), "bounded", 7);
    assert_int_equal(judged_ask(PROTOCOL_KERNEL, name, sizeof name, &kernel, sizeof kernel), 0);
    free(load);
    free(fatbin);
    return kernel.id;
}

enum { DOUBLED = 192 * sizeof(float), LAUNCH_TELLS = 32 + 8 };

static void double_at(uint32_t kernel, uint64_t address) {
    struct {
        struct request_launch launch;
        uint64_t parameter;
    } __attribute__((packed))
    request = {{.kernel = kernel, .grid = {1, 1, 1}, .block = {192, 1, 1}}, address};
    assert_int_equal(judged_ask(PROTOCOL_LAUNCH, &request, sizeof request, NULL, 0), 0);
    assert_int_equal(judged_expect("launch", "none"), 0);
}

static float float_at(const uint8_t *memory, int index) {
    float value;
    memcpy(&value, memory + index * sizeof value, sizeof value);
    return value;
}

static void fill_floats(uint8_t *memory, float value) {
    for (size_t i = 0; i < DOUBLED / sizeof value; i++)
        memcpy(memory + i * sizeof value, &value, sizeof value);
}

/* What is carried counts once something was learned, whichever way it goes. */
static void what_crosses_is_counted(void **state) {
    uint64_t input = 0;
    judged_greet();
    uint32_t kernel = doubling();
    uint64_t own = allocate(DOUBLED);
    assert_int_equal(judged_command("allocate 768", &input), 0);
    assert_int_equal(judged_commandf("fill %llu 768 0", (unsigned long long)input), 0);
    assert_int_equal(judged_command("window 1 100000", NULL), 0);
    move(true, own, DOUBLED); /* a table */
    double_at(kernel, own);
    assert_int_equal(judged_command("window 0", NULL), 0);
    assert_true(judged.flow.to_device == DOUBLED && judged.flow.from_device == 0);
    assert_true(judged.flow.learned == 0 && judged.flow.carried == 0);
    assert_int_equal(judged_command("window 1 100000", NULL), 0);
    move(false, input, DOUBLED);
    move(true, own, DOUBLED);
    double_at(kernel, own);
    struct request_fill fill = {.address = own, .pitch = 4, .width = 4, .height = 1};
    assert_int_equal(judged_ask(PROTOCOL_FILL, &fill, sizeof fill, NULL, 0), 0);
    assert_int_equal(judged_expect("fill", "bytes"), 4);
    uint32_t again = doubling(); /* a module could hold an answer */
    assert_int_not_equal(again, kernel);
    assert_int_equal(judged_command("window 0", NULL), 0);
    assert_true(judged.flow.from_device == DOUBLED && judged.flow.learned == DOUBLED);
    assert_true(judged.flow.carried > DOUBLED + LAUNCH_TELLS + 2 * 32 + 1000);
    assert_true(judged.flow.time_us > 0);
}

static void managed_memory_crosses_by_sectors(void **state) {
    uint64_t input = 0;
    judged_greet();
    uint32_t kernel = doubling();
    uint64_t managed = allocate_shared(PROTOCOL_MANAGED, 1 << 16);
    uint8_t *host = judged.shared;
    assert_int_equal(judged_command("allocate 768", &input), 0);
    /* Scratch memory that kernels alone touch. */
    assert_int_equal(judged_command("window 1 100000", NULL), 0);
    double_at(kernel, managed);
    double_at(kernel, managed);
    assert_int_equal(judged_command("window 0", NULL), 0);
    assert_true(judged.flow.to_device == 0 && judged.flow.learned == 0 && judged.flow.time_us == 0);
    /* What follows from no input stays. */
    fill_floats(host, 1);
    assert_int_equal(judged_command("window 1 100000", NULL), 0);
    double_at(kernel, managed);
    assert_int_equal(judged_command("window 0", NULL), 0);
    assert_true(float_at(host, 191) == 2);
    assert_int_equal(judged_command("window 1 100000", NULL), 0);
    move(false, input, DOUBLED); /* from now on anything may */
    assert_int_equal(judged_command("window 0", NULL), 0);
    for (int call = 0; call < 2; call++) {
        fill_floats(host, 1.5f);
        fill_floats(host + 8192, 1); /* no kernel looks there */
        assert_int_equal(judged_command("window 1 100000", NULL), 0);
        double_at(kernel, managed);
        assert_true(float_at(host, 0) == 3 && float_at(host, 191) == 3);
        double_at(kernel, managed); /* it is there already */
        assert_true(float_at(host, 191) == 6);
        double first = 7;
        memcpy(host, &first, sizeof first); /* one sector, after something was seen */
        double_at(kernel, managed);
        assert_int_equal(judged_command("window 0", NULL), 0);
        assert_int_equal(judged.flow.to_device, DOUBLED + 32);
        assert_int_equal(judged.flow.learned, 3 * DOUBLED);
        assert_int_equal(judged.flow.carried, 32 + 2 * LAUNCH_TELLS);
        assert_true(judged.flow.time_us > 0 && judged.flow.from_device == 0);
        /* The host finds what it had written, and no kernel's words. */
        assert_memory_equal(host, &first, sizeof first);
        assert_true(float_at(host, 2) == 1.5f && float_at(host, 191) == 1.5f);
    }
}

/* It stays with the host: each access goes there. */
static void pinned_memory_costs_each_access(void **state) {
    judged_greet();
    uint32_t kernel = doubling();
    uint64_t pinned = allocate_shared(PROTOCOL_PINNED, 1 << 16);
    fill_floats(judged.shared, 1);
    assert_int_equal(judged_command("window 1 100000", NULL), 0);
    double_at(kernel, pinned);
    assert_int_equal(judged_command("window 0", NULL), 0);
    double once = judged.flow.time_us;
    assert_float_equal(once, 2 * DOUBLED / 1e3 / judged.model.host_link_gbs, 1e-9);
    assert_int_equal(judged.flow.to_device, DOUBLED);
    assert_int_equal(judged_command("window 1 100000", NULL), 0);
    double_at(kernel, pinned);
    double_at(kernel, pinned);
    assert_int_equal(judged_command("window 0", NULL), 0);
    /* The host could wait for the first kernel's words before it launches the second. */
    assert_true(fabs(judged.flow.time_us - judged.flow.idle_us - 2 * once) < 1e-9);
    assert_float_equal(judged.flow.idle_us, judged.model.host_wait_us + judged.model.host_launch_us, 1e-9);
}

/* Two kernels, the second of them `programmatic` or on that stream; what the host does between. */
static void two_kernels(uint32_t kernel, uint64_t address, struct request_launch second, uint32_t operation,
                        const void *request, uint32_t bytes) {
    struct {
        struct request_launch launch;
        uint64_t parameter;
    } __attribute__((packed)) launch = {second, address};
    launch.launch.kernel = kernel;
    launch.launch.grid[0] = launch.launch.grid[1] = launch.launch.grid[2] = 1;
    launch.launch.block[0] = 192;
    launch.launch.block[1] = launch.launch.block[2] = 1;
    assert_int_equal(judged_command("window 1 100000", NULL), 0);
    double_at(kernel, address);
    if (request != NULL)
        assert_int_equal(judged_ask(operation, request, bytes, NULL, 0), 0);
    assert_int_equal(judged_ask(PROTOCOL_LAUNCH, &launch, sizeof launch, NULL, 0), 0);
    assert_int_equal(judged_expect("launch", "none"), 0);
    assert_int_equal(judged_command("window 0", NULL), 0);
}

/* Where the host waits, polls or frees memory between two kernels, the GPU idles for what the host needs
 * then. Kernels that are queued cost nothing between them. */
static void idle_time_counts(void **state) {
    uint64_t input = 0;
    judged_greet();
    const struct gpu_model *model = &judged.model;
    double idle = model->host_wait_us + model->host_launch_us;
    uint32_t kernel = doubling();
    struct request_launch plain = {0};
    assert_int_equal(judged_command("allocate 768", &input), 0);
    two_kernels(kernel, input, plain, 0, NULL, 0);
    assert_true(judged.flow.idle_us == 0 && judged.flow.time_us == 0);
    struct request_synchronise wait = {.what = PROTOCOL_WAIT_DEVICE};
    two_kernels(kernel, input, plain, PROTOCOL_SYNCHRONISE, &wait, sizeof wait);
    assert_float_equal(judged.flow.idle_us, idle, 1e-9);
    assert_float_equal(judged.flow.time_us, idle, 1e-9);
    wait.query = 1;
    two_kernels(kernel, input, plain, PROTOCOL_SYNCHRONISE, &wait, sizeof wait);
    assert_float_equal(judged.flow.idle_us, idle, 1e-9);
    struct request_free release = {.address = allocate(64), .memory = PROTOCOL_DEVICE, .ordered = 1};
    two_kernels(kernel, input, plain, PROTOCOL_FREE, &release, sizeof release);
    assert_true(judged.flow.idle_us == 0);
    release = (struct request_free){.address = allocate(64), .memory = PROTOCOL_DEVICE};
    two_kernels(kernel, input, plain, PROTOCOL_FREE, &release, sizeof release);
    assert_float_equal(judged.flow.idle_us, idle + model->host_allocate_us, 1e-9);
}

/* The first call whose work could overlap is told as unseen; from then on what nothing orders is told. */
static void work_without_order_is_told(void **state) {
    uint64_t input = 0;
    judged_greet();
    uint32_t kernel = doubling();
    assert_int_equal(judged_command("allocate 768", &input), 0);
    struct request_launch early = {.programmatic = 1}, plain = {0};
    two_kernels(kernel, input, plain, 0, NULL, 0);
    assert_true(!judged.flow.unseen && judged.unordered[0] == '\0');
    two_kernels(kernel, input, early, 0, NULL, 0);
    assert_true(judged.flow.unseen && judged.unordered[0] == '\0');
    two_kernels(kernel, input, early, 0, NULL, 0);
    assert_non_null(strstr(judged.unordered, "cudaGridDependencySynchronize()"));
    two_kernels(kernel, input, plain, 0, NULL, 0);
    assert_true(!judged.flow.unseen && judged.unordered[0] == '\0');
    struct request_stream_create create = {.flags = 1};
    struct reply_value stream;
    assert_int_equal(judged_ask(PROTOCOL_STREAM_CREATE, &create, sizeof create, &stream, sizeof stream), 0);
    struct request_launch other = {.stream = (uint32_t)stream.value};
    two_kernels(kernel, input, other, 0, NULL, 0);
    assert_non_null(strstr(judged.unordered, "wait for an event"));
    struct request_synchronise wait = {.what = PROTOCOL_WAIT_DEVICE};
    two_kernels(kernel, input, other, PROTOCOL_SYNCHRONISE, &wait, sizeof wait);
    assert_string_equal(judged.unordered, "");
}

static void nothing_outlives_a_call(void **state) {
    uint64_t input = 0;
    judged_greet();
    uint64_t table = allocate(64), answer = allocate(64);
    /* Before the judge has given anything there is nothing to keep. */
    struct request_fill fill = {.address = table, .pitch = 64, .width = 64, .height = 1, .value = 7};
    assert_int_equal(judged_ask(PROTOCOL_FILL, &fill, sizeof fill, NULL, 0), 0);
    assert_int_equal(judged_command("allocate 64", &input), 0);
    assert_int_equal(judged_ask(PROTOCOL_FILL, &fill, sizeof fill, NULL, 0), ERROR_NOT_PERMITTED);
    judged_expect_violation("outside");
    assert_int_equal(judged_commandf("fill %llu 64 5", (unsigned long long)input), 0);
    assert_int_equal(judged_command("window 1 100000", NULL), 0);
    struct request_copy copy = {.to = answer,
                                .to_pitch = 64,
                                .from = input,
                                .from_pitch = 64,
                                .width = 64,
                                .height = 1,
                                .direction = PROTOCOL_IN_DEVICE};
    assert_int_equal(judged_ask(PROTOCOL_COPY, &copy, sizeof copy, NULL, 0), 0);
    assert_int_equal(judged_expect("copy", "bytes"), 64);
    move(false, answer, 64);
    assert_int_equal(judged.transfer[63], 5);
    assert_int_equal(judged_command("window 0", NULL), 0);
    assert_string_equal(judged.missed, "");
    assert_int_equal(judged_command("window 1 100000", NULL), 0);
    move(false, answer, 64);
    assert_int_equal(judged.transfer[0] | judged.transfer[63], 0);
    move(false, table, 64);
    assert_int_equal(judged.transfer[63], 7);
    move(true, table, 64); /* by a host that has seen an input */
    assert_int_equal(judged_command("window 0", NULL), 0);
    assert_string_equal(judged.missed, "cudaMalloc #2");
    assert_int_equal(judged_command("window 1 100000", NULL), 0);
    move(false, table, 64);
    assert_int_equal(judged.transfer[63], 7);
    assert_int_equal(judged_command("window 0", NULL), 0);
}

/* A call that finds all that the one before it left, in the program's own memory and in that of both sides; and no other
 * call finds it. */
static void one_call_may_leave_all_to_the_next(void **state) {
    uint64_t input = 0;
    judged_greet();
    uint32_t kernel = doubling();
    uint64_t answer = allocate(64), other = allocate(64), managed = allocate_shared(PROTOCOL_MANAGED, 4096);
    uint8_t *host = judged.shared;
    assert_int_equal(judged_command("allocate 64", &input), 0);
    assert_int_not_equal(judged_command("forget 0", NULL), 0);
    for (int forgets = 0; forgets < 2; forgets++) {
        assert_int_equal(judged_commandf("fill %llu 64 5", (unsigned long long)input), 0);
        fill_floats(host, 1);
        assert_int_equal(judged_command("keep 1", NULL), 0);
        assert_int_equal(judged_command("window 1 100000", NULL), 0);
        struct request_copy copy = {.to_pitch = 64,
                                    .from = input,
                                    .from_pitch = 64,
                                    .width = 64,
                                    .height = 1,
                                    .direction = PROTOCOL_IN_DEVICE};
        for (copy.to = answer; copy.to != 0; copy.to = copy.to == answer ? other : 0) {
            assert_int_equal(judged_ask(PROTOCOL_COPY, &copy, sizeof copy, NULL, 0), 0);
            assert_int_equal(judged_expect("copy", "bytes"), 64);
        }
        move(false, answer, 64);
        double_at(kernel, managed);
        assert_int_equal(judged_command("window 0", NULL), 0);
        assert_string_equal(judged.left, "cudaMalloc #1, cudaMalloc #2, managed memory");
        if (forgets) {
            assert_int_equal(judged_command("forget 0", NULL), 0);
            assert_int_equal(judged_command("forget 2", NULL), 0);
            assert_int_not_equal(judged_command("forget 3", NULL), 0);
        }
        assert_int_equal(judged_command("window 1 100000", NULL), 0);
        assert_int_not_equal(judged_command("forget 1", NULL), 0); /* not while the program works */
        move(false, answer, 64);
        assert_int_equal(judged.transfer[63], forgets ? 0 : 5);
        move(false, other, 64);
        assert_int_equal(judged.transfer[63], 5);
        assert_true(float_at(host, 191) == (forgets ? 1 : 2));
        double_at(kernel, managed);
        assert_true(float_at(host, 191) == (forgets ? 2 : 4));
        assert_int_equal(judged_command("window 0", NULL), 0); /* now all of it goes */
        assert_true(float_at(host, 191) == 1);
        assert_int_equal(judged_command("window 1 100000", NULL), 0);
        move(false, other, 64);
        assert_int_equal(judged.transfer[63], 0);
        assert_int_equal(judged_command("window 0", NULL), 0);
        assert_int_not_equal(judged_command("forget 0", NULL), 0);
    }
    /* Where no call comes that would end it. */
    assert_int_equal(judged_command("keep 1", NULL), 0);
    assert_int_equal(judged_command("window 1 100000", NULL), 0);
    move(true, other, 64);
    assert_int_equal(judged_command("window 0", NULL), 0);
    assert_string_equal(judged.left, "cudaMalloc #2");
    assert_int_equal(judged_command("keep 0", NULL), 0);
    assert_int_equal(judged_command("window 1 100000", NULL), 0);
    memset(judged.transfer, 9, 64);
    move(false, other, 64);
    assert_int_equal(judged.transfer[63], 0);
    assert_int_equal(judged_command("window 0", NULL), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_crosses_is_counted, judged_start, judged_stop),
        cmocka_unit_test_setup_teardown(managed_memory_crosses_by_sectors, judged_start, judged_stop),
        cmocka_unit_test_setup_teardown(pinned_memory_costs_each_access, judged_start, judged_stop),
        cmocka_unit_test_setup_teardown(idle_time_counts, judged_start, judged_stop),
        cmocka_unit_test_setup_teardown(work_without_order_is_told, judged_start, judged_stop),
        cmocka_unit_test_setup_teardown(nothing_outlives_a_call, judged_start, judged_stop),
        cmocka_unit_test_setup_teardown(one_call_may_leave_all_to_the_next, judged_start, judged_stop),
    };
    alarm(3600); /* a lost answer would be waited for */
    return cmocka_run_group_tests_name("flow", tests, judged_load_model, NULL);
}
