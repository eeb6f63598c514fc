/* utf8.h: which bytes are text. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>

/* Length of the UTF-8 sequence that begins at `text`, of which `size` bytes are left; 0: none does (a broken or
 * overlong form, a surrogate, no byte left). */
size_t utf8_length(const char *text, size_t size);

#endif
