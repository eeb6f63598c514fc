#include "analysis/format.h"

#include <math.h>
#include <string.h>

/* Four significant digits, never an exponent: 9.999, 28.01, 105.6, 1234 */
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

const char *format_bytes(char text[FORMAT_SIZE], uint64_t bytes) {
    return scaled(text, bytes, "B", true);
}

const char *format_ratio(char text[FORMAT_SIZE], double ratio) {
    if (!isfinite(ratio))
        return strcpy(text, "-");
    snprintf(text, FORMAT_SIZE, "%.*fx", fabs(ratio) < 9.995 ? 2 : fabs(ratio) < 99.95 ? 1 : 0, ratio);
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
    /* 1.80 is 1.8, 40.00 is 40 */
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

void format_wrap(FILE *to, const char *first, const char *rest, const char *text) {
    size_t column = strlen(first);
    fputs(first, to);
    bool fresh = true;
    while (*text != '\0') {
        size_t word = strcspn(text, " \n");
        if (strncmp(text + word, " %", 2) == 0 && word > 0) /* a number keeps its sign */
            word += 1 + strcspn(text + word + 1, " \n");
        if (word > 0) {
            if (!fresh && column + 1 + word > FORMAT_COLUMNS) {
                fprintf(to, "\n%s", rest);
                column = strlen(rest);
                fresh = true;
            }
            if (!fresh)
                fputc(' ', to);
            fwrite(text, 1, word, to);
            column += word + (fresh ? 0 : 1);
            fresh = false;
        }
        text += word;
        text += strspn(text, " \n");
    }
    fputc('\n', to);
}

const char *format_bold(bool colour) {
    return colour ? "\033[1m" : "";
}
const char *format_red(bool colour) {
    return colour ? "\033[31m" : "";
}
const char *format_yellow(bool colour) {
    return colour ? "\033[33m" : "";
}
const char *format_green(bool colour) {
    return colour ? "\033[32m" : "";
}
const char *format_dim(bool colour) {
    return colour ? "\033[2m" : "";
}
const char *format_plain(bool colour) {
    return colour ? "\033[0m" : "";
}
