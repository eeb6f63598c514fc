/* worksheet_time.h: a time as Moodle's grading worksheet has it, in the words of the language that it was downloaded in. */
#ifndef CLASS_WORKSHEET_TIME_H
#define CLASS_WORKSHEET_TIME_H

#include <stdbool.h>
#include <stdint.h>

/* "Sunday, 1 March 2026, 4:24 PM", "domingo, 1 de marzo de 2026, 16:24": day, month's name, year and time, each once and in
 * any order. Moodle writes no zone: it is this machine's (TZ). Seconds since 1970. Any bytes are safe to pass. False: not all
 * of them, or a month's name that is not known. Months in figures are not read: 3/1 has two meanings. */
bool worksheet_time_parse(const char *text, int64_t *seconds);

#endif
