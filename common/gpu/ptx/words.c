/* words.c: the tables of opcodes.h and words.h as arrays. */
#include "gpu/ptx/words.h"
#include "gpu/ptx/opcodes.h"
#include <string.h>

#define NATURE(opcode, mnemonic, forms, class, memory, lanes, control, members, predicate)                   \
    [opcode] = {mnemonic,          PTX_FORMS_##forms,     PTX_CLASS_##class,    PTX_MEMORY_##memory,         \
                PTX_LANES_##lanes, PTX_CONTROL_##control, PTX_SOURCE_##members, PTX_SOURCE_##predicate},
const struct ptx_nature ptx_natures[PTX_OPCODE_COUNT] = {PTX_OPCODES(NATURE)};

#define TYPE(type, word, bytes, kind, packed) [type] = {word, bytes, PTX_KIND_##kind, packed},
const struct ptx_type_nature ptx_types[PTX_TYPE_COUNT] = {PTX_TYPES(TYPE)};

#define FORM(form, family, word, printed) [form] = {word, printed, PTX_FORMS_##family},
const struct ptx_form_nature ptx_forms[PTX_FORM_COUNT] = {PTX_FORMS(FORM)};

#define SHAPE(shape, word, m, n, k) [shape] = {word, m, n, k},
const struct ptx_shape_nature ptx_shapes[PTX_SHAPE_COUNT] = {PTX_SHAPES(SHAPE)};

#define SPECIAL(special, word, bytes, between) [special] = {word, bytes, PTX_BETWEEN_##between},
const struct ptx_special_nature ptx_specials[PTX_SPECIAL_COUNT] = {PTX_SPECIALS(SPECIAL)};

#define FLAG(flag, bit, word) [bit] = word,
const char *const ptx_flag_words[PTX_FLAG_COUNT] = {PTX_FLAGS(FLAG)};

#define WORD(name, word) [name] = word,
const char *const ptx_space_words[PTX_SPACE_COUNT] = {PTX_SPACES(WORD)};
const char *const ptx_rounding_words[PTX_ROUNDING_COUNT] = {PTX_ROUNDINGS(WORD)};
const char *const ptx_compare_words[PTX_COMPARISON_COUNT] = {PTX_COMPARISONS(WORD)};

enum ptx_type ptx_type_of_word(const char *text, size_t length) {
    for (int type = PTX_PRED; type < PTX_TYPE_COUNT; type++)
        if (strlen(ptx_types[type].word) == length && memcmp(ptx_types[type].word, text, length) == 0)
            return (enum ptx_type)type;
    return PTX_NOTYPE;
}
