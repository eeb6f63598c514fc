/* formula.c: arithmetic by recursive descent over places in the repository's recordings. */
#include "slides/formula.h"

#include "base/ini.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 512, DEEPEST = 16 };

struct parser {
    struct data *data;
    const char *at;
    char *error;
    size_t size;
    unsigned depth;
};

static bool refuse(struct parser *parser, const char *what) {
    snprintf(parser->error, parser->size, "%s at '%.40s'", what, parser->at);
    return false;
}

static bool next_is(struct parser *parser, char wanted) {
    parser->at += strspn(parser->at, " ");
    if (*parser->at != wanted)
        return false;
    parser->at++;
    return true;
}

struct place {
    char text[LONGEST];
    const char *set, *row, *column;
    bool optional;
};

/* "[set; row; column]" and "?" behind it; parser->at stands at the bracket. */
static bool read_place(struct parser *parser, struct place *place) {
    const char *end = strchr(parser->at, ']');
    if (end == NULL || (size_t)(end - parser->at) >= sizeof place->text)
        return refuse(parser, "a place is [set; row; column]");
    snprintf(place->text, sizeof place->text, "%.*s", (int)(end - parser->at - 1), parser->at + 1);
    char *row = strchr(place->text, ';');
    char *column = row != NULL ? strchr(row + 1, ';') : NULL;
    if (column == NULL)
        return refuse(parser, "a place is [set; row; column]");
    *row = *column = '\0';
    place->set = ini_trim(place->text);
    place->row = ini_trim(row + 1);
    place->column = ini_trim(column + 1);
    parser->at = end + 1;
    place->optional = *parser->at == '?';
    parser->at += place->optional;
    return true;
}

static bool sum(struct parser *parser, double *value);

// NOLINTNEXTLINE(misc-no-recursion): parentheses, DEEPEST at most
static bool factor(struct parser *parser, double *value) {
    parser->at += strspn(parser->at, " ");
    if (*parser->at == '[') {
        struct place place;
        return read_place(parser, &place) && data_number(parser->data, place.set, place.row, place.column,
                                                         place.optional, value, parser->error, parser->size);
    }
    bool cut = strncmp(parser->at, "floor(", 6) == 0;
    parser->at += cut ? 5 : 0;
    if (next_is(parser, '(')) {
        if (++parser->depth > DEEPEST)
            return refuse(parser, "too many parentheses");
        if (!sum(parser, value))
            return false;
        parser->depth--;
        *value = cut ? floor(*value) : *value;
        return next_is(parser, ')') || refuse(parser, "')' is missing");
    }
    if (!isdigit((unsigned char)*parser->at))
        return refuse(parser, "a number, a place or '(' is missing");
    char *end;
    *value = strtod(parser->at, &end);
    parser->at = end;
    return true;
}

// NOLINTNEXTLINE(misc-no-recursion): as above
static bool product(struct parser *parser, double *value) {
    if (!factor(parser, value))
        return false;
    for (;;) {
        bool times = next_is(parser, '*');
        double right;
        if (!times && !next_is(parser, '/'))
            return true;
        if (!factor(parser, &right))
            return false;
        if (!times && right == 0)
            return refuse(parser, "division by zero, which ends");
        *value = times ? *value * right : *value / right;
    }
}

// NOLINTNEXTLINE(misc-no-recursion): as above
static bool sum(struct parser *parser, double *value) {
    if (!product(parser, value))
        return false;
    for (;;) {
        bool plus = next_is(parser, '+');
        double right;
        if (!plus && !next_is(parser, '-'))
            return true;
        if (!product(parser, &right))
            return false;
        *value = plus ? *value + right : *value - right;
    }
}

static void write_number(FILE *out, double value, int digits) {
    char text[400];
    if (isnan(value)) {
        fputs("–", out);
        return;
    }
    snprintf(text, sizeof text, "%.*f", digits, value);
    size_t whole = strcspn(text, ".");
    bool commas = fabs(value) >= 10000;
    for (size_t i = 0; text[i] != '\0'; i++) {
        if (commas && i > 0 && i < whole && (whole - i) % 3 == 0 && isdigit((unsigned char)text[i - 1]))
            fputc(',', out);
        fputc(text[i], out);
    }
}

/* A place alone, without a format, is its text. */
static bool write_place(struct parser *parser, FILE *out) {
    struct place place;
    const char *text;
    if (!read_place(parser, &place))
        return false;
    parser->at += strspn(parser->at, " ");
    if (*parser->at != '\0')
        return refuse(parser, "arithmetic needs a format, %.1f say, at its end");
    if (!data_text(parser->data, place.set, place.row, place.column, place.optional, &text, parser->error,
                   parser->size))
        return false;
    fputs(*text != '\0' ? text : "–", out);
    return true;
}

bool formula_write(struct data *data, const char *formula, FILE *out, char *error, size_t size) {
    char text[LONGEST];
    snprintf(text, sizeof text, "%s", formula);
    struct parser parser = {data, ini_trim(text), error, size, 0};
    char *format = strrchr(text, '%');
    if (format == NULL)
        return *parser.at == '[' ? write_place(&parser, out)
                                 : refuse(&parser, "a formula ends with %.1f or the like");
    if (strncmp(format, "%.", 2) != 0 || !isdigit((unsigned char)format[2]) || strcmp(format + 3, "f") != 0)
        return refuse(&parser, "a formula ends with %.0f to %.9f");
    *format = '\0';
    ini_trim(text);
    double value;
    if (!sum(&parser, &value))
        return false;
    parser.at += strspn(parser.at, " ");
    if (*parser.at != '\0')
        return refuse(&parser, "nothing was expected");
    write_number(out, value, format[2] - '0');
    return true;
}

bool formula_fill(struct data *data, const char *line, FILE *out, char *error, size_t size) {
    for (const char *open; (open = strstr(line, "{{")) != NULL;) {
        const char *close = strstr(open, "}}");
        char formula[LONGEST];
        if (close == NULL || (size_t)(close - open) > sizeof formula) {
            snprintf(error, size, "'{{' without '}}' behind it");
            return false;
        }
        fwrite(line, 1, (size_t)(open - line), out);
        snprintf(formula, sizeof formula, "%.*s", (int)(close - open - 2), open + 2);
        if (!formula_write(data, formula, out, error, size))
            return false;
        line = close + 2;
    }
    fputs(line, out);
    return true;
}
