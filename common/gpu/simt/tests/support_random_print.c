/* support_random_print.c: prints a random program as PTX text. */
#include "support_random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct printer {
    const struct random_program *program;
    const struct random_function *function;
    FILE *out;
    int temporaries[RANDOM_CLASSES]; /* beyond the function's variables */
    int mask;                        /* w temporary: the members of the group; -1: all */
    int loop;                        /* statement */
    int call;
    bool kernel;
};

static int temporary(struct printer *p, char kind) {
    enum random_class c = random_class_of(kind);
    return p->function->variables[c] + p->temporaries[c]++;
}

static const char *text_of(char *buffer, size_t size, struct random_operand operand) {
    if (operand.index >= 0)
        snprintf(buffer, size, "%%%c%d", operand.kind, operand.index);
    else if (operand.kind == 'f')
        snprintf(buffer, size, "0f%08" PRIX32, (uint32_t)operand.value);
    else
        snprintf(buffer, size, "%" PRId64,
                 operand.kind == 'h'   ? (int16_t)operand.value
                 : operand.kind == 'x' ? (int64_t)operand.value
                                       : (int32_t)operand.value);
    return buffer;
}
#define TEXT(operand) text_of((char[32]){0}, 32, operand)

static void print_guard(struct printer *p, const struct random_statement *s, bool negate) {
    if (s->guard >= 0)
        fprintf(p->out, "@%s%%p%d ", s->guard_negated != negate ? "!" : "", s->guard);
}

static void print_operation(struct printer *p, const struct random_statement *s) {
    const struct random_operation *o = s->operation;
    struct random_operand sources[4] = {s->source[0], s->source[1], s->source[2], s->source[3]};
    int results = o->shape[1] == ':' ? 1 : 2, count = 0;
    while (o->shape[results + 1 + count])
        count++;
    if ((o->code == DIV || o->code == REM) && o->type != F32) {
        int odd = temporary(p, sources[1].kind), width = sources[1].kind == 'x' ? 64 : 32;
        fprintf(p->out, "or.b%d %%%c%d, %s, 1;\n", width, sources[1].kind, odd, TEXT(sources[1]));
        if (o->type == S32 || o->type == S64) {
            int positive = temporary(p, sources[1].kind);
            fprintf(p->out, "and.b%d %%%c%d, %%%c%d, %s;\n", width, sources[1].kind, positive,
                    sources[1].kind, odd, width == 64 ? "0x7fffffffffffffff" : "0x7fffffff");
            odd = positive;
        }
        sources[1].index = odd;
    }
    if (o->code == CARRY) {
        fprintf(p->out, "add.cc.u32 %s, %s, %s;\naddc.u32 %s, %s, %s;\n", TEXT(s->destination[0]),
                TEXT(sources[0]), TEXT(sources[1]), TEXT(s->destination[1]), TEXT(sources[2]),
                TEXT(sources[3]));
        return;
    }
    print_guard(p, s, false);
    const char *open = "{", *close = "}", *between = ", ";
    if (o->code != UNPACK)
        open = close = "", between = o->shape[0] == 'p' ? "|" : ", ";
    fprintf(p->out, "%s %s%s", o->text, open, TEXT(s->destination[0]));
    if (results == 2)
        fprintf(p->out, "%s%s", between, TEXT(s->destination[1]));
    fprintf(p->out, "%s, %s", close, o->code == PACK ? "{" : "");
    for (int i = 0; i < count; i++)
        fprintf(p->out, "%s%s", i ? ", " : "", TEXT(sources[i]));
    fprintf(p->out, "%s;\n", o->code == PACK ? "}" : "");
}

/* The address as base and offset, in a buffer of the caller. */
static void print_address(struct printer *p, const struct random_statement *s, char *address, size_t size) {
    const char *base = "%own";
    int count = RANDOM_SLOTS, span = (int)p->program->span;
    switch (s->kind) {
    case LOAD_INPUT: base = "%inputs", count = RANDOM_INPUTS, span = 8; break;
    case LOAD_LOCAL:
    case STORE_LOCAL: base = "%local", count = RANDOM_LOCAL / 16, span = 16; break;
    case LOAD_SHARED:
    case STORE_SHARED: base = "%cell", count = 0; break;
    default: break;
    }
    if (!count && s->slot >= 0) {
        snprintf(address, size, "%%cell+%d", s->offset);
    } else if (!count) {
        int cell = temporary(p, 'w'), place = temporary(p, 'w');
        fprintf(p->out,
                "rem.u32 %%w%d, %s, %u;\n"
                "mad.lo.s32 %%w%d, %%w%d, %d, %%shared;\n",
                cell, TEXT(s->source[0]), p->program->threads, place, cell, RANDOM_CELL);
        snprintf(address, size, "%%w%d+%d", place, s->offset);
    } else if (s->slot >= 0) {
        snprintf(address, size, "%s+%d", base, s->slot * span + s->offset);
    } else {
        int slot = temporary(p, 'w'), place = temporary(p, 'x');
        fprintf(p->out,
                "and.b32 %%w%d, %s, %d;\n"
                "mad.wide.u32 %%x%d, %%w%d, %d, %s;\n",
                slot, TEXT(s->source[0]), count - 1, place, slot, span, base);
        snprintf(address, size, "%%x%d+%d", place, s->offset);
    }
}

static void print_access(struct printer *p, const struct random_statement *s) {
    static const char *const names[] = {
        [LOAD_INPUT] = "ld.global",  [LOAD_OWN] = "ld.global",   [STORE_OWN] = "st.global",
        [LOAD_LOCAL] = "ld.local",   [STORE_LOCAL] = "st.local", [LOAD_SHARED] = "ld.shared",
        [STORE_SHARED] = "st.shared"};
    char address[64];
    bool store = s->kind == STORE_OWN || s->kind == STORE_LOCAL || s->kind == STORE_SHARED;
    struct random_operand values[4];
    for (int i = 0; i < s->choice; i++) {
        values[i] = s->destination[i];
        if (values[i].index < 0 && s->choice > 1) { /* vectors are of registers */
            static const char *const moves[] = {"mov.b32", "mov.b64", "mov.f32", "mov.u16"};
            values[i].index = temporary(p, values[i].kind);
            fprintf(p->out, "%s %s, %s;\n", moves[random_class_of(values[i].kind)], TEXT(values[i]),
                    TEXT(s->destination[i]));
        }
    }
    print_address(p, s, address, sizeof address);
    print_guard(p, s, false);
    fprintf(p->out, "%s%s%s.%s ", names[s->kind], s->kind == LOAD_INPUT && s->offset ? ".nc" : "",
            s->choice == 4   ? ".v4"
            : s->choice == 2 ? ".v2"
                             : "",
            s->access->type);
    if (store)
        fprintf(p->out, "[%s], ", address);
    for (int i = 0; i < s->choice; i++)
        fprintf(p->out, "%s%s%s",
                i               ? ", "
                : s->choice > 1 ? "{"
                                : "",
                TEXT(values[i]), s->choice > 1 && i == s->choice - 1 ? "}" : "");
    if (!store)
        fprintf(p->out, ", [%s]", address);
    fprintf(p->out, ";\n");
}

static void print_list(struct printer *p, int list);

static void print_if(struct printer *p, const struct random_statement *s, int number) {
    int outer = p->mask, yes = -1, no = -1;
    if (s->kind == GROUP_IF) {
        char all[24] = "-1";
        if (outer >= 0)
            snprintf(all, sizeof all, "%%w%d", outer);
        yes = temporary(p, 'w'), no = temporary(p, 'w');
        fprintf(p->out, "vote.sync.ballot.b32 %%w%d, %s%%p%d, %s;\n", yes, s->guard_negated ? "!" : "",
                s->guard, all);
        fprintf(p->out, "vote.sync.ballot.b32 %%w%d, %s%%p%d, %s;\n", no, s->guard_negated ? "" : "!",
                s->guard, all);
    }
    print_guard(p, s, true);
    fprintf(p->out, "bra L%d_%s;\n", number, s->otherwise >= 0 ? "else" : "end");
    p->mask = yes >= 0 ? yes : outer;
    print_list(p, s->body);
    if (s->otherwise >= 0) {
        fprintf(p->out, "bra L%d_end;\nL%d_else:\n", number, number);
        p->mask = no >= 0 ? no : outer;
        print_list(p, s->otherwise);
    }
    p->mask = outer;
    fprintf(p->out, "L%d_end:\n", number);
}

static void print_loop(struct printer *p, const struct random_statement *s, int number) {
    int outer = p->loop, limit = temporary(p, 'w'), more = temporary(p, 'p'),
        counter = s->destination[0].index;
    if (s->kind == GROUP_LOOP)
        fprintf(p->out, "mov.u32 %%w%d, 2;\n", limit);
    else
        fprintf(p->out, "and.b32 %%w%d, %s, 3;\n", limit, TEXT(s->source[0]));
    fprintf(p->out, "mov.u32 %%w%d, 0;\nL%d_loop:\n", counter, number);
    if (!s->choice)
        fprintf(p->out, "setp.ge.u32 %%p%d, %%w%d, %%w%d;\n@%%p%d bra L%d_end;\n", more, counter, limit, more,
                number);
    p->loop = number;
    print_list(p, s->body);
    p->loop = outer;
    fprintf(p->out, "L%d_next: add.s32 %%w%d, %%w%d, 1;\n", number, counter, counter);
    if (s->choice)
        fprintf(p->out, "setp.lt.u32 %%p%d, %%w%d, %%w%d;\n@%%p%d bra L%d_loop;\n", more, counter, limit,
                more, number);
    else
        fprintf(p->out, "bra L%d_loop;\n", number);
    fprintf(p->out, "L%d_end:\n", number);
}

/* An exited lane has no value: 0 then. */
static void print_shuffle(struct printer *p, const struct random_statement *s) {
    static const char *const modes[] = {"up", "down", "bfly", "idx"};
    static const int segments[] = {0, 16, 24};
    int live = temporary(p, 'w'), from = temporary(p, 'w'), value = temporary(p, 'w'),
        there = temporary(p, 'w'), lane = temporary(p, 'w');
    int inside = temporary(p, 'p'), clamp = segments[s->slot] << 8 | (s->choice ? 31 : 0);
    char all[24] = "-1";
    if (p->mask >= 0)
        snprintf(all, sizeof all, "%%w%d", p->mask);
    fprintf(p->out,
            "vote.sync.ballot.b32 %%w%d, 1, %s;\n"
            "mov.u32 %%w%d, %%laneid;\n",
            live, all, lane);
    fprintf(p->out, "shfl.sync.%s.b32 %%w%d|%%p%d, %%w%d, %s, %d, %s;\n", modes[s->choice], from, inside,
            lane, TEXT(s->source[1]), clamp, all);
    fprintf(p->out, "shfl.sync.%s.b32 %%w%d, %s, %s, %d, %s;\n", modes[s->choice], value, TEXT(s->source[0]),
            TEXT(s->source[1]), clamp, all);
    /* Computes the source lane here, because `from` of an exited lane is undefined too. */
    int amount = temporary(p, 'w'), at = temporary(p, 'w'), gone = temporary(p, 'p');
    fprintf(p->out, "and.b32 %%w%d, %s, 31;\n", amount, TEXT(s->source[1]));
    if (s->choice == 0)
        fprintf(p->out, "sub.s32 %%w%d, %%w%d, %%w%d;\n", at, lane, amount);
    else if (s->choice == 1)
        fprintf(p->out, "add.s32 %%w%d, %%w%d, %%w%d;\n", at, lane, amount);
    else if (s->choice == 2)
        fprintf(p->out, "xor.b32 %%w%d, %%w%d, %%w%d;\n", at, lane, amount);
    else
        fprintf(p->out, "lop3.b32 %%w%d, %%w%d, %%w%d, %d, 0xe4;\n", at, lane, amount, segments[s->slot]);
    int place = temporary(p, 'w');
    fprintf(p->out, "selp.b32 %%w%d, %%w%d, %%w%d, %%p%d;\n", place, at, lane, inside);
    fprintf(p->out, "shr.u32 %%w%d, %%w%d, %%w%d;\nand.b32 %%w%d, %%w%d, 1;\n", there, live, place, there,
            there);
    fprintf(p->out, "setp.eq.u32 %%p%d, %%w%d, 0;\n@%%p%d mov.u32 %%w%d, 0;\n", gone, there, gone, value);
    /* And the predicate, and the lane read first unless it has exited. */
    int sum = temporary(p, 'w'), told = temporary(p, 'w');
    fprintf(p->out, "selp.b32 %%w%d, 1000, 0, %%p%d;\n@%%p%d mov.u32 %%w%d, 0;\n", told, inside, gone, from);
    fprintf(p->out,
            "add.s32 %%w%d, %%w%d, %%w%d;\n"
            "mad.lo.s32 %s, %%w%d, 7, %%w%d;\n",
            sum, told, from, TEXT(s->destination[0]), value, sum);
}

static void print_statement(struct printer *p, const struct random_statement *s, int number) {
    char all[24] = "-1";
    if (p->mask >= 0)
        snprintf(all, sizeof all, "%%w%d", p->mask);
    switch (s->kind) {
    case OPERATE: print_operation(p, s); break;
    case CHOOSE:
        fprintf(p->out, "@%s%%p%d %s %s, %s;\n", s->guard_negated ? "!" : "", s->guard, s->operation->text,
                TEXT(s->destination[0]), TEXT(s->source[0]));
        fprintf(p->out, "@%s%%p%d %s %s, %s;\n", s->guard_negated ? "" : "!", s->guard, s->operation->text,
                TEXT(s->destination[0]), TEXT(s->source[1]));
        break;
    case ADD_COMMON: fprintf(p->out, "red.global.add.u32 [%%common], %s;\n", TEXT(s->source[0])); break;
    case GROUP_IF:
    case IF: print_if(p, s, number); break;
    case GROUP_LOOP:
    case LOOP: print_loop(p, s, number); break;
    case BREAK:
    case CONTINUE:
        print_guard(p, s, false);
        fprintf(p->out, "bra L%d_%s;\n", p->loop, s->kind == BREAK ? "end" : "next");
        break;
    case EXIT:
        print_guard(p, s, false);
        fprintf(p->out, "%s;\n", p->kernel && s->choice ? "ret" : "exit");
        break;
    case RETURN:
        print_guard(p, s, false);
        fprintf(p->out, "st.param.b%d [result], %s;\n", s->source[0].kind == 'x' ? 64 : 32,
                TEXT(s->source[0]));
        print_guard(p, s, false);
        fprintf(p->out, "ret;\n");
        break;
    case CALL: {
        int width = s->destination[0].kind == 'x' ? 64 : 32, n = p->call++;
        fprintf(p->out, "{ .param .b32 a%d; .param .b64 b%d; .param .b%d r%d;\n", n, n, width, n);
        fprintf(p->out, "st.param.b32 [a%d], %s;\nst.param.b64 [b%d], %s;\n", n, TEXT(s->source[0]), n,
                TEXT(s->source[1]));
        print_guard(p, s, false);
        fprintf(p->out, "call (r%d), f%d, (a%d, b%d);\n", n, s->choice, n, n);
        print_guard(p, s, false);
        fprintf(p->out, "ld.param.b%d %s, [r%d]; }\n", width, TEXT(s->destination[0]), n);
        break;
    }
    case BARRIER: fprintf(p->out, "bar.sync 0;\n"); break;
    case BARRIER_COUNT: {
        static const char *const forms[] = {"popc.u32", "and.pred", "or.pred"};
        fprintf(p->out, "bar.red.%s %s, 0, %s;\n", forms[s->choice], TEXT(s->destination[0]),
                TEXT(s->source[0]));
        break;
    }
    case VOTE: {
        static const char *const forms[] = {"ballot.b32", "all.pred", "any.pred"};
        fprintf(p->out, "vote.sync.%s %s, %s, %s;\n", forms[s->choice], TEXT(s->destination[0]),
                TEXT(s->source[0]), all);
        break;
    }
    case SHUFFLE: print_shuffle(p, s); break;
    default: print_access(p, s); break;
    }
}

static void print_list(struct printer *p, int list) {
    for (; list >= 0; list = p->program->statements[list].next)
        print_statement(p, &p->program->statements[list], list);
}

static void print_function(struct printer *p, int number, FILE *out) {
    static const char *const types[] = {"b32", "b64", "f32", "b16", "pred"};
    static const char letters[] = "wxfhp";
    char *text = NULL;
    size_t size = 0;
    p->function = &p->program->functions[number];
    p->kernel = number == p->program->function_count - 1;
    for (int i = 0; i < RANDOM_CLASSES; i++)
        p->temporaries[i] = 0;
    p->mask = -1;
    p->out = open_memstream(&text, &size);
    print_list(p, p->function->first);
    fclose(p->out);
    if (p->kernel)
        fprintf(out, ".visible .entry k(.param .u64 output, .param .u64 inputs)\n{\n");
    else
        fprintf(out, ".func (.param .b%d result) f%d(.param .b32 a, .param .b64 b)\n{\n",
                p->function->result == 'x' ? 64 : 32, number);
    for (int i = 0; i < RANDOM_CLASSES; i++)
        fprintf(out, ".reg .%s %%%c<%d>;\n", types[i], letters[i],
                p->function->variables[i] + p->temporaries[i] + 1);
    fprintf(out,
            ".reg .b64 %%local;\n"
            ".local .align 16 .b8 depot[%d];\n"
            "mov.u64 %%local, depot;\n",
            RANDOM_LOCAL);
    for (int i = 0; i < RANDOM_LOCAL; i += 8)
        fprintf(out, "st.local.u64 [%%local+%d], 0;\n", i);
    if (p->kernel) {
        fprintf(out,
                ".reg .b64 %%own, %%inputs, %%common;\n"
                ".reg .b32 %%shared, %%cell, %%id<6>;\n"
                ".shared .align 16 .b8 cells[%u];\n",
                p->program->threads * RANDOM_CELL);
        fprintf(out, "mov.u32 %%id0, %%tid.x;\n"
                     "mov.u32 %%id1, %%tid.y;\n"
                     "mov.u32 %%id2, %%tid.z;\n"
                     "mov.u32 %%id3, %%ntid.x;\n"
                     "mov.u32 %%id4, %%ntid.y;\n");
        fprintf(out, "mad.lo.s32 %%id5, %%id2, %%id4, %%id1;\n"
                     "mad.lo.s32 %%w0, %%id5, %%id3, %%id0;\n"
                     "mov.u32 %%id0, %%ctaid.x;\n");
        fprintf(out,
                "mad.lo.s32 %%w1, %%id0, %u, %%w0;\n"
                "ld.param.u64 %%own, [output];\n"
                "ld.param.u64 %%inputs, [inputs];\n",
                p->program->threads);
        fprintf(out,
                "add.s64 %%common, %%own, %u;\n"
                "mad.wide.u32 %%own, %%w1, %u, %%own;\n"
                "mov.u32 %%shared, cells;\n",
                random_output_bytes(p->program) - RANDOM_COMMON, p->program->stride);
        fprintf(out,
                "mad.lo.s32 %%cell, %%w0, %d, %%shared;\n"
                "mov.u64 %%x0, 0;\n"
                "st.shared.v2.u64 [%%cell], {%%x0, %%x0};\n"
                "cvt.u64.u32 %%x0, %%w1;\n",
                RANDOM_CELL);
    } else {
        fprintf(out, "ld.param.b32 %%w0, [a];\nld.param.b64 %%x0, [b];\n");
    }
    fprintf(out, "%s%s}\n", text, p->kernel ? "ret;\n" : "");
    free(text);
}

char *random_print(const struct random_program *program) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct printer printer = {.program = program};
    fprintf(out, ".version 7.0\n.target sm_75\n.address_size 64\n");
    for (int i = 0; i < program->function_count; i++)
        print_function(&printer, i, out);
    fclose(out);
    return text;
}
