/* test_random_kernels.c: random kernels: memory after the simulation equals an evaluation of each
 * thread alone. */
#include "device_fixture.h"
#include "support_random.h"

enum { PROGRAMS = 2000 };

struct trial {
    uint32_t host_threads;
    bool check_races;
    uint64_t instructions;
    bool complete;   /* no unassigned variable was read */
    char what[1400]; /* the failure */
};

static void open_program(struct fixture *fixture, const char *text, struct trial *trial) {
    struct simt_config config;
    struct ptx_error error = {0};
    simt_config_default(&config);
    config.host_threads = trial->host_threads;
    config.check_races = trial->check_races;
    config.instruction_budget = 5000000;
    config.sm_count = 4;
    *fixture = (struct fixture){.device = simt_device_create(&config)};
    assert_non_null(fixture->device);
    fixture->program = ptx_parse(text, strlen(text), &error);
    if (fixture->program == NULL)
        snprintf(trial->what, sizeof trial->what, "PTX line %u: %s", error.ptx_line, error.message);
    else
        fixture->module =
            simt_module_load(fixture->device, fixture->program, trial->what, sizeof trial->what);
}

static void run_simulator(struct fixture *fixture, const struct random_program *program, uint8_t *output,
                          const uint64_t *inputs, struct trial *trial) {
    uint32_t bytes = random_output_bytes(program);
    uint64_t parameters[] = {fixture_buffer(fixture, bytes), fixture_buffer(fixture, 8 * RANDOM_INPUTS)};
    simt_write(fixture->device, parameters[0], output, bytes);
    simt_write(fixture->device, parameters[1], inputs, 8 * RANDOM_INPUTS);
    struct simt_launch launch = {.kernel = simt_module_kernel(fixture->module, "k"),
                                 .grid = {program->blocks, 1, 1},
                                 .resident_blocks = 2,
                                 .parameters = parameters};
    memcpy(launch.block, program->block, sizeof launch.block);
    if (simt_run(fixture->device, &launch, &fixture->result) != SIMT_OK)
        snprintf(trial->what, sizeof trial->what, "%s", fixture->result.fault.message);
    trial->instructions += fixture->result.counters.warp_instructions;
    simt_read(fixture->device, output, parameters[0], bytes);
}

static bool agrees(const struct random_program *program, struct trial *trial) {
    uint32_t bytes = random_output_bytes(program);
    uint64_t inputs[RANDOM_INPUTS], state = program->seed + 12345;
    FREED uint8_t *expected = malloc(bytes), *actual = malloc(bytes);
    FREED char *text = random_print(program);
    struct fixture fixture;
    assert_true(expected != NULL && actual != NULL && text != NULL);
    for (int i = 0; i < RANDOM_INPUTS; i++) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
        inputs[i] = state >> (i % 3 * 20);
    }
    for (uint32_t i = 0; i < bytes; i++)
        expected[i] = actual[i] = (uint8_t)(i * 37 + i / 256);
    trial->what[0] = 0;
    open_program(&fixture, text, trial);
    if (fixture.module != NULL)
        run_simulator(&fixture, program, actual, inputs, trial);
    trial->complete = random_evaluate(program, expected, inputs);
    for (uint32_t i = 0; i < bytes && !trial->what[0]; i++)
        if (expected[i] != actual[i])
            snprintf(trial->what, sizeof trial->what, "byte %u of %u: %#x, expected %#x", i, bytes, actual[i],
                     expected[i]);
    simt_result_free(&fixture.result);
    if (fixture.module != NULL)
        simt_module_unload(fixture.device, fixture.module);
    ptx_module_free(fixture.program);
    simt_device_destroy(fixture.device);
    return !trial->what[0];
}

/* Leaves out what the fault does not need, so that the rest is short enough to read. */
static void shrink(struct random_program *program, struct trial *trial) {
    static struct random_program before;
    struct trial again = *trial;
    for (bool smaller = true; smaller;) {
        smaller = false;
        for (int i = program->statement_count - 1; i >= 0; i--)
            for (int way = 0; way < RANDOM_WAYS_TO_SIMPLIFY; way++) {
                before = *program;
                if (!random_simplify(program, i, way))
                    continue;
                if (agrees(program, &again) || !again.complete)
                    *program = before;
                else
                    smaller = true, *trial = again;
            }
    }
}

static void run_one(uint64_t seed, struct trial *trial) {
    static struct random_program program;
    random_generate(&program, seed);
    bool good = agrees(&program, trial);
    assert_true(trial->complete);
    if (good)
        return;
    shrink(&program, trial);
    FREED char *text = random_print(&program);
    fprintf(stderr, "seed %llu, %u blocks of %u x %u x %u threads, shortened:\n%s\n",
            (unsigned long long)seed, program.blocks, program.block[0], program.block[1], program.block[2],
            text);
    fail_msg("seed %llu: %s", (unsigned long long)seed, trial->what);
}

static void test_random_kernels(void **state) {
    struct trial trial = {.host_threads = 1};
    const char *only = getenv("RANDOM_SEED");
    uint64_t first = only != NULL ? strtoull(only, NULL, 10) : 0, end = only != NULL ? first + 1 : PROGRAMS;
    for (uint64_t seed = first; seed < end; seed++) {
        trial.host_threads = seed % 2 ? 3 : 1;
        trial.check_races = seed % 4 < 2;
        run_one(seed, &trial);
    }
    print_message("%llu programs, %llu warp instructions\n", (unsigned long long)(end - first),
                  (unsigned long long)trial.instructions);
}

TESTS(UNIT(test_random_kernels))
