/*
 * bundle.h: what is handed in for a lab of small tasks: several files, task01-launch.cu and so on,
 * which are kept and judged as one: one after the other, each behind a line that names it.
 *
 *   //// task01-launch.cu 1234 bytes
 */
#pragma once

#include "class/intake/draft.h"

/* Is it a task's file by its name, task01-launch.cu? Platforms may add a number behind it. */
bool bundle_is_task(const char *file);

/* Put a task's file into the draft, or note why not: the better one of each task counts, by the rules
 * for a kernel.cu. refusal: why it is not taken; NULL: it is. */
void bundle_put(struct drafts *drafts, struct draft *draft, const char *path, const char *file,
                const struct draft_place *place, const char *refusal, const uint8_t *bytes, size_t size);

/* Make a kernel of each draft's files, in `store` (NULL: in none). False and one line. */
bool bundle_keep(struct drafts *drafts, const char *store, char *error, size_t size);

/* The same of all tasks' files in a folder, for the caller to free. NULL and one line. */
char *bundle_of_folder(const char *folder, size_t *length, char *error, size_t size);
