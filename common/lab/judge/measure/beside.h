/* beside.h: the simulated runs of starter and reference, which stand beside a student's: measured once for all that
 * they depend on. */
#ifndef LAB_BESIDE_H
#define LAB_BESIDE_H

#include "report/document/report.h"
#include "lab/settings.h"

enum { BESIDE_KEY = 17 };

/* A hash, as 16 hexadecimal digits, of what these runs depend on besides GPU, size and seed: the simulator, this
 * program, starter and reference, the data of the lab and of the GPU, the picture. Good against change, not against
 * forgery. False and one line when one of them cannot be read. */
bool beside_key(const struct settings *settings, char key[BESIDE_KEY], char *error, size_t size);

/* A report with the runs "starter" (or "baseline"), "reference" and "copy" of each part: read from `folder`, where it
 * lies under `key`, or measured and put there. Several processes may do so at once. False and one line when it cannot
 * be had. */
bool beside_load(const struct settings *settings, const char *key, const char *folder, struct report *beside,
                 char *error, size_t size);

#endif
