/* test_instructions.c: a hash of the results of every instruction of device/instructions.h against
 * a real GPU's (instructions_h200.csv, by device/instructions.cu). */
#include "device_fixture.h"
#include "gpu/simt/tests/device/instructions.h"
#include "recording.h"

#include <math.h>

static void run(const struct instruction *instruction, uint64_t *results) {
    static uint64_t operands[INSTRUCTION_SETS * INSTRUCTION_OPERANDS];
    const size_t result_bytes = INSTRUCTION_SETS * sizeof *results;
    char text[4096] = ".version 8.1\n.target sm_90\n.address_size 64\n";
    size_t length = strlen(text);
    ENDED(fixture_close) struct fixture fixture;
    instruction_print(instruction, "k", text + length, sizeof text - length);
    fixture_open(&fixture, text);
    instruction_operands(instruction, operands);
    uint64_t parameters[] = {fixture_buffer(&fixture, sizeof operands),
                             fixture_buffer(&fixture, result_bytes)};
    simt_write(fixture.device, parameters[0], operands, sizeof operands);
    simt_fill(fixture.device, parameters[1], 0, 4, result_bytes / 4);
    fixture_ok(&fixture, fixture_run(&fixture, "k", INSTRUCTION_SETS / INSTRUCTION_BLOCK, INSTRUCTION_BLOCK,
                                     0, parameters));
    simt_read(fixture.device, results, parameters[1], result_bytes);
}

/* INSTRUCTIONS=FILE: all results, as instructions.cu writes them, to see where they differ. */
static void test_instructions(void **state) {
    static struct instruction items[INSTRUCTION_MOST];
    static uint64_t results[INSTRUCTION_SETS];
    struct instruction_list list = {items, 0};
    struct recording recording;
    const char *path = getenv("INSTRUCTIONS");
    FILE *all = path != NULL ? fopen(path, "wb") : NULL;
    int wrong = 0;
    instruction_list_all(&list);
    recording_open(&recording, "instructions");
    for (size_t i = 0; i < list.count; i++) {
        run(&items[i], results);
        if (all != NULL)
            assert_int_equal(fwrite(results, sizeof results, 1, all), 1);
        if (recorded_hash(results, INSTRUCTION_SETS) != recording_next(&recording, items[i].text)) {
            print_error("%s: not what the GPU computes\n", items[i].text);
            wrong++;
        }
    }
    if (all != NULL)
        fclose(all);
    recording_close(&recording);
    assert_int_equal(wrong, 0);
}

/* ---- approximations: within the bounds that PTX states */

/* value: the bits of one number of `bits` bits. */
static double number(uint64_t value, int bits, bool brain) {
    uint32_t word = (uint32_t)value;
    float single;
    double wide;
    if (bits == 16 && brain)
        word <<= 16;
    else if (bits == 16) {
        int exponent = (int)(word >> 10 & 31);
        double magnitude = exponent == 31 ? (word & 1023 ? NAN : INFINITY)
                           : exponent     ? ldexp((word & 1023) + 1024, exponent - 25)
                                          : ldexp(word & 1023, -24);
        return word & 0x8000 ? -magnitude : magnitude;
    }
    if (bits == 64) {
        memcpy(&wide, &value, sizeof wide);
        return wide;
    }
    memcpy(&single, &word, sizeof single);
    return single;
}

/* How far a result may be from the GPU's: twice the bound of PTX ISA 9.7.3, because both have it
 * from the truth. */
static const struct bound {
    const char *name;
    double relative, absolute;
} bounds[] = {{"rcp.approx.ftz.f64", 0x1p-19, 0}, {"rcp.approx", 0x1p-22, 0},
              {"sqrt.approx", 0x1p-22, 0},        {"rsqrt.approx.ftz.f64", 0x1p-19, 0},
              {"rsqrt.approx.f64", 0x1p-50, 0},   {"rsqrt.approx", 0x1p-21, 0},
              {"lg2.approx", 0x1p-21, 0x1p-21},   {"ex2.approx.f16", 0x1p-8, 0x1p-24},
              {"ex2.approx.ftz.bf16", 0x1p-6, 0}, {"ex2.approx", 0x1p-21, 0},
              {"sin.approx", 0, 0x1p-19},         {"cos.approx", 0, 0x1p-19},
              {"div.approx", 0x1p-21, 0},         {"div.full", 0x1p-21, 0},
              {"tanh.approx.f32", 0x1p-10, 0},    {"tanh.approx.f16", 0, 0x1p-9},
              {"tanh.approx.bf16", 0, 0x1p-7},    {NULL, 0, 0}};

static bool is_near(const char *name, double ours, double theirs) {
    const struct bound *bound = bounds;
    while (bound->name != NULL && strncmp(name, bound->name, strlen(bound->name)) != 0)
        bound++;
    assert_non_null(bound->name);
    return fabs(ours - theirs) <= fmax(bound->relative * fabs(theirs), bound->absolute);
}

static void test_approximations(void **state) {
    static struct instruction items[INSTRUCTION_MOST];
    static uint64_t results[INSTRUCTION_SETS];
    struct instruction_list list = {items, 0};
    struct recording recording;
    int wrong = 0;
    instruction_approximations(&list);
    recording_open(&recording, "approximations");
    for (size_t i = 0; i < list.count; i++) {
        const char *name = items[i].text, *type = items[i].result;
        char *next = recording_line(&recording, name);
        int parts = strchr(type, 'x') != NULL ? 2 : 1, bits = instruction_bits_of(type) / parts;
        uint64_t mask = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
        run(&items[i], results);
        for (int k = 0; k < APPROXIMATIONS * parts; k++) {
            static uint64_t gpu;
            gpu = k % parts ? gpu >> bits : strtoull(next, &next, 16);
            uint64_t ours = results[k / parts] >> k % parts * bits & mask, theirs = gpu & mask;
            if (ours != theirs &&
                !is_near(name, number(ours, bits, *type == 'b'), number(theirs, bits, *type == 'b'))) {
                print_error("%s of set %d: %llx, the GPU's is %llx\n", name, k / parts,
                            (unsigned long long)ours, (unsigned long long)theirs);
                wrong++;
            }
        }
    }
    recording_close(&recording);
    assert_int_equal(wrong, 0);
}

TESTS(UNIT(test_instructions), UNIT(test_approximations))
