/* parallel.h: divides long loops among threads. Results do not depend on the number of threads. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Does elements [from, to). Concurrent calls, so each writes only what belongs to its elements. */
typedef void parallel_work(void *context, size_t from, size_t to);

/* Does elements [0, count) in parts that begin at multiples of `step`. Each part has a thread, with
 * at most one thread a core and eight in all. The caller does a single part itself. */
void parallel_run(size_t count, size_t step, parallel_work *work, void *context);

/* memset, memcpy, and memcmp == 0, in several threads. */
void parallel_fill(void *to, int byte, size_t bytes);
void parallel_copy(void *to, const void *from, size_t bytes);
bool parallel_same(const void *a, const void *b, size_t bytes);
