/* likeness.h: is a kernel the very one that everybody has? */
#ifndef CLASS_LIKENESS_H
#define CLASS_LIKENESS_H

#include <stdbool.h>
#include <stddef.h>

/* Two sources, compared without their comments and blanks. */
bool likeness_same(const char *one, size_t one_length, const char *other, size_t other_length);

#endif
