/* utf8.h: characters of UTF-8 text. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the UTF-8 sequence at `text`, of which `size` bytes are left. 0: there is none, because the form is broken
 * or overlong, a surrogate, or no byte is left. */
size_t utf8_length(const char *text, size_t size);

/* The code point of a whole sequence of that length. */
uint32_t utf8_code_point(const char *text, size_t length);

#endif
