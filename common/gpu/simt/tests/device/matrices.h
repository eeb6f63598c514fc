/* matrices.h: the instructions of tensor cores whose results are recorded and compared, their
 * operands, and the PTX that runs each, for the real GPU (matrices.cu) and the simulated one
 * (../test_matrices.c). A block is one warp, and a trial: its operands are up to three arrays,
 * one behind the other; a warp's register is an array of 32 lanes. */
#pragma once

#include "recorded_results.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

enum { MATRIX_MOST = 256, MATRIX_BYTES = 4096, MATRIX_TRIALS = 256, MATRIX_TEXT = 8192 };

/* Elements. BITS: any; SUM: 32 bits, often near an end; ROW: a multiple of 16, another for each
 * lane. */
enum matrix_type {
    MATRIX_F16,
    MATRIX_BF16,
    MATRIX_TF32,
    MATRIX_F32,
    MATRIX_F64,
    MATRIX_BITS,
    MATRIX_SUM,
    MATRIX_ROW
};
static const struct {
    int bytes, exponent, mantissa;
} matrix_types[] = {{2, 5, 10},  {2, 8, 7}, {4, 8, 23}, {4, 8, 23},
                    {8, 11, 52}, {4, 0, 0}, {4, 0, 0},  {4, 0, 0}};

enum matrix_kind { MATRIX_MMA, MATRIX_WMMA, MATRIX_LOAD, MATRIX_STORE, MATRIX_ROWS, MATRIX_STORE_ROWS };
struct matrix_form {
    char text[96];
    enum matrix_kind kind;
    int trials;
    struct {
        enum matrix_type type;
        int bytes;
    } operands[3];
    int registers[4]; /* of a, b, c and d; of one fragment: the first */
    int words[3];     /* WMMA: b's and c's byte, and the stride of a, b, c and d packed; see the text */
};

struct matrix_list {
    struct matrix_form *items;
    size_t count;
};

/* ---- operands */

/* How a trial draws floats: exponents from `spread` around a centre, few bits of mantissa, zeros,
 * values near the type's ends, infinities and NaNs. */
static inline uint64_t matrix_float(enum matrix_type type, int operand, int trial, uint64_t *state) {
    int bits = matrix_types[type].exponent, fraction = matrix_types[type].mantissa;
    int most = (1 << bits) - 1, bias = most / 2;
    int spread = trial & 3, zeros = trial >> 2 & 3, digits = trial >> 4 & 3, range = trial >> 6 & 3;
    uint64_t random = recorded_random(state), mantissa = recorded_random(state) & ((1ull << fraction) - 1);
    static const int spreads[] = {2, 7, 25};
    int offset = spread == 3 ? (int)(random % 3) * 12 - 12
                             : (int)(random % (uint64_t)spreads[spread]) - spreads[spread] / 2;
    int centre = range == 1 ? (bits == 5 ? 2 : bias - bias / 2 - 4) : range == 2 ? bias + bias / 2 - 1 : bias;
    if (bits == 11)
        offset *= 2;
    if (operand == 2) /* a sum: of products' size, or far from it */
        offset = offset * 2 + (random >> 8 & 1 ? (int)(random >> 16 & 63) - 32 : 0),
        centre = 2 * centre - bias;
    int exponent = centre + offset;
    exponent = exponent < 0 ? 0 : exponent > most - 1 ? most - 1 : exponent;
    if (digits == 1)
        mantissa &= ~((1ull << (fraction - 3)) - 1);
    if (digits == 2)
        mantissa = 0;
    uint64_t sign = random >> 24 & 1, draw = random >> 32;
    static const uint32_t odds[] = {0, 32, 48, 60}; /* zeros, of 64 */
    if (operand != 1 && draw % 64 < odds[zeros])
        exponent = 0, mantissa = 0;
    if (range == 3 && (draw >> 8) % 32 == 0) {
        static const int ends[] = {0, 0, 1, 2};
        exponent = ends[draw >> 16 & 3] == 2 ? most - 1 : ends[draw >> 16 & 3];
        mantissa = draw >> 18 & 1 ? mantissa : draw >> 19 & 1 ? (1ull << fraction) - 1 : 0;
    }
    if (range == 3 && (draw >> 8) % 64 == 1)
        exponent = most, mantissa = draw >> 16 & 3 ? 0 : mantissa;
    return sign << (bits + fraction) | (uint64_t)exponent << fraction | mantissa;
}

static inline void matrix_operands(const struct matrix_form *form, uint8_t *bytes) {
    for (int trial = 0; trial < form->trials; trial++) {
        uint8_t *next = bytes + (size_t)trial * MATRIX_BYTES;
        uint64_t state = (uint64_t)trial;
        for (int i = 0; i < 3; i++) {
            enum matrix_type type = form->operands[i].type;
            int size = matrix_types[type].bytes, count = form->operands[i].bytes / size;
            for (int e = 0; e < count; e++, next += size) {
                uint64_t value =
                    type < MATRIX_BITS ? matrix_float(type, i, trial, &state) : recorded_random(&state);
                if (type == MATRIX_SUM && (value >> 32 & 3) == 0)
                    value = 0x7fffffff + (value >> 34 & 1) + (value >> 35 & 1023) - 512;
                if (type == MATRIX_ROW) /* odd multipliers permute the lanes */
                    value = ((uint64_t)(e * (2 * trial + 1) + trial / 2) & 31) * 16;
                memcpy(next, &value, (size_t)size);
            }
        }
    }
}

/* ---- the list */

static inline struct matrix_form *matrix_add(struct matrix_list *list, enum matrix_kind kind, int trials,
                                             const char *format, ...) {
    if (list->count == MATRIX_MOST)
        abort();
    struct matrix_form *form = &list->items[list->count++];
    memset(form, 0, sizeof *form);
    form->kind = kind, form->trials = trials;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(form->text, sizeof form->text, format, arguments);
    va_end(arguments);
    return form;
}

static inline void matrix_operand(struct matrix_form *form, int operand, enum matrix_type type, int bytes) {
    form->operands[operand].type = type, form->operands[operand].bytes = bytes;
}

/* Registers of a, b, c and d. */
static inline void matrix_mma(struct matrix_list *list, const char *words, enum matrix_type type,
                              enum matrix_type sum, const char *registers) {
    struct matrix_form *form =
        matrix_add(list, MATRIX_MMA, type == MATRIX_BITS ? 16 : MATRIX_TRIALS, "mma.sync.aligned.%s", words);
    for (int i = 0; i < 4; i++)
        form->registers[i] = registers[i] - '0';
    for (int i = 0; i < 3; i++)
        matrix_operand(form, i, i == 2 ? sum : type, form->registers[i] * (type == MATRIX_F64 ? 256 : 128));
}

static inline void matrix_integers(struct matrix_list *list, const char *shape, const char *bits,
                                   const char *registers) {
    static const char signs[] = "us";
    for (int i = 0; i < 8; i++) {
        char words[64];
        snprintf(words, sizeof words, "%s.row.col%s.s32.%c%s.%c%s.s32", shape, i & 4 ? ".satfinite" : "",
                 signs[i & 1], bits, signs[i >> 1 & 1], bits);
        matrix_mma(list, words, MATRIX_BITS, MATRIX_SUM, registers);
    }
}

struct matrix_shape {
    int m, n, k, bits;                 /* bits of a and b */
    const char *word, *products, *sum; /* types */
    enum matrix_type type, sum_type;
    const char *registers; /* of a, b and c */
};

/* Products whose fragments are loaded and stored, and their fragments. */
static inline void matrix_wmma(struct matrix_list *list, const struct matrix_shape *s) {
    static const char *const layouts[] = {"row", "col"};
    int a = s->m * s->k * s->bits / 8, b = s->k * s->n * s->bits / 8;
    int sum = s->sum_type == MATRIX_F16 ? 2 : s->sum_type == MATRIX_F64 ? 8 : 4, c = s->m * s->n * sum;
    bool half = strcmp(s->products, "f16") == 0;
    for (int i = 0; i < 4; i++) {
        char types[64];
        if (half)
            snprintf(types, sizeof types, "%1$s.%1$s", s->sum);
        else
            snprintf(types, sizeof types, "%1$s.%2$s.%2$s.%1$s", s->sum, s->products);
        struct matrix_form *form = matrix_add(list, MATRIX_WMMA, 64, "wmma.mma.sync.aligned.%s.%s.%s.%s",
                                              layouts[i & 1], layouts[i >> 1], s->word, types);
        matrix_operand(form, 0, s->type, a), matrix_operand(form, 1, s->type, b),
            matrix_operand(form, 2, s->sum_type, c);
        for (int r = 0; r < 4; r++)
            form->registers[r] = s->registers[r < 3 ? r : 2] - '0';
    }
    for (int i = 0; i < 6; i++) {
        int operand = i >> 1;
        struct matrix_form *form =
            matrix_add(list, MATRIX_LOAD, 16, "wmma.load.%c.sync.aligned.%s.%s.global.%s", "abc"[operand],
                       layouts[i & 1], s -> word, operand < 2 ? s -> products : s -> sum);
        matrix_operand(form, 0, MATRIX_BITS, operand == 0 ? a : operand == 1 ? b : c);
        form->registers[0] = s->registers[operand] - '0';
    }
    for (int i = 0; i < 2; i++) {
        struct matrix_form *form = matrix_add(
            list, MATRIX_STORE, 16, "wmma.store.d.sync.aligned.%s.%s.global.%s", layouts[i], s->word, s->sum);
        form->registers[0] = s->registers[2] - '0';
        matrix_operand(form, 0, MATRIX_BITS, form->registers[0] * (sum == 8 ? 256 : 128));
    }
}

static const struct matrix_shape matrix_shapes[] = {
    {16, 16, 16, 16, "m16n16k16", "f16", "f32", MATRIX_F16, MATRIX_F32, "888"},
    {16, 16, 16, 16, "m16n16k16", "f16", "f16", MATRIX_F16, MATRIX_F16, "884"},
    {8, 32, 16, 16, "m8n32k16", "f16", "f32", MATRIX_F16, MATRIX_F32, "888"},
    {32, 8, 16, 16, "m32n8k16", "f16", "f32", MATRIX_F16, MATRIX_F32, "888"},
    {8, 32, 16, 16, "m8n32k16", "f16", "f16", MATRIX_F16, MATRIX_F16, "884"},
    {32, 8, 16, 16, "m32n8k16", "f16", "f16", MATRIX_F16, MATRIX_F16, "884"},
    {16, 16, 16, 16, "m16n16k16", "bf16", "f32", MATRIX_BF16, MATRIX_F32, "448"},
    {8, 32, 16, 16, "m8n32k16", "bf16", "f32", MATRIX_BF16, MATRIX_F32, "288"},
    {32, 8, 16, 16, "m32n8k16", "bf16", "f32", MATRIX_BF16, MATRIX_F32, "828"},
    {16, 16, 8, 32, "m16n16k8", "tf32", "f32", MATRIX_TF32, MATRIX_F32, "448"},
    {16, 16, 16, 8, "m16n16k16", "s8", "s32", MATRIX_BITS, MATRIX_SUM, "228"},
    {8, 32, 16, 8, "m8n32k16", "u8", "s32", MATRIX_BITS, MATRIX_SUM, "148"},
    {32, 8, 16, 8, "m32n8k16", "s8", "s32", MATRIX_BITS, MATRIX_SUM, "418"},
    {8, 8, 4, 64, "m8n8k4", "f64", "f64", MATRIX_F64, MATRIX_F64, "112"},
};

static inline void matrix_list_all(struct matrix_list *list) {
    matrix_mma(list, "m16n8k16.row.col.f32.f16.f16.f32", MATRIX_F16, MATRIX_F32, "4244");
    matrix_mma(list, "m16n8k8.row.col.f32.f16.f16.f32", MATRIX_F16, MATRIX_F32, "2144");
    matrix_mma(list, "m16n8k16.row.col.f16.f16.f16.f16", MATRIX_F16, MATRIX_F16, "4222");
    matrix_mma(list, "m16n8k8.row.col.f16.f16.f16.f16", MATRIX_F16, MATRIX_F16, "2122");
    matrix_mma(list, "m16n8k16.row.col.f32.bf16.bf16.f32", MATRIX_BF16, MATRIX_F32, "4244");
    matrix_mma(list, "m16n8k8.row.col.f32.bf16.bf16.f32", MATRIX_BF16, MATRIX_F32, "2144");
    matrix_mma(list, "m16n8k8.row.col.f32.tf32.tf32.f32", MATRIX_TF32, MATRIX_F32, "4244");
    matrix_mma(list, "m16n8k4.row.col.f32.tf32.tf32.f32", MATRIX_TF32, MATRIX_F32, "2144");
    matrix_mma(list, "m8n8k4.row.col.f64.f64.f64.f64", MATRIX_F64, MATRIX_F64, "1122");
    matrix_mma(list, "m16n8k4.row.col.f64.f64.f64.f64", MATRIX_F64, MATRIX_F64, "2144");
    matrix_mma(list, "m16n8k8.row.col.f64.f64.f64.f64", MATRIX_F64, MATRIX_F64, "4244");
    matrix_mma(list, "m16n8k16.row.col.f64.f64.f64.f64", MATRIX_F64, MATRIX_F64, "8444");
    matrix_integers(list, "m8n8k16", "8", "1122");
    matrix_integers(list, "m16n8k16", "8", "2144");
    matrix_integers(list, "m16n8k32", "8", "4244");
    matrix_integers(list, "m8n8k32", "4", "1122");
    matrix_integers(list, "m16n8k32", "4", "2144");
    matrix_integers(list, "m16n8k64", "4", "4244");
    for (int i = 0; i < 2; i++) {
        static const char *const operations[] = {"xor", "and"};
        static const char *const shapes[][2] = {
            {"m8n8k128", "1122"}, {"m16n8k128", "2144"}, {"m16n8k256", "4244"}};
        for (int shape = 0; shape < 3; shape++) {
            char words[64];
            snprintf(words, sizeof words, "%s.row.col.s32.b1.b1.s32.%s.popc", shapes[shape][0],
                     operations[i]);
            matrix_mma(list, words, MATRIX_BITS, MATRIX_SUM, shapes[shape][1]);
        }
    }
    for (size_t i = 0; i < sizeof matrix_shapes / sizeof *matrix_shapes; i++)
        matrix_wmma(list, &matrix_shapes[i]);
    for (int i = 0; i < 12; i++) { /* ldmatrix, stmatrix: one, two or four matrices */
        int count = 1 << i % 3;
        const char *trans = i / 3 & 1 ? ".trans" : "";
        struct matrix_form *form =
            i < 6 ? matrix_add(list, MATRIX_ROWS, 16, "ldmatrix.sync.aligned.m8n8.x%d%s.shared.b16", count,
                               trans)
                  : matrix_add(list, MATRIX_STORE_ROWS, 16, "stmatrix.sync.aligned.m8n8.x%d%s.shared.b16",
                               count, trans);
        form->registers[0] = count;
        matrix_operand(form, 0, MATRIX_ROW, 128);
        matrix_operand(form, 1, MATRIX_BITS, i < 6 ? 512 : count * 128);
    }
    struct matrix_form *move = matrix_add(list, MATRIX_LOAD, 16, "movmatrix.sync.aligned.m8n8.trans.b16");
    move->registers[0] = 1;
    matrix_operand(move, 0, MATRIX_BITS, 128);
}

/* ---- the text */

struct matrix_text {
    char *text;
    int length;
};
__attribute__((format(printf, 2, 3))) static inline void matrix_put(struct matrix_text *out,
                                                                    const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int room = MATRIX_TEXT - out->length,
        more = vsnprintf(out->text + out->length, (size_t)room, format, arguments);
    va_end(arguments);
    if (more < 0 || more >= room)
        abort();
    out->length += more;
}

/* "{%a0, %a1}": an operand's registers. */
static inline void matrix_put_registers(struct matrix_text *out, char name, int count) {
    for (int i = 0; i < count; i++)
        matrix_put(out, "%s%%%c%d", i == 0 ? "{" : ", ", name, i);
    matrix_put(out, "}");
}

/* Loads an operand's registers from `in`, or stores them to `out`. */
static inline void matrix_put_moves(struct matrix_text *out, const char *operation, char name, int count,
                                    int bits, int offset) {
    for (int i = 0; i < count; i++)
        if (operation[0] == 'l')
            matrix_put(out, "ld.global.b%d %%%c%d, [%%in%s+%d];\n", bits, name, i, bits == 64 ? "8" : "4",
                       offset + i * 4 * bits);
        else
            matrix_put(out, "st.global.b%d [%%out%s+%d], %%%c%d;\n", bits, bits == 64 ? "8" : "4",
                       offset + i * 4 * bits, name, i);
}

/* The word behind the n-th dot, and what follows, of a mnemonic. */
static inline const char *matrix_word(const char *text, int n) {
    for (; n > 0; n--)
        text = strchr(text, '.') + 1;
    return text;
}

static inline void matrix_put_wmma(struct matrix_text *out, const struct matrix_form *form) {
    int m = 0, n = 0, k = 0, offset = 0;
    bool rows[2] = {strncmp(matrix_word(form->text, 4), "row", 3) == 0,
                    strncmp(matrix_word(form->text, 5), "row", 3) == 0};
    const char *shape = matrix_word(form->text, 6), *sum = matrix_word(form->text, 7),
               *products = matrix_word(form->text, 8);
    sscanf(shape, "m%dn%dk%d", &m, &n, &k);
    if (strlen(products) < 4) /* only the sums' types are named */
        products = "f16";
    for (int i = 0; i < 3; i++) {
        const char *type = i < 2 ? products : sum;
        matrix_put(out, "wmma.load.%c.sync.aligned.%s.m%dn%dk%d.global.%.*s ", "abc"[i],
                   i == 2 || rows[i] ? "row" : "col", m, n, k, (int)strcspn(type, "."), type);
        matrix_put_registers(out, "abc"[i], form -> registers[i]);
        matrix_put(out, ", [%%in+%d], %d;\n", offset,
                   i == 0   ? (rows[0] ? k : m)
                   : i == 1 ? (rows[1] ? n : k)
                            : n);
        offset += form->operands[i].bytes;
    }
    matrix_put(out, "%s ", form->text);
    for (int i = 0; i < 4; i++) {
        matrix_put_registers(out, "dabc"[i], form -> registers[(i + 3) & 3]);
        matrix_put(out, i < 3 ? ", " : ";\n");
    }
    matrix_put(out, "wmma.store.d.sync.aligned.row.m%dn%dk%d.global.%.*s [%%out], ", m, n, k,
               (int)strcspn(sum, "."), sum);
    matrix_put_registers(out, 'd', form->registers[3]);
    matrix_put(out, ", %d;\n", n);
}

/* A fragment loaded from, or stored to, a packed matrix; or a register transposed. */
static inline void matrix_put_fragment(struct matrix_text *out, const struct matrix_form *form, int bits) {
    int m = 0, n = 0, k = 0;
    if (form->text[0] == 'm') {
        matrix_put_moves(out, "ld", 'b', 1, 32, 0);
        matrix_put(out, "%s %%a0, %%b0;\n", form->text);
        matrix_put_moves(out, "st", 'a', 1, 32, 0);
        return;
    }
    sscanf(matrix_word(form->text, 6), "m%dn%dk%d", &m, &n, &k);
    char operand = *matrix_word(form->text, 2);
    bool row = strncmp(matrix_word(form->text, 5), "row", 3) == 0;
    int stride = operand == 'a' ? (row ? k : m) : operand == 'b' ? (row ? n : k) : row ? n : m;
    if (form->kind == MATRIX_STORE)
        matrix_put_moves(out, "ld", 'a', form->registers[0], bits, 0);
    matrix_put(out, form->kind == MATRIX_STORE ? "%s [%%out], " : "%s ", form->text);
    matrix_put_registers(out, 'a', form->registers[0]);
    matrix_put(out, form->kind == MATRIX_STORE ? ", %d;\n" : ", [%%in], %d;\n", stride);
    if (form->kind == MATRIX_LOAD)
        matrix_put_moves(out, "st", 'a', form->registers[0], bits, 0);
}

/* Rows by ldmatrix, stmatrix: each lane's row, and the shared memory or the registers. */
static inline void matrix_put_rows(struct matrix_text *out, const struct matrix_form *form) {
    matrix_put(out, "shl.b32 %%r2, %%r1, 2;\nmov.u32 %%r3, s;\nadd.u32 %%r2, %%r2, %%r3;\n"
                    "ld.global.u32 %%r4, [%%in4];\nadd.u32 %%r4, %%r4, %%r3;\n");
    for (int i = 0; i < 4; i++) {
        if (form->kind == MATRIX_ROWS)
            matrix_put(out, "ld.global.u32 %%r5, [%%in4+%d];\n", 128 + i * 128);
        else
            matrix_put(out, "mov.u32 %%r5, 0;\n");
        matrix_put(out, "st.shared.u32 [%%r2+%d], %%r5;\n", i * 128);
    }
    matrix_put(out, "bar.sync 0;\n");
    if (form->kind == MATRIX_ROWS) {
        matrix_put(out, "%s ", form->text);
        matrix_put_registers(out, 'a', form->registers[0]);
        matrix_put(out, ", [%%r4];\n");
        matrix_put_moves(out, "st", 'a', form->registers[0], 32, 0);
        return;
    }
    matrix_put_moves(out, "ld", 'a', form->registers[0], 32, 128);
    matrix_put(out, "%s [%%r4], ", form->text);
    matrix_put_registers(out, 'a', form->registers[0]);
    matrix_put(out, ";\nbar.sync 0;\n");
    for (int i = 0; i < 4; i++)
        matrix_put(out, "ld.shared.u32 %%r5, [%%r2+%d];\nst.global.u32 [%%out4+%d], %%r5;\n", i * 128,
                   i * 128);
}

static inline int matrix_print(const struct matrix_form *form, char *text) {
    struct matrix_text out = {text, 0};
    bool f64 = strstr(form->text, ".f64") != NULL;
    int bits = f64 ? 64 : 32;
    matrix_put(
        &out,
        ".version 8.1\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 operands, .param .u64 results) {\n"
        ".reg .b32 %%r<8>;\n.reg .b64 %%in, %%out, %%in4, %%in8, %%out4, %%out8;\n"
        ".reg .b%1$d %%a<8>, %%b<8>, %%c<8>, %%d<8>;\n%3$s"
        "ld.param.u64 %%in, [operands];\nld.param.u64 %%out, [results];\n"
        "mov.u32 %%r0, %%ctaid.x;\nmad.wide.u32 %%in, %%r0, %2$d, %%in;\nmad.wide.u32 %%out, %%r0, %2$d, %%out;\n"
        "mov.u32 %%r1, %%laneid;\nmad.wide.u32 %%in4, %%r1, 4, %%in;\nmad.wide.u32 %%in8, %%r1, 8, %%in;\n"
        "mad.wide.u32 %%out4, %%r1, 4, %%out;\nmad.wide.u32 %%out8, %%r1, 8, %%out;\n",
        bits, MATRIX_BYTES, form->kind >= MATRIX_ROWS ? ".shared .align 16 .b8 s[512];\n" : "");
    if (form->kind == MATRIX_MMA) {
        for (int i = 0, offset = 0; i < 3; offset += form->operands[i++].bytes)
            matrix_put_moves(&out, "ld", "abc"[i], form -> registers[i], bits, offset);
        matrix_put(&out, "%s ", form->text);
        for (int i = 0; i < 4; i++) {
            matrix_put_registers(&out, "dabc"[i], form -> registers[(i + 3) & 3]);
            matrix_put(&out, i < 3 ? ", " : ";\n");
        }
        matrix_put_moves(&out, "st", 'd', form->registers[3], bits, 0);
    } else if (form->kind == MATRIX_WMMA)
        matrix_put_wmma(&out, form);
    else if (form->kind < MATRIX_ROWS)
        matrix_put_fragment(&out, form, bits);
    else
        matrix_put_rows(&out, form);
    matrix_put(&out, "ret;\n}\n");
    return out.length;
}
