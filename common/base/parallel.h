/* parallel.h: long loops in several threads. What comes out does not depend on how many there are. */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include <stdbool.h>
#include <stddef.h>

/* Elements `from` to `to` - 1, of what the context is about; it runs beside the others, so it writes what is theirs alone. */
typedef void parallel_work(void *context, size_t from, size_t to);

/* All of 0 .. count - 1, in parts that begin at multiples of `step`, the last one perhaps shorter: a thread for each, not more
 * than there are cores, nor than eight. So what is not more than a step is done by the caller alone. */
void parallel_run(size_t count, size_t step, parallel_work *work, void *context);

/* memset, memcpy, and whether memcmp finds nothing. */
void parallel_fill(void *to, int byte, size_t bytes);
void parallel_copy(void *to, const void *from, size_t bytes);
bool parallel_same(const void *a, const void *b, size_t bytes);

#endif
