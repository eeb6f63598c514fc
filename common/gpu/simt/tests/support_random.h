/* support_random.h: random kernels, as an abstract program that is printed as PTX for the
 * simulator, and evaluated thread by thread without it.
 *
 * A program is a tree of statements over variables of five kinds. All running threads of a group
 * reach a block statement (barrier, vote, shuffle, and statements around these) together; any other
 * statement is one thread's own. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RANDOM_VARIABLES = 220, /* of one kind in one function */
    RANDOM_STATEMENTS = 1200,
    RANDOM_FUNCTIONS = 3, /* the last is the kernel */
    RANDOM_SLOTS = 16,    /* units of a thread in the output */
    RANDOM_INPUTS = 64,   /* 8-byte elements that all threads read */
    RANDOM_COMMON = 8,    /* bytes at the output's end that all threads add to */
    RANDOM_CELL = 16,     /* bytes of shared memory that one thread writes and, behind a barrier, all read */
    RANDOM_LOCAL = 64,    /* bytes of a call's local memory */
    RANDOM_THREADS = 96
};

/* Kinds of variables: w 32 bits, x 64 bits, f float, h 16 bits, p predicate. */
enum random_class { CLASS_W, CLASS_X, CLASS_F, CLASS_H, CLASS_P, RANDOM_CLASSES };
enum random_class random_class_of(char kind);

/* ---- operations on values */
enum random_type { U16, S16, U32, S32, U64, S64, F32 };
enum random_code {
    ADD,
    SUB,
    MUL,
    MUL_HI,
    WIDE,
    MAD,
    MAD_WIDE,
    MIN,
    MAX,
    AND,
    OR,
    XOR,
    NOT,
    NEG,
    ABS,
    SHL,
    SHR,
    POPC,
    CLZ,
    BREV,
    BFE,
    BFI,
    SAD,
    DIV,
    REM,
    SELP,
    EQ,
    NE,
    LT,
    LE,
    GT,
    GE,
    LT_AND,
    GT_OR,
    SET,
    EXTEND,
    TO_FLOAT,
    FROM_FLOAT,
    MOVE,
    PACK,
    UNPACK,
    LOP3,
    PRMT,
    SHF_LEFT,
    SHF_RIGHT,
    FMA,
    SQRT,
    CARRY
};
struct random_operation {
    const char *text;  /* mnemonic */
    const char *shape; /* kinds of destinations, a colon, kinds of sources; a capital: may be an immediate; i:
                          must be, 0 to 255 */
    enum random_code code;
    enum random_type type;
};
extern const struct random_operation random_operations[];
extern const int random_operation_count;
/* Results of one operation, for one thread. */
void random_operate(const struct random_operation *operation, const uint64_t *source, uint64_t *result);

/* ---- memory: the mnemonic of an access, and its effect on a variable */
struct random_access {
    const char *type;
    char kind;
    int bytes;
    bool is_signed, store; /* store: the same type serves stores */
};
extern const struct random_access random_accesses[];
extern const int random_access_count;

/* ---- programs */
enum random_kind {
    OPERATE,
    CHOOSE, /* CHOOSE: @p d = a; @!p d = b */
    LOAD_INPUT,
    LOAD_OWN,
    STORE_OWN,
    LOAD_LOCAL,
    STORE_LOCAL,
    LOAD_SHARED,
    STORE_SHARED,
    ADD_COMMON,
    IF,
    LOOP,
    BREAK,
    CONTINUE,
    EXIT,
    RETURN,
    CALL,
    /* block statements */
    BARRIER,
    BARRIER_COUNT,
    VOTE,
    SHUFFLE,
    GROUP_IF,
    GROUP_LOOP
};

struct random_operand {
    char kind;
    int index; /* variable; -1: immediate */
    uint64_t value;
};

struct random_statement {
    enum random_kind kind;
    const struct random_operation *operation;
    const struct random_access *access;
    struct random_operand destination[4], source[4];
    int guard; /* a predicate; -1: none; the condition of IF, BREAK, ... */
    bool guard_negated;
    int choice;                /* form of LOOP, SHUFFLE, VOTE; function of CALL; lanes of a vector access */
    int slot, offset;          /* place of an access; slot -1: in source[0] */
    int body, otherwise, next; /* statements, -1 none */
};

struct random_function {
    int first;
    int variables[RANDOM_CLASSES]; /* w0 and x0 are its arguments; of the kernel: thread in block, thread in
                                      grid */
    char result;
};

struct random_program {
    uint64_t seed;
    uint32_t block[3], blocks;
    uint32_t threads;            /* of a block */
    uint32_t unit, stride, span; /* slot s of thread t: t * stride + s * span, unit bytes */
    int statement_count, function_count;
    struct random_statement statements[RANDOM_STATEMENTS];
    struct random_function functions[RANDOM_FUNCTIONS];
};

void random_generate(struct random_program *program, uint64_t seed);
/* Leaves out one statement, or makes its result 0, so that a failing program becomes short enough
 * to read. False: it cannot be done. */
enum { RANDOM_WAYS_TO_SIMPLIFY = 2 };
bool random_simplify(struct random_program *program, int statement, int way);
/* The program as PTX, to be freed. Parameters of kernel k: output, inputs. */
char *random_print(const struct random_program *program);
uint32_t random_output_bytes(const struct random_program *program);
/* Runs the program on `output`. False: it read an unassigned variable. */
bool random_evaluate(const struct random_program *program, uint8_t *output, const uint64_t *inputs);
