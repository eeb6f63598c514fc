/* test_occupancy.c: the calculator against worked examples: the occupancy lecture's (Fermi), the slides' and
 * measured ones. */
#include "gpu/time/tests/support_gpus.h"

/* The Fermi SM of the lecture: 32 K registers, 48 or 16 KB of shared memory, 1536 threads, 8 blocks.
 * `granularity` 1 is the lecture's own arithmetic; the chip itself allocates registers in units of 64 a warp,
 * two partitions, shared memory in 128. */
static struct gpu_model fermi(uint32_t shared, bool granularity) {
    return (struct gpu_model){.sm_count = 14,
                              .max_warps_per_sm = 48,
                              .max_blocks_per_sm = 8,
                              .max_threads_per_sm = 1536,
                              .max_threads_per_block = 1024,
                              .registers_per_sm = 32768,
                              .registers_per_block = 32768,
                              .max_registers_per_thread = 64,
                              .register_granularity = granularity ? 64 : 1,
                              .warp_granularity = granularity ? 2 : 1,
                              .shared_per_sm = shared,
                              .shared_per_block = shared,
                              .shared_per_block_optin = shared,
                              .shared_granularity = granularity ? 128 : 1};
}

static uint32_t resident_threads(const struct gpu_model *model, uint32_t threads, uint32_t registers,
                                 uint32_t shared) {
    return gpu_occupancy(model, threads, registers, shared).blocks_per_sm * threads;
}

static void lecture_examples(void **state) {
    struct gpu_model model = fermi(48 << 10, false), small = fermi(16 << 10, false);
    /* 32 bytes of shared memory a thread, blocks of 256 */
    assert_int_equal(resident_threads(&model, 256, 16, 32 * 256), 1536);
    assert_int_equal(resident_threads(&small, 256, 16, 32 * 256), 512);
    assert_float_equal(gpu_occupancy(&small, 256, 16, 32 * 256).fraction, 1.0 / 3, 1e-12);
    assert_int_equal(gpu_occupancy(&small, 256, 16, 32 * 256).limit, GPU_LIMIT_SHARED);
    /* 20 (+1) and 63 (+1) registers */
    assert_float_equal(gpu_occupancy(&model, 256, 21, 0).fraction, 1, 0);
    assert_int_equal(resident_threads(&model, 256, 64, 0), 512);
    assert_int_equal(gpu_occupancy(&model, 256, 64, 0).limit, GPU_LIMIT_REGISTERS);
    /* block size against eight blocks an SM */
    const uint32_t blocks[][2] = {{32, 256}, {64, 512}, {128, 1024}, {192, 1536}, {256, 1536}};
    for (int i = 0; i < 5; i++)
        assert_int_equal(resident_threads(&model, blocks[i][0], 16, 0), blocks[i][1]);
    assert_int_equal(gpu_occupancy(&model, 32, 16, 0).limit, GPU_LIMIT_BLOCKS);
    assert_int_equal(gpu_occupancy(&model, 192, 16, 0).limit, GPU_LIMIT_NONE);
}

/* The lecture's examples on an H200, as the handout of lab 4 has them. */
static void lecture_examples_today(void **state) {
    struct gpu_model h200 = test_model("h200");
    static const struct {
        uint32_t threads, registers, shared, resident;
    } examples[] = {
        {256, 16, 32 * 256, 2048}, {256, 21, 0, 2048}, {256, 64, 0, 1024}, {32, 16, 0, 1024},
        {64, 16, 0, 2048},         {128, 16, 0, 2048}, {192, 16, 0, 1920}, {256, 16, 0, 2048},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        assert_int_equal(
            resident_threads(&h200, examples[i].threads, examples[i].registers, examples[i].shared),
            examples[i].resident);
}

/* What the lecture's arithmetic leaves out: with the chip's granularity, 21 registers take 704 a warp (not
 * 672), 46 warps fit, and blocks of 8 warps leave 40 of 48. */
static void granularity_matters(void **state) {
    struct gpu_model model = fermi(48 << 10, true);
    struct gpu_occupancy fit = gpu_occupancy(&model, 256, 21, 0);
    assert_int_equal(fit.warps_per_sm, 40);
    assert_int_equal(fit.limit, GPU_LIMIT_REGISTERS);
}

static void slides_and_measurements(void **state) {
    struct gpu_model gtx980 = test_model("gtx980"), h200 = test_model("h200");
    /* the profiling lecture: step 0, 56 registers, 56.2 %; step 40, 14 registers, 100 % */
    assert_float_equal(gpu_occupancy(&gtx980, 64, 56, 0).fraction, 0.5625, 0);
    assert_int_equal(gpu_occupancy(&gtx980, 64, 56, 0).limit, GPU_LIMIT_REGISTERS);
    assert_float_equal(gpu_occupancy(&gtx980, 128, 14, 640).fraction, 1, 0);
    /* H200: 63 registers leave 8 warps in each partition */
    struct gpu_occupancy fit = gpu_occupancy(&h200, 64, 63, 0);
    assert_int_equal(fit.blocks_per_sm, 16);
    assert_float_equal(fit.fraction, 0.5, 0);
    assert_int_equal(fit.limit, GPU_LIMIT_REGISTERS);
    /* 32 registers: full; 33: 40 a thread by granularity, 48 warps */
    assert_float_equal(gpu_occupancy(&h200, 256, 32, 0).fraction, 1, 0);
    assert_float_equal(gpu_occupancy(&h200, 256, 33, 0).fraction, 0.75, 0);
    /* 255 registers, 256 threads: one block; 65 x 1024 do not fit a block at all */
    assert_int_equal(gpu_occupancy(&h200, 256, 255, 0).blocks_per_sm, 1);
    assert_int_equal(gpu_occupancy(&h200, 1024, 64, 0).blocks_per_sm, 1);
    assert_int_equal(gpu_occupancy(&h200, 1024, 65, 0).blocks_per_sm, 0);
    /* five warps are checked as eight (200 registers x 8 warps > 64 K), though five would fit */
    assert_int_equal(gpu_occupancy(&h200, 9 * 32, 200, 0).blocks_per_sm, 0);
    assert_int_equal(gpu_occupancy(&h200, 8 * 32, 200, 0).blocks_per_sm, 1);
}

static void shared_memory(void **state) {
    struct gpu_model h200 = test_model("h200"), gtx980 = test_model("gtx980"), t4 = test_model("t4");
    /* the whole of it, and one byte more */
    assert_int_equal(gpu_occupancy(&h200, 128, 32, 227 << 10).blocks_per_sm, 1);
    assert_int_equal(gpu_occupancy(&h200, 128, 32, (227 << 10) + 1).blocks_per_sm, 0);
    /* 1 KB of each block is the system's: 228 / (6 + 1) = 32 blocks, 228 / (48 + 1) = 4 */
    assert_int_equal(gpu_occupancy(&h200, 32, 16, 6 << 10).blocks_per_sm, 32);
    assert_int_equal(gpu_occupancy(&h200, 128, 16, 48 << 10).blocks_per_sm, 4);
    assert_int_equal(gpu_occupancy(&h200, 128, 16, 48 << 10).limit, GPU_LIMIT_SHARED);
    /* none before 8.0, and a granularity of 256: 96 KB hold two blocks of 48 KB, 384 of 1 byte (but 32 blocks
     * at most) */
    assert_int_equal(gpu_occupancy(&gtx980, 128, 16, 48 << 10).blocks_per_sm, 2);
    assert_int_equal(gpu_occupancy(&gtx980, 128, 16, 1).blocks_by[GPU_LIMIT_SHARED], 384);
    assert_int_equal(gpu_occupancy(&t4, 128, 16, 64 << 10).blocks_per_sm, 1);
}

/* Over a grid of launches: never more of a resource than the SM has, one more block would not fit, and the
 * named limit is the one that stops it. The count is done anew here, resource by resource. */
static void never_over_and_never_under(void **state) {
    char directory[PATH_SIZE], ids[512], *next = ids;
    assert_true(gpu_model_find_directory(directory) && gpu_model_list(directory, ids, sizeof ids));
    for (const char *id; (id = strsep(&next, " ")) != NULL;) {
        struct gpu_model model = test_model(id);
        for (uint32_t threads = 1; threads <= 1024; threads += 31)
            for (uint32_t registers = 16; registers <= 255; registers += 13)
                for (uint32_t shared = 0; shared <= model.shared_per_block_optin; shared += 7777) {
                    struct gpu_occupancy fit = gpu_occupancy(&model, threads, registers, shared);
                    uint32_t warps = (threads + 31) / 32, each = (registers + 7) / 8 * 8 * 32;
                    uint32_t taken = shared + model.shared_reserved;
                    taken = (taken + model.shared_granularity - 1) / model.shared_granularity *
                            model.shared_granularity;
                    uint32_t blocks = fit.blocks_per_sm;
                    assert_int_equal(fit.warps_per_sm, blocks * warps);
                    assert_true(blocks * warps <= model.max_warps_per_sm &&
                                blocks <= model.max_blocks_per_sm);
                    assert_true(blocks * taken <= model.shared_per_sm);
                    assert_true((blocks * warps + 3) / 4 * each <= model.registers_per_sm / 4);
                    uint32_t more = blocks + 1;
                    bool no_warps = more * warps > model.max_warps_per_sm,
                         no_blocks = more > model.max_blocks_per_sm;
                    bool no_shared = more * taken > model.shared_per_sm;
                    bool no_registers = (more * warps + 3) / 4 * each > model.registers_per_sm / 4 ||
                                        (warps + 3) / 4 * 4 * each > model.registers_per_block;
                    assert_true(no_warps || no_blocks || no_shared || no_registers);
                    assert_true(fit.limit != GPU_LIMIT_REGISTERS || no_registers);
                    assert_true(fit.limit != GPU_LIMIT_SHARED || no_shared);
                    assert_true(fit.limit != GPU_LIMIT_BLOCKS || no_blocks);
                    assert_true(fit.limit != GPU_LIMIT_WARPS || no_warps);
                }
    }
}

static void impossible_blocks(void **state) {
    struct gpu_model model = test_model("h200");
    assert_int_equal(gpu_occupancy(&model, 0, 32, 0).blocks_per_sm, 0);
    assert_int_equal(gpu_occupancy(&model, 1025, 32, 0).blocks_per_sm, 0);
    assert_int_equal(gpu_occupancy(&model, 0xffffffffu, 32, 0).blocks_per_sm, 0);
    assert_int_equal(gpu_occupancy(&model, 32, 256, 0).blocks_per_sm, 0);
    assert_int_equal(gpu_occupancy(&model, 32, 0xffffffffu, 0).blocks_per_sm, 0);
    assert_int_equal(gpu_occupancy(&model, 32, 32, 0xffffffffu).blocks_per_sm, 0);
    assert_int_equal(gpu_occupancy(&model, 32, 0, 0).blocks_per_sm,
                     32); /* registers unknown: they do not limit */
}

TESTS(UNIT(lecture_examples), UNIT(lecture_examples_today), UNIT(granularity_matters),
      UNIT(slides_and_measurements), UNIT(shared_memory), UNIT(never_over_and_never_under),
      UNIT(impossible_blocks))
