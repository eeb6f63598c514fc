/* normal_form.c: names in Unicode's canonical decomposition (utf8proc), to be compared. */
#include "class/text.h"

#include "base/utf8.h"

#include <string.h>
#include <strings.h>
#include <utf8proc.h>

enum { PARTS = 8, BYTES = 4 }; /* of one character, of one part */

/* The parts of a character, as UTF-8; the number of bytes, 0: it stays as it is. */
static size_t decompose(uint32_t code, char form[PARTS * BYTES]) {
    utf8proc_int32_t parts[PARTS];
    int last_class = 0;
    utf8proc_ssize_t count =
        utf8proc_decompose_char((utf8proc_int32_t)code, parts, PARTS, UTF8PROC_DECOMPOSE, &last_class);
    size_t bytes = 0;
    for (utf8proc_ssize_t i = 0; i < count && count <= PARTS; i++)
        bytes += (size_t)utf8proc_encode_char(parts[i], (utf8proc_uint8_t *)form + bytes);
    return bytes;
}

void text_normal(char *to, size_t size, const char *name) {
    size_t used = 0, left = strlen(name);
    while (left > 0) {
        size_t length = utf8_length(name, left), bytes = 0;
        char form[PARTS * BYTES];
        if (length > 0)
            bytes = decompose(utf8_code_point(name, length), form);
        length = length == 0 ? 1 : length; /* a broken byte */
        if (bytes == 0)
            memcpy(form, name, bytes = length);
        if (used + bytes >= size)
            break;
        memcpy(to + used, form, bytes);
        used += bytes;
        name += length;
        left -= length;
    }
    to[used] = '\0';
}

static bool is_ascii(const char *text) {
    while (*text != '\0' && (unsigned char)*text < 0x80)
        text++;
    return *text == '\0';
}

bool text_same_name(const char *one, const char *other) {
    char a[1024], b[1024];
    if (is_ascii(one) && is_ascii(other)) /* most, and there are many */
        return strcasecmp(one, other) == 0;
    text_normal(a, sizeof a, one);
    text_normal(b, sizeof b, other);
    return strcasecmp(a, b) == 0;
}
