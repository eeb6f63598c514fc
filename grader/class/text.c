/* Names, times and messages that come from outside. */
#include "class/text.h"

#include "base/utf8.h"

#include <ctype.h>
#include <sha2.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

/* Characters that show nothing themselves and change how what is beside them looks: controls, line and paragraph
 * separators, marks of direction, and what text never holds. Joiners stay: names are written with them. */
static bool is_unseen(uint32_t code) {
    static const struct {
        uint32_t first, last;
    } ranges[] = {{0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},      {0x61c, 0x61c},   {0x180e, 0x180e},
                  {0x200b, 0x200b}, {0x200e, 0x200f}, {0x2028, 0x202e},  {0x2060, 0x206f}, {0xfeff, 0xfeff},
                  {0xfff0, 0xfffb}, {0xfffe, 0xffff}, {0xe0000, 0xe0fff}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    return false;
}

void text_clean(char *to, size_t size, const char *from) {
    const unsigned char *at = (const unsigned char *)from;
    size_t left = strlen(from), used = 0;
    while (left > 0) {
        size_t length = utf8_length((const char *)at, left);
        bool plain = length > 0 && !is_unseen(utf8_code_point((const char *)at, length));
        size_t taken = length > 0 ? length : 1, written = plain ? length : 1;
        if (used + written >= size)
            break;
        if (plain)
            memcpy(to + used, at, length);
        else
            to[used] = '?';
        used += written;
        at += taken;
        left -= taken;
    }
    to[used] = '\0';
}

bool text_is_utf8(const uint8_t *bytes, size_t size) {
    for (size_t at = 0; at < size;) {
        size_t length = utf8_length((const char *)bytes + at, size - at);
        if (length == 0)
            return false;
        at += length;
    }
    return true;
}

void text_file_name(char to[TEXT_FILE_NAME], const char *name) {
    enum { KEPT = 48, HASH = 12 };
    size_t used = 0;
    bool changed = *name == '\0' || *name == '.' || *name == '-';
    for (const char *c = name; *c != '\0'; c++) {
        bool plain = isascii((unsigned char)*c) && (isalnum((unsigned char)*c) || strchr(".-_", *c) != NULL);
        if (used == KEPT) {
            changed = true;
            break;
        }
        to[used++] = (char)(plain ? *c : '_');
        changed = changed || !plain;
    }
    to[used] = '\0';
    if (used > 0 && (to[0] == '.' || to[0] == '-'))
        to[0] = '_';
    if (changed) {
        char digest[SHA256_DIGEST_STRING_LENGTH];
        SHA256Data((const uint8_t *)name, strlen(name), digest);
        snprintf(to + used, TEXT_FILE_NAME - used, "-%.*s", HASH, digest);
    }
}

static bool parse_zone(const char *text, int64_t *offset, bool *local) {
    int hours, minutes, used = 0;
    char sign;
    *local = *text == '\0';
    *offset = 0;
    if (*local || strcmp(text, "Z") == 0 || strcmp(text, "UTC") == 0)
        return true;
    if ((sscanf(text, "%c%2d:%2d%n", &sign, &hours, &minutes, &used) != 3 &&
         sscanf(text, "%c%2d%2d%n", &sign, &hours, &minutes, &used) != 3) ||
        text[used] != '\0' || (sign != '+' && sign != '-') || hours < 0 || hours > 14 || minutes < 0 ||
        minutes > 59)
        return false;
    *offset = (hours * 60 + minutes) * 60 * (sign == '+' ? 1 : -1);
    return true;
}

bool text_parse_time(const char *text, int64_t *seconds) {
    struct tm tm = {0};
    int used = 0;
    char separator;
    while (isspace((unsigned char)*text))
        text++;
    if (sscanf(text, "%4d-%2d-%2d%c%2d:%2d%n", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &separator, &tm.tm_hour,
               &tm.tm_min, &used) != 6 ||
        used == 0 || (separator != ' ' && separator != 'T'))
        return false;
    text += used;
    if (sscanf(text, ":%2d%n", &tm.tm_sec, &used) == 1)
        text += used;
    if (*text == '.')
        text += 1 + strspn(text + 1, "0123456789");
    text += strspn(text, " ");
    char zone[16];
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    if (length >= sizeof zone)
        return false;
    memcpy(zone, text, length);
    zone[length] = '\0';
    int64_t offset;
    bool local;
    if (!parse_zone(zone, &offset, &local) || tm.tm_year < 1970 || tm.tm_year > 9999 || tm.tm_mon < 1 ||
        tm.tm_mon > 12 || tm.tm_mday < 1 || tm.tm_mday > 31 || tm.tm_hour < 0 || tm.tm_hour > 24 ||
        tm.tm_min < 0 || tm.tm_min > 59 || tm.tm_sec < 0 || tm.tm_sec > 60)
        return false;
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    tm.tm_isdst = -1;
    int day = tm.tm_mday;
    *seconds = local ? (int64_t)mktime(&tm) : (int64_t)timegm(&tm) - offset;
    return tm.tm_mday == day || tm.tm_hour == 0; /* the 30th of February would have moved on; 24:00 may */
}

const char *text_format_time(char text[TEXT_TIME], int64_t seconds) {
    time_t time = (time_t)seconds;
    struct tm tm;
    text[0] = '\0';
    if (seconds > 0 && gmtime_r(&time, &tm) != NULL)
        strftime(text, TEXT_TIME, "%Y-%m-%dT%H:%M:%SZ", &tm);
    return text;
}

/* Does a spreadsheet take it for a formula? By its first character that is not a space of some kind: a sign in any of its
 * widths. */
static bool is_formula(const char *text) {
    static const char *const spaces[] = {" ", "\xc2\xa0", "\xe3\x80\x80"};
    // clang-format off
    static const char *const signs[] = {
        "=", "+", "-", "@", "\t", "\r", "\n", "\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d", "\xef\xbc\xa0",
        "\xef\xb9\xa6", "\xef\xb9\xa2", "\xef\xb9\xa3", "\xef\xb9\xab", "\xe2\x88\x92"};
    // clang-format on
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (strncmp(text, spaces[i], strlen(spaces[i])) == 0) {
            text += strlen(spaces[i]);
            i = (size_t)-1; /* from the first again */
        }
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(text, signs[i], strlen(signs[i])) == 0)
            return true;
    return false;
}

void text_csv(FILE *to, const char *text) {
    bool formula = is_formula(text);
    if (!formula && strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, to);
        return;
    }
    fputs(formula ? "\"'" : "\"", to);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', to);
        fputc(*text, to);
    }
    fputc('"', to);
}

void text_append(char *to, size_t size, const char *format, ...) {
    size_t used = strlen(to);
    char raw[TEXT_ERROR];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(raw, sizeof raw, format, arguments);
    va_end(arguments);
    if (used > 0 && used + 1 < size)
        to[used++] = ' ';
    if (used < size)
        text_clean(to + used, size - used, raw);
}
