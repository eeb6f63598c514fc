/*
 * contrast_recipe.h: a contrast stretch with mistakes in it, as choices: which bytes are looked at, the arithmetic, the
 * addresses. wrong_contrast.c has the kinds of mistake.
 */
#ifndef PROBLEMS_CONTRAST_RECIPE_H
#define PROBLEMS_CONTRAST_RECIPE_H

#include "lab/problems/contrast.h"
#include "lab/problems/diagnosis/wrong_oracle.h"

/* Of which pixels the least and the greatest are taken. */
enum part {
    ALL,
    FIRST,       /* number < a */
    LAST_BLOCK,  /* number from the last multiple of a on */
    NO_TAIL,     /* number below the last multiple of a */
    NO_ROW_TAIL, /* x below the last multiple of a */
    NO_LOW_TAIL, /* y below the last multiple of a */
    ROWS_BELOW,
    COLUMNS_BELOW,
    ROW_PART, /* x % a < b */
    LOW_PART, /* y % a < b */
    NONE,
    BLOCK_PART, /* number % a < b */
    SKIP,       /* number % a != b */
    CORNER,     /* x < a and y < b */
    NOT_LAST_ROW,
    NOT_LAST_COLUMN,
    NOT_LAST,
    NOT_FIRST,
    NOT_FIRST_ROW,
    NOT_FIRST_COLUMN,
    FIRST_ROW,
    FIRST_COLUMN,
    THREADS,    /* of blocks of block[0] x block[1] threads those with number % a < b */
    TREE,       /* ... those that a tree reaches that halves their number, rounded down */
    WHOLE_WORDS /* of words of a pixels those that are whole */
};

/* What words of pixels count that they lack, at the end of a row. */
enum lacking { NOTHING_LACKS, LACKING_0, LACKING_255 };

/* The order of the two comparisons, where one is made only if the other is not met. */
enum chain { BOTH_COMPARED, MAXIMUM_ELSE, MINIMUM_ELSE };

enum which { BOTH, LEAST, GREATEST };

/* What becomes of a pixel that lies outside the range. */
enum outside { AS_INT, AS_UNSIGNED, CLAMPED, AS_BYTE };

enum formula {
    RIGHT,
    DOWN,
    UP,
    FLOAT_QUOTIENT_FIRST, /* (v - low) / range * 255 in float */
    FLOAT_FACTOR,         /* (v - low) * (255 / range) in float */
    FLOAT_PRODUCT,        /* (v - low) * 255 / range in float */
    INT_QUOTIENT_FIRST,   /* (v - low) / range * 255 in whole numbers */
    INT_FACTOR,           /* (v - low) * (255 / range) in whole numbers */
    NO_LOW,               /* v * 255 / range */
    BY_HIGH,              /* (v - low) * 255 / high */
    VALUE_BY_HIGH,        /* v * 255 / high */
    INVERTED,
    /* (high - v) * 255 / range */ TIMES_256,
    TIMES_256_DOWN,
    TIMES_254,
    RANGE_PLUS_1,
    TIMES_256_RANGE_PLUS_1,
    NOT_SCALED, /* v - low */
    COPY,
    SIXTEEN_BITS, /* the definition's product in 16 bits */
    HALF_RANGE,   /* (255 * (v - low) + range) / range: the half is a whole */
    NO_DOUBLE,    /* (255 * (v - low) + range / 2) / range */
    NO_PARENTHESES
};

enum rounding { TRUNCATED, PLUS_HALF, TO_EVEN };

struct contrast {
    const struct wrong_tried *tried;
    const uint8_t *image, *got;
    int64_t width, height, src_pitch, dst_pitch, dst_start, readable;
    enum part part;
    enum which which;
    int a, b;
    enum outside outside;
    bool signed_range, signed_scale;
    int64_t start_low, start_high; /* what min and max start with */
    int64_t range_pitch, range_width, scale_pitch, store_pitch, store_width;
    enum formula formula;
    enum rounding rounding;
    int fixed_bits, fixed_rounding, fixed_half;
    int range_zero; /* what becomes of a single level; -1: itself */
    int64_t shift_x, shift_y, flat;
    bool unwritten, unwritten_one_level;
    int constant, hold, held;
    int as_stored;             /* min and max in the end: 0 as they are, 1 of unsigned words, 2 in bytes */
    int block[2], counted_too; /* a level that counts where blocks of this size hang over the image */
    int idle;                  /* ... where so many pixels a block leave threads without one */
    enum lacking lacking;
    enum chain chain;
    int words;            /* when rows without gaps are one long row: 0 never, 1 in src and dst, 2 in src */
    bool flat_block;      /* blocks take pixels by number, not by row and column */
    bool limits_swapped;  /* min is taken for max */
    uint64_t reached[16]; /* of the threads of a block, a bit each */
    bool impossible;      /* no mistake of its own */
    int64_t low, high;    /* found */
};

/* What wrong_contrast needs of it. */
void contrast_recipe_begin(const struct wrong_tried *tried, void *recipe);
bool contrast_recipe_finish(void *recipe);
struct wrong_element contrast_recipe_expected(const void *recipe, uint64_t index);

#endif
