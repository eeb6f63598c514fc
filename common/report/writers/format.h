/*
 * format.h: how numbers look, everywhere the same: times, counts, ratios, bars. Plain ASCII, so
 * that columns line up on any terminal and in any log. Each function fills `text` and returns it;
 * FORMAT_SIZE is always enough.
 */
#ifndef REPORT_FORMAT_H
#define REPORT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FORMAT_SIZE = 96 };

/* "105.6 us", "28.01 us", "1.234 ms", "-" for NAN: four significant digits. */
const char *format_time(char text[FORMAT_SIZE], double us);
/* "55.31 .. 55.42 us", "999.9 us .. 1.001 ms" */
const char *format_interval(char text[FORMAT_SIZE], double low_us, double high_us);
/* "30.4 M", "6272", "1.27 G": at most three decimals of its unit. */
const char *format_count(char text[FORMAT_SIZE], uint64_t count);
/* Every digit, in groups: "959,091,984". */
const char *format_grouped(char text[FORMAT_SIZE], uint64_t count);
/* "16.4 MB" (10^6 bytes). */
const char *format_bytes(char text[FORMAT_SIZE], uint64_t bytes);
/* "1.84x", "12.5x", "0.003x", "-" for NAN. */
const char *format_ratio(char text[FORMAT_SIZE], double ratio);
/* "95 %", "<1 %", "-" for NAN; share is 0..1. */
const char *format_share(char text[FORMAT_SIZE], double share);
/* A plain number: "1.8", "0.94", "30.4 M", "-" for NAN: at most four significant digits, no
 * exponent. */
const char *format_number(char text[FORMAT_SIZE], double value);
/* share of `width` (at most FORMAT_SIZE - 1) as '#', the rest as '.'; NAN: blanks. */
const char *format_bar(char text[FORMAT_SIZE], double share, int width);

#endif
