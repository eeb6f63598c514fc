/* progress.h: a line on a terminal while something takes longer than a second; nothing anywhere else. */
#ifndef HARNESS_PROGRESS_H
#define HARNESS_PROGRESS_H

__attribute__((format(printf, 1, 2))) void progress_show(const char *format, ...);
void progress_clear(void);

#endif
