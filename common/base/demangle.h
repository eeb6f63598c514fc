/* demangle.h: a kernel's name as its author wrote it. */
#ifndef BASE_DEMANGLE_H
#define BASE_DEMANGLE_H

#include <stddef.h>

/*
 * Write the function's name without its parameters: "_Z4blurPKhPhii" becomes "blur",
 * "_ZN3lab4tileILi16EfEEvPf" becomes "lab::tile<16, float>". Names that are not mangled, or mangled beyond
 * this (substitutions, expressions), are copied unchanged. Always ends `text` with a NUL; `size` at least 1.
 */
void demangle_kernel(const char *mangled, char *text, size_t size);

#endif
