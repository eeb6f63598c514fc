/* deck.c: a deck's lines, one by one: slides, notes, drawings, code, figures. */
#include "slides/deck.h"

#include "base/file.h"
#include "base/ini.h"
#include "slides/figures.h"
#include "slides/formula.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 4 << 20, LINE = 4096, CODE_WIDTH = 76 };

struct reader {
    struct deck *deck;
    struct data *data;
    unsigned line;
    char *error;
    size_t size;
    FILE *out;      /* the body or the notes of the last slide */
    char **to;      /* what `out` becomes */
    size_t written; /* its length */
    FILE *code;     /* a ```cuda block being read */
    size_t code_written;
    bool fenced, in_notes;
};

__attribute__((format(printf, 2, 3))) static bool refuse(struct reader *reader, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = snprintf(reader->error, reader->size, "%s:%u: ", reader->deck->file, reader->line);
    if (length > 0 && (size_t)length < reader->size)
        vsnprintf(reader->error + length, reader->size - (size_t)length, format, arguments);
    va_end(arguments);
    return false;
}

/* Put FILE:LINE before what another part found wrong. */
static bool refuse_for(struct reader *reader, const char *why) {
    char copy[512];
    snprintf(copy, sizeof copy, "%s", why);
    return refuse(reader, "%s", copy);
}

static bool close_text(struct reader *reader) {
    if (reader->out == NULL)
        return true;
    bool wrong = ferror(reader->out);
    wrong = fclose(reader->out) != 0 || wrong;
    reader->out = NULL;
    return !wrong || refuse(reader, "out of memory");
}

static bool open_text(struct reader *reader, char **to) {
    if (!close_text(reader))
        return false;
    reader->to = to;
    reader->out = open_memstream(to, &reader->written);
    return reader->out != NULL || refuse(reader, "out of memory");
}

static bool begin_slide(struct reader *reader) {
    struct deck *deck = reader->deck;
    if (deck->slides == DECK_SLIDES)
        return refuse(reader, "more than %d slides", DECK_SLIDES);
    struct slide *slide = &deck->slide[deck->slides++];
    slide->line = reader->line;
    reader->in_notes = false;
    return open_text(reader, &slide->body);
}

static bool begin_notes(struct reader *reader, const char *text) {
    if (reader->in_notes)
        return refuse(reader, "a slide has one 'Note:'");
    reader->in_notes = true;
    if (!open_text(reader, &reader->deck->slide[reader->deck->slides - 1].notes))
        return false;
    char error[512];
    return (formula_fill(reader->data, text, reader->out, error, sizeof error) ||
            refuse_for(reader, error)) &&
           fputc('\n', reader->out) != EOF;
}

/* The line for each row of the set, $ replaced by the row's name. */
static bool each(struct reader *reader, char *text) {
    char error[512], filled[LINE], *colon = strchr(text, ':');
    if (colon == NULL)
        return refuse(reader, "@each SET: | $ | {{...}} |");
    *colon = '\0';
    const struct recording *recording = data_set(reader->data, ini_trim(text), error, sizeof error);
    if (recording == NULL)
        return refuse_for(reader, error);
    for (size_t i = 0; i < recording->count; i++) {
        const char *row = recording->cell[i].row;
        size_t before = 0, length = 0;
        while (before < i && strcmp(recording->cell[before].row, row) != 0)
            before++;
        if (before < i)
            continue;
        for (const char *c = ini_trim(colon + 1); *c != '\0' && length + 1 < sizeof filled; c++)
            if (*c == '$')
                length += (size_t)snprintf(filled + length, sizeof filled - length, "%s", row);
            else
                filled[length++] = *c;
        filled[length < sizeof filled ? length : sizeof filled - 1] = '\0';
        if (!formula_fill(reader->data, filled, reader->out, error, sizeof error))
            return refuse_for(reader, error);
        fputc('\n', reader->out);
    }
    return true;
}

/* A line of a source as a slide has it: without the piece's own indent and the comment at its end, what is left of the
 * indent halved, and broken at a blank where it is wider than a slide. */
static void line_of_code(FILE *out, const char *line, size_t length, size_t indent) {
    size_t blanks = strspn(line, " ");
    if (blanks >= length) {
        fputc('\n', out);
        return;
    }
    for (size_t i = blanks + 1; i + 3 < length; i++)
        if (strncmp(line + i, " // ", 4) == 0)
            length = i;
    size_t kept = blanks > indent ? (blanks - indent) / 2 : 0;
    line += blanks;
    length -= blanks;
    while (kept + length > CODE_WIDTH && length > 0) {
        size_t end = CODE_WIDTH - kept;
        while (end > 0 && line[end] != ' ')
            end--;
        if (end == 0)
            break;
        fprintf(out, "%*s%.*s\n", (int)kept, "", (int)end, line);
        line += end + 1;
        length -= end + 1;
        kept = blanks > indent ? (blanks - indent) / 2 + 4 : 4;
    }
    fprintf(out, "%*s%.*s\n", (int)kept, "", (int)length, line);
}

/* "FILE LINES TEXT": a piece of a source. */
static bool piece_of_code(struct reader *reader, const char *text) {
    char file[256], error[512], path[PATH_SIZE];
    unsigned lines;
    int behind = 0;
    if (sscanf(text, "%255s %u %n", file, &lines, &behind) != 2 || behind == 0 || text[behind] == '\0')
        return refuse(reader, "@code FILE LINES TEXT");
    if (!path_join(path, data_root(reader->data), file))
        return refuse(reader, "%s: its path is too long", file);
    char *source = file_read(path, LONGEST, NULL, error, sizeof error);
    if (source == NULL)
        return refuse_for(reader, error);
    char *at = strstr(source, text + behind);
    if (at == NULL) {
        free(source);
        return refuse(reader, "%s has no line with '%s'", file, text + behind);
    }
    while (at > source && at[-1] != '\n')
        at--;
    size_t indent = strspn(at, " ");
    fputs("```cuda\n", reader->out);
    for (; lines > 0 && *at != '\0'; lines--) {
        size_t length = strcspn(at, "\n");
        line_of_code(reader->out, at, length, indent);
        at += length + (at[length] == '\n');
    }
    fputs("```\n", reader->out);
    free(source);
    return true;
}

static bool end_code(struct reader *reader) {
    bool wrong = ferror(reader->code);
    wrong = fclose(reader->code) != 0 || wrong;
    reader->code = NULL;
    return !wrong || refuse(reader, "out of memory");
}

/* A line of three backquotes. */
static bool fence(struct reader *reader, const char *line) {
    struct deck *deck = reader->deck;
    reader->fenced = !reader->fenced;
    if (reader->code != NULL) {
        fputs("```\n", reader->out);
        return end_code(reader);
    }
    if (!reader->fenced || strncmp(line, "```cuda", 7) != 0) {
        fprintf(reader->out, "%s\n", line);
        return true;
    }
    if (deck->codes == DECK_CODES)
        return refuse(reader, "more than %d pieces of code", DECK_CODES);
    struct deck_code *code = &deck->code[deck->codes++];
    code->line = reader->line + 1;
    snprintf(code->around, sizeof code->around, "%s", line + 7 + strspn(line + 7, " "));
    fputs("```cuda\n", reader->out);
    reader->code = open_memstream(&code->text, &reader->code_written);
    return reader->code != NULL || refuse(reader, "out of memory");
}

static void heading(struct slide *slide, const char *line) {
    size_t marks = strspn(line, "#");
    if (marks == 0 || line[marks] != ' ' || *slide->title != '\0')
        return;
    snprintf(slide->title, sizeof slide->title, "%s", line + marks + 1);
    slide->opening = marks == 1;
}

static bool read_line(struct reader *reader, char *line) {
    char error[512];
    if (strncmp(line, "```", 3) == 0)
        return fence(reader, line);
    if (reader->fenced) {
        if (reader->code != NULL)
            fprintf(reader->code, "%s\n", line);
        fprintf(reader->out, "%s\n", line);
        return true;
    }
    if (strcmp(line, "---") == 0)
        return begin_slide(reader);
    if (strncmp(line, "Note:", 5) == 0)
        return begin_notes(reader, line + 5);
    if (strncmp(line, "@each ", 6) == 0)
        return each(reader, line + 6);
    if (strncmp(line, "@code ", 6) == 0)
        return piece_of_code(reader, line + 6);
    if (strncmp(line, "@figure ", 8) == 0)
        return figure_draw(reader->out, reader->data, line + 8, error, sizeof error) ||
               refuse_for(reader, error);
    if (*line == '@')
        return refuse(reader, "unknown line '%.20s': @each, @figure, @code", line);
    if (!reader->in_notes)
        heading(&reader->deck->slide[reader->deck->slides - 1], line);
    if (!formula_fill(reader->data, line, reader->out, error, sizeof error))
        return refuse_for(reader, error);
    fputc('\n', reader->out);
    return true;
}

/* Every slide has texts, if empty ones, so that no reader meets NULL. */
static bool complete(struct reader *reader) {
    for (unsigned i = 0; i < reader->deck->slides; i++) {
        struct slide *slide = &reader->deck->slide[i];
        if (slide->notes == NULL && (slide->notes = strdup("")) == NULL)
            return refuse(reader, "out of memory");
    }
    return true;
}

static bool read_lines(struct reader *reader, char *text) {
    reader->line = 1;
    bool right = begin_slide(reader);
    for (char *at = text; right && *at != '\0'; reader->line++) {
        char *end = at + strcspn(at, "\n"), *next = end + (*end != '\0');
        *end = '\0';
        right = read_line(reader, at);
        at = next;
    }
    right = right && (!reader->fenced || refuse(reader, "code without its closing ```"));
    right = close_text(reader) && right;
    if (reader->code != NULL)
        right = end_code(reader) && right;
    return right && complete(reader);
}

struct deck *deck_parse(const char *file, const char *text, struct data *data, char *error, size_t size) {
    struct deck *deck = calloc(1, sizeof *deck);
    char *copy = strdup(text);
    bool right = false;
    if (deck == NULL || copy == NULL)
        snprintf(error, size, "%s: out of memory", file);
    else {
        const char *slash = strrchr(file, '/');
        snprintf(deck->file, sizeof deck->file, "%s", file);
        snprintf(deck->name, sizeof deck->name, "%s", slash != NULL ? slash + 1 : file);
        deck->name[strcspn(deck->name, ".")] = '\0';
        struct reader reader = {.deck = deck, .data = data, .error = error, .size = size};
        right = read_lines(&reader, copy);
    }
    free(copy);
    if (!right) {
        deck_free(deck);
        return NULL;
    }
    return deck;
}

struct deck *deck_load(const char *file, struct data *data, char *error, size_t size) {
    char path[PATH_SIZE];
    if (!path_join(path, data_root(data), file)) {
        snprintf(error, size, "%s: its path is too long", file);
        return NULL;
    }
    char *text = file_read(path, LONGEST, NULL, error, size);
    if (text == NULL)
        return NULL;
    struct deck *deck = deck_parse(file, text, data, error, size);
    free(text);
    return deck;
}

void deck_free(struct deck *deck) {
    if (deck == NULL)
        return;
    for (unsigned i = 0; i < deck->slides; i++) {
        free(deck->slide[i].body);
        free(deck->slide[i].notes);
    }
    for (unsigned i = 0; i < deck->codes; i++)
        free(deck->code[i].text);
    free(deck);
}
