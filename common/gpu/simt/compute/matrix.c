/* matrix.c: products of small matrices by a warp (mma), and moves between its lanes and the
 * registers of such a matrix (matrix.h). */
#define COMPUTE_WITHOUT_MASKED
#include "gpu/simt/matrix.h"
#include "gpu/simt/compute/compute.h"
#include "gpu/simt/compute/half.h"

#include <math.h>

enum { MOST_ROWS = 16, COLUMNS = 8, MOST_DEPTH = 64 };

/* A warp's product: its sizes, and its registers, each of 32 lanes. */
struct product {
    const struct simt_operation *operation;
    const struct ptx_operand *d, *a, *b, *c;
    uint8_t *registers;
    int rows, depth, a_count, b_count, c_count;
};

static struct product product_of(const struct simt_operation *operation, uint8_t *registers) {
    const struct ptx_instruction *in = operation->instruction;
    const struct ptx_shape_nature *shape = &ptx_shapes[in->shape];
    struct product product = {operation, .registers = registers, .rows = shape->m, .depth = shape->k};
    product.c_count = in->destinations;
    int inputs = in->sources - in->destinations;
    product.b_count = matrix_b_registers(inputs, shape->m);
    product.a_count = inputs - product.b_count;
    product.d = operation->operands;
    product.a = product.d + in->destinations;
    product.b = product.a + product.a_count;
    product.c = product.b + product.b_count;
    return product;
}

static uint32_t *words_of(const struct product *product, const struct ptx_operand *operand) {
    return (uint32_t *)__builtin_assume_aligned(product->registers + (size_t)operand->slot * SIMT_SLOT_BYTES,
                                                64);
}
static double *doubles_of(const struct product *product, const struct ptx_operand *operand) {
    return (double *)(void *)words_of(product, operand);
}
static int row_of(const struct product *product, int lane, int tile) {
    return matrix_row(product->rows, lane, tile);
}
/* The first element along k of a lane's register of a or b. */
static int depth_of(const struct product *product, int lane, int r, int wide, bool is_a) {
    return wide * (4 * (is_a && product->rows > 8 ? r / 2 : r) + lane % 4);
}

/* ---- floats of up to 11 bits, with sums of 32 or 16 bits */

/* A float is significand * 2^(exponent - place of its leading bit). A denormal has the exponent of
 * the smallest normal number. A zero has the least exponent. */
enum { SPECIAL_PLUS = 1, SPECIAL_MINUS = 2, SPECIAL_NAN = 4, NO_EXPONENT = -4096 };

struct format {
    int bits, fraction, bias, kept; /* kept: of the fraction */
};
static const struct format formats[] = {
    {16, 10, 15, 10}, {16, 7, 127, 7}, {32, 23, 127, 10}, {32, 23, 127, 23}};
enum { FORMAT_F16, FORMAT_BF16, FORMAT_TF32, FORMAT_F32 };

struct floats {
    int32_t significand[MOST_ROWS * 16], exponent[MOST_ROWS * 16];
    uint8_t special[MOST_ROWS * 16];
    bool any_special;
};

static void take_float(struct floats *floats, int at, uint32_t bits, const struct format *format) {
    int most = 2 * format->bias + 1, exponent = (int)(bits >> format->fraction) & most;
    uint32_t fraction = (bits & ((1u << format->fraction) - 1)) >> (format->fraction - format->kept);
    bool negative = bits >> (format->bits - 1) & 1;
    int32_t significand = (int32_t)(fraction | (uint32_t)(exponent > 0) << format->kept);
    floats->special[at] = 0;
    if (exponent == most) {
        floats->special[at] = fraction != 0 ? SPECIAL_NAN : negative ? SPECIAL_MINUS : SPECIAL_PLUS;
        floats->any_special = true;
    }
    floats->significand[at] = negative ? -significand : significand;
    floats->exponent[at] = significand == 0 ? NO_EXPONENT : (exponent > 0 ? exponent : 1) - format->bias;
}

/* Takes a (rows of `depth`) or b (rows of 8 columns) apart. */
static void take_operand(const struct product *product, const struct format *format, bool is_a,
                         struct floats *floats) {
    const struct ptx_operand *operands = is_a ? product->a : product->b;
    int wide = 32 / format->bits;
    for (int r = 0; r < (is_a ? product->a_count : product->b_count); r++) {
        const uint32_t *words = words_of(product, &operands[r]);
        for (int lane = 0; lane < SIMT_LANES; lane++)
            for (int i = 0; i < wide; i++) {
                int k = depth_of(product, lane, r, wide, is_a) + i;
                int at = is_a ? row_of(product, lane, r) * product->depth + k : k * COLUMNS + lane / 4;
                take_float(floats, at, words[lane] >> (16 * i), format);
            }
    }
}

/* Sums in a register: one or, of halves, two. */
static void take_sums(const struct product *product, bool halves, struct floats *floats) {
    for (int r = 0; r < product->c_count; r++) {
        const uint32_t *words = words_of(product, &product->c[r]);
        for (int lane = 0; lane < SIMT_LANES; lane++)
            for (int i = 0; i < (halves ? 2 : 1); i++) {
                int row = row_of(product, lane, halves ? r : r / 2);
                int column = 2 * (lane % 4) + (halves ? i : r % 2);
                take_float(floats, row * COLUMNS + column, words[lane] >> (16 * i),
                           &formats[halves ? FORMAT_F16 : FORMAT_F32]);
            }
    }
}

/* The sum of products with infinities and NaNs; 0: there are none. */
static uint32_t special_sum(const struct product *product, const struct floats *a, const struct floats *b,
                            const struct floats *c, int row, int column) {
    uint32_t all = c->special[row * COLUMNS + column];
    for (int k = 0; k < product->depth; k++) {
        int i = row * product->depth + k, j = k * COLUMNS + column;
        uint32_t left = a->special[i], right = b->special[j];
        if (!(left | right))
            continue;
        bool negative = (a->significand[i] < 0) != (b->significand[j] < 0);
        bool nan = (left | right) & SPECIAL_NAN || a->significand[i] == 0 || b->significand[j] == 0;
        all |= nan ? SPECIAL_NAN : negative ? SPECIAL_MINUS : SPECIAL_PLUS;
    }
    return all;
}

/* Bits of a term kept below the largest exponent of a block; the sum so far is a term, too. */
enum { SUM_FRACTION = 25, LEAST_EXPONENT = -133 };

/* significand * 2^exponent in units of 2^scale, cut towards zero. */
static inline int64_t term(int64_t significand, int exponent, int scale) {
    int shift = exponent - scale;
    int64_t up = shift < 0 ? 0 : shift > 38 ? 38 : shift, down = shift > 0 ? 0 : shift < -63 ? 63 : -shift;
    int64_t sign = significand >> 63, magnitude = ((significand ^ sign) - sign) << up >> down;
    return (magnitude ^ sign) - sign;
}

/* Adds the products of a row of a, which starts at `at`, to its sums. A sum is significand *
 * 2^(exponent - 23), and then significand * 2^exponent. */
static void add_block(const struct floats *a, const struct floats *b, int kept, int at, int depth,
                      int64_t significand[COLUMNS], int32_t exponent[COLUMNS]) {
    int32_t largest[COLUMNS];
    int64_t sum[COLUMNS];
    for (int n = 0; n < COLUMNS; n++)
        largest[n] = exponent[n] > LEAST_EXPONENT ? exponent[n] : LEAST_EXPONENT;
    for (int k = 0; k < depth; k++)
        for (int n = 0; n < COLUMNS; n++) {
            int32_t own = a->exponent[at + k] + b->exponent[k * COLUMNS + n];
            largest[n] = own > largest[n] ? own : largest[n];
        }
    for (int n = 0; n < COLUMNS; n++)
        sum[n] = term(significand[n], exponent[n] - 23, largest[n] - SUM_FRACTION);
    for (int k = 0; k < depth; k++)
        for (int n = 0; n < COLUMNS; n++) {
            int32_t product = a->significand[at + k] * b->significand[k * COLUMNS + n];
            int own = a->exponent[at + k] + b->exponent[k * COLUMNS + n] - 2 * kept;
            sum[n] += term(product, own, largest[n] - SUM_FRACTION);
        }
    for (int n = 0; n < COLUMNS; n++) {
        significand[n] = sum[n];
        exponent[n] = largest[n] - SUM_FRACTION;
    }
}

/* significand * 2^scale, cut to single precision, as its bits. */
static uint32_t cut_sum(int64_t significand, int scale) {
    uint64_t magnitude = significand < 0 ? -(uint64_t)significand : (uint64_t)significand;
    uint32_t sign = significand < 0 ? 0x80000000 : 0;
    if (magnitude == 0)
        return 0;
    int exponent = 63 - __builtin_clzll(magnitude) + scale, least = exponent < -126 ? -126 : exponent;
    int drop = least - 23 - scale; /* bits below the last one */
    magnitude = drop > 63 ? 0 : drop >= 0 ? magnitude >> drop : magnitude << -drop;
    if (exponent > 127)
        return sign | 0x7f800000;
    return sign | (((uint32_t)(least + 126) << 23) + (uint32_t)magnitude);
}

/* A sum as the destination's bits: cut to single precision, rounded to halves. */
static uint32_t result_bits(int64_t significand, int exponent, uint32_t special, bool halves) {
    uint32_t nan = halves ? HALF_NAN : 0x7fffffff, infinity = halves ? 0x7c00 : 0x7f800000;
    uint32_t minus = halves ? 0x8000 : 0x80000000;
    if (special & SPECIAL_NAN || special == (SPECIAL_PLUS | SPECIAL_MINUS))
        return nan;
    if (special)
        return special == SPECIAL_MINUS ? minus | infinity : infinity;
    uint32_t bits = halves ? f16_bits(ldexp((double)significand, exponent)) : cut_sum(significand, exponent);
    return bits == minus ? 0 : bits;
}

/* d's bits of an element: its own register's, or the half of one. */
static void put_result(const struct product *product, int row, int column, bool halves, uint32_t bits) {
    int lane = 4 * (row % 8) + column / 2;
    if (halves)
        memcpy((uint8_t *)&words_of(product, &product->d[row / 8])[lane] + 2 * (size_t)(column & 1), &bits,
               2);
    else
        words_of(product, &product->d[2 * (row / 8) + (column & 1)])[lane] = bits;
}

static inline void multiply_floats(const struct product *product, const struct format *format, bool halves) {
    struct floats a = {.any_special = false}, b = a, c = a;
    uint32_t results[MOST_ROWS][COLUMNS];
    take_operand(product, format, true, &a);
    take_operand(product, format, false, &b);
    take_sums(product, halves, &c);
    bool special = a.any_special || b.any_special || c.any_special;
    for (int row = 0; row < product->rows; row++) {
        int64_t significand[COLUMNS];
        int32_t exponent[COLUMNS];
        for (int n = 0; n < COLUMNS; n++) { /* halves in the places of single precision */
            significand[n] = c.significand[row * COLUMNS + n] * (INT64_C(1) << (halves ? 13 : 0));
            exponent[n] = c.exponent[row * COLUMNS + n];
        }
        add_block(&a, &b, format->kept, row * product->depth, product->depth, significand, exponent);
        for (int n = 0; n < COLUMNS; n++)
            results[row][n] = result_bits(significand[n], exponent[n],
                                          special ? special_sum(product, &a, &b, &c, row, n) : 0, halves);
    }
    for (int row = 0; row < product->rows; row++)
        for (int n = 0; n < COLUMNS; n++)
            put_result(product, row, n, halves, results[row][n]);
}

/* All threads of the warp take part; otherwise a fault does not return. */
#define PRODUCT(name, statement)                                                                             \
    HANDLER(name) {                                                                                          \
        (void)predicates;                                                                                    \
        if (mask != UINT32_MAX)                                                                              \
            simt_part_of_product(operation, registers, mask);                                                \
        struct product product = product_of(operation, registers);                                           \
        statement;                                                                                           \
    }
PRODUCT(multiply_f16, multiply_floats(&product, &formats[FORMAT_F16], false))
PRODUCT(multiply_f16_f16, multiply_floats(&product, &formats[FORMAT_F16], true))
PRODUCT(multiply_bf16, multiply_floats(&product, &formats[FORMAT_BF16], false))
PRODUCT(multiply_tf32, multiply_floats(&product, &formats[FORMAT_TF32], false))

/* ---- doubles: a chain of fused multiply-adds, k by k */

static void multiply_doubles(const struct product *product) {
    double a[MOST_ROWS][16] = {{0}}, b[16][COLUMNS] = {{0}}, sums[MOST_ROWS][COLUMNS] = {{0}};
    for (int lane = 0; lane < SIMT_LANES; lane++) {
        for (int r = 0; r < product->a_count; r++)
            a[row_of(product, lane, r)][depth_of(product, lane, r, 1, true)] =
                doubles_of(product, &product->a[r])[lane];
        for (int r = 0; r < product->b_count; r++)
            b[depth_of(product, lane, r, 1, false)][lane / 4] = doubles_of(product, &product->b[r])[lane];
        for (int r = 0; r < product->c_count; r++)
            sums[row_of(product, lane, r / 2)][2 * (lane % 4) + r % 2] =
                doubles_of(product, &product->c[r])[lane];
    }
    for (int row = 0; row < product->rows; row++)
        for (int k = 0; k < product->depth; k++)
            for (int n = 0; n < COLUMNS; n++) {
                double x = a[row][k], y = b[k][n], z = sums[row][n], sum = f64_canonical(fma(x, y, z));
                sums[row][n] = f64_keep_nan(y, f64_keep_nan(z, f64_keep_nan(x, sum)));
            }
    for (int lane = 0; lane < SIMT_LANES; lane++)
        for (int r = 0; r < product->c_count; r++)
            doubles_of(product, &product->d[r])[lane] =
                sums[row_of(product, lane, r / 2)][2 * (lane % 4) + r % 2];
}
PRODUCT(multiply_f64, multiply_doubles(&product))

/* ---- integers of 8 and 4 bits */

static inline int32_t element(uint32_t word, int i, int bits, bool is_signed) {
    uint32_t moved = word << (32 - bits - bits * i);
    return is_signed ? (int32_t)moved >> (32 - bits) : (int32_t)(moved >> (32 - bits));
}

static void take_integers(const struct product *product, bool is_a, int bits, int32_t *elements) {
    const struct ptx_instruction *in = product->operation->instruction;
    const struct ptx_operand *operands = is_a ? product->a : product->b;
    bool is_signed = ptx_type_is_signed((enum ptx_type)(is_a ? in->source_type : in->second_type));
    for (int r = 0; r < (is_a ? product->a_count : product->b_count); r++)
        for (int lane = 0; lane < SIMT_LANES; lane++)
            for (int i = 0; i < 32 / bits; i++) {
                int k = depth_of(product, lane, r, 32 / bits, is_a) + i;
                int at = is_a ? row_of(product, lane, r) * MOST_DEPTH + k : k * COLUMNS + lane / 4;
                elements[at] = element(words_of(product, &operands[r])[lane], i, bits, is_signed);
            }
}

/* d from c and the sums of products, which wrap around or stay within 32 bits. */
static void add_integers(const struct product *product, int32_t sums[MOST_ROWS][COLUMNS]) {
    bool saturates = product->operation->instruction->flags & PTX_SATFINITE;
    int64_t exact[4][SIMT_LANES];
    for (int r = 0; r < product->c_count; r++)
        for (int lane = 0; lane < SIMT_LANES; lane++)
            exact[r][lane] = (int64_t)(int32_t)words_of(product, &product->c[r])[lane] +
                             sums[row_of(product, lane, r / 2)][2 * (lane % 4) + r % 2];
    for (int r = 0; r < product->c_count; r++)
        for (int lane = 0; lane < SIMT_LANES; lane++) {
            int64_t sum = exact[r][lane];
            int64_t bounded = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
            words_of(product, &product->d[r])[lane] = (uint32_t)(saturates ? bounded : sum);
        }
}

static void multiply_integers(const struct product *product, int bits) {
    int32_t a[MOST_ROWS * MOST_DEPTH] = {0}, b[MOST_DEPTH * COLUMNS] = {0}, sums[MOST_ROWS][COLUMNS] = {{0}};
    take_integers(product, true, bits, a);
    take_integers(product, false, bits, b);
    for (int row = 0; row < product->rows; row++)
        for (int k = 0; k < product->depth; k++)
            for (int n = 0; n < COLUMNS; n++)
                sums[row][n] += a[row * MOST_DEPTH + k] * b[k * COLUMNS + n];
    add_integers(product, sums);
}
PRODUCT(multiply_8, multiply_integers(&product, 8))
PRODUCT(multiply_4, multiply_integers(&product, 4))

/* ---- bits: how many of a AND b, or a XOR b, are set; 32 along k in a register */

static void multiply_bits(const struct product *product) {
    bool differ = product->operation->instruction->form == PTX_ATOM_XOR;
    uint32_t a[MOST_ROWS][8] = {{0}}, b[8][COLUMNS] = {{0}};
    int32_t sums[MOST_ROWS][COLUMNS] = {{0}};
    for (int lane = 0; lane < SIMT_LANES; lane++) {
        for (int r = 0; r < product->a_count; r++)
            a[row_of(product, lane, r)][depth_of(product, lane, r, 1, true)] =
                words_of(product, &product->a[r])[lane];
        for (int r = 0; r < product->b_count; r++)
            b[depth_of(product, lane, r, 1, false)][lane / 4] = words_of(product, &product->b[r])[lane];
    }
    for (int row = 0; row < product->rows; row++)
        for (int k = 0; k < product->depth / 32; k++)
            for (int n = 0; n < COLUMNS; n++)
                sums[row][n] += __builtin_popcount(differ ? a[row][k] ^ b[k][n] : a[row][k] & b[k][n]);
    add_integers(product, sums);
}
PRODUCT(multiply_1, multiply_bits(&product))

/* ---- moves: ldmatrix, stmatrix, movmatrix */

HANDLER(move_matrix) {
    const struct ptx_instruction *in = operation->instruction;
    uint32_t results[4][SIMT_LANES];
    (void)predicates;
    if (mask != UINT32_MAX)
        simt_part_of_product(operation, registers, mask);
    for (uint32_t d = 0; d < in->destinations; d++)
        for (uint32_t lane = 0; lane < SIMT_LANES; lane++) {
            results[d][lane] = 0;
            for (uint32_t half = 0; half < 2; half++) {
                struct matrix_place from = matrix_place((enum ptx_form)in->form, d, lane, half);
                if (from.source >= in->sources)
                    continue;
                uint32_t word = SOURCE(u32, from.source)[from.lane];
                results[d][lane] |= (word >> (16 * from.half) & 0xffff) << (16 * half);
            }
        }
    for (uint32_t d = 0; d < in->destinations; d++)
        if (operation->destination[d] != SIMT_NO_OPERAND)
            memcpy(SLOT(u32, operation->destination[d]), results[d], sizeof results[d]);
}

#define ROW(opcode, T, S, form, flags, handler)                                                              \
    { opcode, T, S, form, 0, 0, 0, flags, handler, handler }
static const struct compute_row rows[] = {
    ROW(PTX_MMA, PTX_F32, PTX_F16, PTX_FORM_NONE, 0, multiply_f16),
    ROW(PTX_MMA, PTX_F16, PTX_NOTYPE, PTX_FORM_NONE, 0, multiply_f16_f16),
    ROW(PTX_MMA, PTX_F32, PTX_BF16, PTX_FORM_NONE, 0, multiply_bf16),
    ROW(PTX_MMA, PTX_F32, PTX_TF32, PTX_FORM_NONE, 0, multiply_tf32),
    ROW(PTX_MMA, PTX_F64, PTX_NOTYPE, PTX_FORM_NONE, 0, multiply_f64),
    ROW(PTX_MMA, PTX_S32, PTX_S8, PTX_FORM_NONE, 0, multiply_8),
    ROW(PTX_MMA, PTX_S32, PTX_U8, PTX_FORM_NONE, 0, multiply_8),
    ROW(PTX_MMA, PTX_S32, PTX_S4, PTX_FORM_NONE, 0, multiply_4),
    ROW(PTX_MMA, PTX_S32, PTX_U4, PTX_FORM_NONE, 0, multiply_4),
    ROW(PTX_MMA, PTX_S32, PTX_S8, PTX_FORM_NONE, PTX_SATFINITE, multiply_8),
    ROW(PTX_MMA, PTX_S32, PTX_U8, PTX_FORM_NONE, PTX_SATFINITE, multiply_8),
    ROW(PTX_MMA, PTX_S32, PTX_S4, PTX_FORM_NONE, PTX_SATFINITE, multiply_4),
    ROW(PTX_MMA, PTX_S32, PTX_U4, PTX_FORM_NONE, PTX_SATFINITE, multiply_4),
    ROW(PTX_MMA, PTX_S32, PTX_B1, COMPUTE_ANY, 0, multiply_1),
    ROW(PTX_MOVMATRIX, PTX_B16, PTX_NOTYPE, COMPUTE_ANY, 0, move_matrix),
};
COMPUTE_TABLE(matrix, rows);
