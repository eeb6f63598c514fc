/* worksheet_time.c: the parts of a date, one after the other. Moodle's formats are %A, %d %B %Y, %I:%M %p and its
 * translations (strftimedaydatetime in lang/LANGUAGE/langconfig.php). */
#include "class/intake/roster.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WORD = 32 };

/* Small letters; no name stands for two months. English, German, French, Spanish, Italian, Portuguese, Dutch, Polish (as in
 * dates), Swedish and Danish, Czech (as in dates). */
static const char *const months[12] = {
    " january jan januar jänner janvier enero gennaio janeiro januari stycznia ledna ",
    " february feb februar février febrero febbraio fevereiro februari lutego února ",
    " march mar märz mars marzo março maart marca marts března ",
    " april apr avril abril aprile kwietnia dubna ",
    " may mai mayo maggio maio mei maja maj května ",
    " june jun juni juin junio giugno junho czerwca června ",
    " july jul juli juillet julio luglio julho lipca července ",
    " august aug août agosto augustus sierpnia augusti srpna ",
    " september sep sept septembre septiembre settembre setembro września září ",
    " october oct oktober octobre octubre ottobre outubro października říjen října ",
    " november nov novembre noviembre novembro listopada listopadu ",
    " december dec dezember décembre diciembre dicembre dezembro grudnia prosince ",
};

struct date {
    int day, month, year, hour, minute, second, half; /* -1: not seen; half: 0 before noon, 12 after */
    bool twice;
};

static void set(struct date *date, int *field, int value) {
    date->twice = date->twice || *field >= 0;
    *field = value;
}

static bool in_word(char c) {
    return isalpha((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* A word at *at: a month, the half of the day ("PM", "p.m.", "p. m."), or one that says nothing new. */
static void read_word(struct date *date, const char **at) {
    char word[WORD + 2] = " ";
    size_t length = 1;
    const char *c = *at;
    if ((tolower((unsigned char)*c) == 'a' || tolower((unsigned char)*c) == 'p') && c[1] == '.' &&
        tolower((unsigned char)c[2 + (c[2] == ' ')]) == 'm') {
        set(date, &date->half, tolower((unsigned char)*c) == 'p' ? 12 : 0);
        *at = c + 3 + (c[2] == ' ');
        return;
    }
    for (; in_word(*c); c++)
        if (length < WORD)
            word[length++] = (char)tolower((unsigned char)*c);
    word[length++] = ' ';
    word[length] = '\0';
    *at = c;
    if (strcmp(word, " am ") == 0 || strcmp(word, " pm ") == 0)
        set(date, &date->half, word[1] == 'p' ? 12 : 0);
    for (int m = 0; m < 12; m++)
        if (strstr(months[m], word) != NULL)
            set(date, &date->month, m);
}

/* Digits at *at: a time, a year or a day. */
static void read_figures(struct date *date, const char **at) {
    size_t length = strspn(*at, "0123456789");
    int value = length <= 4 ? atoi(*at) : -1;
    const char *end = *at + length;
    if (length <= 2 && *end == ':' && strspn(end + 1, "0123456789") == 2) {
        set(date, &date->hour, value);
        set(date, &date->minute, atoi(end + 1));
        end += 3;
        if (*end == ':' && strspn(end + 1, "0123456789") == 2) {
            set(date, &date->second, atoi(end + 1));
            end += 3;
        }
    } else if (length == 4) {
        set(date, &date->year, value);
    } else if (length <= 2) {
        set(date, &date->day, value);
    } else {
        date->twice = true;
    }
    *at = end;
}

bool worksheet_time_parse(const char *text, int64_t *seconds) {
    struct date d = {-1, -1, -1, -1, -1, -1, -1, false};
    while (*text != '\0')
        if (isdigit((unsigned char)*text))
            read_figures(&d, &text);
        else if (in_word(*text))
            read_word(&d, &text);
        else
            text++;
    if (d.twice || d.day < 1 || d.day > 31 || d.month < 0 || d.year < 1970 || d.hour < 0 || d.minute < 0 ||
        d.minute > 59 || d.second > 59 || d.hour > 23 || (d.half >= 0 && (d.hour < 1 || d.hour > 12)))
        return false;
    struct tm tm = {.tm_year = d.year - 1900,
                    .tm_mon = d.month,
                    .tm_mday = d.day,
                    .tm_hour = d.half >= 0 ? d.hour % 12 + d.half : d.hour,
                    .tm_min = d.minute,
                    .tm_sec = d.second > 0 ? d.second : 0,
                    .tm_isdst = -1};
    *seconds = (int64_t)mktime(&tm);
    return tm.tm_mday == d.day && tm.tm_mon == d.month; /* the 30th of February would have moved on */
}
