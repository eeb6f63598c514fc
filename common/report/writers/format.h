/* format.h: prints numbers alike everywhere: times, counts, ratios, bars. Plain ASCII but for
 * the ± of a band, so that columns line up in any log. Each function fills `text`, for which FORMAT_SIZE
 * is enough, and returns it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FORMAT_SIZE = 96 };

/* "105.6 us", "28.01 us", "1.234 ms": four significant digits; "-" for NAN. */
const char *format_time(char text[FORMAT_SIZE], double us);
/* "55.31 .. 55.42 us", "999.9 us .. 1.001 ms" */
const char *format_interval(char text[FORMAT_SIZE], double low_us, double high_us);
/* "30.4 M", "6272", "1.27 G": at most three decimals. */
const char *format_count(char text[FORMAT_SIZE], uint64_t count);
/* Every digit, in groups: "959,091,984". */
const char *format_grouped(char text[FORMAT_SIZE], uint64_t count);
/* "16.4 MB" (10^6 bytes). */
const char *format_bytes(char text[FORMAT_SIZE], uint64_t bytes);
/* "1.84x", "12.5x", "0.003x", "-" for NAN. */
const char *format_ratio(char text[FORMAT_SIZE], double ratio);
/* "± 9 %"; "" for NAN. */
const char *format_band(char text[FORMAT_SIZE], double share);
/* "53.69 us ± 9 %"; without a band "53.69 us". */
const char *format_banded_time(char text[FORMAT_SIZE], double us, double band);
/* "95 %", "<1 %", "-" for NAN; share is 0..1. */
const char *format_share(char text[FORMAT_SIZE], double share);
/* "1.8", "0.94", "30.4 M": at most four significant digits, no exponent; "-" for NAN. */
const char *format_number(char text[FORMAT_SIZE], double value);
/* `share` of `width` (at most FORMAT_SIZE - 1) as '#', the rest as '.'; NAN: blanks. */
const char *format_bar(char text[FORMAT_SIZE], double share, int width);
