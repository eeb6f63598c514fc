/* kernel_file.h: which file of a submission counts, what keeps it from being judged, and
 * OUT/kernels, where each kernel is kept once under the SHA-256 of its bytes. */
#pragma once

#include "base/path.h"
#include "class/text.h"

#include <stdbool.h>
#include <stddef.h>

enum { KERNEL_LIMIT = 1 << 20, KERNEL_SHA256 = 65 };

void kernel_sha256(const uint8_t *bytes, size_t size, char sha256[KERNEL_SHA256]);
/* Write folder/SHA256.cu, unless it exists, whole or not at all. */
bool kernel_store_put(const char *folder, const uint8_t *bytes, size_t size, const char sha256[KERNEL_SHA256],
                      char *error, size_t error_size);
bool kernel_store_path(const char *folder, const char *sha256, char path[PATH_SIZE]);

/* Why these bytes are not taken as a kernel.cu, for the student, as the end of a sentence: "it
 * is empty"; NULL: they are. */
const char *kernel_refusal(const uint8_t *bytes, size_t size);

/* ---- what the place of a file in a submission tells of it */

/* Rank of a place, the larger the better: 2 in labs/labN-TOPIC/, 0 below solutions/ or grader/,
 * 1 elsewhere. *kit: only the kit has such a path. */
int place_rank(const char *path, bool *kit);
/* Is it CUDA by another name than kernel.cu: lab1.cu, kernel.cu.txt? */
bool place_is_odd_cuda(const char *path);
/* Is it a file that operating systems or git leave behind? */
bool place_is_systems(const char *path);

/* Are two sources equal, comments and blanks aside? Finds starter and solution. */
bool likeness_same(const char *one, size_t one_length, const char *other, size_t other_length);
/* Are they equal, numbers aside, too? A starter with other numbers is nobody's solution. */
bool likeness_same_but_numbers(const char *one, size_t one_length, const char *other, size_t other_length);
