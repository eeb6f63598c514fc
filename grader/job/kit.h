/* kit.h: which version of the kit a result was made with. */
#ifndef JOB_KIT_H
#define JOB_KIT_H

#include "lab/settings.h"

enum { KIT_TEXT = 17, KIT_SHA256_TEXT = 65 };

/* A hash, as 16 hexadecimal digits, of everything a simulated result depends on besides the submission, the
 * size and the seed: simulator, runtime library, judge, starter and reference, the data of the lab and of the
 * GPU, the compiler's release. The settings are resolved. False and one line when one of them cannot be read
 * (they are not built, most likely). */
bool kit_version(const struct settings *settings, const char *toolkit_release, char version[KIT_TEXT],
                 char *error, size_t size);

/* SHA-256 of a file, as text. False when it cannot be read. */
bool kit_file_sha256(const char *path, char text[KIT_SHA256_TEXT]);

#endif
