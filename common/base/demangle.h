/* demangle.h: a kernel's name as its author wrote it. */
#ifndef BASE_DEMANGLE_H
#define BASE_DEMANGLE_H

#include <stddef.h>

/*
 * Writes the function's name without its parameters: "_Z4blurPKhPhii" becomes "blur", "_ZN3lab4tileILi16EfEEvPf"
 * becomes "lab::tile<16, float>". Names that are not mangled, or that hold substitutions or expressions, are copied
 * unchanged. `text` always ends with a NUL; `size` is at least 1.
 */
void demangle_kernel(const char *mangled, char *text, size_t size);

#endif
