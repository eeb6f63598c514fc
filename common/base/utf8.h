/* utf8.h: which bytes are text, and of which characters. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Length of the UTF-8 sequence that begins at `text`, of which `size` bytes are left; 0: none does (a broken or
 * overlong form, a surrogate, no byte left). */
size_t utf8_length(const char *text, size_t size);

/* The code point of a whole sequence of that length. */
uint32_t utf8_code_point(const char *text, size_t length);

#endif
