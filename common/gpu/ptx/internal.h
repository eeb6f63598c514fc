/* internal.h: what the files of ptx/ share while a text is parsed. Private to this room.
 *
 * A parse allocates from two arenas: `kept` becomes the module, `scratch` is dropped at the end. An
 * error leaves by ptx_fail, which jumps back to ptx_parse; nothing needs to be unwound by hand. */
#pragma once

#include "gpu/ptx/ptx.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

/* Limits that bound memory and time for any text, far beyond what compilers emit for a file. */
enum {
    PTX_MAX_TEXT = 256 << 20,
    PTX_MAX_REGISTERS = 1 << 18, /* virtual registers of a function */
    PTX_MAX_NESTING = 64,        /* { } inside a function, ( ) in an expression */
    PTX_MAX_PARAMETER_BYTES = 1 << 16,
    PTX_MAX_ENTRY_PARAMETER_BYTES = 32764, /* of a launch: PTX ISA 9.0, section 5.1.6.1 */
    PTX_MAX_CONSTANT_BYTES = 64 << 10,     /* .const variables of a module: PTX ISA 9.0, section 5.1.3 */
    PTX_MAX_SHARED_BYTES = 1 << 24,
    PTX_MAX_LOCAL_BYTES = 1 << 24,
    PTX_MAX_FUNCTIONS = 1 << 16,
    PTX_MAX_FILES = 1 << 12,
    PTX_MAX_INITIAL_BYTES = 64 << 20, /* initialised data of a module */
    PTX_MAX_FLOW_BYTES = 128 << 20,   /* bit sets of the liveness analysis */
    PTX_MAX_ALIGNMENT = 1 << 12
};
#define PTX_MAX_VARIABLE_BYTES ((uint64_t)1 << 40)

/* ---- features.c: GPU features that are not simulated, in a CUDA programmer's words */
struct ptx_feature {
    const char *name;   /* fits "uses NAME, which is not simulated" */
    bool several;       /* then "which are not simulated" */
    const char *advice; /* what to do instead, or NULL */
};

/* Finds the feature of a mnemonic ("cp.async.bulk.tensor"), `head` bytes of which are the first
 * word. NULL: no known feature. */
const struct ptx_feature *ptx_feature_of_mnemonic(const char *text, size_t head, size_t length);
/* Finds the feature of a word of a mnemonic or declaration, without its dot: "b128". */
const struct ptx_feature *ptx_feature_of_word(const char *text, size_t length);
/* Finds the feature of a special register, with its percent sign. */
const struct ptx_feature *ptx_feature_of_register(const char *text, size_t length);
/* Finds the feature of an undefined function that kernels call. Never NULL. */
const struct ptx_feature *ptx_feature_of_function(const char *name);

extern const struct ptx_feature ptx_feature_clusters, ptx_feature_textures, ptx_feature_wide;

/* ---- arena.c */
struct ptx_arena_block;
struct ptx_arena {
    struct ptx_arena_block *blocks;
    size_t used, size; /* of the newest block */
};
void *ptx_arena_take(struct ptx_arena *arena, size_t bytes); /* zeroed; NULL when out of memory */
void ptx_arena_free(struct ptx_arena *arena);

/* ---- lexer.c */
enum ptx_token_kind {
    PTX_TOKEN_END,
    PTX_TOKEN_NAME,
    PTX_TOKEN_DOTTED,
    PTX_TOKEN_INTEGER,
    PTX_TOKEN_FLOAT32,
    PTX_TOKEN_FLOAT64,
    PTX_TOKEN_STRING,
    PTX_TOKEN_PUNCTUATION
};

struct ptx_token {
    const char *text; /* in the source; a dotted word with its dot, a string without its quotes */
    /* An integer; bits of a 0f or 0d literal, or of a decimal as a double; code of punctuation. */
    uint64_t value;
    enum ptx_token_kind kind;
    uint32_t length, line;
    bool spaced;      /* white space came before */
    bool is_unsigned; /* integer with U, or too large to be signed; float written as 0d and its bits */
};
/* Two-character punctuation, for constant expressions. */
enum {
    PTX_SHIFT_LEFT = 256,
    PTX_SHIFT_RIGHT,
    PTX_LESS_EQUAL,
    PTX_GREATER_EQUAL,
    PTX_EQUAL,
    PTX_NOT_EQUAL,
    PTX_AND_AND,
    PTX_OR_OR
};

/* ---- names.c: what a name stands for, by scope */
enum ptx_name_kind {
    PTX_NAME_REGISTER,      /* index: virtual register */
    PTX_NAME_RANGE,         /* %r<45>: first virtual register, count */
    PTX_NAME_LABEL,         /* index: instruction */
    PTX_NAME_PARAM_ENTRY,   /* offset, size */
    PTX_NAME_PARAM_FRAME,   /* offset, size */
    PTX_NAME_LOCAL,         /* offset, size */
    PTX_NAME_SHARED_MODULE, /* index into shared_variables */
    PTX_NAME_SHARED_OWN,    /* offset in the entry's own part, size */
    PTX_NAME_SHARED_DYNAMIC,
    PTX_NAME_SYMBOL,    /* index into symbols */
    PTX_NAME_FUNCTION,  /* index into functions */
    PTX_NAME_PROTOTYPE, /* index into prototypes */
    PTX_NAME_TABLE,     /* index into the function's branch tables */
    PTX_NAME_OPAQUE     /* a texture, sampler or surface */
};

struct ptx_name {
    struct ptx_name *next;     /* in the bucket; innermost scope first */
    struct ptx_name *in_scope; /* declared before this one in its scope */
    const char *text;
    uint32_t length, hash, scope;
    uint32_t unit; /* number of the text that declares it, in module scope */
    bool linked;   /* other texts see it */
    enum ptx_name_kind kind;
    int32_t index;
    uint32_t count; /* registers of a range */
    uint64_t offset, size;
};

/* A virtual register, until it becomes a slot. */
struct ptx_virtual {
    const char *text; /* as declared; for one of a range, `number` follows */
    uint32_t length;
    int32_t number; /* -1 none */
    uint8_t type;
};

/* A use of a label that may be declared later. Filled in when the declaring scope closes. */
struct ptx_label_use {
    const char *text;
    uint32_t length, line;
    bool in_table;
    uint32_t index, entry; /* instruction; or table and entry */
};

/* An operand whose value depends on the layout of shared memory. */
struct ptx_shared_use {
    int32_t function;
    uint32_t operand;
    enum ptx_name_kind kind;
    uint32_t variable; /* PTX_NAME_SHARED_MODULE: which */
};

/* Which texts see a function or variable of module scope; which definition counts. */
enum ptx_linkage {
    PTX_LINKAGE_LOCAL,   /* its own text alone */
    PTX_LINKAGE_VISIBLE, /* every text; one definition */
    PTX_LINKAGE_WEAK,    /* every text; one of several definitions counts, a visible one first */
    PTX_LINKAGE_EXTERN   /* defined elsewhere */
};

/* What the linker knows of a definition. */
struct ptx_definition {
    uint32_t unit;
    bool weak;
};

/* A shared variable of module scope, of fixed size. Its place follows once all users are known. */
struct ptx_shared_variable {
    const char *name;
    uint32_t size, alignment, offset;
    bool defined, weak;
    int32_t last_function; /* the last that named it, while texts are read */
};

/* The use of such a variable by a function. */
struct ptx_shared_name {
    int32_t function;
    uint32_t variable;
};

struct ptx_prototype {
    uint32_t parameter_count, result_count;
    struct ptx_parameter *parameters;
};

/* Growable arrays in the scratch arena. */
#define PTX_LIST(type)                                                                                       \
    struct {                                                                                                 \
        type *items;                                                                                         \
        uint32_t count, capacity;                                                                            \
    }

struct ptx_scope {
    struct ptx_name *names; /* newest first */
    uint32_t first_label_use;
    uint32_t frame_bytes; /* .param variables; a closed scope frees its own */
};

enum { PTX_INLINED = 256 };

/* A source position in an inlined function, and the outermost call that led there. */
struct ptx_inlined {
    uint64_t position[3]; /* file number, line, column as in .loc */
    uint16_t outer_file;
    uint32_t outer_line;
};

/* The function being read. */
struct ptx_body {
    int32_t function;
    PTX_LIST(struct ptx_instruction) instructions;
    PTX_LIST(struct ptx_operand) operands;
    PTX_LIST(struct ptx_call) calls;
    PTX_LIST(struct ptx_table) tables;
    PTX_LIST(struct ptx_virtual) registers;
    PTX_LIST(struct ptx_label_use) label_uses;
    uint32_t frame_bytes, frame_peak, local_bytes, local_alignment, shared_bytes, shared_alignment;
    uint32_t last_label; /* the largest index of an instruction with a label */
    uint16_t file, outer_file;
    uint32_t line, outer_line;
    /* The latest call of each position, because the outer one may be inlined, too: copies of a loop name it only once. */
    struct ptx_inlined inlined[PTX_INLINED];
    uint32_t inlined_count; /* of all, also of those that later ones replaced */
};

/* What the whole-program pass needs of each function, in addition to struct ptx_function. */
struct ptx_function_notes {
    uint32_t first_shared_name, shared_name_count; /* the module-wide shared variables that it names */
    uint32_t module_shared_bytes; /* entry: end of the last such variable that it or a callee names */
    struct ptx_definition definition;
    uint32_t own_shared_bytes, own_shared_alignment, own_shared_start;
    bool dynamic_in_callee; /* a callee names dynamic shared memory */
    bool declared, has_body, address_taken, names_dynamic_shared, no_return;
};

struct ptx_match_entry; /* mnemonics.c: a spelling that this text has used before */

struct ptx_parser {
    struct ptx_error *error;
    jmp_buf failed, refused; /* leave the whole text; leave the function being read */
    struct ptx_arena kept, scratch, work;
    /* text: */
    const char *text, *cursor, *end;
    uint32_t line;
    struct ptx_token token; /* the next one, not yet consumed */
    /* instruction being read, for messages: */
    const char *instruction_text, *mnemonic;
    uint32_t instruction_line;
    /* names: */
    struct ptx_name **buckets;
    uint32_t bucket_count, name_count;
    struct ptx_scope scopes[PTX_MAX_NESTING + 2];
    uint32_t scope;
    /* module: */
    struct ptx_module *module;
    PTX_LIST(struct ptx_function) functions;
    PTX_LIST(struct ptx_function_notes) notes;
    PTX_LIST(struct ptx_symbol) symbols;
    PTX_LIST(struct ptx_definition) symbol_definitions; /* one for each symbol */
    PTX_LIST(struct ptx_shared_variable) shared_variables;
    PTX_LIST(struct ptx_shared_name) shared_names;
    PTX_LIST(struct ptx_prototype) prototypes;
    PTX_LIST(struct ptx_shared_use) shared_uses;
    PTX_LIST(struct ptx_shared_array) shared_arrays;
    PTX_LIST(char *) files;
    PTX_LIST(uint32_t) file_numbers; /* files[i] is the text's .file file_numbers[i] */
    uint64_t initial_bytes;
    uint32_t dynamic_alignment;
    bool debug; /* the text is for a debugger (nvcc -G), so its machine code is not optimised */
    uint32_t unit, unit_count, unit_first_file; /* of the text being read; of all; its first .file */
    struct ptx_body *body;                      /* NULL outside functions */
    struct ptx_match_entry *matches[256];
};

/* Refuses the text: puts message, PTX line and source line into *error, and jumps to ptx_parse. */
__attribute__((noreturn, format(printf, 2, 3))) void ptx_fail(struct ptx_parser *parser, const char *format,
                                                              ...);
__attribute__((noreturn, format(printf, 5, 6))) void ptx_fail_at(struct ptx_parser *parser, uint32_t ptx_line,
                                                                 uint16_t file, uint32_t line,
                                                                 const char *format, ...);

/* Refuses the function being read, and goes on behind it. word: the text of the feature. */
__attribute__((noreturn)) void ptx_refuse(struct ptx_parser *parser, const struct ptx_feature *feature,
                                          const char *word, size_t length);
/* Refuses a function at its head. Reading goes on; the first refusal counts. */
void ptx_refuse_function(struct ptx_parser *parser, struct ptx_function *function,
                         const struct ptx_feature *feature, const char *word, size_t length);

void *ptx_keep(struct ptx_parser *parser, size_t bytes);    /* zeroed, lives with the module */
void *ptx_scratch(struct ptx_parser *parser, size_t bytes); /* zeroed, dropped after the parse */
void *ptx_work(struct ptx_parser *parser, size_t bytes);    /* zeroed, dropped after this function */
char *ptx_keep_text(struct ptx_parser *parser, const char *text, size_t length);
void ptx_grow(struct ptx_parser *parser, void *items, uint32_t *capacity, uint32_t count, size_t item_bytes);
/* Appends one item, all of which must be assigned: memory may not be zeroed. */
#define PTX_APPEND(parser, list, item)                                                                       \
    do {                                                                                                     \
        if ((list)->count == (list)->capacity)                                                               \
            ptx_grow(parser, &(list)->items, &(list)->capacity, (list)->count, sizeof *(list)->items);       \
        (list)->items[(list)->count++] = (item);                                                             \
    } while (0)

/* lexer.c */
void ptx_lexer_start(struct ptx_parser *parser, const char *text, size_t length);
void ptx_next(struct ptx_parser *parser);
bool ptx_at(const struct ptx_parser *parser, int punctuation);
bool ptx_at_word(const struct ptx_parser *parser, const char *dotted);
bool ptx_accept(struct ptx_parser *parser, int punctuation);
bool ptx_accept_word(struct ptx_parser *parser, const char *dotted);
void ptx_expect(struct ptx_parser *parser, int punctuation);
struct ptx_token ptx_expect_name(struct ptx_parser *parser, const char *what);
/* A token as the arguments of %.*s in messages, cut to a readable length. */
#define PTX_TOKEN_ARGUMENTS(token) (int)((token)->length < 80 ? (token)->length : 80), (token)->text

/* constants.c */
struct ptx_constant {
    bool is_float, is_unsigned;
    uint64_t bits; /* integer */
    double number; /* float */
    uint8_t exact; /* 4 or 8: bits is the pattern of a 0f or 0d literal; else 0 */
};
struct ptx_constant ptx_constant_expression(struct ptx_parser *parser);
uint64_t ptx_constant_unsigned(struct ptx_parser *parser, const char *what, uint64_t maximum);
/* The constant's value as an operand or datum of `type`. */
int64_t ptx_constant_as(struct ptx_parser *parser, const struct ptx_constant *constant, enum ptx_type type,
                        bool convert);

/* names.c */
void ptx_scope_open(struct ptx_parser *parser);
void ptx_scope_close(struct ptx_parser *parser);
void ptx_scope_drop(struct ptx_parser *parser); /* of a refused function, whose labels are ignored */
struct ptx_name *ptx_declare(struct ptx_parser *parser, const struct ptx_token *token,
                             enum ptx_name_kind kind);
/* At the end of a text: forgets names that only this text may use. */
void ptx_forget_local_names(struct ptx_parser *parser);
struct ptx_name *ptx_find(struct ptx_parser *parser, const char *text, uint32_t length);
/* Finds a virtual register by name; -1: there is none. */
int32_t ptx_find_register(struct ptx_parser *parser, const struct ptx_token *token);
void ptx_use_label(struct ptx_parser *parser, const struct ptx_token *token, bool in_table, uint32_t index,
                   uint32_t entry);

/* mnemonics.c: the table of mnemonics */
struct ptx_match {
    enum ptx_opcode opcode;
    const char *operands; /* signature (mnemonics.c) */
    uint8_t type, source_type, second_type, shape, rounding, compare, form, space, vector;
    bool has_space;
    uint32_t flags;
};
/* parts: the words of a mnemonic, "ld" "global" "u32". An unknown one is refused by name. */
void ptx_match_mnemonic(struct ptx_parser *parser, const struct ptx_token *parts, uint32_t count,
                        struct ptx_match *match);

/* instruction.c */
void ptx_parse_instruction(struct ptx_parser *parser);
struct ptx_operand ptx_no_operand(void);
uint32_t ptx_add_operand(struct ptx_parser *parser, struct ptx_operand operand);
int32_t ptx_new_register(struct ptx_parser *parser, enum ptx_type type, const char *text, uint32_t length,
                         int32_t number);
/* call.c */
/* Parses behind "call": fills instruction->target; *target: the register of an indirect call. */
void ptx_parse_call(struct ptx_parser *parser, struct ptx_instruction *instruction,
                    struct ptx_operand *target);
void ptx_parse_labelled(struct ptx_parser *parser, const struct ptx_token *label); /* after "name:" */

/* variables.c */
void ptx_parse_variable(struct ptx_parser *parser, enum ptx_space space, enum ptx_linkage linkage);
struct ptx_parameter *ptx_parse_parameters(struct ptx_parser *parser, uint32_t *count, uint32_t *bytes,
                                           enum ptx_name_kind kind, bool declare,
                                           struct ptx_parameter *before, uint32_t before_count);
/* initial.c */
void ptx_parse_initial(struct ptx_parser *parser, struct ptx_symbol *symbol, enum ptx_type type,
                       const uint64_t *given, uint32_t dimension_count, uint32_t vector);

/* function.c */
void ptx_parse_function(struct ptx_parser *parser, bool entry, enum ptx_linkage linkage);
void ptx_parse_loc(struct ptx_parser *parser);
uint16_t ptx_file_index(struct ptx_parser *parser, uint64_t number);

/* flow.c: basic blocks and reconvergence points */
struct ptx_block {
    uint32_t first, end;                 /* instructions [first, end) */
    uint32_t successor, successor_count; /* in the flow's successor list */
    uint32_t predecessor, predecessor_count;
};
struct ptx_flow {
    uint32_t block_count;
    struct ptx_block *blocks;
    uint32_t *successors, *predecessors;
    uint32_t *block_of; /* Immediate post-dominator of each block; block_count: only at the end. */
};
void ptx_flow_build(struct ptx_parser *parser, const struct ptx_body *body, struct ptx_flow *flow);
/* Immediate post-dominator of each block, block_count for "only at the end". */
void ptx_flow_post_dominators(struct ptx_parser *parser, const struct ptx_body *body,
                              const struct ptx_flow *flow, uint32_t *meeting);
void ptx_flow_reconvergence(struct ptx_parser *parser, struct ptx_body *body, const struct ptx_flow *flow);

/* repeats.c: makes read-only loads of what the same block has just loaded copies of the first. */
void ptx_join_loads(struct ptx_body *body, const struct ptx_flow *flow);
/* The same: gives PTX_REPEATED to arithmetic that another instruction does on the same registers, each of which is written
 * once. To be called before ptx_allocate. */
void ptx_mark_repeats(struct ptx_parser *parser, struct ptx_body *body);

/* uniform.c: for each virtual register, whether it may differ between the lanes of a warp. Atomics
 * at a uniform address get PTX_UNIFORM. To be called before ptx_allocate. */
const bool *ptx_find_uniform(struct ptx_parser *parser, struct ptx_body *body);

/* allocate.c: assigns virtual registers to slots, and sets function->slots and ->predicates. Also
 * drops unread results of atomics. */
void ptx_allocate(struct ptx_parser *parser, struct ptx_body *body, const struct ptx_flow *flow,
                  const bool *differs, struct ptx_function *function);

/* shared.c: the layout of shared memory; the module-wide variables of each entry and its
 * callees. */
struct ptx_shared_layout {
    struct ptx_parser *parser;
    PTX_LIST(struct ptx_shared_name)
    uses;                /* of entries, with their callees', one entry after the other */
    int32_t *last_entry; /* by variable: the last that uses it */
};
void ptx_shared_start(struct ptx_parser *parser, struct ptx_shared_layout *layout);
/* Adds to `entry` the variables that `function` names; returns their number. */
uint32_t ptx_shared_use(struct ptx_shared_layout *layout, uint32_t entry, uint32_t function);
void ptx_shared_place(struct ptx_shared_layout *layout);

/* program.c: what is known only when the whole module is read */
void ptx_finish_module(struct ptx_parser *parser);

/* ---- An instruction while it is read. Its operands come first, because helper instructions may
 * have to precede it. */
enum { PTX_MAX_OPERANDS = 32 };

struct ptx_pending {
    struct ptx_instruction instruction;
    struct ptx_operand operands[PTX_MAX_OPERANDS];
    enum ptx_name_kind shared[PTX_MAX_OPERANDS]; /* PTX_NAME_SHARED_*: the layout decides the value */
    uint32_t shared_variables[PTX_MAX_OPERANDS]; /* of PTX_NAME_SHARED_MODULE */
    uint32_t count;
    bool wider; /* ld, st, cvt: a register may be wider than the type */
};

/* pending.c */
void ptx_push_operand(struct ptx_parser *parser, struct ptx_pending *pending, struct ptx_operand operand);
void ptx_append_instruction(struct ptx_parser *parser, const struct ptx_pending *pending);
/* Emits "opcode.type temporary, sources..." before the instruction being read, under its guard;
 * returns the temporary. */
struct ptx_operand ptx_helper_instruction(struct ptx_parser *parser, const struct ptx_pending *pending,
                                          enum ptx_opcode opcode, enum ptx_type type,
                                          const struct ptx_operand *sources, uint32_t count);
struct ptx_operand ptx_immediate(int64_t value, uint8_t width);

/* operand.c: one operand of the text, checked against the type */
bool ptx_is_name(const struct ptx_token *token, const char *text);
struct ptx_operand ptx_read_destination(struct ptx_parser *parser, enum ptx_type type, bool wider);
struct ptx_operand ptx_read_constant(struct ptx_parser *parser, enum ptx_type type);
/* Reads a register, special register or constant. wider: a wider register is allowed (ld, st,
 * cvt). */
struct ptx_operand ptx_read_source(struct ptx_parser *parser, enum ptx_type type, bool wider);

/* address.c: operands are added to `pending` */
/* Reads [register], [register+n], [variable+n], [n]. The access has `bytes` bytes in `space`. */
void ptx_read_address(struct ptx_parser *parser, struct ptx_pending *pending, enum ptx_space space,
                      uint32_t bytes);
/* Reads the source of mov and cvta: ptx_read_source's, or the address of a symbol. */
void ptx_read_address_of(struct ptx_parser *parser, struct ptx_pending *pending, enum ptx_type type,
                         bool is_mov);

/* matrix.c: reads and lowers what belongs to tensor cores. what: the signature behind "!matrix ".
 * The last instruction stays in `pending`. */
void ptx_read_matrix(struct ptx_parser *parser, struct ptx_pending *pending, const struct ptx_match *match,
                     const char *what);

/* packed.c: replaces instructions on packed 8- and 16-bit lanes by others */
void ptx_expand_distances(struct ptx_parser *parser, struct ptx_pending *pending, uint32_t lanes, bool sum);
/* atom.v4 and red.v4 become one atomic for each element; PTX promises no more. */
void ptx_expand_elements(struct ptx_parser *parser, struct ptx_pending *pending, uint32_t elements);

/* ---- stretches.c: the pieces of a function within which ptxas contracts products and sums. A
 * stretch is a chain of basic blocks, each the only successor and only predecessor of its
 * neighbour. Instructions that become branches in the machine code end it. */
struct ptx_stretches {
    uint32_t *order;  /* all instructions, stretch by stretch, in execution order */
    uint32_t *starts; /* start of each stretch in `order`, and the end of the last */
    uint32_t count;   /* some may be empty */
};

/* Both arrays live until the function is analysed. Fails only for want of memory. */
void ptx_find_stretches(struct ptx_parser *parser, const struct ptx_body *body, const struct ptx_flow *flow,
                        struct ptx_stretches *stretches);

/* ---- contract.c: contracts float products and sums to one operation where ptxas does, so that
 * results equal the machine code's to the last bit. */
/* Rewrites `body`, whose blocks are `flow`; to be called before ptx_allocate. A sum that takes a
 * product in becomes PTX_FMA in its place, with its flags, and PTX_NEGATED_PRODUCT,
 * PTX_NEGATED_ADDEND for the signs. Products, copies and negations that are then unread are
 * removed. Returns whether instructions were removed, so that `flow` no longer fits. Fails only for
 * want of memory. */
bool ptx_contract(struct ptx_parser *parser, struct ptx_body *body, const struct ptx_flow *flow);
