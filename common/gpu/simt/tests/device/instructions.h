/* instructions.h: the instructions whose results are recorded and compared, and the PTX that runs
 * each on operands of its types, for the real GPU (instructions.cu) and the simulated one
 * (../test_instructions.c). Approximations (sin, ex2, rcp.approx, ...) are not among them: their
 * last bits depend on the GPU. */
#pragma once

#include "recorded_results.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

enum {
    INSTRUCTION_SETS = 2048,
    INSTRUCTION_BLOCK = 512,
    INSTRUCTION_OPERANDS = 3,
    INSTRUCTION_MOST = 4096,
    APPROXIMATIONS = 256
};

/* "cvt.rni.s32.f32 %d, %a;": the result is %d, the operands are %a, %b, %c; types as PTX writes
 * them, "pred" for a predicate. */
struct instruction {
    char text[160];
    const char *result, *operand[INSTRUCTION_OPERANDS];
};

struct instruction_list {
    struct instruction *items;
    size_t count;
};

/* operands: the types of %a, %b, %c; NULL: none. What follows %d, %a... in text follows them. */
static inline void instruction_add(struct instruction_list *list, const char *result, const char *a,
                                   const char *b, const char *c, const char *format, ...) {
    if (list->count == INSTRUCTION_MOST)
        abort();
    struct instruction *item = &list->items[list->count++];
    item->result = result;
    item->operand[0] = a, item->operand[1] = b, item->operand[2] = c;
    char name[64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    char *rest = strchr(name, ' '); /* an immediate operand behind the registers */
    if (rest != NULL)
        *rest++ = '\0';
    snprintf(item->text, sizeof item->text, "%s %%d, %%a%s%s%s%s;", name, b != NULL ? ", %b" : "",
             c != NULL ? ", %c" : "", rest != NULL ? ", " : "", rest != NULL ? rest : "");
}

static const char *const instruction_integers[] = {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"};
static const char *const instruction_modes[] = {"rn", "rz", "rm", "rp"};
static const char *const instruction_integral[] = {"rni", "rzi", "rmi", "rpi"};
#define INSTRUCTION_EACH(i, array) for (size_t i = 0; i < sizeof(array) / sizeof(array)[0]; i++)

static inline void instruction_conversions(struct instruction_list *list) {
    static const char *const floats[] = {"f16", "bf16", "f32", "f64"};
    INSTRUCTION_EACH(to, instruction_integers) INSTRUCTION_EACH(from, instruction_integers) {
        const char *d = instruction_integers[to], *a = instruction_integers[from];
        instruction_add(list, d, a, NULL, NULL, "cvt.%s.%s", d, a);
        if (atoi(a + 1) > atoi(d + 1) || (*a != *d && !(*d == 's' && atoi(d + 1) > atoi(a + 1))))
            instruction_add(list, d, a, NULL, NULL, "cvt.sat.%s.%s", d, a);
    }
    INSTRUCTION_EACH(i, instruction_integers)
    INSTRUCTION_EACH(f, floats) INSTRUCTION_EACH(m, instruction_modes) {
        const char *integer = instruction_integers[i], *number = floats[f];
        const char *mode = instruction_modes[m], *integral = instruction_integral[m];
        if (*number == 'b' && atoi(integer + 1) == 8)
            continue; /* no such instruction */
        instruction_add(list, integer, number, NULL, NULL, "cvt.%s.%s.%s", integral, integer, number);
        instruction_add(list, number, integer, NULL, NULL, "cvt.%s.%s.%s", mode, number, integer);
        if (strcmp(number, "f32") == 0) {
            instruction_add(list, integer, "f32", NULL, NULL, "cvt.%s.ftz.%s.f32", integral, integer);
            instruction_add(list, "f32", integer, NULL, NULL, "cvt.%s.sat.f32.%s", mode, integer);
        }
    }
    static const char *const narrowing[] = {
        "%s.f32.f64",  "%s.ftz.f32.f64", "%s.sat.f32.f64", "%s.ftz.sat.f32.f64", "%s.f16.f64",
        "%s.bf16.f64", "%s.f16.f32",     "%s.ftz.f16.f32", "%s.sat.f16.f32",     "%s.ftz.sat.f16.f32"};
    INSTRUCTION_EACH(n, narrowing) INSTRUCTION_EACH(m, instruction_modes) {
        char name[40] = "cvt.";
        snprintf(name + 4, sizeof name - 4, narrowing[n], instruction_modes[m]);
        const char *from = strrchr(name, '.') + 1;
        const char *to = strstr(name, ".f32.f") != NULL && from[1] == '6' ? "f32"
                         : strstr(name, "bf16") != NULL                   ? "bf16"
                                                                          : "f16";
        instruction_add(list, to, from[1] == '6' ? "f64" : "f32", NULL, NULL, "%s", name);
    }
    static const char *const widening[][3] = {
        {"cvt.f32.f16", "f32", "f16"},           {"cvt.ftz.f32.f16", "f32", "f16"},
        {"cvt.sat.f32.f16", "f32", "f16"},       {"cvt.f64.f16", "f64", "f16"},
        {"cvt.f64.f32", "f64", "f32"},           {"cvt.ftz.f64.f32", "f64", "f32"},
        {"cvt.sat.f64.f32", "f64", "f32"},       {"cvt.f32.bf16", "f32", "bf16"},
        {"cvt.f64.bf16", "f64", "bf16"},         {"cvt.rn.bf16.f32", "bf16", "f32"},
        {"cvt.rz.bf16.f32", "bf16", "f32"},      {"cvt.rn.relu.bf16.f32", "bf16", "f32"},
        {"cvt.rz.relu.bf16.f32", "bf16", "f32"}, {"cvt.rn.relu.f16.f32", "f16", "f32"},
        {"cvt.rz.relu.f16.f32", "f16", "f32"},   {"cvt.rn.f16.bf16", "f16", "bf16"},
        {"cvt.rn.bf16.f16", "bf16", "f16"}};
    INSTRUCTION_EACH(w, widening)
    instruction_add(list, widening[w][1], widening[w][2], NULL, NULL, "%s", widening[w][0]);
    INSTRUCTION_EACH(m, instruction_integral) INSTRUCTION_EACH(f, floats) {
        if (strcmp(floats[f], "bf16") == 0)
            continue;
        instruction_add(list, floats[f], floats[f], NULL, NULL, "cvt.%s.%s.%s", instruction_integral[m],
                        floats[f], floats[f]);
        if (strcmp(floats[f], "f64") != 0)
            instruction_add(list, floats[f], floats[f], NULL, NULL, "cvt.%s.sat.%s.%s",
                            instruction_integral[m], floats[f], floats[f]);
    }
    INSTRUCTION_EACH(m, instruction_integral)
    instruction_add(list, "f32", "f32", NULL, NULL, "cvt.%s.ftz.f32.f32", instruction_integral[m]);
    instruction_add(list, "f32", "f32", NULL, NULL, "cvt.sat.f32.f32");
    instruction_add(list, "f32", "f32", NULL, NULL, "cvt.ftz.sat.f32.f32");
    instruction_add(list, "f32", "f32", NULL, NULL, "cvt.ftz.f32.f32");
    static const char *const pairs[] = {"rn.f16x2",  "rn.relu.f16x2",  "rz.f16x2",  "rz.relu.f16x2",
                                        "rn.bf16x2", "rn.relu.bf16x2", "rz.bf16x2", "rz.relu.bf16x2"};
    INSTRUCTION_EACH(p, pairs) instruction_add(list, "b32", "f32", "f32", NULL, "cvt.%s.f32", pairs[p]);
    static const char *const eight[] = {"e4m3x2", "e5m2x2"}, *const relu[] = {"", ".relu"};
    INSTRUCTION_EACH(e, eight) INSTRUCTION_EACH(r, relu) {
        instruction_add(list, "b16", "f32", "f32", NULL, "cvt.rn.satfinite%s.%s.f32", relu[r], eight[e]);
        instruction_add(list, "b16", "f16x2", NULL, NULL, "cvt.rn.satfinite%s.%s.f16x2", relu[r], eight[e]);
        instruction_add(list, "b32", "b16", NULL, NULL, "cvt.rn%s.f16x2.%s", relu[r], eight[e]);
    }
}

static inline void instruction_integer(struct instruction_list *list) {
    static const char *const types[] = {"u16", "s16", "u32", "s32", "u64", "s64"};
    static const char *const two[] = {"add", "sub", "mul.lo", "mul.hi", "div", "rem", "min", "max"};
    static const char *const wide[] = {"u32", "s32", "u64", "s64"};
    INSTRUCTION_EACH(t, types) {
        const char *type = types[t];
        INSTRUCTION_EACH(i, two) instruction_add(list, type, type, type, NULL, "%s.%s", two[i], type);
        instruction_add(list, type, type, type, type, "mad.lo.%s", type);
        instruction_add(list, type, type, type, type, "mad.hi.%s", type);
        instruction_add(list, type, type, type, type, "sad.%s", type);
        instruction_add(list, type, type, "u32", NULL, "shr.%s", type);
        if (*type == 's') {
            instruction_add(list, type, type, NULL, NULL, "abs.%s", type);
            instruction_add(list, type, type, NULL, NULL, "neg.%s", type);
        }
        if (t < 4) {
            instruction_add(list, wide[t], type, type, NULL, "mul.wide.%s", type);
            instruction_add(list, wide[t], type, type, wide[t], "mad.wide.%s", type);
        }
    }
    static const char *const words[] = {"u32", "s32"};
    INSTRUCTION_EACH(w, words) {
        const char *type = words[w];
        instruction_add(list, type, type, type, NULL, "mul24.lo.%s", type);
        instruction_add(list, type, type, type, NULL, "mul24.hi.%s", type);
        instruction_add(list, type, type, type, type, "mad24.lo.%s", type);
        instruction_add(list, type, type, type, type, "mad24.hi.%s", type);
        INSTRUCTION_EACH(v, words) {
            instruction_add(list, "b32", "b32", "b32", "b32", "dp4a.%s.%s", type, words[v]);
            instruction_add(list, "b32", "b32", "b32", "b32", "dp2a.lo.%s.%s", type, words[v]);
            instruction_add(list, "b32", "b32", "b32", "b32", "dp2a.hi.%s.%s", type, words[v]);
        }
        instruction_add(list, type, type, "u32", NULL, "szext.wrap.%s", type);
        instruction_add(list, type, type, "u32", NULL, "szext.clamp.%s", type);
    }
    static const char *const saturated[] = {"add.sat", "sub.sat", "min.relu", "max.relu"};
    INSTRUCTION_EACH(s, saturated) instruction_add(list, "s32", "s32", "s32", NULL, "%s.s32", saturated[s]);
    instruction_add(list, "s32", "s32", "s32", "s32", "mad.hi.sat.s32");
    instruction_add(list, "s32", "s32", "s32", "s32", "mad24.hi.sat.s32");
    static const char *const packed[] = {"add.u16x2", "add.s16x2", "min.u16x2",      "max.u16x2",
                                         "min.s16x2", "max.s16x2", "min.relu.s16x2", "max.relu.s16x2"};
    INSTRUCTION_EACH(p, packed) instruction_add(list, "b32", "b32", "b32", NULL, "%s", packed[p]);
}

static inline void instruction_bits(struct instruction_list *list) {
    static const char *const widths[] = {"b32", "b64"};
    static const char *const typed[] = {"u32", "s32", "u64", "s64"};
    INSTRUCTION_EACH(w, widths) {
        const char *type = widths[w];
        instruction_add(list, "u32", type, NULL, NULL, "popc.%s", type);
        instruction_add(list, "u32", type, NULL, NULL, "clz.%s", type);
        instruction_add(list, type, type, NULL, NULL, "brev.%s", type);
        instruction_add(list, type, type, type, "u32", "bfi.%s %%c", type);
    }
    list->count -= 2; /* bfi has four operands: below */
    INSTRUCTION_EACH(t, typed) {
        const char *type = typed[t];
        instruction_add(list, "u32", type, NULL, NULL, "bfind.%s", type);
        instruction_add(list, "u32", type, NULL, NULL, "bfind.shiftamt.%s", type);
        instruction_add(list, type, type, "u32", "u32", "bfe.%s", type);
    }
    for (int position = 0; position < 72; position += 9)
        INSTRUCTION_EACH(w, widths)
    instruction_add(list, widths[w], widths[w], widths[w], "u32", "bfi.%s %d", widths[w], position);
    instruction_add(list, "b32", "u32", "u32", NULL, "bmsk.wrap.b32");
    instruction_add(list, "b32", "u32", "u32", NULL, "bmsk.clamp.b32");
    instruction_add(list, "b32", "b32", "u32", "s32", "fns.b32");
    static const char *const bits[] = {"b16", "b32", "b64"};
    INSTRUCTION_EACH(b, bits) {
        const char *type = bits[b];
        instruction_add(list, type, type, type, NULL, "and.%s", type);
        instruction_add(list, type, type, type, NULL, "or.%s", type);
        instruction_add(list, type, type, type, NULL, "xor.%s", type);
        instruction_add(list, type, type, NULL, NULL, "not.%s", type);
        instruction_add(list, type, type, NULL, NULL, "cnot.%s", type);
        instruction_add(list, type, type, "u32", NULL, "shl.%s", type);
        instruction_add(list, type, type, type, "s32", "slct.%s.s32", type);
        instruction_add(list, type, type, type, "f32", "slct.%s.f32", type);
        instruction_add(list, type, type, type, "f32", "slct.ftz.%s.f32", type);
        instruction_add(list, type, type, type, "pred", "selp.%s", type);
    }
    for (int table = 0; table < 256; table += 5)
        instruction_add(list, "b32", "b32", "b32", "b32", "lop3.b32 %d", table);
    static const char *const funnels[] = {"l.wrap", "l.clamp", "r.wrap", "r.clamp"};
    INSTRUCTION_EACH(f, funnels) instruction_add(list, "b32", "b32", "b32", "u32", "shf.%s.b32", funnels[f]);
    static const char *const permutations[] = {"", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"};
    INSTRUCTION_EACH(p, permutations)
    instruction_add(list, "b32", "b32", "b32", "b32", "prmt.b32%s", permutations[p]);
}

static inline void instruction_comparisons(struct instruction_list *list) {
    static const char *const equal[] = {"eq", "ne"};
    static const char *const ordered[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    static const char *const same[] = {"lo", "ls", "hi", "hs"};
    static const char *const numbers[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                          "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
    static const char *const bits[] = {"b16", "b32", "b64"};
    static const char *const integers[] = {"u16", "s16", "u32", "s32", "u64", "s64"};
    static const char *const floats[] = {"f16", "bf16", "f32", "f64"};
    static const char *const combined[] = {"and", "or", "xor"};
    INSTRUCTION_EACH(t, bits)
    INSTRUCTION_EACH(c, equal)
    instruction_add(list, "pred", bits[t], bits[t], NULL, "setp.%s.%s", equal[c], bits[t]);
    INSTRUCTION_EACH(t, integers) {
        INSTRUCTION_EACH(c, ordered) {
            instruction_add(list, "pred", integers[t], integers[t], NULL, "setp.%s.%s", ordered[c],
                            integers[t]);
            instruction_add(list, "u32", integers[t], integers[t], NULL, "set.%s.u32.%s", ordered[c],
                            integers[t]);
            instruction_add(list, "f32", integers[t], integers[t], NULL, "set.%s.f32.%s", ordered[c],
                            integers[t]);
        }
        if (*integers[t] == 'u')
            INSTRUCTION_EACH(c, same)
        instruction_add(list, "pred", integers[t], integers[t], NULL, "setp.%s.%s", same[c], integers[t]);
        INSTRUCTION_EACH(b, combined)
        instruction_add(list, "pred", integers[t], integers[t], "pred", "setp.lt.%s.%s", combined[b],
                        integers[t]);
    }
    INSTRUCTION_EACH(t, floats) {
        INSTRUCTION_EACH(c, numbers) {
            instruction_add(list, "pred", floats[t], floats[t], NULL, "setp.%s.%s", numbers[c], floats[t]);
            instruction_add(list, "u32", floats[t], floats[t], NULL, "set.%s.u32.%s", numbers[c], floats[t]);
            if (t >= 2)
                instruction_add(list, "f32", floats[t], floats[t], NULL, "set.%s.f32.%s", numbers[c],
                                floats[t]);
        }
        INSTRUCTION_EACH(b, combined)
        instruction_add(list, "pred", floats[t], floats[t], "pred", "setp.ge.%s.%s", combined[b], floats[t]);
    }
    INSTRUCTION_EACH(c, numbers) {
        instruction_add(list, "pred", "f32", "f32", NULL, "setp.%s.ftz.f32", numbers[c]);
        instruction_add(list, "pred", "f16", "f16", NULL, "setp.%s.ftz.f16", numbers[c]);
    }
}

static inline void instruction_float(struct instruction_list *list) {
    static const char *const two[] = {"add", "sub", "mul"};
    static const char *const forms[] = {"", ".ftz", ".sat", ".ftz.sat"};
    static const char *const divided[] = {"div", "rcp", "sqrt"};
    static const char *const bounds[] = {"min", "max"};
    static const char *const propagate[] = {"", ".NaN"}, *const sign[] = {"", ".xorsign.abs"};
    INSTRUCTION_EACH(m, instruction_modes) {
        const char *mode = instruction_modes[m];
        INSTRUCTION_EACH(f, forms) {
            INSTRUCTION_EACH(i, two)
            instruction_add(list, "f32", "f32", "f32", NULL, "%s.%s%s.f32", two[i], mode, forms[f]);
            instruction_add(list, "f32", "f32", "f32", "f32", "fma.%s%s.f32", mode, forms[f]);
        }
        INSTRUCTION_EACH(i, two) instruction_add(list, "f64", "f64", "f64", NULL, "%s.%s.f64", two[i], mode);
        instruction_add(list, "f64", "f64", "f64", "f64", "fma.%s.f64", mode);
        INSTRUCTION_EACH(i, divided) {
            bool one = i > 0;
            instruction_add(list, "f32", "f32", one ? NULL : "f32", NULL, "%s.%s.f32", divided[i], mode);
            instruction_add(list, "f32", "f32", one ? NULL : "f32", NULL, "%s.%s.ftz.f32", divided[i], mode);
            instruction_add(list, "f64", "f64", one ? NULL : "f64", NULL, "%s.%s.f64", divided[i], mode);
        }
    }
    INSTRUCTION_EACH(b, bounds) {
        INSTRUCTION_EACH(p, propagate) INSTRUCTION_EACH(s, sign) {
            const char *more = propagate[p], *signs = sign[s];
            instruction_add(list, "f32", "f32", "f32", NULL, "%s%s%s.f32", bounds[b], more, signs);
            instruction_add(list, "f32", "f32", "f32", NULL, "%s.ftz%s%s.f32", bounds[b], more, signs);
            instruction_add(list, "f16", "f16", "f16", NULL, "%s%s%s.f16", bounds[b], more, signs);
            instruction_add(list, "f16", "f16", "f16", NULL, "%s.ftz%s%s.f16", bounds[b], more, signs);
            instruction_add(list, "f16x2", "f16x2", "f16x2", NULL, "%s%s%s.f16x2", bounds[b], more, signs);
            instruction_add(list, "bf16", "bf16", "bf16", NULL, "%s%s%s.bf16", bounds[b], more, signs);
            instruction_add(list, "bf16x2", "bf16x2", "bf16x2", NULL, "%s%s%s.bf16x2", bounds[b], more,
                            signs);
        }
        instruction_add(list, "f64", "f64", "f64", NULL, "%s.f64", bounds[b]);
    }
    static const char *const alone[] = {"abs.f32",     "abs.ftz.f32", "neg.f32",    "neg.ftz.f32",
                                        "abs.f64",     "neg.f64",     "abs.f16",    "neg.f16",
                                        "abs.ftz.f16", "neg.ftz.f16", "abs.f16x2",  "neg.f16x2",
                                        "abs.bf16",    "neg.bf16",    "abs.bf16x2", "neg.bf16x2"};
    INSTRUCTION_EACH(a, alone) {
        const char *type = strrchr(alone[a], '.') + 1;
        instruction_add(list, type, type, NULL, NULL, "%s", alone[a]);
    }
    instruction_add(list, "f32", "f32", "f32", NULL, "copysign.f32");
    instruction_add(list, "f64", "f64", "f64", NULL, "copysign.f64");
    static const char *const tests[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};
    INSTRUCTION_EACH(t, tests) {
        instruction_add(list, "pred", "f32", NULL, NULL, "testp.%s.f32", tests[t]);
        instruction_add(list, "pred", "f64", NULL, NULL, "testp.%s.f64", tests[t]);
    }
    static const char *const halves[] = {"f16", "f16x2"}, *const brains[] = {"bf16", "bf16x2"};
    INSTRUCTION_EACH(h, halves) {
        const char *type = halves[h];
        INSTRUCTION_EACH(f, forms) {
            INSTRUCTION_EACH(i, two)
            instruction_add(list, type, type, type, NULL, "%s.rn%s.%s", two[i], forms[f], type);
            instruction_add(list, type, type, type, type, "fma.rn%s.%s", forms[f], type);
        }
        instruction_add(list, type, type, type, type, "fma.rn.relu.%s", type);
        instruction_add(list, type, type, type, type, "fma.rn.ftz.relu.%s", type);
    }
    INSTRUCTION_EACH(h, brains) {
        const char *type = brains[h];
        INSTRUCTION_EACH(i, two) instruction_add(list, type, type, type, NULL, "%s.rn.%s", two[i], type);
        instruction_add(list, type, type, type, type, "fma.rn.%s", type);
        instruction_add(list, type, type, type, type, "fma.rn.relu.%s", type);
    }
}

/* Every lane has the mask of its group, and a source in that group. The complement says that the
 * source would have been outside the segment. */
static inline void instruction_shuffles(struct instruction_list *list) {
    static const char *const modes[] = {"up", "down", "bfly", "idx"};
    static const int segments[] = {32, 16, 8, 2};
    INSTRUCTION_EACH(m, modes) INSTRUCTION_EACH(s, segments) {
        struct instruction *item = &list->items[list->count++];
        *item = (struct instruction){.result = "b32", .operand = {"b32", "lane", "mask"}};
        snprintf(item->text, sizeof item->text,
                 "shfl.sync.%s.b32 %%d|%%p, %%a, %%b, %d, %%c; @!%%p not.b32 %%d, %%d;", modes[m],
                 (32 - segments[s]) << 8 | (m ? 31 : 0));
    }
}

/* Instructions whose last bits may differ within bounds that PTX states (PTX ISA 9.7.3). */
static inline void instruction_approximations(struct instruction_list *list) {
    static const char *const one[] = {"rcp", "sqrt", "rsqrt", "lg2", "ex2"}, *const ftz[] = {"", ".ftz"};
    static const char *const small[] = {"f16", "f16x2"}, *const brain[] = {"bf16", "bf16x2"};
    list->count = 0;
    INSTRUCTION_EACH(z, ftz) {
        INSTRUCTION_EACH(o, one)
        instruction_add(list, "f32", "f32", NULL, NULL, "%s.approx%s.f32", one[o], ftz[z]);
        instruction_add(list, "f32", "angle", NULL, NULL, "sin.approx%s.f32", ftz[z]);
        instruction_add(list, "f32", "angle", NULL, NULL, "cos.approx%s.f32", ftz[z]);
        instruction_add(list, "f32", "f32", "f32", NULL, "div.approx%s.f32", ftz[z]);
        instruction_add(list, "f32", "f32", "f32", NULL, "div.full%s.f32", ftz[z]);
    }
    instruction_add(list, "f32", "f32", NULL, NULL, "tanh.approx.f32");
    INSTRUCTION_EACH(h, small) {
        instruction_add(list, small[h], small[h], NULL, NULL, "ex2.approx.%s", small[h]);
        instruction_add(list, small[h], small[h], NULL, NULL, "tanh.approx.%s", small[h]);
        instruction_add(list, brain[h], brain[h], NULL, NULL, "ex2.approx.ftz.%s", brain[h]);
        instruction_add(list, brain[h], brain[h], NULL, NULL, "tanh.approx.%s", brain[h]);
    }
    instruction_add(list, "f64", "f64", NULL, NULL, "rcp.approx.ftz.f64");
    instruction_add(list, "f64", "f64", NULL, NULL, "rsqrt.approx.ftz.f64");
    instruction_add(list, "f64", "f64", NULL, NULL, "rsqrt.approx.f64");
}

static inline void instruction_list_all(struct instruction_list *list) {
    list->count = 0;
    instruction_conversions(list);
    instruction_integer(list);
    instruction_bits(list);
    instruction_comparisons(list);
    instruction_float(list);
    instruction_shuffles(list);
}

/* ---- operands */

static int instruction_bits_of(const char *type) {
    return strcmp(type, "pred") == 0       ? 0
           : type[strlen(type) - 2] == 'x' ? 32
                                           : atoi(strpbrk(type, "0123456789"));
}

/* A number of that format from 64 random bits: small integers and their halves, any size,
 * neighbours of powers of two, denormals, and no numbers. */
static uint64_t instruction_float_operand(uint64_t random, int digits, int exponents) {
    uint64_t fraction = random >> 12 & (((uint64_t)1 << digits) - 1), top = ((uint64_t)1 << exponents) - 1;
    uint64_t exponent = random >> 4 & top, sign = random >> 3 & 1, bias = top >> 1;
    switch (random & 7) {
    case 0: exponent = bias + (exponent % 70 < 66 ? exponent % 70 : 0); break; /* 1 to 2^65: integers */
    case 1:
        fraction &= fraction >> 1 & ((uint64_t)7 << (digits - 3));
        exponent = bias + exponent % 12 - 2;
        break;
    case 2: fraction = exponent & 1 ? ((uint64_t)1 << digits) - 1 - (fraction & 1) : fraction & 1; break;
    case 3: exponent = fraction & 16 ? 0 : 1 + (fraction & 3); break;
    case 4: exponent = bias + 13 + exponent % 6; break;  /* about half precision's largest */
    case 5: exponent = bias - 12 - exponent % 14; break; /* about its smallest */
    case 6:
        if (fraction & 1) /* any number */
            break;
        exponent = fraction & 8 ? top : 0;
        fraction = fraction & 16 ? fraction >> 5 : 0;
        break;
    }
    exponent = exponent > top ? top : exponent;
    return (sign << exponents | exponent) << digits | fraction;
}

static uint64_t instruction_operand(uint64_t *state, const char *type, bool special) {
    static const uint64_t edges[] = {0,
                                     1,
                                     2,
                                     31,
                                     32,
                                     33,
                                     0x7f,
                                     0x80,
                                     0xff,
                                     0x7fff,
                                     0x8000,
                                     0xffff,
                                     0x7fffffff,
                                     0x80000000,
                                     0xffffffff,
                                     0x7fffffffffffffff,
                                     0x8000000000000000,
                                     UINT64_MAX};
    uint64_t random = recorded_random(state), more = recorded_random(state);
    if (special && strchr(type, 'f') != NULL) /* only zeros, infinities and NaNs: case 6 above */
        random = (random & ~(uint64_t)0x1007) | 6, more = (more & ~(uint64_t)0x1007) | 6;
    if (strcmp(type, "f16") == 0)
        return instruction_float_operand(random, 10, 5);
    if (strcmp(type, "bf16") == 0)
        return instruction_float_operand(random, 7, 8);
    if (strcmp(type, "f16x2") == 0)
        return instruction_float_operand(random, 10, 5) << 16 | instruction_float_operand(more, 10, 5);
    if (strcmp(type, "bf16x2") == 0)
        return instruction_float_operand(random, 7, 8) << 16 | instruction_float_operand(more, 7, 8);
    if (strcmp(type, "f32") == 0)
        return instruction_float_operand(random, 23, 8);
    if (strcmp(type, "f64") == 0)
        return instruction_float_operand(random, 52, 11);
    if (strcmp(type, "angle") == 0) /* below 2 radians, where PTX states a bound; or no number */
        return (random & 15) ? (random >> 8 & 0x807fffff) | (115 + more % 13) << 23
                             : instruction_float_operand((random & ~(uint64_t)0x1007) | 6, 23, 8);
    switch (random & 3) {
    case 0: return edges[(random >> 8) % (sizeof edges / sizeof *edges)];
    case 1: return edges[(random >> 8) % (sizeof edges / sizeof *edges)] + (random >> 40 & 3) - 1;
    case 2: return more >> (random >> 8 & 63);
    default: return more;
    }
}

/* The lane that a shuffle takes from, by PTX ISA 9.7.9.6. */
static int instruction_source_lane(const char *text, int lane, int b) {
    int c = atoi(strstr(text, "%b,") + 3), segment = c >> 8, first = lane & segment;
    int last = first | ((c & 31) & ~segment);
    switch (text[10]) {
    case 'u': return lane - b >= last ? lane - b : lane;
    case 'd': return lane + b <= last ? lane + b : lane;
    case 'b': return (lane ^ b) <= last ? lane ^ b : lane;
    default: return (first | (b & ~segment)) <= last ? first | (b & ~segment) : lane;
    }
}

/* Groups of lanes in order; a lane with a source in another group (undefined) keeps its value. */
static inline void instruction_shuffle_operands(const struct instruction *instruction, uint64_t *operands) {
    uint64_t state = 4;
    for (int warp = 0; warp < INSTRUCTION_SETS / RECORDED_LANES; warp++) {
        int group[RECORDED_LANES];
        for (int lane = 0; lane < RECORDED_LANES; lane++)
            group[lane] = (int)(recorded_random(&state) & (uint64_t)((1 << (warp & 3)) - 1));
        for (int lane = 0; lane < RECORDED_LANES; lane++, operands += INSTRUCTION_OPERANDS) {
            uint64_t mask = 0, b = recorded_random(&state) & 31;
            for (int other = 0; other < RECORDED_LANES; other++)
                mask |= (uint64_t)(group[other] == group[lane]) << other;
            if (!(mask >> instruction_source_lane(instruction->text, lane, (int)b) & 1))
                b = instruction->text[10] == 'i' ? (uint64_t)lane : 0;
            operands[0] = recorded_random(&state), operands[1] = b, operands[2] = mask;
        }
    }
}

/* operands: INSTRUCTION_SETS times INSTRUCTION_OPERANDS words, of the types of that instruction. */
static inline void instruction_operands(const struct instruction *instruction, uint64_t *operands) {
    uint64_t state = 3;
    if (instruction->operand[2] != NULL && strcmp(instruction->operand[2], "mask") == 0) {
        instruction_shuffle_operands(instruction, operands);
        return;
    }
    for (int set = 0; set < INSTRUCTION_SETS; set++)
        for (int i = 0; i < INSTRUCTION_OPERANDS; i++) {
            uint64_t word = instruction->operand[i] != NULL
                                ? instruction_operand(&state, instruction->operand[i], set % 16 == 1)
                                : 0;
            if (i && set % 16 == 0) /* sometimes all operands are the same */
                word = operands[-1];
            *operands++ = word;
        }
}

/* ---- the kernel */

/* Eight-bit types are computed in 32-bit registers with any upper bits. */
static int instruction_register(const char *type) {
    if (strcmp(type, "angle") == 0 || strcmp(type, "lane") == 0 || strcmp(type, "mask") == 0)
        return 32;
    int bits = instruction_bits_of(type);
    return bits == 8 ? 32 : bits;
}

/* Kernel `name`(operands, results): a thread for each set; unused upper halves stay. */
static int instruction_print(const struct instruction *instruction, const char *name, char *text,
                             size_t size) {
    static const char letters[] = "abc";
    int at = snprintf(text, size,
                      ".visible .entry %s(.param .u64 operands, .param .u64 results) {\n"
                      "    .reg .b32 %%i, %%flag;\n    .reg .pred %%p;\n    .reg .b64 %%in, %%out;\n"
                      "    ld.param.u64 %%in, [operands];\n    ld.param.u64 %%out, [results];\n"
                      "    mov.u32 %%i, %%tid.x;\n    mov.u32 %%flag, %%ctaid.x;\n"
                      "    mad.lo.u32 %%i, %%flag, %d, %%i;\n"
                      "    mad.wide.u32 %%in, %%i, %d, %%in;\n    mad.wide.u32 %%out, %%i, 8, %%out;\n",
                      name, INSTRUCTION_BLOCK, 8 * INSTRUCTION_OPERANDS);
#define INSTRUCTION_SAY(...) at += snprintf(text + at, size - (size_t)at, __VA_ARGS__)
    for (int i = 0; i < INSTRUCTION_OPERANDS && instruction->operand[i] != NULL; i++) {
        int bits = instruction_register(instruction->operand[i]);
        if (bits)
            INSTRUCTION_SAY("    .reg .b%d %%%c;\n    ld.global.b%d %%%c, [%%in+%d];\n", bits, letters[i],
                            bits, letters[i], 8 * i);
        else
            INSTRUCTION_SAY("    .reg .pred %%%c;\n    ld.global.b32 %%flag, [%%in+%d];\n"
                            "    and.b32 %%flag, %%flag, 1;\n    setp.ne.u32 %%%c, %%flag, 0;\n",
                            letters[i], 8 * i, letters[i]);
    }
    int bits = instruction_register(instruction->result);
    if (bits)
        INSTRUCTION_SAY("    .reg .b%d %%d;\n    %s\n    st.global.b%d [%%out], %%d;\n", bits,
                        instruction->text, bits);
    else
        INSTRUCTION_SAY("    .reg .pred %%d;\n    %s\n    selp.b32 %%flag, 1, 0, %%d;\n"
                        "    st.global.b32 [%%out], %%flag;\n",
                        instruction->text);
    INSTRUCTION_SAY("    ret;\n}\n");
#undef INSTRUCTION_SAY
    return at;
}
