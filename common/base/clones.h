/* clones.h: CLONES before a function compiles it for each width of the host's vectors; the program picks
 * one as it starts. Not under the thread sanitizer, which cannot run what picks. */
#pragma once

#if defined __x86_64__ && !defined __clang__ && !defined __SANITIZE_THREAD__
#define CLONES __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define CLONES
#endif
