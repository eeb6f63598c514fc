/* roster_find.c: finding a student again, by names that are one student's alone. */
#include "class/intake/roster.h"

#include "base/path.h"
#include "class/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Letters and digits of the texts, one after the other, small; other scripts' bytes as they are. */
static void squeeze(const char *one, const char *other, char text[ROSTER_TEXT * 2]) {
    size_t used = 0;
    const char *const parts[] = {one, other};
    for (int i = 0; i < 2; i++) {
        char normal[ROSTER_TEXT * 3];
        text_normal(normal, sizeof normal, parts[i]);
        for (const char *c = normal; *c != '\0' && used + 1 < ROSTER_TEXT * 2; c++)
            if (isalnum((unsigned char)*c) || (unsigned char)*c >= 0x80)
                text[used++] = (char)tolower((unsigned char)*c);
    }
    text[used] = '\0';
}

static bool is_named(const struct roster_student *student, const char *squeezed) {
    char text[ROSTER_TEXT * 2];
    squeeze(student->first, student->last, text);
    if (strcmp(text, squeezed) == 0)
        return true;
    squeeze(student->last, student->first, text);
    if (strcmp(text, squeezed) == 0)
        return true;
    squeeze(student->name, "", text);
    return strcmp(text, squeezed) == 0;
}

bool roster_is_named(const struct roster_student *student, const char *name) {
    char squeezed[ROSTER_TEXT * 2];
    squeeze(name, "", squeezed);
    return is_named(student, squeezed);
}

/* "Participant 770017", in whatever language, is 770017; and so is 770017. */
static bool ends_in_number(const char *cell, const char *number) {
    size_t length = strlen(cell), digits = strlen(number);
    while (length > 0 && isspace((unsigned char)cell[length - 1]))
        length--;
    return digits > 0 && length >= digits && strspn(number, "0123456789") == digits &&
           strncmp(cell + length - digits, number, digits) == 0 &&
           (length == digits || !isdigit((unsigned char)cell[length - digits - 1]));
}

/* Moodle's worksheet says "Participant 770017" (hiddenuser in its languages) where a folder says
 * 770017. */
static bool is_participant(const char *cell, const char *number) {
    static const char *const words[] = {"Participant", "Teilnehmer/in", "Participante", "Deelnemer",
                                        "Partecipante"};
    for (size_t i = 0; i < COUNT(words); i++) {
        size_t length = strlen(words[i]);
        if (strncmp(cell, words[i], length) == 0 &&
            strcmp(cell + length + (cell[length] == ' '), number) == 0 && *number != '\0' &&
            number[strspn(number, "0123456789")] == '\0')
            return true;
    }
    return false;
}

static bool has_alias(const struct roster *roster, const struct roster_student *student, const char *text) {
    for (unsigned i = 0; i < roster->alias_count; i++) {
        char cell[ROSTER_TEXT];
        roster_cell(&roster->csv, student->row, roster->aliases[i], cell);
        size_t local = strcspn(cell, "@");
        /* of another file than Moodle's worksheet, whose words stand before the number all the
         * same */
        if (is_participant(cell, text))
            return true;
        if (text_same_name(cell, text) ||
            (cell[local] == '@' && strlen(text) == local && strncasecmp(cell, text, local) == 0))
            return true;
    }
    return false;
}

static bool has_number(const struct roster *roster, const struct roster_student *student,
                       const char *number) {
    return ends_in_number(csv_cell(&roster->csv, student->row, (uint32_t)roster->number_column), number);
}

/* What is compared with a name. */
enum by { BY_COLUMN, BY_NUMBER, BY_ID, BY_NAME };

struct wanted {
    enum by by;
    int column; /* of BY_COLUMN */
    const char *text;
    char squeezed[ROSTER_TEXT * 2]; /* of BY_NAME */
};

static struct wanted wanted_by(enum by by, int column, const char *text) {
    struct wanted wanted = {.by = by, .column = column, .text = text};
    squeeze(text, "", wanted.squeezed);
    return wanted;
}

static bool is_wanted(const struct roster *roster, const struct roster_student *student,
                      const struct wanted *wanted) {
    char cell[ROSTER_TEXT];
    switch (wanted->by) {
    case BY_COLUMN:
        roster_cell(&roster->csv, student->row, wanted->column, cell);
        return text_same_name(cell, wanted->text);
    case BY_NUMBER: return has_number(roster, student, wanted->text);
    case BY_ID: return text_same_name(student->id, wanted->text) || has_alias(roster, student, wanted->text);
    default: return wanted->squeezed[0] != '\0' && is_named(student, wanted->squeezed);
    }
}

static struct roster_match find(const struct roster *roster, const struct wanted *wanted) {
    struct roster_match match = {NULL};
    const struct roster_student *first = NULL;
    for (size_t i = 0; *wanted->text != '\0' && i < roster->count; i++) {
        const struct roster_student *student = &roster->students[i];
        if (!is_wanted(roster, student, wanted))
            continue;
        if (first != NULL)
            return (struct roster_match){.several = {first, student}};
        match.student = first = student;
    }
    return match;
}

/* What another name of the same submission says of a student found: the same, nothing, or somebody
 * else. */
static struct roster_match agree(const struct roster *roster, struct roster_match match,
                                 const struct wanted *wanted) {
    if (match.student == NULL || is_wanted(roster, match.student, wanted))
        return match;
    struct roster_match says = find(roster, wanted);
    const struct roster_student *other = says.student != NULL ? says.student : says.several[0];
    if (other == NULL)
        return match;
    return match.student->row < other->row ? (struct roster_match){.several = {match.student, other}}
                                           : (struct roster_match){.several = {other, match.student}};
}

static bool is_none(const struct roster_match *match) {
    return match->student == NULL && match->several[0] == NULL;
}

/* The column in which the roster has the platform's own names; -1: it has none. */
static int platforms_column(const struct roster *roster, const char *name) {
    static const char *const username = "username";
    int column = name != NULL ? roster_column(&roster->csv, &name, 1) : -1;
    return column < 0 && name != NULL && roster->kind == ROSTER_CLASSROOM50_SCORES
               ? roster_column(&roster->csv, &username, 1)
               : column;
}

struct roster_match roster_match(const struct roster *roster, const struct roster_query *query) {
    int column = platforms_column(roster, query->column);
    bool numbers = query->by_number && roster->number_column >= 0;
    const struct wanted own = wanted_by(column >= 0 ? BY_COLUMN
                                        : numbers   ? BY_NUMBER
                                                    : BY_ID,
                                        column, query->id),
                        email = wanted_by(BY_ID, -1, query->email),
                        name = wanted_by(BY_NAME, -1, *query->name != '\0' ? query->name : query->id);
    struct roster_match match = find(roster, &own);
    if (column >= 0 || (numbers && !is_none(&match)))
        return match;
    match = is_none(&match) ? find(roster, &email) : agree(roster, match, &email);
    if (is_none(&match))
        return find(roster, &name);
    /* a number is perhaps of another kind than the roster's, and a folder's name any of a student's */
    return query->by_number || *query->name == '\0' ? agree(roster, match, &name) : match;
}

const struct roster_student *roster_find(const struct roster *roster, bool by_number, const char *id,
                                         const char *email, const char *name) {
    return roster_match(
               roster, &(struct roster_query){.by_number = by_number, .id = id, .email = email, .name = name})
        .student;
}

/* ---- names that would be two students' */

/* A name in a row. */
struct entry {
    char key[ROSTER_TEXT * 3]; /* as names are compared */
    const struct roster_student *student;
    int column;
    bool owned; /* the student's id, or e-mail */
};

static int by_key(const void *a, const void *b) {
    const struct entry *one = a, *other = b;
    int order = strcmp(one->key, other->key);
    return order != 0 ? order : (one->student > other->student) - (one->student < other->student);
}

/* Figures say nothing: numbers of two kinds may be the same. */
static bool is_name(const char *text) {
    return text[strspn(text, "0123456789")] != '\0';
}

static size_t read_entries(const struct roster *roster, struct entry *entries) {
    size_t count = 0;
    for (size_t i = 0; i < roster->count; i++)
        for (unsigned a = 0; a < roster->alias_count; a++) {
            const struct roster_student *student = &roster->students[i];
            char cell[ROSTER_TEXT];
            struct entry *entry = &entries[count];
            roster_cell(&roster->csv, student->row, roster->aliases[a], cell);
            if (roster->aliases[a] == roster->number_column || !is_name(cell))
                continue;
            *entry = (struct entry){.student = student, .column = roster->aliases[a]};
            text_normal(entry->key, sizeof entry->key, cell);
            for (char *c = entry->key; *c != '\0'; c++)
                *c = (char)tolower((unsigned char)*c);
            entry->owned = strcmp(cell, student->id) == 0 ||
                           (strchr(cell, '@') != NULL && strcmp(cell, student->email) == 0);
            count++;
        }
    return count;
}

bool roster_tell_apart(const struct roster *roster, const char *file, char *error, size_t size) {
    struct entry *entries = calloc(roster->count * roster->alias_count + 1, sizeof *entries);
    if (entries == NULL)
        return fails(error, size, "%s: out of memory", file);
    size_t count = read_entries(roster, entries);
    bool right = true;
    qsort(entries, count, sizeof *entries, by_key);
    for (size_t i = 0; right && i < count; i++)
        for (size_t j = i + 1; right && j < count && strcmp(entries[i].key, entries[j].key) == 0; j++) {
            const struct entry *owner = entries[i].owned ? &entries[i] : &entries[j],
                               *taker = entries[i].owned ? &entries[j] : &entries[i];
            if (!owner->owned || owner->student == taker->student || owner->column == taker->column)
                continue;
            snprintf(error, size,
                     "%s: row %u: the %.40s '%.60s' is the %.40s of row %u: a file of that name could be "
                     "either's; change it in one of the rows, or leave out that column",
                     file, taker->student->row + 1, csv_cell(&roster->csv, 0, (uint32_t)taker->column),
                     taker->key, csv_cell(&roster->csv, 0, (uint32_t)owner->column), owner->student->row + 1);
            right = false;
        }
    free(entries);
    return right;
}
