/* types.c: the type suffixes: name, size, kind. PTX ISA 9.0, section 5.2. */
#include "ptx/internal.h"
#include <string.h>

static const struct {
    const char *name;
    uint8_t bytes;
    char kind; /* p predicate, b bits, u unsigned, s signed, f float */
} types[] = {
    [PTX_NOTYPE] = {"", 0, '-'},       [PTX_PRED] = {"pred", 0, 'p'},   [PTX_B8] = {"b8", 1, 'b'},
    [PTX_B16] = {"b16", 2, 'b'},       [PTX_B32] = {"b32", 4, 'b'},     [PTX_B64] = {"b64", 8, 'b'},
    [PTX_B128] = {"b128", 16, 'b'},    [PTX_U8] = {"u8", 1, 'u'},       [PTX_U16] = {"u16", 2, 'u'},
    [PTX_U32] = {"u32", 4, 'u'},       [PTX_U64] = {"u64", 8, 'u'},     [PTX_S8] = {"s8", 1, 's'},
    [PTX_S16] = {"s16", 2, 's'},       [PTX_S32] = {"s32", 4, 's'},     [PTX_S64] = {"s64", 8, 's'},
    [PTX_F16] = {"f16", 2, 'f'},       [PTX_F16X2] = {"f16x2", 4, 'f'}, [PTX_BF16] = {"bf16", 2, 'f'},
    [PTX_BF16X2] = {"bf16x2", 4, 'f'}, [PTX_F32] = {"f32", 4, 'f'},     [PTX_F64] = {"f64", 8, 'f'},
    [PTX_U16X2] = {"u16x2", 4, 'u'},   [PTX_S16X2] = {"s16x2", 4, 's'},
};
enum { TYPE_COUNT = sizeof types / sizeof *types };

uint32_t ptx_type_bytes(enum ptx_type type) {
    return (unsigned)type < TYPE_COUNT ? types[type].bytes : 0;
}
const char *ptx_type_name(enum ptx_type type) {
    return (unsigned)type < TYPE_COUNT ? types[type].name : "?";
}
bool ptx_type_is_float(enum ptx_type type) {
    return types[type].kind == 'f';
}

enum ptx_type ptx_type_of_word(const char *text, size_t length) {
    for (int i = PTX_PRED; i < TYPE_COUNT; i++)
        if (strlen(types[i].name) == length && memcmp(types[i].name, text, length) == 0)
            return (enum ptx_type)i;
    return PTX_NOTYPE;
}
