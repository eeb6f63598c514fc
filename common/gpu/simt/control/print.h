/* print.h: device printf. Private to simt/. */
#ifndef SIMT_PRINT_H
#define SIMT_PRINT_H

#include "gpu/simt/control/warp.h"

/* The string at a generic address as one thread sees it, cut to size; false: not readable. */
bool simt_lane_string(const struct window_header *window, uint32_t lane, uint64_t address, char *text,
                      size_t size);
/* printf as one thread calls it. Returns the number of arguments, -1 on error, as the CUDA function does. */
int32_t simt_lane_print(struct window_header *window, uint32_t lane, uint64_t format_address,
                        uint64_t arguments_address);

#endif
