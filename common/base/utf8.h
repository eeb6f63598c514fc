/* utf8.h: reads characters of UTF-8 text. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Bytes of the UTF-8 sequence at the start of `text`, which has `size` bytes. 0: there is none: the
 * sequence is malformed, overlong or a surrogate, or size is 0. */
size_t utf8_length(const char *text, size_t size);

/* The code point of a whole sequence of `length` bytes. */
uint32_t utf8_code_point(const char *text, size_t length);
