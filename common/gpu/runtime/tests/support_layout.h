/* support_layout.h: one release's structures as client/types.h lays them out, printed as programs/layout.cu
 * does. */
#ifndef RUNTIME_TESTS_SUPPORT_LAYOUT_H
#define RUNTIME_TESTS_SUPPORT_LAYOUT_H

#include <stdio.h>

void print_layout_11(FILE *file);
void print_layout_12(FILE *file);
void print_layout_13(FILE *file);

#endif
