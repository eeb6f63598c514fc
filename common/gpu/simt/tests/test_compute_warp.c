/* test_compute_warp.c: shuffles, votes, matches and reductions against the PTX manual's pseudo
 * code, one lane at a time. */
#include "support_compute.h"

static lanes source[5];

static void shuffles(void **state) {
    struct outcome out;
    for (int round = 0; round < 2000; round++) {
        int form = (int[]){PTX_SHFL_UP, PTX_SHFL_DOWN, PTX_SHFL_BFLY, PTX_SHFL_IDX}[round % 4];
        uint32_t width = 1u << random_bits() % 6; /* as __shfl_sync's width: the segment and its last lane */
        uint32_t c = (32 - width) << 8 | (form == PTX_SHFL_UP ? 0 : 0x1f);
        bool uniform = round % 8 < 4;
        for (int lane = 0; lane < SIMT_LANES; lane++) {
            source[0][lane] = random_bits() & UINT32_MAX;
            source[1][lane] = uniform && lane ? source[1][0] : random_bits() % 40;
            source[2][lane] = round % 16 < 12 ? c : random_bits() & 0x1f1f;
            source[3][lane] = UINT32_MAX;
        }
        struct ptx_instruction i = {
            .opcode = PTX_SHFL, .type = PTX_B32, .source_type = PTX_B32, .form = (uint8_t)form};
        compute_run("4p:4444", i, source, &out);
        for (int lane = 0; lane < SIMT_LANES; lane++) {
            int b = (int)(source[1][lane] & 31), clamp = (int)(source[2][lane] & 31),
                segment = (int)(source[2][lane] >> 8 & 31);
            int max = (lane & segment) | (clamp & ~segment), min = lane & segment, j = 0;
            bool p = false;
            switch (form) {
            case PTX_SHFL_UP: j = lane - b, p = j >= max; break;
            case PTX_SHFL_DOWN: j = lane + b, p = j <= max; break;
            case PTX_SHFL_BFLY: j = lane ^ b, p = j <= max; break;
            case PTX_SHFL_IDX: j = min | (b & ~segment), p = j <= max; break;
            }
            assert_int_equal(out.d[0][lane], source[0][p ? j : lane]);
            assert_int_equal(out.d[1][lane], p);
        }
        compute_run("4:4444", i, source, &out);
        compute_run("_p:4444", i, source, &out);
        compute_run_mask("4p:4444", i, source, 0xffff0001, &out);
    }
}

/* Each running lane's member mask, to source[1]: its group's (1 to 4 of them), which may also name
 * lanes that do not run. */
static void choose_groups(uint32_t running, uint32_t members[SIMT_LANES]) {
    uint32_t group[4] = {0}, absent[4], count = 1 + random_bits() % 4, choice[SIMT_LANES];
    for (int g = 0; g < 4; g++)
        absent[g] = (uint32_t)random_bits() & ~running;
    for (int lane = 0; lane < SIMT_LANES; lane++) {
        choice[lane] = (uint32_t)random_bits() % count;
        group[choice[lane]] |= running & 1u << lane;
    }
    for (int lane = 0; lane < SIMT_LANES; lane++) {
        members[lane] = group[choice[lane]];
        source[1][lane] = members[lane] | absent[choice[lane]];
    }
}

static uint32_t choose_running(int round) {
    return round % 3 ? (uint32_t)random_bits() | 1u << round % 32 : UINT32_MAX;
}

static void votes(void **state) {
    struct outcome out;
    for (int round = 0; round < 500; round++) {
        uint32_t running = choose_running(round), members[SIMT_LANES];
        uint32_t yes = round % 4 == 0 ? UINT32_MAX : round % 4 == 1 ? 0 : (uint32_t)random_bits();
        choose_groups(running, members);
        for (int lane = 0; lane < SIMT_LANES; lane++)
            source[0][lane] = yes >> lane & 1;
        struct ptx_instruction i = {.opcode = PTX_VOTE, .type = PTX_PRED, .source_type = PTX_PRED};
        static const int forms[] = {PTX_VOTE_ALL, PTX_VOTE_ANY, PTX_VOTE_UNI};
        for (int f = 0; f < 3; f++) {
            i.form = (uint8_t)forms[f];
            compute_run_mask("p:p4", i, source, running, &out);
            for (int lane = 0; lane < SIMT_LANES; lane++) {
                uint32_t counted = yes & members[lane];
                bool want = f == 0   ? counted == members[lane]
                            : f == 1 ? counted != 0
                                     : counted == 0 || counted == members[lane];
                assert_int_equal(out.d[0][lane], running >> lane & want);
            }
        }
        i.form = PTX_VOTE_BALLOT, i.type = i.source_type = PTX_B32;
        compute_run_mask("4:!4", i, source, running, &out);
        for (int lane = 0; lane < SIMT_LANES; lane++)
            assert_int_equal(out.d[0][lane], running >> lane & 1 ? ~yes & members[lane] : 0);
        i = (struct ptx_instruction){.opcode = PTX_ACTIVEMASK, .type = PTX_B32, .source_type = PTX_B32};
        compute_run_mask("4:", i, source, running, &out);
        for (int lane = 0; lane < SIMT_LANES; lane++)
            assert_int_equal(out.d[0][lane], running >> lane & 1 ? running : 0);
    }
}

static void matches(void **state) {
    struct outcome out;
    for (int round = 0; round < 300; round++) {
        bool wide = round & 1;
        uint32_t running = choose_running(round), members[SIMT_LANES];
        uint64_t high = wide ? (uint64_t)1 << 40 : 0;
        choose_groups(running, members);
        for (int lane = 0; lane < SIMT_LANES; lane++) /* wide values differ only in their upper words */
            source[0][lane] = round % 7 == 0 ? 5 : wide ? high * (random_bits() % 3) : random_bits() % 3;
        uint8_t type = wide ? PTX_B64 : PTX_B32;
        struct ptx_instruction any = {
            .opcode = PTX_MATCH, .type = type, .source_type = type, .form = PTX_MATCH_ANY};
        struct ptx_instruction all = any;
        all.form = PTX_MATCH_ALL;
        uint32_t same[SIMT_LANES] = {0};
        compute_run_mask(wide ? "4:84" : "4:44", any, source, running, &out);
        for (int lane = 0; lane < SIMT_LANES; lane++) {
            for (int other = 0; other < SIMT_LANES; other++)
                same[lane] |= (uint32_t)(source[0][other] == source[0][lane]) << other & members[lane];
            assert_int_equal(out.d[0][lane], running >> lane & 1 ? same[lane] : 0);
        }
        compute_run_mask(wide ? "4p:84" : "4p:44", all, source, running, &out);
        for (int lane = 0; lane < SIMT_LANES; lane++) {
            bool agree = running >> lane & 1 && same[lane] == members[lane];
            assert_int_equal(out.d[0][lane], agree ? members[lane] : 0);
            assert_int_equal(out.d[1][lane], agree);
        }
    }
}

/* The result of one lane of a group. */
static uint32_t reduced(int form, int type, uint32_t members) {
    int64_t total = 0;
    bool first = true;
    for (int lane = 0; lane < SIMT_LANES; lane++) {
        if (!(members >> lane & 1))
            continue;
        int64_t x = type == PTX_S32 ? (int32_t)source[0][lane] : (int64_t)source[0][lane];
        switch (form) {
        case PTX_ATOM_ADD: total += x; break;
        case PTX_ATOM_MIN: total = first || x < total ? x : total; break;
        case PTX_ATOM_MAX: total = first || x > total ? x : total; break;
        case PTX_ATOM_AND: total = first ? x : total & x; break;
        case PTX_ATOM_OR: total |= x; break;
        default: total ^= x; break;
        }
        first = false;
    }
    return (uint32_t)total;
}

static void reductions(void **state) {
    struct outcome out;
    static const struct {
        int form, type;
    } cases[] = {{PTX_ATOM_ADD, PTX_U32}, {PTX_ATOM_ADD, PTX_S32}, {PTX_ATOM_MIN, PTX_U32},
                 {PTX_ATOM_MIN, PTX_S32}, {PTX_ATOM_MAX, PTX_U32}, {PTX_ATOM_MAX, PTX_S32},
                 {PTX_ATOM_AND, PTX_B32}, {PTX_ATOM_OR, PTX_B32},  {PTX_ATOM_XOR, PTX_B32}};
    for (int round = 0; round < 450; round++) {
        uint32_t running = choose_running(round), members[SIMT_LANES];
        choose_groups(running, members);
        for (int lane = 0; lane < SIMT_LANES; lane++)
            source[0][lane] = random_operand(4);
        int form = cases[round % 9].form, type = cases[round % 9].type;
        struct ptx_instruction i = {
            .opcode = PTX_REDUX, .type = (uint8_t)type, .source_type = (uint8_t)type, .form = (uint8_t)form};
        compute_run_mask("4:44", i, source, running, &out);
        for (int lane = 0; lane < SIMT_LANES; lane++)
            assert_int_equal(out.d[0][lane], running >> lane & 1 ? reduced(form, type, members[lane]) : 0);
    }
}

TESTS(UNIT(shuffles), UNIT(votes), UNIT(matches), UNIT(reductions))
