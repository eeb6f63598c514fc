/* demangle.h: turns a kernel's mangled name into the name in its source. */
#pragma once

#include <stddef.h>

/* Writes the function's name without its parameters: "_Z4blurPKhPhii" becomes "blur",
 * "_ZN3lab4tileILi16EfEEvPf" becomes "lab::tile<16, float>". Of a nested name with substitutions or
 * expressions the end is written: "for_each::static_kernel<...>". Others are copied. `text` ends
 * with a NUL; `size` is at least 1. */
void demangle_kernel(const char *mangled, char *text, size_t size);
