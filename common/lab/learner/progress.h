/* progress.h: a line on a terminal while something takes longer than a second; nothing anywhere
 * else. */
#pragma once

__attribute__((format(printf, 1, 2))) void progress_show(const char *format, ...);
/* A bar: `done` of `all`, and what is at work now. */
void progress_bar(unsigned done, unsigned all, const char *what);
/* What was shown last is still at work: its kernel has executed so many warp instructions. */
void progress_running(double instructions);
void progress_clear(void);
