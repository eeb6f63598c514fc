/* test_compute_warp.c: shuffles, votes, matches and reductions against the PTX manual's pseudo code, one lane at a
 * time. */
#include "support_compute.h"

static lanes source[5];

static void shuffles(void **state) {
    (void)state;
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

static void votes(void **state) {
    (void)state;
    struct outcome out;
    for (int round = 0; round < 500; round++) {
        uint32_t running = round % 3 ? (uint32_t)random_bits() | 1u << round % 32 : UINT32_MAX;
        uint32_t members = round % 5 ? running : running & (uint32_t)random_bits();
        uint32_t yes = round % 4 == 0 ? UINT32_MAX : round % 4 == 1 ? 0 : (uint32_t)random_bits();
        for (int lane = 0; lane < SIMT_LANES; lane++)
            source[0][lane] = yes >> lane & 1, source[1][lane] = members;
        uint32_t counted = yes & members;
        struct ptx_instruction i = {.opcode = PTX_VOTE, .type = PTX_PRED, .source_type = PTX_PRED};
        static const int forms[] = {PTX_VOTE_ALL, PTX_VOTE_ANY, PTX_VOTE_UNI};
        for (int f = 0; f < 3; f++) {
            i.form = (uint8_t)forms[f];
            compute_run_mask("p:p4", i, source, running, &out);
            bool want = f == 0   ? counted == members
                        : f == 1 ? counted != 0
                                 : counted == 0 || counted == members;
            for (int lane = 0; lane < SIMT_LANES; lane++)
                assert_int_equal(out.d[0][lane], running >> lane & want);
        }
        i.form = PTX_VOTE_BALLOT, i.type = i.source_type = PTX_B32;
        compute_run_mask("4:!4", i, source, running, &out);
        for (int lane = 0; lane < SIMT_LANES; lane++)
            assert_int_equal(out.d[0][lane], running >> lane & 1 ? ~yes & members : 0);
        i = (struct ptx_instruction){.opcode = PTX_ACTIVEMASK, .type = PTX_B32, .source_type = PTX_B32};
        compute_run_mask("4:", i, source, running, &out);
        for (int lane = 0; lane < SIMT_LANES; lane++)
            assert_int_equal(out.d[0][lane], running >> lane & 1 ? running : 0);
    }
}

static void matches(void **state) {
    (void)state;
    struct outcome out;
    for (int round = 0; round < 300; round++) {
        bool wide = round & 1;
        uint32_t running = (uint32_t)random_bits() | 1u << round % 32,
                 members = running & ((uint32_t)random_bits() | 1u << round % 32);
        uint64_t high = wide ? (uint64_t)1 << 40 : 0;
        for (int lane = 0; lane < SIMT_LANES; lane++) /* wide values differ in their upper words only */
            source[0][lane] = round % 7 == 0 ? 5
                              : wide         ? high * (random_bits() % 3)
                                             : random_bits() % 3,
            source[1][lane] = members;
        struct ptx_instruction i = {.opcode = PTX_MATCH,
                                    .type = wide ? PTX_B64 : PTX_B32,
                                    .source_type = wide ? PTX_B64 : PTX_B32,
                                    .form = PTX_MATCH_ANY};
        compute_run_mask(wide ? "4:84" : "4:44", i, source, running, &out);
        bool agree = true;
        uint64_t first = source[0][__builtin_ctz(members)];
        for (int lane = 0; lane < SIMT_LANES; lane++) {
            uint32_t same = 0;
            for (int other = 0; other < SIMT_LANES; other++)
                if ((members >> other & 1) && source[0][other] == source[0][lane])
                    same |= 1u << other;
            agree &= !(members >> lane & 1) || source[0][lane] == first;
            assert_int_equal(out.d[0][lane], running >> lane & 1 ? same : 0);
        }
        i.form = PTX_MATCH_ALL;
        compute_run_mask(wide ? "4p:84" : "4p:44", i, source, running, &out);
        for (int lane = 0; lane < SIMT_LANES; lane++) {
            assert_int_equal(out.d[0][lane], running >> lane & agree ? members : 0);
            assert_int_equal(out.d[1][lane], running >> lane & agree);
        }
    }
}

static void reductions(void **state) {
    (void)state;
    struct outcome out;
    static const struct {
        int form, type;
    } cases[] = {{PTX_ATOM_ADD, PTX_U32}, {PTX_ATOM_ADD, PTX_S32}, {PTX_ATOM_MIN, PTX_U32},
                 {PTX_ATOM_MIN, PTX_S32}, {PTX_ATOM_MAX, PTX_U32}, {PTX_ATOM_MAX, PTX_S32},
                 {PTX_ATOM_AND, PTX_B32}, {PTX_ATOM_OR, PTX_B32},  {PTX_ATOM_XOR, PTX_B32}};
    for (int round = 0; round < 450; round++) {
        uint32_t running = (uint32_t)random_bits() | 1u << round % 32;
        for (int lane = 0; lane < SIMT_LANES; lane++)
            source[0][lane] = random_operand(4), source[1][lane] = running;
        int form = cases[round % 9].form, type = cases[round % 9].type;
        struct ptx_instruction i = {
            .opcode = PTX_REDUX, .type = (uint8_t)type, .source_type = (uint8_t)type, .form = (uint8_t)form};
        compute_run_mask("4:44", i, source, running, &out);
        int64_t total = 0;
        bool first = true;
        for (int lane = 0; lane < SIMT_LANES; lane++) {
            if (!(running >> lane & 1))
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
        for (int lane = 0; lane < SIMT_LANES; lane++)
            assert_int_equal(out.d[0][lane], running >> lane & 1 ? (uint32_t)total : 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shuffles), cmocka_unit_test(votes),
                                       cmocka_unit_test(matches), cmocka_unit_test(reductions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
