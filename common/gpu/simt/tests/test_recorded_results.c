/* test_recorded_results.c: hashes of instructions' results against those of a real GPU
 * (recording.h; programs in device/). */
#include "device_fixture.h"
#include "gpu/simt/tests/device/recorded_results.h"
#include "recording.h"

/* ---- carry chains: device/carry_chains.cu */

enum { SETS = 2048, OPERANDS = 6, RESULTS = 3 };

static const struct {
    const char *name, *operands;
} firsts[] = {{"add.cc", "%a, %b"},         {"addc.cc", "%a, %b"},       {"sub.cc", "%a, %b"},
              {"subc.cc", "%a, %b"},        {"mad.lo.cc", "%a, %b, %c"}, {"mad.hi.cc", "%a, %b, %c"},
              {"madc.lo.cc", "%a, %b, %c"}, {"madc.hi.cc", "%a, %b, %c"}},
  seconds[] = {{"addc.cc", "%d, %e"},
               {"subc.cc", "%d, %e"},
               {"madc.lo.cc", "%d, %e, %f"},
               {"madc.hi.cc", "%d, %e, %f"}};

/* One pair: seeded carry, two instructions, the carry left. Operands and results have 64 bits. */
static void print_chain(char *text, size_t size, const char *type, int first, int second) {
    int bits = atoi(type + 1);
    snprintf(text, size,
             PTX_HEADER ".visible .entry k(.param .u64 operands, .param .u64 out) {\n"
                        "    .reg .b32 %%r<5>;\n"
                        "    .reg .b64 %%p<3>;\n"
                        "    .reg .b%1$d %%seed, %%a, %%b, %%c, %%d, %%e, %%f, %%x, %%y, %%z;\n"
                        "    ld.param.u64 %%p1, [operands];\n"
                        "    ld.param.u64 %%p2, [out];\n"
                        "    mov.u32 %%r1, %%tid.x;\n"
                        "    mov.u32 %%r2, %%ctaid.x;\n"
                        "    mad.lo.u32 %%r3, %%r2, 64, %%r1;\n"
                        "    mad.wide.u32 %%p1, %%r3, 48, %%p1;\n"
                        "    mad.wide.u32 %%p2, %%r3, 24, %%p2;\n"
                        "    ld.global.b%1$d %%a, [%%p1];\n"
                        "    ld.global.b%1$d %%b, [%%p1+8];\n"
                        "    ld.global.b%1$d %%c, [%%p1+16];\n"
                        "    ld.global.b%1$d %%d, [%%p1+24];\n"
                        "    ld.global.b%1$d %%e, [%%p1+32];\n"
                        "    ld.global.b%1$d %%f, [%%p1+40];\n"
                        "    and.b32 %%r4, %%r3, 1;\n"
                        "    %3$s %%seed, %%r4;\n"
                        "    add.cc.%2$s %%x, %%seed, -1;\n"
                        "    %4$s.%2$s %%x, %5$s;\n"
                        "    %6$s.%2$s %%y, %7$s;\n"
                        "    addc.%2$s %%z, 0, 0;\n"
                        "    st.global.b%1$d [%%p2], %%x;\n"
                        "    st.global.b%1$d [%%p2+8], %%y;\n"
                        "    st.global.b%1$d [%%p2+16], %%z;\n"
                        "    ret;\n"
                        "}\n",
             bits, type, bits == 64 ? "cvt.u64.u32" : "mov.b32", firsts[first].name, firsts[first].operands,
             seconds[second].name, seconds[second].operands);
}

static void test_carry_chains(void **state) {
    static const char *const types[] = {"u32", "s32", "u64", "s64"};
    static uint64_t operands[SETS * OPERANDS], results[SETS * RESULTS];
    struct recording recording;
    recorded_operands(operands, SETS * OPERANDS);
    recording_open(&recording, "carry_chains");
    int wrong = 0;
    for (size_t type = 0; type < 4; type++)
        for (int pair = 0; pair < 32; pair++) {
            char text[4096], name[80];
            ENDED(fixture_close) struct fixture fixture;
            print_chain(text, sizeof text, types[type], pair / 4, pair % 4);
            fixture_open(&fixture, text);
            uint64_t parameters[] = {fixture_buffer(&fixture, sizeof operands),
                                     fixture_buffer(&fixture, sizeof results)};
            simt_write(fixture.device, parameters[0], operands, sizeof operands);
            simt_fill(fixture.device, parameters[1], 0, 4, sizeof results / 4);
            fixture_ok(&fixture, fixture_run(&fixture, "k", SETS / 64, 64, 0, parameters));
            simt_read(fixture.device, results, parameters[1], sizeof results);
            snprintf(name, sizeof name, "%s.%s %s.%s", firsts[pair / 4].name, types[type],
                     seconds[pair % 4].name, types[type]);
            if (recorded_hash(results, SETS * RESULTS) != recording_next(&recording, name)) {
                print_message("%s: not what an H200 computes\n", name);
                wrong++;
            }
        }
    assert_int_equal(wrong, 0);
    recording_close(&recording);
}

/* ---- lanes with different member masks: lane_groups.ptx, device/lane_groups.cu */

static void test_lane_groups(void **state) {
    enum { LANES = RECORDED_LANES * RECORDED_GROUPINGS };
    static const char *const functions[] = {"ballot",        "any",           "all",       "uni",
                                            "match_any.b32", "match_any.b64", "match_all", "match_all|p",
                                            "add.u32",       "min.u32",       "max.u32",   "min.s32",
                                            "max.s32",       "and.b32",       "or.b32",    "shfl,xor.b32"};
    enum { FUNCTIONS = sizeof functions / sizeof functions[0] };
    static uint32_t masks[LANES], values[LANES];
    static uint64_t results[FUNCTIONS * LANES];
    struct recording recording;
    ENDED(fixture_close) struct fixture fixture;
    recorded_groups(masks, values);
    recording_open(&recording, "lane_groups");
    fixture_open_file(&fixture, "lane_groups");
    uint64_t parameters[] = {fixture_buffer(&fixture, sizeof masks), fixture_buffer(&fixture, sizeof values),
                             fixture_buffer(&fixture, sizeof results)};
    simt_write(fixture.device, parameters[0], masks, sizeof masks);
    simt_write(fixture.device, parameters[1], values, sizeof values);
    simt_fill(fixture.device, parameters[2], 0, 4, sizeof results / 4);
    fixture_ok(&fixture,
               fixture_run(&fixture, "lane_groups", RECORDED_GROUPINGS, RECORDED_LANES, 0, parameters));
    simt_read(fixture.device, results, parameters[2], sizeof results);
    int wrong = 0;
    for (int i = 0; i < FUNCTIONS; i++)
        if (recorded_hash(results + i * LANES, LANES) != recording_next(&recording, functions[i])) {
            print_message("%s: not what an H200 computes\n", functions[i]);
            wrong++;
        }
    assert_int_equal(wrong, 0);
    recording_close(&recording);
}

TESTS(UNIT(test_carry_chains), UNIT(test_lane_groups))
