/* format.c: prints numbers. */
#include "report/writers/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Prints four significant digits without an exponent: 9.999, 28.01, 105.6, 1234. */
static const char *digits(char text[FORMAT_SIZE], double value, const char *unit) {
    double size = fabs(value);
    int decimals = size < 9.9995 ? 3 : size < 99.995 ? 2 : size < 999.95 ? 1 : 0;
    snprintf(text, FORMAT_SIZE, "%.*f%s", decimals, value, unit);
    return text;
}

const char *format_time(char text[FORMAT_SIZE], double us) {
    if (!isfinite(us))
        return strcpy(text, "-");
    if (fabs(us) < 999.95)
        return digits(text, us, " us");
    if (fabs(us) < 999950)
        return digits(text, us / 1e3, " ms");
    return digits(text, us / 1e6, " s");
}

static const char *scaled(char text[FORMAT_SIZE], uint64_t count, const char *unit, bool gap) {
    static const char prefixes[] = {'\0', 'k', 'M', 'G', 'T', 'P', 'E'};
    double value = (double)count;
    int step = 0;
    while (value >= 9999.5 || (step > 0 && value >= 999.5)) {
        value /= 1000;
        step++;
    }
    if (step == 0)
        snprintf(text, FORMAT_SIZE, "%.0f%s%s", value, gap ? " " : "", unit);
    else
        snprintf(text, FORMAT_SIZE, "%.*f %c%s",
                 value < 9.995   ? 2
                 : value < 99.95 ? 1
                                 : 0,
                 value, prefixes[step], unit);
    return text;
}

const char *format_count(char text[FORMAT_SIZE], uint64_t count) {
    return scaled(text, count, "", false);
}

const char *format_grouped(char text[FORMAT_SIZE], uint64_t count) {
    char plain[32];
    size_t length = (size_t)snprintf(plain, sizeof plain, "%llu", (unsigned long long)count), used = 0;
    for (size_t i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            text[used++] = ',';
        text[used++] = plain[i];
    }
    text[used] = '\0';
    return text;
}

const char *format_bytes(char text[FORMAT_SIZE], uint64_t bytes) {
    return scaled(text, bytes, "B", true);
}

const char *format_interval(char text[FORMAT_SIZE], double low, double high) {
    char from[FORMAT_SIZE], to[FORMAT_SIZE];
    const char *low_unit = strchr(format_time(from, low), ' '),
               *high_unit = strchr(format_time(to, high), ' ');
    bool same = low_unit != NULL && high_unit != NULL && strcmp(low_unit, high_unit) == 0;
    snprintf(text, FORMAT_SIZE, "%.*s .. %.40s", same ? (int)(low_unit - from) : 40, from, to);
    return text;
}

const char *format_ratio(char text[FORMAT_SIZE], double ratio) {
    if (!isfinite(ratio))
        return strcpy(text, "-");
    double size = fabs(ratio);
    if (size > 0 && size < 0.0995)
        snprintf(text, FORMAT_SIZE, "%.1gx", ratio);
    else
        snprintf(text, FORMAT_SIZE, "%.*fx", size < 9.995 ? 2 : size < 99.95 ? 1 : 0, ratio);
    return text;
}

const char *format_band(char text[FORMAT_SIZE], double share) {
    text[0] = '\0';
    if (isfinite(share))
        snprintf(text, FORMAT_SIZE, "± %.0f %%", share * 100);
    return text;
}

const char *format_banded_time(char text[FORMAT_SIZE], double us, double band) {
    char within[FORMAT_SIZE];
    format_time(text, us);
    if (isfinite(us) && isfinite(band))
        snprintf(text + strlen(text), FORMAT_SIZE - strlen(text), " %.20s", format_band(within, band));
    return text;
}

const char *format_share(char text[FORMAT_SIZE], double share) {
    if (!isfinite(share))
        return strcpy(text, "-");
    if (share > 0 && share < 0.005)
        return strcpy(text, "<1 %");
    snprintf(text, FORMAT_SIZE, "%.0f %%", share * 100);
    return text;
}

const char *format_number(char text[FORMAT_SIZE], double value) {
    if (!isfinite(value))
        return strcpy(text, "-");
    if (value >= 999999.5 && value < 1e18)
        return format_count(text, (uint64_t)value);
    snprintf(text, FORMAT_SIZE, "%.*f", fabs(value) < 99.995 ? 2 : fabs(value) < 999.95 ? 1 : 0, value);
    /* 1.80 becomes 1.8, 40.00 becomes 40. */
    if (strchr(text, '.') != NULL) {
        size_t length = strlen(text);
        while (text[length - 1] == '0')
            text[--length] = '\0';
        if (text[length - 1] == '.')
            text[length - 1] = '\0';
    }
    return text;
}

const char *format_bar(char text[FORMAT_SIZE], double share, int width) {
    if (width > FORMAT_SIZE - 1)
        width = FORMAT_SIZE - 1;
    memset(text, isfinite(share) ? '.' : ' ', (size_t)width);
    text[width] = '\0';
    if (isfinite(share) && share > 0) {
        double filled = floor(share * width + 0.5);
        memset(text, '#', (size_t)(filled > width ? width : filled));
    }
    return text;
}
